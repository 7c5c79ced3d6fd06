/// Bytes as two lower-case hexadecimal digits each. The one writer of hexadecimal digits, but for JSON's.
package func hex(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ nibble: UInt8) -> UInt8 { nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        digits.append(digit(byte >> 4))
        digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
}
