import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

// MARK: - Twins of good documents that differ in one thing

extension Forgery {
    static let nearMisses: [Forgery] = names + messageDigests + restrictions + forms + usages

    private static let names: [Forgery] = [
        Forgery(
            "SHA-1 under the name of SHA-256", .unsupportedSignatureAlgorithm,
            stricter: "libcrypto goes by the digest algorithm alone", base: { $0.template = .sha1() },
            {
                $0.message = { template, _ in
                    template.signers[0].algorithm.identifier = SignatureAlgorithm.sha256WithRSA.identifier
                }
            }),
        Forgery(
            "parameters in a certificate's algorithm", .unsupportedSignatureAlgorithm, alsoFails: [.signerSignature],
            stricter: "libcrypto does not look at the parameters; RFC 4055 wants NULL"
        ) {
            $0.template.leaf?.signatureAlgorithm.identifier = .sequence([
                .oid([1, 2, 840, 113549, 1, 1, 11]), .integer(1),
            ])
        },
        anchorName("Apple Root CB"), anchorName("Bpple Root CA"), anchorName("Apple Root C"),
        Forgery("one certificate too early and another too late", .certificateExpired) {
            $0.template.leaf?.notBefore = CertificateTime("2025-06-01T12:00:00Z")
            $0.template.intermediate?.notAfter = CertificateTime("2025-06-01T11:59:59Z")
        },
        Forgery("half a surrogate pair in the name of a certificate that nobody needs", .malformedCertificate) {
            var stray = ChainTemplate.standard(seed: 1).root
            let name = BERNode(BERNode.Tag(.universal, 30), .bytes([0xD8, 0x00]))
            stray.subject = DistinguishedName(.init([2, 5, 4, 3], name))
            $0.damage = [.replaceCertificate(2, with: try stray.issue(under: nil).der)]
        },
        Forgery("e = 2^32 - 1, which is odd and fits", .signatureMismatch) {
            let numbers = try #require(try TestKeys.rsa2048(2).rsaPublicNumbers())
            $0.template.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(
                modulus: numbers.modulus, exponent: [0xFF, 0xFF, 0xFF, 0xFF])
        },
    ]

    /// The right key under nearly the right name.
    private static func anchorName(_ name: String) -> Forgery {
        Forgery(
            "an anchor with the root's key named \(name)", .untrustedRoot, alsoFails: [.intermediateSignature],
            base: { $0.template.root.subject = DistinguishedName(.country("US"), .commonName("Apple Root CA")) },
            {
                var other = ChainTemplate.standard()
                other.root.subject = DistinguishedName(.country("US"), .commonName(name))
                $0.anchors = try ForgedPKI(other).anchors
            })
    }

    private static let messageDigests: [Forgery] = [0, 1, 15, 16, 30, 31].map { place in
        Forgery(
            "octet \(place) of the message digest", .messageDigestMismatch, base: { $0.useSignedAttributes() }
        ) { scenario in
            var digest = try ReceiptForge.DigestAlgorithm.sha256.digest(scenario.receipt.payload().encoded)
            digest[place] ^= place == 0 ? 0x80 : 1
            scenario.useSignedAttributes { [digest] in $0.messageDigest = .some(digest) }
        }
    }

    /// Those that libcrypto refuses too.
    private static let refused: Set = ["issuerAltName", "crlDistributionPoints", "issuingDistributionPoint"]
    private static let stricter = "libcrypto evaluates it, and finds nothing to object to"

    /// Extensions that forbid, on either certificate.
    private static let restrictions: [Forgery] =
        [
            ("nameConstraints", [2, 5, 29, 30], .sequence([.implicit(0, .sequence([]))])),
            (
                "proxyCertInfo", [1, 3, 6, 1, 5, 5, 7, 1, 14],
                .sequence([.sequence([.oid([1, 3, 6, 1, 5, 5, 7, 21, 1])])])
            ),
            ("address blocks", [1, 3, 6, 1, 5, 5, 7, 1, 7], .sequence([.sequence([.octetString([0, 1]), .null])])),
            ("autonomous systems", [1, 3, 6, 1, 5, 5, 7, 1, 8], .sequence([.explicit(0, .null)])),
        ].flatMap { (name: String, type: [UInt], value: BERNode) in
            extensions(
                "\(name) not critical", .unknownCriticalExtension, type, value, isCritical: false,
                name == "proxyCertInfo" ? nil : stricter)
        }
        + [
            ("subjectAltName", [2, 5, 29, 17], .sequence([.implicit(2, .ia5String("a"))])),
            ("issuerAltName", [2, 5, 29, 18], .sequence([.implicit(2, .ia5String("a"))])),
            ("crlDistributionPoints", [2, 5, 29, 31], .sequence([.sequence([])])),
            ("netscape-cert-type", [2, 16, 840, 1, 113730, 1, 1], .bitString([0x80], unusedBits: 7)),
            ("policyMappings", [2, 5, 29, 33], .sequence([.sequence([.oid([1, 2, 3]), .oid([1, 2, 4])])])),
            ("policyConstraints", [2, 5, 29, 36], .sequence([.implicit(0, .integer(0))])),
            ("inhibitAnyPolicy", [2, 5, 29, 54], .integer(0)),
            ("issuingDistributionPoint", [2, 5, 29, 28], .sequence([])),
        ].flatMap { (name: String, type: [UInt], value: BERNode) in
            extensions(
                "\(name) critical", .unknownCriticalExtension, type, value, isCritical: true,
                refused.contains(name) ? nil : stricter)
        }

    /// What is not of its type.
    private static let forms: [Forgery] = [
        ("subjectAltName", [2, 5, 29, 17]), ("issuerAltName", [2, 5, 29, 18]), ("extendedKeyUsage", [2, 5, 29, 37]),
        ("crlDistributionPoints", [2, 5, 29, 31]), ("netscape-cert-type", [2, 16, 840, 1, 113730, 1, 1]),
    ].flatMap { (name: String, type: [UInt]) in
        extensions(
            "\(name) NULL", .malformedCertificate, type, .null, isCritical: false,
            name == "issuerAltName" ? "libcrypto does not read it" : nil)
    }

    private static func extensions(
        _ name: String, _ reason: Rejection.Reason, _ type: [UInt], _ value: BERNode, isCritical: Bool,
        _ stricter: String? = nil
    ) -> [Forgery] {
        let one = CertificateExtension(type, critical: isCritical, value)
        return [
            Forgery("leaf: \(name)", reason, stricter: stricter) { $0.template.leaf?.extraExtensions = [one] },
            Forgery("intermediate: \(name)", reason, stricter: stricter) {
                $0.template.intermediate?.extraExtensions = [one]
            },
        ]
    }

    /// Every bit of keyUsage by itself.
    private static let usages: [Forgery] = (0...8).flatMap { bit in
        [
            bit < 2
                ? nil
                : Forgery("leaf: key usage \(bit) only", .keyUsage, stricter: "purpose any does not ask") {
                    $0.template.leaf?.keyUsage = .init([bit])
                },
            bit == 5
                ? nil
                : Forgery("intermediate: key usage \(bit) only", .keyUsage) {
                    $0.template.intermediate?.keyUsage = .init([bit])
                },
        ].compactMap(\.self)
    }
}
