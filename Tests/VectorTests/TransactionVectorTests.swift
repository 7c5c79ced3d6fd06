import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import Testing
import VectorRecipe

/// The vectors of iOS 6-style receipts: decoding, validation, examination, OpenSSL.
struct TransactionVectorTests {
    @Test(arguments: VectorFiles.transactions)
    func vector(vector: Vector) throws {
        let receipt: SignedTransactionReceipt
        do throws(ReceiptDecodingError) {
            receipt = try SignedTransactionReceipt(transport: vector.input)
        } catch {
            guard case .undecodable(let code, let offset) = try vector.expectation else { throw error }
            #expect(error.code.rawValue == code && error.offset == offset, "\(error)")
            return
        }
        switch try vector.expectation {
        case .undecodable: Issue.record("it decoded")
        case .valid: try vector.judge(receipt, nil, under: try vector.transactionPolicy)
        case .rejected(let reason): try vector.judge(receipt, reason, under: try vector.transactionPolicy)
        }
        try askOpenSSL(receipt, vector)
    }

    /// We are never more lenient than libcrypto's chain and signature.
    private func askOpenSSL(_ receipt: SignedTransactionReceipt, _ vector: Vector) throws {
        let time = try vector.validationTime ?? receipt.unverifiedReceipt.purchaseDate
        let certificate = receipt.signature.certificate
        let chain = Oracle.verifyCertificate(
            certificate, intermediates: try vector.intermediates, roots: try vector.anchors,
            at: time?.secondsSince1970 ?? 1_458_043_200)
        let signature = Oracle.verifySignature(
            receipt.signature.signature, over: receipt.signedBytes, certificate: certificate,
            digest: receipt.signatureVersion == 4 ? "SHA256" : "SHA1")
        let isOK = chain.isOK && signature.isOK
        switch vector[.openssl] {
        case "ok": #expect(isOK, "\(chain) \(signature)")
        case "fail": #expect(!isOK, "OpenSSL verifies it")
        case "varies": #expect(try vector.expectation != .valid)
        default: throw VectorError("openssl must be ok, fail or varies")
        }
        if try vector.expectation == .valid { #expect(isOK, "we accept what OpenSSL refuses") }
    }
}

extension Vector {
    /// The DER of the certificates that the caller passes.
    var intermediates: [[UInt8]] {
        get throws {
            try all(.intermediate).map { try #require(VectorFiles.intermediates[$0], "no intermediate \($0)") }
        }
    }

    var transactionPolicy: ValidationPolicy {
        get throws {
            var policy = try policy
            policy.intermediates = try intermediates
            for name in all(.authority) {
                let certificate = try #require(VectorFiles.intermediates[name], "no intermediate \(name)")
                policy.transactionReceipts.purchaseReceiptAuthorities.insert(
                    try CertificateFingerprint(of: certificate))
            }
            if let belief = self[.unsignedEnvironment] {
                try #require(belief == "believed")
                policy.transactionReceipts.acceptsUnsignedEnvironment = true
            }
            return policy
        }
    }
}
