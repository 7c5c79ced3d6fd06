/// Lines of a dump: an offset, bytes or words, and perhaps the characters beside them, as xxd, hexdump and od write them.
enum HexDump {
    /// How a dump writes its bytes.
    private enum Unit {
        case hex, littleEndianHex, octalBytes, octalWords, decimal
        /// What can be printed as it is, the rest in octal or as an escape, four columns for each (`od -c`).
        case characters
    }

    static func read(_ text: Span<UInt8>, at start: Int, layer: Int) -> ReceiptSearch.Attempt? {
        guard let firstCell = endOfOffset(text, before: start) else { return nil }
        let lineStart = lineStart(text, start)
        for unit in units(of: text.endOfName(from: start, to: min(text.count, start + 9)) - start) {
            let first = row(text, unit == .characters ? firstCell : start, unit, limit: 64).bytes
            guard first.count >= 8, PrintedBytes.isBeginning(first.span),
                PrintedBytes.looksRight(first.span.extracting(..<8))
            else { continue }
            return read(text, lineStart, start, unit, first.count, layer)
        }
        return nil
    }

    /// How a dump may be written whose first byte or word has so many characters.
    private static func units(of length: Int) -> [Unit] {
        switch length {
        case 1: [.characters]
        case 2: [.hex, .decimal]
        case 3: [.octalBytes, .decimal]
        case 4: [.hex, .littleEndianHex]
        case 6: [.hex, .octalWords]
        default: [.hex]
        }
    }

    /// Whether nothing but an offset stands before something in its line.
    static func isFirstColumn(_ text: Span<UInt8>, _ start: Int) -> Bool { endOfOffset(text, before: start) != nil }

    /// Where the offset ends that stands alone before something in its line.
    private static func endOfOffset(_ text: Span<UInt8>, before start: Int) -> Int? {
        let lineStart = lineStart(text, start)
        guard start > lineStart, let end = offset(text, lineStart, radix: 16)?.end, end <= start,
            isBlank(text, end, start)
        else { return nil }
        return end
    }

    private static func lineStart(_ text: Span<UInt8>, _ start: Int) -> Int {
        var lineStart = start
        while lineStart > 0, text[lineStart - 1] != 0x0A, start - lineStart < 24 { lineStart -= 1 }
        return lineStart
    }

    private static func read(
        _ text: Span<UInt8>, _ lineStart: Int, _ start: Int, _ unit: Unit, _ greedy: Int, _ layer: Int
    ) -> ReceiptSearch.Attempt {
        let width = bytesPerLine(text, lineStart, greedy)
        var bytes: [UInt8] = []
        var lines = 0
        var position = lineStart
        var length: Int?
        while position < text.count, length.map({ bytes.count < $0 }) ?? true {
            guard var begin = offset(text, position, radix: 16)?.end else {
                // A star stands for lines like the one before, which no receipt has.
                if lines > 0, text[position] != 0x0A { break }
                position = nextLine(text, position)
                continue
            }
            if unit != .characters { begin = text.skippingBlanks(from: begin) }
            let left = length.map { $0 - bytes.count } ?? width
            let row = row(text, begin, unit, limit: min(width, left))
            guard !row.bytes.isEmpty else { break }
            bytes += row.bytes
            lines += 1
            if length == nil, lines == 1 || bytes.count < 64, bytes[0] == 0x30 {
                length = ReceiptBeginning.length(bytes.span)
            }
            position = nextLine(text, row.end)
        }
        return PrintedBytes.finish(
            bytes, text, lineStart, end: position, work: 2 * (position - lineStart), kind: .hexDump, count: lines,
            form: .hexDump, layer: layer)
    }

    /// By the offsets of the first two lines; what stands in the first line at most.
    private static func bytesPerLine(_ text: Span<UInt8>, _ lineStart: Int, _ greedy: Int) -> Int {
        let second = nextLine(text, lineStart)
        var best = 0
        for radix in [16, 10, 8] {
            guard let one = offset(text, lineStart, radix: radix), let two = offset(text, second, radix: radix) else {
                continue
            }
            let width = two.value - one.value
            if width > best, width <= greedy { best = width }
        }
        return best > 0 ? best : greedy
    }

    private static func nextLine(_ text: Span<UInt8>, _ start: Int) -> Int {
        var position = start
        while position < text.count, text[position] != 0x0A { position += 1 }
        return min(position + 1, text.count)
    }

    /// The number at the beginning of a line, of four digits at least, and where it ends.
    private static func offset(_ text: Span<UInt8>, _ start: Int, radix: Int) -> (value: Int, end: Int)? {
        var position = text.skippingBlanks(from: start)
        if text.hasText("0x", at: position) { position += 2 }
        let first = position
        var value = 0
        while position < text.count, position - first < 12, let digit = text[position].hexDigitValue {
            value = value * radix + Int(digit)
            position += 1
        }
        guard position - first >= 4, position < text.count else { return nil }
        if text[position] == UInt8(ascii: ":") || text[position] == UInt8(ascii: "|") { position += 1 }
        guard position < text.count, text[position] == 0x20 || text[position] == 0x09 else { return nil }
        return (value, position)
    }

    private static func isBlank(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        for offset in start..<max(start, end) where text[offset] != 0x20 && text[offset] != 0x09 { return false }
        return true
    }

    /// The bytes of a row, up to a number of them or to the end of the line.
    private static func row(
        _ text: Span<UInt8>, _ start: Int, _ unit: Unit, limit: Int
    ) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        var position = start
        while position < text.count, bytes.count < limit {
            if unit != .characters { position = text.skippingBlanks(from: position) }
            // In the middle of a line, for the eye.
            if unit == .hex, position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
            guard let (word, end) = word(text, position, unit) else { break }
            bytes += word
            position = end
        }
        return (bytes.count > limit ? Array(bytes[..<limit]) : bytes, position)
    }

    private static func word(_ text: Span<UInt8>, _ start: Int, _ unit: Unit) -> ([UInt8], Int)? {
        switch unit {
        case .hex:
            return text.hexNumber(at: start, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], start + 2) }
        case .littleEndianHex:
            return text.hexNumber(at: start, digits: 4).map {
                ([UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)], start + 4)
            }
        case .octalBytes, .octalWords:
            let digits = unit == .octalBytes ? 3 : 6
            guard start + digits <= text.count else { return nil }
            var value = 0
            for offset in start..<(start + digits) {
                guard let digit = text[offset].hexDigitValue, digit < 8 else { return nil }
                value = value * 8 + Int(digit)
            }
            guard value < (unit == .octalBytes ? 0x100 : 0x10000) else { return nil }
            let low = UInt8(truncatingIfNeeded: value)
            let word = unit == .octalBytes ? [low] : [low, UInt8(truncatingIfNeeded: value >> 8)]
            return (word, start + digits)
        case .decimal:
            var position = start
            var value = 0
            while position < text.count, position - start < 3, text[position].isASCIIDigit {
                value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
                position += 1
            }
            guard position > start, value < 256, position == text.count || text[position].isWhiteSpace else {
                return nil
            }
            return ([UInt8(value)], position)
        case .characters:
            return character(text, start).map { ([$0], start + 4) }
        }
    }

    /// The byte of four columns.
    private static func character(_ text: Span<UInt8>, _ start: Int) -> UInt8? {
        guard start + 4 <= text.count, text[start] == 0x20 else { return nil }
        for offset in start..<(start + 4) where text[offset] == 0x0A { return nil }
        let (first, second, last) = (text[start + 1], text[start + 2], text[start + 3])
        guard first == 0x20 else {
            let digits = [first, second, last].map { $0 &- UInt8(ascii: "0") }
            guard digits.allSatisfy({ $0 < 8 }), digits[0] < 4 else { return nil }
            return digits[0] << 6 | digits[1] << 3 | digits[2]
        }
        guard second == UInt8(ascii: "\\") else { return second == 0x20 ? last : nil }
        switch last {
        case UInt8(ascii: "0"): return 0
        case UInt8(ascii: "a"): return 0x07
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "v"): return 0x0B
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "r"): return 0x0D
        default: return nil
        }
    }
}
