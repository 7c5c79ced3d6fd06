/// Chains of EC keys like those under Apple Root CA - G3.
extension ChainTemplate {
    /// Marker of the leaf of App Attest receipts (observed).
    public static let appAttestLeafMarker: [UInt] = [1, 2, 840, 113635, 100, 12, 15]
    /// Marker of its intermediate, Apple Application Integration CA 5.
    public static let appAttestIntermediateMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 2, 3]

    /// As what signs StoreKit 2's JWS: a P-256 leaf under P-384 keys, certificates signed with SHA-384. Good for
    /// documents of any date from 2008 to 2049.
    public static func jws() -> ChainTemplate {
        ec(
            leafName: "Prod ECC Mac App Store and iTunes Store Receipt Signing",
            intermediateName: "Apple Worldwide Developer Relations Certification Authority",
            intermediateKey: TestKeys.ec384Other, leafAlgorithm: .ecdsa(.sha384), leafMarker: leafMarker,
            intermediateMarker: intermediateMarker)
    }

    /// As what signs App Attest receipts: a P-256 leaf, signed with SHA-256 by a P-256 key.
    public static func appAttest() -> ChainTemplate {
        ec(
            leafName: "Application Attestation Fraud Receipt Signing",
            intermediateName: "Apple Application Integration CA 5 - G1", intermediateKey: TestKeys.ec256Other,
            leafAlgorithm: .ecdsa(.sha256), leafMarker: appAttestLeafMarker,
            intermediateMarker: appAttestIntermediateMarker)
    }

    /// As what signs Xcode's JWS: one self-signed P-256 certificate.
    public static func xcodeJWS() -> ChainTemplate {
        let name = DistinguishedName(
            .commonName("StoreKit Testing in Xcode"), .organization("StoreKit Testing in Xcode"), .country("US"))
        var root = CertificateTemplate(
            subject: name, key: TestKeys.ec256Other, serial: .integer(1), notBefore: "2008-01-01T00:00:00Z",
            notAfter: "2049-12-31T23:59:59Z", signatureAlgorithm: .ecdsa(.sha256))
        root.basicConstraints = .init(isCA: true)
        root.keyUsage = .init([0])
        root.subjectKeyIdentifier = .absent
        root.authorityKeyIdentifier = .absent
        return ChainTemplate(root: root, intermediate: nil, leaf: nil, digest: .sha256)
    }

    private static func ec(
        leafName: String, intermediateName: String, intermediateKey: ForgedKey, leafAlgorithm: SignatureAlgorithm,
        leafMarker: [UInt], intermediateMarker: [UInt]
    ) -> ChainTemplate {
        func template(
            _ name: String, _ key: ForgedKey, _ serial: Int, _ algorithm: SignatureAlgorithm
        ) -> CertificateTemplate {
            CertificateTemplate(
                subject: DistinguishedName(.commonName(name), .organization(organization), .country("US")), key: key,
                serial: .integer(serial), notBefore: "2008-01-01T00:00:00Z", notAfter: "2049-12-31T23:59:59Z",
                signatureAlgorithm: algorithm)
        }
        var root = template("Apple Root CA - G3", TestKeys.ec384, 2, .ecdsa(.sha384))
        root.basicConstraints = .init(isCA: true)
        root.keyUsage = .init([5, 6])
        var intermediate = template(intermediateName, intermediateKey, 0x3000, .ecdsa(.sha384))
        intermediate.basicConstraints = .init(isCA: true, pathLength: 0)
        intermediate.keyUsage = .init([5, 6])
        intermediate.markers = [intermediateMarker]
        var leaf = template(leafName, TestKeys.ec256, 0x4000, leafAlgorithm)
        leaf.basicConstraints = .init(isCA: false)
        leaf.keyUsage = .init([0])
        leaf.markers = [leafMarker]
        return ChainTemplate(root: root, intermediate: intermediate, leaf: leaf, digest: .sha256)
    }
}
