extension SignedJSON {
    /// The chain stands in the header; the payload's signature beside it.
    var signing: DocumentSigning {
        DocumentSigning(
            PlainSignature(signature[...], .es256, over: signingInput[...], certificates: certificates.map { $0[...] }))
    }
}

extension SignedEnvironment {
    /// The environment of a policy that the word stands for; nil for any other, `LocalTesting` included.
    var environment: ReceiptEnvironment? {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        case .xcode: .xcode
        default: nil
        }
    }
}

extension DocumentStatements {
    init(
        signingDate: ReceiptDate?, _ environment: SignedEnvironment?, _ bundleID: String?, _ remarks: PayloadRemarks
    ) {
        self.init(signingDate: signingDate)
        self.environment = environment?.environment
        environmentWord = environment?.rawValue
        self.bundleID = bundleID
        unreadable = remarks.unreadableMembers.map(\.name)
    }
}

extension StatedDevice {
    init(_ verification: String?, nonce: String?) {
        if let verification, let nonce {
            self.init(.sha384(verification, nonce: nonce))
        } else {
            self.init(.none)
        }
    }
}

extension SignedTransaction: SignedDocument {
    public static var kind: DocumentKind { .signedTransaction }
    public var unverifiedContent: Transaction { signed.model }
    public var signing: DocumentSigning { signed.jws.signing }

    public var statements: DocumentStatements {
        let model = signed.model
        var statements = DocumentStatements(
            signingDate: model.signedDate, model.environment, model.bundleID, signed.remarks)
        statements.accountToken = model.appAccountToken
        return statements
    }

    public var statedPurchases: StatedPurchases { StatedPurchases([stated]) }

    package var stated: StatedPurchases.Purchase {
        let model = signed.model
        // What a higher subscription took the place of gives nothing any more.
        let end = model.isUpgraded == true ? model.revocationDate ?? model.purchaseDate : model.revocationDate
        var stated = StatedPurchases.Purchase(
            productID: model.productID, transactionID: model.transactionID, cancellationDate: end,
            expiresDate: model.expiresDate)
        let ends: Set<String> = ["expiresDate", "isUpgraded", "revocationDate"]
        stated.hasUnreadableEnd = signed.remarks.unreadableMembers.contains { ends.contains($0.name) }
        return stated
    }

    public var statedDevice: StatedDevice {
        StatedDevice(signed.model.deviceVerification, nonce: signed.model.deviceVerificationNonce)
    }
}

extension SignedAppTransaction: SignedDocument {
    public static var kind: DocumentKind { .signedAppTransaction }
    public var unverifiedContent: AppTransaction { signed.model }
    public var signing: DocumentSigning { signed.jws.signing }

    public var statements: DocumentStatements {
        let model = signed.model
        var statements = DocumentStatements(
            signingDate: model.receiptCreationDate, model.receiptType, model.bundleID, signed.remarks)
        statements.applicationVersion = model.applicationVersion
        statements.appAppleID = model.appAppleID
        statements.hasAppAppleID = true
        return statements
    }

    public var statedDevice: StatedDevice {
        StatedDevice(signed.model.deviceVerification, nonce: signed.model.deviceVerificationNonce)
    }
}

extension SignedRenewalInfo: SignedDocument {
    public static var kind: DocumentKind { .signedRenewalInfo }
    public var unverifiedContent: UnboundRenewalInfo { UnboundRenewalInfo(renewalInfo: signed.model) }
    public var signing: DocumentSigning { signed.jws.signing }

    public var statements: DocumentStatements {
        let model = signed.model
        var statements = DocumentStatements(signingDate: model.signedDate, model.environment, nil, signed.remarks)
        statements.accountToken = model.appAccountToken
        return statements
    }

    public var statedDevice: StatedDevice {
        StatedDevice(signed.model.deviceVerification, nonce: signed.model.deviceVerificationNonce)
    }
}

/// A renewal info by itself, which no signature binds to an app: it has no bundle identifier.
///
/// Anybody can present one of another app. It says something only beside a transaction of this app with the same original
/// identifier; a validated notification has both.
public struct UnboundRenewalInfo: Hashable, Sendable {
    let renewalInfo: RenewalInfo

    /// What it says, if it belongs to a transaction; take one of the right app that was validated. Nil if it is of another.
    public func renewalInfo(of transaction: Transaction) -> RenewalInfo? {
        guard let original = renewalInfo.originalTransactionID, original == transaction.originalTransactionID else {
            return nil
        }
        // In 2021 transactions stated none.
        if let one = renewalInfo.environment, let other = transaction.environment, one != other { return nil }
        return renewalInfo
    }

    /// What it says, of whatever app. Grant nothing because of it.
    public var renewalInfoOfAnyApp: RenewalInfo { renewalInfo }
}
