/// Why a text is not the one JSON value that the reader takes, and where.
package struct JSONError: Error, Hashable, Sendable {
    package var code: Code
    /// Byte offset into the text.
    package var offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The kind of fault. The clauses are those of RFC 8259, where no other is named.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text ends inside a value, or there is no value at all.
        case truncated = "json-truncated"
        /// Something other than what the grammar calls for next (section 2).
        case syntax = "json-syntax"
        /// A comma before the end of an object or an array.
        case trailingComma = "json-trailing-comma"
        /// Something other than white space after the value.
        case trailingText = "json-trailing-text"
        /// A byte order mark before the value (section 8.1).
        case byteOrderMark = "json-byte-order-mark"
        /// Text in UTF-16 or UTF-32 (section 8.1).
        case notUTF8 = "json-not-utf8"
        /// Bytes that are not UTF-8 inside a string (RFC 3629).
        case invalidUTF8 = "json-invalid-utf8"
        /// A character below U+0020 that is not escaped (section 7).
        case controlCharacter = "json-control-character"
        /// A backslash and something that is no escape (section 7).
        case invalidEscape = "json-invalid-escape"
        /// An escaped surrogate without its other half (RFC 7493 section 2.1).
        case loneSurrogate = "json-lone-surrogate"
        /// A number with a leading zero or a sign, or without digits where some are due; `NaN` and `Infinity` (section 6).
        case invalidNumber = "json-invalid-number"
        /// A name that the object has already, compared after unescaping (RFC 7493 section 2.3).
        case duplicateName = "json-duplicate-name"
        /// More bytes than ``JSONLimits/bytes``.
        case inputTooLong = "json-input-too-long"
        /// Objects and arrays nested deeper than ``JSONLimits/depth``.
        case nestedTooDeeply = "json-nested-too-deeply"
        /// An object or array with more members than ``JSONLimits/members``, or a text with more values than
        /// ``JSONLimits/values``.
        case tooManyMembers = "json-too-many-members"
    }
}
