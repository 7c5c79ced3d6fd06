/// A payload with the JWS that carries it. Behind one reference, so that handing a document on costs one reference count.
package final class SignedPayload<Model: Sendable>: Sendable {
    package let jws: SignedJSON
    package let model: Model
    package let remarks: PayloadRemarks

    init(_ jws: SignedJSON, _ model: Model, _ remarks: PayloadRemarks) {
        self.jws = jws
        self.model = model
        self.remarks = remarks
    }
}

extension SignedPayload where Model: PayloadModel {
    convenience init(_ text: Span<UInt8>, as kind: SignedJSONKind) throws(ReceiptDecodingError) {
        try self.init(SignedJSON(text), as: kind)
    }

    convenience init(_ jws: SignedJSON, as kind: SignedJSONKind) throws(ReceiptDecodingError) {
        var reader = try jws.payload(as: kind)
        let model: Model = reader.read(reader.document.root)
        self.init(jws, model, reader.remarks)
    }
}
