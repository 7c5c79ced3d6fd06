extension BERNode {
    /// The element as bytes.
    public var encoded: [UInt8] {
        var reversed: [UInt8] = []
        write(reversed: &reversed)
        reversed.reverse()
        return reversed
    }

    /// The contents alone: what a definite length counts, without an end-of-contents.
    public var encodedContent: [UInt8] {
        switch content {
        case .bytes(let bytes), .verbatim(let bytes): bytes
        case .nodes(let nodes): nodes.flatMap(\.encoded)
        }
    }

    /// Writes from the last byte to the first, so that each length is known when its octets are due: linear in the
    /// size of the output, whatever the depth.
    private func write(reversed output: inout [UInt8]) {
        if case .verbatim(let bytes) = content {
            output.append(contentsOf: bytes.reversed())
            return
        }
        if length == .indefinite {
            output.append(0)
            output.append(0)
        }
        let end = output.count
        switch content {
        case .bytes(let bytes), .verbatim(let bytes): output.append(contentsOf: bytes.reversed())
        case .nodes(let nodes):
            for node in nodes.reversed() { node.write(reversed: &output) }
        }
        writeLength(of: output.count - end, reversed: &output)
        writeTag(reversed: &output)
    }

    private func writeLength(of count: Int, reversed output: inout [UInt8]) {
        switch length {
        case .minimal where count < 0x80: output.append(UInt8(count))
        case .minimal: output.append(contentsOf: Self.lengthOctets(of: count).reversed())
        case .octets(let octets): output.append(contentsOf: Self.longLength(of: count, octets: octets).reversed())
        case .indefinite, .indefiniteWithoutEnd: output.append(0x80)
        case .verbatim(let octets): output.append(contentsOf: octets.reversed())
        }
    }

    /// The length octets that DER wants, X.690 clause 10.1.
    static func lengthOctets(of count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        return longLength(of: count, octets: (count.bitWidth - count.leadingZeroBitCount + 7) / 8)
    }

    private static func longLength(of count: Int, octets: Int) -> [UInt8] {
        let octets = max(1, min(octets, 126))
        var result = [0x80 | UInt8(octets)]
        for index in (0..<octets).reversed() {
            result.append(index < 8 ? UInt8(truncatingIfNeeded: count >> (8 * index)) : 0)
        }
        return result
    }

    private func writeTag(reversed output: inout [UInt8]) {
        let bits = tag.tagClass.rawValue | (tag.isConstructed ? 0x20 : 0)
        guard tag.number >= 31 else {
            output.append(bits | UInt8(tag.number))
            return
        }
        var rest = tag.number
        var more: UInt8 = 0
        repeat {
            output.append(UInt8(rest & 0x7F) | more)
            more = 0x80
            rest >>= 7
        } while rest > 0
        output.append(bits | 0x1F)
    }
}
