extension BERNode {
    /// Reads BER back into a tree, so that a test can change one element and write the rest as it was.
    ///
    /// Every length form is kept: the tree's ``encoded`` gives the same bytes again.
    ///
    /// - Throws: ``ForgeError`` when the bytes are not one well-formed element. This is a test's convenience, not the
    ///   decoder under test, and shares nothing with it.
    public init(parsing bytes: some Collection<UInt8>) throws(ForgeError) {
        let nodes = try Self.parseAll(Array(bytes))
        guard let only = nodes.first, nodes.count == 1 else {
            throw ForgeError("\(nodes.count) elements in place of one")
        }
        self = only
    }

    /// Replaces contents that are bytes by the elements they hold, such as the payload inside an OCTET STRING.
    public mutating func open() throws(ForgeError) {
        if case .bytes(let bytes) = content { content = .nodes(try Self.parseAll(bytes)) }
    }

    private static func parseAll(_ bytes: [UInt8]) throws(ForgeError) -> [BERNode] {
        var position = 0
        var nodes: [BERNode] = []
        while position < bytes.count {
            nodes.append(try parse(bytes, &position, limit: bytes.count, depth: 0))
        }
        return nodes
    }

    private static func parse(
        _ bytes: [UInt8], _ position: inout Int, limit: Int, depth: Int
    ) throws(ForgeError) -> BERNode {
        guard depth < 64 else { throw ForgeError("more than 64 levels deep") }
        let start = position
        let tag = try parseTag(bytes, &position, limit)
        let lengthStart = position
        let first = try next(bytes, &position, limit)
        if first == 0x80 {
            guard tag.isConstructed else {
                throw ForgeError("a primitive element of indefinite length at byte \(start)")
            }
            var nodes: [BERNode] = []
            while true {
                let child = try parse(bytes, &position, limit: limit, depth: depth + 1)
                if child == .endOfContents { return BERNode(tag, .nodes(nodes), length: .indefinite) }
                nodes.append(child)
            }
        }
        var count = Int(first)
        if first > 0x80 {
            count = 0
            for _ in 0..<(first & 0x7F) {
                guard count < 1 << 47 else { throw ForgeError("a length beyond reason at byte \(lengthStart)") }
                count = count << 8 | Int(try next(bytes, &position, limit))
            }
        }
        guard count <= limit - position else { throw ForgeError("the element at byte \(start) ends outside") }
        let octets = Array(bytes[lengthStart..<position])
        let end = position + count
        var node = BERNode(tag, .bytes([]))
        if tag.isConstructed {
            var nodes: [BERNode] = []
            while position < end { nodes.append(try parse(bytes, &position, limit: end, depth: depth + 1)) }
            node.content = .nodes(nodes)
        } else {
            node.content = .bytes(Array(bytes[position..<end]))
            position = end
        }
        node.length = octets == minimalLength(of: count) ? .minimal : .verbatim(octets)
        return node
    }

    private static func parseTag(_ bytes: [UInt8], _ position: inout Int, _ limit: Int) throws(ForgeError) -> Tag {
        let first = try next(bytes, &position, limit)
        let constructed = first & 0x20 != 0
        guard let tagClass = TagClass(rawValue: first & 0xC0) else { throw ForgeError("no class") }
        guard first & 0x1F == 0x1F else { return Tag(tagClass, UInt(first & 0x1F), constructed: constructed) }
        var number: UInt = 0
        while true {
            let octet = try next(bytes, &position, limit)
            guard number < 1 << 48 else { throw ForgeError("a tag number beyond reason") }
            number = number << 7 | UInt(octet & 0x7F)
            if octet & 0x80 == 0 { return Tag(tagClass, number, constructed: constructed) }
        }
    }

    private static func next(_ bytes: [UInt8], _ position: inout Int, _ limit: Int) throws(ForgeError) -> UInt8 {
        guard position < limit else { throw ForgeError("the bytes end inside an element") }
        defer { position += 1 }
        return bytes[position]
    }

    private static let endOfContents = BERNode(Tag(.universal, 0), .bytes([]))
}
