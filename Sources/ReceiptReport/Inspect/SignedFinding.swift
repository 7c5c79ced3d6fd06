import AppStoreReceipt
import ReceiptJSON
import ReceiptPKIX

/// App Attest receipts among inputs.
extension Inspection {
    /// An App Attest receipt, if that is what a container holds.
    static func appAttest(_ bytes: [UInt8]) -> Finding? {
        // A probe: what is none is for others to name.
        (try? SignedAppAttestReceipt(decoding: bytes)).map { .signed(.appAttestReceipt($0)) }
    }
}

extension AnySignedDocument {
    /// The certificates that came with it, DER, in its order.
    var certificates: [ArraySlice<UInt8>] {
        switch document.signing.form {
        case .cms(let signedData, let der): signedData.certificates.map { der[$0] }
        case .plain(let signature): signature.certificates
        }
    }

    /// The payload's JSON, with the octets it was read from; nil for what is none.
    var json: (document: JSONDocument, text: [UInt8])? {
        if case .appAttestReceipt = self { return nil }
        let text = Array(document.payload)
        // It has been read before, so that there is no error to lose.
        return (try? JSONDocument(text.span)).map { ($0, text) }
    }

    /// What is signed inside a notification, by the key of the JSON report.
    var inner: [(key: StaticString, document: AnySignedDocument)] {
        guard case .notification(let notification) = self else { return [] }
        var inner: [(key: StaticString, document: AnySignedDocument)] = []
        if let one = notification.transaction { inner.append(("transaction", .transaction(one))) }
        if let one = notification.renewalInfo { inner.append(("renewal_info", .renewalInfo(one))) }
        if let one = notification.appTransaction { inner.append(("app_transaction", .appTransaction(one))) }
        return inner
    }

    var description: String {
        switch self {
        case .appReceipt: "App Store receipt"
        case .transactionReceipt: "iOS 6-style transaction receipt"
        case .transaction: "signed transaction"
        case .renewalInfo: "signed renewal info"
        case .appTransaction: "signed app transaction"
        case .notification: "App Store server notification"
        case .appAttestReceipt: "App Attest receipt"
        }
    }

    /// The numbers of its purchases.
    package var statedTransactions: [String] { purchases.compactMap(\.transactionID) }

    /// The purchases that it states.
    var purchases: [PurchaseFacts] {
        switch self {
        case .transaction(let signed): [PurchaseFacts(signed)]
        case .notification(let signed):
            signed.transaction.map { [PurchaseFacts($0)] } ?? []
        default: []
        }
    }
}

extension PurchaseFacts {
    init(_ signed: SignedTransaction) {
        let transaction = signed.unverifiedTransaction
        stated = signed.stated
        quantity = transaction.quantity
        productID = transaction.productID
        type = transaction.type?.rawValue
        transactionID = transaction.transactionID
        originalTransactionID = transaction.originalTransactionID
        purchaseDate = transaction.purchaseDate
        expiresDate = transaction.expiresDate
        cancellationDate = transaction.revocationDate
        cancellationReason = transaction.revocationReason?.rawValue
        // As in receipts, a free trial is no introductory price. Transactions of before 2024 do not say how an offer is paid.
        isTrialPeriod = transaction.offerDiscountType.map { $0 == .freeTrial }
        if let offer = transaction.offerType {
            isInIntroOfferPeriod = offer == .introductory ? isTrialPeriod.map { !$0 } : false
        }
        promotionalOfferID = transaction.offerIdentifier
        if let ownership = transaction.inAppOwnershipType, ownership != .purchased {
            self.ownership = ownership.rawValue
            isFamilyShared = ownership == .familyShared
        }
    }
}
