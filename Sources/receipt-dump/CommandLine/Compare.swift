import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptReport

/// `--diff A B`: shows what differs. The status is the higher of the two receipts' own.
func compare(_ options: Options, host: Host) throws(Stop) -> Int32 {
    let inspector = try options.inspector(host)
    var inputs: [ComparedInput] = []
    for input in options.inputs {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(input)
        } catch {
            throw Stop(
                status: ExitStatus.cannotRead,
                message: "cannot read \(escapedForTerminal(input.name)): \(error.message)")
        }
        let inspection = inspect(bytes, name: input.name)
        let judgement = try internalFailure { () throws(LibcryptoError) in try inspector.examine(inspection) }
        inputs.append(ComparedInput(inspection, judgement))
    }
    // The command line has made sure that there are two.
    guard inputs.count == 2 else { return ExitStatus.usage }
    let (old, new) = (inputs[0], inputs[1])
    let receipts = try inputs.map { input throws(Stop) in
        guard case .receipt(let receipt) = input.inspection.finding else {
            let name = escapedForTerminal(input.inspection.name)
            let message = escapedMessage(input.judgement.message)
            throw Stop(
                status: ExitStatus.undecodable, message: "cannot compare \(name), no App Store receipt: \(message)")
        }
        return receipt.unverifiedReceipt
    }
    let redact = Redactor(isOn: options.redacts)
    var difference = ReceiptDifference(receipts[0], receipts[1], redact)
    difference.compareCertificates(old.certificates, new.certificates)
    if options.format == .json {
        var json = JSONWriter(pretty: true)
        writeDifference(old, new, difference, redact, to: &json)
        json.endLine()
        try host.write(json.bytes)
    } else {
        try host.write(differenceText(old, new, difference, redact, host.outputTerminal.layout))
    }
    return max(old.judgement.exitStatus, new.judgement.exitStatus)
}
