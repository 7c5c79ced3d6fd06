import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptReport

/// Serial numbers of the certificates that have signed public receipts so far.
private let knownSigners: Set<String> = [
    "1859432172749cfc", "52a4b9c5e1b11881", "0eeb5787e79e098d", "2dab031bbdd66573d20729793c4497c4",
    "58f7bae4c282410b27d6567d5180a8f1", "15e79fce52550a65017c91dfe4eeb359", "7d3920094ebef3f8efca6c10ea8e4303", "01",
]

/// The closing summary of `--lines`.
func summary(
    _ tally: LineTally, _ duplicates: DuplicateCounter, seconds: Double, now: ReceiptDate, interrupted: Bool,
    _ redact: Redactor
) -> String {
    var page = TextPage(style: Style(isOn: false), columns: 100)
    let rate = seconds > 0.05 ? ", \(grouped(Int(Double(tally.lines) / seconds))) a second" : ""
    let start = interrupted ? "interrupted after " : ""
    page.line("receipt-dump: \(start)\(grouped(tally.lines)) lines\(rate)")
    var pairs: [(name: String, value: String)] = []
    if !tally.verdicts.isEmpty { pairs.append(("verdicts", counts(tally.verdicts))) }
    if !tally.reasons.isEmpty { pairs.append(("reasons", counts(tally.reasons))) }
    if tally.validReceipts > 0 {
        let share = Double(tally.sha1Receipts) * 100 / Double(tally.validReceipts)
        pairs.append(("SHA-1", "\(grouped(tally.sha1Receipts)) of the valid receipts, \(Int(share.rounded())) %"))
    }
    for (signer, count) in tally.signers.sorted(by: {
        ($1.count, $0.certificate.serialNumber) < ($0.count, $1.certificate.serialNumber)
    }) {
        let name = "\(redact(signer.serialNumber)) by \(escapedForTerminal(redact(signer.issuer)))"
        let validity = "(valid to \(shortDate(signer.notAfter).prefix(10)))"
        pairs.append(("signed with", "\(name) \(validity): \(grouped(count))"))
    }
    if tally.otherSigners > 0 { pairs.append(("signed with", "others: \(grouped(tally.otherSigners))")) }
    if duplicates.repeatedReceipts > 0 {
        pairs.append(("repeated", "\(grouped(duplicates.repeatedReceipts)) receipts have a payload that came before"))
    }
    if duplicates.sharedTransactions > 0 {
        let extent = duplicates.isPartial ? "at least " : ""
        let number = grouped(duplicates.sharedTransactions)
        pairs.append(("shared", "\(extent)\(number) transactions are in more than one receipt"))
    }
    if !tally.unknownAttributes.isEmpty {
        let types = tally.unknownAttributes.sorted { $0.key < $1.key }.prefix(20)
        let list = types.map { "\($0.key) in \(grouped($0.value))" }.joined(separator: ", ")
        pairs.append(("new attributes", list))
    }
    for warning in warnings(tally, now, redact) { pairs.append(("warning", warning)) }
    page.pairs(pairs)
    return page.text
}

/// Signing certificates that nobody has seen before, or that Apple will soon replace.
private func warnings(_ tally: LineTally, _ now: ReceiptDate, _ redact: Redactor) -> [String] {
    let days: Int64 = 60
    let signers = tally.signers.map(\.certificate).sorted { $0.serialNumber < $1.serialNumber }
    return signers.compactMap { signer in
        if !knownSigners.contains(signer.serialNumber) {
            return "signing certificate \(redact(signer.serialNumber)) is new to this version"
        }
        let left = (signer.notAfter.millisecondsSince1970 - now.millisecondsSince1970) / 86_400_000
        return (0...days).contains(left)
            ? "signing certificate \(redact(signer.serialNumber)) ends in \(left) days" : nil
    }
}

/// Counts with their names, the largest first.
private func counts(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \(grouped($0.value))" }
        .joined(separator: ", ")
}

/// A number in groups of three digits.
func grouped(_ number: Int) -> String {
    let digits = String(number)
    var result = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0, digit != "-", result != "-" { result += "," }
        result.append(digit)
    }
    return result
}
