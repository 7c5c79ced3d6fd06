import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// iOS 6-style receipts in every format.
@Suite struct TransactionReceiptDumpTests {
    /// The tool with a forged receipt on standard input, and its chain's root and intermediate as files.
    static func host(
        _ receipt: ForgedTransactionReceipt = .init(version: 3, purchaseInfo: .subscription, envelope: ["pod": "17"]),
        _ template: ChainTemplate = .sha1(), change: (inout ForgedTransactionReceipt.Signed) -> Void = { _ in }
    ) throws -> TestHost {
        let pki = try ForgedPKI(template)
        var signed = try receipt.signed(by: pki)
        change(&signed)
        return TestHost([
            .standardInput: Array(signed.base64.utf8), .file("root"): pki.root.der,
            .file("ca"): try #require(pki.intermediate?.der),
        ])
    }

    static let trust = ["--root", "root", "--intermediate", "ca"]

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var arguments: [String]
        var reason: String?
        var status: Int

        init(_ arguments: String, _ reason: String? = nil, _ status: Int = 0) {
            testDescription = arguments
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.reason = reason
            self.status = status
        }
    }

    @Test(arguments: [
        Case(""),
        Case("--bundle-id com.example.app --app-version 1.2.3 --product-id com.example.monthly"),
        Case("--transaction-id 170000200000002 --device-id 01234567-89ab-4cde-8f01-23456789abcd"),
        Case("--device-id 0123456789abcdef0123456789abcdef01234567"),
        Case("--bundle-id com.example", "bundle-identifier-mismatch"),
        Case("--product-id com.example.coins", "product-missing"),
        Case("--device-id 00", "device-mismatch"),
        Case("--environment sandbox", "environment-mismatch", 21008),
        Case("--environment production --accept-unsigned-environment"),
        Case("--at 1990-01-01T00:00:00Z", "certificate-not-yet-valid", 21003),
    ])
    func options(test: Case) throws {
        let host = try Self.host()
        let exit = host.run(Self.trust + test.arguments + ["--format", "json"])
        let report = try Report.read(host.output.bytes)
        #expect(report.kind == "transaction-receipt")
        #expect(report.verdict == (test.reason == nil ? "valid" : "rejected"))
        #expect(report.reason == test.reason && report.status == test.status)
        #expect(exit == (test.reason == nil ? 0 : 1))
    }

    /// A production receipt states its environment by leaving it out, which nobody signed.
    @Test func environmentNeedsBelief() throws {
        let host = try Self.host()
        #expect(host.run(Self.trust + ["--environment", "production", "--format", "json"]) == 1)
        let report = try Report.read(host.output.bytes)
        #expect(report.reason == "environment-not-signed")
        #expect(try Self.host().run("--accept-unsigned-environment") == 64)
        #expect(try Self.host().run("--no-validate", "--accept-unsigned-environment") == 64)
    }

    /// The sandbox shows in the signed number, even when the line that says so was taken away.
    @Test(arguments: ["Sandbox", nil])
    func sandbox(stated: String?) throws {
        var receipt = ForgedTransactionReceipt()
        receipt.envelope["environment"] = stated
        for (environment, status, exit) in [("sandbox", 0, Int32(0)), ("production", 21007, 1)] {
            let host = try Self.host(receipt)
            #expect(host.run(Self.trust + ["--environment", environment, "--format", "json"]) == exit)
            #expect(try Report.read(host.output.bytes).status == status)
        }
    }

    @Test func jsonHoldsEverything() throws {
        let host = try Self.host()
        #expect(host.run(Self.trust + ["--format", "json"]) == 0)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(host.output.bytes)) as? [String: Any])
        let receipt = try #require(report["receipt"] as? [String: Any])
        #expect(receipt["product_id"] as? String == "com.example.monthly")
        #expect(receipt["web_order_line_item_id"] as? String == "170000030000001")
        #expect(receipt["expires_date"] as? String == "2016-04-15T12:00:00Z")
        #expect(receipt["environment"] is NSNull)
        #expect(receipt["signature_version"] as? Int == 3)
        let entries = try #require(receipt["entries"] as? [[String: String]])
        #expect(entries.map { $0["key"] } == ForgedPropertyList.subscription.entries.map(\.key))
        #expect(entries.map { $0["value"] } == ForgedPropertyList.subscription.entries.map(\.value))
        let certificates = try #require(report["certificates"] as? [[String: Any]])
        #expect(certificates.count == 1)
    }

    /// An authority with the marker of purchase receipts counts when its certificate is passed.
    @Test func version2NeedsItsAuthority() throws {
        let host = try Self.host(.init(version: 2), .purchaseReceipts())
        #expect(host.run("--root", "root") == 1)
        #expect(host.output.text.contains("intermediate-missing"))
        #expect(host.run(Self.trust) == 0)
    }

    @Test func textTellsWhatIsSigned() throws {
        let host = try Self.host(.init())
        #expect(host.run(Self.trust + ["--all"]) == 0)
        let text = host.output.text
        #expect(text.hasPrefix("standard input: iOS 6-style transaction receipt, Sandbox; valid"))
        let signed = try #require(text.firstRange(of: "com.example.coins"))
        let unsigned = try #require(text.firstRange(of: "Outside the signature"))
        #expect(signed.lowerBound < unsigned.lowerBound)
        #expect(text[unsigned.upperBound...].contains("Sandbox"))
        #expect(text.contains("SHA-1, rsaEncryption (version 3)"))
    }

    @Test(arguments: ["text", "json"])
    func redactionLeavesNoIdentifier(format: String) throws {
        let host = try Self.host()
        let device = ["--device-id", "0123456789abcdef0123456789abcdef01234567"]
        #expect(host.run(Self.trust + device + ["--redact", "--format", format]) == 0)
        for key in [
            "unique-identifier", "unique-vendor-identifier", "transaction-id", "original-transaction-id",
            "web-order-line-item-id", "bid", "product-id", "app-item-id", "item-id",
        ] {
            let value = try #require(ForgedPropertyList.subscription[key])
            #expect(!host.output.text.contains(value), "\(key)")
        }
    }

    /// What is damaged is named, and shown as far as it can be read.
    @Test func damagedReceiptsAreNamed() throws {
        let text = try Self.host(change: { $0.blobOverride = Array("company_signature".utf8) })
        #expect(text.run(Self.trust) == 2)
        #expect(text.output.text.contains("signature-is-text") && text.output.text.contains("com.example.monthly"))
        let edited = try Self.host(change: { $0.purchaseInfo.append(0x20) })
        #expect(edited.run(Self.trust) == 1)
        #expect(edited.output.text.contains("REJECTED (signature-mismatch)"))
        let inner = TestHost([.standardInput: Array(ForgedPropertyList.subscription.text.utf8)])
        #expect(inner.run([]) == 2)
        #expect(inner.output.text.contains("purchase-info") && inner.output.text.contains("com.example.monthly"))
    }

    /// Where nothing is to be verified, a signature that is missing takes nothing away.
    @Test(arguments: [true, false])
    func withoutSignature(isWhole: Bool) throws {
        let host = try Self.host(change: { $0.blobOverride = Array("company_signature".utf8) })
        if !isWhole { host.files[.standardInput] = Array(ForgedPropertyList.subscription.text.utf8) }
        #expect(host.run("--no-validate", "--format", "json") == 0)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(host.output.bytes)) as? [String: Any])
        #expect(report["kind"] as? String == "transaction-receipt")
        #expect(report["verdict"] as? String == "not-validated")
        let receipt = try #require(report["receipt"] as? [String: Any])
        #expect(receipt["product_id"] as? String == "com.example.monthly" && receipt["signature_version"] is NSNull)
        #expect(SchemaTests.schema.problems(report, "report") == [])
    }

    /// The old form of verifyReceipt's answer: every key of the purchase-info with underscores, all of them strings.
    @Test(arguments: [
        Case(""), Case("--request-date 2016-04-15T11:59:59Z"), Case("--at 2016-04-15T11:59:59Z"),
        Case("--request-date 2016-04-15T12:00:00Z", nil, 21006), Case("--at 2016-04-15T12:00:00Z", nil, 21006),
        Case("--bundle-id com.example", "bundle-identifier-mismatch"),
        Case("--environment production", "environment-not-signed", 21003),
        Case("--environment production --accept-unsigned-environment"),
        Case("--environment sandbox", "environment-mismatch", 21008),
        Case("--at 1990-01-01T00:00:00Z", "certificate-not-yet-valid", 21003),
    ])
    func verifyReceipt(test: Case) throws {
        let host = try Self.host()
        let exit = host.run(Self.trust + test.arguments + ["--format", "verify-receipt"])
        #expect(exit == (test.reason == nil ? 0 : 1))
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(host.output.bytes)) as? [String: Any])
        #expect(answer["status"] as? Int == test.status)
        guard test.status == 0 || test.status == 21006 else {
            #expect(answer.count == 1)
            return
        }
        let receipt = try #require(answer["receipt"] as? [String: String])
        #expect(receipt.count == ForgedPropertyList.subscription.entries.count)
        for entry in ForgedPropertyList.subscription.entries {
            #expect(receipt[entry.key.replacing("-", with: "_")] == entry.value)
        }
    }

    @Test(arguments: Corpus.paths("receipts", suffix: ".plist") + Corpus.paths("receipts", suffix: ".b64"))
    func corpus(path: String) throws {
        guard path.contains("/ios6-com") else { return }
        let authority = "\(try #require(Corpus.directory))/certificates/AppleiTunesStoreCA-2009.cer"
        let host = TestHost([
            .file("receipt"): try Corpus.bytes(path), .file("ca"): try Corpus.bytes(authority),
        ])
        #expect(host.run("--intermediate", "ca", "receipt") == 0)
    }
}
