internal import AppStoreReceipt
import CLibcrypto
package import ReceiptPKIX

/// An elliptic-curve public key, ready to check ECDSA signatures from any number of threads.
@safe
package final class ECPublicKey: @unchecked Sendable {
    // Immutable after init; libcrypto's keys are safe to share.
    private let key: OpaquePointer
    private let context: OpaquePointer
    package let curve: NamedCurve

    fileprivate init(_ key: OpaquePointer, _ context: OpaquePointer, _ curve: NamedCurve) {
        unsafe self.key = key
        unsafe self.context = context
        self.curve = curve
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether a signature is one over the digest (FIPS 186-5 section 6.4.2).
    ///
    /// The digest's name is never told to libcrypto; of a digest longer than the order, the leftmost bits count.
    ///
    /// - Throws: ``LibcryptoError`` when libcrypto fails for another reason than a wrong signature.
    package func isSignature(_ signature: ECDSASignature, of digest: [UInt8]) throws(LibcryptoError) -> Bool {
        guard signature.curve == curve else { return false }
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        // A context of its own each time costs a sixtieth of the check.
        guard let check = unsafe EVP_PKEY_CTX_new_from_pkey(context, key, nil) else {
            throw queue.failure("EVP_PKEY_CTX_new_from_pkey")
        }
        defer { unsafe EVP_PKEY_CTX_free(check) }
        guard unsafe EVP_PKEY_verify_init(check) == 1 else { throw queue.failure("EVP_PKEY_verify_init") }
        let encoded = signature.encoded
        // Both arrays live until the call returns.
        let result = unsafe encoded.withUnsafeBufferPointer { signature in
            unsafe digest.withUnsafeBufferPointer { digest in
                unsafe EVP_PKEY_verify(check, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
            }
        }
        switch result {
        case 1: return true
        // What is handed over is well-formed, so anything but 0 and 1 is a failure of libcrypto's.
        case 0: return false
        default: throw queue.failure("EVP_PKEY_verify")
        }
    }
}

extension Libcrypto {
    /// A public key from an uncompressed point, `04 ‖ X ‖ Y` (SEC 1 section 2.3.3); nil when it is no such point or does
    /// not lie on the curve.
    ///
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the point.
    package func publicKey(point: Span<UInt8>, on curve: NamedCurve) throws(LibcryptoError) -> ECPublicKey? {
        guard point.count == 1 + 2 * curve.byteCount, point[0] == 0x04 else { return nil }
        // Where memory ran out, the queue may end with the words that it has for a point; then it has others the next time.
        if let key = try makeKey(point, curve) { return key }
        return try makeKey(point, curve)
    }

    private func makeKey(_ point: Span<UInt8>, _ curve: NamedCurve) throws(LibcryptoError) -> ECPublicKey? {
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        let builder = unsafe OSSL_PARAM_BLD_new()
        let keyContext = unsafe EVP_PKEY_CTX_new_from_name(context, "EC", nil)
        defer {
            unsafe OSSL_PARAM_BLD_free(builder)
            unsafe EVP_PKEY_CTX_free(keyContext)
        }
        let group = unsafe curve == .p256 ? CLIBCRYPTO_GROUP_P256 : CLIBCRYPTO_GROUP_P384
        guard let builder = unsafe builder, let keyContext = unsafe keyContext,
            unsafe OSSL_PARAM_BLD_push_utf8_string(builder, CLIBCRYPTO_PARAM_GROUP_NAME, group, 0) == 1,
            // The builder keeps the pointer until the parameters are made, which is within the closure.
            let parameters = unsafe point.withUnsafeBufferPointer({ point -> UnsafeMutablePointer<OSSL_PARAM>? in
                guard
                    unsafe OSSL_PARAM_BLD_push_octet_string(
                        builder, CLIBCRYPTO_PARAM_PUB_KEY, point.baseAddress, point.count) == 1
                else { return nil }
                return unsafe OSSL_PARAM_BLD_to_param(builder)
            })
        else { throw queue.failure("OSSL_PARAM_BLD_to_param") }
        defer { unsafe OSSL_PARAM_free(parameters) }
        guard unsafe EVP_PKEY_fromdata_init(keyContext) == 1 else { throw queue.failure("EVP_PKEY_fromdata_init") }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata(keyContext, &key, CLIBCRYPTO_EVP_PKEY_PUBLIC_KEY, parameters) == 1,
            let key = unsafe key
        else {
            // The queue tells a point that is not on the curve from a failure.
            if queue.lastIsAbout(ERR_LIB_EC) { return nil }
            throw queue.failure("EVP_PKEY_fromdata")
        }
        return unsafe ECPublicKey(key, context, curve)
    }
}
