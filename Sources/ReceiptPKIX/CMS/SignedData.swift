package import ReceiptASN1

/// A CMS SignedData (RFC 5652 section 5) inside its ContentInfo (section 3), taken apart but not verified.
///
/// ```
/// ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY DEFINED BY contentType }
/// SignedData ::= SEQUENCE {
///   version CMSVersion,
///   digestAlgorithms SET OF DigestAlgorithmIdentifier,
///   encapContentInfo SEQUENCE {
///     eContentType OBJECT IDENTIFIER,
///     eContent [0] EXPLICIT OCTET STRING OPTIONAL },
///   certificates [0] IMPLICIT SET OF CertificateChoices OPTIONAL,
///   crls [1] IMPLICIT RevocationInfoChoices OPTIONAL,
///   signerInfos SET OF SignerInfo }
/// ```
///
/// Stricter than that: eContent must be there, certificates must be X.509, and versions are 0 to 5. More lenient: the
/// elements of a SET OF may be in any order, since Xcode does not sort them.
///
/// Ranges are offsets into the DER that was decoded. Success means that the container follows the grammar to its last
/// byte. It does **not** mean that any signature holds, that a certificate is more than one element (certificates are read
/// by validation), that the version is the one that section 5.1 prescribes for what is there, what the lists of revoked
/// certificates hold, or that the content is a receipt.
package struct SignedData: Sendable {
    package let version: Int
    package let digestAlgorithms: [AlgorithmIdentifier]
    package let contentType: ObjectIdentifier
    /// The content octets of eContent: the bytes that are digested.
    package let content: Range<Int>
    /// Each certificate as a whole element, in the order of the container, undecoded.
    package let certificates: [Range<Int>]
    package let hasCRLs: Bool
    package let signerInfos: [SignerInfo]
}

extension SignedData {
    /// Where certificates and CRLs lie in a container: ContentInfo, content, SignedData, `[0]` or `[1]`.
    package static let preserved = BERNormalizer.Preserved(
        depth: 3, tags: [.context(0, constructed: true), .context(1, constructed: true)])

    /// Decodes a container that is DER or BER. BER is rewritten as DER first, and `input` replaced by it.
    ///
    /// Errors carry offsets into the input as it was given, also when it was BER.
    package static func decode(
        _ input: inout [UInt8], limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> SignedData {
        guard input.count <= limits.bytes else {
            throw .fault(
                .inputTooLong, limits.bytes, "ContentInfo", detail: "\(input.count) bytes, limit \(limits.bytes)")
        }
        let strictError: ReceiptDecodingError
        do {
            return try input.span.readContentInfo(limits)
        } catch {
            // The codes with which BER shows itself to the strict reader.
            let isBER: Set<ReceiptDecodingError.Code> = [.indefiniteLength, .nonMinimalLength, .unexpectedTag]
            guard isBER.contains(error.code) else { throw error }
            strictError = error
        }
        let der = try BERNormalizer.normalize(input.span, preserving: preserved, limits: limits, "ContentInfo")
        guard der != input else { throw strictError }
        do {
            let signedData = try der.span.readContentInfo(limits)
            input = der
            return signedData
        } catch {
            var error = error
            error.offset = BERNormalizer.originalOffset(
                of: error.offset, in: input.span, preserving: preserved, limits: limits, "ContentInfo")
            throw error
        }
    }
}

extension Span where Element == UInt8 {
    /// `ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT ANY }`, which must hold SignedData.
    fileprivate func readContentInfo(_ limits: DecodingLimits) throws(ReceiptDecodingError) -> SignedData {
        var input = Cursor(0, count)
        var contentInfo = try read(.sequence, &input, "ContentInfo")
        try end(input, "ContentInfo")
        let typeOffset = contentInfo.position
        let contentType = try readObjectIdentifier(&contentInfo, "ContentInfo.contentType")
        guard contentType == .signedData else {
            throw .fault(.notSignedData, typeOffset, "ContentInfo.contentType", detail: "content type \(contentType)")
        }
        var content = try read(.context(0, constructed: true), &contentInfo, "ContentInfo.content")
        try end(contentInfo, "ContentInfo")
        var signedData = try read(.sequence, &content, "SignedData")
        try end(content, "ContentInfo.content")
        return try readSignedData(&signedData, limits)
    }

    private func readSignedData(
        _ cursor: inout Cursor, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> SignedData {
        let version = try readVersion(&cursor, "SignedData.version")
        let digestAlgorithms = try readDigestAlgorithms(&cursor, limits)
        var encapsulated = try read(.sequence, &cursor, "EncapsulatedContentInfo")
        let contentType = try readObjectIdentifier(&encapsulated, "EncapsulatedContentInfo.eContentType")
        guard !encapsulated.isAtEnd else {
            throw .fault(.missingContent, encapsulated.position, "EncapsulatedContentInfo.eContent")
        }
        var explicit = try read(
            .context(0, constructed: true), &encapsulated, "EncapsulatedContentInfo.eContent")
        let content = try read(.octetString, &explicit, "EncapsulatedContentInfo.eContent")
        try end(explicit, "EncapsulatedContentInfo.eContent")
        try end(encapsulated, "EncapsulatedContentInfo")
        let certificates = try readCertificates(&cursor, limits)
        let hasCRLs = isNext(.context(1, constructed: true), cursor)
        if hasCRLs { _ = try readElement(&cursor, "SignedData.crls") }
        let signerInfos = try readSignerInfos(&cursor, limits)
        try end(cursor, "SignedData")
        return SignedData(
            version: version, digestAlgorithms: digestAlgorithms, contentType: contentType, content: content.range,
            certificates: certificates, hasCRLs: hasCRLs, signerInfos: signerInfos)
    }

    private func readDigestAlgorithms(
        _ cursor: inout Cursor, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> [AlgorithmIdentifier] {
        var set = try read(.set, &cursor, "SignedData.digestAlgorithms")
        var algorithms: [AlgorithmIdentifier] = []
        while !set.isAtEnd {
            guard algorithms.count < limits.signerInfos else {
                throw .fault(.tooManySignerInfos, set.position, "SignedData.digestAlgorithms")
            }
            algorithms.append(try readAlgorithmIdentifier(&set, "SignedData.digestAlgorithms"))
        }
        return algorithms
    }

    /// `certificates [0] IMPLICIT SET OF CertificateChoices OPTIONAL`; only X.509 certificates are taken.
    private func readCertificates(
        _ cursor: inout Cursor, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> [Range<Int>] {
        guard isNext(.context(0, constructed: true), cursor) else { return [] }
        var set = try read(.context(0, constructed: true), &cursor, "SignedData.certificates")
        var certificates: [Range<Int>] = []
        // Receipts have one or three.
        certificates.reserveCapacity(3)
        while !set.isAtEnd {
            guard certificates.count < limits.certificates else {
                throw .fault(
                    .tooManyCertificates, set.position, "SignedData.certificates",
                    detail: "more than \(limits.certificates)")
            }
            let element = try readElement(&set, "SignedData.certificates")
            guard element.tag == .sequence else {
                throw .fault(
                    .unsupportedCertificate, element.start, "SignedData.certificates",
                    detail: "found \(element.tag), expected an X.509 certificate")
            }
            certificates.append(element.range)
        }
        return certificates
    }

    private func readSignerInfos(
        _ cursor: inout Cursor, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> [SignerInfo] {
        var set = try read(.set, &cursor, "SignedData.signerInfos")
        var signerInfos: [SignerInfo] = []
        while !set.isAtEnd {
            guard signerInfos.count < limits.signerInfos else {
                throw .fault(
                    .tooManySignerInfos, set.position, "SignedData.signerInfos",
                    detail: "more than \(limits.signerInfos)")
            }
            signerInfos.append(try readSignerInfo(&set))
        }
        return signerInfos
    }

    /// CMSVersion: 0 to 5 (RFC 5652 section 10.2.5).
    func readVersion(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int {
        let offset = cursor.position
        let version = try readInteger(&cursor, field)
        guard (0...5).contains(version) else {
            throw .fault(.unsupportedVersion, offset, field, detail: "version \(version)")
        }
        return Int(version)
    }
}
