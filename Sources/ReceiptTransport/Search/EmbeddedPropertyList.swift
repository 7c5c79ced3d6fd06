/// The text of an iOS 6-style receipt inside other text, as it is or escaped for a string, a URL or XML.
enum EmbeddedPropertyList {
    /// Whether a dictionary opens at an offset whose first key is one of a receipt's.
    static func begins(_ text: Span<UInt8>, at start: Int) -> Bool {
        if text[start] == UInt8(ascii: "%"), !text.hasText("%7B", at: start, ignoringCase: true) { return false }
        var position = start + (text[start] == UInt8(ascii: "%") ? 3 : 1)
        let limit = min(text.count, start + 48)
        while position < limit {
            let byte = text[position]
            if let escape = TextEscape(text, at: position, end: text.count) {
                position += escape.length
            } else if byte.isWhiteSpace || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "+") {
                position += 1
            } else {
                break
            }
        }
        let keys: [StaticString] = ["signature", "purchase-info", "environment", "pod", "signing-status"]
        for key in keys where text.hasText(key, at: position) {
            let end = position + key.utf8CodeUnitCount
            for offset in end..<min(text.count, end + 16) {
                if text[offset] == UInt8(ascii: "=") || text.hasText("%3D", at: offset, ignoringCase: true) {
                    return true
                }
                // In JSON a colon would follow.
                if text[offset] == UInt8(ascii: ":") { return false }
            }
        }
        return false
    }

    static func read(_ text: Span<UInt8>, at start: Int) -> ReceiptSearch.Attempt? {
        var bytes: [UInt8] = []
        var position = start
        var isInString = false
        let isEncoded = text[start] == UInt8(ascii: "%")
        var escapes = 0
        while position < text.count {
            let (byte, width) = unescaped(text, at: position, isEncoded, isInString)
            if width > 1 { escapes += 1 }
            bytes.append(byte)
            position += width
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            if byte == UInt8(ascii: "}"), !isInString { break }
        }
        let work = position - start
        guard bytes.last == UInt8(ascii: "}"), PropertyListText.content(of: bytes.span) == .transactionReceipt else {
            return .init(.nothing, end: position, work: work)
        }
        var tally = RepairTally()
        tally.note(isEncoded ? .percentEncoding : .stringEscapes, at: start, count: escapes)
        let decoded = DecodedTransport(bytes: bytes, form: .propertyList, tally: tally, content: .transactionReceipt)
        return .init(.found(decoded), end: position, work: work)
    }

    private static func unescaped(
        _ text: Span<UInt8>, at position: Int, _ isEncoded: Bool, _ isInString: Bool
    ) -> (byte: UInt8, width: Int) {
        let byte = text[position]
        if isEncoded, byte == UInt8(ascii: "+"), !isInString { return (0x20, 1) }
        guard byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") || isEncoded && byte == UInt8(ascii: "%"),
            let escape = TextEscape(text, at: position, end: text.count), escape.scalar.isASCII
        else { return (byte, 1) }
        return (UInt8(truncatingIfNeeded: escape.scalar.value), escape.length)
    }
}
