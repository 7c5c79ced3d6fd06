package import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptPKIX

extension Range<Int64> {
    /// Whether these seconds since 1970 are around a time; true without a time.
    func contains(_ time: ReceiptDate?) -> Bool { time.map { contains($0.secondsSince1970) } ?? true }
}

/// A certificate together with the bytes that its ranges refer to.
package struct DecodedCertificate: Sendable {
    package let bytes: [UInt8]
    package let fields: Certificate

    package init(_ bytes: [UInt8], limits: DecodingLimits) throws(ReceiptDecodingError) {
        self.bytes = bytes
        fields = try bytes.span.readCertificate(0..<bytes.count, limits: limits)
    }

    func consists(of other: Span<UInt8>) -> Bool { bytes.span.hasSameBytes(as: other) }

    /// The seconds since 1970 at which it is valid; see ``ReceiptValidator/validityProblem(_:_:)`` for the end.
    var validity: Range<Int64> { fields.notBefore..<max(fields.notBefore, fields.notAfter) }

    /// Whether it is valid at a time; true without a time.
    func isValid(at time: ReceiptDate?) -> Bool { validity.contains(time) }

    /// Names are compared by their bytes (they are DER on both sides; RFC 5280 7.1 allows more, Apple needs none).
    package func isIssued(by issuer: DecodedCertificate) -> Bool {
        bytes[fields.issuer] == issuer.bytes[issuer.fields.subject]
    }

    /// Whether the key identifiers, where both certificates have them, agree on the issuer's key.
    ///
    /// A signature says more, but OpenSSL goes by these when it looks for an issuer and refuses a certificate whose
    /// identifiers disagree or cannot be read; so do we.
    package func namesKey(of issuer: DecodedCertificate) -> Bool {
        do throws(ReceiptDecodingError) {
            _ = try subjectKeyIdentifier()
            guard let value = fields.extension(.authorityKeyIdentifier)?.value,
                let named = try bytes.span.readAuthorityKeyIdentifier(value),
                let own = try issuer.subjectKeyIdentifier()
            else { return true }
            return bytes[named] == own
        } catch {
            return false
        }
    }

    private func subjectKeyIdentifier() throws(ReceiptDecodingError) -> ArraySlice<UInt8>? {
        guard let value = fields.extension(.subjectKeyIdentifier)?.value else { return nil }
        return bytes[try bytes.span.readSubjectKeyIdentifier(value)]
    }

    package var isSelfIssued: Bool { bytes[fields.issuer] == bytes[fields.subject] }

    package func has(_ marker: ObjectIdentifier) -> Bool { fields.extension(marker) != nil }

    /// For messages: the common name, or else the whole subject.
    package var name: String {
        bytes.span.commonName(fields.subject) ?? bytes.span.readableName(fields.subject)
    }

    /// Why the key cannot be used to check a signature, or nil.
    ///
    /// RSA of 1024 bits (the iOS 6-style and 2010 certificates) to 4096 (Apple's largest); the exponent odd, at
    /// least 3 and below 2^32, so that one check has a known cost.
    package var keyProblem: String? {
        switch fields.publicKey {
        case .other(let algorithm): return "its key is not RSA (algorithm \(algorithm))"
        case .ellipticCurve: return "its key is not RSA (algorithm \(ObjectIdentifier.ecPublicKey))"
        case .rsa(let modulus, let exponent):
            let bits = modulus.count * 8 - bytes[modulus.lowerBound].leadingZeroBitCount
            guard (1_024...4_096).contains(bits) else { return "its RSA key has \(bits) bits" }
            guard bytes[modulus.upperBound - 1] & 1 == 1 else { return "its RSA modulus is even" }
            let value = exponent.count > 4 ? nil : bytes[exponent].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let value, value >= 3, value & 1 == 1 else { return "its RSA public exponent is not acceptable" }
            return nil
        }
    }

    /// The key for libcrypto; nil when ``keyProblem`` is not.
    package func publicKey(_ libcrypto: Libcrypto) throws(LibcryptoError) -> RSAPublicKey? {
        guard keyProblem == nil, case .rsa(let modulus, let exponent) = fields.publicKey else { return nil }
        return try libcrypto.publicKey(
            modulus: bytes.span.extracting(modulus), exponent: bytes.span.extracting(exponent))
    }
}
