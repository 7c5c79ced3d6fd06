import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// Parts of the JSON report that stand by themselves.
extension JSONWriter {
    /// A small number; one that is not small may identify something.
    mutating func count(_ name: StaticString, _ value: Int64?, _ redact: Redactor) {
        if let value, redact.isOn, !(0...9_999).contains(value) {
            key(name)
            string(redact(String(value)))
        } else {
            member(name, value)
        }
    }

    mutating func write(_ subscription: Subscription, _ redact: Redactor) {
        beginObject()
        member("original_transaction_id", redact(subscription.originalTransactionID))
        key("product_ids")
        beginArray()
        for product in subscription.productIDs { string(redact(product)) }
        endArray()
        date("from", subscription.from)
        date("to", subscription.to)
        member("periods", subscription.periods)
        member("cancelled", subscription.cancelled)
        key("gaps")
        beginArray()
        for gap in subscription.gaps {
            beginObject()
            date("from", gap.from)
            date("to", gap.to)
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func write(_ certificate: ListedCertificate, _ redact: Redactor) {
        beginObject()
        let summary = certificate.summary
        member("subject", redact(summary?.subject))
        member("issuer", redact(summary?.issuer))
        member("serial", redact(summary?.serialNumber))
        date("not_before", summary?.notBefore)
        date("not_after", summary?.notAfter)
        member("sha256", redact(certificate.sha256))
        key("markers")
        beginArray()
        for marker in summary?.markers ?? [] { string(marker) }
        endArray()
        member("signature_algorithm", summary?.signatureAlgorithm)
        if case .unreadable(_, let error) = certificate {
            member("error", redact.isOn ? error.code.rawValue : error.description)
        }
        endObject()
    }
}
