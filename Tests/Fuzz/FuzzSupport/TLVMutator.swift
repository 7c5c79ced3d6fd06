import CFuzzer

/// Mutates elements, not bytes, so that most mutants still get past the length checks of a decoder.
package struct TLVMutator {
    private var editor: TLVEditor
    private var random: FuzzRandom

    /// Mutates `bytes` in place and returns the new length, at most `capacity`; nil when no element was found.
    package static func mutate(_ bytes: [UInt8], capacity: Int, seed: UInt64) -> [UInt8]? {
        var mutator = TLVMutator(editor: TLVEditor(bytes), random: FuzzRandom(seed: seed))
        var isChanged = false
        for _ in 0..<1 + mutator.random.below(3) {
            isChanged = mutator.mutateOnce() || isChanged
            if mutator.editor.bytes.count > capacity { return nil }
        }
        return isChanged ? mutator.editor.bytes : nil
    }

    private mutating func mutateOnce() -> Bool {
        guard let (path, siblings, index) = pick() else { return false }
        let element = siblings[index]
        let bytes = editor.bytes
        let whole = Array(bytes[element.range])
        let identifier = bytes[element.start]
        let content = element.content..<(element.isIndefinite ? element.end - 2 : element.end)
        var new: [UInt8]
        switch random.below(14) {
        case 0: new = []
        case 1: new = whole + whole
        case 2:
            // With the next one, exchanged.
            guard index + 1 < siblings.count else { return false }
            let next = siblings[index + 1]
            editor.replace(element.start..<next.end, with: Array(bytes[next.range]) + whole, path: path)
            return true
        case 3, 4, 5: new = TLVEditor.header(identifier, 0).prefix(1) + mutated(Array(bytes[content]))
        case 6:
            new = whole
            new[0] = Self.identifiers[random.below(Self.identifiers.count)]
        case 7:
            let value = Self.values[random.below(Self.values.count)]
            new = random.below(2) == 0 ? [identifier] + Self.lengthAndContent(value) : value
        case 8: new = TLVEditor.header(random.below(2) == 0 ? 0x30 : 0xA0, whole.count) + whole
        case 9:
            guard identifier & 0x20 != 0 else { return false }
            new = [identifier, 0x80] + bytes[content] + [0, 0]
        case 10:
            // An OCTET STRING in segments.
            guard identifier == 0x04 else { return false }
            let middle = content.lowerBound + random.below(content.count + 1)
            let pieces = [content.lowerBound..<middle, middle..<content.upperBound]
            new = [0x24, 0x80] + pieces.flatMap { TLVEditor.header(0x04, $0.count) + bytes[$0] } + [0, 0]
        case 11:
            // A length longer than it needs to be.
            new = [identifier, 0x84] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
            new += bytes[content]
        default:
            // Another element of the same input, in its place or before it.
            guard let (_, others, other) = pick() else { return false }
            let copy = Array(bytes[others[other].range])
            new = random.below(2) == 0 ? copy : copy + whole
        }
        editor.replace(element.range, with: new, path: path)
        return true
    }

    /// An element at random, with those around it and those beside it.
    private mutating func pick() -> (path: [TLV], siblings: [TLV], index: Int)? {
        guard var siblings = editor.elements(in: 0..<editor.bytes.count), !siblings.isEmpty else { return nil }
        var path: [TLV] = []
        var index = random.below(siblings.count)
        // Deep in most cases: what is outermost is soon known.
        while random.below(8) != 0, path.count < 32, let children = editor.children(of: siblings[index]) {
            path.append(siblings[index])
            siblings = children
            index = random.below(children.count)
        }
        return (path, siblings, index)
    }

    /// The length octets and the content after libFuzzer's own mutation.
    private func mutated(_ content: [UInt8]) -> [UInt8] {
        let capacity = content.count + 32
        var buffer = content + [UInt8](repeating: 0, count: 32)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            // There is room for `capacity` bytes.
            unsafe LLVMFuzzerMutate(buffer.baseAddress, content.count, capacity)
        }
        buffer.removeLast(buffer.count - min(Int(count), capacity))
        return Self.lengthAndContent(buffer)
    }

    private static func lengthAndContent(_ content: [UInt8]) -> [UInt8] {
        Array(TLVEditor.header(0, content.count).dropFirst()) + content
    }

    private static let identifiers: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0C, 0x13, 0x16, 0x17, 0x18, 0x1E, 0x24, 0x30, 0x31, 0x80, 0x82, 0xA0,
        0xA1, 0xA3, 0x00, 0x10, 0x1F, 0x2C, 0x3F,
    ]

    /// Contents, and whole elements, that decoders stumble over.
    private static let values: [[UInt8]] = [
        [], [0], [0xFF], [0x7F], [0x80], [0, 0x80], [0, 0], [0xFF, 0x7F], [0x7F] + [UInt8](repeating: 0xFF, count: 7),
        [0x80] + [UInt8](repeating: 0, count: 7), [0] + [UInt8](repeating: 0xFF, count: 8),
        [UInt8](repeating: 0xFF, count: 9), [1] + [UInt8](repeating: 0, count: 300), [0xFF, 0xFF, 0xFF, 0xFF],
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01],
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02],
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05],
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B],
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01], [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A],
        [0x05, 0x00], [0x02, 0x01, 0x11], [0x02, 0x01, 0x02], [0x31, 0x00], [0x30, 0x00], [0x0C, 0x00], [0x16, 0x00],
        [0x00, 0x00], [0x30, 0x80, 0x00, 0x00], [0x24, 0x80, 0x04, 0x00, 0x00, 0x00], [0x01, 0x01, 0xFF],
        [0x0C, 0x03, 0xED, 0xA0, 0x80], [0x0C, 0x04, 0xF4, 0x90, 0x80, 0x80],
        Array("2025-06-01T12:00:00Z".utf8), Array("2020-02-30T25:61:61+9999".utf8), Array("99991231235959Z".utf8),
        Array("4001-01-01T00:00:00.123456789Z".utf8),
    ]
}
