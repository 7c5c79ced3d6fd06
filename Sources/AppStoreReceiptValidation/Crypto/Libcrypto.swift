import CLibcrypto

/// The digests under signatures of Apple's.
package enum DigestAlgorithm: Hashable, Sendable {
    case sha1, sha256, sha384

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }
}

/// The one door to libcrypto: digests, RSA signatures of PKCS#1 v1.5, and ECDSA.
///
/// It works in a library context of its own with the default provider, so that the host's openssl.cnf,
/// `OPENSSL_CONF` and FIPS defaults change nothing. libcrypto is handed numbers and bytes to digest, never
/// encoded structures. Safe to use from any number of threads, and each thread's error queue stays as it was.
///
/// libcrypto is told not to read openssl.cnf. That is once for a process, so who comes first decides: a host that has
/// initialised libcrypto before keeps its configuration in the contexts of its own, and a host that has not, and wants
/// one, loads it itself (`OSSL_LIB_CTX_load_config`), or initialises libcrypto before it makes the first validator.
@safe
package final class Libcrypto: @unchecked Sendable {
    // Immutable after init; libcrypto's contexts, providers and fetched digests are safe to share.
    let context: OpaquePointer
    private let provider: OpaquePointer
    private let sha1: OpaquePointer
    private let sha256: OpaquePointer
    private let sha384: OpaquePointer

    /// Made once. Loading the provider and fetching the digests takes about a millisecond.
    private static let made: Result<Libcrypto, LibcryptoError> = {
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        do throws(LibcryptoError) { return .success(try Libcrypto(queue)) } catch { return .failure(error) }
    }()

    package static func shared() throws(LibcryptoError) -> Libcrypto { try made.get() }

    private init(_ queue: ErrorQueue) throws(LibcryptoError) {
        // Otherwise the first key reads openssl.cnf or what `OPENSSL_CONF` names, into a context that is not used here:
        // a named pipe there would hang the process, and a provider named there would be loaded into it.
        guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1 else {
            throw queue.failure("OPENSSL_init_crypto")
        }
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw queue.failure("OSSL_LIB_CTX_new") }
        guard let provider = unsafe OSSL_PROVIDER_load(context, "default") else {
            unsafe OSSL_LIB_CTX_free(context)
            throw queue.failure("OSSL_PROVIDER_load")
        }
        let sha1 = unsafe EVP_MD_fetch(context, "SHA1", nil)
        let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil)
        let sha384 = unsafe EVP_MD_fetch(context, "SHA384", nil)
        guard let sha1 = unsafe sha1, let sha256 = unsafe sha256, let sha384 = unsafe sha384 else {
            unsafe EVP_MD_free(sha1)
            unsafe EVP_MD_free(sha256)
            unsafe EVP_MD_free(sha384)
            unsafe OSSL_PROVIDER_unload(provider)
            unsafe OSSL_LIB_CTX_free(context)
            throw queue.failure("EVP_MD_fetch")
        }
        unsafe self.context = context
        unsafe self.provider = provider
        unsafe self.sha1 = sha1
        unsafe self.sha256 = sha256
        unsafe self.sha384 = sha384
    }

    deinit {
        unsafe EVP_MD_free(sha1)
        unsafe EVP_MD_free(sha256)
        unsafe EVP_MD_free(sha384)
        unsafe OSSL_PROVIDER_unload(provider)
        unsafe OSSL_LIB_CTX_free(context)
    }

    /// A number below `count` that stays the same for a thread, and is the same for few.
    static func threadNumber(below count: Int) -> Int {
        // The numbers are addresses; multiplying by 2^64 over the golden ratio spreads them over the highest bits.
        let spread = (CLIBCRYPTO_THREAD_NUMBER() &* 0x9E37_79B9_7F4A_7C15) >> 32
        return Int(truncatingIfNeeded: spread % UInt64(count))
    }

    /// The digest of some bytes.
    package func digest(_ algorithm: DigestAlgorithm, _ bytes: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        let method =
            switch algorithm {
            case .sha1: unsafe sha1
            case .sha256: unsafe sha256
            case .sha384: unsafe sha384
            }
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                // The digest's size is that of the algorithm, so libcrypto writes no further.
                unsafe EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, method, nil)
            }
        }
        guard isDone == 1 else { throw queue.failure("EVP_Digest") }
        return digest
    }

    /// A public key from its numbers, big-endian. Callers bound their sizes first.
    package func publicKey(modulus: Span<UInt8>, exponent: Span<UInt8>) throws(LibcryptoError) -> RSAPublicKey {
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        let n = unsafe modulus.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, CInt(truncatingIfNeeded: $0.count), nil)
        }
        let e = unsafe exponent.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, CInt(truncatingIfNeeded: $0.count), nil)
        }
        let builder = unsafe OSSL_PARAM_BLD_new()
        let keyContext = unsafe EVP_PKEY_CTX_new_from_name(context, "RSA", nil)
        defer {
            unsafe BN_free(n)
            unsafe BN_free(e)
            unsafe OSSL_PARAM_BLD_free(builder)
            unsafe EVP_PKEY_CTX_free(keyContext)
        }
        guard let n = unsafe n, let e = unsafe e, let builder = unsafe builder, let keyContext = unsafe keyContext,
            unsafe OSSL_PARAM_BLD_push_BN(builder, CLIBCRYPTO_PARAM_RSA_N, n) == 1,
            unsafe OSSL_PARAM_BLD_push_BN(builder, CLIBCRYPTO_PARAM_RSA_E, e) == 1,
            let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        else { throw queue.failure("OSSL_PARAM_BLD_to_param") }
        defer { unsafe OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(keyContext) == 1,
            unsafe EVP_PKEY_fromdata(keyContext, &key, CLIBCRYPTO_EVP_PKEY_PUBLIC_KEY, parameters) == 1,
            let key = unsafe key
        else { throw queue.failure("EVP_PKEY_fromdata") }
        return unsafe RSAPublicKey(key, context, modulus: modulus.withUnsafeBufferPointer { unsafe Array($0) })
    }
}
