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

    /// Octets as hexadecimal digits.
    mutating func octets(_ name: StaticString, _ value: [UInt8]?, _ redact: Redactor) {
        key(name)
        guard let value else { return null() }
        if redact.isOn { string(redact.octets(value)) } else { hexString(value.span) }
    }

    /// A number that identifies something, as a string; 0 identifies nothing.
    mutating func number(_ name: StaticString, _ value: Int64?, _ redact: Redactor) {
        if redact.isOn { member(name, redact.number(value)) } else { memberString(name, value) }
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

    /// A certificate, as it was written for other reports before where that is the same.
    mutating func write(_ certificate: ListedCertificate, _ redact: Redactor) {
        if redact.isOn || isPretty { write(certificate.content, redact) } else { verbatim(certificate.json) }
    }

    /// A text of an attribute, which was found to be UTF-8.
    mutating func text(_ text: Span<UInt8>, ofAttribute type: Int, _ redact: Redactor) {
        guard !redact.isOn else {
            let text = String(decoding: text.bytes(text.indices), as: UTF8.self)
            return string(redact(text, Redactor.form(ofAttribute: type)))
        }
        string(text)
    }

    /// A sentence, without making one string of its parts.
    mutating func string(_ sentence: Sentence) {
        beginString()
        sentence.visitParts { part in
            switch part {
            case .words(let words): append(words)
            case .value(let value):
                if case .text(let text) = value.content, appendIfPlain(text) { return }
                append(value.shown)
            }
        }
        endString()
    }

    mutating func write(_ certificate: ListedCertificate.Content, _ redact: Redactor) {
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

extension Report {
    /// The message, as a string.
    func writeMessage(_ redact: Redactor, to json: inout JSONWriter) {
        if let rejection, !redact.isOn {
            json.string(rejection.sentence)
        } else {
            json.string(redact.message(of: self))
        }
    }
}
