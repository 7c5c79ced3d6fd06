import OracleSupport
import ReceiptASN1
import ReceiptForge
import TestSupport
import Testing

/// Trees made at random and written twice, in BER with random length forms and in DER, by code that shares nothing with
/// the normaliser.
@Suite struct BERNormalizerRandomTests {
    private static let preserved = BERNormalizer.Preserved(depth: 99, tags: [])

    @Test(arguments: [UInt64](0..<60))
    func normalizesToTheSameTree(seed: UInt64) throws {
        var random = ForgeRandom(seed: seed)
        for _ in 0..<10 {
            let (ber, der) = Self.tree(depth: 0, &random)
            let input = ber.encoded
            let output = try BERNormalizer.normalize(
                input.span, preserving: Self.preserved, limits: .default, "test")
            #expect(output == der.encoded, "\(hexText(input))")
            try Self.checkOffsets(input, output)
        }
    }

    /// What stands at an offset of the DER is found again in the BER: every element, and every octet of content.
    private static func checkOffsets(_ input: [UInt8], _ output: [UInt8]) throws {
        let original = { (offset: Int) in
            BERNormalizer.originalOffset(
                of: offset, in: input.span, preserving: preserved, limits: .default, "test")
        }
        let outer = try #require(Oracle.elements(of: input)).filter { $0.tag != 0 || $0.tagClass != 0 }
        let inner = try #require(Oracle.elements(of: output))
        var position = 0
        for element in inner {
            let source = outer[position]
            #expect(original(element.offset) == source.offset, "element at \(element.offset) of \(hexText(input))")
            position += 1
            guard !element.isConstructed else { continue }
            // The octets of a string, from wherever its segments are.
            var octets: [Int] = []
            if source.isConstructed {
                while position < outer.count, outer[position].depth > source.depth {
                    let segment = outer[position]
                    position += 1
                    guard !segment.isConstructed, let length = segment.length else { continue }
                    let start = segment.offset + segment.headerLength
                    octets += start..<start + length
                }
            } else {
                let start = source.offset + source.headerLength
                octets += start..<start + (source.length ?? 0)
            }
            let start = element.offset + element.headerLength
            // Each question is a pass over the whole input; the first octets and the last will do.
            for index in octets.indices where index < 4 || index == octets.count - 1 {
                #expect(original(start + index) == octets[index], "octet \(start + index) of \(hexText(input))")
            }
        }
        #expect(position == outer.count)
    }

    /// Damaged BER: whatever is taken, libcrypto's tag walk takes too, and the result is DER to which nothing is left
    /// to be done.
    @Test(arguments: [UInt64](0..<50))
    func neverTakesWhatIsMalformed(seed: UInt64) throws {
        var random = ForgeRandom(seed: 1_000 + seed)
        for _ in 0..<100 {
            var input = Self.tree(depth: 0, &random).ber.encoded
            for _ in 0..<Int.random(in: 1...2, using: &random) where !input.isEmpty {
                let index = Int.random(in: 0..<input.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: input[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: input.remove(at: index)
                case 2: input.insert([0, 0x80, 0x30, 0x24, 1].randomElement(using: &random) ?? 0, at: index)
                default: input.insert(contentsOf: [0, 0], at: index)
                }
            }
            do throws(ReceiptDecodingError) {
                let output = try BERNormalizer.normalize(
                    input.span, preserving: Self.preserved, limits: .default, "test")
                #expect(Oracle.elements(of: input) != nil, "\(hexText(input))")
                let again = try BERNormalizer.normalize(
                    output.span, preserving: Self.preserved, limits: .default, "test")
                #expect(output == again, "\(hexText(input))")
            } catch {
                #expect((0...input.count).contains(error.offset))
            }
        }
    }

    // MARK: - Trees

    private static func tree(depth: Int, _ random: inout ForgeRandom) -> (ber: BERNode, der: BERNode) {
        let isConstructed = depth < 5 && Int.random(in: 0..<5, using: &random) < 4 - depth / 2
        guard isConstructed else {
            if depth < 5, Bool.random(using: &random) { return string(&random) }
            // Content that looks like ends of contents and like elements.
            let likely: [UInt8] = [0, 0, 0x30, 0x80, 0x24, 0x04, 1, 0xFF]
            let count = [0, 1, 2, 3, 4, 127, 128, 300].randomElement(using: &random) ?? 0
            let content = (0..<count).map { _ in likely.randomElement(using: &random) ?? 0 }
            let der = BERNode(BERNode.Tag(.universal, UInt.random(in: 1...30, using: &random)), .bytes(content))
            return (with(der, length(constructed: false, &random)), der)
        }
        let children = (0..<Int.random(in: 0...4, using: &random)).map { _ in tree(depth: depth + 1, &random) }
        let classes: [BERNode.TagClass] = [.universal, .contextSpecific, .application, .private]
        let tagClass = classes.randomElement(using: &random) ?? .universal
        let number: UInt = tagClass == .universal ? 16 + UInt.random(in: 0...1, using: &random) : 3
        let tag = BERNode.Tag(tagClass, number, constructed: true)
        let ber = BERNode(tag, .nodes(children.map(\.ber)), length: length(constructed: true, &random))
        return (ber, BERNode(tag, .nodes(children.map(\.der))))
    }

    /// An OCTET STRING in segments, some of them in segments themselves.
    private static func string(_ random: inout ForgeRandom) -> (ber: BERNode, der: BERNode) {
        let (node, content) = segment(depth: 0, &random)
        return (node, .octetString(content))
    }

    private static func segment(depth: Int, _ random: inout ForgeRandom) -> (BERNode, [UInt8]) {
        if depth > 0, depth > 2 || Int.random(in: 0..<3, using: &random) > 0 {
            let content = (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random)
            }
            return (with(.octetString(content), length(constructed: false, &random)), content)
        }
        let segments = (0..<Int.random(in: 0...3, using: &random)).map { _ in segment(depth: depth + 1, &random) }
        let node = BERNode(
            BERNode.Tag(.universal, 4, constructed: true), .nodes(segments.map(\.0)),
            length: length(constructed: true, &random))
        return (node, segments.flatMap(\.1))
    }

    private static func with(_ node: BERNode, _ length: BERNode.Length) -> BERNode {
        BERNode(node.tag, node.content, length: length)
    }

    private static func length(constructed: Bool, _ random: inout ForgeRandom) -> BERNode.Length {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .minimal
        case 1: .octets(Int.random(in: 4...9, using: &random))
        default: constructed ? .indefinite : .minimal
        }
    }
}
