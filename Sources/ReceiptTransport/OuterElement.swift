/// Where the outermost element of some bytes ends, by its own account. This is what tells a repair that is right from
/// one that is not; it reads lengths only, and leaves every finer guess to the ASN.1 reader.
enum OuterElement: Equatable {
    /// The element is all there and ends before this offset.
    case ends(at: Int)
    /// The bytes end before the element does; the length is its whole length, nil if it is of indefinite length.
    case cut(length: Int?)
    /// Nothing that can be measured.
    case unclear

    init(measuring bytes: Span<UInt8>) {
        guard let header = Header(bytes, at: 0) else {
            self = .unclear
            return
        }
        switch header.length {
        case .definite(let length):
            // Lengths are below 2^32 and positions below the count of an array.
            let end = header.end + length
            self = end <= bytes.count ? .ends(at: end) : .cut(length: end)
        case .indefinite: self = Self.endOfContents(in: bytes, from: header.end)
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
            guard let header = Header(bytes, at: position) else {
                return bytes.count - position < 6 ? .cut(length: nil) : .unclear
            }
            switch header.length {
            case .definite(let length):
                position = header.end + length
                if position > bytes.count { return .cut(length: nil) }
            case .indefinite:
                position = header.end
                open += 1
            }
        }
        return .cut(length: nil)
    }

    /// Identifier and length octets of an element with a tag below 31 and a length below 2^32.
    private struct Header {
        enum Length {
            case definite(Int)
            case indefinite
        }
        var length: Length
        var end: Int

        init?(_ bytes: Span<UInt8>, at position: Int) {
            guard position + 1 < bytes.count, bytes[position] & 0x1F != 0x1F else { return nil }
            let first = bytes[position + 1]
            if first < 0x80 {
                length = .definite(Int(first))
                end = position + 2
            } else if first == 0x80 {
                guard bytes[position] & 0x20 != 0 else { return nil }
                length = .indefinite
                end = position + 2
            } else {
                let octets = Int(first & 0x7F)
                guard octets <= 4, position + 2 + octets <= bytes.count else { return nil }
                var value: UInt32 = 0
                for index in 0..<octets { value = value << 8 | UInt32(bytes[position + 2 + index]) }
                guard let value = Int(exactly: value), value <= Int.max - bytes.count else { return nil }
                length = .definite(value)
                end = position + 2 + octets
            }
        }
    }
}
