import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct ValidationTests {
    static let receipt: ForgedReceipt = {
        var receipt = ForgedReceipt(environment: .sandbox)
        receipt.deviceID = Array(0...15)
        receipt.purchases = [ForgedPurchase.consumable("com.example.coins").transaction("1001")]
        return receipt
    }()

    struct Case: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var verdict: String
        var reason: String?
        var status: Int
        var exit: Int32
        var testDescription: String { arguments.joined(separator: " ") }
        init(_ arguments: String, _ verdict: String, _ reason: String?, _ status: Int, _ exit: Int32) {
            self.arguments = arguments.split(separator: " ").map { String($0) }
            self.verdict = verdict
            self.reason = reason
            self.status = status
            self.exit = exit
        }
    }

    /// Every option of the command line, met and not met, on a receipt of a forged chain.
    @Test(arguments: [
        Case("", "rejected", "untrusted-root", 21003, 1),
        Case("--root root.der", "valid", nil, 0, 0),
        Case("--root root.pem", "valid", nil, 0, 0),
        Case("--root apple.der --root root.pem", "valid", nil, 0, 0),
        Case("--root apple.der", "rejected", "untrusted-root", 21003, 1),
        Case("--root root.der --bundle-id com.example.app", "valid", nil, 0, 0),
        Case("--root root.der --bundle-id com.other --bundle-id com.example.app", "valid", nil, 0, 0),
        Case("--root root.der --bundle-id com.example", "rejected", "bundle-identifier-mismatch", 0, 1),
        Case("--root root.der --environment sandbox", "valid", nil, 0, 0),
        Case("--root root.der --environment production --environment sandbox", "valid", nil, 0, 0),
        Case("--root root.der --environment production", "rejected", "environment-mismatch", 21007, 1),
        Case("--root root.der --environment Sandbox", "valid", nil, 0, 0),
        Case("--root root.der --app-version 1.2.3", "valid", nil, 0, 0),
        Case("--root root.der --app-version 1.2", "rejected", "application-version-mismatch", 0, 1),
        Case("--root root.der --device-id 00010203-0405-0607-0809-0A0B0C0D0E0F", "valid", nil, 0, 0),
        Case("--root root.der --device-id 01 --device-id 000102030405060708090a0b0c0d0e0f", "valid", nil, 0, 0),
        Case("--root root.der --device-id 00:01:02:03:04:05", "rejected", "device-mismatch", 0, 1),
        Case("--root root.der --product-id com.example.coins", "valid", nil, 0, 0),
        Case("--root root.der --product-id com.example.coins --product-id x", "rejected", "product-missing", 0, 1),
        Case("--root root.der --transaction-id 1001", "valid", nil, 0, 0),
        Case("--root root.der --transaction-id 1002", "rejected", "transaction-missing", 0, 1),
        Case("--root root.der --at receipt", "valid", nil, 0, 0),
        Case("--root root.der --at now", "valid", nil, 0, 0),
        Case("--root root.der --at 1990-01-01T00:00:00Z", "rejected", "certificate-not-yet-valid", 21003, 1),
        Case("--root root.der --at 2099-01-01T00:00:00Z", "rejected", "certificate-expired", 21003, 1),
        Case("--no-validate", "not-validated", nil, -1, 0),
    ])
    func options(_ test: Case) throws {
        let message = try Self.receipt.signed()
        let root = try #require(message.anchors.first)
        let host = TestHost([
            .standardInput: message.bytes, .file("root.der"): root,
            .file("root.pem"): Array("# comment\n\(message.chain.root.pem)\n".utf8),
            .file("apple.der"): try ForgedPKI(.standard(seed: 1)).root.der,
        ])
        let exit = host.run(test.arguments + ["--format", "json"])
        let report = try Report.read(host.output.bytes)
        #expect(report.verdict == test.verdict)
        #expect(report.reason == test.reason)
        #expect(report.status ?? -1 == test.status)
        #expect(exit == test.exit)
        #expect(report.checks.isEmpty == (test.verdict == "not-validated"))
        #expect(report.checks.contains { $0.outcome == "failed" } == (test.verdict == "rejected"))
        // What it says is shown in any case.
        #expect(report.receipt?.bundleId == "com.example.app")
    }

    /// Environments that do not exist are errors of the command line; capitals mean nothing.
    @Test func environmentsAreWords() throws {
        let host = TestHost([.standardInput: try Self.receipt.signed().bytes])
        #expect(host.run("--environment", "Sandbux") == 64)
        let message = "--environment must be production, sandbox or xcode, not 'Sandbux': did you mean sandbox?"
        #expect(host.errors.text.hasPrefix("receipt-dump: \(message)\n"))
    }

    @Test(arguments: [
        (["--root", "missing"], "cannot use missing for --root: no such file or directory"),
        (["--root", "text"], "cannot use text for --root: it holds no certificate, neither PEM nor DER"),
        (
            ["--root", "broken"],
            "cannot use broken for --root: the certificate cannot be decoded: truncated in Certificate at byte 0: length 256, but only 0 bytes are left; pass the whole certificate"
        ),
    ])
    func unusableRoots(arguments: [String], message: String) {
        let host = TestHost([
            .standardInput: [], .file("text"): Array("hello".utf8), .file("broken"): [0x30, 0x82, 0x01, 0x00],
        ])
        #expect(host.run(arguments) == 66)
        #expect(host.errors.text == "receipt-dump: \(message)\n")
        #expect(host.output.bytes.isEmpty)
    }

    @Test(arguments: [
        "--bundle-id=a", "--root=a", "--at=now", "--environment=xcode", "--device-id=00", "--transaction-id=1",
    ])
    func noValidateExcludesExpectations(option: String) {
        let host = TestHost([.standardInput: []])
        #expect(host.run("--no-validate", option) == 64)
        #expect(host.errors.text.hasPrefix("receipt-dump: --no-validate verifies nothing, so --"))
    }

    /// Genuine receipts: valid as of their creation, none today; what is none is refused.
    @Test(arguments: corpusReceipts())
    func corpus(path: String) throws {
        let bytes = try Corpus.bytes(path)
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        let (report, exit) = try Report.of(bytes)
        switch name {
        case _ where name.hasPrefix("mas-2010"):
            #expect(report.reason == "signer-marker-missing" && exit == 1)
        case _ where name.hasPrefix("mas-") || name.hasPrefix("sandbox-"):
            #expect(report.verdict == "valid" && exit == 0 && report.status == 0)
            let (today, todaysExit) = try Report.of(bytes, "--at", "2026-11-30T00:00:00Z")
            #expect(today.reason == "certificate-expired" && todaysExit == 1)
        case _ where name.hasPrefix("xcode-"):
            #expect(report.reason == "self-signed-signer" && exit == 1)
            let root = (Corpus.directory ?? "") + "/certificates/StoreKitTestCertificate.cer"
            let accepted = try Binary.run(["--root", root, "--environment", "xcode", path])
            #expect(accepted.status == 0)
            let text = try Binary.run([path])
            #expect(text.text.contains("pass it with --root to accept it"))
        case _ where name.hasPrefix("appattest-"):
            #expect(report.kind == "app-attest-receipt")
            #expect(report.verdict == "valid" || report.reason == "signature-mismatch")
        case _ where name.hasPrefix("othercms-"):
            #expect(report.verdict == "rejected" && report.reason == "not-a-receipt" && exit == 1)
        default:
            #expect(report.verdict == "undecodable" && exit == 2)
        }
    }

    /// iOS 6-style receipts, whose intermediate has to come from elsewhere, and must be asked for if it is the old one.
    @Test(arguments: Corpus.paths("receipts", suffix: ".plist"))
    func transactionReceipts(path: String) throws {
        let (report, exit) = try Report.of(try Corpus.bytes(path))
        #expect(report.kind == "transaction-receipt")
        let authority = (Corpus.directory ?? "") + "/certificates/AppleiTunesStoreCA-2009.cer"
        let accepted = try Binary.run(["--intermediate", authority, "--format=json", path])
        let acceptedReport = try Report.read(accepted.output)
        switch path {
        case _ where path.contains("ios6-inner") || path.contains("ios6-malformed"):
            #expect(exit == 2 && accepted.status == 2 && acceptedReport.verdict == "undecodable")
        case _ where path.contains("vpnclient"): #expect(exit == 0 && accepted.status == 0)
        default:
            #expect(exit == 1 && report.reason == "intermediate-missing")
            #expect(accepted.status == 0 && acceptedReport.verdict == "valid")
        }
    }

    /// The highest status of several inputs, each of which is shown under its name.
    @Test func severalInputs() throws {
        let message = try Self.receipt.signed()
        let host = TestHost([
            .file("root"): try #require(message.anchors.first), .file("good"): message.bytes,
            .file("cut"): Array(message.bytes.dropLast(9)),
        ])
        #expect(host.run("--root", "root", "good", "cut", "good") == 2)
        let headings = host.output.text.split(separator: "\n").filter { $0.contains("receipt") && $0.contains("; ") }
        #expect(headings.map { $0.prefix { $0 != ":" } } == ["good", "cut", "good"])

        let json = TestHost(host.files)
        #expect(json.run("--format=json", "--root", "root", "good", "missing", "cut") == 66)
        let reports = try json.output.text.split(separator: "\n").map { try Report.read($0.utf8) }
        #expect(reports.map(\.input.file) == ["good", "cut"])
        #expect(reports.map(\.verdict) == ["valid", "undecodable"])
    }
}
