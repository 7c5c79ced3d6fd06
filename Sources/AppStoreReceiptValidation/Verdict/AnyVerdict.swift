public import AppStoreReceipt

/// A verdict on a document of any kind.
public enum AnyVerdict: Sendable {
    case valid(AnyValidated)
    case rejected(Rejection)

    /// The rejection, if rejected.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}

/// A document of any kind that passed every check of a policy. Only a ``ReceiptValidator`` makes one.
public enum AnyValidated: Sendable {
    case appReceipt(Validated<SignedReceipt>)
    case transactionReceipt(Validated<SignedTransactionReceipt>)
    case transaction(Validated<SignedTransaction>)
    case renewalInfo(Validated<SignedRenewalInfo>)
    case appTransaction(Validated<SignedAppTransaction>)
    case notification(Validated<SignedNotification>)
    case appAttestReceipt(Validated<SignedAppAttestReceipt>)
}

extension ReceiptValidator {
    /// Checks a document of any kind up to the first failure; see the same function for one kind.
    public func validate(
        _ document: AnySignedDocument, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> AnyVerdict {
        func verdict<Document: SignedDocument>(
            _ document: Document, _ valid: (Validated<Document>) -> AnyValidated
        ) throws(LibcryptoError) -> AnyVerdict {
            switch try validate(document, asOf: date) {
            case .valid(let document): .valid(valid(document))
            case .rejected(let rejection): .rejected(rejection)
            }
        }
        return switch document {
        case .appReceipt(let document): try verdict(document, AnyValidated.appReceipt)
        case .transactionReceipt(let document): try verdict(document, AnyValidated.transactionReceipt)
        case .transaction(let document): try verdict(document, AnyValidated.transaction)
        case .renewalInfo(let document): try verdict(document, AnyValidated.renewalInfo)
        case .appTransaction(let document): try verdict(document, AnyValidated.appTransaction)
        case .notification(let document): try verdict(document, AnyValidated.notification)
        case .appAttestReceipt(let document): try verdict(document, AnyValidated.appAttestReceipt)
        }
    }
}
