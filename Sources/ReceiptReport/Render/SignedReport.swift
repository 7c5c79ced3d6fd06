import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// What signed JSON and App Attest receipts say.
extension Report {
    /// The members `payload`, `transaction` and `renewal_info`.
    func writePayload(_ redact: Redactor, to json: inout JSONWriter) {
        json.key("payload")
        if case .signed(let signed) = inspection.finding {
            if case .appAttestReceipt(let receipt) = signed {
                write(receipt, redact, to: &json)
            } else if let (document, text) = signed.json {
                json.write(document.root, document, text, name: "", redact)
            } else {
                json.null()
            }
        } else {
            json.null()
        }
        for key in ["transaction", "renewal_info", "app_transaction"] as [StaticString] {
            let report = inner.first { "\($0.key)" == "\(key)" }?.report
            if report == nil, "\(key)" == "app_transaction" { continue }
            json.key(key)
            if let report { report.write(to: &json, redact) } else { json.null() }
        }
    }

    private func write(_ signed: SignedAppAttestReceipt, _ redact: Redactor, to json: inout JSONWriter) {
        let receipt = signed.unverifiedReceipt
        json.beginObject()
        json.member("app_id", redact(receipt.appID))
        json.member("receipt_type", redact(receipt.receiptType?.rawValue, .environment))
        json.member("environment", redact(receipt.environment, .environment))
        json.date("creation_time", receipt.creationTime)
        json.member("risk_metric", receipt.riskMetric)
        json.date("not_before", receipt.notBefore)
        json.date("expiration_time", receipt.expirationTime)
        json.member("key_id", redact(receipt.keyIdentifier))
        json.key("attributes")
        json.beginArray()
        for attribute in receipt.attributes {
            json.beginObject()
            json.member("type", attribute.type.rawValue)
            json.member("version", attribute.version)
            let text = String(validating: attribute.rawValue, as: UTF8.self)
            let isText = ![3, 4].contains(attribute.type.rawValue) && text != nil
            json.member("encoding", isText ? "text" : "raw")
            if let text, isText {
                json.member("value", redact(text))
            } else {
                json.member("hex", redact.octets(attribute.rawValue))
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}

extension AppAttestReceipt {
    /// Base64 of SHA-256 of the attested key; nil if there is none that can be read.
    var keyIdentifier: String? {
        guard let point = attestedPublicKey else { return nil }
        // Without a working libcrypto nothing was verified either.
        return (try? digest(point[...]))?.base64
    }
}

extension JSONWriter {
    /// A value as it stands in signed JSON, with its strings escaped anew, so that none reaches a terminal raw.
    fileprivate mutating func write(
        _ value: JSONValue, _ document: JSONDocument, _ text: [UInt8], name: String, _ redact: Redactor
    ) {
        switch value.kind {
        case .object:
            beginObject()
            for member in document.members(of: value) {
                let name = member.name.text(in: text.span)
                key(text: Redactor.isAppleName(name) ? name : redact(name))
                write(member.value, document, text, name: name, redact)
            }
            endObject()
        case .array:
            beginArray()
            for element in document.elements(of: value) { write(element, document, text, name: name, redact) }
            endArray()
        case .string:
            string(redact(value.string(in: text.span) ?? "", Redactor.form(ofMember: name)))
        case .number:
            let digits = String(decoding: text[value.range], as: UTF8.self)
            let shown = redact(digits, Redactor.form(ofMember: name))
            if shown == digits { verbatim(Array(digits.utf8)) } else { string(shown) }
        case .true, .false: bool(value.kind == .true)
        case .null, .name: null()
        }
    }
}

extension Redactor {
    /// How the value of a member of signed JSON may look to be shown.
    static func form(ofMember name: String) -> Form {
        switch name {
        case "environment", "receiptType": .environment
        case "applicationVersion", "originalApplicationVersion", "bundleVersion", "version": .version
        case _ where name.hasSuffix("Date"): .date
        case "quantity", "autoRenewStatus", "status", "offerType", "revocationReason", "expirationIntent",
            "priceIncreaseStatus":
            .smallNumber
        case "type", "inAppOwnershipType", "transactionReason", "notificationType", "subtype", "offerDiscountType",
            "originalPlatform", "consumptionRequestReason", "billingPlanType", "renewalBillingPlanType",
            "revocationType":
            .word
        default: .identifier
        }
    }

    /// Whether a name is a word of letters, as all of Apple's members are.
    static func isAppleName(_ name: String) -> Bool {
        name.utf8.count <= 40
            && name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }
}

extension TextReport {
    /// The members of signed JSON by their paths, or the fields of an App Attest receipt; then what is signed inside.
    mutating func appendSigned(_ signed: AnySignedDocument) {
        page.heading("Payload")
        page.pairs(shown(signed))
        for (key, document) in signed.inner {
            let verdict = report.inner.first { "\($0.key)" == "\(key)" }?.report
            page.heading("Inside: \(document.description), \(verdict?.reason ?? verdict?.verdict.rawValue ?? "")")
            page.pairs(shown(document))
        }
    }

    private func shown(_ signed: AnySignedDocument) -> [(name: String, value: String)] {
        signed.pairs(redact).map { (escapedForTerminal($0.name), escapedForTerminal($0.value)) }
    }
}

extension AnySignedDocument {
    /// What it says, as names and values in its order: paths of members, or an App Attest receipt's fields.
    func pairs(_ redact: Redactor) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        if case .appAttestReceipt(let attest) = self {
            let receipt = attest.unverifiedReceipt
            func add(_ name: String, _ value: String?) {
                if let value { pairs.append((name, value)) }
            }
            add("app_id", redact(receipt.appID))
            add("receipt_type", redact(receipt.receiptType?.rawValue, .environment))
            add("environment", redact(receipt.environment, .environment))
            add("creation_time", receipt.creationTime?.description)
            add("risk_metric", receipt.riskMetric.map { "\($0)" })
            add("not_before", receipt.notBefore?.description)
            add("expiration_time", receipt.expirationTime?.description)
            add("key_id", redact(receipt.keyIdentifier))
        } else if let (document, text) = json {
            collect(document.root, document, text, path: "", name: "", redact, into: &pairs)
        }
        return pairs
    }

    private func collect(
        _ value: JSONValue, _ document: JSONDocument, _ text: [UInt8], path: String, name: String, _ redact: Redactor,
        into pairs: inout [(name: String, value: String)]
    ) {
        switch value.kind {
        case .object:
            for member in document.members(of: value) {
                let name = member.name.text(in: text.span)
                let shown = Redactor.isAppleName(name) ? name : redact(name)
                collect(
                    member.value, document, text, path: path.isEmpty ? shown : "\(path).\(shown)", name: name, redact,
                    into: &pairs)
            }
        case .array:
            for (index, element) in document.elements(of: value).enumerated() {
                collect(element, document, text, path: "\(path)[\(index)]", name: name, redact, into: &pairs)
            }
        case .string, .number:
            // What is signed inside is shown by itself, and not as the text that carries it.
            guard !name.hasPrefix("signed") || name.hasSuffix("Date") else { return }
            let raw = value.string(in: text.span) ?? String(decoding: text[value.range], as: UTF8.self)
            let date =
                name.hasSuffix("Date")
                ? value.roundedDown(in: text.span).map { ReceiptDate(millisecondsSince1970: $0).description } : nil
            pairs.append((path, date ?? redact(raw, Redactor.form(ofMember: name))))
        case .true, .false: pairs.append((path, value.kind == .true ? "true" : "false"))
        case .null, .name: pairs.append((path, "null"))
        }
    }
}
