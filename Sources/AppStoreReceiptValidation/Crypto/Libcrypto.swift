internal import AppStoreReceipt
import CLibcrypto
import Synchronization

/// A failure of libcrypto, or of memory: not a statement about any receipt.
///
/// It is thrown, never turned into a verdict: a receipt that could not be checked is neither valid nor forged.
public struct LibcryptoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function that failed.
    public let function: String
    /// What libcrypto's error queue held, the oldest first.
    public let errors: [String]

    public var description: String {
        "\(function) failed" + (errors.isEmpty ? "" : ": " + errors.joined(separator: "; "))
    }
}

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
/// encoded structures. Safe to use from any number of threads.
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
        do throws(LibcryptoError) { return .success(try Libcrypto()) } catch { return .failure(error) }
    }()

    package static func shared() throws(LibcryptoError) -> Libcrypto { try made.get() }

    private init() throws(LibcryptoError) {
        ERR_clear_error()
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw .drained("OSSL_LIB_CTX_new") }
        guard let provider = unsafe OSSL_PROVIDER_load(context, "default") else {
            let error = LibcryptoError.drained("OSSL_PROVIDER_load")
            unsafe OSSL_LIB_CTX_free(context)
            throw error
        }
        let sha1 = unsafe EVP_MD_fetch(context, "SHA1", nil)
        let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil)
        let sha384 = unsafe EVP_MD_fetch(context, "SHA384", nil)
        guard let sha1 = unsafe sha1, let sha256 = unsafe sha256, let sha384 = unsafe sha384 else {
            let error = LibcryptoError.drained("EVP_MD_fetch")
            unsafe EVP_MD_free(sha1)
            unsafe EVP_MD_free(sha256)
            unsafe EVP_MD_free(sha384)
            unsafe OSSL_PROVIDER_unload(provider)
            unsafe OSSL_LIB_CTX_free(context)
            throw error
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
        guard isDone == 1 else { throw .drained("EVP_Digest") }
        return digest
    }

    /// A public key from its numbers, big-endian. Callers bound their sizes first.
    package func publicKey(modulus: Span<UInt8>, exponent: Span<UInt8>) throws(LibcryptoError) -> RSAPublicKey {
        ERR_clear_error()
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
        else { throw .drained("OSSL_PARAM_BLD_to_param") }
        defer { unsafe OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(keyContext) == 1,
            unsafe EVP_PKEY_fromdata(keyContext, &key, CLIBCRYPTO_EVP_PKEY_PUBLIC_KEY, parameters) == 1,
            let key = unsafe key
        else { throw .drained("EVP_PKEY_fromdata") }
        return unsafe RSAPublicKey(key, context, modulusByteCount: modulus.count)
    }
}

/// An RSA public key, ready to check signatures from any number of threads.
@safe
package final class RSAPublicKey: @unchecked Sendable {
    // Immutable after init; libcrypto's keys are safe to share.
    private let key: OpaquePointer
    private let context: OpaquePointer
    private let modulusByteCount: Int
    /// Contexts that are ready and idle. Making one costs a sixth of a check; the lock is not held during one.
    private let idle = Mutex<[RecoveryContext]>([])

    fileprivate init(_ key: OpaquePointer, _ context: OpaquePointer, modulusByteCount: Int) {
        unsafe self.key = key
        unsafe self.context = context
        self.modulusByteCount = modulusByteCount
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether a signature of RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2) is one over the digest.
    ///
    /// The digest's name is never told to libcrypto: it strips the padding, and the DigestInfo is compared here.
    /// So no policy of the host against SHA-1 signatures can turn a genuine old receipt into a forged one.
    ///
    /// - Throws: ``LibcryptoError`` when libcrypto fails for another reason than a wrong signature.
    package func isSignature(
        _ signature: Span<UInt8>, of digest: [UInt8], _ algorithm: DigestAlgorithm
    ) throws(LibcryptoError) -> Bool {
        // RFC 8017 8.2.2 step 1: exactly as long as the modulus.
        guard signature.count == modulusByteCount else { return false }
        let context = try takeContext()
        defer { putBack(context) }
        guard let count = try recover(signature, with: context) else { return false }
        let prefix = algorithm.digestInfoPrefix
        let recovered = context.recovered
        return count == prefix.count + digest.count
            && recovered.span.extracting(0..<prefix.count).hasSameBytes(as: prefix.span)
            && recovered.span.extracting(prefix.count..<count).hasSameBytes(as: digest.span)
    }

    /// Puts what is inside the padding into the context, and returns how many bytes that is; nil when the padding is wrong.
    private func recover(
        _ signature: Span<UInt8>, with context: RecoveryContext
    ) throws(LibcryptoError) -> Int? {
        // What the application left in this thread's queue must not be taken for an answer.
        ERR_clear_error()
        var count = context.recovered.count
        let isDone = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe context.recovered.withUnsafeMutableBufferPointer { recovered in
                // `count` says how much room there is, and then how much was written.
                unsafe EVP_PKEY_verify_recover(
                    context.pointer, recovered.baseAddress, &count, signature.baseAddress, signature.count)
            }
        }
        guard isDone == 1 else {
            // The queue tells a wrong signature from a failure. It must be drained either way.
            if LibcryptoError.isAbout(ERR_LIB_RSA) { return nil }
            throw .drained("EVP_PKEY_verify_recover")
        }
        return count
    }

    private func takeContext() throws(LibcryptoError) -> RecoveryContext {
        if let keyContext = idle.withLock({ $0.popLast() }) { return keyContext }
        ERR_clear_error()
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(context, key, nil) else {
            throw .drained("EVP_PKEY_CTX_new_from_pkey")
        }
        let keyContext = unsafe RecoveryContext(pointer, modulusByteCount: modulusByteCount)
        guard unsafe EVP_PKEY_verify_recover_init(pointer) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) == 1
        else { throw .drained("EVP_PKEY_verify_recover_init") }
        return keyContext
    }

    private func putBack(_ keyContext: RecoveryContext) {
        idle.withLock { idle in
            // More threads than this at once on one key make contexts of their own.
            if idle.count < 64 { idle.append(keyContext) }
        }
    }
}

/// A context for EVP_PKEY_verify_recover, and room for what it recovers. One thread at a time uses it.
@safe
private final class RecoveryContext: @unchecked Sendable {
    let pointer: OpaquePointer
    /// As long as the modulus, which is the most that libcrypto writes.
    var recovered: [UInt8]

    init(_ pointer: OpaquePointer, modulusByteCount: Int) {
        unsafe self.pointer = pointer
        recovered = [UInt8](repeating: 0, count: modulusByteCount)
    }

    deinit { unsafe EVP_PKEY_CTX_free(pointer) }
}

extension DigestAlgorithm {
    /// The DER of DigestInfo up to the digest (RFC 8017 section 9.2, note 1).
    fileprivate var digestInfoPrefix: [UInt8] {
        switch self {
        case .sha1: [0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00, 0x04, 0x14]
        case .sha256:
            [
                0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
                0x04, 0x20,
            ]
        case .sha384:
            [
                0x30, 0x41, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0x00,
                0x04, 0x30,
            ]
        }
    }
}

extension LibcryptoError {
    /// The error queue of this thread as text; leaves it empty.
    static func drained(_ function: String) -> LibcryptoError {
        var errors: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                // ERR_error_string_n ends the text with a zero within the size it is given.
                unsafe ERR_error_string_n(code, buffer.baseAddress, buffer.count)
                return unsafe String(cString: buffer.baseAddress.unsafelyUnwrapped)
            }
            errors.append(text)
        }
        return LibcryptoError(function: function, errors: errors)
    }

    /// Whether the oldest entry of the queue is a part of libcrypto's word about what it was given, a signature or a
    /// point, and no failure of its own. If so, empties the queue.
    static func isAbout(_ part: Int32) -> Bool {
        let code = ERR_peek_error()
        guard CLIBCRYPTO_ERR_GET_LIB(code) == part, CLIBCRYPTO_ERR_GET_REASON(code) < ERR_R_FATAL else {
            return false
        }
        ERR_clear_error()
        return true
    }
}
