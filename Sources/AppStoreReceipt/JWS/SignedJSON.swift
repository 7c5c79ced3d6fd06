internal import ReceiptJSON
internal import ReceiptTransport

/// A compact JWS as Apple makes them (RFC 7515), taken apart but **not verified**: ES256 and its certificates in the header.
///
/// Nothing of the header but `alg` and `x5c` is used. `crit` and `b64` are refused, since they change what the JWS means;
/// `kid`, `typ`, `cty`, `jku`, `jwk`, `x5u` and `x5t` change nothing here and fetch nothing.
package struct SignedJSON: Sendable {
    /// What is signed: header and payload as they stand, with the point between them (RFC 7515 section 5.2).
    package let signingInput: [UInt8]
    /// The payload's octets. A digest of these identifies a document; one of the text does not, since other texts have the
    /// same payload and a valid signature.
    package let payload: [UInt8]
    /// `r` and `s`, 32 octets each (RFC 7518 section 3.4).
    package let signature: [UInt8]
    /// The certificates of `x5c`, DER, undecoded: leaf, intermediate, root; or the one of what Xcode signs.
    package let certificates: [[UInt8]]
    /// Where the payload's segment begins in the text.
    let payloadStart: Int

    /// Takes a compact JWS apart.
    ///
    /// - Throws: ``ReceiptDecodingError``, whose offset is into `text`.
    package init(_ text: Span<UInt8>) throws(ReceiptDecodingError) {
        let jws: CompactJWS
        do throws(TransportFault) {
            jws = try CompactJWS(text)
        } catch {
            throw Self.unsignedToken(text) ?? ReceiptDecodingError(error)
        }
        certificates = try JWSHeader(jws).certificates
        guard jws.signature.count == 64 else { throw Self.signatureLength(jws) }
        signingInput = jws.signingInput
        payload = jws.payload
        signature = jws.signature
        payloadStart = jws.payloadStart
    }

    private static func signatureLength(_ jws: CompactJWS) -> ReceiptDecodingError {
        let isDER = jws.signature.count > 64 && jws.signature.first == 0x30
        let form = isDER ? "the DER form of ECDSA signatures, which JWS does not use" : "and ES256 has 64"
        return ReceiptDecodingError(
            .jwsSignatureLength, at: jws.signatureStart, in: "JWS signature",
            detail: "\(jws.signature.count) bytes, \(form)")
    }

    /// An error that names an external purchase token: base64url of a JSON object, without points and without signature.
    private static func unsignedToken(_ text: Span<UInt8>) -> ReceiptDecodingError? {
        // Probes: what cannot be read is not such a token, and the error about the JWS stands.
        guard text.count <= 8_192, let bytes = try? Base64URL.decode(text, 0..<text.count, field: "token"),
            let document = try? JSONDocument(bytes.span),
            document.member("externalPurchaseId", of: document.root, in: bytes.span) != nil
        else { return nil }
        return ReceiptDecodingError(
            .externalPurchaseToken, at: 0, in: "JWS",
            detail: "an external purchase token, which nobody signs: report it to Apple, and trust nothing in it")
    }

    static func textOffset(ofByte offset: Int, inSegmentAt start: Int) -> Int {
        CompactJWS.textOffset(ofByte: offset, inSegmentAt: start)
    }
}
