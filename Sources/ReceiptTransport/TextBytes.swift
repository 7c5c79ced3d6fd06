// Small questions about bytes that may be text. All of them are linear at most.

extension Span where Element == UInt8 {
    /// Whether some ASCII text stands at an offset.
    func hasText(_ text: StaticString, at offset: Int, ignoringCase: Bool = false) -> Bool {
        guard offset >= 0, text.utf8CodeUnitCount <= count - offset else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<expected.count {
                // In bounds: index is below the buffer's count.
                let wanted = unsafe expected[index]
                let found = self[offset + index]
                guard found == wanted || ignoringCase && found.lowercasedASCII == wanted.lowercasedASCII else {
                    return false
                }
            }
            return true
        }
    }

    /// The first place in a range where some ASCII text stands.
    func range(of text: StaticString, in range: Range<Int>, ignoringCase: Bool = false) -> Range<Int>? {
        let length = text.utf8CodeUnitCount
        guard length > 0, range.count >= length else { return nil }
        // In bounds: the text is not empty. Almost every place is ruled out by its first byte.
        let first = unsafe text.utf8Start.pointee
        for offset in range.lowerBound...(range.upperBound - length) {
            let byte = self[offset]
            guard byte == first || ignoringCase && byte.lowercasedASCII == first.lowercasedASCII,
                hasText(text, at: offset, ignoringCase: ignoringCase)
            else { continue }
            return offset..<(offset + length)
        }
        return nil
    }

    func skippingWhiteSpace(from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, self[position].isWhiteSpace { position += 1 }
        return position
    }

    /// The range without ASCII white space at either end.
    var trimmedRange: Range<Int> {
        let start = skippingWhiteSpace(from: 0, to: count)
        var end = count
        while end > start, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }

    /// Whether a program has left out the rest of what it shows: `...`, `[truncated]`, `<snip>`.
    func isAbbreviated(at offset: Int) -> Bool {
        let start = skippingWhiteSpace(from: offset, to: Swift.min(count, offset + 3))
        guard start < count else { return false }
        if hasText("...", at: start) || hasText("\u{2026}", at: start) { return true }
        guard self[start] == UInt8(ascii: "[") || self[start] == UInt8(ascii: "<") || self[start] == UInt8(ascii: "(")
        else { return false }
        let words: [StaticString] = ["...", "\u{2026}", "trunc", "snip", "cut", "omitted", "abbrev", "redacted"]
        for word in words where hasText(word, at: start + 1, ignoringCase: true) { return true }
        return false
    }

    /// Whether all bytes from an offset on are white space or zero.
    func isPadding(from offset: Int) -> Bool {
        for index in offset..<count where self[index] != 0 && !self[index].isWhiteSpace { return false }
        return true
    }

    /// Whether this is UTF-8 without control characters other than white space, and not empty.
    var isText: Bool {
        var isASCII = true
        for index in 0..<count {
            let byte = self[index]
            if byte < 0x20 && !byte.isWhiteSpace || byte == 0x7F { return false }
            if byte >= 0x80 { isASCII = false }
        }
        if isASCII { return count > 0 }
        // Only whether it is UTF-8 is asked, not where it stops being that.
        return (try? UTF8Span(validating: self)) != nil
    }
}

extension UInt8 {
    /// Blank, tab, line feed, vertical tab, form feed or carriage return.
    var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isASCIIAlphanumeric: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercasedASCII)
    }

    var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }

    /// The value of a hexadecimal digit.
    var hexDigitValue: UInt8? {
        if isASCIIDigit { return self - UInt8(ascii: "0") }
        let letter = lowercasedASCII
        return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
    }
}
