/// The one way in which checks are run: in order, to the first failure or to the end.
struct CheckRun {
    enum Mode {
        /// Stop at the first failure and keep only that.
        case firstFailure
        /// Run whatever can be run and keep every outcome.
        case everyOutcome
    }

    let mode: Mode
    private(set) var checks: [Check] = []
    /// The first failure.
    private(set) var rejection: Rejection?
    /// The same as a word: to compare a rejection with nil, it is copied.
    private(set) var isRejected = false
    /// How many checks passed before the first failure, the same in both modes: tells which of several attempts came
    /// furthest.
    private(set) var passedCount = 0
    /// Outcomes that are the same for every document whose chain is this one, and where among the checks they are.
    private(set) var repeated: RepeatedOutcomes?
    /// The checks that failed, or were not run because one that they need did.
    private(set) var unmet: [Check.Name] = []

    init(_ mode: Mode) {
        self.mode = mode
        if mode == .everyOutcome { checks.reserveCapacity(CheckTable.all.count) }
    }

    /// Whether nothing further is to be run.
    var isStopped: Bool { mode == .firstFailure && isRejected }

    /// - Parameter detail: nil where no outcome is kept.
    mutating func pass(_ name: Check.Name, _ detail: Sentence?) {
        if !isRejected { passedCount += 1 }
        if let detail { checks.append(Check(name, .passed, detail)) }
    }

    mutating func fail(_ name: Check.Name, _ failure: Rejection) {
        reject(failure)
        guard mode == .everyOutcome else { return }
        checks.append(Check(name, .failed, failure.sentence))
        unmet.append(name)
    }

    /// Records a check that does not apply or was not asked for.
    mutating func skip(_ name: Check.Name, _ detail: Sentence?) {
        if let detail { checks.append(Check(name, .notRun, detail)) }
    }

    /// Records a check that needs what is not there.
    mutating func block(_ name: Check.Name, _ detail: Sentence) {
        checks.append(Check(name, .notRun, detail))
        unmet.append(name)
    }

    /// Adds the outcomes of the path's checks, which passed before on the same certificates.
    mutating func repeatOutcomes(of chain: CertificateChain) {
        passedCount += CheckTable.path.count
        guard mode == .everyOutcome else { return }
        repeated = RepeatedOutcomes(chain: chain, places: checks.count..<checks.count + chain.outcomes.count)
        checks += chain.outcomes
    }

    /// A run of the same mode that starts afresh, for trying one of several paths.
    func attempt() -> CheckRun {
        var attempt = CheckRun(mode)
        attempt.unmet = unmet
        return attempt
    }

    /// Adds the outcomes of an attempt.
    mutating func take(_ attempt: CheckRun) {
        checks += attempt.checks
        passedCount += attempt.passedCount
        unmet = attempt.unmet
        if let failure = attempt.rejection { reject(failure) }
    }

    private mutating func reject(_ failure: Rejection) {
        guard !isRejected else { return }
        rejection = failure
        isRejected = true
    }
}

/// Outcomes of checks that were the same for other documents.
package struct RepeatedOutcomes: Sendable {
    /// Their outcomes are those of this chain, however many documents have it.
    package let chain: CertificateChain
    /// Where they are among a document's.
    package let places: Range<Int>
}
