/// What the certificates of a chain are to say. See ``ForgedPKI``.
public struct ChainTemplate: Hashable, Sendable {
    public var root: CertificateTemplate
    /// nil for a leaf right under the root, or for a chain of one.
    public var intermediate: CertificateTemplate?
    /// nil for a chain of one, whose root signs receipts.
    public var leaf: CertificateTemplate?
    /// The digest of receipts signed under this chain.
    public var digest: DigestAlgorithm

    public init(
        root: CertificateTemplate, intermediate: CertificateTemplate?, leaf: CertificateTemplate?,
        digest: DigestAlgorithm
    ) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.digest = digest
    }

    /// The organisation in the forge's names, unless a test wants another.
    public static let organization = "Receipt Forge, tests only"

    /// Marker of the leaf: App Store receipt signing. Apple's receipt validation guide, revision 2016-03-21.
    public static let leafMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marker of the intermediate: Apple Worldwide Developer Relations.
    public static let intermediateMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// A chain with SHA-256 signatures that is valid for receipts of any date from 2008 to 2049, so that no test ends
    /// with a certificate. For Apple's true windows, see ``generation(_:seed:organization:)``.
    public static func standard(seed: Int = 0) -> ChainTemplate {
        wide(seed: seed, algorithm: .sha256WithRSA, digest: .sha256)
    }

    /// As ``standard(seed:)``, with SHA-1 signatures throughout, as Apple's were until 2023.
    public static func sha1(seed: Int = 0) -> ChainTemplate {
        wide(seed: seed, algorithm: .sha1WithRSA, digest: .sha1)
    }

    /// One self-signed certificate like that of Xcode's StoreKit Test, `CN=StoreKit`.
    public static func xcode(seed: Int = 0) -> ChainTemplate {
        let name = DistinguishedName(
            .commonName("StoreKit"), .organization("StoreKit"), .organizationalUnit("StoreKit"), .country("US"),
            .emailAddress("StoreKit"))
        var root = CertificateTemplate(
            subject: name, key: TestKeys.rsa2048(3 * seed), serial: .integer(1 + seed),
            notBefore: "2020-04-01T17:52:35Z", notAfter: "2040-03-27T17:52:35Z")
        root.basicConstraints = .init(isCA: true)
        root.keyUsage = .init([0, 5])
        root.subjectKeyIdentifier = .absent
        root.authorityKeyIdentifier = .absent
        // Extended key usage: code signing.
        root.extraExtensions = [
            CertificateExtension([2, 5, 29, 37], critical: true, .sequence([.oid([1, 3, 6, 1, 5, 5, 7, 3, 3])]))
        ]
        return ChainTemplate(root: root, intermediate: nil, leaf: nil, digest: .sha256)
    }

    /// One of Apple's chains, re-enacted: algorithms, validity, names and serial numbers.
    public static func generation(
        _ generation: CertificateGeneration, seed: Int = 0, organization: String = ChainTemplate.organization
    ) -> ChainTemplate {
        let authority = generation.intermediate
        var chain = make(
            seed: seed, organization: organization, algorithm: generation.intermediateAlgorithm,
            digest: generation.digest, intermediateUnit: authority.unit)
        chain.intermediate?.notBefore = CertificateTime(authority.period.notBefore)
        chain.intermediate?.notAfter = CertificateTime(authority.period.notAfter)
        chain.leaf?.notBefore = CertificateTime(generation.period.notBefore)
        chain.leaf?.notAfter = CertificateTime(generation.period.notAfter)
        chain.intermediate?.serial = .integer(magnitude: authority.serial)
        chain.leaf?.serial = .integer(magnitude: generation.serial)
        chain.leaf?.signatureAlgorithm = generation.leafAlgorithm
        if !authority.isNarrow {
            chain.intermediate?.basicConstraints?.pathLength = nil
            chain.intermediate?.keyUsage?.bits.insert(0)
        }
        chain.leaf?.subject.parts[0] = [.commonName(generation.commonName)]
        return chain
    }

    // MARK: - Helpers

    private static func wide(seed: Int, algorithm: SignatureAlgorithm, digest: DigestAlgorithm) -> ChainTemplate {
        var chain = make(
            seed: seed, organization: organization, algorithm: algorithm, digest: digest, intermediateUnit: "G0")
        chain.root.notBefore = "2006-04-25T21:40:36Z"
        chain.root.notAfter = "2049-12-31T23:59:59Z"
        return chain
    }

    private static func make(
        seed: Int, organization: String, algorithm: SignatureAlgorithm, digest: DigestAlgorithm,
        intermediateUnit: String
    ) -> ChainTemplate {
        // Two seeds may share keys; their roots are not to share a name.
        let unit = "Apple Certification Authority" + (seed == 0 ? "" : " \(seed)")
        let rootName = DistinguishedName(
            .country("US"), .organization(organization).printable, .organizationalUnit(unit).printable,
            .commonName("Apple Root CA").printable)
        let intermediateName = DistinguishedName(
            .commonName("Apple Worldwide Developer Relations Certification Authority"),
            .organizationalUnit(intermediateUnit), .organization(organization), .country("US"))
        let leafName = DistinguishedName(
            .commonName("Mac App Store and iTunes Store Receipt Signing"),
            .organizationalUnit("Apple Worldwide Developer Relations"), .organization(organization), .country("US"))

        // Apple's root is signed with SHA-1 to this day.
        var root = CertificateTemplate(
            subject: rootName, key: TestKeys.rsa2048(3 * seed), serial: .integer(2), notBefore: "2006-04-25T21:40:36Z",
            notAfter: "2035-02-09T21:40:36Z", signatureAlgorithm: .sha1WithRSA)
        root.basicConstraints = .init(isCA: true)
        root.keyUsage = .init([5, 6])
        var intermediate = CertificateTemplate(
            subject: intermediateName, key: TestKeys.rsa2048(3 * seed + 1), serial: .integer(0x1000 + seed),
            notBefore: "2008-01-01T00:00:00Z", notAfter: "2049-12-31T23:59:59Z", signatureAlgorithm: algorithm)
        intermediate.basicConstraints = .init(isCA: true, pathLength: 0)
        intermediate.keyUsage = .init([5, 6])
        intermediate.markers = [intermediateMarker]
        var leaf = CertificateTemplate(
            subject: leafName, key: TestKeys.rsa2048(3 * seed + 2), serial: .integer(0x2000 + seed),
            notBefore: "2008-01-01T00:00:00Z", notAfter: "2049-12-31T23:59:59Z", signatureAlgorithm: algorithm)
        leaf.basicConstraints = .init(isCA: false)
        leaf.keyUsage = .init([0])
        leaf.markers = [leafMarker]
        return ChainTemplate(root: root, intermediate: intermediate, leaf: leaf, digest: digest)
    }
}
