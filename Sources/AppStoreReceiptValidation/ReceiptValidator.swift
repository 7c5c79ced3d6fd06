public import AppStoreReceipt

/// Decides whether what Apple signs is genuine and wanted, without network, clock or configuration.
///
/// Make one per policy and share it: it is safe to use from any number of threads, and it remembers certificate
/// chains, so that checking a document costs one digest and one operation with a public key.
public struct ReceiptValidator: Sendable {
    /// Behind one reference, so that a validation takes one reference count and not one for each part of the policy.
    final class Core: Sendable {
        let policy: ValidationPolicy
        let libcrypto: Libcrypto
        let routes: SignerRoutes

        init(_ policy: ValidationPolicy, chainCacheCapacity: Int) throws(LibcryptoError) {
            self.policy = policy
            libcrypto = try Libcrypto.shared()
            routes = try SignerRoutes(policy, libcrypto, capacity: chainCacheCapacity)
        }

        /// Other expectations for the same signers.
        init(_ policy: ValidationPolicy, sharing core: Core) {
            self.policy = policy
            libcrypto = core.libcrypto
            routes = core.routes
        }
    }

    let core: Core

    public var policy: ValidationPolicy { core.policy }

    /// - Parameters:
    ///   - policy: What to accept.
    ///   - chainCacheCapacity: How many certificate chains to remember for each signer profile; each of 16 groups of
    ///     threads remembers its own. Apple has used seven for receipts since 2010; 0 remembers none.
    /// - Throws: ``LibcryptoError`` if libcrypto cannot be set up.
    public init(policy: ValidationPolicy, chainCacheCapacity: Int = 32) throws(LibcryptoError) {
        core = try Core(policy, chainCacheCapacity: chainCacheCapacity)
    }

    private init(_ core: Core) { self.core = core }

    /// The same validator with other expectations. Whom it trusts stays, and so do the chains that it remembers.
    package func expecting(_ change: (inout ValidationPolicy) -> Void) -> ReceiptValidator {
        var policy = policy
        change(&policy)
        policy.roots = core.policy.roots
        policy.directSigners = core.policy.directSigners
        policy.intermediates = core.policy.intermediates
        policy.toleratedCriticalExtensions = core.policy.toleratedCriticalExtensions
        return ReceiptValidator(Core(policy, sharing: core))
    }

    /// Checks a document up to the first failure.
    ///
    /// - Parameters:
    ///   - document: The decoded document.
    ///   - date: The current date, for ``ValidationPolicy/maximumAge``, for the expiration of volume purchases, and for
    ///     subscriptions that are expected; the library reads no clock. Without it no expiration is checked, and a policy
    ///     with a maximum age rejects.
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the document.
    public func validate<Document: SignedDocument>(
        _ document: Document, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> Verdict<Document> {
        var proceedings = Proceedings(core, document, date, .firstFailure)
        try proceedings.judge()
        return verdict(proceedings, document)
    }

    /// Runs every check that can be run, for showing. The verdict is the same as that of `validate`.
    public func examine<Document: SignedDocument>(
        _ document: Document, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> Examination<Document> {
        let outcomes = try outcomes(document, asOf: date)
        return Examination(
            verdict: outcomes.verdict, checks: outcomes.checks, certificates: try document.certificateSummaries)
    }

    /// The same for a caller that has the certificates, and keeps what was found out on the way.
    ///
    /// - Parameter keepsChecks: Whether every check is run and its outcome kept; otherwise as `validate` does.
    package func outcomes<Document: SignedDocument>(
        _ document: Document, asOf date: ReceiptDate? = nil, keepsChecks: Bool = true
    ) throws(LibcryptoError) -> Outcomes<Document> {
        var proceedings = Proceedings(core, document, date, keepsChecks ? .everyOutcome : .firstFailure)
        try proceedings.judge()
        return Outcomes(
            verdict: verdict(proceedings, document), checks: proceedings.run.checks,
            repeated: proceedings.run.repeated, payloadSHA256: proceedings.payloadSHA256)
    }

    package struct Outcomes<Document: SignedDocument>: Sendable {
        package let verdict: Verdict<Document>
        package let checks: [Check]
        package let repeated: RepeatedOutcomes?
        /// SHA-256 of the payload, where that is what was digested.
        package let payloadSHA256: [UInt8]?
    }

    /// The one way to a verdict.
    private func verdict<Document: SignedDocument>(
        _ proceedings: Proceedings, _ document: Document
    ) -> Verdict<Document> {
        if let rejection = proceedings.run.rejection { return .rejected(rejection) }
        // Without a rejection every check has passed, the signature among them; if not, nothing was verified.
        guard proceedings.isSignatureVerified, let chain = proceedings.chain, let time = proceedings.time else {
            return .rejected(Rejection(.signatureMismatch, "the document was not verified"))
        }
        return .valid(
            Validated(
                document, matchedDeviceIdentifier: proceedings.device, validationTime: time,
                usesSHA1: proceedings.usesSHA1(chain),
                usesPurchaseReceiptCertificate: proceedings.route.isForPurchaseReceipts))
    }
}
