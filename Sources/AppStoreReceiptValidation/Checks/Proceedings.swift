internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// One validation under way: what is judged, under what, and what the checks have found so far.
struct Proceedings {
    let core: ReceiptValidator.Core
    let document: any SignedDocument
    let kind: DocumentKind
    let signing: DocumentSigning
    let statements: DocumentStatements
    /// The date that the caller gave.
    let date: ReceiptDate?

    var run: CheckRun
    var route: SignerRoute
    var digestAlgorithm: DigestAlgorithm?
    var scheme: SignatureScheme?
    var time: ReceiptDate?
    /// The certificates that are tried.
    var path = CertificatePath()
    /// The path on which everything holds.
    var chain: CertificateChain?
    var contentDigest: [UInt8]?
    var isSignatureVerified = false
    /// The device identifier that fitted.
    var device: DeviceIdentifier?

    init<Document: SignedDocument>(
        _ core: ReceiptValidator.Core, _ document: Document, _ date: ReceiptDate?, _ mode: CheckRun.Mode
    ) {
        self.core = core
        self.document = document
        self.date = date
        kind = Document.kind
        signing = document.signing
        statements = document.statements
        run = CheckRun(mode)
        route = core.routes.route(for: Document.kind)
    }

    var policy: ValidationPolicy { core.policy }
    var libcrypto: Libcrypto { core.libcrypto }
    var words: KindWords { kind.words }

    /// The SignerInfo of a container that has one.
    var signerInfo: SignerInfo? {
        guard case .cms(let signedData, _) = signing.form else { return nil }
        return signedData.signerInfos.first
    }

    func usesSHA1(_ chain: CertificateChain) -> Bool { digestAlgorithm == .sha1 || chain.usesSHA1 }

    mutating func judge() throws(LibcryptoError) {
        try perform(CheckTable.opening)
        if !run.isStopped { try judgePaths() }
        try perform(CheckTable.closing)
    }

    mutating func perform(_ checks: [CheckDefinition]) throws(LibcryptoError) {
        // Through a span, which lends its elements: `for check in checks` would count a reference for each.
        let rows = checks.span
        for index in rows.indices where !run.isStopped { try perform(rows[index]) }
    }

    private mutating func perform(_ check: CheckDefinition) throws(LibcryptoError) {
        guard hasWhat(check.scope) else { return }
        let keepsOutcomes = run.mode == .everyOutcome
        if !run.unmet.isEmpty, let unmet = check.needs.first(where: run.unmet.contains) {
            run.block(check.name, CheckTable.lacking(unmet))
        } else if !check.isAsked(self) {
            run.skip(check.name, keepsOutcomes ? check.notAsked(self) : nil)
        } else if let rejection = try check.problem(&self) {
            run.fail(check.name, rejection)
        } else {
            run.pass(check.name, keepsOutcomes ? check.passed(self) : nil)
        }
    }

    private func hasWhat(_ scope: CheckDefinition.Scope) -> Bool {
        switch (scope, signing.form) {
        case (.notifications, _): kind == .notification
        case (.attestations, _): kind == .appAttestReceipt
        case (.all, _), (_, .cms): true
        case (.cms, .plain): false
        case (.containers, .plain(let signature)): signature.certificates.count > 1
        }
    }
}
