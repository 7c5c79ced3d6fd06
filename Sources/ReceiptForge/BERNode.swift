/// One ASN.1 element to be written, in any encoding a test wants: DER, BER, or wrong on purpose.
///
/// A node is a tag, a length form and contents. Written as built, a tree is DER, but for the order of a SET OF
/// (see ``set(_:sorted:)``). Every part can be overridden: the length form says how the length octets are
/// written, and ``Content/verbatim(_:)`` replaces a whole element by bytes of the test's own.
///
/// ```swift
/// var node = BERNode.sequence([.integer(1), .utf8String("a")])
/// node.encoded                        // 30 06 02 01 01 0C 01 61
/// node.length = .indefinite           // 30 80 02 01 01 0C 01 61 00 00
/// node[[1]].length = .octets(2)       // the string's length as 82 00 01
/// ```
public struct BERNode: Hashable, Sendable {
    public var tag: Tag
    public var length: Length
    public var content: Content

    public init(_ tag: Tag, _ content: Content, length: Length = .minimal) {
        self.tag = tag
        self.length = length
        self.content = content
    }

    /// Identifier octets, X.690 clause 8.1.2.
    public struct Tag: Hashable, Sendable {
        public var tagClass: TagClass
        public var number: UInt
        public var isConstructed: Bool

        public init(_ tagClass: TagClass, _ number: UInt, constructed: Bool = false) {
            self.tagClass = tagClass
            self.number = number
            self.isConstructed = constructed
        }
    }

    /// The two bits of the class, as they stand in the identifier octet.
    public enum TagClass: UInt8, Sendable {
        case universal = 0x00
        case application = 0x40
        case contextSpecific = 0x80
        case `private` = 0xC0
    }

    /// How the length octets are written, X.690 clause 8.1.3.
    public enum Length: Hashable, Sendable {
        /// As DER wants it: short where it fits, else the fewest octets.
        case minimal
        /// The long form with this many octets (1 to 126), minimal or not.
        case octets(Int)
        /// `80`, and `00 00` after the contents.
        case indefinite
        /// `80`, and nothing after the contents.
        case indefiniteWithoutEnd
        /// These octets, whatever the contents.
        case verbatim([UInt8])
    }

    public enum Content: Hashable, Sendable {
        case bytes([UInt8])
        /// Elements one after the other. The tag need not be constructed: an OCTET STRING that wraps DER is
        /// written so, and its inside stays within reach.
        case nodes([BERNode])
        /// These bytes in the place of the whole element: tag and length are not written.
        case verbatim([UInt8])
    }

    /// The nodes inside; none where the content is bytes. Setting them replaces the content.
    public var children: [BERNode] {
        get {
            if case .nodes(let nodes) = content { nodes } else { [] }
        }
        set { content = .nodes(newValue) }
    }

    /// The node at a path of child indices; the empty path is this node.
    ///
    /// - Precondition: the path exists; see ``node(at:)`` for paths that may not.
    public subscript(path: [Int]) -> BERNode {
        get { path.isEmpty ? self : children[path[0]][Array(path.dropFirst())] }
        set {
            guard let first = path.first else {
                self = newValue
                return
            }
            children[first][Array(path.dropFirst())] = newValue
        }
    }

    /// The node at a path of child indices, or nil when there is none.
    public func node(at path: some Collection<Int>) -> BERNode? {
        guard let first = path.first else { return self }
        let nodes = children
        return nodes.indices.contains(first) ? nodes[first].node(at: path.dropFirst()) : nil
    }
}
