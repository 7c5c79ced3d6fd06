extension BERNode {
    /// The element as bytes. Takes time linear in the size of the output, whatever the depth.
    public var encoded: [UInt8] {
        var sizes: [Int] = []
        var output: [UInt8] = []
        output.reserveCapacity(measure(&sizes))
        var next = 0
        write(sizes, &next, &output)
        return output
    }

    /// The contents alone: what a definite length counts, without an end-of-contents.
    public var encodedContent: [UInt8] {
        switch content {
        case .bytes(let bytes), .verbatim(let bytes): bytes
        case .nodes(let nodes): nodes.flatMap(\.encoded)
        }
    }

    /// The size of the tag and length octets.
    var headerCount: Int {
        if case .verbatim = content { return 0 }
        return tagOctets.count + lengthOctets(of: encodedContent.count).count
    }

    /// The size of the whole element. Adds the sizes of its content and of those inside, parents before children.
    private func measure(_ sizes: inout [Int]) -> Int {
        let index = sizes.count
        sizes.append(0)
        var size = 0
        switch content {
        case .verbatim(let bytes): return bytes.count
        case .bytes(let bytes): size = bytes.count
        case .nodes(let nodes):
            for node in nodes { size += node.measure(&sizes) }
        }
        sizes[index] = size
        return tagOctets.count + lengthOctets(of: size).count + size + (length == .indefinite ? 2 : 0)
    }

    private func write(_ sizes: [Int], _ next: inout Int, _ output: inout [UInt8]) {
        let size = sizes[next]
        next += 1
        if case .verbatim(let bytes) = content {
            output.append(contentsOf: bytes)
            return
        }
        output.append(contentsOf: tagOctets)
        output.append(contentsOf: lengthOctets(of: size))
        switch content {
        case .bytes(let bytes), .verbatim(let bytes): output.append(contentsOf: bytes)
        case .nodes(let nodes):
            for node in nodes { node.write(sizes, &next, &output) }
        }
        if length == .indefinite { output.append(contentsOf: [0, 0]) }
    }

    private func lengthOctets(of count: Int) -> [UInt8] {
        switch length {
        case .minimal: Self.minimalLength(of: count)
        case .octets(let octets): Self.longLength(of: count, octets: octets)
        case .indefinite, .indefiniteWithoutEnd: [0x80]
        case .verbatim(let octets): octets
        }
    }

    /// The length octets that DER wants, X.690 clause 10.1.
    static func minimalLength(of count: Int) -> [UInt8] {
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

    private var tagOctets: [UInt8] {
        let bits = tag.tagClass.rawValue | (tag.isConstructed ? 0x20 : 0)
        if tag.number < 31 { return [bits | UInt8(tag.number)] }
        return [bits | 0x1F] + Self.base128(tag.number)
    }

    /// Groups of seven bits, all but the last marked: X.690 clauses 8.1.2.4 and 8.19.2.
    static func base128(_ number: UInt) -> [UInt8] {
        let groups = max(1, (number.bitWidth - number.leadingZeroBitCount + 6) / 7)
        var octets: [UInt8] = []
        for group in (0..<groups).reversed() {
            let bits = UInt8(truncatingIfNeeded: number >> UInt(7 * group)) & 0x7F
            octets.append(group > 0 ? bits | 0x80 : bits)
        }
        return octets
    }
}
