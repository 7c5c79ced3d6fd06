/// What is inside strings: plain text, UTF-8 and escapes.
extension Span<UInt8> {
    /// The offset of the first byte from an offset on that is a quotation mark, a backslash, a control character or
    /// not ASCII; the end of the text if there is none.
    func endOfPlainText(from start: Int) -> Int {
        var position = start
        let raw = unsafe bytes
        while count - position >= 8 {
            // In bounds: eight bytes are left, and any eight bytes are an integer.
            let word = unsafe UInt64(
                littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
            // The highest bit of a byte is set where the byte is below 0x20, equal to a mark, or above 0x7F. A borrow can
            // only reach bytes behind one that is set already, and the first one is asked for.
            let ones: UInt64 = 0x0101_0101_0101_0101
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            let found =
                ((word &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones) | word) & (ones &* 0x80)
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count {
            let byte = self[position]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            position += 1
        }
        return position
    }

    /// Where the character that begins with a byte above 0x7F ends, or nil if it is not one of UTF-8 (RFC 3629 section 4).
    func endOfScalar(at start: Int) -> Int? {
        let lead = self[start]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        guard length <= count - start, second.contains(self[start + 1]) else { return nil }
        for position in start + 2..<max(start + 2, start + length) where self[position] & 0xC0 != 0x80 { return nil }
        return start + length
    }

    /// The character that an escape stands for, and where the escape ends: of a surrogate, both halves.
    func readEscape(at start: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
        guard start + 1 < count else { throw JSONError(.truncated, at: count) }
        let scalar: Unicode.Scalar
        switch self[start + 1] {
        case UInt8(ascii: "\""): scalar = "\""
        case UInt8(ascii: "\\"): scalar = "\\"
        case UInt8(ascii: "/"): scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape(at: start)
        default: throw JSONError(.invalidEscape, at: start)
        }
        return (scalar, start + 2)
    }

    private func readUnicodeEscape(at start: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
        let first = try readHexDigits(at: start + 2, of: start)
        if let scalar = Unicode.Scalar(UInt32(first)) { return (scalar, start + 6) }
        // Only surrogates are no scalars. A high one needs a low one after it.
        guard first < 0xDC00, start + 7 < count, self[start + 6] == UInt8(ascii: "\\"),
            self[start + 7] == UInt8(ascii: "u")
        else { throw JSONError(.loneSurrogate, at: start) }
        let second = try readHexDigits(at: start + 8, of: start + 6)
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + ((UInt32(first) - 0xD800) << 10) + (UInt32(second) - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return (scalar, start + 12)
    }

    private func readHexDigits(at start: Int, of escape: Int) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for position in start..<start + 4 {
            guard position < count else { throw JSONError(.truncated, at: count) }
            let digit: UInt8
            switch self[position] {
            case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte &- UInt8(ascii: "0")
            case let byte where byte &- UInt8(ascii: "a") < 6: digit = byte &- UInt8(ascii: "a") + 10
            case let byte where byte &- UInt8(ascii: "A") < 6: digit = byte &- UInt8(ascii: "A") + 10
            default: throw JSONError(.invalidEscape, at: escape)
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// The UTF-8 that a checked string stands for.
    func unescaped(_ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            // The string has been read, so that every escape in it is one.
            if self[position] == UInt8(ascii: "\\"), let escape = try? readEscape(at: position) {
                if escape.scalar.isASCII {
                    result.append(UInt8(truncatingIfNeeded: escape.scalar.value))
                } else {
                    result.append(contentsOf: UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter)
                }
                position = escape.end
            } else {
                result.append(self[position])
                position += 1
            }
        }
        return result
    }
}
