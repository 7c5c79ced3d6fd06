package import ReceiptPKIX

/// An App Attest receipt as Apple signed it, taken apart but **not verified**.
///
/// Decoding shows that the bytes are well-formed, not that Apple wrote them. Hand the value to a `ReceiptValidator` and
/// use what comes back. It is neither the attestation object, which carries one, nor an assertion of the device's key.
public struct SignedAppAttestReceipt: Sendable {
    /// What it claims. Fit for logging, not for granting anything.
    public let unverifiedReceipt: AppAttestReceipt

    package let der: [UInt8]
    package let signedData: SignedData

    /// The signed payload: the octets that were digested.
    public var payload: ArraySlice<UInt8> { der[signedData.content] }

    /// Decodes a receipt from the bytes of its PKCS#7 container, DER or BER.
    ///
    /// - Throws: ``ReceiptDecodingError``, whose offset is into `bytes`; ``ReceiptDecodingError/Code/notAReceipt`` for an
    ///   App Store receipt, whose values are DER and not bare.
    public init(decoding bytes: [UInt8], limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
        var der = bytes
        let signedData = try SignedData.decode(&der, limits: limits)
        do throws(ReceiptDecodingError) {
            guard signedData.contentType == .data else {
                throw ReceiptDecodingError(
                    .notAReceipt, at: signedData.content.lowerBound, in: "EncapsulatedContentInfo.eContentType",
                    detail: "content type \(signedData.contentType)")
            }
            unverifiedReceipt = try der.span.readAppAttestReceipt(signedData.content, of: der, limits)
        } catch {
            guard der != bytes else { throw error }
            var error = error
            error.offset = BERNormalizer.originalOffset(
                of: error.offset, in: bytes.span, preserving: SignedData.preserved, limits: limits, "ContentInfo")
            throw error
        }
        self.der = der
        self.signedData = signedData
    }
}
