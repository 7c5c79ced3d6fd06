import AppStoreReceipt
import ReceiptASN1

/// What a receipt says, for a reader: the app and the purchases.
extension TextReport {
    /// Purchases and subscriptions that a screen shows; the rest with `--all` or `--newest`.
    static let screenPurchases = 12
    static let screenSubscriptions = 6

    mutating func appendApp(_ receipt: Receipt) {
        page.heading("App")
        var pairs: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value { pairs.append((name, escapedForTerminal(value))) } }
        add("bundle_id", redact(receipt.bundleID))
        add("application_version", redact(receipt.applicationVersion, .version))
        add("receipt_type", redact(receipt.receiptType, .environment))
        add("receipt_creation_date", receipt.receiptCreationDate?.description)
        add("original_purchase_date", receipt.originalPurchaseDate?.description)
        add("original_application_version", redact(receipt.originalApplicationVersion, .version))
        add("expiration_date", receipt.expirationDate?.description)
        if options.showsAll {
            add("preorder_date", receipt.preorderDate?.description)
            add("app_item_id", redact.number(receipt.appItemID))
            add("download_id", redact.number(receipt.downloadID))
            add("version_external_identifier", redact.number(receipt.versionExternalIdentifier))
            add("developer_id", redact.number(receipt.developerID))
            add("organization_name", redact(receipt.organizationName))
            add("age_rating", redact(receipt.ageRating, .ageRating))
            add("platform", receipt.platform.map { platformName($0) })
            add("opaque_value", receipt.opaqueValue.map { redact.octets($0) })
            add("sha1_hash", receipt.sha1Hash.map { redact.octets($0) })
        }
        page.pairs(pairs)
    }

    private func platformName(_ platform: Int64) -> String {
        switch platform {
        case 2: "2 (macOS)"
        case 3: "3 (iOS)"
        default: redact(String(platform), .smallNumber)
        }
    }

    mutating func appendTransaction(_ receipt: TransactionReceipt, _ signed: SignedTransactionReceipt?) {
        page.heading("Purchase")
        page.pairs(
            receipt.entries.map { entry in
                (
                    escapedForTerminal(redact.key(entry.key)),
                    escapedForTerminal(redact(entry.value, Redactor.form(ofKey: entry.key)))
                )
            })
        guard let signed else { return }
        page.heading("Outside the signature")
        page.pairs(
            signed.unsignedEnvelope.entries.filter { $0.key != "signature" && $0.key != "purchase-info" }
                .map { entry in
                    (
                        escapedForTerminal(redact.key(entry.key)),
                        escapedForTerminal(redact(entry.value, Redactor.form(ofKey: entry.key)))
                    )
                })
    }

    // MARK: - Purchases

    mutating func appendPurchases() {
        let all = inspection.purchases
        let chosen = options.selection.select(all)
        let subscriptions = PurchaseFacts.subscriptions(in: all)
        if !subscriptions.isEmpty { appendSubscriptions(subscriptions, chosen) }
        // The one purchase of a transaction receipt or a signed transaction was shown whole.
        guard case .receipt = inspection.finding else { return }
        guard !all.isEmpty else {
            page.heading("Purchases: none")
            return
        }
        let isLimited = !options.showsAll && options.selection.newest == nil && chosen.count > Self.screenPurchases + 3
        let shown = isLimited ? Array(chosen.prefix(Self.screenPurchases)) : chosen
        var title = "Purchases: \(all.count)"
        if chosen.count != all.count { title += ", \(chosen.count) of them chosen" }
        if chosen.count > 1 { title += ", newest first" }
        // What is the same everywhere is said once.
        let types = Set(chosen.map(\.type))
        if types.count == 1, let type = types.first ?? nil {
            title += chosen.count == 1 ? ", \(type)" : ", all \(type)"
        }
        page.heading(title)
        page.table(
            head: ["purchase_date", "product_id", "type", "transaction_id", "expires_date", "remarks"],
            rows: shown.map { purchase in
                [
                    dateText(purchase.purchaseDate), escapedForTerminal(redact(purchase.productID) ?? ""),
                    types.count == 1 ? "" : purchase.type.map(shortType) ?? "",
                    escapedForTerminal(redact(purchase.transactionID) ?? ""), dateText(purchase.expiresDate),
                    notes(purchase),
                ]
            }, split: 3)
        if isLimited {
            page.paragraph(page.style.dim("\(chosen.count - shown.count) older ones: --newest N or --all shows them"))
        }
    }

    private mutating func appendSubscriptions(_ all: [Subscription], _ chosen: [PurchaseFacts]) {
        let originals = Set(chosen.compactMap(\.original))
        var shown = all.filter { originals.contains($0.originalTransactionID) }
        guard !shown.isEmpty else { return }
        // The one that runs longest is the one that is asked about.
        shown.sort { ($0.to?.millisecondsSince1970 ?? .min) > ($1.to?.millisecondsSince1970 ?? .min) }
        let rest = options.showsAll ? 0 : max(0, shown.count - Self.screenSubscriptions)
        shown.removeLast(rest)
        page.heading("Subscriptions" + (options.date.map { " as of \(dateText($0))" } ?? ""))
        page.table(
            head: ["state", "product_id", "from", "to", "periods", "original_transaction_id", "remarks"],
            rows: shown.map { subscription in
                [
                    subscription.state(at: options.date),
                    escapedForTerminal(subscription.productIDs.map { redact($0) }.joined(separator: ", ")),
                    dateText(subscription.from), dateText(subscription.to), "\(subscription.periods)",
                    escapedForTerminal(redact(subscription.originalTransactionID)), subscription.remarks,
                ]
            }, split: 4)
        if options.showsAll {
            for subscription in shown where !subscription.gaps.isEmpty {
                let gaps = subscription.gaps.map { "\(dateText($0.from)) to \(dateText($0.to))" }
                page.paragraph(
                    "gaps in \(escapedForTerminal(redact(subscription.originalTransactionID))): "
                        + gaps.joined(separator: ", "))
            }
        }
        if rest > 0 { page.paragraph(page.style.dim("\(rest) that ended earlier: --all shows them")) }
    }

    private func notes(_ purchase: PurchaseFacts) -> String {
        var notes: [String] = []
        if let date = purchase.cancellationDate {
            let reason =
                switch purchase.cancellationReason {
                case 1: " for an issue in the app"
                case 0, nil: ""
                case let other?: " for reason \(redact(String(other), .smallNumber))"
                }
            notes.append("cancelled \(dateText(date))\(reason)")
        }
        if let quantity = purchase.quantity, quantity != 1 {
            notes.append("quantity \(redact(String(quantity), .smallNumber))")
        }
        if purchase.isTrialPeriod == true { notes.append("trial") }
        if purchase.isInIntroOfferPeriod == true { notes.append("introductory") }
        if let offer = purchase.promotionalOfferID { notes.append("offer \(escapedForTerminal(redact(offer)))") }
        if let ownership = purchase.ownership { notes.append(ownership) }
        // Renewals go back to their subscription, which has its own table; a restored purchase to another one.
        if let original = purchase.originalTransactionID, original != purchase.transactionID,
            purchase.expiresDate == nil
        {
            notes.append("restores \(escapedForTerminal(redact(original)))")
        }
        return notes.joined(separator: ", ")
    }

    /// Kinds as a table has room for them.
    private func shortType(_ type: String) -> String {
        switch type {
        case "auto-renewable subscription": "auto-renewable"
        case "non-renewing subscription": "non-renewing"
        default: type
        }
    }

    /// An instant in UTC: to the minute on a screen, whole with `--all`.
    private func dateText(_ date: ReceiptDate?) -> String {
        let text = shortDate(date)
        return options.showsAll || text.utf8.count < 17 ? text : String(text.prefix(16))
    }
}

extension Subscription {
    /// `active` or `ended` at a date; `refunded` when no period counts.
    func state(at date: ReceiptDate?) -> String {
        guard let from, let to else { return "refunded" }
        guard let date else { return "" }
        if date < from { return "begins later" }
        if date >= to { return "ended" }
        return runs(at: date) ? "active" : "lapsed"
    }

    var remarks: String {
        [
            trialPeriods > 0 ? "\(trialPeriods) trial" : nil,
            introductoryPeriods > 0 ? "\(introductoryPeriods) introductory" : nil,
            promotionalOfferIDs.isEmpty
                ? nil : "\(promotionalOfferIDs.count) offer\(promotionalOfferIDs.count == 1 ? "" : "s")",
            isFamilyShared ? "family shared" : nil,
            cancelled > 0 ? "\(cancelled) cancelled" : nil,
            gaps.count == 1 ? "1 gap" : gaps.isEmpty ? nil : "\(gaps.count) gaps",
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

/// An instant as tables show it, always in UTC.
package func shortDate(_ date: ReceiptDate?) -> String {
    guard let date else { return "" }
    return String(
        decoding: date.description.utf8.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
}
