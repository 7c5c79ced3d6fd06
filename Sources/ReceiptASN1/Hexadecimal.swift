/// Bytes as two lower-case hexadecimal digits each. The one writer of hexadecimal digits, but for JSON's.
package func hex(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ nibble: UInt8) -> UInt8 { nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
    let bytes = Array(bytes)
    var digits = [UInt8](repeating: 0, count: 2 * bytes.count)
    for index in bytes.indices {
        digits[2 * index] = digit(bytes[index] >> 4)
        digits[2 * index + 1] = digit(bytes[index] & 15)
    }
    return String(decoding: digits, as: UTF8.self)
}
