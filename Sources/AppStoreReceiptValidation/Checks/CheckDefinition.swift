/// One row of the table of checks: what it is called, what it needs, what it does, and what it may say.
///
/// A class, so that going through the table takes one reference count a row, not one for each list and closure of it.
final class CheckDefinition: Sendable {
    let name: Check.Name
    /// What it finds out, for the documentation.
    let summary: String
    /// The reasons that it gives, and what they mean to a server.
    let reasons: [Rejection.Reason]
    let category: Rejection.Category
    /// The checks without whose success it cannot be run.
    let needs: [Check.Name]
    /// What those that need it lack when it failed.
    let lacking: Sentence
    let scope: Scope
    /// Whether there is anything to check; `notAsked` says why not.
    let isAsked: @Sendable (Proceedings) -> Bool
    let notAsked: @Sendable (Proceedings) -> Sentence
    /// What was found when it passed.
    let passed: @Sendable (Proceedings) -> Sentence
    /// Runs it: why it fails, or nil.
    let problem: @Sendable (inout Proceedings) throws(LibcryptoError) -> Rejection?

    /// Which documents have what it is about.
    enum Scope: Sendable {
        case all
        /// CMS containers.
        case cms
        /// Whatever carries certificates beside the signer's.
        case containers
        /// Notifications, which hold signed documents.
        case notifications
        /// App Attest receipts.
        case attestations
    }

    init(
        _ name: Check.Name, _ summary: String, reasons: [Rejection.Reason],
        _ category: Rejection.Category = .notAuthentic, needs: [Check.Name] = [], lacking: Sentence = "",
        scope: Scope = .all, isAsked: @escaping @Sendable (Proceedings) -> Bool = { _ in true },
        notAsked: @escaping @Sendable (Proceedings) -> Sentence = { _ in "not asked for" },
        passed: @escaping @Sendable (Proceedings) -> Sentence,
        problem: @escaping @Sendable (inout Proceedings) throws(LibcryptoError) -> Rejection?
    ) {
        self.name = name
        self.summary = summary
        self.reasons = reasons
        self.category = category
        self.needs = needs
        self.lacking = lacking
        self.scope = scope
        self.isAsked = isAsked
        self.notAsked = notAsked
        self.passed = passed
        self.problem = problem
    }
}

/// All checks in their one order. What is shown, what is not run for want of another, the order of the reasons and the
/// documentation follow from it.
enum CheckTable {
    /// Who signed, how, and as of when.
    static let opening = [signerInfo, digestAlgorithm, signatureAlgorithm, validationTime]
    /// One path from a signer's certificate to a root. The same certificates give the same outcomes.
    static let path = [
        signerCertificate, intermediateCertificate, basicConstraints, keyUsage, anchor, certificateAlgorithms,
        publicKeys, criticalExtensions, signerMarker, intermediateMarker, intermediateSignature, signerSignature,
    ]
    /// What the path is good for. These too are made for each path that may be meant.
    static let proof = [validity, container, signedAttributes, signature]
    /// Whether the authentic document is acceptable.
    static let closing = [environmentVouchedFor, sha1, readable] + expectations

    static let all = opening + path + proof + closing

    static let pathNames = path.map(\.name)

    /// What is lacking when a check failed.
    static func lacking(_ name: Check.Name) -> Sentence { all.first { $0.name == name }?.lacking ?? "" }
}
