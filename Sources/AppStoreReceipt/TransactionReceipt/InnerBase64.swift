/// Decodes the base64 of a transaction receipt's `signature` or `purchase-info`.
///
/// Canonical only, as in ``TransportMode/exact``. White space inside is skipped, because receipts that are stored as plain
/// text get their long lines wrapped; it changes no decoded byte.
///
/// - Parameter offset: where the value begins in the receipt's text.
func innerBase64(_ text: String, at offset: Int, field: String) throws(ReceiptDecodingError) -> [UInt8] {
    do throws(ReceiptDecodingError) {
        return try TransportDecoding.base64(text.utf8.span)
    } catch {
        guard text.utf8.contains(where: isSpace) else { throw moved(error, error.offset, to: offset, field) }
    }
    let characters = text.utf8.filter { !isSpace($0) }
    do throws(ReceiptDecodingError) {
        return try TransportDecoding.base64(characters.span)
    } catch {
        throw moved(error, position(ofCharacter: error.offset, in: text.utf8), to: offset, field)
    }
}

/// An error in a value, as one in the receipt's text.
private func moved(
    _ error: ReceiptDecodingError, _ position: Int, to offset: Int, _ field: String
) -> ReceiptDecodingError {
    var error = error
    error.field = field
    error.offset = offset + position
    return error
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
