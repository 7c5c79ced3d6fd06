import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptJSON

extension ReceiptDifference {
    /// Compares two reports; nil when they are not on documents of one kind that can be compared.
    package init?(_ old: Report, _ new: Report, _ redact: Redactor) {
        switch (old.inspection.finding, new.inspection.finding) {
        case (.receipt(let left), .receipt(let right)):
            self.init(left.unverifiedReceipt, right.unverifiedReceipt, redact)
        case (.transactionReceipt(let left), .transactionReceipt(let right)): self.init(left, right, redact)
        case (.signed(let left), .signed(let right)) where left.kind == right.kind: self.init(left, right, redact)
        default: return nil
        }
        let shown = old.isUnderBuiltInRoot && new.isUnderBuiltInRoot ? .off : redact
        compareCertificates(old.certificates, new.certificates, shown)
    }

    /// Compares the certificates in the containers, by their fingerprints.
    private mutating func compareCertificates(
        _ old: [ListedCertificate], _ new: [ListedCertificate], _ redact: Redactor
    ) {
        let (olds, news) = (Set(old.map(\.sha256)), Set(new.map(\.sha256)))
        for certificate in old where !news.contains(certificate.sha256) {
            certificates.append(Change(name: "certificate", old: certificate.summary(redact), new: nil))
        }
        for certificate in new where !olds.contains(certificate.sha256) {
            certificates.append(Change(name: "certificate", old: nil, new: certificate.summary(redact)))
        }
    }
}

extension ListedCertificate {
    fileprivate func summary(_ redact: Redactor) -> String {
        guard let summary else { return "\(redact(sha256)) (cannot be decoded)" }
        return "\(redact(summary.commonName)), serial \(redact(summary.serialNumber)), \(summary.signatureAlgorithm), "
            + "valid \(shortDate(summary.notBefore)) to \(shortDate(summary.notAfter))"
    }
}

/// The difference as text: `-` for what only A has, `+` for what only B has.
package func differenceText(
    _ old: Report, _ new: Report, _ difference: ReceiptDifference, _ redact: Redactor,
    _ options: TextOptions
) -> [UInt8] {
    let style = Style(isOn: options.allowsColour)
    var page = TextPage(style: style, columns: options.columns)
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

    page.line(headline("-", old, redact, style))
    page.line(headline("+", new, redact, style))
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
        for purchase in difference.removed.sorted(by: isEarlier) { removed(summary(purchase, redact)) }
        for purchase in difference.added.sorted(by: isEarlier) { added(summary(purchase, redact)) }
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

private func headline(_ mark: String, _ input: Report, _ redact: Redactor, _ style: Style) -> String {
    let name = input.inspection.name == "-" ? "standard input" : escapedForTerminal(redact(input.inspection.name))
    let verdict =
        switch input.verdict {
        case .valid: style.green("valid")
        case .rejected: style.red("REJECTED (\(input.reason ?? ""))")
        case .notValidated: style.yellow("nothing was verified")
        case .undecodable: style.red("undecodable")
        }
    return "\(mark) \(style.bold(name)): \(verdict)"
}

private func isEarlier(_ left: InAppPurchase, _ right: InAppPurchase) -> Bool {
    (left.purchaseDate?.millisecondsSince1970 ?? .min) < (right.purchaseDate?.millisecondsSince1970 ?? .min)
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
    _ old: Report, _ new: Report, _ difference: ReceiptDifference, _ redact: Redactor,
    to json: inout JSONWriter
) {
    var repeated = RepeatedJSON()
    json.beginObject()
    json.member("schema", 1)
    json.key("a")
    write(old, redact, to: &json)
    json.key("b")
    write(new, redact, to: &json)
    json.member("equal", difference.isEmpty)
    json.key("fields")
    write(difference.fields, to: &json)
    json.key("in_app")
    json.beginObject()
    json.key("removed")
    json.beginArray()
    for purchase in difference.removed { writePurchase(purchase, redact, &repeated, to: &json) }
    json.endArray()
    json.key("added")
    json.beginArray()
    for purchase in difference.added { writePurchase(purchase, redact, &repeated, to: &json) }
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

private func write(_ input: Report, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.member("file", input.inspection.name == "-" ? "-" : redact(input.inspection.name))
    json.member("kind", input.kind.rawValue)
    json.member("verdict", input.verdict.rawValue)
    json.member("reason", input.reason)
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
