/// Why some bytes or text could not be decoded: what is wrong, where, and in which field.
///
/// A decoding error says that the input is malformed or is not a receipt at all. It says nothing about
/// authenticity: a well-formed forgery decodes, and is refused by validation.
public struct ReceiptDecodingError: Error, Hashable, Sendable {
    /// What is wrong. Codes are stable; new ones may be added.
    public var code: Code
    /// Byte offset into the input given to the throwing function at which the fault was found.
    public var offset: Int
    /// The field being read, for example `SignedData.version` or `in_app[3].purchase_date`.
    public var field: String
    /// More about this occurrence in words, for example `outer length 5052 bytes, got 456 (9 %)`.
    public var detail: String?

    public init(_ code: Code, at offset: Int, in field: String, detail: String? = nil) {
        self.code = code
        self.offset = offset
        self.field = field
        self.detail = detail
    }

    /// The kind of fault, as a short stable word such as `missing-end-of-contents`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }
}

extension ReceiptDecodingError: CustomStringConvertible {
    /// One line: the code, the field, the offset and the detail.
    public var description: String {
        let place = "\(code) in \(field) at byte \(offset)"
        return detail.map { "\(place): \($0)" } ?? place
    }
}
