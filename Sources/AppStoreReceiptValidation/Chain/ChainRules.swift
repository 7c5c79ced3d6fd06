internal import AppStoreReceipt
internal import ReceiptPKIX

/// The rules for single certificates of a chain. Each returns why a certificate breaks it, or nil.
extension ChainBuilder {
    /// The intermediate's issuer must be an anchor, which in turn must be a certificate authority.
    func anchorProblem(
        _ intermediate: DecodedCertificate, _ issuers: [DecodedCertificate], _ others: [[UInt8]]
    ) -> Rejection? {
        guard issuers.isEmpty else {
            // OpenSSL asks the same of a root that has extensions; one without any is refused here.
            return issuers.lazy.compactMap { Self.authorityProblem($0, pathLength: 1) ?? Self.issuerUsageProblem($0) }
                .first
        }
        let issuer = intermediate.bytes.span.readableName(intermediate.fields.issuer)
        if !intermediate.isSelfIssued, hasIssuer(of: intermediate, among: others) {
            return Rejection(
                .pathTooLong,
                "\(intermediate.name) was issued by \(issuer): there may be one intermediate between signer and root")
        }
        return Rejection(.untrustedRoot, "the chain ends at \(issuer), which is not trusted")
    }

    /// Whether some other certificate is the issuer by name, without being self-issued.
    private func hasIssuer(of certificate: DecodedCertificate, among others: [[UInt8]]) -> Bool {
        others.contains { bytes in
            // One that cannot be read is not the issuer; this only chooses between two reasons for rejecting.
            guard let outline = try? bytes.span.readCertificateOutline(0..<bytes.count) else { return false }
            return bytes[outline.subject] == certificate.bytes[certificate.fields.issuer]
                && bytes[outline.subject] != bytes[outline.issuer]
        }
    }

    /// RFC 5280 4.2.1.9: an issuer is a certificate authority and allows `pathLength` intermediates below it.
    static func authorityProblem(_ certificate: DecodedCertificate, pathLength: Int64) -> Rejection? {
        let notAuthority = Rejection(
            .notACertificateAuthority, "\(certificate.name) is not a certificate authority but is used as one")
        guard let value = certificate.fields.extension(.basicConstraints)?.value else { return notAuthority }
        do throws(ReceiptDecodingError) {
            let constraints = try certificate.bytes.span.readBasicConstraints(value)
            guard constraints.isCA else { return notAuthority }
            if let limit = constraints.pathLength, limit < pathLength {
                return Rejection(.pathTooLong, "\(certificate.name) forbids an intermediate below it")
            }
            return nil
        } catch {
            return malformed(certificate, error)
        }
    }

    /// Whether a signer is an authority is all the same, but an extension that counts as known can be read.
    static func constraintsProblem(_ certificate: DecodedCertificate) -> Rejection? {
        guard let value = certificate.fields.extension(.basicConstraints)?.value else { return nil }
        do throws(ReceiptDecodingError) {
            _ = try certificate.bytes.span.readBasicConstraints(value)
            return nil
        } catch {
            return malformed(certificate, error)
        }
    }

    /// RFC 5280 4.2.1.3: with keyUsage, an issuer needs keyCertSign.
    static func issuerUsageProblem(_ certificate: DecodedCertificate) -> Rejection? {
        usageProblem(certificate, [.keyCertSign], "sign certificates")
    }

    /// With keyUsage, a signer of content needs digitalSignature or nonRepudiation.
    static func signerUsageProblem(_ certificate: DecodedCertificate) -> Rejection? {
        usageProblem(certificate, [.digitalSignature, .nonRepudiation], "sign content")
    }

    private static func usageProblem(
        _ certificate: DecodedCertificate, _ anyOf: KeyUsage, _ purpose: String
    ) -> Rejection? {
        guard let value = certificate.fields.extension(.keyUsage)?.value else { return nil }
        do throws(ReceiptDecodingError) {
            let usage = try certificate.bytes.span.readKeyUsage(value)
            guard usage.isDisjoint(with: anyOf) else { return nil }
            return Rejection(.keyUsage, "the key of \(certificate.name) may not \(purpose)")
        } catch {
            return malformed(certificate, error)
        }
    }

    /// RFC 5280 4.1.1.2: the same algorithm inside and outside; and RSA PKCS#1 v1.5 with SHA-1 or SHA-256.
    static func algorithmProblem(_ certificate: DecodedCertificate) -> Rejection? {
        let fields = certificate.fields
        guard
            certificate.bytes[fields.signatureAlgorithm.range]
                == certificate.bytes[fields.innerSignatureAlgorithm.range]
        else {
            return Rejection(
                .algorithmMismatch, "\(certificate.name) names one signature algorithm inside and another outside")
        }
        guard digest(fields.signatureAlgorithm) != nil else {
            return Rejection(
                .unsupportedSignatureAlgorithm,
                "\(certificate.name) is signed with \(fields.signatureAlgorithm.algorithm.algorithmName), which is not accepted"
            )
        }
        return nil
    }

    static func digest(_ algorithm: AlgorithmIdentifier) -> DigestAlgorithm? {
        guard algorithm.parameters != .other else { return nil }
        switch algorithm.algorithm {
        case .sha1WithRSAEncryption: return .sha1
        case .sha256WithRSAEncryption: return .sha256
        default: return nil
        }
    }

    static func algorithmNames(_ certificates: [DecodedCertificate]) -> String {
        certificates.map { $0.fields.signatureAlgorithm.algorithm.algorithmName }.joined(separator: " and ")
    }

    static func malformed(_ certificate: DecodedCertificate, _ error: ReceiptDecodingError) -> Rejection {
        Rejection(.malformedCertificate, "an extension of \(certificate.name) cannot be decoded: \(error)")
    }
}

extension ObjectIdentifier {
    /// The name of a digest or signature algorithm, or the dotted form.
    package var algorithmName: String { nameOrDotted }
}
