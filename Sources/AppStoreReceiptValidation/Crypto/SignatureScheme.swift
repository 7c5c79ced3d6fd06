internal import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptPKIX

/// How a signature is made: the operation with the key, and the digest.
package enum SignatureScheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    case rsaPKCS1(DigestAlgorithm)
    /// ECDSA, the signature an ECDSA-Sig-Value in DER (RFC 5480 appendix A).
    case ecdsa(DigestAlgorithm)
    /// ECDSA on P-256 with SHA-256, the signature r and s side by side: ES256 of RFC 7518 section 3.4.
    case es256

    var digest: DigestAlgorithm {
        switch self {
        case .rsaPKCS1(let digest), .ecdsa(let digest): digest
        case .es256: .sha256
        }
    }

    var name: String {
        switch self {
        case .rsaPKCS1(let digest): "RSA PKCS#1 v1.5 with \(digest.name)"
        case .ecdsa(let digest): "ECDSA with \(digest.name)"
        case .es256: "ES256"
        }
    }

    /// The scheme that a certificate's signatureAlgorithm names; nil for any that nothing here is signed with.
    ///
    /// With RSA the parameters are NULL (RFC 4055 section 5) or left out, as some encoders do; with ECDSA they are left out
    /// (RFC 5758 section 3.2).
    init?(_ algorithm: AlgorithmIdentifier) {
        switch (algorithm.algorithm, algorithm.parameters) {
        case (.sha1WithRSAEncryption, .null), (.sha1WithRSAEncryption, .absent): self = .rsaPKCS1(.sha1)
        case (.sha256WithRSAEncryption, .null), (.sha256WithRSAEncryption, .absent): self = .rsaPKCS1(.sha256)
        case (.ecdsaWithSHA256, .absent): self = .ecdsa(.sha256)
        case (.ecdsaWithSHA384, .absent): self = .ecdsa(.sha384)
        default: return nil
        }
    }

    /// The scheme of a SignerInfo: `rsaEncryption` (App Store), or a combined name (Xcode), which must fit the digest.
    init?(_ algorithm: AlgorithmIdentifier, digest: DigestAlgorithm) {
        if algorithm.algorithm == .rsaEncryption, algorithm.parameters != .other {
            self = .rsaPKCS1(digest)
        } else {
            guard let scheme = SignatureScheme(algorithm), scheme.digest == digest else { return nil }
            self = scheme
        }
    }

    /// What a document without SignerInfo says; nil for any other.
    init?(_ algorithm: PlainSignature.Algorithm) {
        switch algorithm {
        case .rsaWithSHA1: self = .rsaPKCS1(.sha1)
        case .rsaWithSHA256: self = .rsaPKCS1(.sha256)
        case .es256: self = .es256
        case .other: return nil
        }
    }
}

extension DigestAlgorithm {
    var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        }
    }

    /// Nil for any other digest, and for parameters other than none or NULL (RFC 5754 section 2).
    init?(_ algorithm: AlgorithmIdentifier) {
        guard algorithm.parameters != .other else { return nil }
        switch algorithm.algorithm {
        case .sha1: self = .sha1
        case .sha256: self = .sha256
        case .sha384: self = .sha384
        default: return nil
        }
    }
}

/// The kinds of keys that a profile may ask for.
package enum KeyKind: Hashable, Sendable {
    /// Of 1,024 to 4,096 bits.
    case rsa
    case elliptic(NamedCurve)

    var name: String {
        switch self {
        case .rsa: "RSA"
        case .elliptic(let curve): curve.name
        }
    }
}

/// A public key, ready to check signatures from any number of threads.
package enum PublicKey: Sendable {
    case rsa(RSAPublicKey)
    case elliptic(ECPublicKey)

    /// Whether a signature is one over the digest. One of a scheme for other keys is not.
    func isSignature(
        _ signature: Span<UInt8>, of digest: [UInt8], _ scheme: SignatureScheme
    ) throws(LibcryptoError) -> Bool {
        switch (self, scheme) {
        case (.rsa(let key), .rsaPKCS1(let algorithm)): return try key.isSignature(signature, of: digest, algorithm)
        case (.elliptic(let key), .ecdsa), (.elliptic(let key), .es256):
            // What is no signature of this form is not one over the digest.
            guard case .success(let numbers) = scheme.numbers(signature, key.curve) else { return false }
            return try key.isSignature(numbers, of: digest)
        case (.rsa, _), (.elliptic, _): return false
        }
    }

    /// Why octets can be a signature of no key of this kind; nil where only the key can tell.
    func problem(_ signature: Span<UInt8>, _ scheme: SignatureScheme) -> ECDSASignature.Problem? {
        guard case .elliptic(let key) = self, case .failure(let problem) = scheme.numbers(signature, key.curve) else {
            return nil
        }
        return problem
    }
}

extension SignatureScheme {
    /// The numbers of an ECDSA signature in the form of this scheme. ES256 is of P-256 alone.
    fileprivate func numbers(
        _ signature: Span<UInt8>, _ curve: NamedCurve
    ) -> Result<ECDSASignature, ECDSASignature.Problem> {
        do throws(ECDSASignature.Problem) {
            return .success(
                self == .es256
                    ? try ECDSASignature(concatenated: signature, .p256) : try ECDSASignature(der: signature, curve))
        } catch {
            return .failure(error)
        }
    }
}
