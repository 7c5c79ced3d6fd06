import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

extension Report {
    /// Writes the object of `--format json`.
    ///
    /// - Parameters:
    ///   - file: The input's name, shown when there are several.
    ///   - id: With `--lines`, the line's identifier, shown as null when it has none.
    package func write(
        to json: inout JSONWriter, _ redact: Redactor, selection: PurchaseSelection = .all, file: String? = nil
    ) {
        var repeated = RepeatedJSON()
        write(to: &json, redact, &repeated, selection: selection, file: file)
    }

    /// The same for one of many inputs.
    ///
    /// - Parameters:
    ///   - repeated: What was written for others.
    ///   - id: With `--lines`, the line's identifier, shown as null when it has none.
    package func write(
        to json: inout JSONWriter, _ redact: Redactor, _ repeated: inout RepeatedJSON,
        selection: PurchaseSelection = .all, file: String? = nil, id: ReceiptInJSON.Identifier?? = nil
    ) {
        let repeats = !redact.isOn && !json.isPretty
        json.beginObject()
        if let id {
            json.key("id")
            json.write(id, redact)
        }
        json.member("schema", 1)
        writeInput(file, redact, to: &json)
        json.member("kind", kind.rawValue)
        json.member("verdict", verdict.rawValue)
        json.member("reason", reason)
        json.key("message")
        writeMessage(redact, to: &json)
        json.member("category", rejection?.reason.category.rawValue)
        json.member("advice", advice(redact))
        // As the key was called before.
        json.member("likely", advice(redact))
        json.member("status", status?.rawValue)
        json.key("checks")
        json.beginArray()
        if repeats {
            repeated.write(checks, self.repeated, to: &json)
        } else {
            for check in checks { write(check, redact, to: &json) }
        }
        json.endArray()
        if let fault = inspection.fault {
            json.key("error")
            writeFault(fault, redact, to: &json)
        }
        json.key("receipt")
        switch inspection.finding {
        case .receipt(let receipt): writeReceipt(receipt.unverifiedReceipt, selection, redact, &repeated, to: &json)
        case .transactionReceipt(let receipt): writeTransaction(receipt.unverifiedReceipt, receipt, redact, to: &json)
        case .purchaseInfo(let receipt): writeTransaction(receipt, nil, redact, to: &json)
        case .otherCMS(let other) where !other.fields.isEmpty: writeFields(other, redact, to: &json)
        default: json.null()
        }
        json.key("subscriptions")
        json.beginArray()
        for subscription in inspection.subscriptions { json.write(subscription, redact) }
        json.endArray()
        writePayload(redact, to: &json)
        json.key("certificates")
        json.beginArray()
        for certificate in certificates { json.write(certificate, redact.certificates(of: self)) }
        json.endArray()
        json.octets("payload_sha256", payloadSHA256, redact)
        json.endObject()
    }

    private func write(_ check: Check, _ redact: Redactor, to json: inout JSONWriter) {
        guard redact.isOn else { return json.write(check) }
        json.beginObject()
        json.member("name", check.name.rawValue)
        json.member("outcome", check.outcome.rawValue)
        json.member("detail", redact.detail(of: check, in: self))
        json.endObject()
    }

    private func writeInput(_ file: String?, _ redact: Redactor, to json: inout JSONWriter) {
        json.key("input")
        json.beginObject()
        if let file { json.member("file", redact(file)) }
        json.member("bytes", inspection.inputByteCount)
        json.member("form", inspection.isCompactJWS ? "jws" : inspection.transport?.form.rawValue ?? "unknown")
        // As the key was called before, when JSON was all that was looked into.
        if let member = inspection.foundIn?.path { json.member("json_member", redact(member)) }
        json.key("repairs")
        json.beginArray()
        for repair in inspection.repairs { json.string(repair.code.rawValue) }
        json.endArray()
        json.key("found_in")
        if let place = inspection.foundIn {
            json.beginObject()
            json.member("path", redact(place.path))
            json.member("offset", place.offset)
            json.endObject()
        } else {
            json.null()
        }
        json.member("also", inspection.transport?.also ?? 0)
        json.endObject()
    }
}

private func writeFault(_ fault: Undecodable, _ redact: Redactor, to json: inout JSONWriter) {
    json.beginObject()
    json.member("code", fault.error.code.rawValue)
    json.member("offset", fault.error.offset)
    json.member("field", fault.error.field)
    json.member("detail", redact.isOn ? nil : fault.error.detail)
    json.key("path")
    json.beginArray()
    for element in fault.path { json.string(element) }
    json.endArray()
    json.endObject()
}

// MARK: - Receipts

/// The keys of verifyReceipt's `receipt`, then what it does not show, then every attribute.
private func writeReceipt(
    _ receipt: Receipt, _ selection: PurchaseSelection, _ redact: Redactor, _ repeated: inout RepeatedJSON,
    to json: inout JSONWriter
) {
    json.beginObject()
    json.member("receipt_type", redact(receipt.receiptType, .environment))
    json.number("adam_id", receipt.appItemID, redact)
    json.number("app_item_id", receipt.appItemID, redact)
    json.member("bundle_id", redact(receipt.bundleID))
    json.member("application_version", redact(receipt.applicationVersion, .version))
    json.number("download_id", receipt.downloadID, redact)
    json.number("version_external_identifier", receipt.versionExternalIdentifier, redact)
    json.date("receipt_creation_date", receipt.receiptCreationDate)
    json.date("original_purchase_date", receipt.originalPurchaseDate)
    json.member("original_application_version", redact(receipt.originalApplicationVersion, .version))
    json.date("expiration_date", receipt.expirationDate)
    json.date("preorder_date", receipt.preorderDate)
    json.member("environment", receipt.environment?.rawValue)
    json.member("age_rating", redact(receipt.ageRating, .ageRating))
    json.number("developer_id", receipt.developerID, redact)
    json.member("organization_name", redact(receipt.organizationName))
    json.count("platform", receipt.platform, redact)
    json.octets("opaque_value", receipt.opaqueValue, redact)
    json.octets("sha1_hash", receipt.sha1Hash, redact)
    json.key("in_app")
    json.beginArray()
    for purchase in selection.select(receipt.inApp) { writePurchase(purchase, redact, &repeated, to: &json) }
    json.endArray()
    json.key("attributes")
    writeAttributes(receipt.attributes, redact, &repeated, to: &json)
    json.endObject()
}

func writePurchase(
    _ purchase: InAppPurchase, _ redact: Redactor, _ repeated: inout RepeatedJSON, to json: inout JSONWriter
) {
    json.beginObject()
    json.count("quantity", purchase.quantity, redact)
    json.member("product_id", redact(purchase.productID))
    json.member("transaction_id", redact(purchase.transactionID))
    json.member("original_transaction_id", redact(purchase.originalTransactionID))
    json.date("purchase_date", purchase.purchaseDate)
    json.date("original_purchase_date", purchase.originalPurchaseDate)
    json.date("expires_date", purchase.expiresDate)
    json.date("cancellation_date", purchase.cancellationDate)
    json.count("cancellation_reason", purchase.cancellationReason, redact)
    json.number("web_order_line_item_id", purchase.webOrderLineItemID, redact)
    json.member("is_trial_period", purchase.isTrialPeriod)
    json.member("is_in_intro_offer_period", purchase.isInIntroOfferPeriod)
    json.member("promotional_offer_id", redact(purchase.promotionalOfferID))
    json.member(
        "in_app_ownership_type",
        purchase.inAppOwnershipType.map { $0.name ?? redact(String($0.rawValue), .smallNumber) })
    json.member("product_type", purchase.productType.map { $0.name ?? redact(String($0.rawValue), .smallNumber) })
    json.number("item_id", purchase.itemID, redact)
    json.key("attributes")
    writeAttributes(purchase.attributes, redact, &repeated, to: &json)
    json.endObject()
}

/// Every attribute in the order of the payload, but for the purchases, which `in_app` shows.
private func writeAttributes(
    _ attributes: ReceiptAttributes, _ redact: Redactor, _ repeated: inout RepeatedJSON, to json: inout JSONWriter
) {
    let repeats = !redact.isOn && !json.isPretty
    json.beginArray()
    attributes.visit { type, version, octets in
        guard type != ReceiptAttributeType.inApp.rawValue else { return }
        let encoding = ReceiptAttribute.Encoding(octets, of: type)
        if repeats, repeated.writeAttribute(type, version, encoding, octets, to: &json) { return }
        json.beginObject()
        json.member("type", type)
        json.member("version", version)
        json.key("encoding")
        switch encoding {
        case .utf8String(let text):
            json.string("UTF8String")
            json.key("value")
            json.text(octets.extracting(text), ofAttribute: type, redact)
        case .ia5String(let text):
            json.string("IA5String")
            json.key("value")
            json.text(octets.extracting(text), ofAttribute: type, redact)
        case .integer(let value):
            json.string("INTEGER")
            json.key("value")
            if redact.isOn {
                json.string(redact(String(value), Redactor.form(ofAttribute: type)))
            } else {
                json.integerString(value)
            }
        case .empty:
            json.string("empty")
            json.member("hex", "")
        case .set, .raw:
            json.string("raw")
            json.key("hex")
            if redact.isOn {
                json.string(redact.octets(octets.bytes(octets.indices)))
            } else {
                json.hexString(octets)
            }
        }
        json.endObject()
    }
    json.endArray()
}

/// An iOS 6-style receipt: its purchase-info in verifyReceipt's words, then every key as it stands.
private func writeTransaction(
    _ receipt: TransactionReceipt, _ signed: SignedTransactionReceipt?, _ redact: Redactor, to json: inout JSONWriter
) {
    json.beginObject()
    json.member("bid", redact(receipt.bundleID))
    json.member("bvrs", redact(receipt.applicationVersion, .version))
    json.number("app_item_id", receipt.appItemID, redact)
    json.number("version_external_identifier", receipt.versionExternalIdentifier, redact)
    json.count("quantity", receipt.quantity, redact)
    json.member("product_id", redact(receipt.productID))
    json.number("item_id", receipt.itemID, redact)
    json.member("transaction_id", redact(receipt.transactionID))
    json.member("original_transaction_id", redact(receipt.originalTransactionID))
    json.date("purchase_date", receipt.purchaseDate)
    json.date("original_purchase_date", receipt.originalPurchaseDate)
    json.date("expires_date", receipt.expiresDate)
    json.number("web_order_line_item_id", receipt.webOrderLineItemID, redact)
    json.date("cancellation_date", receipt.cancellationDate)
    json.count("cancellation_reason", receipt.cancellationReason, redact)
    json.member("is_trial_period", receipt.isTrialPeriod)
    json.member("is_in_intro_offer_period", receipt.isInIntroOfferPeriod)
    json.member("unique_identifier", redact(receipt.uniqueIdentifier))
    json.member("unique_vendor_identifier", redact(receipt.uniqueVendorIdentifier))
    json.member("environment", redact(signed?.unsignedEnvelope.environment, .environment))
    json.member("signature_version", signed.map { Int($0.signatureVersion) })
    json.key("entries")
    json.beginArray()
    for entry in receipt.entries {
        json.beginObject()
        json.member("key", redact.key(entry.key))
        json.key("value")
        json.string(redact(entry.value, Redactor.form(ofKey: entry.key)))
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
        json.key("value")
        json.string(redact(field.value, Redactor.form(ofKey: field.name)))
        json.endObject()
    }
    json.endArray()
    json.endObject()
}
