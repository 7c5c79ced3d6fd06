import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptPKIX

/// What was found out about whether a receipt is genuine, as reports show it.
package struct Judgement {
    package var verdict: Verdict
    /// A stable word such as `signature-mismatch`, nil when there is nothing to say.
    package var reason: String? = nil
    package var message: String
    /// verifyReceipt's status; nil when nothing was verified.
    var status: Int? = nil
    var checks: [CheckResult] = []
    /// `not-authentic`, `not-acceptable-now` or `not-expected`, for rejections.
    var category: String? = nil
    /// The likeliest cause, and what to do.
    var likely: String? = nil

    package enum Verdict: String {
        case valid
        case rejected
        case notValidated = "not-validated"
        case undecodable
    }

    struct CheckResult {
        var name: String
        /// `passed`, `failed` or `not-run`.
        var outcome: String
        var detail: String
    }
}

/// Writes one input's object of `--format json`.
///
/// - Parameters:
///   - file: The input's name, shown when there are several.
///   - id: With `--lines`, the line's identifier, shown as null when it has none.
package func writeReport(
    _ inspection: Inspection, _ judgement: Judgement, file: String? = nil, id: Envelope.Identifier?? = nil,
    _ redact: Redactor, _ certificates: inout CertificateCache, to json: inout JSONWriter
) {
    json.beginObject()
    if let id {
        json.key("id")
        json.write(id)
    }
    json.key("input")
    json.beginObject()
    if let file { json.member("file", file) }
    json.member("bytes", inspection.inputByteCount)
    json.member("form", inspection.transport?.form.rawValue ?? "unknown")
    if let member = inspection.envelopeMember { json.member("json_member", member) }
    json.key("repairs")
    json.beginArray()
    for repair in inspection.transport?.repairs ?? [] { json.string(repair.code.rawValue) }
    json.endArray()
    json.endObject()
    json.member("kind", inspection.kind.rawValue)
    json.member("verdict", judgement.verdict.rawValue)
    json.member("reason", judgement.reason)
    json.member("message", redact.message(judgement.message, about: judgement.reason ?? ""))
    json.member("category", judgement.category)
    json.member("likely", judgement.likely)
    json.member("status", judgement.status)
    json.key("checks")
    json.beginArray()
    for check in judgement.checks {
        json.beginObject()
        json.member("name", check.name)
        json.member("outcome", check.outcome)
        json.member("detail", redact.message(check.detail, about: check.name))
        json.endObject()
    }
    json.endArray()
    if case .undecodable(let fault) = inspection.finding {
        json.key("error")
        writeFault(fault, redact, to: &json)
    }
    json.key("receipt")
    switch inspection.finding {
    case .receipt(let receipt): writeReceipt(receipt.unverifiedReceipt, redact, to: &json)
    case .transactionReceipt(let receipt): writeTransaction(receipt, redact, to: &json)
    case .otherCMS(let other) where !other.fields.isEmpty: writeFields(other, redact, to: &json)
    default: json.null()
    }
    json.key("certificates")
    json.beginArray()
    for certificate in certificates.certificates(of: inspection) { writeCertificate(certificate, to: &json) }
    json.endArray()
    json.member("payload_sha256", inspection.payload.map { redact(hex(digest($0))) })
    json.endObject()
}

private func writeFault(_ fault: Undecodable, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.member("code", fault.error.code.rawValue)
    json.member("offset", fault.error.offset)
    json.member("field", fault.error.field)
    json.member("detail", fault.error.detail.map { redact.message($0, about: fault.error.code.rawValue) })
    json.key("path")
    json.beginArray()
    for element in fault.path { json.string(element) }
    json.endArray()
    json.endObject()
}

// MARK: - Receipts

/// The keys of verifyReceipt's `receipt`, then what it does not show, then every attribute.
private func writeReceipt(_ receipt: Receipt, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.member("receipt_type", receipt.receiptType)
    json.member("adam_id", redact(receipt.appItemID))
    json.member("app_item_id", redact(receipt.appItemID))
    json.member("bundle_id", redact(receipt.bundleID))
    json.member("application_version", receipt.applicationVersion)
    json.member("download_id", redact(receipt.downloadID))
    json.member("version_external_identifier", redact(receipt.versionExternalIdentifier))
    json.date("receipt_creation_date", receipt.receiptCreationDate)
    json.date("original_purchase_date", receipt.originalPurchaseDate)
    json.member("original_application_version", receipt.originalApplicationVersion)
    json.date("expiration_date", receipt.expirationDate)
    json.date("preorder_date", receipt.preorderDate)
    json.member("environment", receipt.environment?.rawValue)
    json.member("age_rating", receipt.ageRating)
    json.member("developer_id", redact(receipt.developerID))
    json.member("organization_name", redact(receipt.organizationName))
    json.member("platform", receipt.platform)
    json.member("opaque_value", receipt.opaqueValue.map { redact($0) })
    json.member("sha1_hash", receipt.sha1Hash.map { redact($0) })
    json.key("in_app")
    json.beginArray()
    for purchase in receipt.inApp { writePurchase(purchase, redact, to: &json) }
    json.endArray()
    json.key("attributes")
    writeAttributes(receipt.attributes, redact, to: &json)
    json.endObject()
}

func writePurchase(_ purchase: InAppPurchase, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.member("quantity", purchase.quantity)
    json.member("product_id", redact(purchase.productID))
    json.member("transaction_id", redact(purchase.transactionID))
    json.member("original_transaction_id", redact(purchase.originalTransactionID))
    json.date("purchase_date", purchase.purchaseDate)
    json.date("original_purchase_date", purchase.originalPurchaseDate)
    json.date("expires_date", purchase.expiresDate)
    json.date("cancellation_date", purchase.cancellationDate)
    json.member("cancellation_reason", purchase.cancellationReason)
    json.member("web_order_line_item_id", redact(purchase.webOrderLineItemID))
    json.member("is_trial_period", purchase.isTrialPeriod)
    json.member("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
    json.member("promotional_offer_id", redact(purchase.promotionalOfferID))
    json.member(
        "in_app_ownership_type", purchase.inAppOwnershipType.map { $0.name ?? String($0.rawValue) })
    json.member("product_type", purchase.productType.map { $0.name ?? String($0.rawValue) })
    json.member("item_id", redact(purchase.itemID))
    json.key("attributes")
    writeAttributes(purchase.attributes, redact, to: &json)
    json.endObject()
}

/// Every attribute in the order of the payload, but for the purchases, which `in_app` shows.
private func writeAttributes(_ attributes: ReceiptAttributes, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginArray()
    for attribute in attributes where attribute.type != .inApp {
        json.beginObject()
        json.member("type", attribute.type.rawValue)
        json.member("version", attribute.version)
        json.key("encoding")
        let isReadable = redact.isReadable(attribute.type.rawValue)
        switch attribute.value {
        case .utf8String(let text):
            json.string("UTF8String")
            json.member("value", isReadable ? text : redact(text))
        case .ia5String(let text):
            json.string("IA5String")
            json.member("value", isReadable ? text : redact(text))
        case .integer(let value):
            json.string("INTEGER")
            json.member("value", isReadable ? String(value) : redact(value))
        case .empty:
            json.string("empty")
            json.member("hex", "")
        case .set, .raw:
            json.string("raw")
            json.key("hex")
            if isReadable { json.hexString(attribute.rawValue) } else { json.string(redact(attribute.rawValue)) }
        }
        json.endObject()
    }
    json.endArray()
}

/// An iOS 6-style receipt: its purchase-info in verifyReceipt's words, then every key as it stands.
private func writeTransaction(_ signed: SignedTransactionReceipt, _ redact: Redactor, to json: inout JSONWriter) {
    let receipt = signed.unverifiedReceipt
    json.beginObject()
    json.member("bid", redact(receipt.bid))
    json.member("bvrs", receipt.bvrs)
    json.member("app_item_id", redact(receipt.appItemID))
    json.member("version_external_identifier", redact(receipt.versionExternalIdentifier))
    json.member("quantity", receipt.quantity)
    json.member("product_id", redact(receipt.productID))
    json.member("item_id", redact(receipt.itemID))
    json.member("transaction_id", redact(receipt.transactionID))
    json.member("original_transaction_id", redact(receipt.originalTransactionID))
    json.date("purchase_date", receipt.purchaseDate)
    json.date("original_purchase_date", receipt.originalPurchaseDate)
    json.date("expires_date", receipt.expiresDate)
    json.member("web_order_line_item_id", redact(receipt.webOrderLineItemID))
    json.date("cancellation_date", receipt.cancellationDate)
    json.member("cancellation_reason", receipt.cancellationReason)
    json.member("is_trial_period", receipt.isTrialPeriod)
    json.member("is_in_intro_offer_period", receipt.isInIntroOfferPeriod)
    json.member("unique_identifier", redact(receipt.uniqueIdentifier))
    json.member("unique_vendor_identifier", redact(receipt.uniqueVendorIdentifier))
    json.member("environment", signed.unsignedEnvelope.environment)
    json.member("signature_version", signed.signatureVersion)
    json.key("entries")
    json.beginArray()
    for entry in receipt.entries {
        json.beginObject()
        json.member("key", entry.key)
        json.member("value", redact.isReadable(entry) ? entry.value : redact(entry.value))
        json.endObject()
    }
    json.endArray()
    json.endObject()
}

private func writeFields(_ other: OtherCMS, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.key("fields")
    json.beginArray()
    for field in other.fields {
        json.beginObject()
        json.member("name", field.name)
        json.member("value", redact.isReadable(field: field.name) ? field.value : redact(field.value))
        json.endObject()
    }
    json.endArray()
    json.endObject()
}

private func writeCertificate(_ certificate: ShownCertificate, to json: inout JSONWriter) {
    json.beginObject()
    let content = certificate.content
    json.member("subject", content?.subject)
    json.member("issuer", content?.issuer)
    json.member("serial", content?.serial)
    json.date("not_before", content?.notBefore)
    json.date("not_after", content?.notAfter)
    json.member("sha256", hex(certificate.sha256))
    json.key("markers")
    json.beginArray()
    for marker in content?.markers ?? [] { json.string(marker) }
    json.endArray()
    json.member("signature_algorithm", content?.signatureAlgorithm)
    if let error = certificate.error { json.member("error", error.description) }
    json.endObject()
}

extension Redactor {
    /// Keys of a purchase-info that do not identify anything.
    func isReadable(_ entry: TransactionReceipt.Entry) -> Bool {
        !isOn || entry.key.contains("date") || entry.key.hasPrefix("is-")
            || ["quantity", "bvrs", "cancellation-reason"].contains(entry.key)
    }

    /// What can be read of a damaged input: names of attributes or keys of a purchase-info.
    func isReadable(faultField name: String) -> Bool {
        !isOn || name.contains("date")
            || ["receipt_type", "application_version", "original_application_version", "age rating", "platform"]
                .contains(name)
    }

    /// Fields of an App Attest receipt that do not identify anything.
    func isReadable(field name: String) -> Bool {
        !isOn
            || ["receipt type", "environment", "creation time", "not before", "expiration time", "risk metric"]
                .contains(name)
    }
}
