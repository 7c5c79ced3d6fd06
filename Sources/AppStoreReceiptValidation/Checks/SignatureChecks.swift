internal import AppStoreReceipt
internal import ReceiptPKIX

/// The checks of what was signed: the content, or signed attributes that match it (RFC 5652 section 5.4).
extension ReceiptValidator {
    /// The signature over the content, directly or by way of signed attributes.
    func checkSignature(
        _ receipt: SignedReceipt, _ info: SignerInfo, _ chain: CertificateChain?, _ run: inout CheckRun
    ) throws(LibcryptoError) {
        guard let algorithm = Self.digest(info.digestAlgorithm) else {
            run.skip([.signedAttributes, .signature], "the digest algorithm is not known")
            return
        }
        let der = receipt.der
        var digest = try libcrypto.digest(algorithm, der.span.extracting(receipt.storage.signedData.content))
        if let range = info.signedAttributes {
            try run.check(.signedAttributes, "they name the content's type and digest") {
                Self.signedAttributesProblem(receipt, range, digest)
            }
            // RFC 5652 5.4: what is signed is the encoding as a SET OF, not as the [0] that it is sent as.
            var attributes = Array(receipt.der[range])
            attributes[0] = Tag.set.identifier
            digest = try libcrypto.digest(algorithm, attributes.span)
        } else {
            run.skip([.signedAttributes], "there are none; the signature is over the content")
        }
        guard let chain else {
            run.skip([.signature], "the signer's key is not vouched for")
            return
        }
        try run.check(.signature, "\(chain.signer.name) signed this content") { () throws(LibcryptoError) in
            let signature = der.span.extracting(info.signature)
            return try chain.signerKey.isSignature(signature, of: digest, algorithm)
                ? nil
                : Rejection(
                    .signatureMismatch,
                    "the signature does not fit the content: one of them was changed after \(chain.signer.name) signed, or another key signed"
                )
        }
    }

    private static func signedAttributesProblem(
        _ receipt: SignedReceipt, _ range: Range<Int>, _ digest: [UInt8]
    ) -> Rejection? {
        do throws(ReceiptDecodingError) {
            let attributes = try receipt.der.span.readSignedAttributes(range)
            guard attributes.contentType == receipt.storage.signedData.contentType else {
                return Rejection(.contentTypeMismatch, "the signed content type is not that of the content")
            }
            guard let messageDigest = attributes.messageDigest else {
                return Rejection(.messageDigestMissing, "the signed attributes hold no message digest")
            }
            guard receipt.der[messageDigest].elementsEqual(digest) else {
                return Rejection(
                    .messageDigestMismatch, "the content is not the one that was signed: its digest differs")
            }
            return nil
        } catch {
            return Rejection(.malformedSignedAttributes, "the signed attributes cannot be decoded: \(error)")
        }
    }
}
