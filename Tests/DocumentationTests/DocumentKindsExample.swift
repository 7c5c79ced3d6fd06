// README: every kind that a server is sent
import AppStoreReceipt
import AppStoreReceiptValidation

/// What an app may send to prove a purchase, in one call: the kind is found out, and others are refused by name.
func purchase(_ text: String, validator: ReceiptValidator, now: ReceiptDate) throws -> String {
    let document = try AnySignedDocument(transport: text, accepting: [.appReceipt, .signedTransaction])
    switch try validator.validate(document, asOf: now) {
    case .rejected(let rejection): return "refused: \(rejection.reason)"
    case .valid(.appReceipt(let validated)): return "a receipt with \(validated.receipt.inApp.count) purchases"
    case .valid(.transaction(let validated)): return "transaction \(validated.transaction.transactionID ?? "?")"
    case .valid: return "refused: not what was asked for"
    }
}

/// A notification of the App Store Server Notifications V2: the request's body, as it came.
func notification(body: String, validator: ReceiptValidator) throws -> String {
    let document = try AnySignedDocument(transport: body, accepting: [.notification])
    switch try validator.validate(document) {
    case .valid(.notification(let validated)):
        // What is inside was validated with it, and agrees with it.
        let transaction = validated.transaction?.transaction
        return "\(validated.notification.notificationType?.rawValue ?? "?") \(transaction?.transactionID ?? "")"
    case .valid: return "refused"
    case .rejected(let rejection): return "refused: \(rejection.reason)"
    }
}
// README: end
