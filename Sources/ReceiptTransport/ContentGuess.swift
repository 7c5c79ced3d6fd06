internal import ReceiptASN1

/// What decoded bytes are, and whether they are whole.
enum ContentGuess: Equatable {
    /// A receipt, or something like one, that ends where it should. Bytes after its end are white space or zeros.
    case whole(ContentKind, end: Int)
    /// A whole element, then bytes that do not belong to it.
    case trailing(end: Int)
    /// An element that is longer than the bytes; the length is nil if it is indefinite.
    case cut(length: Int?)
    /// Begins like an element but cannot be measured. The ASN.1 reader has to say what is wrong.
    case unclear(ContentKind)
    /// Text of some kind.
    case text
    /// Neither.
    case other

    init(of bytes: Span<UInt8>) {
        if let guess = Self.element(bytes) {
            self = guess
        } else if let content = PropertyListText.content(of: bytes) {
            self = .whole(content, end: bytes.count)
        } else {
            self = bytes.isText ? .text : .other
        }
    }

    /// Whether a reading of damaged text that gives these bytes is the right one.
    var isConvincing: Bool {
        switch self {
        case .whole, .text: true
        default: false
        }
    }

    /// The content if the bytes are one element from the first to the last.
    static func wholeElement(_ bytes: Span<UInt8>) -> ContentKind? {
        guard case .whole(let content, end: bytes.count)? = element(bytes) else { return nil }
        return content
    }

    /// The guess on bytes that begin like an element that could hold a receipt; nil if they do not.
    static func element(_ bytes: Span<UInt8>) -> ContentGuess? {
        guard bytes.count >= 2 else { return nil }
        // A length in the short form is too common in text; lengths of more than eight octets are in no encoding.
        let isLong = bytes[0] == 0x30 && (0x80...0x88 ~= bytes[1] || bytes[1] == 0xFF)
        switch OuterElement(measuring: bytes) {
        case .ends(let end):
            let content = content(of: bytes)
            if end == bytes.count {
                let isLikely = isLong || bytes[1] > 0x80 || bytes[0] & 0xFE == 0x30 && !bytes.isText
                return isLikely ? .whole(content, end: end) : nil
            }
            guard isLong || content == .cms else { return nil }
            return bytes.isPadding(from: end) ? .whole(content, end: end) : .trailing(end: end)
        case .cut(let length): return isLong ? .cut(length: length) : nil
        case .unclear:
            guard isLong else { return nil }
            let lengthOctets = Int(bytes[1] & 0x7F)
            if lengthOctets <= 4, bytes.count < 2 + lengthOctets { return .cut(length: nil) }
            return .unclear(content(of: bytes))
        }
    }

    /// The header of a ContentInfo with signedData after the outermost length (RFC 5652 section 5.1), or anything else.
    private static func content(of bytes: Span<UInt8>) -> ContentKind {
        // What is wrong with a header is for the ASN.1 reader to say.
        guard bytes[0] == 0x30, let start = try? ElementHeader(at: 0, in: bytes, end: bytes.count).length else {
            return .asn1
        }
        let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        guard start + signedData.count <= bytes.count else { return .asn1 }
        for index in signedData.indices where bytes[start + index] != signedData[index] { return .asn1 }
        return .cms
    }
}
