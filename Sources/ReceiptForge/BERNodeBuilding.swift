/// The universal types, written as DER.
extension BERNode {
    public static func sequence(_ nodes: [BERNode]) -> BERNode {
        BERNode(Tag(.universal, 16, constructed: true), .nodes(nodes))
    }

    /// A SET; sorted, its elements stand in DER's order for SET OF (X.690 clause 11.6), else in the order given.
    public static func set(_ nodes: [BERNode], sorted: Bool = false) -> BERNode {
        let tag = Tag(.universal, 17, constructed: true)
        guard sorted else { return BERNode(tag, .nodes(nodes)) }
        let encoded = nodes.map { (bytes: $0.encoded, node: $0) }
        let inOrder = encoded.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return BERNode(tag, .nodes(inOrder.map(\.node)))
    }

    public static func integer(_ value: some BinaryInteger) -> BERNode {
        var octets: [UInt8] = []
        var rest = value
        // Two's complement, until the octets left say nothing new: X.690 clause 8.3.2.
        while true {
            let octet = UInt8(truncatingIfNeeded: rest)
            octets.append(octet)
            rest >>= 8
            if (rest == 0 && octet < 0x80) || (rest == -1 && octet >= 0x80) { break }
        }
        return .integer(octets: octets.reversed())
    }

    /// An INTEGER of these content octets, minimal or not.
    public static func integer(octets: [UInt8]) -> BERNode { BERNode(Tag(.universal, 2), .bytes(octets)) }

    /// An INTEGER that is not negative, from a magnitude: a leading zero is added where the sign needs it.
    public static func integer(magnitude: [UInt8]) -> BERNode {
        let significant = magnitude.drop { $0 == 0 }
        let needsZero = significant.first.map { $0 >= 0x80 } ?? true
        return .integer(octets: (needsZero ? [0] : []) + significant)
    }

    public static func boolean(_ value: Bool) -> BERNode { BERNode(Tag(.universal, 1), .bytes([value ? 0xFF : 0])) }

    public static var null: BERNode { BERNode(Tag(.universal, 5), .bytes([])) }

    /// An OBJECT IDENTIFIER of at least two arcs. The arcs are not checked.
    public static func oid(_ arcs: [UInt]) -> BERNode {
        let first = arcs.prefix(2).reduce(0) { $0 &* 40 &+ $1 }
        let octets = ([first] + arcs.dropFirst(2)).flatMap(base128)
        return BERNode(Tag(.universal, 6), .bytes(octets))
    }

    public static func octetString(_ bytes: [UInt8]) -> BERNode { BERNode(Tag(.universal, 4), .bytes(bytes)) }

    /// A primitive OCTET STRING whose contents are the encoding of a node.
    public static func octetString(wrapping node: BERNode) -> BERNode { BERNode(Tag(.universal, 4), .nodes([node])) }

    /// A constructed OCTET STRING, X.690 clause 8.7.3: one primitive piece for each chunk.
    public static func octetString(chunks: [[UInt8]], length: Length = .indefinite) -> BERNode {
        BERNode(Tag(.universal, 4, constructed: true), .nodes(chunks.map { .octetString($0) }), length: length)
    }

    public static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> BERNode {
        BERNode(Tag(.universal, 3), .bytes([unusedBits] + bytes))
    }

    public static func utf8String(_ text: String) -> BERNode { BERNode(Tag(.universal, 12), .bytes(Array(text.utf8))) }

    public static func printableString(_ text: String) -> BERNode {
        BERNode(Tag(.universal, 19), .bytes(Array(text.utf8)))
    }

    public static func ia5String(_ text: String) -> BERNode { BERNode(Tag(.universal, 22), .bytes(Array(text.utf8))) }

    public static func utcTime(_ text: String) -> BERNode { BERNode(Tag(.universal, 23), .bytes(Array(text.utf8))) }

    public static func generalizedTime(_ text: String) -> BERNode {
        BERNode(Tag(.universal, 24), .bytes(Array(text.utf8)))
    }

    /// `[number] EXPLICIT`.
    public static func explicit(_ number: UInt, _ node: BERNode) -> BERNode {
        BERNode(Tag(.contextSpecific, number, constructed: true), .nodes([node]))
    }

    /// `[number] IMPLICIT`: the node under another tag.
    public static func implicit(_ number: UInt, _ node: BERNode) -> BERNode {
        var node = node
        node.tag = Tag(.contextSpecific, number, constructed: node.tag.isConstructed)
        return node
    }

    /// Bytes in the place of an element.
    public static func verbatim(_ bytes: [UInt8]) -> BERNode { BERNode(Tag(.universal, 0), .verbatim(bytes)) }
}
