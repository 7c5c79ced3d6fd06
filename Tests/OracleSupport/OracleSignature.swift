import OpenSSLOracle

extension Oracle {
    /// `EVP_DigestVerify` with the key of a certificate (DER) and a digest by OpenSSL's name. The answer's payload is empty.
    package static func verifySignature(
        _ signature: [UInt8], over message: [UInt8], certificate: [UInt8], digest: String
    ) -> Answer {
        let (ok, error) = unsafe withErrorText { error in
            unsafe oracle_signature_verify(
                certificate, certificate.count, digest, message, message.count, signature, signature.count, error)
        }
        return ok == 1 ? .ok([]) : .failed(error)
    }
}
