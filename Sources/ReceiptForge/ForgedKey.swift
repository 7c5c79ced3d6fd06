import CLibcrypto

/// A private key that signs forgeries.
///
/// The keys that come with the forge are public: they stand in its source (``TestKeys``), so that the same test
/// gives the same bytes everywhere. Nothing that matters may ever trust one of them.
public struct ForgedKey: Hashable, Sendable {
    /// PKCS #8 PrivateKeyInfo, DER.
    public let pkcs8: [UInt8]

    public init(pkcs8: [UInt8]) {
        self.pkcs8 = pkcs8
    }

    /// A new RSA key. Generation cannot be seeded: what it signs differs from run to run.
    public static func generateRSA(bits: Int) throws(ForgeError) -> ForgedKey {
        let context = unsafe EVP_PKEY_CTX_new_from_name(try Libcrypto.context(), "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(clamping: bits)) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { throw Libcrypto.error("RSA key of \(bits) bits") }
        defer { unsafe EVP_PKEY_free(key) }
        let info = unsafe EVP_PKEY2PKCS8(key)
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        var output: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &output)
        return ForgedKey(pkcs8: try unsafe takeEncoding(output, length))
    }

    /// The SubjectPublicKeyInfo, RFC 5280 section 4.1.2.7.
    public func publicKeyInfo() throws(ForgeError) -> BERNode {
        let key = unsafe try load()
        defer { unsafe EVP_PKEY_free(key) }
        var output: UnsafeMutablePointer<UInt8>?
        let length = unsafe i2d_PUBKEY(key, &output)
        return try BERNode(parsing: try unsafe Self.takeEncoding(output, length))
    }

    /// A SubjectPublicKeyInfo for RSA numbers of a test's choice, which no private key need fit.
    public static func rsaPublicKeyInfo(modulus: [UInt8], exponent: [UInt8]) -> BERNode {
        let key = BERNode.sequence([.integer(magnitude: modulus), .integer(magnitude: exponent)])
        return .sequence([SignatureAlgorithm.rsaEncryption(.sha256).identifier, .bitString(key.encoded)])
    }

    /// The RSA modulus and public exponent as magnitudes; nil for other keys.
    public func rsaPublicNumbers() throws(ForgeError) -> (modulus: [UInt8], exponent: [UInt8])? {
        // Bits that are no element belong to a key of another kind.
        guard case .bytes(let bits)? = try publicKeyInfo().node(at: [1])?.content,
            let numbers = try? BERNode(parsing: bits.dropFirst()), numbers.children.count == 2
        else { return nil }
        let magnitudes = numbers.children.map { Array($0.encodedContent.drop { $0 == 0 }) }
        return (magnitudes[0], magnitudes[1])
    }

    /// The key as libcrypto's object, to be freed by the caller.
    func load() throws(ForgeError) -> OpaquePointer {
        let context = unsafe try Libcrypto.context()
        let loaded: OpaquePointer? = unsafe pkcs8.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey_ex(nil, &cursor, buffer.count, context, nil)
        }
        guard let key = unsafe loaded else { throw Libcrypto.error("private key") }
        return unsafe key
    }

    private static func takeEncoding(
        _ output: UnsafeMutablePointer<UInt8>?, _ length: Int32
    ) throws(ForgeError) -> [UInt8] {
        guard length > 0, let output = unsafe output else { throw Libcrypto.error("key encoding") }
        defer { unsafe CRYPTO_free(output, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: output, count: Int(length)))
    }
}
