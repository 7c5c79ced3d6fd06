import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Synchronization
import Testing

/// The README's quick start does what it says when it is copied.
@Suite struct QuickStartTests {
    /// A database of one process.
    private final class Memory: GrantedTransactions {
        private let accounts = Mutex<[String: String]>([:])
        func insert(_ transactionID: String, for account: String) -> String {
            accounts.withLock { accounts in
                if let owner = accounts[transactionID] { return owner }
                accounts[transactionID] = account
                return account
            }
        }
    }

    private static let now = ReceiptDate(rfc3339: "2025-02-01T00:00:00Z")

    private static func handler(trusting forged: ForgedMessage) throws -> PurchaseHandler {
        var policy = ValidationPolicy.appStore(bundleIdentifiers: ["com.example.app"])
        policy.roots = try forged.anchors.map { try TrustAnchor(certificate: $0) }
        return try PurchaseHandler(policy: policy, granted: Memory())
    }

    private static func forged(
        _ environment: ForgedReceipt.Environment = .production, bundleID: String = "com.example.app"
    ) throws -> ForgedMessage {
        var receipt = ForgedReceipt(bundleID: bundleID, environment: environment)
        receipt.purchases = [
            .nonConsumable("unlock").transaction("1"),
            .nonConsumable("refunded").transaction("2").refunded(at: "2025-01-20T00:00:00Z"),
            .autoRenewable("monthly").transaction("3"),
            .autoRenewable("ended", expiresDate: "2025-01-31T23:59:59Z").transaction("4"),
        ]
        return try receipt.signed()
    }

    @Test(
        arguments: [
            ("1", .granted(productID: "unlock", until: nil)), ("2", .refused("cancelled")),
            (
                "3",
                .granted(productID: "monthly", until: ReceiptDate(rfc3339: "2025-02-15T10:00:00Z"))
            ),
            ("4", .refused("ended 2025-01-31T23:59:59Z")), ("5", .refused("no such purchase")),
        ] as [(String, PurchaseHandler.Answer)])
    func grantsWhatCounts(transactionID: String, expected: PurchaseHandler.Answer) async throws {
        let forged = try Self.forged()
        let answer = try await Self.handler(trusting: forged).handle(
            receiptData: forged.base64, transactionID: transactionID, account: "a", now: #require(Self.now))
        #expect(answer == expected)
    }

    /// Presented again by the account that has it, it is the same grant; by another one it is none.
    @Test func grantsOnce() async throws {
        let forged = try Self.forged()
        let handler = try Self.handler(trusting: forged)
        let now = try #require(Self.now)
        let ask = { (account: String) in
            try await handler.handle(receiptData: forged.base64, transactionID: "1", account: account, now: now)
        }
        #expect(try await ask("a") == .granted(productID: "unlock", until: nil))
        #expect(try await ask("a") == .granted(productID: "unlock", until: nil))
        #expect(try await ask("b") == .refused("granted to another account"))
    }

    @Test(
        arguments: [
            (.sandbox, "com.example.app", "environment-mismatch"),
            (.sandboxVPP, "com.example.app", "environment-mismatch"),
            (.production, "com.example.other", "bundle-identifier-mismatch"),
        ] as [(ForgedReceipt.Environment, String, String)])
    func refusesWhatIsNotForIt(environment: ForgedReceipt.Environment, bundleID: String, reason: String) async throws {
        let forged = try Self.forged(environment, bundleID: bundleID)
        let answer = try await Self.handler(trusting: forged).handle(
            receiptData: forged.base64, transactionID: "1", account: "a", now: #require(Self.now))
        #expect("\(answer)".hasPrefix("refused(\"\(reason)"), "\(answer)")
    }

    /// As it stands, it trusts Apple and nobody else.
    @Test func trustsAppleOnly() async throws {
        let answer = try await PurchaseHandler(granted: Memory()).handle(
            receiptData: Self.forged().base64, transactionID: "1", account: "a", now: #require(Self.now))
        #expect("\(answer)".hasPrefix("refused(\"untrusted-root"), "\(answer)")
    }
}
