import AppStoreReceipt
import AppStoreReceiptValidation

/// Decides about inputs as the options ask: one policy and one validator for all of them.
struct Judge: Sendable {
    /// Nil when nothing is to be verified.
    private let validator: ReceiptValidator?
    /// The date that the expiration of volume purchases is checked at; nil when none was asked for.
    private let date: ReceiptDate?

    init(_ options: Options, host: Host) throws(Stop) {
        guard options.validates, options.format != .asn1 else {
            validator = nil
            date = nil
            return
        }
        switch options.validationTime {
        case .receiptCreation: date = nil
        case .now: date = host.now()
        case .date(let given): date = given
        }
        let policy = try options.policy(host, at: date)
        validator = try internalFailure { () throws(LibcryptoError) in try ReceiptValidator(policy: policy) }
    }

    /// Runs every check on an input.
    func examine(_ inspection: Inspection) throws(Stop) -> Judgement {
        switch inspection.finding {
        case .receipt(let receipt):
            guard let validator else { return .notValidated }
            let date = date
            let (verdict, checks) = try internalFailure { () throws(LibcryptoError) in
                try validator.outcomes(receipt, asOf: date)
            }
            return Judgement(verdict, checks, receipt, validator.policy, inspection)
        case .transactionReceipt(let receipt):
            guard let validator else { return .notValidated }
            let date = date
            let examination = try internalFailure { () throws(LibcryptoError) in
                try validator.examine(receipt, asOf: date)
            }
            return Judgement(examination, receipt, validator.policy, inspection)
        case .otherCMS(let other):
            return Judgement(
                verdict: validator == nil ? .undecodable : .rejected, reason: "not-a-receipt",
                message: "\(other.description), not an App Store receipt", status: 21002)
        case .undecodable(let fault): return Judgement(undecodable: fault)
        }
    }

    /// The verdict without the checks: what `validate` does, which is quicker.
    func decide(_ inspection: Inspection) throws(Stop) -> Judgement {
        guard let validator else { return try examine(inspection) }
        let date = date
        switch inspection.finding {
        case .receipt(let receipt):
            let verdict = try internalFailure { () throws(LibcryptoError) in try validator.validate(receipt, asOf: date)
            }
            return Judgement(verdict.rejection, receipt.unverifiedReceipt.environment)
        case .transactionReceipt(let receipt):
            let verdict = try internalFailure { () throws(LibcryptoError) in try validator.validate(receipt, asOf: date)
            }
            return Judgement(verdict.rejection, receipt.unsignedEnvironment)
        case .otherCMS, .undecodable: return try examine(inspection)
        }
    }
}

extension Judge {
    /// Answers as verifyReceipt would.
    func respond(_ text: [UInt8], _ options: Options, now: ReceiptDate?) throws(Stop) -> VerifyReceiptResponse {
        guard let validator else { throw Stop(status: ExitStatus.internal, message: "internal error: no validator") }
        let requestDate: ReceiptDate? =
            switch options.requestDate {
            case .now?: now
            case .date(let date)?: date
            case .receiptCreation?, nil: nil
            }
        // Whether something has expired is asked as of the request, unless another date was given.
        let date = date ?? requestDate
        // Line ends around a file's text are not part of what was sent.
        var text = text[...]
        while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
        let data = Array(text)
        var response = try internalFailure { () throws(LibcryptoError) in
            try validator.verifyReceipt(
                receiptData: data, behavior: options.followsObservedBehavior ? .observed : .documented, asOf: date)
        }
        response.requestDate = requestDate
        return response
    }
}

/// Runs something whose failure says nothing about any receipt.
func internalFailure<Value>(_ body: () throws(LibcryptoError) -> Value) throws(Stop) -> Value {
    do throws(LibcryptoError) {
        return try body()
    } catch {
        throw Stop(status: ExitStatus.internal, message: "internal error: \(error)")
    }
}

extension Judgement {
    init(undecodable fault: Undecodable) {
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

    var exitStatus: Int32 {
        switch verdict {
        case .valid, .notValidated: ExitStatus.success
        case .rejected: ExitStatus.rejected
        case .undecodable: ExitStatus.undecodable
        }
    }
}
