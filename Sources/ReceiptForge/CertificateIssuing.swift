/// A certificate of the forge, with the key it certifies.
public struct ForgedCertificate: Hashable, Sendable {
    /// The certificate as it was asked for.
    public let template: CertificateTemplate
    public let issuer: DistinguishedName
    public let der: [UInt8]

    /// The subject's key.
    public var key: ForgedKey { template.key }
    public var subject: DistinguishedName { template.subject }

    /// The certificate in PEM armour, as `openssl` and many servers want their anchors.
    public var pem: String { TextForm.pem("CERTIFICATE").applied(toBase64: Base64.encode(der), of: der) }
}

extension CertificateTemplate {
    /// Writes and signs the certificate.
    ///
    /// - Parameters:
    ///   - authority: the certificate above; nil for a self-signed one.
    ///   - edit: a last change to the signed part (TBSCertificate) before it is signed.
    public func issue(
        under authority: ForgedCertificate?, editing edit: (inout BERNode) -> Void = { _ in }
    ) throws(ForgeError) -> ForgedCertificate {
        let publicKey = try writtenPublicKey()
        let issuerKey = try authority?.template.writtenPublicKey()
        let subjectKeyID = try Self.keyIdentifier(subjectKeyIdentifier, of: publicKey)
        let authorityKeyID = try Self.keyIdentifier(authorityKeyIdentifier, of: issuerKey ?? publicKey)
        let issuer = issuer ?? authority?.subject ?? subject
        var signed = BERNode.sequence(
            (version == 1 ? [] : [.explicit(0, .integer(version - 1))]) + [
                serial, innerAlgorithm ?? signatureAlgorithm.identifier, issuer.node,
                .sequence([notBefore.node, notAfter.node]),
                subject.node,
                publicKey,
            ])
        let extensions = extensionNodes(subjectKeyID, authorityKeyID)
        if !extensions.isEmpty { signed.children.append(.explicit(3, .sequence(extensions))) }
        edit(&signed)
        let signature = try (signingKey ?? authority?.key ?? key).sign(signed.encoded, signatureAlgorithm.scheme)
        let certificate = BERNode.sequence([signed, signatureAlgorithm.identifier, .bitString(signature)])
        return ForgedCertificate(template: self, issuer: issuer, der: certificate.encoded)
    }

    private func writtenPublicKey() throws(ForgeError) -> BERNode {
        if let publicKeyInfo { return publicKeyInfo }
        return try key.publicKeyInfo()
    }

    /// The extensions in the order that Apple's certificates of today have.
    private func extensionNodes(_ subjectKey: [UInt8]?, _ authorityKey: [UInt8]?) -> [BERNode] {
        var extensions: [CertificateExtension] = []
        if let constraints = basicConstraints {
            let isCA = constraints.isCA ? [BERNode.boolean(true)] : []
            let pathLength = constraints.pathLength.map { [BERNode.integer($0)] } ?? []
            extensions.append(
                CertificateExtension([2, 5, 29, 19], critical: constraints.isCritical, .sequence(isCA + pathLength)))
        }
        if let authorityKey {
            let identifier = BERNode.sequence([.implicit(0, .octetString(authorityKey))])
            extensions.append(CertificateExtension([2, 5, 29, 35], identifier))
        }
        if let subjectKey { extensions.append(CertificateExtension([2, 5, 29, 14], .octetString(subjectKey))) }
        if let usage = keyUsage {
            extensions.append(
                CertificateExtension([2, 5, 29, 15], critical: usage.isCritical, Self.namedBits(usage.bits)))
        }
        extensions += markers.map { CertificateExtension($0, .null) } + extraExtensions
        return extensions.map(\.node)
    }

    /// A BIT STRING of named bits without trailing zeros, X.690 clause 11.2.2.
    private static func namedBits(_ bits: Set<Int>) -> BERNode {
        guard let last = bits.filter({ (0..<64).contains($0) }).max() else { return .bitString([]) }
        var octets = [UInt8](repeating: 0, count: last / 8 + 1)
        for bit in bits where (0...last).contains(bit) { octets[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return .bitString(octets, unusedBits: UInt8(7 - last % 8))
    }

    private static func keyIdentifier(
        _ identifier: KeyIdentifier, of publicKeyInfo: BERNode
    ) throws(ForgeError) -> [UInt8]? {
        switch identifier {
        case .absent: return nil
        case .bytes(let bytes): return bytes
        case .automatic:
            let bits = publicKeyInfo.children.last?.encodedContent.dropFirst() ?? []
            return try DigestAlgorithm.sha1.digest(Array(bits))
        }
    }
}
