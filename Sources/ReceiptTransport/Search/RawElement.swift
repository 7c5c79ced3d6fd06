internal import ReceiptASN1

/// The bytes of a ContentInfo themselves among other bytes: a file with a byte order mark, a part of a multipart body.
enum RawElement {
    static func read(_ text: Span<UInt8>, at start: Int) -> ReceiptSearch.Attempt? {
        let rest = text.extracting(start...)
        guard rest.count > 20, ReceiptBeginning.isContentInfo(rest.extracting(..<17)) else { return nil }
        switch OuterElement(measuring: rest) {
        case .ends(let end):
            let decoded = DecodedTransport(bytes: rest.copy(0..<end), form: .der, content: .cms)
            return .init(.found(decoded), end: start + end, work: end)
        case .cut(let length):
            var fault = ForeignContent.truncated(length, got: rest.count, at: text.count, in: "input")
            fault.remains = rest.copy(0..<rest.count)
            return .init(.damaged(fault), end: text.count, work: rest.count)
        case .unclear: return nil
        }
    }
}

extension Span where Element == UInt8 {
    func copy(_ range: Range<Int>) -> [UInt8] {
        // The buffer is not used after the call.
        unsafe extracting(range).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
