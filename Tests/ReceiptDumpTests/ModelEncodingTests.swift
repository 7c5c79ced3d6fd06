import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import receipt_dump

/// The models as `Encodable`, and the request's body: what the tool writes and answers, the library does.
struct ModelEncodingTests {
    private static let genuine =
        [Corpus.fixtures + "/genuine/sandbox-2016.b64"] + Corpus.paths("receipts", suffix: ".der")

    @Test(arguments: genuine) func isWhatTheToolWrites(path: String) throws {
        let bytes = try Corpus.bytes(path)
        guard let receipt = try? SignedReceipt(transport: bytes).unverifiedReceipt else { return }
        let host = TestHost([.standardInput: bytes])
        _ = host.run("--format", "json", "-")
        let report = try JSONSerialization.jsonObject(with: Data(host.output.bytes)) as? [String: Any]
        let written = report?["receipt"] as? NSDictionary
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(receipt)) as? NSDictionary
        #expect(written != nil && encoded == written)
        let shown = report?["subscriptions"] as? NSArray
        let subscriptions = try JSONSerialization.jsonObject(with: JSONEncoder().encode(receipt.subscriptions))
        #expect(shown != nil && subscriptions as? NSArray == shown)
    }

    @Test(arguments: [
        (#"{"receipt-data":"$","password":"x"}"#, 0), (#"{"password":"x"}"#, 21_002), ("[]", 21_002), ("", 21_002),
        (#"{"receipt-data":1}"#, 21_002), (#"{"receipt-data":"$"} x"#, 21_002),
    ])
    func answersARequest(body: String, status: Int) throws {
        let forged = try ForgedReceipt().signed()
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: forged.chain.anchors))
        let now = try #require(ReceiptDate(rfc3339: "2025-07-01T00:00:00Z"))
        let text = body.replacing("$", with: forged.text())
        let response = try validator.verifyReceipt(request: Array(text.utf8), at: now)
        #expect(response.status.rawValue == status && response.requestDate == now)
    }
}
