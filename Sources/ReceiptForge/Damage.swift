/// Something done to a receipt's bytes, by name. Operators combine:
///
/// ```swift
/// try message.damaged(.flip(byte: 100))
/// try message.damaged(.duplicate(.attributeOfType(2)), .sign())        // well signed, but malformed
/// try message.damaged(.swapCertificates(0, 1))
/// ```
///
/// An operator on a ``Place`` reads the message back, changes the one element and writes all lengths around it anew,
/// so that nothing else is wrong. It throws where there is no such place.
public struct Damage: Sendable {
    public var name: String
    private var change: @Sendable (ForgedMessage) throws(ForgeError) -> [UInt8]

    /// Damage of a test's own.
    public init(_ name: String, _ change: @escaping @Sendable (ForgedMessage) throws(ForgeError) -> [UInt8]) {
        self.name = name
        self.change = change
    }

    /// The bytes of a message after the damage.
    public func apply(to message: ForgedMessage) throws(ForgeError) -> [UInt8] { try change(message) }
}

// MARK: - Bytes

extension Damage {
    /// Flips one bit, 0 to 7, of a byte; a negative index counts from the end.
    public static func flip(byte index: Int, bit: Int = 0) -> Damage {
        onBytes("flip byte \(index)", index) { bytes, index in bytes[index] ^= 1 << UInt8(bit & 7) }
    }

    public static func setByte(_ index: Int, to value: UInt8) -> Damage {
        onBytes("set byte \(index)", index) { bytes, index in bytes[index] = value }
    }

    public static func deleteByte(_ index: Int) -> Damage {
        onBytes("delete byte \(index)", index) { bytes, index in bytes.remove(at: index) }
    }

    public static func insert(_ inserted: [UInt8], at index: Int) -> Damage {
        onBytes("insert \(inserted.count) bytes", index) { bytes, index in
            bytes.insert(contentsOf: inserted, at: index)
        }
    }

    /// Keeps only the first bytes.
    public static func truncate(to count: Int) -> Damage {
        Damage("truncate") { message throws(ForgeError) in Array(message.bytes.prefix(count)) }
    }

    /// Drops bytes at the end.
    public static func dropLast(_ count: Int) -> Damage {
        Damage("drop last bytes") { message throws(ForgeError) in message.bytes.dropLast(count) }
    }

    public static func append(_ bytes: [UInt8]) -> Damage {
        Damage("append") { message throws(ForgeError) in message.bytes + bytes }
    }

    private static func onBytes(
        _ name: String, _ index: Int, _ change: @escaping @Sendable (inout [UInt8], Int) -> Void
    ) -> Damage {
        Damage(name) { message throws(ForgeError) in
            var bytes = message.bytes
            let place = index < 0 ? bytes.count + index : index
            guard bytes.indices.contains(place) else { throw ForgeError("no byte \(index)") }
            change(&bytes, place)
            return bytes
        }
    }
}

// MARK: - Elements

extension Damage {
    /// Any change to the element at a place.
    public static func edit(
        _ place: Place, _ name: String = "edit",
        _ change: @escaping @Sendable (inout BERNode) throws(ForgeError) -> Void
    ) -> Damage {
        Damage("\(name) \(place)") { message throws(ForgeError) in
            var tree = try BERNode(parsing: message.bytes)
            let path = try place.path(in: tree)
            try tree.edit(at: path[...], change)
            return tree.encoded
        }
    }

    /// Any change to the elements beside one another inside a place.
    public static func editChildren(
        of place: Place, _ name: String = "edit",
        _ change: @escaping @Sendable (inout [BERNode]) throws(ForgeError) -> Void
    ) -> Damage {
        edit(place, name) { node throws(ForgeError) in
            try node.open()
            var children = node.children
            try change(&children)
            node.children = children
        }
    }

    /// Writes another identifier octet.
    public static func wrongTag(_ place: Place, _ octet: UInt8) -> Damage {
        edit(place, "wrong tag") { node throws(ForgeError) in
            guard let tagClass = BERNode.TagClass(rawValue: octet & 0xC0) else { return }
            node.tag = BERNode.Tag(tagClass, UInt(octet & 0x1F), constructed: octet & 0x20 != 0)
        }
    }

    /// Writes the length with more octets than it needs.
    public static func nonMinimalLength(_ place: Place, octets: Int = 4) -> Damage {
        edit(place, "non-minimal length") { node throws(ForgeError) in node.length = .octets(octets) }
    }

    /// Writes the length as these octets, whatever the contents.
    public static func wrongLength(_ place: Place, _ octets: [UInt8]) -> Damage {
        edit(place, "wrong length") { node throws(ForgeError) in node.length = .verbatim(octets) }
    }

    public static func indefiniteLength(_ place: Place) -> Damage {
        edit(place, "indefinite length") { node throws(ForgeError) in
            if case .bytes = node.content, node.tag.isConstructed { try node.open() }
            node.length = .indefinite
        }
    }

    /// An indefinite length whose end never comes.
    public static func missingEndOfContents(_ place: Place) -> Damage {
        edit(place, "missing end-of-contents") { node throws(ForgeError) in node.length = .indefiniteWithoutEnd }
    }

    public static func replace(_ place: Place, with node: BERNode) -> Damage {
        edit(place, "replace") { $0 = node }
    }

    public static func remove(_ place: Place) -> Damage {
        edit(place, "remove") { $0 = .verbatim([]) }
    }

    /// Writes an element twice, one after the other.
    public static func duplicate(_ place: Place) -> Damage {
        edit(place, "duplicate") { node throws(ForgeError) in
            let bytes = node.encoded
            node = .verbatim(bytes + bytes)
        }
    }

    /// Turns the order of the elements inside around.
    public static func reverse(_ place: Place) -> Damage {
        editChildren(of: place, "reverse") { nodes throws(ForgeError) in nodes.reverse() }
    }

    /// Exchanges two elements inside a place.
    public static func swap(in place: Place, _ first: Int, _ second: Int) -> Damage {
        editChildren(of: place, "swap") { nodes throws(ForgeError) in
            guard nodes.indices.contains(first), nodes.indices.contains(second) else {
                throw ForgeError("no such child")
            }
            nodes.swapAt(first, second)
        }
    }

    /// Adds an element at the end of a place.
    public static func add(_ node: BERNode, to place: Place) -> Damage {
        editChildren(of: place, "add") { nodes throws(ForgeError) in nodes.append(node) }
    }
}

// MARK: - Certificates and signatures

extension Damage {
    public static func swapCertificates(_ first: Int, _ second: Int) -> Damage {
        swap(in: .certificates, first, second)
    }

    public static func dropCertificate(_ index: Int) -> Damage { remove(.certificate(index)) }

    public static func replaceCertificate(_ index: Int, with certificate: [UInt8]) -> Damage {
        replace(.certificate(index), with: .verbatim(certificate))
    }

    /// Signs what the content now is, so that damage done to it before is the only damage.
    ///
    /// - Parameters:
    ///   - key: nil for the key that signed the message first; another makes a signature that does not fit.
    ///   - scheme: nil for the scheme of the first signature.
    public static func sign(
        with key: ForgedKey? = nil, _ scheme: SignatureAlgorithm.Scheme? = nil
    ) -> Damage {
        Damage("sign") { message throws(ForgeError) in
            guard let signer = message.template.signers.first else { throw ForgeError("nobody to sign") }
            var tree = try BERNode(parsing: message.bytes)
            let content = try tree.reading(at: try Place.content.path(in: tree))
            let signature = try (key ?? signer.key).sign(content.encodedContent, scheme ?? signer.algorithm.scheme)
            let path = try Place.signature(0).path(in: tree)
            try tree.edit(at: path[...]) { $0 = .octetString(signature) }
            return tree.encoded
        }
    }
}
