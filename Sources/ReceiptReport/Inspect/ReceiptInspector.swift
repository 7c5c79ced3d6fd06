import AppStoreReceipt
import AppStoreReceiptValidation

/// Looks at inputs of any kind and decides about them: one policy and one validator for all.
///
/// Safe to use from any number of threads. It never throws for what an input is: bytes that are no receipt get a
/// ``Report`` that says what they are instead.
public struct ReceiptInspector: Sendable {
    /// Nil when nothing is to be verified.
    private let validator: ReceiptValidator?
    /// The current date, for what may have expired; nil when none was given.
    private let date: ReceiptDate?

    /// - Parameters:
    ///   - policy: What to verify and to expect; nil when nothing is to be verified.
    ///   - date: The current date, for the expiration of volume purchases and the policy's maximum age; the library reads
    ///     no clock. When certificates must be valid is the policy's ``ValidationPolicy/validationTime``.
    /// - Throws: ``LibcryptoError`` if libcrypto cannot be set up.
    public init(policy: ValidationPolicy?, asOf date: ReceiptDate? = nil) throws(LibcryptoError) {
        validator = try policy.map { policy throws(LibcryptoError) in try ReceiptValidator(policy: policy) }
        self.date = date
    }

    /// The same inspector for a line that asks for more. Chains that are remembered stay remembered.
    package func expecting(_ line: LineExpectations) -> ReceiptInspector {
        ReceiptInspector(
            validator: validator?.expecting { line.add(to: &$0) }, date: line.date ?? date)
    }

    /// The same inspector as of another date. Chains that are remembered stay remembered.
    package func validating(at date: ReceiptDate) -> ReceiptInspector {
        ReceiptInspector(validator: validator?.expecting { $0.validationTime = .at(date) }, date: date)
    }

    private init(validator: ReceiptValidator?, date: ReceiptDate?) {
        self.validator = validator
        self.date = date
    }

    /// Whether the command line gave a date, which a line's may not replace.
    package var hasDate: Bool { date != nil }

    /// Finds out what some bytes are, and whether they are genuine and wanted.
    ///
    /// - Parameters:
    ///   - input: A receipt in any form in which receipts are handed over: the raw file, base64 in any state of repair, or
    ///     a JSON text around one. At most 64 MiB.
    ///   - name: How the report names the input; `-` is standard input.
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the input.
    public func report(on input: [UInt8], named name: String = "-") throws(LibcryptoError) -> Report {
        var certificates = CertificateCache()
        return try report(on: inspect(input, name: name), &certificates)
    }

    /// The same for an input that was inspected before, with every check and certificate.
    package func report(
        on inspection: Inspection, _ cache: inout CertificateCache
    ) throws(LibcryptoError) -> Report {
        var report = try outerReport(on: inspection, &cache)
        report.inner = try inner(inspection, &cache)
        return report
    }

    private func outerReport(
        on inspection: Inspection, _ cache: inout CertificateCache
    ) throws(LibcryptoError) -> Report {
        let inspection = validator == nil ? inspection.withoutSignature ?? inspection : inspection
        let certificates = try cache.certificates(of: inspection)
        let outcomes = try judge(inspection, keepsChecks: true)
        let payload = try payloadSHA256(inspection, outcomes)
        guard let validator, let (rejection, time, checks, repeated, _) = outcomes else {
            return unexamined(inspection, certificates, payload)
        }
        let isUnderBuiltInRoot =
            validator.policy.roots == TrustAnchor.apple && validator.policy.directSigners.isEmpty
            && rejection.map { $0.reason.category != .notAuthentic } != false
        guard let rejection else {
            let expectation = validator.policy.expectsSomething ? "genuine and as expected" : "genuine"
            let message = "\(expectation), certificates checked as of \(time?.description ?? "")"
            return Report(
                inspection, .valid, message: message, checks: checks, repeated: repeated, status: .valid,
                certificates: certificates, payloadSHA256: payload, isUnderBuiltInRoot: isUnderBuiltInRoot)
        }
        return Report(
            inspection, .rejected, rejection: rejection, checks: checks, repeated: repeated,
            status: VerifyReceiptResponse.Status(rejection, inspection.environment, .documented),
            advice: likelyCause(rejection, validator.policy, inspection, certificates), certificates: certificates,
            payloadSHA256: payload, isUnderBuiltInRoot: isUnderBuiltInRoot)
    }

    /// The verdict without the checks, the advice and the certificates: what `validate` does, which is quicker.
    ///
    /// - Parameter isVerdictOnly: Whether the payload's digest, which may be hashed once more for it, is not asked for.
    package func briefReport(
        on inspection: Inspection, isVerdictOnly: Bool = false
    ) throws(LibcryptoError) -> Report {
        let outcomes = try judge(inspection, keepsChecks: false)
        let payload = isVerdictOnly ? nil : try payloadSHA256(inspection, outcomes)
        guard let outcomes else { return unexamined(inspection, [], payload) }
        guard let rejection = outcomes.rejection else {
            return Report(inspection, .valid, message: "genuine", status: .valid, payloadSHA256: payload)
        }
        return Report(
            inspection, .rejected, rejection: rejection,
            status: VerifyReceiptResponse.Status(rejection, inspection.environment, .documented), payloadSHA256: payload
        )
    }

    /// What the validator finds out; nil for what none takes.
    private func judge(_ inspection: Inspection, keepsChecks: Bool) throws(LibcryptoError) -> Outcomes? {
        guard let validator else { return nil }
        return switch inspection.finding {
        case .receipt(let receipt): try outcomes(receipt, validator, keepsChecks)
        case .transactionReceipt(let receipt): try outcomes(receipt, validator, keepsChecks)
        case .signed(let signed): try outcomes(signed.document, validator, keepsChecks)
        case .purchaseInfo, .otherCMS, .undecodable: nil
        }
    }

    private typealias Outcomes = (
        rejection: Rejection?, time: ReceiptDate?, checks: [Check], repeated: RepeatedOutcomes?, payloadSHA256: [UInt8]?
    )

    private func outcomes<Document: SignedDocument>(
        _ document: Document, _ validator: ReceiptValidator, _ keepsChecks: Bool
    ) throws(LibcryptoError) -> Outcomes {
        let found = try validator.outcomes(document, asOf: date, keepsChecks: keepsChecks)
        return (
            found.verdict.rejection, found.verdict.validated?.validationTime, found.checks, found.repeated,
            found.payloadSHA256
        )
    }

    /// SHA-256 of the signed octets; where that is what was signed, it was made already.
    private func payloadSHA256(
        _ inspection: Inspection, _ outcomes: Outcomes?
    ) throws(LibcryptoError) -> [UInt8]? {
        if let known = outcomes?.payloadSHA256 { return known }
        return try inspection.payload.map { payload throws(LibcryptoError) in try digest(payload) }
    }

    /// Reports on what is signed inside, each on its own. What is expected is asked of the notification alone.
    private func inner(
        _ inspection: Inspection, _ cache: inout CertificateCache
    ) throws(LibcryptoError) -> [(key: StaticString, report: Report)] {
        guard case .signed(let signed) = inspection.finding else { return [] }
        let authenticity = ReceiptInspector(
            validator: validator?.expecting { $0.expectNothing() }, date: date)
        var reports: [(key: StaticString, report: Report)] = []
        for (key, document) in signed.inner {
            var inner = Inspection(
                name: inspection.name, inputByteCount: document.document.payload.count, bytes: [],
                finding: .signed(document))
            inner.isCompactJWS = true
            reports.append((key, try authenticity.report(on: inner, &cache)))
        }
        return reports
    }

    private func unexamined(
        _ inspection: Inspection, _ certificates: [ListedCertificate], _ payload: [UInt8]?
    ) -> Report {
        switch inspection.finding {
        case .receipt, .transactionReceipt, .signed:
            Report(
                inspection, .notValidated, message: "nothing was verified", certificates: certificates,
                payloadSHA256: payload)
        case .purchaseInfo:
            Report(inspection, .notValidated, message: "nothing was verified, and there is no signature to verify")
        case .otherCMS(let other):
            Report(
                inspection, validator == nil ? .undecodable : .rejected, reason: "not-a-receipt",
                message: "\(other.description), not an App Store receipt", status: .malformed,
                advice: "a \(other.description) is signed in the same way as a receipt, and is none: send the receipt "
                    + "of the app, which begins with MII in base64",
                certificates: certificates, payloadSHA256: payload)
        case .undecodable:
            // A JWS of no kind that is known can be read as well as a container of no receipt: it is not wanted.
            Report(
                inspection,
                validator != nil && inspection.isCompactJWS && inspection.fault?.error.code == .wrongKind
                    ? .rejected : .undecodable, status: .malformed,
                advice: inspection.diagnosis.map { "\($0.summary): \($0.advice)" })
        }
    }
}

extension ReceiptInspector {
    /// Answers as verifyReceipt would; nil when nothing is to be verified.
    ///
    /// - Parameter requestDate: What the answer shows as `request_date`, and as of when something may have expired unless
    ///   the inspector has a date of its own.
    /// - Parameter isMember: Whether the text is a JSON member's value. Line ends in it were sent, and the endpoint was
    ///   seen to refuse them; those of a file were not.
    package func respond(
        _ text: [UInt8], isMember: Bool = false, behavior: VerifyReceiptResponse.Behavior, requestDate: ReceiptDate?
    ) throws(LibcryptoError) -> VerifyReceiptResponse? {
        guard let validator else { return nil }
        var text = text[...]
        while !isMember || behavior == .documented, let last = text.last, last == 0x0A || last == 0x0D {
            text.removeLast()
        }
        var response = try validator.verifyReceipt(
            receiptData: Array(text), behavior: behavior, asOf: date ?? requestDate)
        response.requestDate = requestDate
        return response
    }
}

extension ValidationPolicy {
    /// Whether more than authenticity is asked for.
    fileprivate var expectsSomething: Bool {
        bundleIdentifiers != nil || environments != nil || applicationVersions != nil || deviceIdentifiers != nil
            || productIdentifiers != nil || transactionIdentifiers != nil || maximumAge != nil
    }
}

extension ValidationPolicy {
    /// Leaves whom to trust, and as of when.
    fileprivate mutating func expectNothing() {
        bundleIdentifiers = nil
        environments = nil
        applicationVersions = nil
        deviceIdentifiers = nil
        productIdentifiers = nil
        transactionIdentifiers = nil
        maximumAge = nil
        appAppleIDs = nil
        accountTokens = nil
    }
}
