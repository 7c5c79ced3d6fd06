/// Old-style property lists, as far as the transport layer has to know them.
package enum PropertyListText {
    /// The content if some bytes are the text of an iOS 6-style receipt or of its purchase-info, from `{` to `}`.
    package static func content(of bytes: Span<UInt8>) -> ContentKind? {
        let text = bytes.trimmedRange
        guard isDictionary(bytes, text), bytes[text.upperBound - 1] == UInt8(ascii: "}"), bytes.isText else {
            return nil
        }
        if bytes.range(of: "purchase-info", in: text) != nil { return .transactionReceipt }
        if bytes.range(of: "transaction-id", in: text) != nil { return .purchaseInfo }
        return nil
    }

    /// Whether some text opens a dictionary in the old style: `{`, a key, `=`.
    static func isDictionary(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Bool {
        guard !text.isEmpty, bytes[text.lowerBound] == UInt8(ascii: "{") else { return false }
        var position = bytes.skippingWhiteSpace(from: text.lowerBound + 1, to: text.upperBound)
        guard position < text.upperBound else { return false }
        let isQuoted = bytes[position] == UInt8(ascii: "\"")
        if isQuoted { position += 1 }
        let limit = min(text.upperBound, position + 100)
        while position < limit, bytes[position].isKeyCharacter { position += 1 }
        if isQuoted {
            guard position < limit, bytes[position] == UInt8(ascii: "\"") else { return false }
            position += 1
        }
        position = bytes.skippingWhiteSpace(from: position, to: text.upperBound)
        return position < text.upperBound && bytes[position] == UInt8(ascii: "=")
    }
}

extension UInt8 {
    fileprivate var isKeyCharacter: Bool {
        isASCIIAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
