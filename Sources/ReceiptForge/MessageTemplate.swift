/// How a payload is signed: the fields of ContentInfo and SignedData, RFC 5652 sections 3 and 5.
///
/// ``init(chain:)`` gives what App Store receipts have. Each field can be changed.
public struct MessageTemplate: Hashable, Sendable {
    public var contentType: [UInt] = [1, 2, 840, 113549, 1, 7, 2]
    public var version: Int = 1
    /// nil for those of the signers.
    public var digestAlgorithms: [BERNode]?
    public var encapsulatedContentType: [UInt] = MessageTemplate.data
    /// false leaves the content out, as in a detached signature.
    public var hasContent = true
    /// DER, or the BER that Xcode writes.
    public var encoding = Encoding.der
    /// DER of each certificate, in order; nil leaves the field out.
    public var certificates: [[UInt8]]?
    /// CertificateLists; nil leaves the field out.
    public var revocationLists: [BERNode]?
    public var signers: [SignerTemplate]

    public init(chain: ForgedPKI) {
        certificates = chain.certificates
        signers = [SignerTemplate(certificate: chain.leaf, digest: chain.digest)]
    }

    public enum Encoding: Hashable, Sendable {
        case der
        /// Indefinite lengths from ContentInfo down to the content, which is a constructed OCTET STRING of pieces of
        /// at most this many bytes; nil for one piece.
        case indefinite(pieces: Int?)
    }

    /// `id-data`.
    public static let data: [UInt] = [1, 2, 840, 113549, 1, 7, 1]
}

/// One SignerInfo, RFC 5652 section 5.3.
public struct SignerTemplate: Hashable, Sendable {
    public var version = 1
    public var identifier: Identifier
    /// What is digested, and what the SignerInfo says was.
    public var digest: DigestAlgorithm
    /// An AlgorithmIdentifier in place of that of `digest`.
    public var digestIdentifier: BERNode?
    /// nil for a signature over the content itself, as all known receipts have it.
    public var signedAttributes: SignedAttributes?
    public var algorithm: SignatureAlgorithm
    public var key: ForgedKey
    /// Signed in place of what should be.
    public var signedBytes: [UInt8]?
    /// Attributes, each a SEQUENCE; nil leaves the field out.
    public var unsignedAttributes: [BERNode]?

    public init(certificate: ForgedCertificate, digest: DigestAlgorithm) {
        identifier = .issuerAndSerial(issuer: certificate.issuer.node, serial: certificate.template.serial)
        self.digest = digest
        algorithm = .rsaEncryption(digest)
        key = certificate.key
    }

    public enum Identifier: Hashable, Sendable {
        case issuerAndSerial(issuer: BERNode, serial: BERNode)
        case subjectKeyIdentifier([UInt8])
    }

    /// RFC 5652 section 11. A nil attribute is left out.
    public struct SignedAttributes: Hashable, Sendable {
        public var contentType: [UInt]? = MessageTemplate.data
        /// The digest in place of the content's true one.
        public var messageDigest: [UInt8]?
        public var hasMessageDigest = true
        public var signingTime: CertificateTime?
        public var extra: [BERNode] = []
        /// false writes them in the order given, which a signer may not.
        public var isSorted = true

        public init() {}
    }
}
