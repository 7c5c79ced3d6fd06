import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptPKIX

/// A page about one input: by default a screen, with `showsAll` everything.
struct TextReport {
    let report: Report
    let redact: Redactor
    let options: TextOptions
    var page: TextPage

    init(_ report: Report, _ redact: Redactor, _ options: TextOptions) {
        self.report = report
        self.redact = redact
        self.options = options
        page = TextPage(style: Style(isOn: options.allowsColour), columns: options.columns)
    }

    var inspection: Inspection { report.inspection }

    mutating func render() -> [UInt8] {
        page.line(firstLine)
        for remark in remarks { page.paragraph(remark) }
        if report.verdict == .rejected { appendRejection() }
        // Why a receipt was rejected comes first; that a valid one passed every check comes after what it says.
        if options.showsAll, report.verdict == .rejected { appendChecks() }
        switch inspection.finding {
        case .receipt(let receipt):
            appendApp(receipt.unverifiedReceipt)
            appendPurchases()
        case .transactionReceipt(let receipt):
            appendTransaction(receipt.unverifiedReceipt, receipt)
            appendPurchases()
        case .purchaseInfo(let receipt):
            appendTransaction(receipt, nil)
            appendPurchases()
        case .signed(let signed):
            appendSigned(signed)
            appendPurchases()
        case .otherCMS(let other) where !other.fields.isEmpty:
            page.heading("Fields")
            page.pairs(
                other.fields.map { field in
                    (field.name, escapedForTerminal(redact(field.value, Redactor.form(ofKey: field.name))))
                })
        case .otherCMS: break
        case .undecodable(let fault): appendFault(fault)
        }
        if options.showsAll {
            if case .receipt(let receipt) = inspection.finding { appendOtherAttributes(receipt.unverifiedReceipt) }
            if report.verdict != .rejected { appendChecks() }
            appendSignature()
            appendCertificates()
        } else if inspection.payload != nil {
            page.line()
            page.paragraph(page.style.dim("--all shows every check, attribute and certificate"))
        }
        if options.repeatsVerdict {
            page.line()
            page.line(verdict)
        }
        return page.bytes
    }

    // MARK: - What it is

    /// What the input is, and whether anything was verified.
    private var firstLine: String { page.style.bold("\(name): \(what)") + "; " + verdict }

    private var name: String {
        inspection.name == "-" ? "standard input" : escapedForTerminal(redact(inspection.name))
    }

    private var what: String {
        switch inspection.finding {
        case .receipt(let receipt):
            let type = receipt.unverifiedReceipt.receiptType.map { ", " + escapedForTerminal(redact($0, .environment)) }
            return "App Store receipt\(type ?? "")"
        case .transactionReceipt(let receipt):
            let environment = receipt.unsignedEnvelope.environment.map {
                ", " + escapedForTerminal(redact($0, .environment))
            }
            return "iOS 6-style transaction receipt\(environment ?? "")"
        case .purchaseInfo: return "iOS 6-style transaction receipt without a signature"
        case .signed(let signed):
            let word = signed.document.statements.environmentWord.map {
                ", " + escapedForTerminal(redact($0, .environment))
            }
            return signed.description + (word ?? "")
        case .otherCMS(let other): return other.description + ", not an App Store receipt"
        case .undecodable(let fault):
            switch fault.kind {
            case .jws:
                return fault.error.code == .wrongKind
                    ? "JSON Web Signature of no known kind" : "JSON Web Signature that cannot be decoded"
            case .appReceipt: return "damaged App Store receipt"
            case .appAttestReceipt: return "damaged App Attest receipt"
            case .transactionReceipt: return "incomplete iOS 6-style transaction receipt"
            default: return "not a receipt that can be decoded"
            }
        }
    }

    private var verdict: String {
        let style = page.style
        let reason = report.reason ?? "unknown"
        switch report.verdict {
        case .valid: return style.green("valid: \(redact.message(of: report))")
        case .rejected:
            switch report.rejection?.reason.category {
            case .notExpected?:
                return style.red("REJECTED (\(reason))") + ": authentic, but not the receipt that was asked for"
            case .notAcceptableNow?:
                return style.red("REJECTED (\(reason))") + ": authentic, but not acceptable at this time"
            case .notAuthentic?, nil: return style.red("REJECTED (\(reason)), its contents are NOT VERIFIED")
            }
        case .notValidated: return style.yellow("nothing was verified")
        case .undecodable: return style.red("undecodable (\(reason))") + ", nothing was verified"
        }
    }

    /// How the bytes were found.
    private var remarks: [String] {
        var remarks: [String] = []
        if let place = inspection.foundIn {
            let name = redact.isOn ? nil : place.path.map { escapedForTerminal($0) + ", " }
            remarks.append("found inside other text: \(name ?? "")at byte \(place.offset)")
        }
        if let also = inspection.transport?.also, also > 0 {
            remarks.append("\(also) more in the text: put each on a line of its own and use --lines")
        }
        guard let transport = inspection.transport else {
            return remarks + ["\(inspection.inputByteCount) bytes of input"]
        }
        var form = "\(transport.bytes.count) bytes"
        if transport.form == .jws { form = "\(inspection.inputByteCount) bytes of input" }
        if transport.form != .der, transport.form != .jws {
            form += " from \(inspection.inputByteCount) bytes of \(transport.form)"
        }
        remarks.append(form)
        for repair in inspection.repairs {
            remarks.append("repaired: \(redact.isOn ? repair.code.rawValue : escapedMessage(repair.description))")
        }
        return remarks
    }

    // MARK: - Why not

    private mutating func appendRejection() {
        page.heading("Rejected")
        var pairs = [(name: "reason", value: report.reason ?? "")]
        pairs.append(("message", escapedMessage(redact.message(of: report))))
        if let advice = report.advice(redact) { pairs.append(("advice", advice)) }
        let others = report.checks.filter { $0.outcome == .failed }.dropFirst().map(\.name.rawValue)
        if !options.showsAll, !others.isEmpty {
            pairs.append(("also failed", others.joined(separator: ", ")))
        }
        page.pairs(pairs)
    }

    private mutating func appendFault(_ fault: Undecodable) {
        page.heading("What is wrong")
        var pairs = [
            ("reason", fault.error.code.rawValue), ("offset", "\(fault.error.offset)"), ("field", fault.error.field),
        ]
        if let detail = fault.error.detail, !redact.isOn { pairs.append(("detail", escapedMessage(detail))) }
        if !fault.path.isEmpty { pairs.append(("inside", fault.path.joined(separator: " > "))) }
        if let advice = report.advice(redact) { pairs.append(("advice", advice)) }
        page.pairs(pairs.map { (name: $0.0, value: $0.1) })
        if !fault.fields.isEmpty {
            page.heading("What can be read of it, NOT VERIFIED")
            page.pairs(
                fault.fields.map { field in
                    (
                        escapedForTerminal(redact.isOn ? redact.faultKey(field.name) : field.name),
                        escapedMessage(redact.isOn ? redact.faultValue(field) : field.value)
                    )
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
}

/// Renders one input for a reader: `--format text`.
func textReport(_ report: Report, redact: Redactor, _ options: TextOptions) -> [UInt8] {
    var text = TextReport(report, redact, options)
    return text.render()
}

extension Redactor {
    fileprivate func faultKey(_ name: String) -> String {
        AttributeNames.isKnown(name) ? name : key(name)
    }

    /// The tree shows a value with its type before it and in quotation marks.
    fileprivate func faultValue(_ field: (name: String, value: String)) -> String {
        let form = Self.form(ofKey: field.name)
        let parts = field.value.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        guard parts.count == 3, let value = String(parts[1]), let type = String(parts[0]) else {
            return self(field.value, form)
        }
        return type + self(value, form)
    }
}
