/// Bytes from pairs of hexadecimal digits; white space between the pairs means nothing.
package func hex(_ digits: String) -> [UInt8] {
    let digits = digits.filter { !$0.isWhitespace }
    precondition(digits.utf8.count % 2 == 0, "odd number of digits: \(digits)")
    var bytes: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { preconditionFailure("not hexadecimal: \(digits)") }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// Pairs of lower-case hexadecimal digits, nothing between them.
package func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
