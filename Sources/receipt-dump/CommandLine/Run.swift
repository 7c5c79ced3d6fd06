import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptJSON
import ReceiptReport

/// The tool's exit statuses.
enum ExitStatus {
    static let success: Int32 = 0
    static let rejected: Int32 = 1
    static let undecodable: Int32 = 2
    static let usage: Int32 = 64
    static let cannotRead: Int32 = 66
    static let `internal`: Int32 = 70
    /// 128 and the number of SIGINT, as shells have it.
    static let interrupted: Int32 = 130
}

/// The whole tool: reads the command line, does what it asks, and returns the exit status.
func run(_ arguments: [String], host: Host) -> Int32 {
    do throws(Stop) {
        var options: Options
        do throws(UsageError) {
            options = try parseArguments(arguments)
        } catch {
            host.complain(error.message)
            host.complain("see receipt-dump --help")
            return ExitStatus.usage
        }
        if options.redacts, options.redactKey == nil {
            var random = SystemRandomNumberGenerator()
            options.redactKey = hex((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
        if case .now = options.validationTime { options.validationTime = .date(host.now()) }
        switch options.action {
        case .help:
            try host.write(Array(helpPage().utf8))
            return ExitStatus.success
        case .version:
            try host.write(Array("receipt-dump \(version)\n".utf8))
            return ExitStatus.success
        case .completions(let shell):
            try host.write(Array(completions(for: shell).utf8))
            return ExitStatus.success
        case .manual:
            try host.write(Array(manualPage().utf8))
            return ExitStatus.success
        case .show where options.compares:
            return try compare(options, host: host)
        case .show where options.readsLines:
            let signals = host.listensToSignals ? host.interruption.listen() : []
            defer { withExtendedLifetime(signals) {} }
            return try LinePipeline(options: options, host: host, inspector: try options.inspector(host)).run()
        case .show:
            return try show(options, host: host)
        }
    } catch {
        if let message = error.message { host.complain(message) }
        return error.status
    }
}

private func show(_ options: Options, host: Host) throws(Stop) -> Int32 {
    let inspector = try options.inspector(host)
    let redact = options.redactor
    if host.inputIsTerminal && options.inputs.contains(.standardInput) {
        // Canonical mode: a pasted receipt would arrive cut off, without a word.
        host.complain(
            "reading from the terminal up to Ctrl-D on a line of its own; it cuts lines at 4,095 characters, so long "
                + "receipts need a file")
    }
    var status = ExitStatus.success
    var isFirst = true
    for input in options.inputs {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(input)
        } catch {
            host.complain("cannot read \(shown(input, redact)): \(error.message)")
            status = max(status, ExitStatus.cannotRead)
            continue
        }
        if options.format == .verifyReceipt {
            status = max(status, try showResponse(bytes, inspector, options, host))
            continue
        }
        if !isFirst && options.format != .json { try host.write([UInt8(ascii: "\n")]) }
        isFirst = false
        let report = try internalFailure { () throws(LibcryptoError) in
            try inspector.report(on: bytes, named: input.name)
        }
        if options.format == .asn1 {
            status = max(status, try showStructure(report, input, options, host))
            continue
        }
        switch options.format {
        case .json:
            var json = JSONWriter(pretty: options.inputs.count == 1)
            report.write(
                to: &json, redact, selection: options.selection,
                file: options.inputs.count > 1 ? input.name : nil)
            json.endLine()
            try host.write(json.bytes)
        case .html: try host.write(report.html(options.text(host), redactor: redact))
        case .text, .asn1, .verifyReceipt: try host.write(report.text(options.text(host), redactor: redact))
        }
        status = max(status, report.exitStatus)
    }
    return status
}

/// How messages name an input.
func shown(_ input: Input, _ redact: Redactor) -> String {
    input == .standardInput ? "standard input" : escapedForTerminal(redact(input.name))
}

extension Options {
    /// What replaces identifiers, or nothing.
    var redactor: Redactor {
        // The run has given itself a key by now.
        redacts ? Redactor(key: Array((redactKey ?? "").utf8)) : .off
    }

    /// How a page looks where it goes.
    func text(_ host: Host) -> TextOptions {
        var text = TextOptions()
        text.columns = host.outputTerminal.columns
        text.allowsColour =
            switch colour {
            case .auto: host.outputTerminal.allowsColour
            case .always: true
            case .never: false
            }
        text.showsAll = showsAll
        text.repeatsVerdict = host.outputTerminal.isTerminal
        text.date = host.now()
        text.selection = selection
        return text
    }
}

/// The answer that verifyReceipt would give; JSON has its `receipt-data` or `latest_receipt` taken.
private func showResponse(_ bytes: [UInt8], _ inspector: ReceiptInspector, _ options: Options, _ host: Host)
    throws(Stop) -> Int32
{
    let found =
        mayBeJSON(bytes) ? ReceiptInJSON.find(in: bytes.span, lastCounts: options.followsObservedBehavior) : nil
    let now: ReceiptDate? = if case .now? = options.requestDate { host.now() } else { nil }
    let response = try inspector.respond(found?.text ?? bytes, isMember: found != nil, options, now: now)
    var json = JSONWriter(pretty: options.inputs.count == 1)
    response.write(to: &json)
    json.endLine()
    try host.write(json.bytes)
    if response.decodingError != nil { return ExitStatus.undecodable }
    return response.rejection == nil ? ExitStatus.success : ExitStatus.rejected
}

/// The tree of an input's bytes; the status says whether it has faults.
private func showStructure(
    _ report: Report, _ input: Input, _ options: Options, _ host: Host
) throws(Stop) -> Int32 {
    if options.inputs.count > 1 { try host.write(Array("\(escapedForTerminal(input.name)):\n".utf8)) }
    var failure: Stop?
    let isSound = report.tree { chunk in
        do throws(Stop) {
            try host.write(chunk)
            return true
        } catch {
            failure = error
            return false
        }
    }
    if let failure { throw failure }
    return isSound ? ExitStatus.success : ExitStatus.undecodable
}

extension ReceiptInspector {
    /// Answers as verifyReceipt would.
    func respond(
        _ text: [UInt8], isMember: Bool, _ options: Options, now: ReceiptDate?
    ) throws(Stop) -> VerifyReceiptResponse {
        let requestDate: ReceiptDate? =
            switch options.requestDate {
            case .now?: now
            case .date(let date)?: date
            case .receiptCreation?, nil: nil
            }
        let response = try internalFailure { () throws(LibcryptoError) in
            try respond(
                text, isMember: isMember, behavior: options.followsObservedBehavior ? .observed : .documented,
                requestDate: requestDate)
        }
        guard let response else { throw Stop(status: ExitStatus.internal, message: "internal error: no validator") }
        return response
    }
}
