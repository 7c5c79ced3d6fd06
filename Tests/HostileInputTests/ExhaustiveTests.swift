import AppStoreReceipt
import ReceiptForge
import TestSupport
import Testing

/// Every small damage there is: refused, or the payload is bit for bit the one that was signed.
@Suite struct ExhaustiveTests {
    /// A debug build is slower by an order of magnitude: it flips one bit of each byte, another one from byte to byte.
    private var bitsOfByte: (Int) -> [Int] {
        #if DEBUG
            { [$0 % 8] }
        #else
            { _ in Array(0..<8) }
        #endif
    }

    @Test(arguments: Subject.all)
    func everyBitFlip(_ subject: Subject) throws {
        let payload = try subject.payload
        var bytes = subject.bytes
        var valid = 0
        for index in bytes.indices {
            for bit in bitsOfByte(index) {
                bytes[index] ^= 1 << UInt8(bit)
                if case .valid(let other) = try subject.outcome(bytes) {
                    valid += 1
                    #expect(other == payload, "bit \(bit) of byte \(index)")
                }
                bytes[index] ^= 1 << UInt8(bit)
            }
        }
        #expect(bytes == subject.bytes)
        // Only what nobody signs may change: the embedded root, and a few octets beside the signature.
        #expect(valid < bytes.count * bitsOfByte(0).count / 2)
    }

    @Test(arguments: Subject.all)
    func everyDeletedByte(_ subject: Subject) throws {
        let payload = try subject.payload
        for index in subject.bytes.indices {
            var bytes = subject.bytes
            bytes.remove(at: index)
            if case .valid(let other) = try subject.outcome(bytes) { #expect(other == payload, "byte \(index)") }
        }
    }

    @Test(arguments: Subject.all)
    func everyPrefix(_ subject: Subject) throws {
        for count in subject.bytes.indices {
            guard case .undecodable = try subject.outcome(Array(subject.bytes.prefix(count))) else {
                Issue.record("\(count) bytes of \(subject.bytes.count) decode")
                continue
            }
        }
    }

    /// Two elements beside each other change places, on every level, also inside the payload.
    @Test(arguments: Subject.all)
    func everySwap(_ subject: Subject) throws {
        let payload = try subject.payload
        let tree = try BERNode(parsing: subject.bytes)
        var swaps = 0
        for path in paths(of: tree) {
            let parent = try tree.reading(at: path)
            guard parent.children.count > 1 else { continue }
            for first in 0..<parent.children.count - 1 {
                var swapped = tree
                try swapped.edit(at: path[...]) { node throws(ForgeError) in
                    try node.open()
                    var children = node.children
                    children.swapAt(first, first + 1)
                    node.children = children
                }
                swaps += 1
                if case .valid(let other) = try subject.outcome(swapped.encoded) {
                    #expect(other == payload, "\(first) and \(first + 1) at \(path)")
                }
            }
        }
        #expect(swaps > 40)
    }

    /// The paths of all elements that hold others, strings that hold DER among them.
    private func paths(of node: BERNode, at path: [Int] = []) -> [[Int]] {
        var node = node
        if node.tag.number == 4, node.tag.tagClass == .universal { try? node.open() }
        guard !node.children.isEmpty else { return [] }
        return [path] + node.children.enumerated().flatMap { paths(of: $1, at: path + [$0]) }
    }
}
