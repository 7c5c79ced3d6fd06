public import AppStoreReceipt
internal import ReceiptPKIX

/// A receipt that passed every check of a policy. Only a ``ReceiptValidator`` makes one.
///
/// Code that grants something should take this type, so that it cannot be handed an unchecked receipt.
///
/// What it does not say: whether a purchase was refunded, renewed or used up after the receipt was created, or
/// whether the same receipt was presented before. Compare transaction identifiers, or the payload's digest, with
/// those already seen.
public struct ValidatedReceipt: Sendable {
    /// What Apple, or whoever the policy trusts, signed.
    @inlinable
    public var receipt: Receipt { signed.unverifiedReceipt }
    /// Where it comes from; nil only when the policy asks for no environment.
    public var environment: ReceiptEnvironment? { signed.unverifiedReceipt.environment }
    /// Which of the policy's device identifiers fitted; nil when it has none.
    public let matchedDeviceIdentifier: DeviceIdentifier?
    /// The time at which the certificates were found valid.
    public let validationTime: ReceiptDate
    /// Whether a signature that was relied on is made with SHA-1.
    public let usesSHA1: Bool

    @usableFromInline let signed: SignedReceipt

    init(
        _ signed: SignedReceipt, matchedDeviceIdentifier: DeviceIdentifier?, validationTime: ReceiptDate, usesSHA1: Bool
    ) {
        self.signed = signed
        self.matchedDeviceIdentifier = matchedDeviceIdentifier
        self.validationTime = validationTime
        self.usesSHA1 = usesSHA1
    }

    /// SHA-256 of the signed payload: identifies the receipt, whatever was done to its container.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try signed.payloadSHA256 }
    }
}

extension SignedReceipt {
    /// SHA-256 of the payload.
    public var payloadSHA256: [UInt8] {
        get throws(LibcryptoError) { try Libcrypto.shared().digest(.sha256, payload.span) }
    }
}

/// A verdict: there is no third way, and the receipt is to be had only from a valid one.
public enum Verdict: Sendable {
    case valid(ValidatedReceipt)
    case rejected(Rejection)

    /// The receipt, if valid.
    public var validated: ValidatedReceipt? {
        if case .valid(let receipt) = self { receipt } else { nil }
    }

    /// The rejection, if rejected.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}
