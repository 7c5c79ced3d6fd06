import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptReport

/// `--diff A B`: shows what differs. The status is the higher of the two inputs' own.
func compare(_ options: Options, host: Host) throws(Stop) -> Int32 {
    let inspector = try options.inspector(host)
    let redact = options.redactor
    var reports: [Report] = []
    for input in options.inputs {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(input)
        } catch {
            throw Stop(
                status: ExitStatus.cannotRead, message: "cannot read \(shown(input, redact)): \(error.message)")
        }
        reports.append(
            try internalFailure { () throws(LibcryptoError) in try inspector.report(on: bytes, named: input.name) })
    }
    // The command line has made sure that there are two.
    guard let old = reports.first, let new = reports.last else { return ExitStatus.usage }
    guard let difference = ReceiptDifference(old, new, redact) else {
        for (report, input) in zip(reports, options.inputs) where report.verdict == .undecodable {
            throw Stop(
                status: ExitStatus.undecodable,
                message: "cannot compare \(shown(input, redact)): \(escapedMessage(redact.message(of: report)))")
        }
        throw Stop(
            status: ExitStatus.undecodable,
            message: "cannot compare things of kinds \(old.kind.rawValue) and \(new.kind.rawValue)")
    }
    if options.format == .json {
        var json = JSONWriter(pretty: true)
        writeDifference(old, new, difference, redact, to: &json)
        json.endLine()
        try host.write(json.bytes)
    } else {
        try host.write(differenceText(old, new, difference, redact, options.text(host)))
    }
    return max(old.exitStatus, new.exitStatus)
}
