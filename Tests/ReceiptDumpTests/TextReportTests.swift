import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import ReceiptJSON
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// Reports as people see them, kept in files. `RECEIPT_DUMP_UPDATE=1 swift test` writes the files anew.
@Suite struct TextReportTests {
    struct Page: CustomTestStringConvertible, Sendable {
        var name: String
        var columns = 100
        var arguments: [String] = ["--root", "root"]
        var testDescription: String { name }
    }

    static let history: ForgedReceipt = {
        var receipt = ForgedReceipt(bundleID: "com.example.reader", applicationVersion: "4.2.1")
        receipt.purchases = [
            ForgedPurchase.autoRenewable(
                "com.example.reader.monthly", purchaseDate: "2025-03-01T10:00:00Z", expiresDate: "2025-04-01T10:00:00Z"
            ).transaction("710000000000103").renewing("710000000000101", purchasedAt: "2025-01-01T10:00:00Z"),
            ForgedPurchase.consumable("com.example.reader.coins", quantity: 3, purchaseDate: "2025-02-14T20:15:00Z")
                .transaction("710000000000201"),
            ForgedPurchase.autoRenewable(
                "com.example.reader.monthly", purchaseDate: "2025-01-01T10:00:00Z", expiresDate: "2025-02-01T10:00:00Z"
            ).inTrial().transaction("710000000000101"),
            ForgedPurchase.nonConsumable("com.example.reader.unlock", purchaseDate: "2024-12-24T18:00:00Z")
                .refunded(at: "2025-01-02T09:30:00Z", reason: 1).transaction("710000000000301"),
            ForgedPurchase.autoRenewable(
                "com.example.reader.monthly", purchaseDate: "2025-02-01T10:00:00Z", expiresDate: "2025-03-01T10:00:00Z"
            ).transaction("710000000000102").renewing("710000000000101", purchasedAt: "2025-01-01T10:00:00Z"),
            ForgedPurchase.autoRenewable(
                "com.example.reader.yearly", purchaseDate: "2025-05-10T08:00:00Z", expiresDate: "2026-05-10T08:00:00Z"
            ).withPromotionalOffer("come-back").transaction("710000000000104")
                .renewing("710000000000101", purchasedAt: "2025-01-01T10:00:00Z"),
            ForgedPurchase.nonRenewing("com.example.reader.season", purchaseDate: "2025-04-02T12:00:00Z")
                .familyShared().transaction("710000000000401"),
        ]
        return receipt
    }()

    static func bytes(_ page: String) throws -> (input: [UInt8], root: [UInt8]) {
        var receipt = history
        switch page {
        case "hostile":
            receipt.bundleID = "com.example\u{1B}[2J\u{202E}ppa"
            receipt.applicationVersion = "1\u{200B}.0\n✓ signature"
            receipt.purchases = [ForgedPurchase.consumable("漢字\u{9B}31m 😀").transaction("\u{7}\u{0}")]
        case "xcode":
            receipt = ForgedReceipt(environment: .xcode)
            receipt.purchases = [
                .autoRenewable("pro", purchaseDate: "2025-06-01T11:59:00Z", expiresDate: "2025-06-01T12:04:00Z")
            ]
        case "empty": receipt.purchases = []
        case "volume":
            receipt = ForgedReceipt(environment: .productionVPP)
            receipt.extraAttributes = [
                ForgedAttribute(99, version: 3, .utf8String("new")), ForgedAttribute(98, .octets([])),
            ]
        default: break
        }
        let message = try receipt.signed()
        let root = try #require(message.anchors.first)
        switch page {
        case "cut": return (Array(message.base64.utf8.prefix(2_000)), root)
        case "repaired": return (Array(message.text(.wrapped(columns: 76), .percentEncoded, .quoted).utf8), root)
        case "request": return (Array("{\"receipt-data\": \"\(message.base64)\", \"password\": \"x\"}".utf8), root)
        case "jws": return (Array("eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2ln".utf8), root)
        case "html": return (Array("<!DOCTYPE html><html><body>502 Bad Gateway</body></html>".utf8), root)
        case "edited":
            let name = Array("com.example.reader.coins".utf8)
            var edited = message.bytes
            let range = try #require(edited.firstRange(of: name))
            edited.replaceSubrange(range, with: "com.example.reader.money".utf8)
            return (edited, root)
        default: return (message.bytes, root)
        }
    }

    @Test(arguments: [
        Page(name: "history"), Page(name: "history-160-columns", columns: 160),
        Page(name: "history-60-columns", columns: 60),
        Page(name: "history-redacted", arguments: ["--root", "root", "--redact-key", "key"]),
        Page(name: "history-all", arguments: ["--root", "root", "--all"]),
        Page(name: "untrusted-all", arguments: ["--all"]),
        Page(name: "volume-all", arguments: ["--root", "root", "--at", "2026-07-01T00:00:00Z", "--all"]),
        Page(
            name: "history-chosen", columns: 80,
            arguments: ["--root", "root", "--only", "original=710000000000101", "--newest", "2"]),
        Page(name: "untrusted", arguments: []), Page(name: "edited"), Page(name: "xcode", arguments: []),
        Page(name: "empty"),
        Page(name: "volume", arguments: ["--root", "root", "--at", "2026-07-01T00:00:00Z"]),
        Page(
            name: "unexpected",
            arguments: ["--root", "root", "--environment", "sandbox", "--bundle-id", "com.example.other"]),
        Page(name: "hostile"), Page(name: "cut"), Page(name: "repaired"), Page(name: "request"), Page(name: "jws"),
        Page(name: "html"),
        Page(name: "unvalidated", arguments: ["--no-validate"]),
    ])
    func pages(page: Page) throws {
        let stem = page.name.split(separator: "-").first.map { String($0) } ?? ""
        let (input, root) = try Self.bytes(stem)
        let host = TestHost([.file("receipt"): input, .file("root"): root])
        host.terminal.columns = page.columns
        _ = host.run(page.arguments + ["receipt"])
        #expect(host.errors.text == "")

        let path = Corpus.fixtures + "/reports/\(page.name).txt"
        if ProcessInfo.processInfo.environment["RECEIPT_DUMP_UPDATE"] != nil {
            try FileManager.default.createDirectory(
                atPath: Corpus.fixtures + "/reports", withIntermediateDirectories: true)
            try Data(host.output.bytes).write(to: URL(filePath: path))
        }
        let expected = String(decoding: try Corpus.bytes(path), as: UTF8.self)
        #expect(host.output.text == expected)
        for line in host.output.text.split(separator: "\n").dropFirst() {
            #expect(displayWidth(String(line)) <= page.columns, "\(line)")
        }
        for scalar in host.output.text.unicodeScalars { #expect(scalar == "\n" || !scalar.isUnsafeOnTerminal) }
    }

    /// Colour is asked for by the terminal, and takes nothing away from the text.
    @Test func colour() throws {
        let (input, root) = try Self.bytes("history")
        let plain = TestHost([.standardInput: input, .file("root"): root])
        #expect(plain.run("--root", "root", "--all") == 0)
        let coloured = TestHost(plain.files)
        coloured.terminal.allowsColour = true
        #expect(coloured.run("--root", "root", "--all") == 0)
        #expect(!plain.output.text.contains("\u{1B}"))
        #expect(coloured.output.text.contains("\u{1B}[32m✓\u{1B}[0m"))
        var stripped = coloured.output.text
        for code in [0, 1, 2, 31, 32, 33] { stripped = stripped.replacing("\u{1B}[\(code)m", with: "") }
        #expect(stripped == plain.output.text)
    }

    /// The real process never colours a file, whatever the environment says.
    @Test func noColourWithoutTerminal() throws {
        let (input, _) = try Self.bytes("history")
        let result = try Binary.run([], input: input, environment: ["TERM": "xterm-256color", "COLUMNS": "60"])
        #expect(result.status == 1)
        #expect(!result.output.contains(0x1B))
        #expect(result.text.split(separator: "\n").dropFirst().allSatisfy { displayWidth(String($0)) <= 60 })
    }

    /// Nothing that identifies a customer, a device, an app or a purchase is left, in text or JSON, whatever the verdict.
    @Test(arguments: [
        ["--root", "root"], [], ["--no-validate"],
        ["--root", "root", "--bundle-id", "com.other.reader", "--product-id", "com.other.product"],
        ["--root", "root", "--transaction-id", "710000000000999"],
    ])
    func redaction(arguments: [String]) throws {
        let (input, root) = try Self.bytes("history")
        for format in ["text", "json"] {
            for (bytes, isWhole) in [
                (input, true), (Array(input.prefix(2_500)), false), (Array("7100001234567".utf8), false),
            ] {
                let host = TestHost([.standardInput: bytes, .file("root"): root])
                _ = host.run(arguments + ["--redact", "--format", format])
                let output = host.output.text
                for secret in [
                    "com.example.reader", "com.other", "71000", "come-back", "111024233999677", "1289197285",
                    "859301988",
                    "948b8692", "558664acd", "498c829b",
                ] {
                    #expect(!output.contains(secret), "\(secret) in \(format) of \(arguments)")
                }
                if isWhole { #expect(output.contains("2025-06-01T12:00:00Z") && output.contains("4.2.1")) }
            }
        }
    }
}
