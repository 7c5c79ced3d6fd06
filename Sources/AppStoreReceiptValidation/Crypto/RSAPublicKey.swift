internal import AppStoreReceipt
import CLibcrypto
import Synchronization

/// An RSA public key, ready to check signatures from any number of threads.
@safe
package final class RSAPublicKey: @unchecked Sendable {
    // Immutable after init; libcrypto's keys are safe to share.
    private let key: OpaquePointer
    private let context: OpaquePointer
    private let modulus: [UInt8]
    /// Contexts that are ready and idle. Making one costs a sixth of a check; the lock is not held during one.
    private let idle = Mutex<[RecoveryContext]>([])

    init(_ key: OpaquePointer, _ context: OpaquePointer, modulus: [UInt8]) {
        unsafe self.key = key
        unsafe self.context = context
        self.modulus = modulus
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether a signature of RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2) is one over the digest.
    ///
    /// libcrypto does the arithmetic only: the padding and the DigestInfo are made here and compared as a whole. So no
    /// policy of the host against SHA-1 signatures can turn a genuine old receipt into a forged one, and whatever
    /// libcrypto says no to is a failure of its own, never a statement about the signature.
    ///
    /// - Throws: ``LibcryptoError`` when libcrypto fails.
    package func isSignature(
        _ signature: Span<UInt8>, of digest: [UInt8], _ algorithm: DigestAlgorithm
    ) throws(LibcryptoError) -> Bool {
        // RFC 8017 8.2.2 step 1: exactly as long as the modulus. 5.2.2 step 1: a number below it.
        guard signature.count == modulus.count, signature.isBelow(modulus) else { return false }
        let queue = ErrorQueue.mark()
        defer { queue.restore() }
        let context = try takeContext(queue)
        defer { putBack(context) }
        var count = context.recovered.count
        let isDone = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe context.recovered.withUnsafeMutableBufferPointer { recovered in
                // `count` says how much room there is, and then how much was written.
                unsafe EVP_PKEY_verify_recover(
                    context.pointer, recovered.baseAddress, &count, signature.baseAddress, signature.count)
            }
        }
        guard isDone == 1, count == modulus.count else { throw queue.failure("EVP_PKEY_verify_recover") }
        return algorithm.isEncodedMessage(context.recovered.span, of: digest)
    }

    private func takeContext(_ queue: ErrorQueue) throws(LibcryptoError) -> RecoveryContext {
        if let keyContext = idle.withLock({ $0.popLast() }) { return keyContext }
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(context, key, nil) else {
            throw queue.failure("EVP_PKEY_CTX_new_from_pkey")
        }
        let keyContext = unsafe RecoveryContext(pointer, modulusByteCount: modulus.count)
        guard unsafe EVP_PKEY_verify_recover_init(pointer) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_NO_PADDING) == 1
        else { throw queue.failure("EVP_PKEY_verify_recover_init") }
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

extension Span<UInt8> {
    /// Whether it is the smaller of two big-endian numbers of one length.
    fileprivate func isBelow(_ other: [UInt8]) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index]
        }
        return false
    }
}

extension DigestAlgorithm {
    /// Whether a message is, octet for octet, EMSA-PKCS1-v1_5 of a digest (RFC 8017 section 9.2):
    /// 00 01, at least eight FF, 00, DigestInfo.
    fileprivate func isEncodedMessage(_ message: Span<UInt8>, of digest: [UInt8]) -> Bool {
        let prefix = digestInfoPrefix
        let digestStart = message.count - digest.count
        let infoStart = digestStart - prefix.count
        guard infoStart >= 11, message[0] == 0x00, message[1] == 0x01, message[infoStart - 1] == 0x00 else {
            return false
        }
        var padding: UInt8 = 0xFF
        for index in 2..<infoStart - 1 { padding &= message[index] }
        return padding == 0xFF && message.extracting(infoStart..<digestStart).hasSameBytes(as: prefix.span)
            && message.extracting(digestStart...).hasSameBytes(as: digest.span)
    }

    /// The DER of DigestInfo up to the digest (RFC 8017 section 9.2, note 1).
    private var digestInfoPrefix: [UInt8] {
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
