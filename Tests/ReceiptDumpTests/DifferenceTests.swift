import AppStoreReceipt
import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct DifferenceTests {
    static let old: ForgedReceipt = {
        var receipt = ForgedReceipt(applicationVersion: "1.0")
        receipt.purchases = [
            ForgedPurchase.autoRenewable(
                "pro", purchaseDate: "2025-01-01T00:00:00Z", expiresDate: "2025-02-01T00:00:00Z"
            )
            .transaction("1"),
            ForgedPurchase.consumable("coins", purchaseDate: "2025-01-03T00:00:00Z").transaction("2"),
            ForgedPurchase.nonConsumable("unlock", purchaseDate: "2025-01-04T00:00:00Z").transaction("3"),
        ]
        return receipt
    }()
    static let new: ForgedReceipt = {
        var receipt = old
        receipt.applicationVersion = "1.1"
        receipt.creationDate = "2025-07-01T12:00:00Z"
        receipt.extraAttributes = [ForgedAttribute(99, .utf8String("new\u{1B}"))]
        receipt.purchases[2] = receipt.purchases[2].refunded(at: "2025-02-10T00:00:00Z", reason: 1)
        receipt.purchases[1] = ForgedPurchase.autoRenewable(
            "pro", purchaseDate: "2025-02-01T00:00:00Z", expiresDate: "2025-03-01T00:00:00Z"
        ).transaction("4").renewing("1", purchasedAt: "2025-01-01T00:00:00Z")
        return receipt
    }()

    static func host(_ a: ForgedReceipt, _ b: ForgedReceipt, by chain: ForgedPKI? = nil) throws -> TestHost {
        let first = try a.signed()
        let root = try #require(first.anchors.first)
        return TestHost([.file("a"): first.bytes, .file("b"): try b.signed(by: chain).bytes, .file("root"): root])
    }

    @Test func text() throws {
        let host = try Self.host(Self.old, Self.new)
        #expect(host.run("--root", "root", "--diff", "a", "b") == 0)
        #expect(
            host.output.text == """
                - a: valid
                + b: valid

                Fields
                  - application_version  1.0
                  + application_version  1.1
                  - receipt_creation_date  2025-06-01T12:00:00Z
                  + receipt_creation_date  2025-07-01T12:00:00Z
                  + attribute 99  new\\u{1b}

                Purchases: 1 gone, 1 added, 1 changed, 1 the same
                  - 2025-01-03 00:00:00Z  coins  transaction 2
                  + 2025-02-01 00:00:00Z  pro  transaction 4  expires 2025-03-01 00:00:00Z
                    2025-01-04 00:00:00Z  unlock  transaction 3  cancelled 2025-02-10 00:00:00Z
                  - cancellation_date  (empty)
                  + cancellation_date  2025-02-10T00:00:00Z
                  + cancellation_reason  1

                """)
    }

    struct Difference: Decodable {
        struct Side: Decodable {
            var verdict: String
        }
        struct Change: Decodable {
            var name: String
            var a: String?
            var b: String?
        }
        struct Purchases: Decodable {
            struct Purchase: Decodable {
                var transactionId: String?
            }
            var removed: [Purchase]
            var added: [Purchase]
            var changed: [Purchase]
            var unchanged: Int
        }
        var a: Side
        var b: Side
        var equal: Bool
        var fields: [Change]
        var inApp: Purchases
        var certificates: [Change]
    }

    func difference(_ host: TestHost, _ arguments: String...) throws -> (Difference, Int32) {
        let status = host.run(["--diff", "--format", "json", "--root", "root"] + arguments)
        return (try Report.snakeCaseDecoder.decode(Difference.self, from: Data(host.output.bytes)), status)
    }

    @Test func json() throws {
        let (difference, status) = try difference(try Self.host(Self.old, Self.new), "a", "b")
        #expect(status == 0 && !difference.equal)
        #expect(difference.inApp.removed.map(\.transactionId) == ["2"])
        #expect(difference.inApp.added.map(\.transactionId) == ["4"])
        #expect(difference.inApp.changed.map(\.transactionId) == ["3"])
        #expect(difference.inApp.unchanged == 1)
        #expect(difference.fields.contains { $0.name == "application_version" && $0.a == "1.0" && $0.b == "1.1" })
    }

    /// The order of purchases and of attributes means nothing; equal receipts are equal, and a diff is its own inverse.
    @Test func order() throws {
        var shuffled = Self.old
        shuffled.purchases.reverse()
        for (index, purchase) in shuffled.purchases.enumerated() { shuffled.purchases[index] = purchase }
        let (same, _) = try difference(try Self.host(Self.old, shuffled), "a", "b")
        #expect(same.equal && same.inApp.unchanged == 3)
        let (back, _) = try difference(try Self.host(Self.old, Self.new), "b", "a")
        #expect(back.inApp.removed.map(\.transactionId) == ["4"] && back.inApp.added.map(\.transactionId) == ["2"])
    }

    /// Another chain shows, and so does that it is not trusted.
    @Test func certificates() throws {
        let chain = try ForgedPKI(.sha1(seed: 1))
        let (difference, status) = try difference(try Self.host(Self.old, Self.old, by: chain), "a", "b")
        #expect(difference.a.verdict == "valid" && difference.b.verdict == "rejected" && status == 1)
        #expect(difference.certificates.count == 6 && !difference.equal)
        #expect(difference.fields.isEmpty)
    }

    @Test func redacted() throws {
        let host = try Self.host(Self.old, Self.new)
        _ = host.run("--root", "root", "--redact", "--diff", "a", "b")
        #expect(!host.output.text.contains("coins") && !host.output.text.contains("new"))
        #expect(host.output.text.contains("+ application_version  1.1"))
    }

    @Test func whatCannotBeCompared() throws {
        let host = try Self.host(Self.old, Self.new)
        host.files[.file("text")] = Array("hello".utf8)
        #expect(host.run("--diff", "a", "text") == 2)
        #expect(host.errors.text.hasPrefix("receipt-dump: cannot compare text: plain-text"))
        #expect(host.run("--diff", "a", "missing") == 66)
        let redacted = TestHost(host.files)
        redacted.files[.file("secret")] = Array("hello secret".utf8)
        #expect(redacted.run("--redact", "--diff", "a", "secret") == 2)
        #expect(
            redacted.errors.text.hasPrefix("receipt-dump: cannot compare #") && !redacted.errors.text.contains("secret")
        )
    }

    /// Transaction receipts are compared key by key, inside the signature and outside.
    @Test func transactionReceipts() throws {
        let host = try TransactionReceiptDumpTests.host()
        var other = ForgedTransactionReceipt(version: 3, purchaseInfo: .subscription, envelope: ["pod": "18"])
        other.purchaseInfo["bvrs"] = "9.9"
        let changed = try TransactionReceiptDumpTests.host(other)
        host.files[.file("b")] = changed.files[.standardInput]
        #expect(host.run(TransactionReceiptDumpTests.trust + ["--diff", "-", "b"]) == 0)
        #expect(
            host.output.text == """
                - standard input: valid
                + b: valid

                Fields
                  - bvrs  1.2.3
                  + bvrs  9.9
                  - outside the signature: pod  17
                  + outside the signature: pod  18

                """)
        host.files[.file("app")] = try Self.old.signed().bytes
        #expect(host.run("--diff", "app", "b") == 2)
        #expect(host.errors.text.contains("cannot compare things of kinds app-receipt and transaction-receipt"))
    }

    @Test(arguments: [
        (["--diff", "a"], "--diff needs two files, not 1"),
        (["--diff", "a", "b", "c"], "--diff needs two files, not 3"),
        (["--diff"], "--diff needs two files, not 0"),
        (["--diff", "--lines", "a", "b"], "--diff compares two receipts, so --lines has no place beside it"),
        (["--diff", "--format=asn1", "a", "b"], "--diff works with text and json, not with --format asn1"),
    ])
    func usage(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try parseArguments(arguments) }
    }
}
