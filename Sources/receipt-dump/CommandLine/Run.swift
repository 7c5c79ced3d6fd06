/// The tool's exit statuses.
enum ExitStatus {
    static let success: Int32 = 0
    static let rejected: Int32 = 1
    static let undecodable: Int32 = 2
    static let usage: Int32 = 64
    static let cannotRead: Int32 = 66
    static let `internal`: Int32 = 70
}

/// The whole tool: reads the command line, does what it asks, and returns the exit status.
func run(_ arguments: [String], host: Host) -> Int32 {
    do throws(WriteError) {
        let options: Options
        do throws(UsageError) {
            options = try parseArguments(arguments)
        } catch {
            try host.complain(error.message)
            try host.complain("see receipt-dump --help")
            return ExitStatus.usage
        }
        switch options.action {
        case .help:
            try host.output.write(Array(helpPage().utf8))
            return ExitStatus.success
        case .version:
            try host.output.write(Array("receipt-dump \(version)\n".utf8))
            return ExitStatus.success
        case .show:
            return try show(options, host: host)
        }
    } catch {
        switch error {
        case .closed: return ExitStatus.success
        case .failed(let message):
            try? host.complain(message)
            return ExitStatus.internal
        }
    }
}

private func show(_ options: Options, host: Host) throws(WriteError) -> Int32 {
    var status = ExitStatus.success
    var isFirst = true
    for input in options.inputs {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(input)
        } catch {
            try host.complain("cannot read \(escapedForTerminal(input.name)): \(error.message)")
            status = max(status, ExitStatus.cannotRead)
            continue
        }
        if !isFirst && options.format != .json { try host.output.write([UInt8(ascii: "\n")]) }
        isFirst = false
        let inspection = inspect(bytes, name: input.name)
        let judgement = judge(inspection, options)
        try render(inspection, judgement, options, host)
        status = max(status, judgement.exitStatus)
    }
    return status
}

private func render(
    _ inspection: Inspection, _ judgement: Judgement, _ options: Options, _ host: Host
) throws(WriteError) {
    let redact = Redactor(isOn: options.redacts)
    switch options.format {
    case .text:
        try host.output.write(textReport(inspection, judgement, redact: redact, terminal: host.outputTerminal))
    case .json:
        var json = JSONWriter(pretty: options.inputs.count == 1)
        let withFileName = options.inputs.count > 1
        writeReport(inspection, judgement, redact: redact, withFileName: withFileName, to: &json)
        json.endLine()
        try host.output.write(json.bytes)
    case .asn1:
        if options.inputs.count > 1 { try host.output.write(Array("\(escapedForTerminal(inspection.name)):\n".utf8)) }
        var failure: WriteError?
        renderStructure(inspection.bytes) { chunk in
            do throws(WriteError) {
                try host.output.write(chunk)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }
}

extension Host {
    /// One line of the tool's own on standard error.
    func complain(_ message: String) throws(WriteError) {
        try errors.write(Array("receipt-dump: \(message)\n".utf8))
    }
}
