import AppStoreReceipt
import AppStoreReceiptValidation

/// Looks at inputs and decides about them: one policy and one validator for all of them. May be shared between threads.
package struct ReceiptInspector: Sendable {
    /// Nil when nothing is to be verified.
    private let validator: ReceiptValidator?
    /// The date that the expiration of volume purchases is checked at; nil when none was asked for.
    private let date: ReceiptDate?

    /// - Parameter policy: What to verify and to expect; nil when nothing is to be verified.
    package init(policy: ValidationPolicy?, asOf date: ReceiptDate? = nil) throws(LibcryptoError) {
        validator = try policy.map { policy throws(LibcryptoError) in try ReceiptValidator(policy: policy) }
        self.date = date
    }

    /// Runs every check on an input.
    package func examine(_ inspection: Inspection) throws(LibcryptoError) -> Judgement {
        switch inspection.finding {
        case .receipt(let receipt):
            guard let validator else { return .notValidated }
            let (verdict, checks) = try validator.outcomes(receipt, asOf: date)
            return Judgement(verdict, checks, receipt, validator.policy, inspection)
        case .transactionReceipt(let receipt):
            guard let validator else { return .notValidated }
            let examination = try validator.examine(receipt, asOf: date)
            return Judgement(examination, receipt, validator.policy, inspection)
        case .otherCMS(let other):
            return Judgement(
                verdict: validator == nil ? .undecodable : .rejected, reason: "not-a-receipt",
                message: "\(other.description), not an App Store receipt", status: 21002)
        case .undecodable(let fault): return Judgement(undecodable: fault)
        }
    }

    /// The verdict without the checks: what `validate` does, which is quicker.
    package func decide(_ inspection: Inspection) throws(LibcryptoError) -> Judgement {
        guard let validator else { return try examine(inspection) }
        let date = date
        switch inspection.finding {
        case .receipt(let receipt):
            let verdict = try validator.validate(receipt, asOf: date)
            return Judgement(verdict.rejection, receipt.unverifiedReceipt.environment)
        case .transactionReceipt(let receipt):
            let verdict = try validator.validate(receipt, asOf: date)
            return Judgement(verdict.rejection, receipt.unsignedEnvironment)
        case .otherCMS, .undecodable: return try examine(inspection)
        }
    }
}

extension ReceiptInspector {
    /// Answers as verifyReceipt would; nil when nothing is to be verified.
    ///
    /// - Parameter requestDate: What the answer shows as `request_date`, and as of when something may have expired unless
    ///   the inspector has a date of its own.
    package func respond(
        _ text: [UInt8], behavior: VerifyReceiptResponse.Behavior, requestDate: ReceiptDate?
    ) throws(LibcryptoError) -> VerifyReceiptResponse? {
        guard let validator else { return nil }
        // Line ends around a file's text are not part of what was sent.
        var text = text[...]
        while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
        var response = try validator.verifyReceipt(
            receiptData: Array(text), behavior: behavior, asOf: date ?? requestDate)
        response.requestDate = requestDate
        return response
    }
}

extension Judgement {
    package init(undecodable fault: Undecodable) {
        self.init(
            verdict: .undecodable, reason: fault.error.code.rawValue, message: fault.error.description, status: 21002,
            likely: hint(fault))
    }

    /// A verdict in short.
    fileprivate init(_ rejection: Rejection?, _ environment: ReceiptEnvironment?) {
        guard let rejection else {
            self.init(verdict: .valid, message: "", status: 0)
            return
        }
        let status = VerifyReceiptResponse.Status(rejection, environment, .documented)
        self.init(verdict: .rejected, reason: rejection.reason.rawValue, message: "", status: status.rawValue)
    }

    static let notValidated = Judgement(verdict: .notValidated, message: "nothing was verified")

    fileprivate init(
        _ verdict: AppStoreReceiptValidation.Verdict, _ checks: [Check], _ receipt: SignedReceipt,
        _ policy: ValidationPolicy,
        _ inspection: Inspection
    ) {
        switch verdict {
        case .valid(let valid): self.init(validAsOf: valid.validationTime, policy)
        case .rejected(let rejection):
            self.init(rejection, receipt.unverifiedReceipt.environment, policy, inspection)
        }
        setChecks(checks)
    }

    fileprivate init(
        _ examination: TransactionReceiptExamination, _ receipt: SignedTransactionReceipt, _ policy: ValidationPolicy,
        _ inspection: Inspection
    ) {
        switch examination.verdict {
        case .valid(let valid): self.init(validAsOf: valid.validationTime, policy)
        case .rejected(let rejection):
            self.init(rejection, receipt.unsignedEnvironment, policy, inspection)
        }
        setChecks(examination.checks)
    }

    private init(validAsOf time: ReceiptDate, _ policy: ValidationPolicy) {
        let expectation = policy.expectsSomething ? "genuine and as expected" : "genuine"
        self.init(verdict: .valid, message: "\(expectation), certificates checked as of \(time)", status: 0)
    }

    private init(
        _ rejection: Rejection, _ environment: ReceiptEnvironment?, _ policy: ValidationPolicy, _ inspection: Inspection
    ) {
        self.init(
            verdict: .rejected, reason: rejection.reason.rawValue, message: rejection.message,
            status: VerifyReceiptResponse.Status(rejection, environment, .documented).rawValue,
            category: rejection.reason.category.rawValue,
            likely: likelyCause(rejection, policy, inspection))
    }

    private mutating func setChecks(_ checks: [Check]) {
        self.checks = checks.map {
            CheckResult(name: $0.name.rawValue, outcome: $0.outcome.rawValue, detail: $0.detail)
        }
    }

    /// 0 valid or not validated, 1 rejected, 2 undecodable: the status of the tool and of the C interface.
    package var exitStatus: Int32 {
        switch verdict {
        case .valid, .notValidated: 0
        case .rejected: 1
        case .undecodable: 2
        }
    }
}

extension ValidationPolicy {
    /// Whether more than authenticity is asked for.
    fileprivate var expectsSomething: Bool {
        bundleIdentifiers != nil || environments != nil || applicationVersions != nil || deviceIdentifiers != nil
            || productIdentifiers != nil || transactionIdentifiers != nil || maximumAge != nil
    }
}
