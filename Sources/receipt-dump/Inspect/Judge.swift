import AppStoreReceipt

/// Decides what to say about an input, as the options ask.
func judge(_ inspection: Inspection, _ options: Options) -> Judgement {
    switch inspection.finding {
    case .receipt, .transactionReceipt:
        return Judgement(verdict: .notValidated, message: "nothing was verified")
    case .otherCMS(let other):
        return Judgement(
            verdict: .undecodable, reason: "not-a-receipt", message: "\(other.description), not an App Store receipt",
            status: 21002)
    case .undecodable(let fault):
        return Judgement(
            verdict: .undecodable, reason: fault.error.code.rawValue, message: fault.error.description, status: 21002)
    }
}

extension Judgement {
    var exitStatus: Int32 {
        switch verdict {
        case .valid, .notValidated: ExitStatus.success
        case .rejected: ExitStatus.rejected
        case .undecodable: ExitStatus.undecodable
        }
    }
}
