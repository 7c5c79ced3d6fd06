import AppStoreReceipt
import Foundation
import ReceiptForge
import Testing

@testable import AppStoreReceiptValidation

/// The answer of the library itself; `receipt-dump` has tests of every key.
@Suite struct VerifyReceiptResponseTests {
    @Test func encodesToJSON() throws {
        var receipt = ForgedReceipt()
        receipt.purchases = [.consumable("com.example.coins")]
        let message = try receipt.signed()
        let policy = try ValidationPolicy(trusting: message.anchors)
        let validator = try ReceiptValidator(policy: policy)
        var answer = try validator.verifyReceipt(receiptData: message.base64)
        let encoded = answer.encoded()
        #expect(try validator.validate(SignedReceipt(decoding: message.bytes)).validated?.environment == .production)
        #expect(try validator.verifyReceipt(receiptData: Array(message.base64.utf8)).encoded() == encoded)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(encoded)) as? [String: Any])
        #expect(object["status"] as? Int == 0)
        let content = try #require(object["receipt"] as? [String: Any])
        #expect(content["bundle_id"] as? String == receipt.bundleID)
        #expect((content["in_app"] as? [[String: Any]])?.count == 1 && content["request_date"] == nil)
        answer.requestDate = ReceiptDate(millisecondsSince1970: 1_458_043_200_000)
        #expect(
            String(decoding: answer.encoded(), as: UTF8.self).contains(
                "\"request_date\":\"2016-03-15 12:00:00 Etc/GMT\""))
        // A year of five digits, which no receipt has, is still a date.
        answer.requestDate = ReceiptDate(millisecondsSince1970: 253_402_400_000_000)
        #expect(String(decoding: answer.encoded(), as: UTF8.self).contains("\"10000-01-02 03:33:20 Etc/GMT\""))
    }

    @Test func whatIsNoReceiptIsMalformed() throws {
        let answer = try ReceiptValidator(policy: ValidationPolicy()).verifyReceipt(receiptData: "MIIT")
        #expect(String(decoding: answer.encoded(), as: UTF8.self) == "{\"status\":21002}")
        #expect(answer.decodingError?.code == .truncated && answer.rejection == nil)
    }

    @Test func namesAndReasonsDescribeThemselves() {
        #expect("\(Check.Name.signerMarker)" == "signer-marker")
        #expect("\(Rejection(.receiptTooOld, "too old"))" == "receipt-too-old: too old")
        #expect("\(LibcryptoError(function: "EVP_MD_fetch", errors: []))" == "EVP_MD_fetch failed")
        #expect("\(LibcryptoError(function: "f", errors: ["a", "b"]))" == "f failed: a; b")
        #expect(CertificateFingerprint(sha256: [UInt8](repeating: 1, count: 32)) != nil)
        #expect(CertificateFingerprint(sha256: [1]) == nil)
        let authority = CertificateFingerprint.appleITunesStoreCA
        #expect(CertificateFingerprint(sha256: authority.sha256) == authority)
        #expect(Set([TrustAnchor.appleRootCA, .appleRootCA]).count == 1)
    }
}
