import AppStoreReceipt
import OracleSupport
import TestSupport
import Testing

@testable import AppStoreReceiptValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Genuine transaction receipts, Apple's certificates, and what libcrypto says of both.
struct TransactionReceiptCorpusTests {
    static let root = TrustAnchor.appleRootCA.certificate

    static func certificate(_ name: String) throws -> [UInt8] {
        try Corpus.bytes("\(try #require(Corpus.directory))/certificates/\(name)")
    }

    /// A policy that accepts Apple's purchase receipt certificates, as archives need it.
    static func archive() throws -> ValidationPolicy {
        var policy = ValidationPolicy()
        policy.intermediates = [try certificate("AppleiTunesStoreCA-2009.cer")]
        policy.transactionReceipts.purchaseReceiptAuthorities = [.appleITunesStoreCA]
        return policy
    }

    static let genuine = Corpus.paths("receipts", suffix: ".plist").filter {
        !$0.contains("ios6-inner") && !$0.contains("ios6-malformed")
    }

    @Test(arguments: genuine)
    func genuineReceiptsAreValid(path: String) throws {
        let bytes = try Corpus.bytes(path)
        let receipt = try SignedTransactionReceipt(decoding: bytes)
        let validator = try ReceiptValidator(policy: Self.archive())
        let validated = try #require(try validator.validate(receipt).validated)
        #expect(validated.receipt == receipt.unverifiedReceipt)
        #expect(validated.validationTime == receipt.unverifiedReceipt.purchaseDate)
        #expect(validated.usesSHA1 == (receipt.signatureVersion < 4))
        #expect(validated.usesPurchaseReceiptCertificate == (receipt.signatureVersion == 2))
        let examination = try validator.examine(receipt)
        #expect(examination.verdict.validated != nil)
        #expect(!examination.checks.contains { $0.outcome == .failed })

        let intermediates = try Self.archive().intermediates + SignerProfile.appReceipt.builtInIntermediates
        let at = try #require(receipt.unverifiedReceipt.purchaseDate).secondsSince1970
        let chain = Oracle.verifyCertificate(
            receipt.signature.certificate, intermediates: intermediates, roots: [Self.root], at: at,
            options: .checkSelfSigned)
        #expect(chain.isOK, "\(chain)")
        let digest = receipt.signatureVersion == 4 ? "SHA256" : "SHA1"
        #expect(
            Oracle.verifySignature(
                receipt.signature.signature, over: receipt.signedBytes, certificate: receipt.signature.certificate,
                digest: digest
            ).isOK)
    }

    /// Without its explicit policy, a purchase receipt certificate is refused, with its authority's certificate at hand
    /// and without; the others need nothing.
    @Test(arguments: genuine)
    func purchaseReceiptCertificatesNeedTheirPolicy(path: String) throws {
        let receipt = try SignedTransactionReceipt(decoding: Corpus.bytes(path))
        var unpinned = try Self.archive()
        unpinned.transactionReceipts.purchaseReceiptAuthorities = []
        var otherPin = try Self.archive()
        otherPin.transactionReceipts.purchaseReceiptAuthorities = [try CertificateFingerprint(of: Self.root)]
        var noCertificate = try Self.archive()
        noCertificate.intermediates = []
        for (policy, reason) in [
            (ValidationPolicy(), Rejection.Reason.intermediateMissing), (noCertificate, .intermediateMissing),
            (unpinned, .signerMarkerMissing), (otherPin, .signerMarkerMissing),
        ] {
            let verdict = try ReceiptValidator(policy: policy).validate(receipt)
            #expect(verdict.rejection?.reason == (receipt.signatureVersion == 2 ? reason : nil))
        }
    }

    /// Another byte anywhere in the signed part or the signature, and the receipt is not valid.
    @Test(arguments: genuine)
    func changedReceiptsAreRejected(path: String) throws {
        let receipt = try SignedTransactionReceipt(decoding: Corpus.bytes(path))
        let validator = try ReceiptValidator(policy: Self.archive())
        for value in ["com.example.other", "\(receipt.unverifiedReceipt.bundleID ?? "") "] {
            let text = try Self.text(receipt, replacing: "bid", with: value)
            let changed = try SignedTransactionReceipt(decoding: text)
            #expect(changed.unverifiedReceipt.bundleID == value)
            #expect(try validator.validate(changed).rejection?.reason == .signatureMismatch)
        }
    }

    /// The receipt's text with another value in its purchase-info.
    private static func text(
        _ receipt: SignedTransactionReceipt, replacing key: String, with value: String
    ) throws -> [UInt8] {
        let info = String(decoding: receipt.payload, as: UTF8.self)
        let old = "\"\(key)\" = \"\(receipt.unverifiedReceipt[key] ?? "")\""
        let changed = info.split(separator: old, omittingEmptySubsequences: false).joined(
            separator: "\"\(key)\" = \"\(value)\"")
        let signature = try #require(receipt.unsignedEnvelope["signature"])
        return Array("{signature = \"\(signature)\"; purchase-info = \"\(base64(Array(changed.utf8)))\";}".utf8)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    // MARK: - Built-in certificates

    @Test(arguments: [
        (
            AppleCertificates.appleWWDRCAG1, "ce057691d730f89ca25e916f7335f4c8a15713dcd273a658c024023f8eb809c2",
            Int64(1_500_000_000)
        ),
        (
            AppleCertificates.appleWWDRCAG5, "53fd008278e5a595fe1e908ae9c5e5675f26243264a5a6438c023e3ce2870760",
            1_700_000_000
        ),
        (
            AppleCertificates.appleWWDRCAG7, "0f570d7502373a2102e2106faaa8fa4844944a07ee676198484f4d6ce15bea47",
            1_690_000_000
        ),
        (
            AppleCertificates.appleWWDRCAG8, "29901badea37c9f300ce9869956beeb001d7e71bffb2e2d9533e132a4e87e6bd",
            1_700_000_000
        ),
    ])
    func builtInIntermediates(certificate: [UInt8], fingerprint: String, at: Int64) throws {
        #expect(try CertificateFingerprint(of: certificate).description == fingerprint)
        #expect(SignerProfile.appReceipt.builtInIntermediates.contains(certificate))
        #expect(Oracle.verifyCertificate(certificate, intermediates: [], roots: [Self.root], at: at).isOK)
    }

    @Test(.enabled(if: Corpus.directory != nil))
    func pinnedAuthority() throws {
        let certificate = try Self.certificate("AppleiTunesStoreCA-2009.cer")
        #expect(try CertificateFingerprint(of: certificate) == .appleITunesStoreCA)
        #expect(CertificateFingerprint(sha256: CertificateFingerprint.appleITunesStoreCA.sha256) == .appleITunesStoreCA)
        #expect(CertificateFingerprint(sha256: [UInt8](repeating: 0, count: 31)) == nil)
    }
}
