/// One attribute of a payload or of a purchase: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
public struct ForgedAttribute: Hashable, Sendable {
    /// The whole SEQUENCE, open to any change.
    public var node: BERNode

    /// An attribute with any node in the place of its SEQUENCE.
    public init(node: BERNode) {
        self.node = node
    }

    public init(_ type: Int, version: Int = 1, _ value: Value) {
        let octets: BERNode =
            switch value {
            case .utf8String(let text): .octetString(wrapping: .utf8String(text))
            case .ia5String(let text): .octetString(wrapping: .ia5String(text))
            case .integer(let number): .octetString(wrapping: .integer(number))
            case .element(let node): .octetString(wrapping: node)
            case .octets(let octets): .octetString(octets)
            }
        node = .sequence([.integer(type), .integer(version), octets])
    }

    /// What the OCTET STRING holds.
    public enum Value: Hashable, Sendable {
        case utf8String(String)
        case ia5String(String)
        case integer(Int64)
        /// Any one element.
        case element(BERNode)
        /// The octets themselves, as in types 4 to 7.
        case octets([UInt8])
    }
}
