import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// Receipts that look unusual and are valid all the same; libcrypto must say so too.
@Suite struct AcceptedTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        let name: String
        let edit: @Sendable (inout Scenario) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ edit: @escaping @Sendable (inout Scenario) throws -> Void) {
            self.name = name
            self.edit = edit
        }
    }

    static let variants: [Variant] =
        [
            // The order of certificates, and a root inside the receipt, mean nothing.
            Variant("certificates turned around") { $0.damage = [.reverse(.certificates)] },
            Variant("the intermediate first") { $0.damage = [.swapCertificates(0, 1)] },
            Variant("the root left out") { $0.damage = [.dropCertificate(2)] },
            Variant("another root inside") {
                $0.damage = [.replaceCertificate(2, with: try ForgedPKI(.standard(seed: 1)).root.der)]
            },
            Variant("a root of the same name inside") {
                var template = ChainTemplate.standard()
                template.root.key = TestKeys.rsa2048(9)
                $0.damage = [.replaceCertificate(2, with: try ForgedPKI(template).root.der)]
            },
            Variant("other people's certificates") {
                $0.message = { template, _ in
                    template.certificates =
                        try ForgedPKI(.standard(seed: 1)).certificates + (template.certificates ?? [])
                }
            },
            Variant("every certificate twice") {
                $0.message = { template, _ in
                    template.certificates = (template.certificates ?? []).flatMap { [$0, $0] }
                }
            },
            Variant("an intermediate of the right name and the wrong key before the right one") {
                $0.message = { template, chain in
                    var other = ChainTemplate.standard()
                    other.intermediate?.key = TestKeys.rsa2048(9)
                    let decoy = try #require(try ForgedPKI(other).intermediate)
                    template.certificates = [decoy.der] + (template.certificates ?? [])
                }
            },
            Variant("an intermediate that is no authority before the right one") {
                $0.message = { template, chain in
                    var other = ChainTemplate.standard()
                    other.intermediate?.basicConstraints = .init(isCA: false)
                    other.intermediate?.key = TestKeys.rsa2048(9)
                    other.intermediate?.serial = .integer(77)
                    let decoy = try #require(try ForgedPKI(other).intermediate)
                    template.certificates = [decoy.der] + (template.certificates ?? [])
                }
            },
            Variant("no key identifiers") {
                $0.template.leaf?.authorityKeyIdentifier = .absent
                $0.template.leaf?.subjectKeyIdentifier = .absent
                $0.template.intermediate?.authorityKeyIdentifier = .absent
                $0.template.intermediate?.subjectKeyIdentifier = .absent
            },

            // What RFC 5652 leaves open.
            Variant("version 3") { $0.message = { template, _ in template.version = 3 } },
            Variant("one more digest algorithm") {
                $0.message = { template, _ in
                    template.digestAlgorithms = [.sha1, .sha256].map { (digest: ReceiptForge.DigestAlgorithm) in
                        digest.identifier
                    }
                }
            },
            Variant("a digest without parameters") {
                $0.message = { template, _ in
                    let identifier = BERNode.sequence([.oid(ReceiptForge.DigestAlgorithm.sha256.arcs)])
                    template.digestAlgorithms = [identifier]
                    template.signers[0].digestIdentifier = identifier
                }
            },
            Variant("the combined name of the signature algorithm") {
                $0.message = { template, _ in template.signers[0].algorithm = .rsa(.sha256) }
            },
            Variant("unsigned attributes") {
                $0.message = { template, _ in
                    template.signers[0].unsignedAttributes = [.sequence([.oid([1, 2, 3]), .set([.null])])]
                }
            },
            Variant("signed attributes") { $0.useSignedAttributes() },
            Variant("signed attributes, the least") { $0.useSignedAttributes { $0.signingTime = nil } },
            Variant("signed attributes out of order") { $0.useSignedAttributes { $0.isSorted = false } },
            Variant("signed attributes, one more") {
                $0.useSignedAttributes { $0.extra = [.sequence([.oid([1, 2, 3]), .set([.integer(5)])])] }
            },

            // Encodings.
            Variant("indefinite lengths") {
                $0.message = { template, _ in template.encoding = .indefinite(pieces: nil) }
            },
            Variant("the content in pieces") {
                $0.message = { template, _ in template.encoding = .indefinite(pieces: 100) }
            },
            Variant("long-form lengths") { $0.damage = [.nonMinimalLength(.version), .nonMinimalLength(.signedData)] },
            Variant("signed attributes of indefinite length") {
                $0.useSignedAttributes()
                $0.damage = [.indefiniteLength(.inside(.signer(0), [3]))]
            },

            // Certificates within the profile.
            Variant("no key usage") {
                $0.template.leaf?.keyUsage = nil
                $0.template.intermediate?.keyUsage = nil
                $0.template.root.keyUsage = nil
            },
            Variant("non-repudiation") { $0.template.leaf?.keyUsage = .init([1]) },
            Variant("basic constraints that are not critical") {
                $0.template.intermediate?.basicConstraints?.isCritical = false
            },
            Variant("no basic constraints on the leaf") { $0.template.leaf?.basicConstraints = nil },
            Variant("path lengths") {
                $0.template.root.basicConstraints = .init(isCA: true, pathLength: 1)
                $0.template.intermediate?.basicConstraints = .init(isCA: true, pathLength: 0)
            },
            Variant("an unknown extension that is not critical") {
                $0.template.leaf?.extraExtensions = [CertificateExtension([1, 2, 3, 4, 5], .null)]
            },
            Variant("a leaf in its first second") { $0.template.leaf?.notBefore = "2025-06-01T12:00:00Z" },
            Variant("a leaf in its last second but one") { $0.template.leaf?.notAfter = "2025-06-01T12:00:01Z" },
            Variant("GeneralizedTime") { $0.template.leaf?.notAfter = CertificateTime("2050-01-01T00:00:00Z") },
            Variant("a long serial number") {
                $0.template.leaf?.serial = .integer(magnitude: [UInt8](repeating: 0x9A, count: 20))
            },
            Variant("serial number 0") { $0.template.leaf?.serial = .integer(0) },
            Variant("a negative serial number") { $0.template.leaf?.serial = .integer(-1) },
            Variant("RSA of 1,024 bits") { $0.template.leaf?.key = TestKeys.rsa1024 },
            Variant("RSA of 2,047 bits") { $0.template.leaf?.key = TestKeys.rsa2047 },
            Variant("RSA of 3,072 bits") { $0.template.leaf?.key = TestKeys.rsa3072 },
            Variant("RSA of 4,096 bits") { $0.template.leaf?.key = TestKeys.rsa4096 },
            Variant("e = 3") { $0.template.leaf?.key = TestKeys.rsa2048Exponent3 },
            Variant("SHA-1") { $0.template = .sha1() },
            Variant("another seed") { $0.template = .standard(seed: 5) },
            Variant("Xcode") { $0.useXcode() },
            Variant("no environment") { $0.receipt.environment = nil },
            Variant("no attribute but the creation date") {
                $0.receipt.overrides = Dictionary(uniqueKeysWithValues: (0...25).filter { $0 != 12 }.map { ($0, []) })
            },
        ]
        + CertificateGeneration.all.map { generation in
            Variant("generation \(generation.name)") {
                $0.template = .generation(generation)
                $0.receipt.creationDate = generation.period.notBefore
            }
        }

    @Test(arguments: variants)
    func isAccepted(variant: Variant) throws {
        var scenario = Scenario()
        try variant.edit(&scenario)
        let made = try scenario.make()
        let receipt = try made.receipt
        let time = try #require(receipt.unverifiedReceipt.receiptCreationDate)
        let verdict = try made.verdict()
        let validated = try #require(verdict.validated, "\(verdict)")
        #expect(Array(validated.receipt.attributes.content) == payloadContent(made.message.payload))
        #expect(validated.validationTime == time)
        #expect(try validated.payloadSHA256 == Oracle.digest("SHA256", made.message.payload))
        #expect(made.libcrypto(at: time.millisecondsSince1970 / 1_000) == .ok(made.message.payload))

        let examination = try made.validator.examine(receipt)
        #expect(examination.verdict.rejection == nil)
        #expect(examination.checks.map(\.name) == checkNames)
        #expect(!examination.checks.contains { $0.outcome == .failed })
        #expect(examination.checks.allSatisfy { !$0.detail.isEmpty })
        // Nobody but the owner of the anchor is trusted.
        let stranger = try ReceiptValidator(policy: ValidationPolicy())
        #expect(try stranger.validate(receipt).rejection?.reason.category == .notAuthentic)
    }

    private func payloadContent(_ payload: [UInt8]) -> [UInt8] {
        (try? BERNode(parsing: payload))?.encodedContent ?? []
    }
}
