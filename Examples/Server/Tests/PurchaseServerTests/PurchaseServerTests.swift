import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import PurchaseServer
import ReceiptForge
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct PurchaseServerTests {
    private static func forged(_ environment: ForgedReceipt.Environment = .production) throws -> ForgedMessage {
        var receipt = ForgedReceipt(bundleID: "com.example.app", environment: environment)
        receipt.purchases = [
            .nonConsumable("unlock").transaction("1"), .consumable("coins").transaction("2"),
            .nonConsumable("refunded").transaction("3").refunded(at: "2025-01-20T00:00:00Z"),
            .autoRenewable("ended", expiresDate: "2025-01-31T00:00:00Z").transaction("4"),
        ]
        return try receipt.signed()
    }

    private static func handler(_ forged: ForgedMessage, database: String = ":memory:") throws -> PurchaseHandler {
        var policy = ValidationPolicy.appStore(bundleIdentifiers: ["com.example.app"])
        policy.roots = try forged.anchors.map { try TrustAnchor(certificate: $0) }
        return try PurchaseHandler(policy: policy, granted: GrantedTransactions(path: database))
    }

    private static let now = ReceiptDate(rfc3339: "2025-02-01T00:00:00Z") ?? ReceiptDate(millisecondsSince1970: 0)

    @Test(
        arguments: [
            ("1", "a", "granted unlock"), ("1", "a", "granted-before unlock"),
            ("1", "b", "refused granted-to-another-account"), ("3", "a", "refused cancelled"),
            ("4", "a", "refused ended"), ("5", "a", "refused no-such-purchase"),
        ].reduce(into: [[(String, String, String)]]()) { $0.append(($0.last ?? []) + [$1]) })
    func answers(history: [(transaction: String, account: String, expected: String)]) throws {
        let forged = try Self.forged()
        let handler = try Self.handler(forged)
        for step in history {
            let request = PurchaseHandler.Request(receipt: forged.base64, transactionID: step.transaction)
            let answer = try handler.answer(request, account: step.account, now: Self.now)
            #expect("\(answer.status.rawValue) \(answer.product ?? answer.reason ?? "")" == step.expected)
        }
    }

    /// Eight threads at once, two accounts, one transaction: it is granted once.
    @Test func grantsOnceWhoeverIsFirst() throws {
        let forged = try Self.forged()
        let handler = try Self.handler(forged)
        let answers = Mutex<[PurchaseHandler.Answer]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let request = PurchaseHandler.Request(receipt: forged.base64, transactionID: "2")
            // A failure leaves an answer out, and the count tells.
            guard let answer = try? handler.answer(request, account: "\(index % 2)", now: Self.now) else { return }
            answers.withLock { $0.append(answer) }
        }
        let all = answers.withLock { $0 }
        #expect(all.count == 8)
        #expect(all.filter { $0.status == .granted }.count == 1)
        #expect(all.filter { $0.status == .grantedBefore }.count == 3)
    }

    @Test func remembersAfterARestart() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let forged = try Self.forged()
        let request = PurchaseHandler.Request(receipt: forged.base64, transactionID: "1")
        for expected in [PurchaseHandler.Answer.Status.granted, .grantedBefore] {
            let answer = try Self.handler(forged, database: path).answer(request, account: "a", now: Self.now)
            #expect(answer.status == expected)
        }
    }

    /// Over a socket, as an app would ask: status and body.
    @Test func servesRequests() async throws {
        let forged = try Self.forged()
        let server = try HTTPServer(port: 0, handler: Self.handler(forged))
        Thread { server.run() }.start()
        defer { server.stop() }
        let sandbox = try Self.forged(.sandbox)
        for (body, account, status, text) in [
            (#"{"receipt":"\#(forged.base64)","transactionID":"1"}"#, "a", 200, #""status":"granted""#),
            (#"{"receipt":"\#(forged.base64)","transactionID":"1"}"#, "b", 403, "granted-to-another-account"),
            (#"{"receipt":"\#(sandbox.base64)","transactionID":"1"}"#, "a", 403, "environment-mismatch"),
            (#"{"receipt":"hello","transactionID":"1"}"#, "a", 403, #""status":"refused""#), ("{", "a", 400, ""),
            ("{}", "", 401, ""),
        ] {
            var request = try URLRequest(url: #require(URL(string: "http://127.0.0.1:\(server.port)/purchases")))
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(account, forHTTPHeaderField: "X-Account")
            let (data, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == status, "\(text)")
            #expect(text.isEmpty || String(decoding: data, as: UTF8.self).contains(text))
        }
    }
}
