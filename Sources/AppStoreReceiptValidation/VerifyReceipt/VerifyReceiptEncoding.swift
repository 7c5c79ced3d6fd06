internal import AppStoreReceipt
package import ReceiptJSON

extension VerifyReceiptResponse {
    /// The answer as JSON, UTF-8: keys in a fixed order, numbers where Apple sends numbers, and no number rounded.
    ///
    /// One key is not Apple's: `rejection` is the reason, such as `bundle-identifier-mismatch`, where the receipt is genuine
    /// and not what the policy expects, for which verifyReceipt has no status.
    public func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Writes the answer as a value.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
    }

    /// Writes the members only, for a caller that adds some of its own.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("status", status.rawValue)
        switch content {
        case .receipt(let receipt):
            if let environment = receipt.verifyReceiptEnvironment { json.member("environment", environment) }
            json.key("receipt")
            json.write(receipt, requestDate)
        case .transactionReceipt(let receipt):
            json.key("receipt")
            json.write(receipt)
        case nil: return
        }
        // Beside contents, the status does not tell that something else was expected.
        if let rejection { json.member("rejection", rejection.reason.rawValue) }
    }
}

extension Receipt {
    /// verifyReceipt's word; nil for receipts that do not name an environment.
    fileprivate var verifyReceiptEnvironment: String? {
        switch environment {
        case .production?: "Production"
        case .sandbox?: "Sandbox"
        case .xcode?: "Xcode"
        default: nil
        }
    }
}

extension JSONWriter {
    /// `receipt`. Numbers are numbers here; what the receipt does not have is left out.
    fileprivate mutating func write(_ receipt: Receipt, _ requestDate: ReceiptDate?) {
        beginObject()
        text("receipt_type", receipt.receiptType)
        number("adam_id", receipt.appItemID)
        number("app_item_id", receipt.appItemID)
        text("bundle_id", receipt.bundleID)
        text("application_version", receipt.applicationVersion)
        number("download_id", receipt.downloadID)
        number("version_external_identifier", receipt.versionExternalIdentifier)
        text("original_application_version", receipt.originalApplicationVersion)
        dates(
            "receipt_creation_date", "receipt_creation_date_ms", "receipt_creation_date_pst",
            receipt.receiptCreationDate)
        dates(
            "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
            receipt.originalPurchaseDate)
        dates("expiration_date", "expiration_date_ms", "expiration_date_pst", receipt.expirationDate)
        dates("preorder_date", "preorder_date_ms", "preorder_date_pst", receipt.preorderDate)
        dates("request_date", "request_date_ms", "request_date_pst", requestDate)
        key("in_app")
        beginArray()
        for purchase in receipt.inApp { write(purchase) }
        endArray()
        endObject()
    }

    /// One of `in_app`. Every value is a string.
    private mutating func write(_ purchase: InAppPurchase) {
        beginObject()
        text("quantity", purchase.quantity.map { String($0) })
        text("product_id", purchase.productID)
        text("transaction_id", purchase.transactionID)
        text("original_transaction_id", purchase.originalTransactionID)
        dates("purchase_date", "purchase_date_ms", "purchase_date_pst", purchase.purchaseDate)
        dates(
            "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
            purchase.originalPurchaseDate)
        dates("expires_date", "expires_date_ms", "expires_date_pst", purchase.expiresDate)
        dates("cancellation_date", "cancellation_date_ms", "cancellation_date_pst", purchase.cancellationDate)
        text("cancellation_reason", purchase.cancellationReason.map { String($0) })
        text("web_order_line_item_id", purchase.webOrderLineItemID.map { String($0) })
        text("is_trial_period", purchase.isTrialPeriod.map { $0 ? "true" : "false" })
        text("is_in_intro_offer_period", purchase.isInIntroOfferPeriod.map { $0 ? "true" : "false" })
        text("promotional_offer_id", purchase.promotionalOfferID)
        text("in_app_ownership_type", purchase.inAppOwnershipType?.name)
        endObject()
    }

    /// `receipt` of an iOS 6-style receipt: the purchase-info with underscores.
    fileprivate mutating func write(_ receipt: TransactionReceipt) {
        beginObject()
        for entry in receipt.entries {
            key(
                text: String(
                    decoding: entry.key.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self))
            string(entry.value)
        }
        endObject()
    }

    private mutating func text(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    private mutating func number(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    /// A date three times.
    private mutating func dates(
        _ name: StaticString, _ milliseconds: StaticString, _ pacific: StaticString, _ date: ReceiptDate?
    ) {
        guard let date else { return }
        key(name)
        string(date.verifyReceiptGMT)
        key(milliseconds)
        integerString(date.millisecondsSince1970)
        key(pacific)
        string(date.verifyReceiptPST)
    }
}
