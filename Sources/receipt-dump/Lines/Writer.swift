import AppStoreReceipt
import ReceiptReport

/// Writes answers in order, shows progress, and sums up.
struct Writer {
    let options: Options
    let host: Host
    /// All bytes there are to read, where that is known.
    let totalByteCount: Int?

    func run(_ line: AssemblyLine, _ interruption: Interruption) throws(Stop) -> Int32 {
        var tally = LineTally()
        let redact = options.redactor
        var duplicates = DuplicateCounter()
        var progress = Progress(start: host.now(), totalByteCount: totalByteCount)
        let showsProgress = host.errorsAreOnTerminal && !options.isQuiet
        var status = ExitStatus.success
        items: while true {
            switch line.nextItem() {
            case .end: break items
            case .failure(let input, let error):
                if showsProgress { host.writeErrors(Progress.clear) }
                host.complain("cannot read \(shown(input, redact)): \(error.message)")
                status = ExitStatus.cannotRead
            case .answers(let slot):
                var answers = try slot.wait()
                guard try host.write(answers.output) else {
                    interruption.stop()
                    return status
                }
                let buffer = answers.output
                answers.output = []
                line.outputs.give(buffer)
                line.release(slot.permits)
                tally.add(answers.tally)
                for identity in answers.tally.identities { duplicates.add(identity) }
                if showsProgress, let text = progress.advance(tally.lines, answers.inputByteCount, now: host.now()) {
                    host.writeErrors(text)
                }
            }
        }
        if showsProgress { host.writeErrors(Progress.clear) }
        if !options.isQuiet {
            let now = host.now()
            let seconds = Double(now.millisecondsSince1970 - progress.start.millisecondsSince1970) / 1_000
            host.writeErrors(
                summary(tally, duplicates, seconds: seconds, now: now, interrupted: interruption.isInterrupted, redact))
        }
        return interruption.isInterrupted ? ExitStatus.interrupted : status
    }
}

/// The line on the terminal that says how far the work is.
struct Progress {
    let start: ReceiptDate
    let totalByteCount: Int?
    private var byteCount = 0
    private var lastShown: ReceiptDate

    /// Erases the line (ECMA-48 EL).
    static let clear = "\r\u{1B}[K"

    init(start: ReceiptDate, totalByteCount: Int?) {
        self.start = start
        self.totalByteCount = totalByteCount
        lastShown = start
    }

    /// Counts, and gives the text to show when it is time for one.
    mutating func advance(_ lines: Int, _ bytes: Int, now: ReceiptDate) -> String? {
        byteCount += bytes
        guard now.millisecondsSince1970 - lastShown.millisecondsSince1970 >= 500 else { return nil }
        lastShown = now
        let seconds = Double(now.millisecondsSince1970 - start.millisecondsSince1970) / 1_000
        var text = "\(grouped(lines)) lines, \(grouped(Int(Double(lines) / seconds))) a second"
        if let totalByteCount, byteCount > 0, totalByteCount > byteCount {
            let left = seconds * Double(totalByteCount - byteCount) / Double(byteCount)
            let percent = 100 * Double(byteCount) / Double(totalByteCount)
            text += ", \(Int(percent)) %, \(Self.duration(Int(left.rounded(.up)))) left"
        }
        return Self.clear + text
    }

    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(grouped(seconds / 3_600)) h \(seconds / 60 % 60) min"
        }
    }
}
