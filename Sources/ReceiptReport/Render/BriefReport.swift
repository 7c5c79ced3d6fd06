import AppStoreReceipt
import ReceiptJSON

/// Writes one object of `--lines --brief`.
package func writeBrief(
    _ inspection: Inspection, _ judgement: Judgement, _ id: Envelope.Identifier?, _ redact: Redactor,
    to json: inout JSONWriter
) {
    json.beginObject()
    json.key("id")
    json.write(id)
    json.member("verdict", judgement.verdict.rawValue)
    json.member("reason", judgement.reason)
    json.member("status", judgement.status)
    switch inspection.finding {
    case .receipt(let signed):
        let receipt = signed.unverifiedReceipt
        json.member("environment", receipt.environment?.rawValue)
        json.member("bundle_id", redact(receipt.bundleID))
        json.date("receipt_creation_date", receipt.receiptCreationDate)
        json.member("payload_sha256", redact(hex(digest(signed.payload))))
        json.key("in_app")
        json.beginArray()
        for purchase in receipt.inApp {
            writeIdentifiers(
                purchase.productID, purchase.transactionID, purchase.originalTransactionID, redact, to: &json)
        }
        json.endArray()
    case .transactionReceipt(let signed):
        let receipt = signed.unverifiedReceipt
        json.member("environment", signed.unsignedEnvironment?.rawValue)
        json.member("bundle_id", redact(receipt.bid))
        json.date("receipt_creation_date", receipt.purchaseDate)
        json.member("payload_sha256", redact(hex(digest(signed.payload))))
        json.key("in_app")
        json.beginArray()
        writeIdentifiers(receipt.productID, receipt.transactionID, receipt.originalTransactionID, redact, to: &json)
        json.endArray()
    case .otherCMS, .undecodable:
        json.member("environment", nil as String?)
        json.member("bundle_id", nil as String?)
        json.member("receipt_creation_date", nil as String?)
        json.member("payload_sha256", nil as String?)
        json.key("in_app")
        json.beginArray()
        json.endArray()
    }
    json.endObject()
}

private func writeIdentifiers(
    _ product: String?, _ transaction: String?, _ original: String?, _ redact: Redactor, to json: inout JSONWriter
) {
    json.beginObject()
    json.member("product_id", redact(product))
    json.member("transaction_id", redact(transaction))
    json.member("original_transaction_id", redact(original))
    json.endObject()
}

extension JSONWriter {
    /// A line's identifier as it came, or null.
    package mutating func write(_ id: Envelope.Identifier?) {
        switch id {
        case .string(let text)?: string(text)
        case .literal(let literal)?: verbatim(literal)
        case nil: null()
        }
    }
}
