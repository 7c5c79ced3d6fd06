internal import ReceiptPKIX

extension SignedAppAttestReceipt: SignedDocument {
    public static var kind: DocumentKind { .appAttestReceipt }
    public var unverifiedContent: AppAttestReceipt { unverifiedReceipt }
    public var signing: DocumentSigning { DocumentSigning(signedData, der: der) }

    public var statements: DocumentStatements {
        let receipt = unverifiedReceipt
        var statements = DocumentStatements(signingDate: receipt.creationTime)
        statements.environmentWord = receipt.environment
        statements.environment = receipt.environment.flatMap { $0 == "xcode" ? nil : ReceiptEnvironment(rawValue: $0) }
        statements.bundleID = receipt.bundleID
        statements.unreadable = receipt.unreadableAttributes.map { "\($0.rawValue)" }
        statements.attestation = DocumentStatements.Attestation(
            appID: receipt.appID, receiptType: receipt.receiptType, point: receipt.attestedPublicKey)
        return statements
    }
}

extension AppAttestReceipt {
    /// The attested key: the uncompressed point of the key of ``attestedCertificate``; nil if it cannot be read.
    public var attestedPublicKey: [UInt8]? {
        // What cannot be read names no key.
        guard let bytes = attestedCertificate,
            let certificate = try? bytes.span.readCertificate(0..<bytes.count, limits: .default),
            case .ellipticCurve(.p256, let point) = certificate.publicKey, point.count == 65
        else { return nil }
        return Array(bytes[point])
    }
}
