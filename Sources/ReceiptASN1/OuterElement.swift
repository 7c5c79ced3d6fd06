/// Where the outermost element of some bytes ends, by its own account. This is what tells a repair that is right from
/// one that is not; it reads lengths only, and leaves every finer judgement to the ASN.1 reader.
package enum OuterElement: Equatable, Sendable {
    /// The element is all there and ends before this offset.
    case ends(at: Int)
    /// The bytes end before the element does; the length is its whole length, nil if it is of indefinite length.
    case cut(length: Int?)
    /// Nothing that can be measured.
    case unclear

    package init(measuring bytes: Span<UInt8>) {
        guard let header = Self.header(bytes, at: 0) else {
            self = .unclear
            return
        }
        if let length = header.contentLength {
            let end = header.length + length
            self = end <= bytes.count ? .ends(at: end) : .cut(length: end)
        } else {
            self = Self.endOfContents(in: bytes, from: header.length)
        }
    }

    /// Walks the children of an element of indefinite length, into those of indefinite length and over all others.
    private static func endOfContents(in bytes: Span<UInt8>, from start: Int) -> OuterElement {
        var position = start
        var open = 1
        while position < bytes.count {
            if bytes[position] == 0 {
                guard position + 1 < bytes.count else { return .cut(length: nil) }
                guard bytes[position + 1] == 0 else { return .unclear }
                position += 2
                open -= 1
                if open == 0 { return .ends(at: position) }
                continue
            }
            guard let header = header(bytes, at: position) else {
                return bytes.count - position < 6 ? .cut(length: nil) : .unclear
            }
            position += header.length
            if let length = header.contentLength {
                position += length
                if position > bytes.count { return .cut(length: nil) }
            } else {
                open += 1
            }
        }
        return .cut(length: nil)
    }

    /// A header of an element that can be in a receipt: a tag below 31, and a length in at most four octets.
    private static func header(_ bytes: Span<UInt8>, at position: Int) -> ElementHeader? {
        // What is wrong with a header is for the ASN.1 reader to say.
        guard let header = try? ElementHeader(at: position, in: bytes, end: bytes.count), header.tag != nil,
            header.length <= 6, header.contentLength ?? 0 <= Int.max - bytes.count
        else { return nil }
        return header
    }
}
