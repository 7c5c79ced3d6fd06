import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// A valid scenario, one change to it, and the reason for which it must then be rejected.
struct Forgery: CustomTestStringConvertible, Sendable {
    let name: String
    let reason: Rejection.Reason
    /// Checks that fail beside the one that gives the reason, where the change cannot but break them too.
    let alsoFails: Set<Check.Name>
    /// Why we reject what CMS_verify takes; nil when it rejects it too.
    let stricter: String?
    let base: @Sendable (inout Scenario) throws -> Void
    let edit: @Sendable (inout Scenario) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ reason: Rejection.Reason, alsoFails: Set<Check.Name> = [], stricter: String? = nil,
        base: @escaping @Sendable (inout Scenario) throws -> Void = { _ in },
        _ edit: @escaping @Sendable (inout Scenario) throws -> Void
    ) {
        self.name = name
        self.reason = reason
        self.alsoFails = alsoFails
        self.stricter = stricter
        self.base = base
        self.edit = edit
    }

    static let all = contents + signers + certificates + chains + nearMisses + times + environments + policies
}

// MARK: - What was signed

extension Forgery {
    static let contents: [Forgery] =
        [
            Forgery("a bit of the payload", .signatureMismatch) {
                $0.damage = [
                    .edit(.inside(.attributeOfType(2), [2, 0])) { node throws(ForgeError) in
                        node.content = .bytes(Array("com.example.apq".utf8))
                    }
                ]
            },
            Forgery("the last bit of the signature", .signatureMismatch) { $0.damage = [.flip(byte: -1)] },
            Forgery("the first bit of the signature", .signatureMismatch) { $0.damage = [.flip(byte: -256, bit: 7)] },
            Forgery("no signature", .signatureMismatch) {
                $0.damage = [.replace(.signature(0), with: .octetString([]))]
            },
            Forgery("a signature of zeros", .signatureMismatch) {
                $0.damage = [.replace(.signature(0), with: .octetString([UInt8](repeating: 0, count: 256)))]
            },
            Forgery("a signature above the modulus", .signatureMismatch) {
                $0.damage = [.replace(.signature(0), with: .octetString([UInt8](repeating: 0xFF, count: 256)))]
            },
            Forgery("a zero before the signature", .signatureMismatch) {
                $0.damage = [
                    .edit(.signature(0)) { node throws(ForgeError) in
                        node.content = .bytes([0] + node.encodedContent)
                    }
                ]
            },
            Forgery("another key", .signatureMismatch) {
                $0.message = { template, _ in template.signers[0].key = TestKeys.rsa2048(9) }
            },
            Forgery("signed over something else", .signatureMismatch) {
                $0.message = { template, _ in template.signers[0].signedBytes = [1, 2, 3] }
            },
            Forgery("an attribute added", .signatureMismatch) {
                $0.damage = [.add(ForgedAttribute(99, .integer(1)).node, to: .payload)]
            },
            Forgery("an attribute removed", .signatureMismatch) { $0.damage = [.remove(.attributeOfType(10))] },
            Forgery("attributes in another order", .signatureMismatch) { $0.damage = [.reverse(.payload)] },
            Forgery(
                "digest and signature disagree", .signatureMismatch,
                base: { $0.template = .sha1() },
                {
                    $0.message = { template, _ in
                        template.signers[0].algorithm.scheme = .pkcs1(.sha256)
                        template.digestAlgorithms = [
                            ReceiptForge.DigestAlgorithm.sha1.identifier,
                            ReceiptForge.DigestAlgorithm.sha256.identifier,
                        ]
                    }
                }),
        ]
        + SignatureAlgorithm.PaddingFlaw.allCases.filter { $0 != .none }.map { flaw in
            Forgery("padding of the signature: \(flaw)", .signatureMismatch) {
                $0.message = { template, _ in template.signers[0].algorithm.scheme = .pkcs1(.sha256, flaw: flaw) }
            }
        }
        + signedAttributes

    private static let signedAttributes: [Forgery] = [
        Forgery(
            "no message digest", .messageDigestMissing, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.hasMessageDigest = false } }),
        Forgery(
            "another message digest", .messageDigestMismatch, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.messageDigest = [UInt8](repeating: 7, count: 32) } }),
        Forgery(
            "a message digest cut short", .messageDigestMismatch, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.messageDigest = [] } }),
        Forgery(
            "no content type", .contentTypeMismatch, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.contentType = nil } }),
        Forgery(
            "another content type", .contentTypeMismatch,
            stricter: "libcrypto looks for the attribute, not at it; RFC 5652 section 11.1 wants it equal",
            base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.contentType = [1, 2, 840, 113549, 1, 7, 2] } }),
        Forgery(
            "no attribute at all", .contentTypeMismatch, base: { $0.useSignedAttributes() },
            {
                $0.useSignedAttributes {
                    $0.contentType = nil
                    $0.hasMessageDigest = false
                    $0.signingTime = nil
                }
            }),
        Forgery(
            "an attribute that is none", .malformedSignedAttributes, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.extra = [.null] } }),
        Forgery(
            "an attribute with two values", .malformedSignedAttributes,
            stricter: "libcrypto takes several values of most types, if they are in order",
            base: { $0.useSignedAttributes { $0.extra = [.sequence([.oid([1, 2, 3]), .set([.integer(5)])])] } },
            { $0.useSignedAttributes { $0.extra = [.sequence([.oid([1, 2, 3]), .set([.integer(5), .null])])] } }),
        Forgery(
            "values out of order", .malformedSignedAttributes, base: { $0.useSignedAttributes() },
            { $0.useSignedAttributes { $0.extra = [.sequence([.oid([1, 2, 3]), .set([.null, .integer(5)])])] } }),
        Forgery(
            "two signing times", .malformedSignedAttributes, base: { $0.useSignedAttributes() },
            {
                $0.useSignedAttributes {
                    $0.extra = [
                        .sequence([.oid([1, 2, 840, 113549, 1, 9, 5]), .set([.utcTime("250601120001Z")])])
                    ]
                }
            }),
        Forgery(
            "a signed countersignature", .malformedSignedAttributes, base: { $0.useSignedAttributes() },
            {
                $0.useSignedAttributes {
                    $0.extra = [.sequence([.oid([1, 2, 840, 113549, 1, 9, 6]), .set([.sequence([])])])]
                }
            }),
        Forgery(
            "two message digests", .malformedSignedAttributes, base: { $0.useSignedAttributes() },
            {
                $0.useSignedAttributes {
                    $0.extra = [
                        .sequence([
                            .oid([1, 2, 840, 113549, 1, 9, 4]), .set([.octetString([UInt8](repeating: 7, count: 32))]),
                        ])
                    ]
                }
            }),
        Forgery(
            "the content changed under signed attributes", .messageDigestMismatch,
            base: { $0.useSignedAttributes() }, { $0.damage = [.remove(.attributeOfType(10))] }),
        Forgery(
            "the signed attributes changed", .signatureMismatch, base: { $0.useSignedAttributes() },
            {
                $0.damage = [
                    .edit(.inside(.signer(0), [3])) { node throws(ForgeError) in
                        guard let time = node.children.firstIndex(where: { $0.encoded.contains(0x17) }) else {
                            throw ForgeError("no signing time")
                        }
                        node[[time, 1, 0]].content = .bytes(Array("250601120001Z".utf8))
                    }
                ]
            }),
        Forgery(
            "signed with the tag [0]", .signatureMismatch, base: { $0.useSignedAttributes() },
            {
                // What RFC 5652 section 5.4 warns of: a signature over the attributes as they are sent.
                $0.damage = [
                    Damage("sign the [0]") { message throws(ForgeError) in
                        var tree = try BERNode(parsing: message.bytes)
                        let signer = tree[[1, 0]].children.count - 1
                        let attributes = tree[[1, 0, signer, 0, 3]].encoded
                        let signature = try message.template.signers[0].key.sign(attributes, .pkcs1(.sha256))
                        tree[[1, 0, signer, 0, 5]] = .octetString(signature)
                        return tree.encoded
                    }
                ]
            }),
    ]
}

// MARK: - SignerInfo

extension Forgery {
    static let signers: [Forgery] = [
        Forgery("no signer", .signerInfoMissing) { $0.message = { template, _ in template.signers = [] } },
        Forgery(
            "two signers", .multipleSignerInfos, stricter: "both signatures are right; Apple's receipts have one"
        ) { $0.message = { template, _ in template.signers += template.signers } },
        Forgery("a second signer whose signature is wrong", .multipleSignerInfos) {
            $0.message = { template, _ in
                var second = template.signers[0]
                second.key = TestKeys.rsa2048(9)
                template.signers.append(second)
            }
        },
        Forgery(
            "named by key identifier", .unsupportedSignerIdentifier,
            stricter: "RFC 5652 allows it; Apple names issuer and serial number"
        ) {
            $0.message = { template, chain in
                let identifier = try Self.keyIdentifier(of: chain.leaf.der)
                template.signers[0].identifier = .subjectKeyIdentifier(identifier)
                template.signers[0].version = 3
            }
        },
        Forgery("the right serial number of another issuer", .signerCertificateMissing) {
            $0.message = { template, chain in
                template.signers[0].identifier = .issuerAndSerial(
                    issuer: chain.root.subject.node, serial: chain.leaf.template.serial)
            }
        },
        Forgery("the right issuer, another serial number", .signerCertificateMissing) {
            $0.message = { template, chain in
                template.signers[0].identifier = .issuerAndSerial(
                    issuer: try #require(chain.intermediate).subject.node, serial: .integer(1))
            }
        },
        Forgery("the signer's certificate left out", .signerCertificateMissing) {
            $0.damage = [.dropCertificate(0)]
        },
        Forgery("no certificates", .signerCertificateMissing) { $0.damage = [.remove(.certificates)] },
        Forgery("revocation lists", .revocationListsPresent, stricter: "an empty list is allowed; receipts have none") {
            $0.message = { template, _ in template.revocationLists = [] }
        },
        digest(.md5), digest(.sha384), digest(.sha512),
        Forgery(
            "a digest with parameters", .unsupportedDigestAlgorithm,
            stricter: "libcrypto does not look at the parameters; RFC 5754 wants NULL or none"
        ) {
            $0.message = { template, _ in
                template.signers[0].digestIdentifier = .sequence([
                    .oid(ReceiptForge.DigestAlgorithm.sha256.arcs), .integer(1),
                ])
            }
        },
        Forgery("a digest that the container does not list", .digestAlgorithmNotListed) {
            $0.message = { template, _ in
                template.digestAlgorithms = [ReceiptForge.DigestAlgorithm.sha1.identifier]
            }
        },
        Forgery("no digest listed", .digestAlgorithmNotListed) {
            $0.message = { template, _ in template.digestAlgorithms = [] }
        },
        Forgery(
            "RSA-PSS", .unsupportedSignatureAlgorithm,
            stricter: "Apple signs with PKCS#1 v1.5 only"
        ) { $0.message = { template, _ in template.signers[0].algorithm = .rsaPSS(.sha256) } },
        Forgery(
            "ECDSA", .unsupportedSignatureAlgorithm, alsoFails: [.publicKeys],
            stricter: "Apple signs with RSA only"
        ) {
            $0.template.leaf?.key = TestKeys.ec256
            $0.message = { template, _ in template.signers[0].algorithm = .ecdsa(.sha256) }
        },
        Forgery(
            "the name of another digest in the signature algorithm", .unsupportedSignatureAlgorithm,
            stricter: "libcrypto goes by the digest algorithm alone"
        ) {
            $0.message = { template, _ in
                template.signers[0].algorithm.identifier = SignatureAlgorithm.sha1WithRSA.identifier
            }
        },
        Forgery(
            "parameters in the signature algorithm", .unsupportedSignatureAlgorithm,
            stricter: "libcrypto does not look at the parameters; RFC 3370 wants NULL"
        ) {
            $0.message = { template, _ in
                template.signers[0].algorithm.identifier = .sequence([.oid([1, 2, 840, 113549, 1, 1, 1]), .integer(1)])
            }
        },
    ]

    private static func digest(_ digest: ReceiptForge.DigestAlgorithm) -> Forgery {
        Forgery(
            "digested with \(digest)", .unsupportedDigestAlgorithm,
            stricter: digest == .md5 ? "auth level 0 takes MD5" : "Apple digests with SHA-1 and SHA-256 only"
        ) {
            $0.message = { template, _ in
                template.signers[0].digest = digest
                template.signers[0].algorithm = .rsaEncryption(digest)
            }
        }
    }

    /// SHA-1 of the public key's bits, as the forge puts it into certificates.
    static func keyIdentifier(of certificate: [UInt8]) throws -> [UInt8] {
        let publicKey = try BERNode(parsing: certificate)[[0, 6, 1]].encodedContent.dropFirst()
        return Oracle.digest("SHA1", Array(publicKey))
    }
}
