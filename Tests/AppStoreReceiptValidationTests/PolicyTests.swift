import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// What a policy takes; what it does not take stands in ``Forgery``.
@Suite struct PolicyTests {
    static let deviceTexts: [(text: String, bytes: [UInt8]?)] = [
        ("FFEEDDCC-BBAA-9988-7766-554433221100", (0...15).map { 0xFF - $0 * 0x11 }),
        ("ffeeddcc-bbaa-9988-7766-554433221100", (0...15).map { 0xFF - $0 * 0x11 }),
        ("FFEEDDCCBBAA99887766554433221100", (0...15).map { 0xFF - $0 * 0x11 }),
        ("00:1a:2B:3c:4D:5e", [0, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E]),
        ("00-1A-2B-3C-4D-5E", [0, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E]),
        ("001A2B3C4D5E", [0, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E]),
        ("00", [0]),
        (String(repeating: "ab", count: 128), [UInt8](repeating: 0xAB, count: 128)),
        (String(repeating: "ab", count: 129), nil),
        ("", nil),
        ("0", nil),
        ("001", nil),
        ("0g", nil),
        ("00:1A-2B:3C:4D:5E", nil),
        ("00:1A:2B:3C:4D", nil),
        ("001A:2B3C:4D5E", nil),
        ("FFEEDDCC:BBAA:9988:7766:554433221100", nil),
        ("FFEEDDCCB-BAA-9988-7766-554433221100", nil),
        ("{FFEEDDCC-BBAA-9988-7766-554433221100}", nil),
        ("-", nil),
        ("--------", nil),
        ("00 ", nil),
        ("\u{FF11}\u{FF12}", nil),
    ]

    @Test(arguments: deviceTexts.indices)
    func deviceIdentifier(index: Int) {
        let row = Self.deviceTexts[index]
        #expect(DeviceIdentifier(row.text)?.bytes == row.bytes)
        if row.bytes != nil { #expect(DeviceIdentifier(row.text)?.description == row.text) }
    }

    @Test func theDeviceThatFittedIsReported() throws {
        var scenario = Scenario()
        scenario.receipt.deviceID = [0, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E]
        scenario.policy = { policy in
            policy.deviceIdentifiers = ["FFEEDDCC-BBAA-9988-7766-554433221100", "00:1A:2B:3C:4D:5E", "001A2B3C4D5E"]
                .compactMap { DeviceIdentifier($0) }
        }
        let made = try scenario.make()
        #expect(try made.verdict().validated?.matchedDeviceIdentifier?.description == "00:1A:2B:3C:4D:5E")
        scenario.policy = { _ in }
        let validated = try #require(try scenario.make().verdict().validated)
        #expect(validated.matchedDeviceIdentifier == nil)
    }

    static let accepted: [Forgery] = {
        let row = { (name: String, edit: @escaping @Sendable (inout Scenario) throws -> Void) in
            Forgery(name, .signatureMismatch, edit)
        }
        return [
            row("production") { $0.policy = { $0.environments = [.production] } },
            row("production, bought in volume") {
                $0.receipt.environment = .productionVPP
                $0.policy = { $0.environments = [.production] }
            },
            row("sandbox") {
                $0.receipt.environment = .sandbox
                $0.policy = { $0.environments = [.production, .sandbox] }
            },
            row("sandbox, bought in volume") {
                $0.receipt.environment = .sandboxVPP
                $0.policy = { $0.environments = [.sandbox] }
            },
            row("Xcode") {
                $0.useXcode()
                $0.policy = { $0.environments = [.xcode] }
            },
            row("the app") { $0.policy = { $0.bundleIdentifiers = ["com.example.other", "com.example.app"] } },
            row("the version") { $0.policy = { $0.applicationVersions = ["1.2.3"] } },
            row("products and transactions, some of several") {
                $0.receipt.purchases = ["a", "b", "c"].enumerated().map { number, product in
                    ForgedPurchase.consumable(product).with { $0.transactionID = "\(number)" }
                }
                $0.policy = {
                    $0.productIdentifiers = ["c", "a"]
                    $0.transactionIdentifiers = ["0", "1"]
                }
            },
            row("of this very moment") {
                $0.policy = { $0.maximumAge = .zero }
                $0.date = Forgery.at(Scenario.creation)
            },
            row("a date without a maximum age") { $0.date = Forgery.at(0) },
            row("a volume purchase, no date given") {
                $0.receipt.expirationDate = "2025-06-01T12:00:00Z"
            },
            row("a volume purchase in its last millisecond") {
                $0.receipt.expirationDate = "2025-06-01T12:00:00Z"
                $0.date = ReceiptDate(millisecondsSince1970: Scenario.creation * 1_000 - 1)
            },
            row("at another time") { $0.policy = { $0.validationTime = .at(Forgery.at(1_300_000_000)) } },
            row("SHA-256 only, under a root that is signed with SHA-1") { $0.policy = { $0.acceptsSHA1 = false } },
        ]
    }()

    @Test(arguments: accepted)
    func takes(row: Forgery) throws {
        var scenario = Scenario()
        try row.edit(&scenario)
        let made = try scenario.make()
        #expect(try made.verdict().rejection == nil)
        #expect(try made.validator.examine(made.receipt, asOf: made.date).verdict.rejection == nil)
    }

    @Test func presets() throws {
        let store = ValidationPolicy.appStore(bundleIdentifiers: ["a"])
        #expect(store.roots == TrustAnchor.apple)
        #expect(store.environments == [.production])
        #expect(store.bundleIdentifiers == ["a"])
        #expect(store.validationTime == .receiptCreation)
        #expect(ValidationPolicy().roots == [.appleRootCA, .appleRootCAG3])
        let signer = try DirectSigner(certificate: ForgedPKI(.xcode()).root.der)
        let xcode = ValidationPolicy.xcode(certificate: signer, bundleIdentifiers: ["a"])
        #expect(xcode.roots == [] && xcode.directSigners == [signer])
        #expect(xcode.environments == [.xcode])
    }

    @Test func whatUsedSHA1IsReported() throws {
        let rows: [(usesSHA1: Bool, edit: (inout ChainTemplate) -> Void)] = [
            (false, { _ in }), (true, { $0 = .sha1() }), (true, { $0.digest = .sha1 }),
            (true, { $0.leaf?.signatureAlgorithm = .sha1WithRSA }),
            (true, { $0.intermediate?.signatureAlgorithm = .sha1WithRSA }),
            // Nobody relies on the root's own signature.
            (false, { $0.root.signatureAlgorithm = .sha1WithRSA }),
        ]
        for row in rows {
            var scenario = Scenario()
            row.edit(&scenario.template)
            #expect(try scenario.make().verdict().validated?.usesSHA1 == row.usesSHA1)
        }
    }

    /// Several anchors, the right one not the first; two of one name.
    @Test func severalAnchors() throws {
        var sameName = ChainTemplate.standard()
        sameName.root.key = TestKeys.rsa2048(9)
        let right = try ForgedPKI().anchors
        var scenario = Scenario()
        scenario.anchors =
            [TrustAnchor.appleRootCA.certificate] + (try ForgedPKI(sameName).anchors)
            + (try ForgedPKI(.xcode()).anchors) + right
        let made = try scenario.make()
        #expect(try made.verdict().rejection == nil)
        #expect(made.libcrypto().isOK)
    }

    @Test func certificatesAreSummarised() throws {
        var scenario = Scenario()
        scenario.template.leaf?.serial = .integer(0)
        scenario.template.intermediate?.serial = .integer(magnitude: [0x0A, 0xBC])
        let made = try scenario.make()
        let summaries = try made.validator.examine(made.receipt).certificates
        #expect(summaries.map(\.serialNumber) == ["00", "0abc", "02"])
        #expect(summaries.map(\.isSigner) == [true, false, false])
        #expect(summaries.map(\.markers) == [["1.2.840.113635.100.6.11.1"], ["1.2.840.113635.100.6.2.1"], []])
        #expect(summaries.map(\.signatureAlgorithm).first == "sha256WithRSAEncryption")
        #expect(summaries.last?.signatureAlgorithm == "sha1WithRSAEncryption")
        #expect(summaries[0].notBefore.description == "2008-01-01T00:00:00Z")
        #expect(summaries[0].notAfter.description == "2049-12-31T23:59:59Z")
        #expect(summaries[0].issuer == summaries[1].subject)
        #expect(
            summaries[2].subject
                == "CN=Apple Root CA, OU=Apple Certification Authority, O=Receipt Forge, tests only, C=US")
    }
}
