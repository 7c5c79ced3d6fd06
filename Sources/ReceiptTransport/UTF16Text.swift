/// UTF-16 that was handed over as bytes, rewritten as UTF-8.
struct UTF16Text {
    private(set) var utf8: [UInt8] = []
    private let isBigEndian: Bool
    private let start: Int
    private let count: Int

    /// Recognises UTF-16 by its byte order mark, or by zeros in most of every other of its first bytes.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        count = bytes.count
        if bytes[0] == 0xFF && bytes[1] == 0xFE {
            (isBigEndian, start) = (false, 2)
        } else if bytes[0] == 0xFE && bytes[1] == 0xFF {
            (isBigEndian, start) = (true, 2)
        } else {
            let units = min(bytes.count, 32) / 2
            var zeros = (even: 0, odd: 0)
            for index in 0..<units {
                if bytes[2 * index] == 0 { zeros.even += 1 }
                if bytes[2 * index + 1] == 0 { zeros.odd += 1 }
            }
            guard (zeros.even == 0) != (zeros.odd == 0), zeros.even + zeros.odd > units / 2 else { return nil }
            (isBigEndian, start) = (zeros.odd == 0, 0)
        }
        rewrite(bytes)
    }

    private mutating func rewrite(_ bytes: Span<UInt8>) {
        utf8.reserveCapacity(bytes.count / 2)
        var offset = start
        while offset + 1 < bytes.count {
            let unit = unit(bytes, offset)
            offset += 2
            if unit < 0x80 {
                utf8.append(UInt8(unit))
                continue
            }
            var value = UInt32(unit)
            if 0xD800...0xDBFF ~= unit, offset + 1 < bytes.count {
                let low = self.unit(bytes, offset)
                if 0xDC00...0xDFFF ~= low {
                    value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
                    offset += 2
                }
            }
            utf8.append(
                contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        }
        // Half a code unit at the end: a byte that stands for itself, most often a line feed or a zero.
        if offset < bytes.count { utf8.append(bytes[offset] < 0x80 ? bytes[offset] : 0x7F) }
    }

    private func unit(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    var hasByteOrderMark: Bool { start == 2 }

    /// The offset in the UTF-16 bytes that belongs to one in the UTF-8.
    func offset(of utf8Offset: Int) -> Int {
        var result = start
        for index in 0..<min(utf8Offset, utf8.count) {
            let byte = utf8[index]
            if byte & 0xC0 != 0x80 { result += byte >= 0xF0 ? 4 : 2 }
        }
        return min(result, count)
    }
}
