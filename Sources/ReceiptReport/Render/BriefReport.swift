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
        json.key("message")
        writeMessage(redact, to: &json)
        json.member("status", status?.rawValue)
        json.member("environment", inspection.environment?.rawValue)
        let stated = briefStatements
        json.member("bundle_id", redact(stated?.bundleID))
        json.date("receipt_creation_date", stated?.creation)
        json.octets("payload_sha256", stated == nil ? nil : payloadSHA256, redact)
        json.key("in_app")
        json.beginArray()
        for purchase in stated == nil ? [] : inspection.purchases { json.write(purchase, asOf: date, redact) }
        json.endArray()
        json.endObject()
    }

    /// Whose app it is for and when it was made; nil for what nobody signed, whose purchases are not to be granted.
    private var briefStatements: (bundleID: String?, creation: ReceiptDate?)? {
        switch inspection.finding {
        case .receipt(let signed):
            (signed.unverifiedReceipt.bundleID, signed.unverifiedReceipt.receiptCreationDate)
        case .transactionReceipt(let signed):
            (signed.unverifiedReceipt.bundleID, signed.unverifiedReceipt.purchaseDate)
        case .signed(let signed): (signed.document.statements.bundleID, signed.document.statements.signingDate)
        case .purchaseInfo, .otherCMS, .undecodable: nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ purchase: PurchaseFacts, asOf date: ReceiptDate?, _ redact: Redactor) {
        beginObject()
        member("product_id", redact(purchase.productID))
        member("transaction_id", redact(purchase.transactionID))
        member("original_transaction_id", redact(purchase.originalTransactionID))
        count("quantity", purchase.quantity, redact)
        self.date("purchase_date", purchase.purchaseDate)
        self.date("expires_date", purchase.expiresDate)
        self.date("cancellation_date", purchase.cancellationDate)
        member("is_trial_period", purchase.isTrialPeriod)
        member("counts", purchase.stated.countsIfKnown(at: date))
        endObject()
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
