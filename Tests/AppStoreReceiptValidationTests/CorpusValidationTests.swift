import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import TestSupport
import Testing

/// Genuine receipts: the verdicts that their sources, Apple's dates and OpenSSL give them.
@Suite struct CorpusValidationTests {
    private static let receipts = Corpus.paths("receipts", suffix: ".der")
        .filter { !$0.contains("/malformed") && !$0.contains("/othercms") && !$0.contains("/appattest") }

    private static func isXcode(_ path: String) -> Bool { path.contains("/xcode-") }

    @Test(arguments: receipts)
    func appStoreReceiptsAreValidUnderApplesRoot(path: String) throws {
        let receipt = try SignedReceipt(decoding: Corpus.bytes(path))
        let validator = try ReceiptValidator(policy: ValidationPolicy())
        let expected: Rejection.Reason? =
            Self.isXcode(path) ? .selfSignedSigner : path.contains("/mas-2010-sample") ? .signerMarkerMissing : nil
        for _ in 0..<2 {
            // The second time, the chain comes from the cache.
            #expect(try validator.validate(receipt).rejection?.reason == expected)
        }
        let examination = try validator.examine(receipt)
        #expect(examination.verdict.rejection?.reason == expected)
        #expect(examination.checks.contains { $0.outcome == .failed } == (expected != nil))
    }

    @Test(arguments: receipts)
    func noneIsValidLongAfterItsCertificatesHaveExpired(path: String) throws {
        var policy = ValidationPolicy()
        policy.validationTime = .at(try #require(ReceiptDate(rfc3339: "2026-11-30T00:00:00Z")))
        let verdict = try ReceiptValidator(policy: policy).validate(SignedReceipt(decoding: Corpus.bytes(path)))
        #expect(verdict.rejection != nil)
        if !Self.isXcode(path), !path.contains("/mas-2010-sample") {
            #expect(verdict.rejection?.reason == .certificateExpired)
        }
    }

    @Test(arguments: receipts.filter(isXcode))
    func xcodeReceiptsAreValidUnderTheirOwnCertificateOnly(path: String) throws {
        let receipt = try SignedReceipt(decoding: Corpus.bytes(path))
        let folder = try #require(Corpus.directory)
        let anchor = try DirectSigner(
            certificate: Corpus.bytes("\(folder)/certificates/StoreKitTestCertificate.cer"))
        let bundle = try #require(receipt.unverifiedReceipt.bundleID)
        let validator = try ReceiptValidator(policy: .xcode(certificate: anchor, bundleIdentifiers: [bundle]))
        let verdict = try validator.validate(receipt)
        #expect(verdict.validated?.environment == .xcode)
        var production = validator.policy
        production.environments = [.production, .sandbox]
        #expect(
            try ReceiptValidator(policy: production).validate(receipt).rejection?.reason == .environmentMismatch)
    }

    @Test func theBuiltInRootIsApples() throws {
        let certificate = TrustAnchor.appleRootCA.certificate
        let digest = try Libcrypto.shared().digest(.sha256, certificate.span)
        #expect(hex(digest) == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
    }
}
