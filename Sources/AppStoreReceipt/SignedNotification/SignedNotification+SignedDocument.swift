extension SignedNotification: SignedDocument {
    public static var kind: DocumentKind { .notification }
    public var unverifiedContent: ServerNotification { signed.model }
    public var signing: DocumentSigning { signed.jws.signing }

    /// The app and the environment are those of the one object that the notification has.
    public var statements: DocumentStatements {
        let model = signed.model
        let token = model.externalPurchaseToken
        // A token states no environment; Apple's documentation says how to tell.
        let tokenEnvironment = token.flatMap(\.externalPurchaseID).map {
            $0.hasPrefix("SANDBOX") ? SignedEnvironment.sandbox : .production
        }
        var statements = DocumentStatements(
            signingDate: model.signedDate,
            model.data?.environment ?? model.summary?.environment ?? model.appData?.environment ?? tokenEnvironment,
            model.data?.bundleID ?? model.summary?.bundleID ?? token?.bundleID ?? model.appData?.bundleID,
            signed.remarks)
        statements.appAppleID =
            model.data?.appAppleID ?? model.summary?.appAppleID ?? token?.appAppleID ?? model.appData?.appAppleID
        // The test that a developer asks for states none.
        statements.hasAppAppleID = model.notificationType != .test
        statements.accountToken = transaction?.statements.accountToken
        return statements
    }

    public var statedPurchases: StatedPurchases { transaction?.statedPurchases ?? StatedPurchases([]) }
    public var statedDevice: StatedDevice {
        transaction?.statedDevice ?? appTransaction?.statedDevice ?? StatedDevice(.none)
    }

    /// What is signed inside, in the order of Apple's fields.
    package var inner: [any SignedDocument] {
        ([transaction, renewalInfo, appTransaction] as [(any SignedDocument)?]).compactMap(\.self)
    }

    /// Where what is signed inside says something else than the notification around it; nil where it agrees.
    package var disagreement: String? {
        let outer = statements
        for document in inner {
            let own = document.statements
            let name = type(of: document).kind.rawValue
            if own.signingDate != outer.signingDate { return "signing date of the \(name)" }
            // In 2021 transactions stated none.
            if let word = own.environmentWord, let expected = outer.environmentWord, word != expected {
                return "environment of the \(name)"
            }
            if !(document is SignedRenewalInfo), own.bundleID != outer.bundleID { return "bundleId of the \(name)" }
            if let number = own.appAppleID, let expected = outer.appAppleID, number != expected {
                return "appAppleId of the \(name)"
            }
        }
        guard let transaction = transaction?.signed.model, let renewal = renewalInfo?.signed.model else { return nil }
        if transaction.originalTransactionID != renewal.originalTransactionID {
            return "originalTransactionId of transaction and renewal info"
        }
        if let first = transaction.appTransactionID, let second = renewal.appTransactionID, first != second {
            return "appTransactionId of transaction and renewal info"
        }
        return nil
    }
}
