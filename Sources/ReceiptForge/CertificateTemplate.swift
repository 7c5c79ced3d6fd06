/// What a certificate is to say, RFC 5280 section 4.1. Each field can be set, to right values and to wrong ones.
///
/// A template names no issuer and no keys of its own accord: where `issuer`, `signingKey` or an automatic key
/// identifier is left alone, ``ForgedPKI`` fills in those of the certificate above.
public struct CertificateTemplate: Hashable, Sendable {
    /// 3 for X.509 v3; 1 leaves the field out, as DER's DEFAULT wants.
    public var version = 3
    public var serial: BERNode
    /// How the certificate is signed, and the algorithm named outside the signed part.
    public var signatureAlgorithm: SignatureAlgorithm
    /// The algorithm named inside the signed part; nil for the same as outside.
    public var innerAlgorithm: BERNode?
    /// nil for the subject of the certificate above.
    public var issuer: DistinguishedName?
    public var notBefore: CertificateTime
    public var notAfter: CertificateTime
    public var subject: DistinguishedName
    /// The subject's key.
    public var key: ForgedKey
    /// A SubjectPublicKeyInfo in place of that of `key`.
    public var publicKeyInfo: BERNode?
    /// nil for the key of the certificate above.
    public var signingKey: ForgedKey?

    public var basicConstraints: BasicConstraints?
    public var keyUsage: KeyUsage?
    public var subjectKeyIdentifier = KeyIdentifier.automatic
    public var authorityKeyIdentifier = KeyIdentifier.automatic
    /// Extensions with Apple's marker OIDs, each with a NULL in its value.
    public var markers: [[UInt]] = []
    public var extraExtensions: [CertificateExtension] = []

    public init(
        subject: DistinguishedName, key: ForgedKey, serial: BERNode, notBefore: CertificateTime,
        notAfter: CertificateTime, signatureAlgorithm: SignatureAlgorithm = .sha256WithRSA
    ) {
        self.subject = subject
        self.key = key
        self.serial = serial
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.signatureAlgorithm = signatureAlgorithm
    }

    /// RFC 5280 section 4.2.1.9.
    public struct BasicConstraints: Hashable, Sendable {
        public var isCA: Bool
        public var pathLength: Int?
        public var isCritical: Bool

        public init(isCA: Bool, pathLength: Int? = nil, isCritical: Bool = true) {
            self.isCA = isCA
            self.pathLength = pathLength
            self.isCritical = isCritical
        }
    }

    /// RFC 5280 section 4.2.1.3: bit 0 is digitalSignature, 5 keyCertSign, 6 cRLSign.
    public struct KeyUsage: Hashable, Sendable {
        public var bits: Set<Int>
        public var isCritical: Bool

        public init(_ bits: Set<Int>, isCritical: Bool = true) {
            self.bits = bits
            self.isCritical = isCritical
        }
    }

    public enum KeyIdentifier: Hashable, Sendable {
        /// SHA-1 of the public key's bits, RFC 5280 section 4.2.1.2 (1).
        case automatic
        case absent
        case bytes([UInt8])
    }
}

/// An extension, RFC 5280 section 4.2.
public struct CertificateExtension: Hashable, Sendable {
    public var arcs: [UInt]
    public var isCritical: Bool
    /// What stands in the OCTET STRING.
    public var value: BERNode

    public init(_ arcs: [UInt], critical: Bool = false, _ value: BERNode) {
        self.arcs = arcs
        self.isCritical = critical
        self.value = value
    }

    var node: BERNode {
        .sequence([.oid(arcs)] + (isCritical ? [.boolean(true)] : []) + [.octetString(wrapping: value)])
    }
}

/// A point in a certificate's validity, RFC 5280 section 4.1.2.5.
public struct CertificateTime: Hashable, Sendable, ExpressibleByStringLiteral {
    public var node: BERNode

    /// Any element in the place of the time.
    public init(node: BERNode) {
        self.node = node
    }

    /// From `2024-07-24T14:50:03Z`: UTCTime from 1950 to 2049, GeneralizedTime in other years.
    public init(_ date: String) {
        let digits = date.filter(\.isNumber)
        let isShort = ("1950"..<"2050").contains(digits.prefix(4))
        node = isShort ? .utcTime(digits.dropFirst(2) + "Z") : .generalizedTime(digits + "Z")
    }

    public init(stringLiteral date: String) {
        self.init(date)
    }
}
