internal import ReceiptTransport

/// Decodes the base64 of a transaction receipt's `signature` or `purchase-info`.
///
/// Canonical, as in ``TransportMode/exact``; white space inside is skipped, because receipts that are stored as plain text
/// get their long lines wrapped, and that changes no decoded byte. Where that gives no bytes, or none that are right, the
/// damage is undone that ``TransportMode/tolerant`` undoes around a receipt: plus signs that became blanks when a form was
/// read, percent encoding, the other alphabet.
///
/// - Parameters:
///   - offset: where the value begins in the receipt's text.
///   - isRight: whether bytes can be what the value holds; nil where nothing is to be repaired.
/// - Returns: The bytes, and what was repaired, by offset in the value.
func innerBase64(
    _ text: String, at offset: Int, field: String, isRight: ((Span<UInt8>) -> Bool)?
) throws(ReceiptDecodingError) -> (bytes: [UInt8], repairs: [TransportRepair]) {
    let strict = Result { () throws(ReceiptDecodingError) in try strictBase64(text, at: offset, field: field) }
    guard let isRight else { return (try strict.get(), []) }
    // Only blanks can be read in two ways.
    if case .success(let bytes) = strict, !text.utf8.contains(0x20) || isRight(bytes.span) { return (bytes, []) }
    guard let repaired = DecodedTransport.base64(text.utf8.span, isRight: isRight) else {
        return (try strict.get(), [])
    }
    return (
        repaired.bytes,
        repaired.tally.repairs.map { TransportRepair($0.kind, at: offset + $0.offset, count: $0.count) }
    )
}

private func strictBase64(_ text: String, at offset: Int, field: String) throws(ReceiptDecodingError) -> [UInt8] {
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
