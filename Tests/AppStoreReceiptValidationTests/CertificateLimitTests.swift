import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// The limit on extensions holds for the certificates of a document, whichever chains are known already.
@Suite struct CertificateLimitTests {
    @Test func extensions() throws {
        let pki = try ForgedPKI()
        let forged = try ForgedReceipt().signed(by: pki)
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: [pki.root.der]))
        func reason(_ extensions: Int) throws -> String? {
            let receipt = try SignedReceipt(decoding: forged.bytes, limits: DecodingLimits(extensions: extensions))
            return try validator.validate(receipt).rejection.map { "\($0.reason): \($0.message)" }
        }
        // As many as the certificate with the most of them has, whatever the forge writes.
        let least = try #require(try (1...32).first { try reason($0) == nil })
        #expect(least > 1)
        for _ in 0..<2 {
            #expect(try reason(DecodingLimits.default.extensions) == nil)
            #expect(try reason(least) == nil)
            let refused = try #require(try reason(least - 1))
            #expect(refused.hasPrefix("malformed-certificate: ") && refused.contains("too-many-extensions"))
        }
    }

    @Test func extensionsOfTransactionReceipts() throws {
        let pki = try ForgedPKI(.sha1())
        let bytes = try ForgedTransactionReceipt().signed(by: pki).bytes
        var policy = try ValidationPolicy(trusting: [pki.root.der])
        policy.intermediates = [try #require(pki.intermediate).der]
        let validator = try ReceiptValidator(policy: policy)
        let receipt = try SignedTransactionReceipt(decoding: bytes)
        #expect(try validator.validate(receipt).rejection == nil)
        let limited = try SignedTransactionReceipt(decoding: bytes, limits: DecodingLimits(extensions: 1))
        #expect(try validator.validate(limited).rejection?.reason == .malformedCertificate)
    }
}
