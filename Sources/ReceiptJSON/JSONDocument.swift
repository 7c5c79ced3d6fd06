/// One JSON text, read and checked from its first byte to its last: where each value lies.
///
/// Nothing is copied out of the text; the text travels beside the document as a `Span`, and must be the one that was
/// read. Success means that the text is one value of RFC 8259 in UTF-8, with no name twice in an object, and within the
/// limits. It does not say what the value means: numbers are text until somebody asks for one.
package struct JSONDocument: Sendable {
    /// Every value and every name, in the order of the text: a container, then what is in it.
    package let nodes: [JSONNode]

    /// Reads a text that is one value, with white space around it at most.
    package init(_ text: Span<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        guard text.count <= limits.bytes else { throw JSONError(.inputTooLong, at: max(0, limits.bytes)) }
        var parser = JSONParser(limits)
        // Most texts have a value for every dozen bytes. What is reserved is bounded by the text.
        parser.nodes.reserveCapacity(min(text.count / 12 + 4, 128))
        try parser.readText(text)
        nodes = parser.nodes
    }

    package var root: JSONValue { JSONValue(index: 0, node: nodes[0]) }

    /// The members of an object, in the order of the text. None if the value is not an object.
    package func members(of value: JSONValue) -> JSONMembers {
        JSONMembers(nodes: nodes, position: value.index + 1, end: value.kind == .object ? value.end(in: nodes) : 0)
    }

    /// The elements of an array, in the order of the text. None if the value is not an array.
    package func elements(of value: JSONValue) -> JSONElements {
        JSONElements(nodes: nodes, position: value.index + 1, end: value.kind == .array ? value.end(in: nodes) : 0)
    }

    /// The value of the member with a name, or nil.
    package func member(_ name: StaticString, of value: JSONValue, in text: Span<UInt8>) -> JSONValue? {
        for member in members(of: value) where member.hasName(name, in: text) { return member.value }
        return nil
    }
}

/// A value or a name as it lies in the text.
package struct JSONNode: Hashable, Sendable {
    package enum Kind: UInt8, Sendable { case object, array, string, number, `true`, `false`, null, name }

    let start: UInt32
    /// Set when the value has been read.
    var limit: UInt32 = 0
    /// Of a container: the index of the node after its last. Of a name: its hash.
    var link: UInt32 = 0
    package let kind: Kind
    /// Of a string or name: whether it has an escape.
    var isEscaped = false

    init(_ kind: Kind, _ start: Int) {
        self.kind = kind
        self.start = UInt32(truncatingIfNeeded: start)
    }

    /// Where it lies: a string or name without its quotation marks, an object or array with its brackets.
    package var range: Range<Int> { Int(start)..<Int(limit) }
}

/// A value of a document: an index into its nodes, and the node there.
package struct JSONValue: Hashable, Sendable {
    let index: Int
    package let node: JSONNode

    package var kind: JSONNode.Kind { node.kind }
    /// See ``JSONNode/range``.
    package var range: Range<Int> { node.range }

    fileprivate func end(in nodes: [JSONNode]) -> Int {
        kind == .object || kind == .array ? min(Int(node.link), nodes.count) : index + 1
    }
}

package struct JSONMember: Sendable {
    package let name: JSONNode
    package let value: JSONValue

    /// Whether this is the member's name. Compared after unescaping.
    package func hasName(_ wanted: StaticString, in text: Span<UInt8>) -> Bool {
        name.isText(wanted, in: text)
    }
}

package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    fileprivate let nodes: [JSONNode]
    fileprivate var position: Int
    fileprivate let end: Int

    package mutating func next() -> JSONMember? {
        guard position + 1 < end else { return nil }
        let value = JSONValue(index: position + 1, node: nodes[position + 1])
        defer { position = value.end(in: nodes) }
        return JSONMember(name: nodes[position], value: value)
    }
}

package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    fileprivate let nodes: [JSONNode]
    fileprivate var position: Int
    fileprivate let end: Int

    package mutating func next() -> JSONValue? {
        guard position < end else { return nil }
        let value = JSONValue(index: position, node: nodes[position])
        position = value.end(in: nodes)
        return value
    }
}
