/// A place in a message, by what stands there.
public enum Place: Hashable, Sendable {
    case contentInfo
    case contentType
    case signedData
    case version
    case digestAlgorithms
    case encapsulatedContent
    case encapsulatedContentType
    /// The OCTET STRING around the payload.
    case content
    /// The SET inside it. Not within reach when the content is in several pieces.
    case payload
    /// An attribute of the payload, by its place in the SET.
    case attribute(Int)
    /// The first attribute of a type.
    case attributeOfType(Int)
    case certificates
    case certificate(Int)
    case signers
    case signer(Int)
    case signature(Int)
    /// A path of child indices from another place: `.inside(.certificate(0), [0, 4])` is the leaf's validity.
    indirect case inside(Place, [Int])

    /// The path of child indices from the root of a message.
    public func path(in message: BERNode) throws(ForgeError) -> [Int] {
        switch self {
        case .contentInfo: return []
        case .contentType: return [0]
        case .signedData: return [1, 0]
        case .version: return [1, 0, 0]
        case .digestAlgorithms: return [1, 0, 1]
        case .encapsulatedContent: return [1, 0, 2]
        case .encapsulatedContentType: return [1, 0, 2, 0]
        case .content: return [1, 0, 2, 1, 0]
        case .payload:
            let content = message.node(at: [1, 0, 2, 1, 0])
            guard let content, content.tag.isConstructed else { return [1, 0, 2, 1, 0, 0] }
            guard content.children.count == 1 else { throw ForgeError("the payload is in pieces") }
            return [1, 0, 2, 1, 0, 0, 0]
        case .attribute(let index): return try Place.payload.path(in: message) + [index]
        case .attributeOfType(let type):
            let payload = try Place.payload.path(in: message)
            let attributes = try message.reading(at: payload).children
            guard let index = attributes.firstIndex(where: { $0.children.first == .integer(type) }) else {
                throw ForgeError("no attribute of type \(type)")
            }
            return payload + [index]
        case .certificates: return try Self.field(0, in: message)
        case .certificate(let index): return try Self.field(0, in: message) + [index]
        case .signers: return [1, 0, try Self.fields(of: message).count - 1]
        case .signer(let index): return try Place.signers.path(in: message) + [index]
        case .signature(let index):
            let signer = try Place.signer(index).path(in: message)
            let fields = try message.reading(at: signer).children
            guard let field = fields.lastIndex(where: { $0.tag.number == 4 && $0.tag.tagClass == .universal }) else {
                throw ForgeError("no signature")
            }
            return signer + [field]
        case .inside(let place, let path): return try place.path(in: message) + path
        }
    }

    /// The byte offset of the element in a message: where its identifier octet stands.
    public func offset(in bytes: [UInt8]) throws(ForgeError) -> Int {
        let message = try BERNode(parsing: bytes)
        return try message.offset(of: try path(in: message)[...])
    }

    private static func fields(of message: BERNode) throws(ForgeError) -> [BERNode] {
        try message.reading(at: [1, 0]).children
    }

    private static func field(_ tag: UInt, in message: BERNode) throws(ForgeError) -> [Int] {
        let index = try fields(of: message).firstIndex {
            $0.tag.tagClass == .contextSpecific && $0.tag.number == tag
        }
        guard let index else { throw ForgeError("no field [\(tag)]") }
        return [1, 0, index]
    }
}

extension BERNode {
    /// The node at a path, with contents that are bytes opened on the way.
    public func reading(at path: [Int]) throws(ForgeError) -> BERNode {
        var found = self
        var copy = self
        try copy.edit(at: path[...]) { node throws(ForgeError) in
            // What holds no elements stays bytes: that is an answer too.
            if !path.isEmpty { try? node.open() }
            found = node
        }
        return found
    }

    /// Where the element at a path begins, in bytes from the beginning of this one.
    func offset(of path: ArraySlice<Int>) throws(ForgeError) -> Int {
        guard let first = path.first else { return 0 }
        var node = self
        try node.open()
        guard node.children.indices.contains(first) else { throw ForgeError("no such place: \(path)") }
        let before = node.children[..<first].reduce(0) { $0 + $1.encoded.count }
        return headerCount + before + (try node.children[first].offset(of: path.dropFirst()))
    }

    /// Changes the node at a path; contents that are bytes are opened on the way.
    public mutating func edit(
        at path: ArraySlice<Int>, _ change: (inout BERNode) throws(ForgeError) -> Void
    ) throws(ForgeError) {
        guard let first = path.first else {
            try change(&self)
            return
        }
        try open()
        guard children.indices.contains(first) else { throw ForgeError("no such place: \(path)") }
        var nodes = children
        content = .nodes([])
        try nodes[first].edit(at: path.dropFirst(), change)
        content = .nodes(nodes)
    }
}
