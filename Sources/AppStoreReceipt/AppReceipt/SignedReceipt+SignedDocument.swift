extension SignedReceipt: SignedDocument {
    public static var kind: DocumentKind { .appReceipt }

    public var unverifiedContent: Receipt { unverifiedReceipt }

    public var signing: DocumentSigning { DocumentSigning(signedData, der: der, limits: storage.limits) }

    public var statements: DocumentStatements {
        let receipt = storage.receipt
        var statements = DocumentStatements(signingDate: receipt.receiptCreationDate)
        statements.environment = receipt.environment
        statements.environmentWord = receipt.receiptType
        statements.bundleID = receipt.bundleID
        statements.applicationVersion = receipt.applicationVersion
        statements.expiration = receipt.expirationDate
        statements.unreadableAttributes = receipt.unreadableAttributes
        return statements
    }

    public var statedPurchases: StatedPurchases {
        StatedPurchases(storage.receipt.inApp.map(\.stated))
    }

    /// Apple's guide: the hash is that of the identifier, the opaque value, and the bundle identifier's octets as encoded.
    public var statedDevice: StatedDevice {
        let receipt = storage.receipt
        guard let hash = receipt.sha1Hash, let opaque = receipt.opaqueValue,
            let bundle = receipt.attributes.first(.bundleID)
        else { return StatedDevice(.none) }
        return StatedDevice(.sha1(hash, suffix: opaque + bundle.rawValue))
    }
}
