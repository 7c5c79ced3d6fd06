public import AppStoreReceipt
internal import ReceiptPKIX

extension ReceiptValidator {
    /// Checks a transaction receipt up to the first failure.
    ///
    /// - Parameters:
    ///   - receipt: The decoded receipt.
    ///   - date: The current date, for ``ValidationPolicy/maximumAge``, which counts from the purchase; the library reads
    ///     no clock. Without it, a policy with a maximum age rejects.
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the receipt.
    public func validate(
        _ receipt: SignedTransactionReceipt, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> TransactionReceiptVerdict {
        var run = CheckRun(.firstFailure)
        return try judge(receipt, date, &run)
    }

    /// Runs every check that can be run, for showing. The verdict is the same as that of ``validate(_:asOf:)``.
    public func examine(
        _ receipt: SignedTransactionReceipt, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> TransactionReceiptExamination {
        var run = CheckRun(.everyOutcome)
        let verdict = try judge(receipt, date, &run)
        let certificate = try receipt.certificateSummary
        return TransactionReceiptExamination(
            verdict: verdict, checks: run.checks, certificates: certificate.map { [$0] } ?? [])
    }

    /// The one list of checks.
    private func judge(
        _ receipt: SignedTransactionReceipt, _ date: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> TransactionReceiptVerdict {
        let authenticity = try checkAuthenticity(receipt, &run)
        let device = try checkExpectations(receipt, date, &run)
        return Self.conclude(run, authenticity, rejected: TransactionReceiptVerdict.rejected) { found in
            .valid(
                ValidatedTransactionReceipt(
                    receipt, matchedDeviceIdentifier: device, validationTime: found.time, usesSHA1: found.usesSHA1,
                    usesPurchaseReceiptCertificate: found.isPurchaseReceipt))
        }
    }

    /// What was found out about a transaction receipt that passed.
    private struct TransactionAuthenticity {
        let time: ReceiptDate
        let usesSHA1: Bool
        let isPurchaseReceipt: Bool
    }

    private func checkAuthenticity(
        _ receipt: SignedTransactionReceipt, _ run: inout CheckRun
    ) throws(LibcryptoError) -> TransactionAuthenticity? {
        let digest: DigestAlgorithm = receipt.signatureVersion == 4 ? .sha256 : .sha1
        // The blob's version has said so; the decoder knows no version with anything else.
        let algorithm =
            "version \(receipt.signatureVersion): RSA PKCS#1 v1.5 with \(digest == .sha1 ? "SHA-1" : "SHA-256")"
        try run.check(.signatureAlgorithm, algorithm) { nil }
        let time = validationTime(receipt)
        try run.check(.validationTime, time.map { "\($0), \(self.timeSource)" } ?? "") {
            time == nil
                ? Rejection(
                    .purchaseDateMissing,
                    "the receipt has no purchase date, so there is no time at which to check its certificates") : nil
        }
        guard !run.isStopped else { return nil }
        let (route, candidates) = transactionChains.route(signer: receipt.signature.certificate)
        let chain = try findChain(receipt, route, candidates, at: time, &run)
        guard !run.isStopped else { return nil }
        if let chain, let time {
            try run.check(.validity, "every certificate was valid at \(time)") { Self.validityProblem(chain, time) }
        } else {
            run.skip([.validity], chain == nil ? "there is no chain" : "there is no time to check it at")
        }
        guard let chain else {
            run.skip([.signature], "the signer's key is not vouched for")
            run.skip([.environmentVouchedFor, .sha1], "there is no chain")
            return nil
        }
        try checkSignature(receipt, chain, digest, &run)
        try checkUse(chain, &run)
        let usesSHA1 = digest == .sha1 || chain.usesSHA1
        try checkSHA1(usesSHA1, &run)
        guard let time else { return nil }
        return TransactionAuthenticity(time: time, usesSHA1: usesSHA1, isPurchaseReceipt: route.isPurchaseReceipt)
    }

    private func validationTime(_ receipt: SignedTransactionReceipt) -> ReceiptDate? {
        // Demanded in any case: a receipt that does not say when the purchase was made is not one of Apple's.
        guard let purchase = receipt.unverifiedReceipt.purchaseDate else { return nil }
        if case .at(let date) = policy.validationTime { return date }
        return purchase
    }

    private var timeSource: String {
        if case .at = policy.validationTime { "as asked for" } else { "when the purchase was made" }
    }

    private func findChain(
        _ receipt: SignedTransactionReceipt, _ route: TransactionReceiptChains.Route, _ candidates: [[UInt8]],
        at time: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        let signer = receipt.signature.certificate
        // With several candidates the first that holds is taken, not the one that happens to be known.
        if run.mode == .firstFailure, candidates.count == 1, let candidate = candidates.first,
            let known = route.cache.chain(signer: signer.span, intermediate: candidate.span, at: time)
        {
            return known
        }
        let chain = try route.builder.chain(
            signer: signer, candidates: candidates, others: candidates, at: time, route.cache, &run)
        if let chain { route.cache.insert(chain) }
        return chain
    }

    private func checkSignature(
        _ receipt: SignedTransactionReceipt, _ chain: CertificateChain, _ algorithm: DigestAlgorithm,
        _ run: inout CheckRun
    ) throws(LibcryptoError) {
        try run.check(.signature, "\(chain.signer.name) signed this purchase-info") { () throws(LibcryptoError) in
            let digest = try libcrypto.digest(algorithm, receipt.signedBytes.span)
            return try chain.signerKey.isSignature(receipt.signature.signature.span, of: digest, algorithm)
                ? nil
                : Rejection(
                    .signatureMismatch,
                    "the signature does not fit the purchase-info: one of them was changed after \(chain.signer.name) signed, or another key signed"
                )
        }
    }

    /// A certificate that is trusted by itself is Xcode's, whose key anybody with Xcode can use. Xcode makes no transaction
    /// receipts.
    private func checkUse(_ chain: CertificateChain, _ run: inout CheckRun) throws(LibcryptoError) {
        try run.check(.environmentVouchedFor, "the signer signs for the App Store") {
            chain.isDirectlyTrusted
                ? Rejection(
                    .environmentNotVouchedFor,
                    "the signer, \(chain.signer.name), is trusted for app receipts of type Xcode only")
                : nil
        }
    }
}
