public import AppStoreReceipt
internal import ReceiptPKIX

/// Decides whether receipts are genuine and wanted, without network, clock or configuration.
///
/// Make one per policy and share it: it is safe to use from any number of threads, and it remembers certificate
/// chains, so that checking a receipt costs one digest and one RSA operation.
public struct ReceiptValidator: Sendable {
    public let policy: ValidationPolicy
    let libcrypto: Libcrypto
    let builder: ChainBuilder
    let cache: ChainCache
    let transactionChains: TransactionReceiptChains

    /// - Parameters:
    ///   - policy: What to accept.
    ///   - chainCacheCapacity: How many certificate chains to remember; each of 16 groups of threads remembers its own.
    ///     Apple has used seven since 2010; 0 remembers none.
    /// - Throws: ``LibcryptoError`` if libcrypto cannot be set up.
    public init(policy: ValidationPolicy, chainCacheCapacity: Int = 32) throws(LibcryptoError) {
        self.policy = policy
        libcrypto = try Libcrypto.shared()
        builder = try ChainBuilder(libcrypto, .appStoreReceipt, policy)
        cache = ChainCache(capacity: chainCacheCapacity)
        transactionChains = try TransactionReceiptChains(policy, builder, cache, capacity: chainCacheCapacity)
    }

    /// Checks a receipt up to the first failure.
    ///
    /// - Parameters:
    ///   - receipt: The decoded receipt.
    ///   - date: The current date, for ``ValidationPolicy/maximumAge`` and for the expiration of volume purchases; the
    ///     library reads no clock. Without it the expiration is not checked, and a policy with a maximum age rejects.
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the receipt.
    public func validate(_ receipt: SignedReceipt, asOf date: ReceiptDate? = nil) throws(LibcryptoError) -> Verdict {
        var run = CheckRun(.firstFailure)
        return try judge(receipt, date, &run)
    }

    /// Runs every check that can be run, for showing. The verdict is the same as that of ``validate(_:asOf:)``.
    public func examine(
        _ receipt: SignedReceipt, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> Examination {
        let (verdict, checks) = try outcomes(receipt, asOf: date)
        return Examination(verdict: verdict, checks: checks, certificates: try receipt.certificateSummaries)
    }

    /// The same without the certificates, for a caller that has them.
    package func outcomes(
        _ receipt: SignedReceipt, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> (verdict: Verdict, checks: [Check]) {
        var run = CheckRun(.everyOutcome)
        let verdict = try judge(receipt, date, &run)
        return (verdict, run.checks)
    }

    /// The one list of checks.
    private func judge(
        _ receipt: SignedReceipt, _ date: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> Verdict {
        let authenticity = try checkAuthenticity(receipt, &run)
        let device = try checkExpectations(receipt, date, &run)
        return Self.conclude(run, authenticity, rejected: Verdict.rejected) { found in
            .valid(
                ValidatedReceipt(
                    receipt, matchedDeviceIdentifier: device, validationTime: found.time, usesSHA1: found.usesSHA1))
        }
    }

    /// The one way to a verdict, of either kind.
    static func conclude<Found, Verdict>(
        _ run: CheckRun, _ found: Found?, rejected: (Rejection) -> Verdict, valid: (Found) -> Verdict
    ) -> Verdict {
        if let rejection = run.rejection { return rejected(rejection) }
        // Without a rejection every check has passed, the chain among them; if not, nothing was verified.
        guard let found else { return rejected(Rejection(.signatureMismatch, "the receipt was not verified")) }
        return valid(found)
    }
}

/// A verdict with everything that led to it.
public struct Examination: Sendable {
    public let verdict: Verdict
    /// The checks in the order in which they are made.
    public let checks: [Check]
    /// The certificates in the container.
    public let certificates: [CertificateSummary]
}
