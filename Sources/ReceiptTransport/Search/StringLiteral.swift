/// What bytes become in the literals of programming languages and in URLs: `0\x82\x1cH\x06\t*`, `0\202\034H`, `0%82%1CH`,
/// `0\u0082\u001cH`, Lua's decimal `\048\130`, and characters of Latin-1 or Windows-1252.
enum StringLiteral {
    /// How a literal is written.
    private struct Style {
        /// How many backslashes an escape begins with.
        var level: Int
        /// The first byte of a receipt in decimal has a digit that no octal number has.
        var isDecimal: Bool
        /// Whether it stands in quotation marks, so that one ends it or joins it to another.
        var isQuoted: Bool
    }

    static func read(_ text: Span<UInt8>, at start: Int) -> ReceiptSearch.Attempt? {
        var level = 0
        // The first backslashes tell how often the literal was escaped.
        var probe = start
        let limit = min(text.count, start + 24)
        while probe < limit, text[probe] != UInt8(ascii: "\\") { probe += 1 }
        while probe < text.count, text[probe] == UInt8(ascii: "\\") {
            level += 1
            probe += 1
            // Nobody escapes a text four times over.
            if level > 8 { return nil }
        }
        let style = Style(
            level: level, isDecimal: text.hasText("048", at: probe),
            isQuoted: start > 0 && text[start - 1] == UInt8(ascii: "\""))
        let head = bytes(text, from: start, until: 2, style)
        guard head.bytes.count == 2, head.bytes[0] == 0x30, 0x80...0x84 ~= head.bytes[1] else { return nil }
        let first = bytes(text, from: start, until: 17, style).bytes
        guard first.count > 12, ReceiptBeginning.isContentInfo(first.span) else { return nil }
        let length = ReceiptBeginning.length(first.span)
        let all = bytes(text, from: start, until: length ?? .max, style)
        return PrintedBytes.finish(
            all.bytes, text, start, end: all.end, work: all.end - start,
            kind: all.escapes > 0 ? .stringEscapes : .bytesAsCharacters,
            count: all.escapes > 0 ? all.escapes : all.characters, form: .stringLiteral, layer: 1)
    }

    private static func bytes(
        _ text: Span<UInt8>, from start: Int, until limit: Int, _ style: Style
    ) -> (bytes: [UInt8], end: Int, escapes: Int, characters: Int) {
        var bytes: [UInt8] = []
        var position = start
        var escapes = 0
        var characters = 0
        while bytes.count < limit, position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\\"), style.level > 0, let (value, width) = escape(text, at: position, style) {
                bytes.append(value)
                position += width
                escapes += 1
            } else if byte == UInt8(ascii: "%"), style.level == 0,
                let value = text.hexNumber(at: position + 1, digits: 2)
            {
                bytes.append(UInt8(truncatingIfNeeded: value))
                position += 3
                escapes += 1
            } else if byte == UInt8(ascii: "+"), style.level == 0, escapes > 0 {
                bytes.append(0x20)
                position += 1
            } else if byte == UInt8(ascii: "\""), style.isQuoted,
                let width = CleanedLines.joinLength(text, at: position)
            {
                position += width
            } else if byte < 0x80 {
                bytes.append(byte)
                position += 1
            } else if let (scalar, width) = text.scalar(at: position), let value = byteOf(scalar) {
                bytes.append(value)
                position += width
                characters += 1
            } else {
                break
            }
        }
        return (bytes, position, escapes, characters)
    }

    private static func escape(_ text: Span<UInt8>, at start: Int, _ style: Style) -> (UInt8, Int)? {
        let (level, isDecimal) = (style.level, style.isDecimal)
        var position = start
        while position < text.count, text[position] == UInt8(ascii: "\\"), position - start < level { position += 1 }
        guard position < text.count else { return nil }
        let letter = text[position]
        // A quotation mark that only the outer literals had to escape, as in the JSON of a Python literal.
        if position - start < level, letter == UInt8(ascii: "\"") { return (letter, position + 1 - start) }
        guard position - start == level else { return nil }
        let width = position + 1 - start
        switch letter {
        case UInt8(ascii: "x"):
            return text.hexNumber(at: position + 1, digits: 2).map { (UInt8(truncatingIfNeeded: $0), width + 2) }
        case UInt8(ascii: "u"):
            guard let value = text.hexNumber(at: position + 1, digits: 4), let scalar = Unicode.Scalar(value),
                let byte = byteOf(scalar)
            else { return nil }
            return (byte, width + 4)
        case UInt8(ascii: "0")...UInt8(ascii: "9") where isDecimal || letter < UInt8(ascii: "8"):
            var value = 0
            var digits = 0
            while digits < 3, position + digits < text.count,
                UInt8(ascii: "0")...(isDecimal ? UInt8(ascii: "9") : UInt8(ascii: "7")) ~= text[position + digits]
            {
                value = value * (isDecimal ? 10 : 8) + Int(text[position + digits] - UInt8(ascii: "0"))
                digits += 1
            }
            return value < 256 ? (UInt8(value), width - 1 + digits) : nil
        case UInt8(ascii: "n"): return (0x0A, width)
        case UInt8(ascii: "r"): return (0x0D, width)
        case UInt8(ascii: "t"): return (0x09, width)
        case UInt8(ascii: "a"): return (0x07, width)
        case UInt8(ascii: "b"): return (0x08, width)
        case UInt8(ascii: "f"): return (0x0C, width)
        case UInt8(ascii: "v"): return (0x0B, width)
        case UInt8(ascii: "e"): return (0x1B, width)
        case UInt8(ascii: "\\"):
            let isWhole = position + level <= text.count
            return isWhole ? (UInt8(ascii: "\\"), 2 * level) : nil
        default: return letter < 0x80 ? (letter, width) : nil
        }
    }

    /// The byte that a character was in Latin-1 or Windows-1252.
    private static func byteOf(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x100 { return UInt8(scalar.value) }
        guard let index = windows1252.firstIndex(of: scalar.value) else { return nil }
        return UInt8(0x80 + index)
    }

    /// 80 to 9F; zero where Windows-1252 has no character of its own.
    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}
