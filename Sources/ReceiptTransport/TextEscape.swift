/// One escape sequence of some other language in the middle of base64, and the character that it stands for.
struct TextEscape {
    var scalar: Unicode.Scalar
    /// The length of the sequence in bytes.
    var length: Int
    var kind: RepairKind

    /// Reads an escape at an offset; nil if there is none.
    init?(_ text: Span<UInt8>, at offset: Int, end: Int) {
        switch text[offset] {
        case UInt8(ascii: "\\"): self.init(backslash: text, offset, end)
        case UInt8(ascii: "%"): self.init(percent: text, offset, end)
        case UInt8(ascii: "&"): self.init(reference: text, offset, end)
        case UInt8(ascii: "="): self.init(quotedPrintable: text, offset, end)
        default: return nil
        }
    }

    private init(_ scalar: Unicode.Scalar, _ length: Int, _ kind: RepairKind) {
        self.scalar = scalar
        self.length = length
        self.kind = kind
    }

    /// `\n`, `\/`, `\u003d`, `\"`, `\` at the end of a line; with any number of backslashes, from text escaped repeatedly.
    private init?(backslash text: Span<UInt8>, _ offset: Int, _ end: Int) {
        var position = offset
        while position < end, text[position] == UInt8(ascii: "\\") { position += 1 }
        guard position < end else { return nil }
        let length = position + 1 - offset
        switch text[position] {
        case UInt8(ascii: "n"): self.init("\n", length, .literalEscapes)
        case UInt8(ascii: "r"): self.init("\r", length, .literalEscapes)
        case UInt8(ascii: "t"): self.init("\t", length, .literalEscapes)
        case UInt8(ascii: "\n"): self.init("\n", length, .lineBreaks)
        case UInt8(ascii: "\r"): self.init("\r", length, .lineBreaks)
        case UInt8(ascii: "/"): self.init("/", length, .escapedSlashes)
        case UInt8(ascii: "+"): self.init("+", length, .literalEscapes)
        case UInt8(ascii: "="): self.init("=", length, .literalEscapes)
        case UInt8(ascii: "\""): self.init("\"", length, .quotes)
        case UInt8(ascii: "'"): self.init("'", length, .quotes)
        case UInt8(ascii: "u"):
            guard position + 5 <= end, let value = text.hexNumber(at: position + 1, digits: 4),
                let scalar = Unicode.Scalar(value)
            else { return nil }
            self.init(scalar, length + 4, .unicodeEscapes)
        default: return nil
        }
    }

    /// `%2B`, `%252B` with any number of `25`, and `%5C` before a letter or a slash for a backslash of JSON's.
    private init?(percent text: Span<UInt8>, _ offset: Int, _ end: Int) {
        guard let first = Self.percentEncoded(text, offset, end) else { return nil }
        self.init(first.scalar, first.length, first.isRepeated ? .doublePercentEncoding : .percentEncoding)
        let next = offset + first.length
        guard first.scalar == "\\", next < end else { return }
        let second = Self.percentEncoded(text, next, end)
        switch second?.scalar ?? Unicode.Scalar(text[next]) {
        case "n": scalar = "\n"
        case "r": scalar = "\r"
        case "t": scalar = "\t"
        case "/": scalar = "/"
        case "\"": scalar = "\""
        default: return
        }
        length += second?.length ?? 1
    }

    private static func percentEncoded(
        _ text: Span<UInt8>, _ offset: Int, _ end: Int
    ) -> (scalar: Unicode.Scalar, length: Int, isRepeated: Bool)? {
        guard text[offset] == UInt8(ascii: "%") else { return nil }
        var position = offset + 1
        while position + 4 <= end, text.hasText("25", at: position), text.hexNumber(at: position + 2, digits: 2) != nil
        {
            position += 2
        }
        guard position + 2 <= end, let value = text.hexNumber(at: position, digits: 2), value < 0x80,
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return (scalar, position + 2 - offset, position > offset + 1)
    }

    /// `&#43;`, `&#x2B;` and the few named references that matter.
    private init?(reference text: Span<UInt8>, _ offset: Int, _ end: Int) {
        var limit = offset + 1
        while limit < min(end, offset + 10), text[limit] != UInt8(ascii: ";") { limit += 1 }
        guard limit < end, text[limit] == UInt8(ascii: ";") else { return nil }
        let length = limit + 1 - offset
        let names: [(StaticString, Unicode.Scalar)] = [
            ("&plus;", "+"), ("&sol;", "/"), ("&equals;", "="), ("&quot;", "\""), ("&apos;", "'"), ("&nbsp;", "\u{A0}"),
        ]
        for (name, scalar) in names
        where name.utf8CodeUnitCount == length && text.hasText(name, at: offset) {
            self.init(scalar, length, .characterReferences)
            return
        }
        guard text.hasText("&#", at: offset) else { return nil }
        let isHex = text[offset + 2].lowercasedASCII == UInt8(ascii: "x")
        let digits = (offset + (isHex ? 3 : 2))..<limit
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for index in digits {
            guard let digit = text[index].hexDigitValue, isHex || digit < 10 else { return nil }
            // Seven digits at most: no overflow.
            value = value * (isHex ? 16 : 10) + UInt32(digit)
        }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        self.init(scalar, length, .characterReferences)
    }

    /// `=3D`, which is `=` in quoted-printable text, where nothing but more of the same follows.
    private init?(quotedPrintable text: Span<UInt8>, _ offset: Int, _ end: Int) {
        guard text.hasText("=3D", at: offset, ignoringCase: true) else { return nil }
        let next = offset + 3
        guard next >= end || text[next] == UInt8(ascii: "=") || text[next].isWhiteSpace else { return nil }
        self.init("=", 3, .characterReferences)
    }
}

extension Span where Element == UInt8 {
    /// The number that exactly so many hexadecimal digits stand for; nil if some are missing.
    func hexNumber(at offset: Int, digits: Int) -> UInt32? {
        guard offset + digits <= count else { return nil }
        var value: UInt32 = 0
        for index in offset..<(offset + digits) {
            guard let digit = self[index].hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
