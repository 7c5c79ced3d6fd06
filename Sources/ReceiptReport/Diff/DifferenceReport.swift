import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// One of the two inputs of `--diff`.
package struct ComparedInput {
    package var inspection: Inspection
    package var judgement: Judgement
    package var certificates: [ShownCertificate]

    package init(_ inspection: Inspection, _ judgement: Judgement) {
        self.inspection = inspection
        self.judgement = judgement
        certificates = inspection.certificates
    }
}

extension ReceiptDifference {
    /// Compares the certificates in the containers, by their fingerprints.
    package mutating func compareCertificates(_ old: [ShownCertificate], _ new: [ShownCertificate]) {
        for certificate in old where !new.contains(where: { $0.sha256 == certificate.sha256 }) {
            certificates.append(Change(name: "certificate", old: certificate.summary, new: nil))
        }
        for certificate in new where !old.contains(where: { $0.sha256 == certificate.sha256 }) {
            certificates.append(Change(name: "certificate", old: nil, new: certificate.summary))
        }
    }
}

extension ShownCertificate {
    fileprivate var summary: String {
        guard let content else { return "\(hex(sha256)) (cannot be decoded)" }
        return "\(content.commonName), serial \(content.serial), \(content.signatureAlgorithm), "
            + "valid \(shortDate(content.notBefore)) to \(shortDate(content.notAfter))"
    }
}

/// The difference as text: `-` for what only A has, `+` for what only B has.
package func differenceText(
    _ old: ComparedInput, _ new: ComparedInput, _ difference: ReceiptDifference, _ redact: Redactor,
    _ layout: PageLayout
) -> [UInt8] {
    let style = Style(isOn: layout.allowsColour)
    var page = TextPage(style: style, columns: layout.columns)
    func removed(_ text: String, _ name: String = "") {
        page.hanging("  \(style.red("-")) " + name, width: 4 + displayWidth(name), text)
    }
    func added(_ text: String, _ name: String = "") {
        page.hanging("  \(style.green("+")) " + name, width: 4 + displayWidth(name), text)
    }
    func show(_ change: ReceiptDifference.Change, named: Bool) {
        let name = named ? escapedForTerminal(change.name) + "  " : ""
        if let old = change.old { removed(escapedForTerminal(old), name) }
        if let new = change.new { added(escapedForTerminal(new), name) }
    }

    page.line(headline("-", old, style))
    page.line(headline("+", new, style))
    if difference.isEmpty {
        page.line("\nno difference in what was signed, and the same certificates")
        return page.bytes
    }
    if !difference.fields.isEmpty {
        page.heading("Fields")
        for change in difference.fields { show(change, named: true) }
    }
    if !(difference.added.isEmpty && difference.removed.isEmpty && difference.changed.isEmpty) {
        let counts = [
            (difference.removed.count, "gone"), (difference.added.count, "added"),
            (difference.changed.count, "changed"),
            (difference.unchanged, "the same"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        page.heading("Purchases: " + counts.joined(separator: ", "))
        for purchase in inTimeOrder(difference.removed) { removed(summary(purchase, redact)) }
        for purchase in inTimeOrder(difference.added) { added(summary(purchase, redact)) }
        for (purchase, changes) in difference.changed {
            page.line("    " + summary(purchase, redact))
            for change in changes { show(change, named: true) }
        }
    }
    if !difference.certificates.isEmpty {
        page.heading("Certificates")
        for change in difference.certificates { show(change, named: false) }
    }
    return page.bytes
}

private func headline(_ mark: String, _ input: ComparedInput, _ style: Style) -> String {
    let name = input.inspection.name == "-" ? "standard input" : escapedForTerminal(input.inspection.name)
    let verdict =
        switch input.judgement.verdict {
        case .valid: style.green("valid")
        case .rejected: style.red("REJECTED (\(input.judgement.reason ?? ""))")
        case .notValidated: style.yellow("nothing was verified")
        case .undecodable: style.red("undecodable")
        }
    return "\(mark) \(style.bold(name)): \(verdict)"
}

private func summary(_ purchase: InAppPurchase, _ redact: Redactor) -> String {
    var parts = [shortDate(purchase.purchaseDate), escapedForTerminal(redact(purchase.productID) ?? "(no product)")]
    if let transaction = purchase.transactionID {
        parts.append("transaction " + escapedForTerminal(redact(transaction)))
    }
    if let date = purchase.expiresDate { parts.append("expires " + shortDate(date)) }
    if let date = purchase.cancellationDate { parts.append("cancelled " + shortDate(date)) }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
}

/// The difference as one JSON object.
package func writeDifference(
    _ old: ComparedInput, _ new: ComparedInput, _ difference: ReceiptDifference, _ redact: Redactor,
    to json: inout JSONWriter
) {
    json.beginObject()
    json.key("a")
    write(old, to: &json)
    json.key("b")
    write(new, to: &json)
    json.member("equal", difference.isEmpty)
    json.key("fields")
    write(difference.fields, to: &json)
    json.key("in_app")
    json.beginObject()
    json.key("removed")
    json.beginArray()
    for purchase in difference.removed { writePurchase(purchase, redact, to: &json) }
    json.endArray()
    json.key("added")
    json.beginArray()
    for purchase in difference.added { writePurchase(purchase, redact, to: &json) }
    json.endArray()
    json.key("changed")
    json.beginArray()
    for (purchase, changes) in difference.changed {
        json.beginObject()
        json.member("product_id", redact(purchase.productID))
        json.member("transaction_id", redact(purchase.transactionID))
        json.key("fields")
        write(changes, to: &json)
        json.endObject()
    }
    json.endArray()
    json.member("unchanged", difference.unchanged)
    json.endObject()
    json.key("certificates")
    write(difference.certificates, to: &json)
    json.endObject()
}

private func write(_ input: ComparedInput, to json: inout JSONWriter) {
    json.beginObject()
    json.member("file", input.inspection.name)
    json.member("verdict", input.judgement.verdict.rawValue)
    json.member("reason", input.judgement.reason)
    json.endObject()
}

private func write(_ changes: [ReceiptDifference.Change], to json: inout JSONWriter) {
    json.beginArray()
    for change in changes {
        json.beginObject()
        json.member("name", change.name)
        json.member("a", change.old)
        json.member("b", change.new)
        json.endObject()
    }
    json.endArray()
}
