internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// A certificate that somebody wants to trust, in the one role that it can have.
///
/// The roles do not overlap. A certificate with digitalSignature in its keyUsage signs things itself and is a
/// ``DirectSigner``; one without is a root, a ``TrustAnchor``. Apple's roots have keyCertSign and cRLSign only; Xcode's
/// certificate has digitalSignature (observed).
public enum TrustedCertificate: Hashable, Sendable {
    case root(TrustAnchor)
    case directSigner(DirectSigner)

    /// Finds out what a DER certificate is.
    ///
    /// - Throws: ``TrustError`` for a certificate that can be trusted in neither role: one issued by another (an
    ///   intermediate, a signer), no certificate authority, or one made for other purposes.
    public init(certificate: [UInt8]) throws(TrustError) {
        let decoded: DecodedCertificate
        do throws(ReceiptDecodingError) {
            decoded = try DecodedCertificate(certificate, limits: .default)
        } catch {
            throw TrustError(malformed: error, nil)
        }
        if let problem = decoded.keyProblem { throw TrustError(.unusableKey, decoded, problem) }
        let role: Role
        do throws(ReceiptDecodingError) {
            role = try Role(decoded)
        } catch {
            throw TrustError(malformed: error, decoded)
        }
        switch role {
        case .root: self = .root(TrustAnchor(checked: decoded))
        case .directSigner: self = .directSigner(DirectSigner(checked: decoded))
        case .none(let code): throw TrustError(code, decoded)
        }
    }

    /// The certificate, DER.
    public var certificate: [UInt8] {
        switch self {
        case .root(let root): root.certificate
        case .directSigner(let signer): signer.certificate
        }
    }

    private enum Role {
        case root
        case directSigner
        case none(TrustError.Code)

        init(_ certificate: DecodedCertificate) throws(ReceiptDecodingError) {
            let (span, fields) = (certificate.bytes.span, certificate.fields)
            let constraints = fields.extension(.basicConstraints)?.value
            let isAuthority = try constraints.map { (value) throws(ReceiptDecodingError) in
                try span.readBasicConstraints(value).isCA
            }
            let usage = try fields.extension(.keyUsage).map { (one) throws(ReceiptDecodingError) in
                try span.readKeyUsage(one.value)
            }
            let purposes = try fields.extension(.extendedKeyUsage).map { (one) throws(ReceiptDecodingError) in
                try span.readExtendedKeyUsage(one.value)
            }
            // A marker of Apple's says what a certificate is, whoever issued it.
            if fields.extensions.contains(where: { $0.identifier.isAppleIntermediateMarker }) {
                self = .none(.intermediate)
            } else if fields.extensions.contains(where: { $0.identifier.isAppleCertificateExtension }) {
                self = .none(.signer)
            } else if !certificate.isSelfIssued {
                self = .none(isAuthority == true ? .intermediate : .signer)
            } else if isAuthority != true {
                self = .none(.notAnAuthority)
            } else if usage?.contains(.digitalSignature) == true {
                let isForCode = purposes?.contains { $0 == .codeSigning || $0 == .anyExtendedKeyUsage } ?? true
                self = isForCode ? .directSigner : .none(.otherPurpose)
            } else if usage?.contains(.keyCertSign) == false {
                self = .none(.notAnAuthority)
            } else {
                // A root for signing code, or for servers, vouches for nothing that Apple's stores sign.
                self = purposes == nil ? .root : .none(.otherPurpose)
            }
        }
    }
}
