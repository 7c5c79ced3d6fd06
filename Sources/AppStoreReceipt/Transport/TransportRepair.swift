internal import ReceiptTransport

/// One kind of damage that ``TransportDecoding`` undid.
public struct TransportRepair: Hashable, Sendable, CustomStringConvertible {
    /// The kind of damage.
    public let code: Code
    /// Byte offset in the input of its first occurrence.
    public let offset: Int
    /// How often it occurred.
    public let count: Int
    /// What was done, in words.
    public let description: String

    /// The kind of damage, as a short stable phrase such as `escaped-slashes`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        init(_ kind: RepairKind) { rawValue = kind.code }
        public var description: String { rawValue }
    }

    init(_ kind: RepairKind, at offset: Int, count: Int) {
        code = Code(kind)
        self.offset = offset
        self.count = count
        description = kind.words(count)
    }
}

extension TransportRepair.Code {
    /// A byte order mark before the text.
    public static let byteOrderMark = Self(.byteOrderMark)
    /// UTF-16 code units instead of UTF-8.
    public static let utf16 = Self(.utf16)
    /// White space before or after the text.
    public static let surroundingWhiteSpace = Self(.surroundingWhiteSpace)
    /// Quotation marks, back-ticks or a language's literal marks around the text.
    public static let quotes = Self(.quotes)
    /// A comma or semicolon after the text.
    public static let trailingPunctuation = Self(.trailingPunctuation)
    /// Zero bytes after the text.
    public static let trailingZeros = Self(.trailingZeros)
    /// Line feeds or carriage returns inside the text.
    public static let lineBreaks = Self(.lineBreaks)
    /// Blanks, tabs or other white space inside the text.
    public static let innerWhiteSpace = Self(.innerWhiteSpace)
    /// A backslash and a letter that stand for white space: `\n`, `\r`, `\t`.
    public static let literalEscapes = Self(.literalEscapes)
    /// `\/`, as some JSON writers put it.
    public static let escapedSlashes = Self(.escapedSlashes)
    /// `\u003d` and the like.
    public static let unicodeEscapes = Self(.unicodeEscapes)
    /// `%2B` and the like.
    public static let percentEncoding = Self(.percentEncoding)
    /// `%252B` and the like.
    public static let doublePercentEncoding = Self(.doublePercentEncoding)
    /// `&#43;` and the like.
    public static let characterReferences = Self(.characterReferences)
    /// Blanks that stand for `+`, from form decoding of text that was not form-encoded.
    public static let spacesForPlus = Self(.spacesForPlus)
    /// `-` for `+` and `_` for `/`.
    public static let base64URL = Self(.base64URL)
    /// Fewer `=` than needed at the end.
    public static let missingPadding = Self(.missingPadding)
    /// More `=` than needed at the end.
    public static let excessPadding = Self(.excessPadding)
    /// `=` inside the text: pieces that were encoded one by one, or quoted-printable line ends.
    public static let innerPadding = Self(.innerPadding)
    /// Bits that are not zero after the last byte.
    public static let trailingBits = Self(.trailingBits)
    /// The prefix `data:…,`.
    public static let dataURI = Self(.dataURI)
    /// PEM lines before and after.
    public static let pemArmour = Self(.pemArmour)
    /// A PEM line that is missing or damaged.
    public static let damagedPEMArmour = Self(.damagedPEMArmour)
    /// Another layer of encoding around the first.
    public static let encodedTwice = Self(.encodedTwice)
    /// White space or zero bytes after the last byte of the receipt.
    public static let trailingBytes = Self(.trailingBytes)
    /// Separators, prefixes or brackets among hexadecimal digits.
    public static let hexSeparators = Self(.hexSeparators)
    /// `_` that stands for `+`, as PHP writes it in the key of a form.
    public static let underscoresForPlus = Self(.underscoresForPlus)
    /// `>` before the lines of a quoted mail.
    public static let mailQuotes = Self(.mailQuotes)
    /// Sequences that colour a terminal.
    public static let ansiSequences = Self(.ansiSequences)
    /// Numbers before lines.
    public static let lineNumbers = Self(.lineNumbers)
    /// The same text before each line, such as a log's time and source.
    public static let linePrefixes = Self(.linePrefixes)
    /// The ends of string literals that are joined, such as `" + "`.
    public static let joinedStrings = Self(.joinedStrings)
    /// The JSON around is not well-formed; the offset says where.
    public static let brokenJSON = Self(.brokenJSON)
    /// The text ends at the first `=` of the receipt: a body that is JSON was parsed as a form.
    public static let formBody = Self(.formBody)
    /// Numbers that stand for bytes.
    public static let printedBytes = Self(.printedBytes)
    /// Lines of a dump.
    public static let hexDump = Self(.hexDump)
    /// Escapes of a string literal or URL that stand for bytes.
    public static let stringEscapes = Self(.stringEscapes)
    /// Characters of Latin-1 or Windows-1252 that stand for bytes.
    public static let bytesAsCharacters = Self(.bytesAsCharacters)
    /// Tags of HTML that break lines.
    public static let htmlTags = Self(.htmlTags)
    /// The sizes that a chunked HTTP body has between its parts.
    public static let chunkSizes = Self(.chunkSizes)
}
