import AppStoreReceipt
import ReceiptASN1
import ReceiptJSON

extension Report {
    /// Writes an object of `--lines --brief`: the verdict and what is needed to grant what was bought.
    ///
    /// - Parameters:
    ///   - date: As of when `counts` is told; without one it is null for what ends.
    ///   - id: With `--lines`, the line's identifier, shown as null when it has none.
    package func writeBrief(
        to json: inout JSONWriter, _ redact: Redactor, asOf date: ReceiptDate? = nil,
        id: ReceiptInJSON.Identifier?? = nil
    ) {
        json.beginObject()
        if let id {
            json.key("id")
            json.write(id, redact)
        }
        json.member("schema", 1)
        json.member("kind", kind.rawValue)
        json.member("verdict", verdict.rawValue)
        json.member("reason", reason)
        json.member("message", redact.message(of: self))
        json.member("status", status?.rawValue)
        json.member("environment", inspection.environment?.rawValue)
        switch inspection.finding {
        case .receipt(let signed):
            let receipt = signed.unverifiedReceipt
            json.member("bundle_id", redact(receipt.bundleID))
            json.date("receipt_creation_date", receipt.receiptCreationDate)
            json.member("payload_sha256", payloadSHA256.map { redact.octets($0) })
            json.key("in_app")
            json.beginArray()
            for purchase in receipt.inApp {
                json.beginObject()
                json.member("product_id", redact(purchase.productID))
                json.member("transaction_id", redact(purchase.transactionID))
                json.member("original_transaction_id", redact(purchase.originalTransactionID))
                json.count("quantity", purchase.quantity, redact)
                json.date("purchase_date", purchase.purchaseDate)
                json.date("expires_date", purchase.expiresDate)
                json.date("cancellation_date", purchase.cancellationDate)
                json.member("is_trial_period", purchase.isTrialPeriod)
                json.counts(purchase.cancellationDate, purchase.expiresDate, date)
                json.endObject()
            }
            json.endArray()
        case .transactionReceipt(let signed):
            let receipt = signed.unverifiedReceipt
            json.member("bundle_id", redact(receipt.bundleID))
            json.date("receipt_creation_date", receipt.purchaseDate)
            json.member("payload_sha256", payloadSHA256.map { redact.octets($0) })
            json.key("in_app")
            json.beginArray()
            json.beginObject()
            json.member("product_id", redact(receipt.productID))
            json.member("transaction_id", redact(receipt.transactionID))
            json.member("original_transaction_id", redact(receipt.originalTransactionID))
            json.count("quantity", receipt.quantity, redact)
            json.date("purchase_date", receipt.purchaseDate)
            json.date("expires_date", receipt.expiresDate)
            json.date("cancellation_date", receipt.cancellationDate)
            json.member("is_trial_period", receipt.isTrialPeriod)
            json.counts(receipt.cancellationDate, receipt.expiresDate, date)
            json.endObject()
            json.endArray()
        case .signed(let signed):
            let statements = signed.document.statements
            json.member("bundle_id", redact(statements.bundleID))
            json.date("receipt_creation_date", statements.signingDate)
            json.member("payload_sha256", payloadSHA256.map { redact.octets($0) })
            json.key("in_app")
            json.beginArray()
            for purchase in signed.purchases {
                json.beginObject()
                json.member("product_id", redact(purchase.productID))
                json.member("transaction_id", redact(purchase.transactionID))
                json.member("original_transaction_id", redact(purchase.originalTransactionID))
                json.count("quantity", purchase.quantity, redact)
                json.date("purchase_date", purchase.purchaseDate)
                json.date("expires_date", purchase.expiresDate)
                json.date("cancellation_date", purchase.cancellationDate)
                json.member("is_trial_period", purchase.isTrialPeriod)
                json.counts(purchase.cancellationDate, purchase.expiresDate, date)
                json.endObject()
            }
            json.endArray()
        case .purchaseInfo, .otherCMS, .undecodable:
            json.member("bundle_id", nil as String?)
            json.member("receipt_creation_date", nil as String?)
            json.member("payload_sha256", nil as String?)
            json.key("in_app")
            json.beginArray()
            json.endArray()
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// Whether a purchase counts: not cancelled, and not ended at the date. Null where the date is needed and missing.
    fileprivate mutating func counts(_ cancelled: ReceiptDate?, _ expires: ReceiptDate?, _ date: ReceiptDate?) {
        let counts: Bool? =
            if cancelled != nil { false } else if let expires { date.map { $0 < expires } } else { true }
        member("counts", counts)
    }

    /// A line's identifier as it came, or null.
    package mutating func write(_ id: ReceiptInJSON.Identifier?, _ redact: Redactor) {
        switch id {
        case .string(let text)?: string(redact(text))
        case .literal(let literal)? where redact.isOn:
            string(redact(String(decoding: literal, as: UTF8.self)))
        case .literal(let literal)?: verbatim(literal)
        case nil: null()
        }
    }
}
