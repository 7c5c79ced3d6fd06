import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import TestSupport
import Testing

/// Signed JSON and App Attest receipts: genuine ones, and forged ones with one defect each.
@Suite struct SignedJSONTests {
    static let kinds: Set<DocumentKind> = [
        .signedTransaction, .signedRenewalInfo, .signedAppTransaction, .notification, .appAttestReceipt,
    ]

    /// `valid`, the reason of a rejection, or the code of a decoding error.
    static func outcome(
        _ text: [UInt8], _ policy: ValidationPolicy = ValidationPolicy(), asOf date: ReceiptDate? = nil
    ) throws -> String {
        do throws(ReceiptDecodingError) {
            let document = try AnySignedDocument(transport: text, accepting: kinds)
            let validator = try! ReceiptValidator(policy: policy)
            // The second time the chain is known, and nothing may change.
            let first = try! validator.validate(document, asOf: date)
            let second = try! validator.validate(document, asOf: date)
            #expect(first.rejection == second.rejection)
            return first.rejection?.reason.rawValue ?? "valid"
        } catch {
            return error.code.rawValue
        }
    }

    // MARK: - Genuine

    /// Signed by Apple: valid at their signing date. All others are not.
    @Test(arguments: Corpus.paths("jws", suffix: ".jws")) func takesWhatAppleSignedAndNothingElse(_ path: String) throws
    {
        let name = String(path.split(separator: "/").last ?? "")
        let text = try Corpus.bytes(path)
        let outcome = try Self.outcome(text)
        if name.hasPrefix("apple") {
            #expect(outcome == "valid")
        } else if name.hasPrefix("xcode") {
            #expect(outcome == "self-signed-signer")
            let trusted = try Self.trustingSigner(of: text)
            #expect(try Self.outcome(text, trusted) == "valid")
        } else {
            #expect(outcome != "valid")
        }
    }

    static func trustingSigner(of text: [UInt8]) throws -> ValidationPolicy {
        let header = try #require(text.split(separator: UInt8(ascii: ".")).first)
        let base64 = String(decoding: header, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
        let json = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: padded))) as? [String: Any]
        let certificate = try #require((json?["x5c"] as? [String])?.first.flatMap { Data(base64Encoded: $0) })
        return try ValidationPolicy(trusting: [[UInt8](certificate)])
    }

    @Test(arguments: Corpus.paths("appattest/receipts", suffix: ".der"))
    func takesAppAttestReceiptsSinceTheyAreWellFormed(_ path: String) throws {
        let bytes = try Corpus.bytes(path)
        let receipt = try SignedAppAttestReceipt(decoding: bytes).unverifiedReceipt
        #expect(receipt.unreadableAttributes.isEmpty && receipt.attestedPublicKey?.count == 65)
        let isMalformed = try #require(receipt.creationTime) < #require(ReceiptDate(rfc3339: "2020-10-04T00:00:00Z"))
        #expect(try Self.outcome(bytes) == (isMalformed ? "signature-mismatch" : "valid"))
    }

    // MARK: - Forged

    static let documents: [(String, ForgedPayload)] = [
        ("transaction", .transaction()), ("renewal info", .renewalInfo()), ("app transaction", .appTransaction()),
        ("notification", .notification("TEST")),
    ]

    static func policy(_ jws: ForgedJWS) throws -> ValidationPolicy { try ValidationPolicy(trusting: jws.anchors) }

    @Test func takesEachKindUnderItsOwnRoot() throws {
        for (name, payload) in Self.documents {
            let jws = try ForgedJWS(payload)
            let text = Array(try jws.text().utf8)
            #expect(try Self.outcome(text, Self.policy(jws)) == "valid", "\(name)")
            #expect(try Self.outcome(text) == "untrusted-root", "\(name)")
            #expect(try Self.outcome(Array(try jws.text(.negatedS).utf8), Self.policy(jws)) == "valid", "\(name)")
            let body = "{\"signedPayload\":\"\(try jws.text())\"}"
            #expect(try Self.outcome(Array(body.utf8), Self.policy(jws)) == "valid", "\(name)")
        }
    }

    /// The document's own door repairs nothing; all other damage is in the vectors.
    @Test(arguments: [JWSDamage.spaceBefore, .lineFeedBehind]) func repairsNothing(_ damage: JWSDamage) throws {
        let text = try ForgedJWS(.transaction()).text(damage)
        #expect(throws: ReceiptDecodingError.self) { try SignedTransaction(decoding: text) }
    }

    struct Chain: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: String
        let edit: @Sendable (inout ChainTemplate) -> Void
    }

    static let chains = [
        Chain(testDescription: "leaf on P-384", expected: "unsupported-public-key") {
            $0.leaf?.key = TestKeys.ec384Third
        },
        Chain(testDescription: "RSA leaf", expected: "unsupported-public-key") { $0.leaf?.key = TestKeys.rsa2048(0) },
        Chain(testDescription: "intermediate on P-256", expected: "unsupported-public-key") {
            $0.intermediate?.key = TestKeys.ec256Other
        },
        Chain(testDescription: "no leaf marker", expected: "signer-marker-missing") { $0.leaf?.markers = [] },
        Chain(testDescription: "App Attest's leaf marker", expected: "signer-marker-missing") {
            $0.leaf?.markers = [ChainTemplate.appAttestLeafMarker]
        },
        Chain(testDescription: "no intermediate marker", expected: "intermediate-marker-missing") {
            $0.intermediate?.markers = []
        },
        Chain(testDescription: "leaf signed with SHA-256", expected: "unsupported-signature-algorithm") {
            $0.leaf?.signatureAlgorithm = .ecdsa(.sha256)
        },
        Chain(testDescription: "NULL beside the algorithm", expected: "unsupported-signature-algorithm") {
            let plain = SignatureAlgorithm.ecdsa(.sha384)
            $0.leaf?.signatureAlgorithm = SignatureAlgorithm(
                identifier: .sequence(plain.identifier.children + [.null]), scheme: plain.scheme)
        },
        Chain(testDescription: "leaf not signed by the intermediate", expected: "signer-signature-mismatch") {
            $0.leaf?.signingKey = TestKeys.ec384
        },
        Chain(testDescription: "intermediate not signed by the root", expected: "intermediate-signature-mismatch") {
            $0.intermediate?.signingKey = TestKeys.ec384Third
        },
        Chain(testDescription: "leaf ended", expected: "certificate-expired") {
            $0.leaf?.notAfter = "2025-09-30T00:00:00Z"
        },
        Chain(testDescription: "leaf not begun", expected: "certificate-not-yet-valid") {
            $0.leaf?.notBefore = "2025-10-02T00:00:00Z"
        },
        Chain(testDescription: "no authority", expected: "not-a-certificate-authority") {
            $0.intermediate?.basicConstraints = .init(isCA: false)
        },
        Chain(testDescription: "point off the curve", expected: "unsupported-public-key") {
            $0.leaf?.publicKeyInfo = ecInfo([1, 2, 840, 10045, 3, 1, 7], [0x04] + [UInt8](repeating: 1, count: 64))
        },
        Chain(testDescription: "compressed point", expected: "unsupported-public-key") {
            $0.leaf?.publicKeyInfo = ecInfo([1, 2, 840, 10045, 3, 1, 7], [0x02] + [UInt8](repeating: 1, count: 32))
        },
        Chain(testDescription: "other curve", expected: "unsupported-public-key") {
            $0.leaf?.publicKeyInfo = ecInfo([1, 3, 132, 0, 10], [0x04] + [UInt8](repeating: 1, count: 64))
        },
    ]

    static func ecInfo(_ curve: [UInt], _ point: [UInt8]) -> BERNode {
        .sequence([.sequence([.oid([1, 2, 840, 10045, 2, 1]), .oid(curve)]), .bitString(point)])
    }

    @Test(arguments: chains) func namesEachChain(_ chain: Chain) throws {
        let pki = try ForgedPKI(.jws(), editing: chain.edit)
        var jws = try ForgedJWS(.transaction(), by: pki)
        // The key that signs plays no part where the certificate's is refused.
        jws.key = TestKeys.ec256
        #expect(try Self.outcome(Array(try jws.text().utf8), Self.policy(jws)) == chain.expected)
    }

    @Test func noProfileTakesTheChainOfAnother() throws {
        let attest = try ForgedJWS(.transaction(), by: ForgedPKI(.appAttest()))
        #expect(
            try Self.outcome(Array(try attest.text().utf8), Self.policy(attest)) == "unsupported-signature-algorithm")
        let xcode = try ForgedJWS(.transaction(environment: "Xcode"), by: ForgedPKI(.xcodeJWS()))
        #expect(try Self.outcome(Array(try xcode.text().utf8), Self.policy(xcode)) == "valid")
        let production = try ForgedJWS(.transaction(), by: ForgedPKI(.xcodeJWS()))
        #expect(
            try Self.outcome(Array(try production.text().utf8), Self.policy(production))
                == "environment-not-vouched-for")
        let local = try ForgedJWS(.transaction(environment: "LocalTesting"))
        var policy = try Self.policy(local)
        policy.environments = Set(ReceiptEnvironment.known)
        #expect(try Self.outcome(Array(try local.text().utf8), policy) == "environment-mismatch")
        // Apple's roots vouch in their own profiles only.
        #expect(try Self.outcome(Array(try attest.text().utf8)) != "valid")
    }

    // MARK: - Expectations

    @Test func asksWhatThePolicyExpects() throws {
        let token = "5f0d8f6e-1f5c-4c6e-8f62-0f7b0a6e3c11"
        let payload = ForgedPayload.transaction().with(["appAccountToken": ForgedPayload.text(token)])
        let jws = try ForgedJWS(payload)
        let text = Array(try jws.text().utf8)
        func outcome(_ edit: (inout ValidationPolicy) -> Void) throws -> String {
            var policy = try Self.policy(jws)
            edit(&policy)
            let date = ReceiptDate(millisecondsSince1970: ForgedPayload.date + 60_000)
            return try Self.outcome(text, policy, asOf: date)
        }
        #expect(try outcome { $0.bundleIdentifiers = ["com.example.app"] } == "valid")
        #expect(try outcome { $0.bundleIdentifiers = ["com.example.App"] } == "bundle-identifier-mismatch")
        #expect(try outcome { $0.environments = [.production] } == "valid")
        #expect(try outcome { $0.environments = [.sandbox] } == "environment-mismatch")
        #expect(try outcome { $0.productIdentifiers = ["com.example.pro"] } == "valid")
        #expect(try outcome { $0.productIdentifiers = ["com.example.max"] } == "product-missing")
        #expect(try outcome { $0.transactionIdentifiers = ["2000001024998954"] } == "valid")
        #expect(try outcome { $0.transactionIdentifiers = ["2"] } == "transaction-missing")
        #expect(try outcome { $0.accountTokens = [token.uppercased()] } == "valid")
        #expect(try outcome { $0.accountTokens = ["5f0d8f6e-1f5c-4c6e-8f62-0f7b0a6e3c12"] } == "account-token-mismatch")
        #expect(try outcome { $0.maximumAge = .seconds(60) } == "valid")
        #expect(try outcome { $0.maximumAge = .seconds(59) } == "receipt-too-old")
        #expect(try outcome { $0.applicationVersions = ["1"] } == "application-version-mismatch")
        // A transaction has no number of the App Store; nothing can be asked of it.
        #expect(try outcome { $0.appAppleIDs = [1] } == "valid")
    }

    @Test func asksForTheNumberOfTheAppInProductionOnly() throws {
        for (environment, number, expected) in [
            ("Production", "1470168868", "valid"), ("Production", "1", "app-identifier-mismatch"),
            ("Production", nil, "app-identifier-mismatch"), ("Sandbox", nil, "valid"), ("Sandbox", "1", "valid"),
        ] as [(String, String?, String)] {
            let jws = try ForgedJWS(.appTransaction(environment: environment).with(["appAppleId": number]))
            var policy = try Self.policy(jws)
            policy.appAppleIDs = [1_470_168_868]
            #expect(try Self.outcome(Array(try jws.text().utf8), policy) == expected, "\(environment) \(number ?? "-")")
        }
    }

    /// Of the genuine sample that Apple's libraries carry, the device is not known; this one is made by the rule.
    @Test func bindsToTheDevice() throws {
        let nonce = "48c8b92d-ce0d-4229-bedf-e61b4f9cfc92"
        let device = "11111111-2222-3333-4444-AAAAAAAAAAAA"
        // printf %s "$nonce$(tr A-F a-f <<<$device)" | openssl sha384 -binary | base64
        let hash = "8lh4WksO+uiImeYiU+nwRf56zLHnSFr91vTthRODm28ybCEaAyVk3bhdraXp8tEJ"
        let jws = try ForgedJWS(
            .appTransaction().with([
                "deviceVerification": ForgedPayload.text(hash), "deviceVerificationNonce": ForgedPayload.text(nonce),
            ]))
        var policy = try Self.policy(jws)
        policy.deviceIdentifiers = [try #require(DeviceIdentifier(device))]
        #expect(try Self.outcome(Array(try jws.text().utf8), policy) == "valid")
        policy.deviceIdentifiers = [try #require(DeviceIdentifier("11111111-2222-3333-4444-AAAAAAAAAAAB"))]
        #expect(try Self.outcome(Array(try jws.text().utf8), policy) == "device-mismatch")
    }

    @Test func rejectsWhatIsUnreadableAfterTheSignature() throws {
        let jws = try ForgedJWS(.transaction().with(["price": "\"1990\""]))
        var policy = try Self.policy(jws)
        #expect(try Self.outcome(Array(try jws.text().utf8), policy) == "unreadable-attribute")
        #expect(try Self.outcome(Array(try jws.text(.flippedSignature).utf8), policy) == "signature-mismatch")
        policy.toleratedUnreadable = ["price"]
        #expect(try Self.outcome(Array(try jws.text().utf8), policy) == "valid")
    }

    // MARK: - Notifications

    struct Inner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: String
        var transaction = ForgedPayload.transaction()
        var renewal = ForgedPayload.renewalInfo()
        var damage: [JWSDamage] = []
        var isForeign = false
    }

    static let inner = [
        Inner(testDescription: "as Apple's", expected: "valid"),
        Inner(testDescription: "forged inside", expected: "inner-rejected", isForeign: true),
        Inner(testDescription: "flipped inside", expected: "inner-rejected", damage: [.flippedSignature]),
        Inner(testDescription: "malformed inside", expected: "jws-algorithm", damage: [.algorithmNone]),
        Inner(
            testDescription: "other app", expected: "inner-mismatch",
            transaction: .transaction(bundleID: "com.example.b")),
        Inner(
            testDescription: "other environment", expected: "inner-mismatch",
            transaction: .transaction(environment: "Sandbox")),
        Inner(
            testDescription: "other date", expected: "inner-mismatch",
            renewal: .renewalInfo(signedDate: 1_759_302_518_836)),
        Inner(
            testDescription: "other subscription", expected: "inner-mismatch",
            renewal: .renewalInfo().with(["originalTransactionId": "\"1\""])),
        Inner(
            testDescription: "other customer", expected: "inner-mismatch",
            renewal: .renewalInfo().with(["appTransactionId": "\"1\""])),
        Inner(testDescription: "of 2021", expected: "valid", transaction: .transaction().with(["environment": nil])),
    ]

    @Test(arguments: inner) func validatesWhatIsInside(_ row: Inner) throws {
        var foreign = ChainTemplate.jws()
        foreign.root.key = TestKeys.ec384Third
        let pki = try row.isForeign ? ForgedPKI(foreign) : ForgedPKI(.jws())
        let transaction = try ForgedJWS(row.transaction, by: pki).text(row.damage)
        let renewal = try ForgedJWS(row.renewal).text()
        let outer = try ForgedJWS(
            .notification(data: [
                .init("signedTransactionInfo", ForgedPayload.text(transaction)),
                .init("signedRenewalInfo", ForgedPayload.text(renewal)),
            ]))
        let text = try outer.text()
        #expect(try Self.outcome(Array(text.utf8), Self.policy(outer)) == row.expected)
        guard row.expected == "valid" else { return }
        let validator = try ReceiptValidator(policy: Self.policy(outer))
        let validated = try #require(try validator.validate(SignedNotification(decoding: text)).validated)
        let inside = try #require(validated.transaction)
        #expect(inside.transaction.transactionID == "2000001024998954")
        #expect(validated.renewalInfo?.content.renewalInfo(of: inside.transaction)?.autoRenewStatus == .on)
    }

    @Test func renewalInfoAloneIsOfNoApp() throws {
        let jws = try ForgedJWS(.renewalInfo())
        var policy = try Self.policy(jws)
        policy.bundleIdentifiers = ["com.example.app"]
        #expect(try Self.outcome(Array(try jws.text().utf8), policy) == "bundle-identifier-mismatch")
    }

    // MARK: - App Attest

    /// What is expected of an App Attest receipt is asked of a genuine one, whose key identifier was decoded elsewhere.
    @Test(arguments: Corpus.paths("appattest/receipts", suffix: "4b689103.der"))
    func asksWhatIsExpectedOfAnAttestation(_ path: String) throws {
        let bytes = try Corpus.bytes(path)
        func outcome(_ edit: (inout ValidationPolicy) -> Void) throws -> String {
            var policy = ValidationPolicy()
            edit(&policy)
            return try Self.outcome(bytes, policy)
        }
        #expect(try outcome { $0.appAttest.appIDs = ["V8H6LQ9448.io.uebelacker.AppAttestExample"] } == "valid")
        #expect(try outcome { $0.appAttest.appIDs = ["V8H6LQ9448.io"] } == "attested-app-mismatch")
        #expect(try outcome { $0.bundleIdentifiers = ["io.uebelacker.AppAttestExample"] } == "valid")
        #expect(
            try outcome { $0.appAttest.keyIdentifiers = ["SC86LZmoFbL/KxWfezr7ihgEdLHK8ZrDbTwMtAkBCbM="] } == "valid")
        #expect(try outcome { $0.appAttest.keyIdentifiers = ["SC86"] } == "attested-key-mismatch")
        #expect(try outcome { $0.appAttest.receiptTypes = [.attest] } == "valid")
        #expect(try outcome { $0.appAttest.receiptTypes = [.receipt] } == "attested-receipt-type-mismatch")
        #expect(try outcome { $0.environments = [.production] } == "valid")
        #expect(try outcome { $0.environments = [.sandbox] } == "environment-mismatch")
    }
}
