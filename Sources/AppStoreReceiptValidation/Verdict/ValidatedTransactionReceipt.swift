public import AppStoreReceipt

/// A transaction receipt that passed every check of a policy. Only a ``ReceiptValidator`` makes one.
///
/// What it does not say: whether the purchase was refunded or renewed after the receipt was made, whether a subscription
/// still runs (``AppStoreReceipt/TransactionReceipt/hasExpired(at:)``), or whether the same receipt was presented before.
/// Compare transaction identifiers with those already seen.
public struct ValidatedTransactionReceipt: Sendable {
    /// What Apple, or whoever the policy trusts, signed.
    public let receipt: TransactionReceipt
    /// What stands around it, which **nobody signed**, the environment included.
    public let unsignedEnvelope: SignedTransactionReceipt.Envelope
    /// Which of the policy's device identifiers fitted; nil when it has none.
    public let matchedDeviceIdentifier: DeviceIdentifier?
    /// The time at which the certificates were found valid.
    public let validationTime: ReceiptDate
    /// Whether a signature that was relied on is made with SHA-1.
    public let usesSHA1: Bool
    /// Whether a purchase receipt certificate of 2009 to 2016 signed, which the policy accepts expressly.
    public let usesPurchaseReceiptCertificate: Bool

    private let signed: SignedTransactionReceipt

    init(
        _ signed: SignedTransactionReceipt, matchedDeviceIdentifier: DeviceIdentifier?, validationTime: ReceiptDate,
        usesSHA1: Bool, usesPurchaseReceiptCertificate: Bool
    ) {
        self.signed = signed
        receipt = signed.unverifiedReceipt
        unsignedEnvelope = signed.unsignedEnvelope
        self.matchedDeviceIdentifier = matchedDeviceIdentifier
        self.validationTime = validationTime
        self.usesSHA1 = usesSHA1
        self.usesPurchaseReceiptCertificate = usesPurchaseReceiptCertificate
    }

    /// SHA-256 of the signed purchase-info: identifies the receipt, whatever was done to the text around it.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try signed.payloadSHA256 }
    }
}

extension SignedTransactionReceipt {
    /// SHA-256 of the purchase-info.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try Libcrypto.shared().digest(.sha256, payload.span) }
    }

    /// The signer's certificate, for showing; nil if it cannot be decoded. The receipt carries no other.
    public var certificateSummary: CertificateSummary? {
        get throws(LibcryptoError) {
            // For showing only; validation says by itself what is wrong with the certificate.
            guard let certificate = try? DecodedCertificate(signature.certificate, limits: .default) else { return nil }
            return try CertificateSummary(certificate, try Libcrypto.shared(), isSigner: true)
        }
    }
}

/// A verdict on a transaction receipt: there is no third way, and the receipt is to be had only from a valid one.
public enum TransactionReceiptVerdict: Sendable {
    case valid(ValidatedTransactionReceipt)
    case rejected(Rejection)

    /// The receipt, if valid.
    public var validated: ValidatedTransactionReceipt? {
        if case .valid(let receipt) = self { receipt } else { nil }
    }

    /// The rejection, if rejected.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}

/// A verdict on a transaction receipt with everything that led to it.
public struct TransactionReceiptExamination: Sendable {
    public let verdict: TransactionReceiptVerdict
    /// The checks in the order in which they are made.
    public let checks: [Check]
    /// The signer's certificate, if it can be decoded.
    public let certificates: [CertificateSummary]
}
