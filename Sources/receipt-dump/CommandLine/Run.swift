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
    for input in options.inputs {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(input)
        } catch {
            try host.complain("cannot read \(escapedForTerminal(input.name)): \(error.message)")
            status = max(status, ExitStatus.cannotRead)
            continue
        }
        var failure: WriteError?
        renderStructure(bytes) { chunk in
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
    return status
}

extension Host {
    /// One line of the tool's own on standard error.
    func complain(_ message: String) throws(WriteError) {
        try errors.write(Array("receipt-dump: \(message)\n".utf8))
    }
}
