package import AppStoreReceipt

/// What the validation of a kind differs in: its signer, and the words in which it is spoken of. A new kind is a row here.
extension DocumentKind {
    package var profile: SignerProfile {
        switch self {
        case .signedTransaction, .signedRenewalInfo, .signedAppTransaction, .notification: .jws
        case .appAttestReceipt: .appAttest
        default: .appReceipt
        }
    }

    /// Whether its documents carry the certificate of their signer only, so that intermediates must be known beforehand.
    var carriesNoIntermediate: Bool { self == .transactionReceipt }

    var words: KindWords {
        switch self {
        case .transactionReceipt: .transactionReceipt
        case .signedTransaction: .signedTransaction
        case .signedRenewalInfo: .signedRenewalInfo
        case .signedAppTransaction: .signedAppTransaction
        case .notification: .notification
        case .appAttestReceipt: .appAttestReceipt
        default: .receipt
        }
    }
}

/// The words of rejections and checks for a kind.
struct KindWords: Sendable {
    /// "the receipt".
    let document: String
    /// "a transaction receipt".
    let kind: String
    let date: String
    /// "when the receipt was created".
    let moment: String
    let missingDate: Rejection.Reason
    /// What is signed: "content".
    let signed: String
    /// Where every expected purchase is.
    let purchases: String
    /// How a device is found in it.
    let device: String

    static let receipt = KindWords(
        document: "receipt", kind: "an app receipt", date: "creation date", moment: "when the receipt was created",
        missingDate: .creationDateMissing, signed: "content", purchases: "among the purchases",
        device: "the hash fits device")
    static let transactionReceipt = KindWords(
        document: "receipt", kind: "a transaction receipt", date: "purchase date", moment: "when the purchase was made",
        missingDate: .purchaseDateMissing, signed: "purchase-info", purchases: "that of the purchase",
        device: "the receipt names device")
    static let signedTransaction = jws("transaction", "a transaction")
    static let signedRenewalInfo = jws("renewal info", "a renewal info")
    static let notification = jws("notification", "a notification")
    static let signedAppTransaction = KindWords(
        document: "app transaction", kind: "an app transaction", date: "creation date",
        moment: "when the app transaction was created", missingDate: .creationDateMissing, signed: "payload",
        purchases: "among the purchases", device: "the hash fits device")
    static let appAttestReceipt = KindWords(
        document: "receipt", kind: "an App Attest receipt", date: "creation time",
        moment: "when the receipt was created", missingDate: .creationDateMissing, signed: "content",
        purchases: "among the purchases", device: "the receipt names device")

    private static func jws(_ document: String, _ kind: String) -> KindWords {
        KindWords(
            document: document, kind: kind, date: "signing date", moment: "when the \(document) was signed",
            missingDate: .signingDateMissing, signed: "payload", purchases: "that of the \(document)",
            device: "the device verification fits device")
    }
}
