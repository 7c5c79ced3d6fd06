import ReceiptASN1

/// What the tree knows about the place it is at: names for the children, and the grammar inside them.
///
/// Only names depend on it; the structure is read the same everywhere. A child whose tag is not what the
/// grammar expects gets no name, so a name is never a guess about damaged bytes.
indirect enum Grammar {
    case unknown
    case outermost
    case contentInfo
    case explicitSignedData
    case signedData
    case algorithms
    case algorithm
    case encapsulatedContent
    case explicitContent
    case certificates
    case certificate
    case tbsCertificate
    case validity
    case publicKey
    case keyBits
    case explicitExtensions
    case extensions
    case certificateExtension
    case signerInfos
    case signerInfo
    /// The pieces of a constructed string whose joined content has this grammar.
    case pieces(of: Grammar)
    /// The octets of a payload: its outermost element.
    case payload(Payload)
    case attributes(Payload)
    case attribute(Payload, type: UInt64)
    case attributeValue(Payload, type: UInt64)
    case attributeContent(Payload, type: UInt64)

    enum Payload {
        case receipt
        case inApp
        case appAttest

        func name(_ type: UInt64) -> String? {
            switch self {
            case .receipt: AttributeNames.receipt(type)
            case .inApp: AttributeNames.inApp(type)
            case .appAttest: AttributeNames.appAttest(type)
            }
        }
    }

    /// The kind of payload whose outermost element is the child of this.
    var payload: Payload? {
        if case .payload(let payload) = self { return payload }
        return nil
    }

    /// The receipt attribute whose value is the child of this.
    var attribute: UInt64? {
        if case .attributeContent(.receipt, let type) = self { return type }
        return nil
    }

    /// A child's name and what is inside it.
    struct Naming {
        var label: String?
        var grammar: Grammar = .unknown
        /// Whether the octets must not be read as an encoding.
        var isOpaque = false

        /// The grammar of an encoding found in the octets, and whether it is known rather than guessed.
        func inside(_ content: ArraySlice<UInt8>) -> (grammar: Grammar, isKnown: Bool) {
            switch grammar {
            case .explicitContent:
                guard let payload = payloadKind(content) else { return (.unknown, false) }
                return (.payload(payload), true)
            case .certificateExtension, .keyBits: return (.unknown, true)
            case .attributeValue(.receipt, 17): return (.payload(.inApp), true)
            case .attributeValue(.appAttest, _): return (.unknown, false)
            case .attributeValue(let payload, let type): return (.attributeContent(payload, type: type), true)
            case .payload: return (grammar, true)
            default: return (.unknown, false)
            }
        }
    }

    /// Names child number `index` of an element with this grammar.
    func name(child index: Int, header: ElementHeader, identifier: String?, content: ArraySlice<UInt8>) -> Naming {
        func expect(_ number: UInt32, _ label: String, _ grammar: Grammar = .unknown) -> Naming {
            header.isUniversal(number) ? Naming(label: label, grammar: grammar) : Naming()
        }
        func tagged(_ number: UInt32) -> Bool { header.tagClass == .context && header.number == number }
        let sequence = UniversalTag.sequence

        switch (self, index) {
        case (.outermost, 0):
            if header.isUniversal(sequence), beginsWithObjectIdentifier(content) {
                return Naming(label: "ContentInfo", grammar: .contentInfo)
            }
            if let payload = payloadKind(header, content) {
                return Naming(label: "payload", grammar: .attributes(payload))
            }
            if isCertificate(header, content) { return Naming(label: "Certificate", grammar: .certificate) }
        case (.contentInfo, 0): return expect(UniversalTag.objectIdentifier, "contentType")
        case (.contentInfo, 1) where tagged(0):
            let isSigned = identifier == "1.2.840.113549.1.7.2"
            return Naming(label: "content", grammar: isSigned ? .explicitSignedData : .unknown)
        case (.explicitSignedData, 0): return expect(sequence, "SignedData", .signedData)

        case (.signedData, 0): return expect(UniversalTag.integer, "version")
        case (.signedData, 1): return expect(UniversalTag.set, "digestAlgorithms", .algorithms)
        case (.signedData, 2): return expect(sequence, "encapContentInfo", .encapsulatedContent)
        case (.signedData, _) where tagged(0): return Naming(label: "certificates", grammar: .certificates)
        case (.signedData, _) where tagged(1): return Naming(label: "crls")
        case (.signedData, _): return expect(UniversalTag.set, "signerInfos", .signerInfos)
        case (.algorithms, _): return expect(sequence, "digestAlgorithm", .algorithm)
        case (.algorithm, 0): return expect(UniversalTag.objectIdentifier, "algorithm")
        case (.algorithm, 1): return Naming(label: "parameters")
        case (.encapsulatedContent, 0): return expect(UniversalTag.objectIdentifier, "eContentType")
        case (.encapsulatedContent, 1) where tagged(0): return Naming(label: "eContent", grammar: .explicitContent)
        case (.explicitContent, 0): return Naming(grammar: .explicitContent)
        case (.pieces, _): return Naming(label: "piece \(index + 1)", isOpaque: true)

        case (.certificates, _): return expect(sequence, "Certificate", .certificate)
        case (.certificate, 0): return expect(sequence, "tbsCertificate", .tbsCertificate)
        case (.certificate, 1): return expect(sequence, "signatureAlgorithm", .algorithm)
        case (.certificate, 2): return expect(UniversalTag.bitString, "signatureValue").opaque
        case (.tbsCertificate, 0) where tagged(0): return Naming(label: "version")
        case (.tbsCertificate, _) where tagged(3): return Naming(label: "extensions", grammar: .explicitExtensions)
        case (.tbsCertificate, 1): return expect(UniversalTag.integer, "serialNumber")
        case (.tbsCertificate, 2): return expect(sequence, "signature", .algorithm)
        case (.tbsCertificate, 3): return expect(sequence, "issuer")
        case (.tbsCertificate, 4): return expect(sequence, "validity", .validity)
        case (.tbsCertificate, 5): return expect(sequence, "subject")
        case (.tbsCertificate, 6): return expect(sequence, "subjectPublicKeyInfo", .publicKey)
        case (.validity, 0): return Naming(label: "notBefore")
        case (.validity, 1): return Naming(label: "notAfter")
        case (.publicKey, 0): return expect(sequence, "algorithm", .algorithm)
        case (.publicKey, 1): return expect(UniversalTag.bitString, "subjectPublicKey", .keyBits)
        case (.explicitExtensions, 0): return expect(sequence, "Extensions", .extensions)
        case (.extensions, _): return Naming(grammar: .certificateExtension)
        case (.certificateExtension, 0): return expect(UniversalTag.objectIdentifier, "extnID")
        case (.certificateExtension, 1) where header.isUniversal(UniversalTag.boolean):
            return Naming(label: "critical")
        case (.certificateExtension, _):
            return expect(UniversalTag.octetString, "extnValue", .certificateExtension)

        case (.signerInfos, _): return expect(sequence, "SignerInfo", .signerInfo)
        case (.signerInfo, 0): return expect(UniversalTag.integer, "version")
        case (.signerInfo, 1):
            return tagged(0) ? Naming(label: "subjectKeyIdentifier") : expect(sequence, "issuerAndSerialNumber")
        case (.signerInfo, 2): return expect(sequence, "digestAlgorithm", .algorithm)
        case (.signerInfo, 3) where tagged(0): return Naming(label: "signedAttrs")
        case (.signerInfo, _) where tagged(1): return Naming(label: "unsignedAttrs")
        case (.signerInfo, 3), (.signerInfo, 4):
            if header.isUniversal(sequence) { return Naming(label: "signatureAlgorithm", grammar: .algorithm) }
            return expect(UniversalTag.octetString, "signature").opaque
        case (.signerInfo, 5): return expect(UniversalTag.octetString, "signature").opaque

        case (.payload(let payload), 0): return Naming(grammar: .attributes(payload))
        case (.attributes(let payload), _):
            guard header.isUniversal(sequence), let type = attributeType(content) else { break }
            let name = payload.name(type).map { "\($0) (\(type))" } ?? "attribute \(type)"
            return Naming(label: name, grammar: .attribute(payload, type: type))
        case (.attribute, 0): return expect(UniversalTag.integer, "type")
        case (.attribute, 1): return expect(UniversalTag.integer, "version")
        case (.attribute(let payload, let type), 2):
            let isOpaque = payload == .receipt && AttributeNames.isOpaque(type)
            var naming = expect(UniversalTag.octetString, "value", .attributeValue(payload, type: type))
            naming.isOpaque = isOpaque
            return naming
        default: break
        }
        return Naming()
    }
}

extension Grammar.Naming {
    fileprivate var opaque: Self { Self(label: label, grammar: grammar, isOpaque: true) }
}

// MARK: - Looking ahead

/// The kind of payload some octets hold, told by the shape of their first attributes.
func payloadKind(_ content: ArraySlice<UInt8>) -> Grammar.Payload? {
    let bytes = Array(content.prefix(payloadLookAhead))
    guard let header = try? ElementHeader(at: 0, in: bytes.span, end: bytes.count), header.length <= bytes.count else {
        return nil
    }
    return payloadKind(header, bytes[header.length...])
}

/// How many octets of a payload are looked at to tell its kind: some hundred attributes.
private let payloadLookAhead = 16_384

private func payloadKind(_ header: ElementHeader, _ content: ArraySlice<UInt8>) -> Grammar.Payload? {
    guard header.isConstructed, header.isUniversal(UniversalTag.set) || header.isUniversal(UniversalTag.sequence) else {
        return nil
    }
    let bytes = Array(content.prefix(payloadLookAhead))
    var position = 0
    var seen = 0
    while let element = try? ElementHeader(at: position, in: bytes.span, end: bytes.count),
        let length = element.contentLength, length <= bytes.count - position - element.length
    {
        let start = position + element.length
        let attribute = bytes[start..<(start + length)]
        guard element.isUniversal(UniversalTag.sequence), let type = attributeType(attribute) else { return nil }
        seen += 1
        position = start + length
        // App Attest receipts have the same shape; their type 6 is one of two words.
        if type == 6,
            attribute.suffix(6).elementsEqual("ATTEST".utf8) || attribute.suffix(7).elementsEqual("RECEIPT".utf8)
        {
            return .appAttest
        }
    }
    return seen > 0 ? .receipt : nil
}

/// The type of an attribute `{ type INTEGER, version INTEGER, value OCTET STRING }`, or nil for another shape.
func attributeType(_ content: ArraySlice<UInt8>) -> UInt64? {
    let bytes = Array(content.prefix(64))
    var position = 0
    var type: UInt64?
    for expected in [UniversalTag.integer, UniversalTag.integer, UniversalTag.octetString] {
        guard
            let header = try? ElementHeader(at: position, in: bytes.span, end: bytes.count),
            header.isUniversal(expected),
            let length = header.contentLength
        else { return nil }
        position += header.length
        if expected == UniversalTag.octetString { break }
        guard (1...8).contains(length), length <= bytes.count - position else { return nil }
        if type == nil { type = bytes[position..<(position + length)].reduce(0) { $0 << 8 | UInt64($1) } }
        position += length
    }
    return type
}

private func beginsWithObjectIdentifier(_ content: ArraySlice<UInt8>) -> Bool { content.first == 0x06 }

/// Whether a SEQUENCE begins as a certificate does: a SEQUENCE that begins with `[0]`.
private func isCertificate(_ header: ElementHeader, _ content: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(content.prefix(16))
    guard
        header.isUniversal(UniversalTag.sequence),
        let inner = try? ElementHeader(at: 0, in: bytes.span, end: bytes.count),
        inner.isUniversal(UniversalTag.sequence), inner.length < bytes.count
    else { return false }
    return bytes[inner.length] == 0xA0
}
