/// A table of the member names that a model knows, for finding which of them a member has in one step.
package struct JSONNames: Sendable {
    /// Chosen anew in each process: a sender cannot make names that collide.
    static let seed = UInt64.random(in: .min ... .max)

    private let names: [[UInt8]]
    /// Index into the names plus one, or zero; four slots or more for a name.
    private let slots: [UInt16]

    /// - Parameter names: The names, each once.
    package init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
        var count = 16
        while count < names.count * 4 { count *= 2 }
        var slots = [UInt16](repeating: 0, count: count)
        for (index, name) in self.names.enumerated() {
            var slot = Int(name.span.nameHash(0..<name.count, Self.seed)) & (count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = UInt16(truncatingIfNeeded: index + 1)
        }
        self.slots = slots
    }

    /// The index of a member's name, or nil if it is not in the table.
    package func index(of name: JSONNode, in text: Span<UInt8>) -> Int? {
        var slot = Int(name.link) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if isName(index, name, text) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isName(_ index: Int, _ name: JSONNode, _ text: Span<UInt8>) -> Bool {
        if name.isEscaped { return text.unescaped(name.range) == names[index] }
        let range = name.range
        guard range.count == names[index].count else { return false }
        for offset in 0..<range.count where text[range.lowerBound + offset] != names[index][offset] { return false }
        return true
    }
}

extension JSONNode {
    /// A hash of what a name stands for.
    func hash(in text: Span<UInt8>, _ seed: UInt64) -> UInt32 {
        guard isEscaped else { return text.nameHash(range, seed) }
        let own = text.unescaped(range)
        return own.span.nameHash(0..<own.count, seed)
    }
}

extension Span<UInt8> {
    /// A hash in the manner of wyhash: words are mixed in by a multiplication to 128 bits, with a secret seed.
    func nameHash(_ range: Range<Int>, _ seed: UInt64) -> UInt32 {
        var hash = seed ^ UInt64(truncatingIfNeeded: range.count)
        var position = range.lowerBound
        let raw = unsafe bytes
        while range.upperBound - position >= 8 {
            // In bounds: the range is one of the text, and eight bytes of it are left.
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            hash = mixed(hash ^ UInt64(littleEndian: word), seed)
            position += 8
        }
        var last: UInt64 = 0
        while position < range.upperBound {
            last = last << 8 | UInt64(self[position])
            position += 1
        }
        hash = mixed(hash ^ last ^ 0x9E37_79B9_7F4A_7C15, seed)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    @inline(__always)
    private func mixed(_ hash: UInt64, _ seed: UInt64) -> UInt64 {
        let product = hash.multipliedFullWidth(by: seed | 1)
        return product.high ^ product.low
    }
}
