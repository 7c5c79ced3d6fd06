extension MessageTemplate {
    /// Signs a payload and writes the whole message.
    public func sign(_ payload: [UInt8]) throws(ForgeError) -> BERNode {
        let signed = hasContent ? payload : []
        var digests: [BERNode] = digestAlgorithms ?? []
        if digestAlgorithms == nil {
            for signer in signers where !digests.contains(signer.digest.identifier) {
                digests.append(signer.digest.identifier)
            }
        }
        var infos: [BERNode] = []
        for signer in signers { infos.append(try signer.sign(signed)) }
        var fields = [BERNode.integer(version), .set(digests), encapsulate(payload)]
        if let certificates {
            fields.append(.implicit(0, .set(certificates.map { .verbatim($0) })))
        }
        if let revocationLists { fields.append(.implicit(1, .set(revocationLists))) }
        fields.append(.set(infos))
        var message = BERNode.sequence([.oid(contentType), .explicit(0, .sequence(fields))])
        if case .indefinite = encoding {
            message.length = .indefinite
            message[[1]].length = .indefinite
            message[[1, 0]].length = .indefinite
        }
        return message
    }

    private func encapsulate(_ payload: [UInt8]) -> BERNode {
        var node = BERNode.sequence([.oid(encapsulatedContentType)])
        switch encoding {
        case .der:
            if hasContent { node.children.append(.explicit(0, .octetString(payload))) }
        case .indefinite(let pieces):
            node.length = .indefinite
            guard hasContent else { break }
            let size = max(1, pieces ?? max(1, payload.count))
            let chunks = stride(from: 0, to: payload.count, by: size).map {
                Array(payload[$0..<min($0 + size, payload.count)])
            }
            var wrapper = BERNode.explicit(0, .octetString(chunks: chunks))
            wrapper.length = .indefinite
            node.children.append(wrapper)
        }
        return node
    }
}

extension SignerTemplate {
    func sign(_ content: [UInt8]) throws(ForgeError) -> BERNode {
        let sid: BERNode =
            switch identifier {
            case .issuerAndSerial(let issuer, let serial): .sequence([issuer, serial])
            case .subjectKeyIdentifier(let bytes): .implicit(0, .octetString(bytes))
            }
        var fields = [BERNode.integer(version), sid, digestIdentifier ?? digest.identifier]
        var input = content
        if let attributes = try signedAttributes?.node(digest: digest, content: content) {
            fields.append(.implicit(0, attributes))
            // Signed with the tag of a SET OF, not with the [0] that is written: RFC 5652 section 5.4.
            input = attributes.encoded
        }
        fields += [algorithm.identifier, .octetString(try key.sign(signedBytes ?? input, algorithm.scheme))]
        if let unsignedAttributes { fields.append(.implicit(1, .set(unsignedAttributes))) }
        return .sequence(fields)
    }
}

extension SignerTemplate.SignedAttributes {
    func node(digest: DigestAlgorithm, content: [UInt8]) throws(ForgeError) -> BERNode {
        let attribute = { (last: UInt, value: BERNode) in
            BERNode.sequence([.oid([1, 2, 840, 113549, 1, 9, last]), .set([value])])
        }
        var nodes: [BERNode] = []
        if let contentType { nodes.append(attribute(3, .oid(contentType))) }
        if hasMessageDigest {
            let value = try messageDigest.orMake { () throws(ForgeError) in try digest.digest(content) }
            nodes.append(attribute(4, .octetString(value)))
        }
        if let signingTime { nodes.append(attribute(5, signingTime.node)) }
        return .set(nodes + extra, sorted: isSorted)
    }
}
