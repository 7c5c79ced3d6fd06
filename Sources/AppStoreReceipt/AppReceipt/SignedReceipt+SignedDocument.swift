extension SignedReceipt: SignedDocument {
    public static var kind: DocumentKind { .appReceipt }

    public var unverifiedContent: Receipt { unverifiedReceipt }

    public var signing: DocumentSigning { DocumentSigning(signedData, der: der, limits: storage.limits) }

    public var statements: DocumentStatements {
        // Of the receipt in its place: a copy of it would count a reference for each of its properties.
        var statements = DocumentStatements(signingDate: storage.receipt.receiptCreationDate)
        statements.environment = storage.receipt.environment
        statements.environmentWord = storage.receipt.receiptType
        statements.bundleID = storage.receipt.bundleID
        statements.applicationVersion = storage.receipt.applicationVersion
        statements.expiration = storage.receipt.expirationDate
        statements.unreadableAttributes = storage.receipt.unreadableAttributes
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
