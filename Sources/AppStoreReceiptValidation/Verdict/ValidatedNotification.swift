public import AppStoreReceipt

/// What is signed inside a notification, which was validated with it: there is no other way to it.
extension Validated where Document == SignedNotification {
    /// What Apple, or whoever the policy trusts, signed.
    public var notification: ServerNotification { signed.unverifiedNotification }

    /// The transaction, validated.
    public var transaction: Validated<SignedTransaction>? { signed.transaction.map(inner) }

    /// The renewal info, validated. It agrees with the `transaction` beside it, if there is one.
    public var renewalInfo: Validated<SignedRenewalInfo>? { signed.renewalInfo.map(inner) }

    /// The app transaction, validated.
    public var appTransaction: Validated<SignedAppTransaction>? { signed.appTransaction.map(inner) }

    /// Signed at the same instant as the notification, which was checked, and under the same policy.
    private func inner<Inner: SignedDocument>(_ document: Inner) -> Validated<Inner> {
        Validated<Inner>(
            document, matchedDeviceIdentifier: nil, validationTime: validationTime, usesSHA1: usesSHA1,
            usesPurchaseReceiptCertificate: false)
    }
}

extension Validated where Document == SignedTransaction {
    public var transaction: Transaction { content }
}

extension Validated where Document == SignedAppTransaction {
    public var appTransaction: AppTransaction { content }
}

extension Validated where Document == SignedAppAttestReceipt {
    public var receipt: AppAttestReceipt { content }
}

extension SignedAppAttestReceipt {
    /// The identifier of the attested key: base64 of SHA-256 of its uncompressed point; nil if the key cannot be read.
    public var unverifiedKeyIdentifier: String? {
        get throws(LibcryptoError) {
            guard let point = unverifiedReceipt.attestedPublicKey else { return nil }
            return try Libcrypto.shared().digest(.sha256, point.span).base64
        }
    }
}
