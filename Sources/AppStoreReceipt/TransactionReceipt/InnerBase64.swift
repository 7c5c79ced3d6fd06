/// Decodes the base64 of a transaction receipt's `signature` or `purchase-info`.
///
/// Canonical only: the standard alphabet, padded, no bits left over. White space inside is skipped, because receipts that
/// are stored as plain text get their long lines wrapped; it changes no decoded byte.
///
/// - Parameter offset: where the value begins in the receipt's text.
func innerBase64(_ text: String, at offset: Int, field: String) throws(ReceiptDecodingError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var group: UInt32 = 0
    var digits = 0
    var padding = 0
    for (index, character) in text.utf8.enumerated() {
        func invalid(_ detail: String) -> ReceiptDecodingError {
            ReceiptDecodingError(.invalidInnerBase64, at: offset + index, in: field, detail: detail)
        }
        if character == 0x20 || (0x09...0x0D).contains(character) { continue }
        if character == UInt8(ascii: "=") {
            padding += 1
            guard digits + padding <= 4, digits >= 2 else { throw invalid("misplaced padding") }
            continue
        }
        guard padding == 0 else { throw invalid("text after the padding") }
        guard let value = base64Value(character) else { throw invalid("not a character of base64") }
        group = group << 6 | value
        digits += 1
        if digits == 4 {
            bytes.append(contentsOf: [UInt8(group >> 16), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)])
            (group, digits) = (0, 0)
        }
    }
    let end = ReceiptDecodingError(
        .invalidInnerBase64, at: offset + text.utf8.count, in: field, detail: "incomplete or not canonical at its end")
    switch (digits, padding) {
    case (0, 0): break
    case (2, 2) where group & 0xF == 0: bytes.append(UInt8(group >> 4))
    case (3, 1) where group & 0x3 == 0: bytes.append(contentsOf: [UInt8(group >> 10), UInt8(group >> 2 & 0xFF)])
    default: throw end
    }
    return bytes
}

private func base64Value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
