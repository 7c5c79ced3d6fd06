extension Span<UInt8> {
    /// Whether these are printable ASCII characters that JSON takes as they are, looked at eight at a time.
    var isPlainASCII: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let bytes = unsafe self.bytes
        var index = 0
        while count - index >= 8 {
            // In bounds: eight are left.
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            // Each of these has the highest bit of some byte if there is a byte below a space, one of the two marks, or a
            // delete: what subtracting borrows from a higher byte is wrong only where there is a lower one to find.
            let controls = word &- 0x20 &* ones
            let quotes = (word ^ 0x22 &* ones) &- ones
            let backslashes = (word ^ 0x5C &* ones) &- ones
            let deletes = (word ^ 0x7F &* ones) &- ones
            guard (word | controls | quotes | backslashes | deletes) & (0x80 &* ones) == 0 else { break }
            index &+= 8
        }
        while index < count {
            let byte = self[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
            index &+= 1
        }
        return true
    }
}
