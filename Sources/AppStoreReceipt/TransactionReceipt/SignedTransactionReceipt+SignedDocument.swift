extension SignedTransactionReceipt: SignedDocument {
    public static var kind: DocumentKind { .transactionReceipt }

    public var unverifiedContent: TransactionReceipt { unverifiedReceipt }

    public var signing: DocumentSigning {
        // The decoder knows versions 2, 3 and 4 only.
        let algorithm: PlainSignature.Algorithm = signature.version == 4 ? .rsaWithSHA256 : .rsaWithSHA1
        return DocumentSigning(
            PlainSignature(
                signature.signature[...], algorithm, over: signedBytes[...],
                certificates: [signature.certificate[...]]), limits: limits)
    }

    public var statements: DocumentStatements {
        let receipt = unverifiedReceipt
        var statements = DocumentStatements(signingDate: receipt.purchaseDate)
        statements.environment = unsignedEnvironment
        statements.environmentWord = unsignedEnvelope.environment
        statements.environmentProof = receipt.isNumberedInSandbox ? .signedNumberOfSandbox : .none
        statements.bundleID = receipt.bundleID
        statements.applicationVersion = receipt.applicationVersion
        return statements
    }

    public var statedPurchases: StatedPurchases { StatedPurchases([unverifiedReceipt.stated]) }

    public var statedDevice: StatedDevice {
        let own = [unverifiedReceipt.uniqueVendorIdentifier, unverifiedReceipt.uniqueIdentifier].compactMap(\.self)
        return StatedDevice(own.isEmpty ? .none : .identifiers(own))
    }
}
