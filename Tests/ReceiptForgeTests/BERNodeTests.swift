import OracleSupport
import ReceiptForge
import TestSupport
import Testing

/// The writer, right and wrong on purpose.
struct BERNodeTests {
    static let encodings: [(BERNode, [UInt8])] = [
        (.null, [5, 0]),
        (.boolean(true), [1, 1, 0xFF]),
        (.integer(0), [2, 1, 0]),
        (.integer(127), [2, 1, 0x7F]),
        (.integer(128), [2, 2, 0, 0x80]),
        (.integer(-1), [2, 1, 0xFF]),
        (.integer(-128), [2, 1, 0x80]),
        (.integer(-129), [2, 2, 0xFF, 0x7F]),
        (.integer(Int64.max), [2, 8, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        (.integer(Int64.min), [2, 8, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (.integer(UInt64.max), [2, 9, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        (.integer(magnitude: [0, 0x80]), [2, 2, 0, 0x80]),
        (.integer(magnitude: []), [2, 1, 0]),
        (.oid([1, 2, 840, 113549]), [6, 6, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]),
        (.oid([2, 5, 4, 3]), [6, 3, 0x55, 4, 3]),
        (.oid([2, 999, 3]), [6, 3, 0x88, 0x37, 3]),
        (.octetString(wrapping: .null), [4, 2, 5, 0]),
        (.set([.integer(2), .integer(1)]), [0x31, 6, 2, 1, 2, 2, 1, 1]),
        (.set([.integer(2), .integer(1)], sorted: true), [0x31, 6, 2, 1, 1, 2, 1, 2]),
        (.explicit(3, .null), [0xA3, 2, 5, 0]),
        (.implicit(0, .octetString([1])), [0x80, 1, 1]),
        (.implicit(31, .octetString([])), [0x9F, 31, 0]),
        (.implicit(300, .octetString([])), [0x9F, 0x82, 0x2C, 0]),
        (.octetString(chunks: [[1], [2]]), [0x24, 0x80, 4, 1, 1, 4, 1, 2, 0, 0]),
        (with(.octetString([9])) { $0.length = .octets(1) }, [4, 0x81, 1, 9]),
        (with(.octetString([9])) { $0.length = .octets(3) }, [4, 0x83, 0, 0, 1, 9]),
        (with(.octetString([9])) { $0.length = .verbatim([0x82]) }, [4, 0x82, 9]),
        (with(.sequence([])) { $0.length = .indefinite }, [0x30, 0x80, 0, 0]),
        (with(.sequence([])) { $0.length = .indefiniteWithoutEnd }, [0x30, 0x80]),
        (.verbatim([1, 2]), [1, 2]),
    ]

    static func with(_ node: BERNode, _ change: (inout BERNode) -> Void) -> BERNode {
        var node = node
        change(&node)
        return node
    }

    @Test(arguments: encodings)
    func encodes(node: BERNode, bytes: [UInt8]) {
        #expect(node.encoded == bytes)
    }

    @Test(arguments: [0, 1, 126, 127, 128, 255, 256, 65_535, 65_536])
    func lengthsAreMinimal(count: Int) throws {
        let encoded = BERNode.octetString([UInt8](repeating: 7, count: count)).encoded
        let element = try #require(Oracle.elements(of: encoded)?.first)
        #expect(element.length == count)
        #expect(element.headerLength == (count < 128 ? 2 : count < 256 ? 3 : count < 65_536 ? 4 : 5))
        #expect(try BERNode(parsing: encoded).encoded == encoded)
    }

    @Test(arguments: Corpus.paths("receipts", suffix: ".der"))
    func genuineBytesComeBack(path: String) throws {
        let bytes = try Corpus.bytes(path)
        guard Oracle.elements(of: bytes) != nil else { return }
        #expect(try BERNode(parsing: bytes).encoded == bytes)
    }

    @Test(
        arguments: [[], [0x30], [0x30, 1], [0x30, 0x80], [4, 0x80, 0, 0], [5, 0, 5, 0], [0x30, 2, 4, 1]] as [[UInt8]])
    func refuses(bytes: [UInt8]) {
        #expect(throws: ForgeError.self) { try BERNode(parsing: bytes) }
    }
}
