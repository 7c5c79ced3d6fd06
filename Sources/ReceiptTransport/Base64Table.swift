/// The tables behind both base64 decoders.
enum Base64Table {
    /// Set in an entry whose character is not in the alphabet.
    static let invalid: UInt32 = 0x8000_0000

    /// Four tables of 256 entries, one for each place in a group of four characters. The entries of a group, combined
    /// with OR, are its three bytes, the first in the lowest bits.
    static let standard = words("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    /// The same with `-` and `_` beside `+` and `/`, RFC 4648 section 5.
    static let standardAndURLSafe = words("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_")

    /// `-` and `_` instead of `+` and `/`, RFC 4648 section 5.
    static let urlSafe = words("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    /// The standard alphabet with `_` for `+` as well.
    static let standardAndUnderscore = words("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "_")

    private static func words(_ alphabet: String, _ urlSafe: String = "") -> [UInt32] {
        var words = [UInt32](repeating: invalid, count: 1024)
        func enter(_ character: UInt8, _ value: UInt32) {
            for place in 0..<4 {
                let bits = value << UInt32(18 - 6 * place)
                words[place * 256 + Int(character)] = bits >> 16 | bits & 0xFF00 | (bits & 0xFF) << 16
            }
        }
        for (value, character) in alphabet.utf8.enumerated() { enter(character, UInt32(value)) }
        for (value, character) in zip(UInt32(62)..., urlSafe.utf8) { enter(character, value) }
        return words
    }

    /// The value of one character from its entry in the fourth table.
    @inline(__always) static func value(_ entry: UInt32) -> UInt32 { entry >> 16 & 0x3F }

    /// Decodes whole groups of eight characters into six bytes each, up to one with a character that is not in the
    /// alphabet.
    ///
    /// - Parameters:
    ///   - position: The offset of the first character; on return, of the first that was not decoded.
    ///   - written: The offset of the first byte to write. The bytes need room for two more than the text can fill.
    @inline(__always) static func decodeBlocks(
        _ text: RawSpan, _ words: Span<UInt32>, position: inout Int, end: Int,
        into bytes: inout MutableRawSpan, written: inout Int
    ) {
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
            if (low | high) & invalid != 0 { break }
            let six = UInt64(low) | UInt64(high) << 24
            bytes.storeBytes(of: six.littleEndian, toByteOffset: written, as: UInt64.self)
            position += 8
            written += 6
        }
    }
}
