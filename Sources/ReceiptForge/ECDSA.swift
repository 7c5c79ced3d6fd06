import CLibcrypto

extension ForgedKey {
    /// ECDSA (FIPS 186-5 section 6.4) with the nonce SHA-512(private key ‖ digest) mod n.
    ///
    /// libcrypto 3.0 takes a random nonce only, and forgeries must be the same bytes each time. A nonce like this
    /// one would do for a secret too, but nothing here is constant-time: these keys have no secret to keep.
    func signDeterministically(digest: [UInt8]) throws(ForgeError) -> [UInt8] {
        let library = unsafe try Libcrypto.context()
        let key = unsafe try load()
        defer { unsafe EVP_PKEY_free(key) }
        var secret: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &secret) == 1 else {
            throw Libcrypto.error("not an EC key")
        }
        defer { unsafe BN_free(secret) }
        let curve = unsafe EVP_PKEY_get_bits(key) > 256 ? NID_secp384r1 : NID_X9_62_prime256v1
        let group = unsafe EC_GROUP_new_by_curve_name_ex(library, nil, curve)
        let point = unsafe EC_POINT_new(group)
        let scratch = unsafe BN_CTX_new_ex(library)
        defer {
            unsafe EC_POINT_free(point)
            unsafe EC_GROUP_free(group)
            unsafe BN_CTX_free(scratch)
        }
        guard let order = unsafe EC_GROUP_get0_order(group) else { throw Libcrypto.error("ECDSA") }
        let size = unsafe (Int(BN_num_bits(order)) + 7) / 8
        var secretOctets = [UInt8](repeating: 0, count: size)
        guard unsafe BN_bn2binpad(secret, &secretOctets, Int32(size)) == Int32(size) else {
            throw Libcrypto.error("ECDSA")
        }
        let nonceOctets = try DigestAlgorithm.sha512.digest(secretOctets + digest)
        let shortened = Array(digest.prefix(size))
        let nonce = unsafe BN_bin2bn(nonceOctets, Int32(nonceOctets.count), nil)
        let message = unsafe BN_bin2bn(shortened, Int32(shortened.count), nil)
        let r = unsafe BN_new()
        let s = unsafe BN_new()
        let inverse = unsafe BN_new()
        defer {
            unsafe BN_free(nonce)
            unsafe BN_free(message)
            unsafe BN_free(r)
            unsafe BN_free(s)
            unsafe BN_free(inverse)
        }
        // r = (k·G).x mod n, s = k⁻¹ (z + r·d) mod n
        guard unsafe BN_nnmod(nonce, nonce, order, scratch) == 1,
            unsafe EC_POINT_mul(group, point, nonce, nil, nil, scratch) == 1,
            unsafe EC_POINT_get_affine_coordinates(group, point, r, nil, scratch) == 1,
            unsafe BN_nnmod(r, r, order, scratch) == 1,
            unsafe BN_mod_inverse(inverse, nonce, order, scratch) != nil,
            unsafe BN_mod_mul(s, r, secret, order, scratch) == 1,
            unsafe BN_mod_add(s, s, message, order, scratch) == 1,
            unsafe BN_mod_mul(s, s, inverse, order, scratch) == 1
        else { throw Libcrypto.error("ECDSA") }
        return BERNode.sequence([unsafe Self.integer(r), unsafe Self.integer(s)]).encoded
    }

    private static func integer(_ number: OpaquePointer?) -> BERNode {
        var magnitude = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
        _ = unsafe BN_bn2bin(number, &magnitude)
        return .integer(magnitude: magnitude)
    }
}
