package import ReceiptASN1

/// An X.509 certificate (RFC 5280 section 4.1), decoded to what validating a receipt needs. Nothing is verified.
///
/// ```
/// Certificate ::= SEQUENCE {
///   tbsCertificate SEQUENCE {
///     version [0] EXPLICIT INTEGER { v1(0), v2(1), v3(2) } DEFAULT v1,
///     serialNumber INTEGER,
///     signature AlgorithmIdentifier,
///     issuer Name,
///     validity SEQUENCE { notBefore Time, notAfter Time },
///     subject Name,
///     subjectPublicKeyInfo SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING },
///     issuerUniqueID [1] IMPLICIT BIT STRING OPTIONAL,
///     subjectUniqueID [2] IMPLICIT BIT STRING OPTIONAL,
///     extensions [3] EXPLICIT SEQUENCE SIZE (1..MAX) OF Extension OPTIONAL },
///   signatureAlgorithm AlgorithmIdentifier,
///   signatureValue BIT STRING }
/// ```
///
/// Success means that this grammar holds to the last byte in DER, names and times in the forms of section 4.1 included, and
/// that no extension comes twice. It does **not** mean that the two signature algorithms agree, that notBefore is before
/// notAfter, that a serial number is positive, that the key is one (on its curve, of some size), that any extension's value
/// is well-formed or any critical one known, or that anybody signed it.
///
/// Ranges are offsets into the buffer that held it.
package struct Certificate: Sendable {
    /// The whole certificate.
    package let range: Range<Int>
    /// The whole TBSCertificate element: the bytes that the issuer signed.
    package let tbsCertificate: Range<Int>
    /// 1, 2 or 3.
    package let version: Int
    /// Content octets of the serial number.
    package let serialNumber: Range<Int>
    /// `TBSCertificate.signature`; must equal `signatureAlgorithm` (section 4.1.1.2), which the validator checks.
    package let innerSignatureAlgorithm: AlgorithmIdentifier
    /// The names as whole elements.
    package let issuer: Range<Int>
    package let subject: Range<Int>
    /// Seconds since 1970; both ends belong to the validity (section 4.1.2.5).
    package let notBefore: Int64
    package let notAfter: Int64
    package let publicKey: PublicKey
    package let extensions: [Extension]
    package let signatureAlgorithm: AlgorithmIdentifier
    /// The octets of the signature.
    package let signature: Range<Int>

    package enum PublicKey: Hashable, Sendable {
        /// Magnitudes, big-endian without leading zeros.
        case rsa(modulus: Range<Int>, exponent: Range<Int>)
        /// A named curve, and the octets of a point that may or may not lie on it.
        case ellipticCurve(NamedCurve, point: Range<Int>)
        /// Another algorithm, or another curve.
        case other(ObjectIdentifier)
    }

    package struct Extension: Sendable {
        package let identifier: ObjectIdentifier
        package let isCritical: Bool
        /// The octets inside extnValue.
        package let value: Range<Int>
    }

    package func `extension`(_ identifier: ObjectIdentifier) -> Extension? {
        extensions.first { $0.identifier == identifier }
    }
}

/// What finding a certificate among others needs: read without looking at the rest.
package struct CertificateOutline: Sendable {
    package let serialNumber: Range<Int>
    package let issuer: Range<Int>
    package let subject: Range<Int>
}

extension Span where Element == UInt8 {
    /// Decodes the certificate that is exactly the given region.
    package func readCertificate(
        _ range: Range<Int>, limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> Certificate {
        var outer = Cursor(range)
        var certificate = try read(.sequence, &outer, "Certificate")
        try end(outer, "Certificate")
        let tbs = try readElement(&certificate, "Certificate.tbsCertificate")
        guard tbs.tag == .sequence else {
            throw .fault(.unexpectedTag, tbs.start, "Certificate.tbsCertificate", detail: "found \(tbs.tag)")
        }
        let signatureAlgorithm = try readAlgorithmIdentifier(&certificate, "Certificate.signatureAlgorithm")
        let signatureOffset = certificate.position
        let signature = try readBitString(&certificate, "Certificate.signatureValue")
        guard signature.unusedBits == 0 else {
            throw .fault(.invalidBitString, signatureOffset, "Certificate.signatureValue")
        }
        try end(certificate, "Certificate")

        var content = tbs.content
        let version = try readCertificateVersion(&content)
        let serialNumber = try readIntegerContent(&content, "Certificate.serialNumber")
        let innerSignatureAlgorithm = try readAlgorithmIdentifier(&content, "Certificate.signature")
        let issuer = try readName(&content, "Certificate.issuer")
        var validity = try read(.sequence, &content, "Certificate.validity")
        let notBefore = try readTime(&validity, "Certificate.validity.notBefore")
        let notAfter = try readTime(&validity, "Certificate.validity.notAfter")
        try end(validity, "Certificate.validity")
        let subject = try readName(&content, "Certificate.subject")
        let publicKey = try readPublicKey(&content)
        // issuerUniqueID and subjectUniqueID belong to versions 2 and 3 (section 4.1.2.8); nobody uses them.
        for number: UInt8 in 1...2 where version >= 2 && isNext(.context(number, constructed: false), content) {
            _ = try readBitString(
                &content, tag: .context(number, constructed: false), "Certificate.uniqueIdentifier")
        }
        var extensions: [Certificate.Extension] = []
        if version == 3, isNext(.context(3, constructed: true), content) {
            extensions = try readExtensions(&content, limits)
        }
        try end(content, "Certificate.tbsCertificate")
        return Certificate(
            range: range, tbsCertificate: tbs.range, version: version, serialNumber: serialNumber.range,
            innerSignatureAlgorithm: innerSignatureAlgorithm, issuer: issuer, subject: subject, notBefore: notBefore,
            notAfter: notAfter, publicKey: publicKey, extensions: extensions,
            signatureAlgorithm: signatureAlgorithm, signature: signature.octets.range)
    }

    /// Reads a certificate's serial number and names only.
    package func readCertificateOutline(_ range: Range<Int>) throws(ReceiptDecodingError) -> CertificateOutline {
        var outer = Cursor(range)
        var certificate = try read(.sequence, &outer, "Certificate")
        var content = try read(.sequence, &certificate, "Certificate.tbsCertificate")
        if isNext(.context(0, constructed: true), content) {
            _ = try readElement(&content, "Certificate.version")
        }
        let serialNumber = try readIntegerContent(&content, "Certificate.serialNumber")
        _ = try readElement(&content, "Certificate.signature")
        let issuer = try readElement(&content, "Certificate.issuer")
        _ = try readElement(&content, "Certificate.validity")
        let subject = try readElement(&content, "Certificate.subject")
        return CertificateOutline(serialNumber: serialNumber.range, issuer: issuer.range, subject: subject.range)
    }

    /// `version [0] EXPLICIT INTEGER DEFAULT v1`.
    private func readCertificateVersion(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> Int {
        let field: StaticString = "Certificate.version"
        guard isNext(.context(0, constructed: true), cursor) else { return 1 }
        let start = cursor.position
        var explicit = try read(.context(0, constructed: true), &cursor, field)
        let version = try readInteger(&explicit, field)
        try end(explicit, field)
        guard version != 0 else { throw .fault(.encodedDefault, start, field) }
        guard version == 1 || version == 2 else {
            throw .fault(.unsupportedVersion, start, field, detail: "version \(version)")
        }
        return Int(version) + 1
    }

    /// `Name ::= SEQUENCE OF SET OF SEQUENCE { type OBJECT IDENTIFIER, value ANY }` (section 4.1.2.4).
    func readName(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Range<Int> {
        let start = cursor.position
        var sequence = try read(.sequence, &cursor, field)
        while !sequence.isAtEnd {
            var set = try read(.set, &sequence, field)
            try checkRelativeName(&set, field)
        }
        return start..<cursor.position
    }

    /// The content of a RelativeDistinguishedName: at least one pair.
    func checkRelativeName(_ set: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        repeat {
            var pair = try read(.sequence, &set, field)
            _ = try readObjectIdentifier(&pair, field)
            try checkNameValue(try readElement(&pair, field), field)
            try end(pair, field)
        } while !set.isAtEnd
    }

    /// A value of a Name: text. The types are those of DirectoryString and of the attributes of section 4.1.2.4.
    private func checkNameValue(
        _ element: ReceiptASN1.Element, _ field: StaticString
    ) throws(ReceiptDecodingError) {
        switch element.tag {
        case .utf8String, .numericString, .printableString, .teletexString, .ia5String, .bmpString:
            try checkAny(element, field)
            // UCS-2 has no surrogates, and OpenSSL refuses a name that holds one.
            if element.tag == .bmpString {
                for position in stride(from: element.content.position, to: element.content.limit, by: 2)
                where (0xD8...0xDF).contains(self[position]) {
                    throw .fault(.invalidBMPString, position, field, detail: "a surrogate")
                }
            }
        default: throw .fault(.unexpectedTag, element.start, field, detail: "found \(element.tag) for text")
        }
    }

    /// `SubjectPublicKeyInfo ::= SEQUENCE { algorithm, subjectPublicKey BIT STRING }`; RSA keys by RFC 8017 A.1.1,
    /// points by RFC 5480 section 2.2.
    private func readPublicKey(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> Certificate.PublicKey {
        let field: StaticString = "Certificate.subjectPublicKeyInfo"
        var info = try read(.sequence, &cursor, field)
        let algorithm = try readAlgorithmIdentifier(&info, field)
        let bits = try readBitString(&info, field)
        try end(info, field)
        if algorithm.algorithm == .ecPublicKey, let curve = try readNamedCurve(algorithm, field) {
            guard bits.unusedBits == 0 else { throw .fault(.invalidBitString, bits.octets.position, field) }
            return .ellipticCurve(curve, point: bits.octets.range)
        }
        guard algorithm.algorithm == .rsaEncryption else { return .other(algorithm.algorithm) }
        guard bits.unusedBits == 0 else { throw .fault(.invalidBitString, bits.octets.position, field) }
        var octets = bits.octets
        var key = try read(.sequence, &octets, field)
        try end(octets, field)
        let modulus = try readUnsignedIntegerContent(&key, "RSAPublicKey.modulus")
        let exponent = try readUnsignedIntegerContent(&key, "RSAPublicKey.publicExponent")
        try end(key, field)
        return .rsa(modulus: modulus.range, exponent: exponent.range)
    }
    /// `ECParameters ::= CHOICE { namedCurve OBJECT IDENTIFIER }` (RFC 5480 section 2.1.1); nil for what is none of ours,
    /// curves spelled out in numbers among them.
    private func readNamedCurve(
        _ algorithm: AlgorithmIdentifier, _ field: StaticString
    ) throws(ReceiptDecodingError) -> NamedCurve? {
        var outer = Cursor(algorithm.range)
        var content = try read(.sequence, &outer, field)
        _ = try readObjectIdentifier(&content, field)
        guard isNext(.objectIdentifier, content) else { return nil }
        return NamedCurve(try readObjectIdentifier(&content, field))
    }
}
