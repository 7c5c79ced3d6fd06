/// An App Store server notification (version 2) as Apple signed it, taken apart but **not verified**, with the signed
/// transaction, renewal info and app transaction inside it.
///
/// The inner ones are signed by themselves, and a valid outer signature says nothing of theirs: they are reached only
/// from the validated notification, as validated documents of their own.
public struct SignedNotification: Sendable {
    /// What it claims. Fit for logging and for choosing a policy by rules of your own, not for granting anything.
    public var unverifiedNotification: ServerNotification { signed.model }
    /// Members that have no property, and those that could not be read.
    public var remarks: PayloadRemarks { signed.remarks }
    /// The payload's octets: JSON in UTF-8. A digest of these identifies the document; one of the text does not.
    public var payload: ArraySlice<UInt8> { signed.jws.payload[...] }

    package let signed: SignedPayload<ServerNotification>
    package var jws: SignedJSON { signed.jws }
    package let transaction: SignedTransaction?
    package let renewalInfo: SignedRenewalInfo?
    package let appTransaction: SignedAppTransaction?

    /// Decodes a compact JWS, the `signedPayload` of a request's body, with what is signed inside it.
    ///
    /// - Throws: ``ReceiptDecodingError``, whose offset is into the text's UTF-8; for a fault of what is inside, into that
    ///   one's own text, and ``ReceiptDecodingError/field`` begins with its name.
    public init(decoding text: String) throws(ReceiptDecodingError) {
        let utf8 = text.utf8
        try self.init(SignedJSON(utf8.span))
    }

    /// The same for a text's bytes.
    public init(decoding text: [UInt8]) throws(ReceiptDecodingError) {
        try self.init(SignedJSON(text.span))
    }

    package init(_ jws: SignedJSON) throws(ReceiptDecodingError) {
        signed = try SignedPayload(jws, as: .notification)
        let model = signed.model
        let contents = [
            model.data != nil, model.summary != nil, model.externalPurchaseToken != nil, model.appData != nil,
        ].count { $0 }
        guard contents <= 1 else {
            throw ReceiptDecodingError(
                .notificationContent, at: jws.payloadStart, in: "JWS payload",
                detail: "\(contents) of data, summary, externalPurchaseToken and appData, where one is due")
        }
        // One that is there in an unreadable form is among the remarks, and validation refuses it.
        guard contents == 1 || !signed.remarks.unreadableMembers.isEmpty else {
            throw ReceiptDecodingError(
                .notificationContent, at: jws.payloadStart, in: "JWS payload",
                detail: "none of data, summary, externalPurchaseToken and appData, one of which is due")
        }
        transaction = try Self.inner(model.data?.signedTransactionInfo, "data.signedTransactionInfo") {
            jws throws(ReceiptDecodingError) in try SignedTransaction(jws)
        }
        renewalInfo = try Self.inner(model.data?.signedRenewalInfo, "data.signedRenewalInfo") {
            jws throws(ReceiptDecodingError) in try SignedRenewalInfo(jws)
        }
        appTransaction = try Self.inner(model.appData?.signedAppTransactionInfo, "appData.signedAppTransactionInfo") {
            jws throws(ReceiptDecodingError) in try SignedAppTransaction(jws)
        }
    }

    private static func inner<Document>(
        _ text: String?, _ field: String, _ decode: (SignedJSON) throws(ReceiptDecodingError) -> Document
    ) throws(ReceiptDecodingError) -> Document? {
        guard let text else { return nil }
        do throws(ReceiptDecodingError) {
            let utf8 = text.utf8
            return try decode(SignedJSON(utf8.span))
        } catch {
            var error = error
            error.field = "\(field): \(error.field)"
            throw error
        }
    }
}
