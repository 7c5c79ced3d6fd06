/// Canonical base64, RFC 4648 section 4, for what the forge writes and for the keys it carries.
package enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let word =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            output.append(alphabet[Int(word >> 18)])
            output.append(alphabet[Int(word >> 12 & 63)])
            output.append(left > 1 ? alphabet[Int(word >> 6 & 63)] : UInt8(ascii: "="))
            output.append(left > 2 ? alphabet[Int(word & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Reads base64; characters outside the alphabet, such as line ends, are passed over.
    static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var word: UInt32 = 0
        var bits = 0
        for character in text {
            guard let value = values[Int(character)] else { continue }
            word = word << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
            }
        }
        return output
    }

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
