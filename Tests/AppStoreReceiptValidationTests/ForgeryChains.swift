import AppStoreReceiptValidation
import ReceiptForge
import Testing

// MARK: - Single certificates

extension Forgery {
    static let certificates: [Forgery] =
        [
            Forgery("a bit of the leaf", .signerSignatureMismatch) {
                $0.damage = [
                    .edit(.inside(.certificate(0), [0, 5, 0, 0, 1])) { node throws(ForgeError) in
                        node.content = .bytes(node.encodedContent.map { $0 ^ 0x20 })
                    }
                ]
            },
            Forgery("a bit of the leaf's signature", .signerSignatureMismatch) {
                $0.damage = [Self.flipSignature(of: 0)]
            },
            Forgery("a bit of the intermediate's signature", .intermediateSignatureMismatch) {
                $0.damage = [Self.flipSignature(of: 1)]
            },
            Forgery("the intermediate's key exchanged", .intermediateSignatureMismatch) {
                $0.damage = [
                    .replace(.inside(.certificate(1), [0, 6]), with: try TestKeys.rsa2048(9).publicKeyInfo())
                ]
            },
            Forgery("a leaf signed by another", .signerSignatureMismatch) {
                $0.template.leaf?.signingKey = TestKeys.rsa2048(9)
            },
            Forgery("an intermediate signed by another", .intermediateSignatureMismatch) {
                $0.template.intermediate?.signingKey = TestKeys.rsa2048(9)
            },
            Forgery("another key named by the leaf", .signerSignatureMismatch) {
                $0.template.leaf?.authorityKeyIdentifier = .bytes([1, 2, 3])
            },
            Forgery("another key named by the intermediate", .intermediateSignatureMismatch) {
                $0.template.intermediate?.authorityKeyIdentifier = .bytes([1, 2, 3])
            },
            Forgery("a key identifier that cannot be read", .signerSignatureMismatch) {
                $0.template.leaf?.authorityKeyIdentifier = .absent
                $0.template.leaf?.extraExtensions = [CertificateExtension([2, 5, 29, 35], .null)]
            },
            Forgery("a key identifier of its own that cannot be read", .signerSignatureMismatch) {
                $0.template.leaf?.subjectKeyIdentifier = .absent
                $0.template.leaf?.extraExtensions = [CertificateExtension([2, 5, 29, 14], .null)]
            },
            Forgery(
                "no marker on the leaf", .signerMarkerMissing,
                stricter: "a developer's certificate: libcrypto knows nothing of Apple's markers"
            ) { $0.template.leaf?.markers = [] },
            Forgery(
                "the intermediate's marker on the leaf", .signerMarkerMissing, stricter: "as above"
            ) { $0.template.leaf?.markers = [ChainTemplate.intermediateMarker] },
            Forgery("no marker on the intermediate", .intermediateMarkerMissing, stricter: "as above") {
                $0.template.intermediate?.markers = []
            },
            Forgery("CA:FALSE", .notACertificateAuthority) {
                $0.template.intermediate?.basicConstraints = .init(isCA: false)
            },
            Forgery("no basic constraints", .notACertificateAuthority) {
                $0.template.intermediate?.basicConstraints = nil
            },
            Forgery("a critical extension on the leaf", .unknownCriticalExtension) {
                $0.template.leaf?.extraExtensions = [Self.unknownExtension]
            },
            Forgery("a critical extension on the intermediate", .unknownCriticalExtension) {
                $0.template.intermediate?.extraExtensions = [Self.unknownExtension]
            },
            Forgery(
                "limited to servers", .keyUsage, stricter: "purpose any does not ask"
            ) {
                $0.template.leaf?.extraExtensions = [
                    CertificateExtension(
                        [2, 5, 29, 37], critical: true, .sequence([.oid([1, 3, 6, 1, 5, 5, 7, 3, 1])]))
                ]
            },
            Forgery(
                "a leaf that may not sign", .keyUsage, stricter: "purpose any does not ask"
            ) { $0.template.leaf?.keyUsage = .init([2, 3]) },
            Forgery("an intermediate that may not sign certificates", .keyUsage) {
                $0.template.intermediate?.keyUsage = .init([0, 6])
            },
            Forgery("a root that allows no intermediate", .pathTooLong) {
                $0.template.root.basicConstraints = .init(isCA: true, pathLength: 0)
            },
            Forgery("two algorithms on the leaf", .algorithmMismatch) {
                $0.template.leaf?.innerAlgorithm = SignatureAlgorithm.sha1WithRSA.identifier
            },
            Forgery("two algorithms on the intermediate", .algorithmMismatch) {
                $0.template.intermediate?.innerAlgorithm = SignatureAlgorithm.sha1WithRSA.identifier
            },
            certificateDigest(.md5), certificateDigest(.sha384), certificateDigest(.sha512),
            Forgery(
                "a leaf signed with RSA-PSS", .unsupportedSignatureAlgorithm, alsoFails: [.signerSignature],
                stricter: "Apple signs with PKCS#1 v1.5 only"
            ) { $0.template.leaf?.signatureAlgorithm = .rsaPSS(.sha256) },
            Forgery(
                "an elliptic intermediate", .unsupportedSignatureAlgorithm, alsoFails: [.publicKeys],
                stricter: "Apple's receipt chains are RSA"
            ) {
                $0.template.intermediate?.key = TestKeys.ec256
                $0.template.leaf?.signatureAlgorithm = .ecdsa(.sha256)
            },
            unreadable("a leaf that cannot be read", 0, alsoFails: [.container]),
            unreadable("an intermediate that cannot be read", 1, alsoFails: [.container]),
            unreadable("an embedded root that cannot be read", 2, alsoFails: []),
            Forgery("basic constraints that cannot be read", .malformedCertificate) {
                $0.template.intermediate?.basicConstraints = nil
                $0.template.intermediate?.extraExtensions = [
                    CertificateExtension([2, 5, 29, 19], critical: true, .null)
                ]
            },
            Forgery("a leaf's basic constraints that cannot be read", .malformedCertificate) {
                $0.template.leaf?.basicConstraints = nil
                $0.template.leaf?.extraExtensions = [CertificateExtension([2, 5, 29, 19], critical: true, .null)]
            },
            Forgery("a key usage that cannot be read", .malformedCertificate) {
                $0.template.leaf?.keyUsage = nil
                $0.template.leaf?.extraExtensions = [CertificateExtension([2, 5, 29, 15], critical: true, .null)]
            },
        ]
        + keys
        + SignatureAlgorithm.PaddingFlaw.allCases.filter { $0 != .none }.flatMap { flaw in
            [
                Forgery("padding of the leaf's signature: \(flaw)", .signerSignatureMismatch) {
                    $0.template.leaf?.signatureAlgorithm.scheme = .pkcs1(.sha256, flaw: flaw)
                },
                Forgery("padding of the intermediate's signature: \(flaw)", .intermediateSignatureMismatch) {
                    $0.template.intermediate?.signatureAlgorithm.scheme = .pkcs1(.sha256, flaw: flaw)
                },
            ]
        }

    private static let unknownExtension = CertificateExtension([1, 2, 3, 4, 5], critical: true, .null)

    private static func unreadable(_ name: String, _ index: Int, alsoFails: Set<Check.Name>) -> Forgery {
        Forgery(name, .malformedCertificate, alsoFails: alsoFails) {
            $0.damage = [.replace(.inside(.certificate(index), [0, 4]), with: .null)]
        }
    }

    static func flipSignature(of certificate: Int) -> Damage {
        .edit(.inside(.certificate(certificate), [2])) { node throws(ForgeError) in
            var bytes = node.encodedContent
            bytes[100] ^= 4
            node.content = .bytes(bytes)
        }
    }

    private static func certificateDigest(_ digest: ReceiptForge.DigestAlgorithm) -> Forgery {
        Forgery(
            "a leaf signed with \(digest)", .unsupportedSignatureAlgorithm, alsoFails: [.signerSignature],
            stricter: digest == .md5 ? "auth level 0 takes MD5" : "Apple's receipt chains use SHA-1 and SHA-256"
        ) { $0.template.leaf?.signatureAlgorithm = .rsa(digest) }
    }

    // MARK: - Keys

    private static let keys: [Forgery] = [
        leafKey("RSA of 512 bits", TestKeys.rsa512, stricter: "auth level 0 takes any size"),
        leafKey("RSA of 8,192 bits", TestKeys.rsa8192, stricter: "libcrypto takes up to 16,384 bits"),
        leafKey("an elliptic key", TestKeys.ec256, stricter: nil),
        leafNumbers("RSA of 16,384 bits", [0xC1] + [UInt8](repeating: 0x5B, count: 2_047), [1, 0, 1]),
        leafNumbers("RSA of 4,097 bits", [1] + [UInt8](repeating: 0x5B, count: 512), [1, 0, 1]),
        leafNumbers("RSA of 1,023 bits", [0x41] + [UInt8](repeating: 0x5B, count: 127), [1, 0, 1]),
        leafNumbers("an even modulus", [0xC1] + [UInt8](repeating: 0x5A, count: 255), [1, 0, 1]),
        leafNumbers("a modulus of 0", [0], [1, 0, 1]),
        leafNumbers("e = 0", nil, [0]),
        leafNumbers("e = 2", nil, [2]),
        leafNumbers("e = 65536", nil, [1, 0, 0]),
        leafNumbers("e = 2^32 + 1", nil, [1, 0, 0, 0, 1]),
        leafNumbers("e = 2^64 + 1", nil, [1, 0, 0, 0, 0, 0, 0, 0, 1]),
        // With e = 1 a signature is its own padded digest, so that anybody can make one.
        Forgery(
            "e = 1", .unsupportedPublicKey,
            stricter: "libcrypto takes e = 1; a genuine intermediate would never have certified it"
        ) { scenario in
            let numbers = try #require(try TestKeys.rsa2048(2).rsaPublicNumbers())
            scenario.template.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(modulus: numbers.modulus, exponent: [1])
            let digest = try ReceiptForge.DigestAlgorithm.sha256.digest(scenario.receipt.payload().encoded)
            let info = BERNode.sequence([ReceiptForge.DigestAlgorithm.sha256.identifier, .octetString(digest)]).encoded
            let block = [0, 1] + [UInt8](repeating: 0xFF, count: 253 - info.count) + [0] + info
            scenario.message = { template, _ in template.signers[0].algorithm.scheme = .verbatim(block) }
        },
        Forgery(
            "an intermediate of 512 bits", .unsupportedPublicKey, stricter: "auth level 0 takes any size"
        ) { $0.template.intermediate?.key = TestKeys.rsa512 },
        Forgery(
            "an intermediate of 8,192 bits", .unsupportedPublicKey, stricter: "libcrypto takes up to 16,384 bits"
        ) { $0.template.intermediate?.key = TestKeys.rsa8192 },
    ]

    private static func leafKey(_ name: String, _ key: ForgedKey, stricter: String?) -> Forgery {
        Forgery(name, .unsupportedPublicKey, stricter: stricter) { $0.template.leaf?.key = key }.with { scenario in
            guard key == TestKeys.ec256 else { return }
            scenario.message = { template, _ in template.signers[0].algorithm.scheme = .verbatim([1, 2, 3]) }
        }
    }

    private static func leafNumbers(_ name: String, _ modulus: [UInt8]?, _ exponent: [UInt8]) -> Forgery {
        Forgery(name, .unsupportedPublicKey) {
            let numbers = try #require(try TestKeys.rsa2048(2).rsaPublicNumbers())
            $0.template.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(
                modulus: modulus ?? numbers.modulus, exponent: exponent)
        }
    }

    private func with(_ more: @escaping @Sendable (inout Scenario) throws -> Void) -> Forgery {
        Forgery(name, reason, alsoFails: alsoFails, stricter: stricter, base: base) { [edit] scenario in
            try edit(&scenario)
            try more(&scenario)
        }
    }
}

// MARK: - Paths

extension Forgery {
    static let chains: [Forgery] = [
        Forgery("another root with the same name", .intermediateSignatureMismatch) {
            $0.anchors = try ForgedPKI().anchors
            $0.template.root.key = TestKeys.rsa2048(9)
        },
        Forgery("another root", .untrustedRoot, alsoFails: [.intermediateSignature]) {
            $0.anchors = try ForgedPKI(.standard(seed: 1)).anchors
        },
        Forgery("no anchor", .untrustedRoot, alsoFails: [.intermediateSignature]) { $0.anchors = [] },
        Forgery("Apple's root", .untrustedRoot, alsoFails: [.intermediateSignature]) {
            $0.anchors = [TrustAnchor.appleRootCA.certificate]
        },
        Forgery("the intermediate left out", .intermediateMissing) { $0.damage = [.dropCertificate(1)] },
        Forgery("a self-signed leaf", .selfSignedSigner) {
            $0.anchors = try ForgedPKI().anchors
            var leaf = $0.template.root
            leaf.markers = [ChainTemplate.leafMarker]
            leaf.key = TestKeys.rsa2048(9)
            leaf.subject = DistinguishedName(.commonName("Mac App Store and iTunes Store Receipt Signing"))
            $0.template.intermediate = nil
            $0.template.leaf = nil
            $0.template.root = leaf
        },
        Forgery(
            "the leaf right under the root", .pathTooShort, stricter: "libcrypto takes a path of any length"
        ) { $0.template.intermediate = nil },
        Forgery(
            "the intermediate signs receipts", .pathTooShort, stricter: "libcrypto takes a path of any length"
        ) {
            $0.message = { template, chain in
                let intermediate = try #require(chain.intermediate)
                template.signers = [SignerTemplate(certificate: intermediate, digest: .sha256)]
            }
        },
        Forgery(
            "four certificates", .pathTooLong, alsoFails: [.intermediateSignature],
            stricter: "libcrypto takes a path of any length"
        ) { scenario in try scenario.insertIntermediate { _ in } },
        // An ordinary developer's certificate, from Apple itself, signs a receipt-signing certificate of its own.
        Forgery(
            "a developer acting as an authority", .notACertificateAuthority,
            alsoFails: [.keyUsage, .anchor, .intermediateMarker, .intermediateSignature]
        ) { scenario in
            try scenario.insertIntermediate { developer in
                developer.basicConstraints = .init(isCA: false)
                developer.keyUsage = .init([0])
                developer.markers = [[1, 2, 840, 113635, 100, 6, 1, 4]]
            }
        },
        Forgery("intermediates of the right name without a path", .signerSignatureMismatch) { scenario in
            scenario.message = { template, chain in
                var others = ChainTemplate.standard()
                var certificates = [chain.leaf.der]
                for key in 3..<9 {
                    others.intermediate?.key = TestKeys.rsa2048(key)
                    others.intermediate?.serial = .integer(key)
                    certificates.append(try #require(try ForgedPKI(others).intermediate).der)
                }
                template.certificates = certificates
            }
        },
        Forgery(
            "authorities that certify one another", .pathTooLong, alsoFails: [.intermediateSignature]
        ) { scenario in
            scenario.message = { template, chain in
                let intermediate = try #require(chain.intermediate)
                var certificates = [chain.leaf.der]
                var other = intermediate.template
                for key in 3..<6 {
                    // The intermediate under another, and that other under the intermediate.
                    other.subject = DistinguishedName(.commonName("Loop \(key)"))
                    other.key = TestKeys.rsa2048(key)
                    let loop = try other.issue(under: intermediate)
                    certificates += [loop.der, try intermediate.template.issue(under: loop).der]
                }
                template.certificates = certificates
            }
        },
    ]
}

extension Scenario {
    /// Puts a certificate between the intermediate and the leaf: the intermediate's twin, with edits.
    fileprivate mutating func insertIntermediate(_ edit: (inout CertificateTemplate) -> Void) throws {
        template.intermediate?.basicConstraints?.pathLength = nil
        let outer = try ForgedPKI(template)
        let first = try #require(outer.intermediate)
        var between = first.template
        between.subject = DistinguishedName(.commonName("One more"))
        between.key = TestKeys.rsa2048(9)
        edit(&between)
        let second = try between.issue(under: first)
        let leaf = try outer.leaf.template.issue(under: second)
        chain = ForgedPKI(root: outer.root, intermediate: second, leaf: leaf, digest: .sha256)
        message = { template, _ in template.certificates = [leaf.der, second.der, first.der, outer.root.der] }
    }
}
