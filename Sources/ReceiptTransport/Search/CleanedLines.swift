/// A text from a receipt's first character on, without what stands before or between its lines: marks of quoted mail,
/// line numbers, the time in a log, colours of a terminal, the ends of string literals that are joined, the sizes of HTTP
/// chunks.
struct CleanedLines {
    private(set) var text: [UInt8] = []
    private(set) var kind = RepairKind.linePrefixes
    private(set) var removed = 0
    private(set) var firstRemoved = Int.max
    /// Where pieces of the cleaned text begin, in it and in the original.
    private var pieces: [(clean: Int, original: Int)] = []

    /// Nil if there is nothing to remove.
    init?(_ original: Span<UInt8>, from start: Int) {
        var lineStart = start
        while lineStart > 0, original[lineStart - 1] != 0x0A { lineStart -= 1 }
        let column = start - lineStart
        text.reserveCapacity(original.count - start)
        pieces.append((0, start))
        var position = start
        while position < original.count {
            let byte = original[position]
            if byte == 0x1B, let length = Self.ansiLength(original, at: position) {
                remove(.ansiSequences, &position, length)
            } else if byte == UInt8(ascii: "<"), let length = Self.tagLength(original, at: position) {
                remove(.htmlTags, &position, length)
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
                let length = Self.joinLength(original, at: position)
            {
                remove(.joinedStrings, &position, length)
            } else if byte == UInt8(ascii: "+"), let length = Self.continuationLength(original, at: position) {
                remove(.linePrefixes, &position, length)
            } else if byte == 0x0A {
                text.append(byte)
                position += 1
                let next = position
                if let (kind, length) = Self.prefix(original, at: next, column: column, lineStart) {
                    remove(kind, &position, length)
                }
            } else {
                text.append(byte)
                position += 1
            }
        }
        if removed == 0 { return nil }
    }

    private mutating func remove(_ kind: RepairKind, _ position: inout Int, _ length: Int) {
        if removed == 0 { self.kind = kind }
        removed += 1
        firstRemoved = min(firstRemoved, position)
        position += length
        pieces.append((text.count, position))
    }

    /// The offset in the original text of a byte of the cleaned one.
    func offset(of clean: Int) -> Int {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].clean <= clean { low = middle } else { high = middle }
        }
        return pieces[low].original + clean - pieces[low].clean
    }

    /// `ESC [ 32 m`.
    private static func ansiLength(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard start + 2 < text.count, text[start + 1] == UInt8(ascii: "[") else { return nil }
        var position = start + 2
        while position < text.count, position - start < 16 {
            if text[position].isASCIIAlphanumeric, !text[position].isASCIIDigit { return position + 1 - start }
            position += 1
        }
        return nil
    }

    /// `<br>`, `<br />`, `<wbr>`, `</p>`: a tag that stands for a break.
    private static func tagLength(_ text: Span<UInt8>, at start: Int) -> Int? {
        let names: [StaticString] = ["br", "wbr", "p", "div", "span", "nobr"]
        let name = text.hasText("</", at: start) ? start + 2 : start + 1
        for tag in names where text.hasText(tag, at: name, ignoringCase: true) {
            var position = name + tag.utf8CodeUnitCount
            while position < text.count, text[position] == 0x20 || text[position] == UInt8(ascii: "/") { position += 1 }
            if position < text.count, text[position] == UInt8(ascii: ">") { return position + 1 - start }
        }
        return nil
    }

    /// The end of one string literal and the beginning of the next: `" +` line end `"`, `" "`, `" \` line end `"`,
    /// `" & _` line end `"`, or with single quotation marks.
    static func joinLength(_ text: Span<UInt8>, at start: Int) -> Int? {
        var position = start + 1
        let limit = min(text.count, start + 120)
        var marks = 0
        while position < limit {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "&"), UInt8(ascii: "\\"), UInt8(ascii: ","),
                UInt8(ascii: "_"):
                marks += 1
                guard marks <= 2 else { return nil }
            case text[start]: return isName(text, at: position) ? nil : position + 1 - start
            default: return nil
            }
            position += 1
        }
        return nil
    }

    /// Whether a string is the name of the next value and not more of the one before: a colon or an arrow follows.
    private static func isName(_ text: Span<UInt8>, at start: Int) -> Bool {
        let end = text.endOfName(from: start + 1, to: min(text.count, start + 64))
        guard end < text.count, text[end] == text[start] else { return false }
        let next = text.skippingBlanks(from: end + 1)
        return next < text.count && (text[next] == UInt8(ascii: ":") || text[next] == UInt8(ascii: "="))
    }

    /// How psql shows a line break in a column: `+` at the line's end and `|` before the next line.
    private static func continuationLength(_ text: Span<UInt8>, at start: Int) -> Int? {
        var position = text.skippingBlanks(from: start + 1)
        guard position < text.count, text[position] == 0x0A else { return nil }
        position = text.skippingBlanks(from: position + 1)
        guard position > start + 2, text.hasText("| ", at: position) else { return nil }
        return position + 2 - start
    }

    /// The size of an HTTP chunk in its line (RFC 9112 section 7.1), which has to be right.
    static func chunkSizeLength(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard start > 1, text.hasText("\r\n", at: start - 2) else { return nil }
        var position = start
        var size = 0
        while position < text.count, position - start < 7, let digit = text[position].hexDigitValue {
            size = size * 16 + Int(digit)
            position += 1
        }
        guard position > start, text.hasText("\r\n", at: position) else { return nil }
        let end = position + 2 + size
        return text.hasText("\r\n", at: end) || end == text.count ? position + 2 - start : nil
    }

    /// What stands before a line's text.
    private static func prefix(
        _ text: Span<UInt8>, at start: Int, column: Int, _ firstLine: Int
    ) -> (RepairKind, Int)? {
        if let length = chunkSizeLength(text, at: start) { return (.chunkSizes, length) }
        var position = text.skippingBlanks(from: start)
        guard position < text.count else { return nil }
        let first = text[position]
        if first == UInt8(ascii: ">") || first == UInt8(ascii: "|") || first == UInt8(ascii: "#")
            || first == UInt8(ascii: "*")
        {
            while position < text.count, text[position] == first || text[position] == 0x20 { position += 1 }
            return (first == UInt8(ascii: ">") ? .mailQuotes : .linePrefixes, position - start)
        }
        // A difference, in which every line begins so; in base64 alone no receipt has a sign before it.
        if column == 1, first == UInt8(ascii: "+"), text[firstLine] == first, position == start {
            return (.linePrefixes, 1)
        }
        // The same column as in the first line, after the same character, which is not in the alphabet.
        if column > 0, start + column < text.count {
            let mark = text[firstLine + column - 1]
            var isOneLine = true
            for offset in start..<(start + column) where text[offset] == 0x0A { isOneLine = false }
            if isOneLine, text[start + column - 1] == mark, !mark.isASCIIAlphanumeric, mark != UInt8(ascii: "+"),
                mark != UInt8(ascii: "/"), position < start + column
            {
                return (.linePrefixes, column)
            }
        }
        let digits = position
        while position < text.count, text[position].isASCIIDigit { position += 1 }
        guard position > digits, position - digits <= 7, position < text.count else { return nil }
        let number = position
        while position < text.count, position - number < 4,
            [0x20, 0x09, UInt8(ascii: ":"), UInt8(ascii: "|"), UInt8(ascii: "."), UInt8(ascii: ")")]
                .contains(text[position])
        {
            position += 1
        }
        return position > number ? (.lineNumbers, position - start) : nil
    }
}

extension Span where Element == UInt8 {
    func skippingBlanks(from start: Int) -> Int {
        var position = start
        while position < count, self[position] == 0x20 || self[position] == 0x09 { position += 1 }
        return position
    }
}
