import AppStoreReceipt

/// An App Store receipt for a reader: the app, the purchases in time order, and the attributes of unknown meaning.
func appendReceipt(_ receipt: Receipt, _ redact: Redactor, to page: inout TextPage) {
    page.heading("App")
    var pairs: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { if let value { pairs.append((name, escapedForTerminal(value))) } }
    add("bundle_id", redact(receipt.bundleID))
    add("application_version", receipt.applicationVersion)
    add("receipt_type", receipt.receiptType)
    add("receipt_creation_date", receipt.receiptCreationDate?.description)
    add("original_purchase_date", receipt.originalPurchaseDate?.description)
    add("original_application_version", receipt.originalApplicationVersion)
    add("expiration_date", receipt.expirationDate?.description)
    add("preorder_date", receipt.preorderDate?.description)
    add("app_item_id", redact(receipt.appItemID))
    add("download_id", redact(receipt.downloadID))
    add("version_external_identifier", redact(receipt.versionExternalIdentifier))
    add("developer_id", redact(receipt.developerID))
    add("organization_name", redact(receipt.organizationName))
    add("age_rating", receipt.ageRating)
    add("platform", receipt.platform.map(platformName))
    add("opaque_value", receipt.opaqueValue.map { redact($0) })
    add("sha1_hash", receipt.sha1Hash.map { redact($0) })
    page.pairs(pairs)
    appendPurchases(receipt.inApp, redact, to: &page)
    appendUnknownAttributes(receipt, redact, to: &page)
}

private func platformName(_ platform: Int64) -> String {
    switch platform {
    case 2: "2 (macOS)"
    case 3: "3 (iOS)"
    default: "\(platform)"
    }
}

private func appendPurchases(_ purchases: [InAppPurchase], _ redact: Redactor, to page: inout TextPage) {
    guard !purchases.isEmpty else {
        page.heading("Purchases: none")
        return
    }
    page.heading("Purchases: \(purchases.count)" + (purchases.count > 1 ? ", in time order" : ""))
    let rows = inTimeOrder(purchases).map { purchase in
        [
            shortDate(purchase.purchaseDate), escapedForTerminal(redact(purchase.productID) ?? ""),
            purchase.productType.map(typeName) ?? "",
            escapedForTerminal(redact(purchase.transactionID) ?? ""),
            shortDate(purchase.expiresDate), notes(purchase, redact),
        ]
    }
    page.table(
        head: ["purchase_date", "product_id", "type", "transaction_id", "expires_date", "remarks"], rows: rows, split: 3
    )
    let runs = SubscriptionRun.runs(of: purchases)
    guard !runs.isEmpty else { return }
    page.heading("Subscriptions")
    page.table(
        head: ["from", "to", "product_id", "periods", "original_transaction_id", "remarks"],
        rows: runs.map { run in
            [
                shortDate(run.start), shortDate(run.end),
                escapedForTerminal(run.products.map { redact($0) }.joined(separator: ", ")),
                run.periods == 1 ? "1" : "1 + \(run.periods - 1) renewal\(run.periods == 2 ? "" : "s")",
                escapedForTerminal(redact(run.originalTransactionID)),
                [
                    run.trialPeriods > 0 ? "\(run.trialPeriods) trial" : nil,
                    run.introOfferPeriods > 0 ? "\(run.introOfferPeriods) introductory" : nil,
                    run.cancelledPeriods > 0 ? "\(run.cancelledPeriods) cancelled" : nil,
                ].compactMap { $0 }.joined(separator: ", "),
            ]
        }, split: 3)
}

private func notes(_ purchase: InAppPurchase, _ redact: Redactor) -> String {
    var notes: [String] = []
    if let date = purchase.cancellationDate {
        let reason =
            switch purchase.cancellationReason {
            case 1: " for an issue in the app"
            case 0, nil: ""
            case let other?: " for reason \(other)"
            }
        notes.append("cancelled \(shortDate(date))\(reason)")
    }
    if let quantity = purchase.quantity, quantity != 1 { notes.append("quantity \(quantity)") }
    if purchase.isTrialPeriod == true { notes.append("trial") }
    if purchase.isInIntroOfferPeriod == true { notes.append("introductory") }
    if let offer = purchase.promotionalOfferID { notes.append("offer \(escapedForTerminal(redact(offer)))") }
    switch purchase.inAppOwnershipType {
    case nil, .purchased?: break
    case .familyShared?: notes.append("family shared")
    case let other?: notes.append("ownership \(other.rawValue)")
    }
    if let original = purchase.originalTransactionID, original != purchase.transactionID {
        // A restored purchase has another original transaction too.
        notes.append("\(purchase.expiresDate == nil ? "restores" : "renews") \(escapedForTerminal(redact(original)))")
    }
    return notes.joined(separator: ", ")
}

private func typeName(_ type: InAppPurchase.ProductType) -> String {
    switch type {
    case .autoRenewableSubscription: "auto-renewable"
    case .nonRenewingSubscription: "non-renewing"
    default: type.name ?? "type \(type.rawValue)"
    }
}

/// An instant as tables show it, always in UTC.
package func shortDate(_ date: ReceiptDate?) -> String {
    guard let date else { return "" }
    return String(
        decoding: date.description.utf8.map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
}

/// Attributes that no property shows, as they stand; empty ones of the purchases are left out.
private func appendUnknownAttributes(_ receipt: Receipt, _ redact: Redactor, to page: inout TextPage) {
    var pairs: [(name: String, value: String)] = []
    for attribute in receipt.attributes where attribute.type.name == nil {
        let version = attribute.version == 1 ? "" : ", version \(attribute.version)"
        pairs.append(("\(attribute.type.rawValue)\(version)", describe(attribute, redact)))
    }
    for (index, purchase) in receipt.inApp.enumerated() {
        for attribute in purchase.attributes where attribute.type.name == nil {
            if attribute.rawValue.elementsEqual([0x0C, 0x00]) || attribute.rawValue.elementsEqual([0x16, 0x00]) {
                continue
            }
            let version = attribute.version == 1 ? "" : ", version \(attribute.version)"
            pairs.append(("in_app[\(index)] \(attribute.type.rawValue)\(version)", describe(attribute, redact)))
        }
    }
    guard !pairs.isEmpty else { return }
    page.heading("Other attributes")
    page.pairs(pairs)
}

private func describe(_ attribute: ReceiptAttribute, _ redact: Redactor) -> String {
    let isReadable = redact.isReadable(attribute.type.rawValue)
    switch attribute.value {
    case .utf8String(let text): return "UTF8String \"" + escapedForTerminal(isReadable ? text : redact(text)) + "\""
    case .ia5String(let text): return "IA5String \"" + escapedForTerminal(isReadable ? text : redact(text)) + "\""
    case .integer(let value): return "INTEGER \(isReadable ? String(value) : redact(value) ?? "")"
    case .empty: return "empty"
    case .set, .raw:
        return "\(attribute.rawValue.count) bytes \(isReadable ? hex(attribute.rawValue) : redact(attribute.rawValue))"
    }
}
