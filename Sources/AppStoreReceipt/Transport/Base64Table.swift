/// The tables behind both base64 decoders.
enum Base64Table {
    /// Set in an entry whose character is in neither alphabet.
    static let invalid: UInt32 = 0x8000_0000
    /// Set in an entry whose character is in the URL-safe alphabet only.
    static let urlSafe: UInt32 = 0x4000_0000

    /// Four tables of 256 entries, one for each place in a group of four characters. The entries of a group, combined
    /// with OR, are its three bytes, the first in the lowest bits.
    static let words: [UInt32] = {
        var words = [UInt32](repeating: invalid, count: 1024)
        func enter(_ character: UInt8, _ value: UInt32, _ flag: UInt32) {
            for place in 0..<4 {
                let bits = value << UInt32(18 - 6 * place)
                let bytes = bits >> 16 | bits & 0xFF00 | (bits & 0xFF) << 16
                words[place * 256 + Int(character)] = bytes | flag
            }
        }
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, character) in alphabet.utf8.enumerated() { enter(character, UInt32(value), 0) }
        enter(UInt8(ascii: "-"), 62, urlSafe)
        enter(UInt8(ascii: "_"), 63, urlSafe)
        return words
    }()

    /// The value of one character from its entry in the fourth table.
    @inline(__always) static func value(_ entry: UInt32) -> UInt32 { entry >> 16 & 0x3F }

    /// Decodes whole groups of eight characters into six bytes each, up to one with a character that is not wanted.
    ///
    /// - Parameters:
    ///   - refused: The flags of entries that are not wanted.
    ///   - position: The offset of the first character; on return, of the first that was not decoded.
    ///   - written: The offset of the first byte to write. The bytes need room for two more than the text can fill.
    /// - Returns: The flags of all entries that were used.
    @inline(__always) static func decodeBlocks(
        _ text: RawSpan, _ words: Span<UInt32>, refused: UInt32, position: inout Int, end: Int,
        into bytes: inout MutableRawSpan, written: inout Int
    ) -> UInt32 {
        var flags: UInt32 = 0
        while position + 8 <= end {
            // Checked against the span's bounds; any eight bytes are a UInt64.
            let block = unsafe UInt64(
                littleEndian: text.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            let low =
                words[Int(block & 0xFF)] | words[256 + Int(block >> 8 & 0xFF)]
                | words[512 + Int(block >> 16 & 0xFF)] | words[768 + Int(block >> 24 & 0xFF)]
            let high =
                words[Int(block >> 32 & 0xFF)] | words[256 + Int(block >> 40 & 0xFF)]
                | words[512 + Int(block >> 48 & 0xFF)] | words[768 + Int(block >> 56)]
            if (low | high) & refused != 0 { break }
            flags |= low | high
            let six = UInt64(low & 0xFF_FFFF) | UInt64(high & 0xFF_FFFF) << 24
            bytes.storeBytes(of: six.littleEndian, toByteOffset: written, as: UInt64.self)
            position += 8
            written += 6
        }
        return flags & urlSafe
    }
}
