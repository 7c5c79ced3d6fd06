/// An app transaction of StoreKit 2, as Apple signed it, taken apart but **not verified**.
///
/// Decoding shows that the text is a well-formed JWS of this kind, not that Apple wrote it. Hand the value to a
/// `ReceiptValidator` and use what comes back.
public struct SignedAppTransaction: Sendable {
    /// What it claims. Fit for logging and for choosing a policy by rules of your own, not for granting anything.
    public var unverifiedAppTransaction: AppTransaction { signed.model }
    /// Members that have no property, and those that could not be read.
    public var remarks: PayloadRemarks { signed.remarks }
    /// The payload's octets: JSON in UTF-8. A digest of these identifies the document; one of the text does not.
    public var payload: ArraySlice<UInt8> { signed.jws.payload[...] }

    package let signed: SignedPayload<AppTransaction>
    package var jws: SignedJSON { signed.jws }

    /// Decodes a compact JWS: three segments of base64url, nothing before them and nothing behind.
    ///
    /// - Throws: ``ReceiptDecodingError``, whose offset is into the text's UTF-8.
    public init(decoding text: String) throws(ReceiptDecodingError) {
        let utf8 = text.utf8
        signed = try SignedPayload(utf8.span, as: .appTransaction)
    }

    /// The same for a text's bytes.
    public init(decoding text: [UInt8]) throws(ReceiptDecodingError) {
        signed = try SignedPayload(text.span, as: .appTransaction)
    }

    package init(_ jws: SignedJSON) throws(ReceiptDecodingError) {
        signed = try SignedPayload(jws, as: .appTransaction)
    }
}
