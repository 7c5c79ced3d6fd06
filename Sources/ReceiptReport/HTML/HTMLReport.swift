import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// One self-contained page for a browser: `--format html`.
///
/// It loads nothing and runs nothing, and says so in a Content-Security-Policy. Its upper part is for people; the lower one
/// is made from the JSON report, so that it holds the same facts.
struct HTMLReport {
    let report: Report
    let redact: Redactor
    let options: TextOptions
    private var html: [UInt8] = []

    init(_ report: Report, _ redact: Redactor, _ options: TextOptions) {
        self.report = report
        self.redact = redact
        self.options = options
    }

    mutating func render() -> [UInt8] {
        let title = "\(report.kind.rawValue): \(report.verdict.rawValue)"
        markup(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>
            """)
        text(title)
        markup("</title>\n<style>\(Self.style)</style>\n</head>\n<body>\n")
        appendHead()
        appendApp()
        let purchases = report.inspection.purchases
        let chosen = options.selection.select(purchases)
        let originals = Set(chosen.compactMap(\.original))
        let subscriptions = PurchaseFacts.subscriptions(in: purchases).filter {
            originals.contains($0.originalTransactionID)
        }
        if !subscriptions.isEmpty { appendSubscriptions(subscriptions) }
        if !chosen.isEmpty { appendPurchases(chosen, of: purchases.count) }
        appendFacts()
        markup("</body>\n</html>\n")
        return html
    }

    // MARK: - For people

    private mutating func appendHead() {
        let (mark, word) =
            switch report.verdict {
            case .valid: ("✓", "valid")
            case .rejected: ("✗", "REJECTED")
            case .notValidated: ("?", "nothing was verified")
            case .undecodable: ("✗", "undecodable")
            }
        markup("<header class=\"\(report.verdict.rawValue)\">\n<h1>\(mark) \(word)</h1>\n<p>")
        text(report.kind.rawValue)
        if let reason = report.reason { text(": \(reason)") }
        markup("</p>\n<p>")
        text(redact.message(of: report))
        markup("</p>\n")
        if let advice = report.advice(redact) {
            markup("<p>")
            text(advice)
            markup("</p>\n")
        }
        if report.verdict == .rejected, report.rejection?.reason.category != .notExpected {
            markup("<p><strong>What follows was not verified.</strong></p>\n")
        }
        markup("</header>\n")
    }

    private mutating func appendApp() {
        var facts: [(String, String?)]
        switch report.inspection.finding {
        case .receipt(let signed):
            let receipt = signed.unverifiedReceipt
            facts = [
                ("app", redact(receipt.bundleID)), ("version", redact(receipt.applicationVersion, .version)),
                ("receipt type", redact(receipt.receiptType, .environment)),
                ("created", receipt.receiptCreationDate?.description),
                ("first bought", receipt.originalPurchaseDate?.description),
            ]
        case .transactionReceipt(let signed):
            let receipt = signed.unverifiedReceipt
            facts = [("app", redact(receipt.bundleID)), ("version", redact(receipt.applicationVersion, .version))]
        case .purchaseInfo(let receipt):
            facts = [("app", redact(receipt.bundleID)), ("version", redact(receipt.applicationVersion, .version))]
        case .signed(let signed):
            let statements = signed.document.statements
            facts = [
                ("app", redact(statements.bundleID)), ("version", redact(statements.applicationVersion, .version)),
                ("environment", redact(statements.environmentWord, .environment)),
                ("signed", statements.signingDate?.description),
            ]
        case .otherCMS, .undecodable: return
        }
        facts.removeAll { $0.1 == nil }
        guard !facts.isEmpty else { return }
        markup("<h2>App</h2>\n")
        for (name, value) in facts {
            markup("<dl><dt>\(name)</dt><dd>")
            text(value ?? "")
            markup("</dd></dl>\n")
        }
    }

    private mutating func appendSubscriptions(_ subscriptions: [Subscription]) {
        markup("<h2>Subscriptions</h2>\n")
        let timeline = Timeline(subscriptions, now: options.date)
        if let svg = timeline.svg(label: { escaped(redact($0)) }) { markup("<div class=\"wide\">\(svg)</div>\n") }
        beginTable(["state", "products", "from", "to", "periods", "original transaction", "remarks"])
        for subscription in subscriptions {
            row([
                subscription.state(at: options.date),
                subscription.productIDs.map { redact($0) }.joined(separator: ", "),
                subscription.from?.description ?? "", subscription.to?.description ?? "",
                "\(subscription.periods)", redact(subscription.originalTransactionID), subscription.remarks,
            ])
        }
        markup("</table></div>\n")
        if let date = options.date {
            markup("<p>States are as of ")
            text(date.description)
            markup(".</p>\n")
        }
    }

    private mutating func appendPurchases(_ chosen: [PurchaseFacts], of count: Int) {
        markup(
            "<h2>Purchases: \(chosen.count)\(chosen.count == count ? "" : " of \(count)")\(chosen.count == 1 ? "" : ", newest first")</h2>\n"
        )
        beginTable(["purchased", "product", "kind", "transaction", "expires", "cancelled", "remarks"])
        for purchase in chosen {
            var remarks: [String] = []
            if purchase.isTrialPeriod == true { remarks.append("trial") }
            if purchase.isInIntroOfferPeriod == true { remarks.append("introductory") }
            if let offer = purchase.promotionalOfferID { remarks.append("offer \(redact(offer))") }
            if let ownership = purchase.ownership { remarks.append(ownership) }
            if let quantity = purchase.quantity, quantity != 1 {
                remarks.append("quantity \(redact(String(quantity), .smallNumber))")
            }
            row([
                purchase.purchaseDate?.description ?? "", redact(purchase.productID) ?? "", purchase.type ?? "",
                redact(purchase.transactionID) ?? "", purchase.expiresDate?.description ?? "",
                purchase.cancellationDate?.description ?? "", remarks.joined(separator: ", "),
            ])
        }
        markup("</table></div>\n")
    }

    private mutating func beginTable(_ head: [String]) {
        markup("<div class=\"wide\"><table>\n<tr>")
        for cell in head { markup("<th scope=\"col\">\(cell)</th>") }
        markup("</tr>\n")
    }

    private mutating func row(_ cells: [String]) {
        markup("<tr>")
        for cell in cells {
            markup(cell.utf8.count > 40 ? "<td class=\"long\">" : "<td>")
            text(cell)
            markup("</td>")
        }
        markup("</tr>\n")
    }

    // MARK: - The JSON report as tables

    private mutating func appendFacts() {
        var json = JSONWriter()
        report.write(to: &json, redact, selection: options.selection)
        let bytes = json.bytes
        markup("<h2>Every fact</h2>\n")
        let limits = JSONLimits(bytes: Int(Int32.max), depth: 64, members: .max, values: .max)
        do throws(JSONError) {
            let document = try JSONDocument(bytes.span, limits: limits)
            for member in document.members(of: document.root) {
                let isLong = member.value.kind == .object || member.value.kind == .array
                markup(isLong ? "<details><summary>" : "<dl><dt>")
                text(member.name.text(in: bytes.span))
                markup(isLong ? "</summary>" : "</dt><dd>")
                append(member.value, document, bytes.span)
                markup(isLong ? "</details>\n" : "</dd></dl>\n")
            }
        } catch {
            markup("<p>The report is too large to be shown here; see the JSON report.</p>\n")
        }
    }

    private mutating func append(_ value: JSONValue, _ document: JSONDocument, _ json: Span<UInt8>) {
        switch value.kind {
        case .object:
            markup("<table>\n")
            for member in document.members(of: value) {
                markup("<tr><th scope=\"row\">")
                text(member.name.text(in: json))
                markup("</th><td>")
                append(member.value, document, json)
                markup("</td></tr>\n")
            }
            markup("</table>\n")
        case .array:
            var isEmpty = true
            for element in document.elements(of: value) {
                if isEmpty { markup("<ol>") }
                isEmpty = false
                markup("<li>")
                append(element, document, json)
                markup("</li>\n")
            }
            markup(isEmpty ? "<em>none</em>" : "</ol>\n")
        case .null: markup("<em>none</em>")
        case .string: text(value.string(in: json) ?? "")
        default: text(String(decoding: value.range.map { json[$0] }, as: UTF8.self))
        }
    }

    // MARK: - Text

    private mutating func markup(_ markup: String) { html.append(contentsOf: markup.utf8) }
    private mutating func text(_ text: String) { html.append(contentsOf: escaped(text).utf8) }

    /// Nothing in a text can become markup, turn the line around or hide.
    private func escaped(_ text: String) -> String {
        let visible = escapedForTerminal(text)
        guard visible.utf8.contains(where: Self.isSpecial) else { return visible }
        var result: [UInt8] = []
        for byte in visible.utf8 {
            if Self.isSpecial(byte) { result.append(contentsOf: "&#\(byte);".utf8) } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    private static let style = """
        body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:90em;padding:0 1em;color:#111;background:#fff}\
        header{border:2px solid;border-left-width:12px;padding:.2em 1em;overflow-wrap:anywhere}\
        header.valid{border-color:#0a6b2d}header.rejected,header.undecodable{border-color:#a11;border-style:double;\
        border-width:6px}header.not-validated{border-color:#865c00;border-style:dashed}h1{margin:.3em 0}\
        .wide{overflow-x:auto}.wide table{font-size:.9em}table{border-collapse:collapse;margin:.3em 0}\
        th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
        th{background:#eee}.wide th,.wide td{white-space:nowrap;font-variant-numeric:tabular-nums}\
        .wide .long{white-space:normal;min-width:14em}\
        summary{cursor:pointer;font-weight:600}dl{display:flex;gap:1em;margin:.2em 0}dt{min-width:9em;font-weight:600}\
        dd{margin:0;overflow-wrap:anywhere}svg{width:100%;min-width:48em;height:auto;box-sizing:border-box;border:1px solid #999;margin:.5em 0}\
        svg text{font:12px system-ui,sans-serif;fill:#111}.run{fill:#2f6fb5;stroke:#123}\
        .gap{fill:none;stroke:#a11;stroke-dasharray:3 3}.edge{stroke:#fff;stroke-width:1}.tick{stroke:#bbb}\
        .now{stroke:#111;stroke-width:2}@media print{body{margin:0;font-size:10px}svg{min-width:0}\
        .wide{overflow:visible}.wide table{font-size:8px}.wide td{white-space:normal;overflow-wrap:break-word}}
        """
}

extension Report {
    /// One self-contained HTML page, UTF-8: `receipt-dump --format html`.
    ///
    /// It loads nothing from anywhere and runs no script, whatever the input holds.
    public func html(_ options: TextOptions = TextOptions(), redactor: Redactor? = nil) -> [UInt8] {
        var page = HTMLReport(self, redactor ?? .off, options)
        return page.render()
    }
}
