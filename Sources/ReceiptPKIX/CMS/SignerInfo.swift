package import ReceiptASN1

/// Who signed, how, and the signature (RFC 5652 section 5.3). Nothing in it is verified.
///
/// ```
/// SignerInfo ::= SEQUENCE {
///   version CMSVersion,
///   sid CHOICE {
///     issuerAndSerialNumber SEQUENCE { issuer Name, serialNumber INTEGER },
///     subjectKeyIdentifier [0] IMPLICIT OCTET STRING },
///   digestAlgorithm DigestAlgorithmIdentifier,
///   signedAttrs [0] IMPLICIT SET SIZE (1..MAX) OF Attribute OPTIONAL,
///   signatureAlgorithm SignatureAlgorithmIdentifier,
///   signature OCTET STRING,
///   unsignedAttrs [1] IMPLICIT SET SIZE (1..MAX) OF Attribute OPTIONAL }
/// ```
///
/// Success means that this grammar holds, and that of the unsigned attributes, which nothing reads. It does **not** mean
/// that the algorithms are known or fit each other, that the issuer is a Name, that there is a certificate of that issuer
/// and number, or that the signed attributes are well-formed (``Swift/Span/readSignedAttributes(_:)``).
package struct SignerInfo: Sendable {
    /// How the signer's certificate is named.
    package enum Identifier: Hashable, Sendable {
        /// The issuer's name as a whole element, and the content octets of the serial number.
        case issuerAndSerialNumber(issuer: Range<Int>, serialNumber: Range<Int>)
        /// The octets of the subject key identifier.
        case subjectKeyIdentifier(Range<Int>)
    }

    package let version: Int
    package let identifier: Identifier
    package let digestAlgorithm: AlgorithmIdentifier
    /// The whole `[0]` element; what is signed is these bytes with the tag of a SET OF (section 5.4).
    package let signedAttributes: Range<Int>?
    package let signatureAlgorithm: AlgorithmIdentifier
    /// The octets of the signature.
    package let signature: Range<Int>
    package let hasUnsignedAttributes: Bool
}

extension Span where Element == UInt8 {
    package func readSignerInfo(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> SignerInfo {
        var info = try read(.sequence, &cursor, "SignerInfo")
        let version = try readVersion(&info, "SignerInfo.version")
        let identifier = try readSignerIdentifier(&info)
        let digestAlgorithm = try readAlgorithmIdentifier(&info, "SignerInfo.digestAlgorithm")
        var signedAttributes: Range<Int>?
        if isNext(.context(0, constructed: true), info) {
            signedAttributes = try readElement(&info, "SignerInfo.signedAttrs").range
        }
        let signatureAlgorithm = try readAlgorithmIdentifier(&info, "SignerInfo.signatureAlgorithm")
        let signature = try read(.octetString, &info, "SignerInfo.signature")
        let hasUnsignedAttributes = isNext(.context(1, constructed: true), info)
        if hasUnsignedAttributes { try checkUnsignedAttributes(&info) }
        try end(info, "SignerInfo")
        return SignerInfo(
            version: version, identifier: identifier, digestAlgorithm: digestAlgorithm,
            signedAttributes: signedAttributes, signatureAlgorithm: signatureAlgorithm, signature: signature.range,
            hasUnsignedAttributes: hasUnsignedAttributes)
    }

    /// `unsignedAttrs [1] IMPLICIT SET OF Attribute OPTIONAL`: nobody signs them and nothing reads them.
    private func checkUnsignedAttributes(_ cursor: inout Cursor) throws(ReceiptDecodingError) {
        let field: StaticString = "SignerInfo.unsignedAttrs"
        var set = try read(.context(1, constructed: true), &cursor, field)
        while !set.isAtEnd {
            let start = set.position
            var attribute = try read(.sequence, &set, field)
            let type = try readObjectIdentifier(&attribute, field)
            switch type {
            case .contentTypeAttribute, .messageDigestAttribute, .signingTimeAttribute:
                // Section 11: these are signed or not there.
                throw .fault(.invalidExtension, start, field, detail: "\(type) must be a signed attribute")
            default: break
            }
            var values = try read(.set, &attribute, field)
            try end(attribute, field)
            while !values.isAtEnd { try checkAny(try readElement(&values, field), field) }
        }
    }

    /// `SignerIdentifier ::= CHOICE { issuerAndSerialNumber, subjectKeyIdentifier [0] IMPLICIT OCTET STRING }`.
    private func readSignerIdentifier(
        _ cursor: inout Cursor
    ) throws(ReceiptDecodingError) -> SignerInfo.Identifier {
        let keyIdentifier = Tag.context(0, constructed: false)
        if isNext(keyIdentifier, cursor) {
            return .subjectKeyIdentifier(try read(keyIdentifier, &cursor, "SignerInfo.sid").range)
        }
        var pair = try read(.sequence, &cursor, "SignerInfo.sid")
        let issuer = try readElement(&pair, "SignerInfo.sid.issuer")
        guard issuer.tag == .sequence else {
            throw .fault(.unexpectedTag, issuer.start, "SignerInfo.sid.issuer", detail: "found \(issuer.tag)")
        }
        let serialNumber = try readIntegerContent(&pair, "SignerInfo.sid.serialNumber")
        try end(pair, "SignerInfo.sid")
        return .issuerAndSerialNumber(issuer: issuer.range, serialNumber: serialNumber.range)
    }
}

/// The signed attributes that RFC 5652 section 5.3 demands when there are any.
package struct SignedAttributes: Sendable {
    package let contentType: ObjectIdentifier?
    /// The octets of the message digest.
    package let messageDigest: Range<Int>?
}

extension Span where Element == UInt8 {
    /// Reads the attributes inside a `[0]` element; other attributes than the two are checked for form only.
    ///
    /// Each may be there once, with one value. Section 11 says so of contentType, messageDigest and signingTime, and
    /// OpenSSL of some more; several values would have an order that OpenSSL restores before it digests.
    package func readSignedAttributes(_ range: Range<Int>) throws(ReceiptDecodingError) -> SignedAttributes {
        let field: StaticString = "SignerInfo.signedAttrs"
        var outer = Cursor(range)
        var set = try read(.context(0, constructed: true), &outer, field)
        try end(outer, field)
        var types: Set<ObjectIdentifier> = []
        var contentType: ObjectIdentifier?
        var messageDigest: Range<Int>?
        while !set.isAtEnd {
            let start = set.position
            var attribute = try read(.sequence, &set, field)
            let type = try readObjectIdentifier(&attribute, field)
            var values = try read(.set, &attribute, field)
            try end(attribute, field)
            guard types.insert(type).inserted else {
                throw .fault(.invalidExtension, start, field, detail: "two attributes of type \(type)")
            }
            switch type {
            case .contentTypeAttribute: contentType = try readObjectIdentifier(&values, field)
            case .messageDigestAttribute: messageDigest = try read(.octetString, &values, field).range
            case .countersignatureAttribute:
                throw .fault(.invalidExtension, start, field, detail: "a countersignature, which must not be signed")
            default: try checkAny(try readElement(&values, field), field)
            }
            try end(values, field)
        }
        return SignedAttributes(contentType: contentType, messageDigest: messageDigest)
    }
}
