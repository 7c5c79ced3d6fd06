/// The kinds of damage that are undone: a stable phrase for programs, and what was done in words.
package enum RepairKind: Int, CaseIterable, Sendable {
    case byteOrderMark, utf16, surroundingWhiteSpace, quotes, trailingPunctuation, trailingZeros, lineBreaks
    case innerWhiteSpace, literalEscapes, escapedSlashes, unicodeEscapes, percentEncoding
    case doublePercentEncoding, characterReferences, spacesForPlus, base64URL, missingPadding, excessPadding
    case innerPadding, trailingBits, dataURI, pemArmour, damagedPEMArmour, encodedTwice, trailingBytes
    case hexSeparators, underscoresForPlus, mailQuotes, ansiSequences, lineNumbers, linePrefixes, joinedStrings
    case brokenJSON, formBody, printedBytes, hexDump, stringEscapes, bytesAsCharacters, htmlTags, chunkSizes

    /// The raw value of `TransportRepair.Code`.
    package var code: String { text(1).code }

    /// What was done to so many places, in words.
    package func words(_ count: Int) -> String { text(count).words }

    private func text(_ count: Int) -> (code: String, words: String) {
        func counted(_ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }
        return switch self {
        case .byteOrderMark: ("byte-order-mark", "byte order mark removed")
        case .utf16: ("utf-16", "UTF-16 read as text")
        case .surroundingWhiteSpace: ("surrounding-white-space", "white space around the text removed")
        case .quotes: ("quotes", "quotation marks around the text removed")
        case .trailingPunctuation: ("trailing-punctuation", "punctuation after the text removed")
        case .trailingZeros: ("trailing-zeros", counted("zero byte", "zero bytes") + " after the text removed")
        case .lineBreaks: ("line-breaks", counted("line break", "line breaks") + " removed")
        case .innerWhiteSpace:
            (
                "inner-white-space",
                counted("white space character", "white space characters") + " inside the text removed"
            )
        case .literalEscapes:
            ("literal-escapes", counted("escape", "escapes") + " for white space, such as \\n, removed")
        case .escapedSlashes: ("escaped-slashes", counted("escaped slash", "escaped slashes") + " read as /")
        case .unicodeEscapes: ("unicode-escapes", counted("escape", "escapes") + " such as \\u003d decoded")
        case .percentEncoding:
            ("percent-encoding", counted("percent-encoded character", "percent-encoded characters") + " decoded")
        case .doublePercentEncoding:
            (
                "double-percent-encoding",
                counted("character", "characters") + " decoded that had been percent-encoded more than once"
            )
        case .characterReferences:
            ("character-references", counted("character reference", "character references") + " such as &#43; decoded")
        case .spacesForPlus: ("spaces-for-plus", counted("space", "spaces") + " read as +")
        case .base64URL:
            ("base64url", counted("URL-safe character", "URL-safe characters") + " (- or _) read as + or /")
        case .missingPadding: ("missing-padding", counted("missing =", "missing =") + " supplied")
        case .excessPadding: ("excess-padding", counted("needless =", "needless =") + " removed")
        case .innerPadding: ("inner-padding", counted("=", "=") + " inside the text passed over")
        case .trailingBits: ("trailing-bits", "bits after the last byte ignored")
        case .dataURI: ("data-uri", "data URI prefix removed")
        case .pemArmour: ("pem-armour", "PEM lines removed")
        case .damagedPEMArmour: ("damaged-pem-armour", "a PEM line is missing or damaged")
        case .encodedTwice: ("encoded-twice", counted("further layer", "further layers") + " of encoding undone")
        case .trailingBytes:
            ("trailing-bytes", counted("byte", "bytes") + " of white space or zeros after the receipt removed")
        case .hexSeparators: ("hex-separators", counted("separator", "separators") + " among the digits removed")
        case .underscoresForPlus: ("underscores-for-plus", counted("_", "_") + " read as +, as PHP writes them in keys")
        case .mailQuotes: ("mail-quotes", counted("mark", "marks") + " of quoted mail before lines removed")
        case .ansiSequences: ("ansi-sequences", counted("ANSI sequence", "ANSI sequences") + " of a terminal removed")
        case .lineNumbers: ("line-numbers", counted("line number", "line numbers") + " removed")
        case .linePrefixes: ("line-prefixes", counted("prefix", "prefixes") + " before lines removed")
        case .joinedStrings: ("joined-strings", counted("break", "breaks") + " between joined string literals removed")
        case .chunkSizes: ("chunk-sizes", counted("size of an HTTP chunk", "sizes of HTTP chunks") + " removed")
        case .htmlTags: ("html-tags", counted("tag", "tags") + " of HTML between lines removed")
        case .brokenJSON: ("broken-json", "the JSON around the receipt is broken")
        case .formBody:
            ("form-body", "the text ends at the first = of the receipt: a JSON body was parsed as a form")
        case .printedBytes: ("printed-bytes", counted("printed byte", "printed bytes") + " read")
        case .hexDump: ("hex-dump", counted("line", "lines") + " of a dump read")
        case .stringEscapes: ("string-escapes", counted("escape", "escapes") + " of a string literal decoded")
        case .bytesAsCharacters:
            ("bytes-as-characters", counted("character", "characters") + " above 127 read as the bytes they were")
        }
    }
}
