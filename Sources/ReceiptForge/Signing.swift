import CLibcrypto

extension ForgedKey {
    /// Signs bytes. The same key, scheme and bytes give the same signature.
    ///
    /// PKCS #1 v1.5 blocks are built here and only raised to the private exponent by libcrypto, so that flawed ones
    /// can be had, and SHA-1 and MD5 where the host forbids to sign with them.
    public func sign(_ bytes: [UInt8], _ scheme: SignatureAlgorithm.Scheme) throws(ForgeError) -> [UInt8] {
        switch scheme {
        case .verbatim(let signature): return signature
        case .pkcs1(let digest, let flaw):
            let size = unsafe try withKey { key in Int(unsafe EVP_PKEY_get_size(key)) }
            let block = try Self.block(of: size, digest: digest, over: bytes, flaw: flaw)
            return try signWithLibcrypto(block, padding: RSA_NO_PADDING, digest: nil)
        case .pss(let digest):
            return try signWithLibcrypto(try digest.digest(bytes), padding: RSA_PKCS1_PSS_PADDING, digest: digest)
        case .ecdsa(let digest): return try signDeterministically(digest: try digest.digest(bytes))
        }
    }

    /// A block as long as the modulus, raised to the private exponent: a signature whose padded digest is that block.
    package func sign(block: [UInt8]) throws(ForgeError) -> [UInt8] {
        try signWithLibcrypto(block, padding: RSA_NO_PADDING, digest: nil)
    }

    /// EMSA-PKCS1-v1_5, RFC 8017 section 9.2.
    private static func block(
        of size: Int, digest: DigestAlgorithm, over bytes: [UInt8], flaw: SignatureAlgorithm.PaddingFlaw
    ) throws(ForgeError) -> [UInt8] {
        var value = BERNode.octetString(try digest.digest(bytes))
        var identifier = digest.identifier
        switch flaw {
        case .parametersAbsent: identifier.children.removeLast()
        case .longFormLength: value.length = .octets(1)
        case .wrongDigestName: identifier = (digest == .sha512 ? DigestAlgorithm.sha256 : .sha512).identifier
        default: break
        }
        let info = flaw == .bareDigest ? value.encodedContent : BERNode.sequence([identifier, value]).encoded
        let padding = size - info.count - 3
        guard padding >= 8 else { throw ForgeError("an RSA key of \(size) octets is too short for \(digest.rawValue)") }
        if flaw == .trailingGarbage {
            return [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + info
                + [UInt8](repeating: 0x5A, count: padding - 8)
        }
        var filler = [UInt8](repeating: flaw == .blockTypeTwo ? 0x5A : 0xFF, count: padding)
        if flaw == .paddingOctet { filler[padding / 2] = 0xFE }
        return [0, flaw == .blockTypeTwo ? 2 : 1] + filler + [0] + info
    }

    private func signWithLibcrypto(
        _ input: [UInt8], padding: Int32, digest: DigestAlgorithm?
    ) throws(ForgeError) -> [UInt8] {
        let library = unsafe try Libcrypto.context()
        let key = unsafe try load()
        defer { unsafe EVP_PKEY_free(key) }
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(library, key, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_sign_init(context) == 1, unsafe EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1 else {
            throw Libcrypto.error("RSA signature")
        }
        if let digest {
            let algorithm = unsafe EVP_MD_fetch(library, digest.rawValue, nil)
            defer { unsafe EVP_MD_free(algorithm) }
            guard unsafe EVP_PKEY_CTX_set_signature_md(context, algorithm) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 0) == 1
            else { throw Libcrypto.error("RSA-PSS signature") }
        }
        var length = Int(unsafe EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: length)
        guard unsafe EVP_PKEY_sign(context, &signature, &length, input, input.count) == 1 else {
            throw Libcrypto.error("RSA signature")
        }
        return Array(signature.prefix(length))
    }

    private func withKey<Result>(_ body: (OpaquePointer) -> Result) throws(ForgeError) -> Result {
        let key = unsafe try load()
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe body(key)
    }
}
