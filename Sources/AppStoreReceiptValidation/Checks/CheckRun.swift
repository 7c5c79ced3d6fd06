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
    /// How many checks passed before the first failure, the same in both modes: tells which of several attempts came
    /// furthest.
    private(set) var passedCount = 0

    init(_ mode: Mode) { self.mode = mode }

    /// Whether nothing further is to be run.
    var isStopped: Bool { mode == .firstFailure && rejection != nil }

    /// Runs one check; `body` says why it fails, or nil. Returns whether it passed, false also when it was not run.
    @discardableResult
    mutating func check(
        _ name: Check.Name, _ passed: @autoclosure () -> String, _ body: () throws(LibcryptoError) -> Rejection?
    ) throws(LibcryptoError) -> Bool {
        guard !isStopped else { return false }
        guard let failure = try body() else {
            if rejection == nil { passedCount += 1 }
            if mode == .everyOutcome { checks.append(Check(name: name, outcome: .passed, detail: passed())) }
            return true
        }
        if rejection == nil { rejection = failure }
        if mode == .everyOutcome { checks.append(Check(name: name, outcome: .failed, detail: failure.message)) }
        return false
    }

    /// Records checks that were not run.
    mutating func skip(_ names: @autoclosure () -> [Check.Name], _ detail: @autoclosure () -> String) {
        guard mode == .everyOutcome else { return }
        checks += names().map { Check(name: $0, outcome: .notRun, detail: detail()) }
    }

    /// Adds the outcomes of checks that passed before on the same. Returns false when they are wanted and not known.
    mutating func repeatOutcomes(_ outcomes: [Check]) -> Bool {
        guard mode == .everyOutcome else { return true }
        checks += outcomes
        passedCount += outcomes.count
        return !outcomes.isEmpty
    }

    /// A run of the same mode that starts afresh, for trying one of several candidates.
    func attempt() -> CheckRun { CheckRun(mode) }

    /// Adds the outcomes of an attempt.
    mutating func take(_ attempt: CheckRun) {
        checks += attempt.checks
        passedCount += attempt.passedCount
        if rejection == nil { rejection = attempt.rejection }
    }
}
