/// A certificate's subject or issuer, RFC 5280 section 4.1.2.4: its parts in order, each of one attribute or more.
public struct DistinguishedName: Hashable, Sendable {
    public var parts: [[Attribute]]

    public init(parts: [[Attribute]]) {
        self.parts = parts
    }

    /// A name of single-attribute parts.
    public init(_ attributes: Attribute...) {
        parts = attributes.map { [$0] }
    }

    public struct Attribute: Hashable, Sendable {
        public var arcs: [UInt]
        /// The string, in the string type it is to have.
        public var value: BERNode

        public init(_ arcs: [UInt], _ value: BERNode) {
            self.arcs = arcs
            self.value = value
        }

        public static func commonName(_ text: String) -> Attribute { Attribute([2, 5, 4, 3], .utf8String(text)) }

        public static func organization(_ text: String) -> Attribute { Attribute([2, 5, 4, 10], .utf8String(text)) }

        public static func organizationalUnit(_ text: String) -> Attribute {
            Attribute([2, 5, 4, 11], .utf8String(text))
        }

        public static func country(_ text: String) -> Attribute { Attribute([2, 5, 4, 6], .printableString(text)) }

        public static func emailAddress(_ text: String) -> Attribute {
            Attribute([1, 2, 840, 113549, 1, 9, 1], .ia5String(text))
        }

        /// The same attribute as a PrintableString, which older certificates have where newer ones have UTF8String.
        public var printable: Attribute {
            var copy = self
            copy.value.tag.number = 19
            return copy
        }
    }

    /// The name as it stands in certificates and SignerInfos.
    public var node: BERNode {
        .sequence(
            parts.map { part in
                .set(part.map { .sequence([.oid($0.arcs), $0.value]) }, sorted: true)
            })
    }
}
