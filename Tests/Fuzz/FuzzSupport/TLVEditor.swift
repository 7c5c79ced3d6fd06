/// One element of a BER encoding by its offsets.
package struct TLV {
    package var start: Int
    package var content: Int
    package var end: Int
    package var isIndefinite: Bool

    package var range: Range<Int> { start..<end }
}

/// Finds elements in bytes and replaces them so that the lengths of all elements around them stay right.
///
/// Made for mutating: it reads what is nearly BER, and gives up quietly on what is not.
package struct TLVEditor {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the element at an offset, which must end at or before `limit`.
    package func element(at start: Int, limit: Int) -> TLV? {
        guard limit - start >= 2, bytes[start] & 0x1F != 0x1F else { return nil }
        var position = start + 2
        var length = Int(bytes[start + 1])
        if length == 0x80 {
            guard bytes[start] & 0x20 != 0, let end = endOfIndefinite(from: position, limit: limit) else { return nil }
            return TLV(start: start, content: position, end: end, isIndefinite: true)
        }
        if length > 0x80 {
            let count = length & 0x7F
            guard count <= 4, limit - position >= count else { return nil }
            length = 0
            for _ in 0..<count {
                length = length << 8 | Int(bytes[position])
                position += 1
            }
        }
        guard length <= limit - position else { return nil }
        return TLV(start: start, content: position, end: position + length, isIndefinite: false)
    }

    /// The elements that a region consists of, or nil when it is anything else.
    package func elements(in region: Range<Int>, atMost maximum: Int = 4_096) -> [TLV]? {
        var elements: [TLV] = []
        var position = region.lowerBound
        while position < region.upperBound {
            guard elements.count < maximum, let next = element(at: position, limit: region.upperBound) else {
                return nil
            }
            elements.append(next)
            position = next.end
        }
        return elements
    }

    /// The elements inside one, also inside a string that holds DER; nil when there are none.
    package func children(of parent: TLV) -> [TLV]? {
        var region = parent.content..<(parent.isIndefinite ? parent.end - 2 : parent.end)
        let identifier = bytes[parent.start]
        if identifier & 0x20 == 0 {
            guard identifier == 0x04 || identifier == 0x03, region.count >= 2 else { return nil }
            if identifier == 0x03 { region = region.lowerBound + 1..<region.upperBound }
        }
        guard let children = elements(in: region), !children.isEmpty else { return nil }
        return children
    }

    /// Puts bytes in the place of a region inside the innermost element of a path, and corrects the lengths on the path.
    package mutating func replace(_ region: Range<Int>, with new: [UInt8], path: [TLV]) {
        bytes.replaceSubrange(region, with: new)
        var growth = new.count - region.count
        for element in path.reversed() where !element.isIndefinite {
            let header = Self.header(bytes[element.start], element.end - element.content + growth)
            let old = element.start..<element.content
            bytes.replaceSubrange(old, with: header)
            growth += header.count - old.count
        }
    }

    /// An identifier and a minimal length.
    package static func header(_ identifier: UInt8, _ length: Int) -> [UInt8] {
        guard length >= 0x80 else { return [identifier, UInt8(max(length, 0))] }
        var octets: [UInt8] = []
        var rest = length
        while rest > 0 {
            octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [identifier, 0x80 | UInt8(octets.count)] + octets
    }

    private func endOfIndefinite(from start: Int, limit: Int) -> Int? {
        var position = start
        while limit - position >= 2 {
            if bytes[position] == 0, bytes[position + 1] == 0 { return position + 2 }
            guard let inner = element(at: position, limit: limit) else { return nil }
            position = inner.end
        }
        return nil
    }
}
