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
        public var description: String { rawValue }
    }
}

extension TransportRepair.Code {
    /// A byte order mark before the text.
    public static let byteOrderMark = Self(rawValue: "byte-order-mark")
    /// UTF-16 code units instead of UTF-8.
    public static let utf16 = Self(rawValue: "utf-16")
    /// White space before or after the text.
    public static let surroundingWhiteSpace = Self(rawValue: "surrounding-white-space")
    /// Quotation marks, back-ticks or a language's literal marks around the text.
    public static let quotes = Self(rawValue: "quotes")
    /// A comma or semicolon after the text.
    public static let trailingPunctuation = Self(rawValue: "trailing-punctuation")
    /// Zero bytes after the text.
    public static let trailingZeros = Self(rawValue: "trailing-zeros")
    /// Line feeds or carriage returns inside the text.
    public static let lineBreaks = Self(rawValue: "line-breaks")
    /// Blanks, tabs or other white space inside the text.
    public static let innerWhiteSpace = Self(rawValue: "inner-white-space")
    /// A backslash and a letter that stand for white space: `\n`, `\r`, `\t`.
    public static let literalEscapes = Self(rawValue: "literal-escapes")
    /// `\/`, as some JSON writers put it.
    public static let escapedSlashes = Self(rawValue: "escaped-slashes")
    /// `\u003d` and the like.
    public static let unicodeEscapes = Self(rawValue: "unicode-escapes")
    /// `%2B` and the like.
    public static let percentEncoding = Self(rawValue: "percent-encoding")
    /// `%252B` and the like.
    public static let doublePercentEncoding = Self(rawValue: "double-percent-encoding")
    /// `&#43;` and the like.
    public static let characterReferences = Self(rawValue: "character-references")
    /// Blanks that stand for `+`, from form decoding of text that was not form-encoded.
    public static let spacesForPlus = Self(rawValue: "spaces-for-plus")
    /// `-` for `+` and `_` for `/`.
    public static let base64URL = Self(rawValue: "base64url")
    /// Fewer `=` than needed at the end.
    public static let missingPadding = Self(rawValue: "missing-padding")
    /// More `=` than needed at the end.
    public static let excessPadding = Self(rawValue: "excess-padding")
    /// `=` inside the text: pieces that were encoded one by one, or quoted-printable line ends.
    public static let innerPadding = Self(rawValue: "inner-padding")
    /// Bits that are not zero after the last byte.
    public static let trailingBits = Self(rawValue: "trailing-bits")
    /// The prefix `data:…,`.
    public static let dataURI = Self(rawValue: "data-uri")
    /// PEM lines before and after.
    public static let pemArmour = Self(rawValue: "pem-armour")
    /// A PEM line that is missing or damaged.
    public static let damagedPEMArmour = Self(rawValue: "damaged-pem-armour")
    /// Another layer of encoding around the first.
    public static let encodedTwice = Self(rawValue: "encoded-twice")
    /// White space or zero bytes after the last byte of the receipt.
    public static let trailingBytes = Self(rawValue: "trailing-bytes")
    /// Separators, prefixes or brackets among hexadecimal digits.
    public static let hexSeparators = Self(rawValue: "hex-separators")
}
