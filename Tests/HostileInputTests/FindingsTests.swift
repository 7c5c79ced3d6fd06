import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// What fuzzing against libcrypto has found: receipts that were accepted here and refused there.
@Suite struct FindingsTests {
    struct Finding: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `rejected/…` with the reason, or `undecodable/…` with the code.
        let expected: String
        let damage: Damage

        init(_ description: String, _ expected: String, _ damage: Damage) {
            testDescription = description
            self.expected = expected
            self.damage = damage
        }
    }

    /// Child indices inside a certificate: TBSCertificate, signatureAlgorithm, signature; in the first of them the subject
    /// is the sixth, its third RDN here the organisation.
    static let findings = [
        Finding(
            "the embedded root's algorithm has a NULL with content", "rejected/malformed-certificate",
            .edit(.inside(.certificate(2), [1, 1])) { $0.content = .bytes([0]) }),
        Finding(
            "the embedded root's subject has a type without a value", "rejected/malformed-certificate",
            .edit(.inside(.certificate(2), [0, 5, 1, 0])) { $0.children.removeLast() }),
        Finding(
            "the embedded root's subject is not UTF-8", "rejected/malformed-certificate",
            .replace(.inside(.certificate(2), [0, 5, 1, 0, 1]), with: .utf8String("").with([0xC3, 0x28]))),
        Finding(
            "the embedded root has a unique identifier that is no BIT STRING", "rejected/malformed-certificate",
            .editChildren(of: .inside(.certificate(2), [0])) {
                $0.insert(BERNode(BERNode.Tag(.contextSpecific, 2), .bytes([0x08, 0x00])), at: 7)
            }),
        Finding(
            "an unused certificate is an empty SEQUENCE", "rejected/malformed-certificate",
            .replace(.certificate(2), with: .sequence([]))),
        Finding(
            "a digest algorithm is listed that is none", "rejected/unsupported-digest-algorithm",
            .editChildren(of: .digestAlgorithms) { $0.append(.sequence([.oid([1, 2, 840, 113549, 1, 7, 2])])) }),
        Finding(
            "revocation lists that are none", "rejected/revocation-lists-present",
            .editChildren(of: .signedData) { $0.insert(.implicit(1, .set([.integer(1)])), at: 4) }),
        Finding(
            "unsigned attributes that are none", "undecodable/unexpected-tag",
            .editChildren(of: .signer(0)) { $0.append(.implicit(1, .set([.integer(1)]))) }),
        Finding(
            "an unsigned attribute's BOOLEAN has no content", "undecodable/invalid-boolean",
            .editChildren(of: .signer(0)) { fields in
                var boolean = BERNode.boolean(true)
                boolean.content = .bytes([])
                fields.append(.implicit(1, .set([.sequence([.oid([1, 2, 3]), .set([boolean])])])))
            }),
        Finding(
            "a digest algorithm's parameters are a constructed NULL", "undecodable/unsupported-tag",
            .wrongTag(.inside(.digestAlgorithms, [0, 1]), 0x25)),
    ]

    @Test(arguments: findings)
    func isRefusedAsOpenSSLRefusesIt(_ finding: Finding) throws {
        let good = try ForgedReceipt().signed()
        let anchors = good.anchors
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: anchors))
        #expect(try outcome(good.bytes, validator) == "valid")
        let bytes = try good.damaged(finding.damage).bytes
        #expect(try outcome(bytes, validator) == finding.expected)
        #expect(!Oracle.verifyCMS(bytes, roots: good.anchors, at: 1_748_779_200).isOK)
    }

    @Test func unsignedAttributeThatMustBeSigned() throws {
        let good = try ForgedReceipt().signed { template in
            template.signers[0].signedAttributes = .init()
            template.signers[0].unsignedAttributes = [
                .sequence([.oid([1, 2, 840, 113549, 1, 9, 4]), .set([.octetString([])])])
            ]
        }
        let validator = try ReceiptValidator(policy: ValidationPolicy())
        #expect(try outcome(good.bytes, validator) == "undecodable/invalid-extension")
        #expect(!Oracle.verifyCMS(good.bytes, roots: good.anchors, at: 1_748_779_200).isOK)
    }

    struct Extra: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: String
        let edit: @Sendable (inout ChainTemplate) -> Void

        init(_ description: String, _ expected: String, _ edit: @escaping @Sendable (inout ChainTemplate) -> Void) {
            testDescription = description
            self.expected = expected
            self.edit = edit
        }

        /// An extension on the signer's certificate.
        init(_ description: String, _ expected: String, _ arcs: [UInt], _ value: BERNode) {
            self.init(description, expected) { $0.leaf?.extraExtensions = [CertificateExtension(arcs, value)] }
        }
    }

    /// Certificates that the root or the intermediate did sign, and that OpenSSL refuses nevertheless.
    static let extras = [
        Extra("the signer names another key of its issuer", "rejected/signer-signature-mismatch") {
            $0.leaf?.authorityKeyIdentifier = .bytes([1, 2, 3])
        },
        Extra("the intermediate names another key of the root", "rejected/intermediate-signature-mismatch") {
            $0.intermediate?.authorityKeyIdentifier = .bytes([1, 2, 3])
        },
        Extra(
            "name constraints", "rejected/unknown-critical-extension", [2, 5, 29, 30],
            .sequence([
                .explicit(0, .sequence([.sequence([BERNode(BERNode.Tag(.contextSpecific, 2), .bytes([0x61]))])]))
            ])),
        Extra(
            "a proxy certificate", "rejected/unknown-critical-extension", [1, 3, 6, 1, 5, 5, 7, 1, 14],
            .sequence([.sequence([.oid([1, 3, 6, 1, 5, 5, 7, 21, 1])])])),
        Extra("alternative names that are none", "rejected/malformed-certificate", [2, 5, 29, 17], .integer(1)),
        Extra(
            "extended key usage that is malformed", "rejected/malformed-certificate", [2, 5, 29, 37],
            .sequence([BERNode(BERNode.Tag(.universal, 6), .bytes([]))])),
    ]

    @Test(arguments: extras)
    func signedButRefused(_ extra: Extra) throws {
        let good = try ForgedReceipt().signed(by: ForgedPKI { extra.edit(&$0) })
        let anchors = good.anchors
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: anchors))
        #expect(try outcome(good.bytes, validator) == extra.expected)
        #expect(!Oracle.verifyCMS(good.bytes, roots: good.anchors, at: 1_748_779_200).isOK)
    }

    private func outcome(_ bytes: [UInt8], _ validator: ReceiptValidator) throws -> String {
        let receipt: SignedReceipt
        do { receipt = try SignedReceipt(decoding: bytes) } catch { return "undecodable/\(error.code)" }
        let verdict = try validator.validate(receipt)
        let examined = try validator.examine(receipt).verdict
        switch (verdict, examined) {
        case (.valid, .valid): return "valid"
        case (.rejected(let rejection), .rejected(let other)) where rejection.reason == other.reason:
            return "rejected/\(rejection.reason)"
        default: return "two verdicts: \(verdict), \(examined)"
        }
    }
}

extension BERNode {
    fileprivate func with(_ content: [UInt8]) -> BERNode {
        var node = self
        node.content = .bytes(content)
        return node
    }
}
