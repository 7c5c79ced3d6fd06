import AppStoreReceipt
import OracleSupport
import ReceiptForge
import Testing

@testable import AppStoreReceiptValidation

/// Every way in which a transaction receipt is accepted or rejected, with forged ones.
struct TransactionReceiptValidationTests {
    static let date: Int64 = 1_458_043_200

    /// A policy that trusts a forged chain: its root, its intermediate as the one to use, pinned where it has to be.
    static func policy(_ pki: ForgedPKI, pinned: Bool = false) throws -> ValidationPolicy {
        var policy = try ValidationPolicy(trusting: pki.anchors)
        policy.intermediates = [pki.intermediate?.der].compactMap(\.self)
        if pinned {
            policy.transactionReceipts.purchaseReceiptAuthorities = Set(
                try policy.intermediates.map { try CertificateFingerprint(of: $0) })
        }
        return policy
    }

    /// Judges a receipt in both ways, which must agree.
    static func reason(
        _ signed: ForgedTransactionReceipt.Signed, _ policy: ValidationPolicy, asOf date: ReceiptDate? = nil
    ) throws -> Rejection.Reason? {
        let receipt = try SignedTransactionReceipt(decoding: signed.bytes)
        let validator = try ReceiptValidator(policy: policy)
        let first = try validator.validate(receipt, asOf: date)
        let examination = try validator.examine(receipt, asOf: date)
        let again = try validator.validate(receipt, asOf: date)  // Now with the chain in the cache, if it is good.
        #expect(first.rejection == examination.verdict.rejection && first.rejection == again.rejection)
        #expect(examination.checks.first { $0.outcome == .failed }?.detail == first.rejection?.message)
        #expect(Set(examination.checks.map(\.name.rawValue)) == Set(checkNames))
        #expect(examination.checks.count == checkNames.count)
        return first.rejection?.reason
    }

    /// Every receipt is asked the same questions.
    static let checkNames = [
        "signature-algorithm", "validation-time", "signer-certificate", "intermediate-certificate", "basic-constraints",
        "key-usage", "anchor", "certificate-algorithms", "public-keys", "critical-extensions", "signer-marker",
        "intermediate-marker", "intermediate-signature", "signer-signature", "validity", "signature",
        "environment-vouched-for", "sha1", "readable", "environment", "bundle-identifier", "app-identifier",
        "application-version", "account-token", "device",
        "products",
        "transactions", "expiration", "age",
    ]

    // MARK: - Authenticity

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var template = ChainTemplate.sha1()
        var receipt = ForgedTransactionReceipt()
        var pinned = false
        var reason: Rejection.Reason?
        /// Whether libcrypto, which knows neither markers nor policies, accepts the chain at the purchase date.
        var isChainGood = true
        var change: @Sendable (inout ForgedTransactionReceipt.Signed) -> Void = { _ in }
        var adjust: @Sendable (inout ValidationPolicy) -> Void = { _ in }
    }

    static let rows: [Row] = [
        Row("version 3") { _ in },
        Row("version 3 under G1", .generation(.g1)) { _ in },
        Row("version 4", .standard()) { $0.receipt.version = 4 },
        Row("version 4 under a SHA-1 chain") { $0.receipt.version = 4 },
        Row("version 2, pinned", .purchaseReceipts()) {
            $0.receipt.version = 2
            $0.pinned = true
        },
        Row("version 2, not pinned", .purchaseReceipts(), .signerMarkerMissing) { $0.receipt.version = 2 },
        Row("version 2 with a receipt certificate of 1,024 bits") {
            $0.template.leaf?.key = TestKeys.rsa1024
            $0.receipt.version = 2
            $0.pinned = true
        },
        Row("purchase receipt certificate under a receipt authority", .signerMarkerMissing) {
            $0.template.leaf?.markers = [ChainTemplate.purchaseReceiptMarker]
        },
        Row(
            "receipt certificate under the pinned purchase receipt authority", .purchaseReceipts(), .signerMarkerMissing
        ) {
            $0.template.leaf?.markers = [ChainTemplate.leafMarker]
            $0.receipt.version = 2
            $0.pinned = true
        },
        Row("pinned authority without the marker of one", .purchaseReceipts(), .signerMarkerMissing) {
            $0.template.intermediate?.markers = []
            $0.receipt.version = 2
            $0.pinned = true
        },
        Row("under a receipt authority that was pinned to no purpose") { $0.pinned = true },
        Row("developer's certificate", .signerMarkerMissing) { $0.template.leaf?.markers = [] },
        Row("intermediate without marker", .intermediateMarkerMissing) { $0.template.intermediate?.markers = [] },
        Row("intermediate not at hand", .intermediateMissing) {
            $0.adjust = { $0.intermediates = [] }
        },
        Row("intermediate that cannot be decoded", .intermediateMissing) {
            $0.adjust = { $0.intermediates = [[0x30, 0]] }
        },
        Row("root not trusted", .untrustedRoot) { $0.adjust = { $0.roots = [.appleRootCA] } },
        Row("intermediate is not an authority", .notACertificateAuthority) {
            $0.template.intermediate?.basicConstraints = .init(isCA: false)
            $0.isChainGood = false
        },
        Row("leaf may not sign", .keyUsage) { $0.template.leaf?.keyUsage = .init([5]) },
        Row("leaf expired", .certificateExpired) {
            $0.template.leaf?.notAfter = "2016-03-15T12:00:00Z"
            $0.isChainGood = false
        },
        Row("leaf not valid yet", .certificateNotYetValid) {
            $0.template.leaf?.notBefore = "2016-03-15T12:00:01Z"
            $0.isChainGood = false
        },
        Row("intermediate expired", .certificateExpired) {
            $0.template.intermediate?.notAfter = "2016-01-01T00:00:00Z"
            $0.isChainGood = false
        },
        Row("leaf signed by another key", .signerSignatureMismatch) {
            $0.template.leaf?.signingKey = TestKeys.rsa2048(7)
            $0.isChainGood = false
        },
        Row("intermediate signed by another key", .intermediateSignatureMismatch) {
            $0.template.intermediate?.signingKey = TestKeys.rsa2048(7)
            $0.isChainGood = false
        },
        Row("leaf is no certificate", .malformedCertificate) {
            $0.isChainGood = false
            $0.change = { $0.certificate = [0x30, 0] }
        },
        Row("SHA-1 not accepted", .sha1NotAccepted) { $0.adjust = { $0.acceptsSHA1 = false } },
        Row("version 3 under a SHA-256 chain, SHA-1 not accepted", .standard(), .sha1NotAccepted) {
            $0.adjust = { $0.acceptsSHA1 = false }
        },
        Row("version 4 under a SHA-1 chain, SHA-1 not accepted", .sha1NotAccepted) {
            $0.receipt.version = 4
            $0.adjust = { $0.acceptsSHA1 = false }
        },
        Row("version 4, SHA-1 not accepted", .standard()) {
            $0.receipt.version = 4
            $0.adjust = { $0.acceptsSHA1 = false }
        },
        Row("at another time, out of the window", .generation(.g1), .certificateExpired) {
            $0.adjust = { $0.validationTime = .at(ReceiptDate(millisecondsSince1970: 1_700_000_000_000)) }
        },
        Row("no purchase date", .purchaseDateMissing) {
            $0.receipt.purchaseInfo["purchase-date"] = nil
            $0.receipt.purchaseInfo["purchase-date-ms"] = nil
            $0.adjust = { $0.validationTime = .at(ReceiptDate(millisecondsSince1970: 1_458_043_200_000)) }
        },
        // What was signed.
        Row("changed purchase-info", .signatureMismatch) {
            $0.change = { $0.purchaseInfo.replace("com.example.coins".utf8, with: "com.example.gold!".utf8) }
        },
        Row("changed white space in the purchase-info", .signatureMismatch) {
            $0.change = { $0.purchaseInfo.append(10) }
        },
        Row("changed signature", .signatureMismatch) { $0.change = { $0.signature[128] ^= 1 } },
        Row("signature of zeros", .signatureMismatch) {
            $0.change = { $0.signature = [UInt8](repeating: 0, count: 256) }
        },
        Row("version 3 passed off as 4", .signatureMismatch) { $0.change = { $0.version = 4 } },
        Row("version 4 passed off as 3", .signatureMismatch) {
            $0.receipt.version = 4
            $0.change = { $0.version = 3 }
        },
        Row("version 4 signed with SHA-1", .signatureMismatch) {
            $0.receipt.version = 4
            $0.receipt.digest = .sha1
        },
        Row("version 3 signed with SHA-256", .signatureMismatch) { $0.receipt.digest = .sha256 },
        Row("version byte not signed", .signatureMismatch) { $0.receipt.signedPrefix = [] },
        Row("another version byte signed", .signatureMismatch) { $0.receipt.signedPrefix = [2] },
        Row("signature of 128 bytes under a key of 256", .purchaseReceipts(), .signatureMismatch) {
            $0.template.leaf?.key = TestKeys.rsa2048(2)
            $0.receipt.version = 2
            $0.pinned = true
            $0.change = { $0.signature.removeLast(128) }
        },
        Row("signature of 256 bytes under a key of 128", .signatureMismatch) {
            $0.template.leaf?.key = TestKeys.rsa1024
            $0.change = { $0.signature = [UInt8](repeating: 0, count: 128) + $0.signature }
        },
    ]

    @Test(arguments: rows)
    func judges(row: Row) throws {
        let pki = try ForgedPKI(row.template)
        var policy = try Self.policy(pki, pinned: row.pinned)
        row.adjust(&policy)
        var signed = try row.receipt.signed(by: pki)
        row.change(&signed)
        #expect(try Self.reason(signed, policy) == row.reason)
        let oracle = Oracle.verifyCertificate(
            signed.certificate, intermediates: [pki.intermediate?.der].compactMap(\.self), roots: pki.anchors,
            at: Self.date)
        #expect(oracle.isOK == row.isChainGood, "\(oracle)")
    }

    @Test(arguments: SignatureAlgorithm.PaddingFlaw.allCases)
    func paddingFlaws(flaw: SignatureAlgorithm.PaddingFlaw) throws {
        let pki = try ForgedPKI(.sha1())
        var receipt = ForgedTransactionReceipt()
        receipt.flaw = flaw
        #expect(
            try Self.reason(receipt.signed(by: pki), Self.policy(pki)) == (flaw == .none ? nil : .signatureMismatch))
    }

    /// Two intermediates of one name, as WWDR 2008 and G1 are: the one that signed is found, wherever it stands.
    @Test(arguments: [false, true])
    func intermediatesOfOneName(reversed: Bool) throws {
        let pki = try ForgedPKI(.sha1())
        let other = try ForgedPKI(.sha1()) { $0.intermediate?.key = TestKeys.rsa2048(5) }
        var policy = try Self.policy(pki)
        policy.intermediates.append(try #require(other.intermediate?.der))
        if reversed { policy.intermediates.reverse() }
        #expect(try Self.reason(ForgedTransactionReceipt().signed(by: pki), policy) == nil)
        #expect(try Self.reason(ForgedTransactionReceipt().signed(by: other), policy) == nil)
    }

    /// A certificate that a policy trusts for Xcode's receipts, whose key anybody has, signs no transaction receipts.
    @Test func directlyTrustedSignersDoNotCount() throws {
        let pki = try ForgedPKI(.xcode()) { $0.root.notBefore = "2010-01-01T00:00:00Z" }
        #expect(
            try Self.reason(ForgedTransactionReceipt().signed(by: pki), Self.policy(pki)) == .environmentNotVouchedFor)
    }

    /// A chain that is good for transaction receipts only stays so: the cache does not carry it over to app receipts.
    @Test func cachesAreApart() throws {
        let pki = try ForgedPKI(.purchaseReceipts()) { $0.leaf?.key = TestKeys.rsa2048(2) }
        let validator = try ReceiptValidator(policy: Self.policy(pki, pinned: true))
        var info = ForgedTransactionReceipt(version: 3)
        info.signedPrefix = [3]
        let transaction = try SignedTransactionReceipt(decoding: info.signed(by: pki).bytes)
        var app = ForgedReceipt()
        app.creationDate = "2016-03-15T12:00:00Z"
        let receipt = try SignedReceipt(decoding: app.signed(by: pki).bytes)
        for _ in 0..<2 {
            #expect(try validator.validate(transaction).validated?.usesPurchaseReceiptCertificate == true)
            #expect(try validator.validate(receipt).rejection?.reason == .signerMarkerMissing)
        }
    }

    // MARK: - Expectations

    @Test(arguments: Expectation.rows)
    func expects(row: Expectation) throws {
        let pki = try ForgedPKI(.sha1())
        var policy = try Self.policy(pki)
        row.expect(&policy)
        var receipt = ForgedTransactionReceipt(purchaseInfo: .subscription)
        row.change(&receipt)
        #expect(try Self.reason(receipt.signed(by: pki), policy, asOf: row.date) == row.reason)
    }

    struct Expectation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var reason: Rejection.Reason?
        var date: ReceiptDate?
        var change: @Sendable (inout ForgedTransactionReceipt) -> Void = { _ in }
        let expect: @Sendable (inout ValidationPolicy) -> Void

        init(
            _ name: String, _ reason: Rejection.Reason? = nil, asOf date: String? = nil,
            change: @escaping @Sendable (inout ForgedTransactionReceipt) -> Void = { _ in },
            _ expect: @escaping @Sendable (inout ValidationPolicy) -> Void
        ) {
            testDescription = name
            self.reason = reason
            self.date = date.flatMap { ReceiptDate(rfc3339: $0) }
            self.change = change
            self.expect = expect
        }

        static let vendor = "01234567-89AB-4CDE-8F01-23456789ABCD"
        static let unique = "0123456789abcdef0123456789abcdef01234567"

        static let rows = [
            Expectation("app") { $0.bundleIdentifiers = ["com.example.app", "x"] },
            Expectation("another app", .bundleIdentifierMismatch) { $0.bundleIdentifiers = ["com.example.App"] },
            Expectation("no app expected", .bundleIdentifierMismatch) { $0.bundleIdentifiers = [] },
            Expectation(
                "no app", .bundleIdentifierMismatch, change: { $0.purchaseInfo["bid"] = nil },
                { $0.bundleIdentifiers = ["com.example.app", ""] }),
            Expectation("version") { $0.applicationVersions = ["1.2.3"] },
            Expectation("another version", .applicationVersionMismatch) { $0.applicationVersions = ["1.2"] },
            Expectation("product") { $0.productIdentifiers = ["com.example.monthly"] },
            Expectation("another product", .productMissing) { $0.productIdentifiers = ["com.example.coins"] },
            Expectation("two products", .productMissing) {
                $0.productIdentifiers = ["com.example.monthly", "com.example.coins"]
            },
            Expectation("no product expected", .productMissing) { $0.productIdentifiers = [] },
            Expectation("transaction") { $0.transactionIdentifiers = ["170000200000002"] },
            Expectation("original transaction", .transactionMissing) {
                $0.transactionIdentifiers = ["170000200000001"]
            },
            Expectation("device by vendor") {
                $0.deviceIdentifiers = [vendor.lowercased(), unique].compactMap { DeviceIdentifier($0) }
            },
            Expectation("device by identifier") { $0.deviceIdentifiers = [unique].compactMap { DeviceIdentifier($0) } },
            Expectation("another device", .deviceMismatch) {
                $0.deviceIdentifiers = [DeviceIdentifier(bytes: [UInt8](repeating: 1, count: 16))]
            },
            Expectation("no device expected", .deviceMismatch) { $0.deviceIdentifiers = [] },
            Expectation(
                "no device", .deviceMismatch,
                change: {
                    $0.purchaseInfo["unique-identifier"] = ""
                    $0.purchaseInfo["unique-vendor-identifier"] = nil
                },
                { $0.deviceIdentifiers = [DeviceIdentifier(bytes: [])] }),
            Expectation("young", asOf: "2016-03-15T13:00:00Z") { $0.maximumAge = .seconds(3600) },
            Expectation("old", .receiptTooOld, asOf: "2016-03-15T13:00:00.001Z") { $0.maximumAge = .seconds(3600) },
            Expectation("from the future", .createdInTheFuture, asOf: "2016-03-15T11:00:00Z") {
                $0.maximumAge = .seconds(3600)
            },
            Expectation("age without date", .dateMissing) { $0.maximumAge = .seconds(3600) },
            // The subscription has ended, which is for the caller to judge.
            Expectation("ended", asOf: "2020-01-01T00:00:00Z") { $0.productIdentifiers = nil },
        ]
    }

    /// What is stated outside the signature can only speak against a receipt, unless the policy believes it.
    @Test(arguments: [
        EnvironmentRow("Sandbox", .sandbox, [.sandbox], nil, nil),
        EnvironmentRow("Sandbox", .sandbox, [.production, .sandbox], nil, nil),
        EnvironmentRow("Sandbox", .sandbox, [.production], .environmentMismatch, .environmentMismatch),
        EnvironmentRow("Sandbox", .sandbox, [], .environmentMismatch, .environmentMismatch),
        // A sandbox receipt with the line taken away.
        EnvironmentRow(nil, .sandbox, [.production], .environmentMismatch, .environmentMismatch),
        EnvironmentRow(nil, .sandbox2021, [.production], .environmentMismatch, .environmentMismatch),
        EnvironmentRow("Production", .sandbox, [.production], .environmentMismatch, .environmentMismatch),
        EnvironmentRow(nil, .sandbox, [.sandbox], nil, nil),
        EnvironmentRow(nil, .production, [.production], .environmentNotSigned, nil),
        EnvironmentRow("Production", .production, [.production], .environmentNotSigned, nil),
        EnvironmentRow(nil, .production, [.sandbox], .environmentMismatch, .environmentMismatch),
        EnvironmentRow("Sandbox", .production, [.sandbox], .environmentNotSigned, nil),
        EnvironmentRow("Sandbox", .production, [.production], .environmentMismatch, .environmentMismatch),
        EnvironmentRow(
            "Xcode", .production, [.xcode, .production, .sandbox], .environmentMismatch, .environmentMismatch),
        EnvironmentRow("sandbox", .sandbox, [.sandbox], .environmentMismatch, .environmentMismatch),
        EnvironmentRow("", .production, [.production], .environmentMismatch, .environmentMismatch),
    ])
    func environments(row: EnvironmentRow) throws {
        let pki = try ForgedPKI(.sha1())
        var policy = try Self.policy(pki)
        policy.environments = row.expected
        var receipt = ForgedTransactionReceipt()
        receipt.envelope["environment"] = row.stated
        receipt.purchaseInfo["transaction-id"] = row.number.rawValue
        #expect(try Self.reason(receipt.signed(by: pki), policy) == row.reason)
        policy.transactionReceipts.acceptsUnsignedEnvironment = true
        #expect(try Self.reason(receipt.signed(by: pki), policy) == row.reasonWhenBelieved)
    }

    struct EnvironmentRow: Sendable {
        enum Number: String {
            case sandbox = "1000000200000001"
            case sandbox2021 = "2000000200000001"
            case production = "170000200000001"
        }
        let stated: String?
        let number: Number
        let expected: Set<ReceiptEnvironment>
        let reason: Rejection.Reason?
        let reasonWhenBelieved: Rejection.Reason?

        init(
            _ stated: String?, _ number: Number, _ expected: Set<ReceiptEnvironment>, _ reason: Rejection.Reason?,
            _ reasonWhenBelieved: Rejection.Reason?
        ) {
            (self.stated, self.number, self.expected) = (stated, number, expected)
            (self.reason, self.reasonWhenBelieved) = (reason, reasonWhenBelieved)
        }
    }

    @Test func validatedReceiptTellsWhatItRestsOn() throws {
        let pki = try ForgedPKI(.standard())
        let signed = try ForgedTransactionReceipt(version: 4, purchaseInfo: .subscription).signed(by: pki)
        var policy = try Self.policy(pki)
        let device = try #require(DeviceIdentifier(Expectation.vendor))
        policy.deviceIdentifiers = [DeviceIdentifier(bytes: [1]), device]
        let receipt = try SignedTransactionReceipt(decoding: signed.bytes)
        let validated = try #require(try ReceiptValidator(policy: policy).validate(receipt).validated)
        #expect(validated.matchedDeviceIdentifier == device)
        #expect(!validated.usesSHA1 && !validated.usesPurchaseReceiptCertificate)
        #expect(validated.unsignedEnvelope.environment == "Sandbox")
        #expect(try validated.payloadSHA256 == Oracle.digest("SHA256", signed.purchaseInfo))
        let end = try #require(validated.receipt.expiresDate)
        #expect(validated.receipt.hasExpired(at: end))
        #expect(!validated.receipt.hasExpired(at: ReceiptDate(millisecondsSince1970: end.millisecondsSince1970 - 1)))
        let certificate = try #require(try receipt.certificateSummaries.first)
        #expect(certificate.isSigner && certificate.markers == ["1.2.840.113635.100.6.11.1"])
    }
}

extension TransactionReceiptValidationTests.Row {
    init(
        _ name: String, _ template: ChainTemplate, _ reason: Rejection.Reason? = nil, _ edit: (inout Self) -> Void
    ) {
        self.init(testDescription: name, template: template, reason: reason)
        edit(&self)
    }

    init(_ name: String, _ reason: Rejection.Reason? = nil, _ edit: (inout Self) -> Void) {
        self.init(name, .sha1(), reason, edit)
    }
}
