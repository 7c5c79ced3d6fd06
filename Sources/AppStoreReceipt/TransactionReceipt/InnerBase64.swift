/// Decodes the base64 of a transaction receipt's `signature` or `purchase-info`.
///
/// Canonical only, as in ``TransportMode/exact``. White space inside is skipped, because receipts that are stored as plain
/// text get their long lines wrapped; it changes no decoded byte.
///
/// - Parameter offset: where the value begins in the receipt's text.
func innerBase64(_ text: String, at offset: Int, field: String) throws(ReceiptDecodingError) -> [UInt8] {
    let characters = text.utf8.filter { !isSpace($0) }
    do throws(ReceiptDecodingError) {
        return try ExactTransport.decodeBase64(characters.span)
    } catch {
        var moved = error
        moved.field = field
        moved.offset = offset + position(ofCharacter: error.offset, in: text.utf8)
        throw moved
    }
}

/// Where a character stands when white space counts too.
private func position(ofCharacter index: Int, in text: String.UTF8View) -> Int {
    var left = index
    for (position, character) in text.enumerated() where !isSpace(character) {
        if left == 0 { return position }
        left -= 1
    }
    return text.count
}
