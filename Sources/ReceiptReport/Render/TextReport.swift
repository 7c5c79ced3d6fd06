import AppStoreReceipt
import ReceiptPKIX

/// Renders one input for a reader: `--format text`.
package func textReport(
    _ inspection: Inspection, _ judgement: Judgement, redact: Redactor, layout: PageLayout
) -> [UInt8] {
    var page = TextPage(style: Style(isOn: layout.allowsColour), columns: layout.columns)
    page.line(firstLine(inspection, judgement, page.style))
    for remark in remarks(inspection) { page.paragraph(remark) }
    // Why a receipt was rejected comes first; that a valid one passed every check comes after what it says.
    if judgement.verdict == .rejected {
        appendRejection(judgement, redact, to: &page)
        appendChecks(judgement, redact, to: &page)
    }
    switch inspection.finding {
    case .receipt(let receipt):
        appendReceipt(receipt.unverifiedReceipt, redact, to: &page)
    case .transactionReceipt(let receipt):
        appendTransaction(receipt, redact, to: &page)
    case .otherCMS(let other):
        if !other.fields.isEmpty {
            page.heading("Fields")
            page.pairs(
                other.fields.map { field in
                    (
                        field.name,
                        escapedForTerminal(redact.isReadable(field: field.name) ? field.value : redact(field.value))
                    )
                })
        }
    case .undecodable(let fault):
        appendFault(fault, inspection, redact, to: &page)
    }
    if judgement.verdict == .valid { appendChecks(judgement, redact, to: &page) }
    appendSignature(inspection, redact, to: &page)
    return page.bytes
}

/// What the input is, and whether anything was verified.
private func firstLine(_ inspection: Inspection, _ judgement: Judgement, _ style: Style) -> String {
    let name = inspection.name == "-" ? "standard input" : escapedForTerminal(inspection.name)
    let what: String
    switch inspection.finding {
    case .receipt(let receipt):
        let type = receipt.unverifiedReceipt.receiptType.map { ", " + escapedForTerminal($0) } ?? ""
        what = "App Store receipt\(type)"
    case .transactionReceipt(let receipt):
        let environment = receipt.unsignedEnvelope.environment.map { ", " + escapedForTerminal($0) } ?? ""
        what = "iOS 6-style transaction receipt\(environment)"
    case .otherCMS(let other): what = other.description + ", not an App Store receipt"
    case .undecodable(let fault):
        switch fault.kind {
        case .jws: what = "JSON Web Signature, not a receipt"
        case .appReceipt: what = "damaged App Store receipt"
        case .appAttest: what = "damaged App Attest receipt"
        case .transactionReceipt: what = "incomplete iOS 6-style transaction receipt"
        default: what = "not a receipt that can be decoded"
        }
    }
    let verdict: String
    switch judgement.verdict {
    case .valid: verdict = style.green("valid: \(judgement.message)")
    case .rejected where judgement.category == "not-expected":
        verdict =
            style.red("REJECTED (\(judgement.reason ?? "unknown"))")
            + ": authentic, but not the receipt that was asked for"
    case .rejected where judgement.category == "not-acceptable-now":
        verdict =
            style.red("REJECTED (\(judgement.reason ?? "unknown"))") + ": authentic, but not acceptable at this time"
    case .rejected: verdict = style.red("REJECTED (\(judgement.reason ?? "unknown")), its contents are NOT VERIFIED")
    case .notValidated: verdict = style.yellow("nothing was verified")
    case .undecodable: verdict = style.red("undecodable (\(judgement.reason ?? "unknown"))") + ", nothing was verified"
    }
    return style.bold("\(name): \(what)") + "; " + verdict
}

/// How the bytes were found.
private func remarks(_ inspection: Inspection) -> [String] {
    var remarks: [String] = []
    if let member = inspection.envelopeMember { remarks.append("taken from \(member) of a JSON text") }
    guard let transport = inspection.transport else {
        return remarks + ["\(inspection.inputByteCount) bytes of input"]
    }
    var form = "\(transport.bytes.count) bytes"
    if transport.form != .der { form += " from \(inspection.inputByteCount) bytes of \(transport.form)" }
    remarks.append(form)
    for repair in transport.repairs { remarks.append("repaired: \(escapedMessage(repair.description))") }
    return remarks
}

private func appendRejection(_ judgement: Judgement, _ redact: Redactor, to page: inout TextPage) {
    page.heading("Rejected")
    let message = redact.message(judgement.message, about: judgement.reason ?? "")
    var pairs = [(name: "reason", value: judgement.reason ?? ""), ("message", escapedMessage(message))]
    if let likely = judgement.likely { pairs.append(("likely", likely)) }
    page.pairs(pairs)
}

private func appendChecks(_ judgement: Judgement, _ redact: Redactor, to page: inout TextPage) {
    let style = page.style
    guard !judgement.checks.isEmpty else { return }
    page.heading("Checks")
    let nameWidth = judgement.checks.map { displayWidth($0.name) }.max() ?? 0
    for check in judgement.checks where check.outcome != "not-run" {
        let mark = check.outcome == "passed" ? style.green("✓") : style.red("✗")
        page.hanging(
            "  \(mark) \(padded(check.name, to: nameWidth))  ", width: nameWidth + 6,
            escapedMessage(redact.message(check.detail, about: check.name)))
    }
    let skipped = judgement.checks.filter { $0.outcome == "not-run" }.map(\.name)
    if !skipped.isEmpty { page.hanging("  · ", width: 4, "not run: " + skipped.joined(separator: ", ")) }
}

// MARK: - Others

private func appendTransaction(_ signed: SignedTransactionReceipt, _ redact: Redactor, to page: inout TextPage) {
    page.heading("Purchase")
    page.pairs(
        signed.unverifiedReceipt.entries.map { entry in
            (
                escapedForTerminal(entry.key),
                escapedForTerminal(redact.isReadable(entry) ? entry.value : redact(entry.value))
            )
        })
    page.heading("Outside the signature")
    page.pairs(
        signed.unsignedEnvelope.entries.filter { $0.key != "signature" && $0.key != "purchase-info" }
            .map { (escapedForTerminal($0.key), escapedForTerminal($0.value)) })
}

private func appendFault(
    _ fault: Undecodable, _ inspection: Inspection, _ redact: Redactor, to page: inout TextPage
) {
    page.heading("What is wrong")
    var pairs = [
        ("reason", fault.error.code.rawValue), ("offset", "\(fault.error.offset)"), ("field", fault.error.field),
    ]
    if let detail = fault.error.detail {
        pairs.append(("detail", escapedMessage(redact.message(detail, about: fault.error.code.rawValue))))
    }
    if !fault.path.isEmpty { pairs.append(("inside", fault.path.joined(separator: " > "))) }
    if let likely = hint(fault) { pairs.append(("likely", likely)) }
    page.pairs(pairs.map { (name: $0.0, value: $0.1) })
    if !fault.fields.isEmpty {
        page.heading("What can be read of it, NOT VERIFIED")
        page.pairs(
            fault.fields.map { field in
                let isReadable = redact.isReadable(faultField: field.name)
                return (escapedForTerminal(field.name), escapedMessage(isReadable ? field.value : redact(field.value)))
            })
        if fault.purchases > 0 { page.line("  \(fault.purchases) in_app") }
    }
    if inspection.bytes.first == 0x30 {
        page.line()
        page.paragraph("--format asn1 shows its structure")
    } else if fault.fields.isEmpty && !redact.isOn {
        page.heading("It begins")
        page.paragraph(escapedForTerminal(utf8: inspection.bytes.prefix(160)))
    }
}

private func appendSignature(_ inspection: Inspection, _ redact: Redactor, to page: inout TextPage) {
    var pairs: [(name: String, value: String)] = []
    if let (signedData, der) = inspection.container, let signer = signedData.signerInfos.first {
        let digest = "\(signer.digestAlgorithm.algorithm)"
        let algorithm = "\(signer.signatureAlgorithm.algorithm)"
        pairs.append(
            (
                "algorithms",
                "\(objectIdentifierName(digest) ?? digest), \(objectIdentifierName(algorithm) ?? algorithm)"
            ))
        if case .issuerAndSerialNumber(let issuer, let serialNumber) = signer.identifier {
            let name = der.span.commonName(issuer) ?? der.span.readableName(issuer)
            pairs.append(("signer", "serial \(serialText(der[serialNumber])) by \(escapedForTerminal(name))"))
        }
        if signedData.signerInfos.count > 1 { pairs.append(("signers", "\(signedData.signerInfos.count)")) }
    }
    if case .transactionReceipt(let receipt) = inspection.finding {
        let digest = receipt.signatureVersion == 4 ? "sha256" : "sha1"
        pairs.append(("algorithms", "\(digest), rsaEncryption (version \(receipt.signatureVersion))"))
    }
    if let payload = inspection.payload { pairs.append(("payload_sha256", redact(hex(sha256(payload))))) }
    if !pairs.isEmpty {
        page.heading("Signature")
        page.pairs(pairs)
    }
    let certificates = inspection.certificates
    guard !certificates.isEmpty else { return }
    page.heading("Certificates")
    for (index, certificate) in certificates.enumerated() {
        guard let content = certificate.content else {
            page.line("  \(index + 1)  cannot be decoded: \(certificate.error?.description ?? "")")
            continue
        }
        page.hanging("  \(index + 1)  ", width: 5, escapedForTerminal(content.commonName))
        page.pairs(
            [
                ("valid", "\(shortDate(content.notBefore)) to \(shortDate(content.notAfter))"),
                ("serial", content.serial),
                ("signed with", content.signatureAlgorithm),
                (
                    "markers",
                    content.markers.map { marker in objectIdentifierName(marker).map { "\(marker) (\($0))" } ?? marker }
                        .joined(separator: ", ")
                ),
            ].filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }, indent: 5)
    }
}
