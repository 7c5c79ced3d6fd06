package import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptPKIX

/// A certificate together with the bytes that its ranges refer to.
package struct DecodedCertificate: Sendable {
    package let bytes: [UInt8]
    package let fields: Certificate

    package init(_ bytes: [UInt8], limits: DecodingLimits) throws(ReceiptDecodingError) {
        self.bytes = bytes
        fields = try bytes.span.readCertificate(0..<bytes.count, limits: limits)
    }

    func consists(of other: Span<UInt8>) -> Bool { bytes.span.hasSameBytes(as: other) }

    /// The seconds since 1970 at which it is valid; the last second is left out, see the check of validity.
    var validity: Range<Int64> { fields.notBefore..<max(fields.notBefore, fields.notAfter) }

    func isValid(at time: ReceiptDate) -> Bool { validity.contains(time.secondsSince1970) }

    /// Names are compared by their bytes (they are DER on both sides; RFC 5280 7.1 allows more, Apple needs none).
    package func isIssued(by issuer: DecodedCertificate) -> Bool {
        bytes[fields.issuer] == issuer.bytes[issuer.fields.subject]
    }

    /// Whether what the certificate says of its issuer's key is true of an issuer: the key identifier where both have one,
    /// and the name and number of the issuer's own certificate where they are given.
    ///
    /// A signature says more, but OpenSSL goes by these when it looks for an issuer and refuses a certificate whose
    /// identifiers disagree or cannot be read; so do we.
    package func namesKey(of issuer: DecodedCertificate) -> Bool {
        do throws(ReceiptDecodingError) {
            _ = try subjectKeyIdentifier()
            guard let value = fields.extension(.authorityKeyIdentifier)?.value else { return true }
            let named = try bytes.span.readAuthorityKeyIdentifier(value)
            if let identifier = named.keyIdentifier, let own = try issuer.subjectKeyIdentifier(),
                bytes[identifier] != own
            {
                return false
            }
            if let serial = named.serialNumber, bytes[serial] != issuer.bytes[issuer.fields.serialNumber] {
                return false
            }
            if let name = named.issuer, bytes[name] != issuer.bytes[issuer.fields.issuer] { return false }
            return true
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
    /// P-256 and P-384, by their coordinates. RSA of 1024 bits (the iOS 6-style and 2010 certificates) to 4096 (Apple's largest); the exponent odd, at
    /// least 3 and below 2^32, so that one check has a known cost.
    package var keyProblem: String? {
        switch fields.publicKey {
        case .other(let algorithm): return "its key is neither RSA nor on P-256 or P-384 (algorithm \(algorithm))"
        case .ellipticCurve(let curve, let point):
            // SEC 1 2.3.3, the uncompressed form. Whether the point lies on its curve is found out when the key is made.
            let isUncompressed = point.count == 1 + 2 * curve.byteCount && bytes[point.lowerBound] == 0x04
            return isUncompressed ? nil : "the point of its \(curve.name) key is not given by both coordinates"
        case .rsa(let modulus, let exponent):
            let bits = modulus.count * 8 - bytes[modulus.lowerBound].leadingZeroBitCount
            guard (1_024...4_096).contains(bits) else { return "its RSA key has \(bits) bits" }
            guard bytes[modulus.upperBound - 1] & 1 == 1 else { return "its RSA modulus is even" }
            let value = exponent.count > 4 ? nil : bytes[exponent].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let value, value >= 3, value & 1 == 1 else { return "its RSA public exponent is not acceptable" }
            return nil
        }
    }

    /// What kind of key it is; nil when ``keyProblem`` is not.
    package var keyKind: KeyKind? {
        guard keyProblem == nil else { return nil }
        switch fields.publicKey {
        case .rsa: return .rsa
        case .ellipticCurve(let curve, _): return .elliptic(curve)
        case .other: return nil
        }
    }

    /// The key for libcrypto; nil when ``keyProblem`` is not, and when a point does not lie on its curve.
    package func publicKey(_ libcrypto: Libcrypto) throws(LibcryptoError) -> PublicKey? {
        guard keyProblem == nil else { return nil }
        switch fields.publicKey {
        case .rsa(let modulus, let exponent):
            return .rsa(
                try libcrypto.publicKey(
                    modulus: bytes.span.extracting(modulus), exponent: bytes.span.extracting(exponent)))
        case .ellipticCurve(let curve, let point):
            return try libcrypto.publicKey(point: bytes.span.extracting(point), on: curve).map { .elliptic($0) }
        case .other: return nil
        }
    }
}
