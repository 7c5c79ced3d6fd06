internal import ReceiptJSON

/// The kinds of signed JSON, told apart by the members that each of them has and no other.
public enum SignedJSONKind: String, Hashable, Sendable, CaseIterable {
    /// `JWSTransaction`: `transactionId` and `purchaseDate`.
    case transaction = "signed-transaction"
    /// `JWSRenewalInfo`: `autoRenewStatus`.
    case renewalInfo = "signed-renewal-info"
    /// `AppTransaction`'s JWS: `receiptType`.
    case appTransaction = "signed-app-transaction"
    /// The `signedPayload` of App Store Server Notifications V2: `notificationType`.
    case notification
    /// The `signedPayload` of a Retention Messaging request: `requestIdentifier` and `userLocale`. Recognised only.
    case realTimeRequest = "real-time-request"

    var name: String {
        switch self {
        case .transaction: "a signed transaction"
        case .renewalInfo: "a signed renewal info"
        case .appTransaction: "a signed app transaction"
        case .notification: "an App Store server notification"
        case .realTimeRequest: "a real-time request of Retention Messaging"
        }
    }

    /// Whether a payload has the members of this kind.
    func matches(_ document: JSONDocument, _ text: Span<UInt8>) -> Bool {
        func has(_ name: StaticString) -> Bool { document.member(name, of: document.root, in: text) != nil }
        return switch self {
        case .transaction: has("transactionId") && has("purchaseDate")
        case .renewalInfo: has("autoRenewStatus")
        case .appTransaction: has("receiptType")
        case .notification: has("notificationType")
        case .realTimeRequest: has("requestIdentifier") && has("userLocale")
        }
    }
}

extension SignedJSON {
    /// The kind of the payload; nil if it is of none, or of more than one.
    func kind(_ document: JSONDocument) -> SignedJSONKind? {
        let kinds = SignedJSONKind.allCases.filter { $0.matches(document, payload.span) }
        return kinds.count == 1 ? kinds.first : nil
    }

    /// The payload as JSON, which must be one object.
    func document() throws(ReceiptDecodingError) -> JSONDocument {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(payload.span)
        } catch {
            throw ReceiptDecodingError(error, inSegmentAt: payloadStart, "JWS payload")
        }
        guard document.root.kind == .object else {
            throw ReceiptDecodingError(
                .jsonNotAnObject, at: payloadStart, in: "JWS payload", detail: "it is \(document.root.kind.name)")
        }
        return document
    }

    /// A reader of the payload, if it is of the kind that is wanted.
    func payload(as wanted: SignedJSONKind) throws(ReceiptDecodingError) -> PayloadReader {
        let document = try document()
        guard wanted.matches(document, payload.span) else { throw wrongKind(kind(document), wanted: wanted.name) }
        return PayloadReader(payload, document)
    }

    func wrongKind(_ found: SignedJSONKind?, wanted: String) -> ReceiptDecodingError {
        if found == nil, certificates.contains(where: { $0.span.contains("Huawei") }) {
            return ReceiptDecodingError(
                .huaweiJWS, at: payloadStart, in: "JWS payload", detail: "Huawei signed this, not Apple")
        }
        return ReceiptDecodingError(
            .wrongKind, at: payloadStart, in: "JWS payload",
            detail: "\(found?.name ?? "JSON of no known kind"), where \(wanted) is wanted")
    }
}

extension Span<UInt8> {
    fileprivate func contains(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count >= length else { return false }
        // The literal's own bytes, inside its length.
        return (0...count - length).contains { start in
            (0..<length).allSatisfy { self[start + $0] == (unsafe word.utf8Start[$0]) }
        }
    }
}
