internal import ReceiptJSON
internal import ReceiptTransport

/// The JOSE header (RFC 7515 section 4): `alg`, `x5c`, and what forbids going on.
struct JWSHeader {
    /// Bytes of a certificate that are taken; Apple's have 583 to 1,078.
    static let maximumCertificateLength = 4_096

    let certificates: [[UInt8]]

    init(_ jws: CompactJWS) throws(ReceiptDecodingError) {
        let text = jws.header.span
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(text)
        } catch {
            throw ReceiptDecodingError(error, inSegmentAt: 0, Self.field)
        }
        guard document.root.kind == .object else {
            throw ReceiptDecodingError(
                .jsonNotAnObject, at: 0, in: Self.field, detail: "it is \(document.root.kind.name)")
        }
        var algorithm: JSONValue?
        var chain: JSONValue?
        var keyID: JSONValue?
        for member in document.members(of: document.root) {
            if member.hasName("alg", in: text) {
                algorithm = member.value
            } else if member.hasName("x5c", in: text) {
                chain = member.value
            } else if member.hasName("kid", in: text) {
                keyID = member.value
            } else if member.hasName("crit", in: text) {
                throw Self.error(
                    .jwsCriticalHeader, member.value, "crit", "extensions that must be understood, and none is known")
            } else if member.hasName("b64", in: text) {
                throw Self.error(.jwsUnencodedPayload, member.value, "b64", "the payload may not be base64url")
            }
        }
        if keyID != nil, chain == nil { throw Self.developerSigned(jws) }
        try Self.check(algorithm, text)
        certificates = try Self.certificates(chain, document, text)
    }

    private static let field = "JWS header"

    /// Exactly `ES256` (RFC 7518 section 3.4): `none`, an HMAC under a public key and every other scheme are refused.
    private static func check(_ algorithm: JSONValue?, _ text: Span<UInt8>) throws(ReceiptDecodingError) {
        guard let algorithm else {
            throw ReceiptDecodingError(.jwsAlgorithm, at: 0, in: field, detail: "there is no alg")
        }
        guard let name = algorithm.string(in: text) else {
            throw error(.jwsAlgorithm, algorithm, "alg", "it is \(algorithm.kind.name), not the string ES256")
        }
        guard Array(name.utf8) == Array("ES256".utf8) else {
            throw error(.jwsAlgorithm, algorithm, "alg", "\(String(name.prefix(24))), and only ES256 is accepted")
        }
    }

    private static func certificates(
        _ chain: JSONValue?, _ document: JSONDocument, _ text: Span<UInt8>
    ) throws(ReceiptDecodingError) -> [[UInt8]] {
        guard let chain else {
            throw ReceiptDecodingError(.jwsCertificates, at: 0, in: field, detail: "there is no x5c")
        }
        guard chain.kind == .array else {
            throw error(.jwsCertificates, chain, "x5c", "it is \(chain.kind.name), not an array")
        }
        // Counted before any is decoded.
        var count = 0
        for element in document.elements(of: chain) {
            count += 1
            guard element.kind == .string else {
                throw error(.jwsCertificates, element, "x5c[\(count - 1)]", "it is \(element.kind.name), not a string")
            }
        }
        guard count == 3 || count == 1 else {
            throw error(.jwsCertificates, chain, "x5c", "\(count) certificates, where three are due")
        }
        var certificates: [[UInt8]] = []
        certificates.reserveCapacity(count)
        for element in document.elements(of: chain) {
            certificates.append(try certificate(element, certificates.count, text))
        }
        return certificates
    }

    private static func certificate(
        _ element: JSONValue, _ index: Int, _ text: Span<UInt8>
    ) throws(ReceiptDecodingError) -> [UInt8] {
        let name = "x5c[\(index)]"
        guard element.range.count <= maximumCertificateLength / 3 * 4 + 4 else {
            throw error(.jwsCertificateEncoding, element, name, "more than \(maximumCertificateLength) bytes")
        }
        do throws(TransportFault) {
            let bytes: [UInt8]
            if let range = element.unescapedRange {
                bytes = try ExactTransport.decodeBase64(text.extracting(range))
            } else {
                let characters = Array((element.string(in: text) ?? "").utf8)
                bytes = try ExactTransport.decodeBase64(characters.span)
            }
            if !bytes.isEmpty, bytes.count <= maximumCertificateLength { return bytes }
        } catch {
            let place = Self.error(.jwsCertificateEncoding, element, name, "")
            throw ReceiptDecodingError(
                .jwsCertificateEncoding, at: place.offset, in: place.field,
                detail: "\(error.code.rawValue) at character \(error.offset) of the base64: \(error.detail ?? "")")
        }
        throw error(
            .jwsCertificateEncoding, element, name, "not between 1 and \(maximumCertificateLength) bytes")
    }

    private static func error(
        _ code: ReceiptDecodingError.Code, _ value: JSONValue, _ name: String, _ detail: String
    ) -> ReceiptDecodingError {
        ReceiptDecodingError(
            code, at: CompactJWS.textOffset(ofByte: value.range.lowerBound, inSegmentAt: 0),
            in: "\(field).\(name)", detail: detail)
    }

    /// A key identifier and no certificates: the key is known to one who has agreed on it, or published on the network.
    private static func developerSigned(_ jws: CompactJWS) -> ReceiptDecodingError {
        // A probe: a payload that cannot be read has no issuer.
        let document = try? JSONDocument(jws.payload.span)
        let issuer = document.flatMap { $0.member("iss", of: $0.root, in: jws.payload.span) }
        if issuer?.string(in: jws.payload.span) == "https://appleid.apple.com" {
            return ReceiptDecodingError(
                .signInWithApple, at: 0, in: field,
                detail: "an identity token of Sign in with Apple; its key must be fetched from Apple")
        }
        return ReceiptDecodingError(
            .developerSignedJWS, at: 0, in: field,
            detail: "a key identifier and no certificates: a developer signed this for Apple, not Apple")
    }
}

extension JSONNode.Kind {
    /// For messages: `a string`, `an object`.
    var name: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string, .name: "a string"
        case .number: "a number"
        case .true, .false: "a boolean"
        case .null: "null"
        }
    }
}
