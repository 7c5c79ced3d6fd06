public import AppStoreReceipt

/// A document that passed every check of a policy. Only a ``ReceiptValidator`` makes one.
///
/// Code that grants something should take this type, so that it cannot be handed an unchecked document.
///
/// What it does not say: whether a purchase was refunded, renewed or used up after the document was signed, or whether
/// the same was presented before. Compare transaction identifiers, or the payload's digest, with those already seen.
public struct Validated<Document: SignedDocument>: Sendable {
    /// What Apple, or whoever the policy trusts, signed.
    public var content: Document.Content { signed.unverifiedContent }
    /// Which of the policy's device identifiers fitted; nil when it has none.
    public let matchedDeviceIdentifier: DeviceIdentifier?
    /// The time at which the certificates were found valid.
    public let validationTime: ReceiptDate
    /// Whether a signature that was relied on is made with SHA-1.
    public let usesSHA1: Bool
    /// Whether a purchase receipt certificate of 2009 to 2016 signed, which the policy accepts expressly. Of transaction
    /// receipts only.
    public let usesPurchaseReceiptCertificate: Bool

    @usableFromInline let signed: Document

    init(
        _ signed: Document, matchedDeviceIdentifier: DeviceIdentifier?, validationTime: ReceiptDate, usesSHA1: Bool,
        usesPurchaseReceiptCertificate: Bool
    ) {
        self.signed = signed
        self.matchedDeviceIdentifier = matchedDeviceIdentifier
        self.validationTime = validationTime
        self.usesSHA1 = usesSHA1
        self.usesPurchaseReceiptCertificate = usesPurchaseReceiptCertificate
    }

    /// SHA-256 of the signed payload: identifies the document, whatever was done to what is around it.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try signed.payloadSHA256 }
    }
}

extension Validated where Document == SignedReceipt {
    /// What Apple, or whoever the policy trusts, signed.
    @inlinable
    public var receipt: Receipt { signed.unverifiedReceipt }
    /// Where it comes from; nil only when the policy asks for no environment.
    public var environment: ReceiptEnvironment? { signed.unverifiedReceipt.environment }
}

extension Validated where Document == SignedTransactionReceipt {
    /// What Apple, or whoever the policy trusts, signed.
    public var receipt: TransactionReceipt { signed.unverifiedReceipt }
    /// What stands around it, which **nobody signed**, the environment included.
    public var unsignedEnvelope: SignedTransactionReceipt.Envelope { signed.unsignedEnvelope }
}

extension SignedDocument {
    /// SHA-256 of the payload.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try Libcrypto.shared().digest(.sha256, payload.span) }
    }
}
