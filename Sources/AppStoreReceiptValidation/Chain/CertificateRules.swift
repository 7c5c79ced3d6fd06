internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// The rules for single certificates of a path. Each returns why a certificate breaks it, or nil.
enum CertificateRules {
    /// The intermediate's issuer must be a root, which in turn must be a certificate authority.
    static func rootProblem(
        _ intermediate: DecodedCertificate, _ roots: [DecodedCertificate], _ directSigners: [SignerRoute.Trusted],
        _ others: [ArraySlice<UInt8>]
    ) -> Rejection? {
        guard roots.isEmpty else {
            return roots.lazy.compactMap { authorityProblem($0, pathLength: 1) ?? issuerUsageProblem($0) }.first
        }
        let issuer = intermediate.bytes.span.readableName(intermediate.fields.issuer)
        if !intermediate.isSelfIssued, hasIssuer(of: intermediate, among: others) {
            return Rejection(
                .pathTooLong,
                "\(.certificate(intermediate.name)) was issued by \(.certificate(issuer)): there may be one intermediate between signer and root"
            )
        }
        if directSigners.contains(where: { intermediate.isIssued(by: $0.certificate) }) {
            return Rejection(
                .untrustedRoot,
                "the chain ends at \(.certificate(issuer)), which is trusted to sign documents of Xcode's, not to issue certificates"
            )
        }
        return Rejection(.untrustedRoot, "the chain ends at \(.certificate(issuer)), which is not trusted")
    }

    /// Whether some other certificate is the issuer by name, without being self-issued.
    private static func hasIssuer(of certificate: DecodedCertificate, among others: [ArraySlice<UInt8>]) -> Bool {
        others.contains { bytes in
            // One that cannot be read is not the issuer; this only chooses between two reasons for rejecting.
            guard let outline = bytes.outline else { return false }
            return outline.subject == certificate.bytes[certificate.fields.issuer] && outline.subject != outline.issuer
        }
    }

    /// RFC 5280 4.2.1.9: an issuer is a certificate authority and allows `pathLength` intermediates below it.
    static func authorityProblem(_ certificate: DecodedCertificate, pathLength: Int64) -> Rejection? {
        let notAuthority = Rejection(
            .notACertificateAuthority,
            "\(.certificate(certificate.name)) is not a certificate authority but is used as one")
        guard let value = certificate.fields.extension(.basicConstraints)?.value else { return notAuthority }
        do throws(ReceiptDecodingError) {
            let constraints = try certificate.bytes.span.readBasicConstraints(value)
            guard constraints.isCA else { return notAuthority }
            if let limit = constraints.pathLength, limit < pathLength {
                return Rejection(.pathTooLong, "\(.certificate(certificate.name)) forbids an intermediate below it")
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
            return Rejection(.keyUsage, "the key of \(.certificate(certificate.name)) may not \(words: purpose)")
        } catch {
            return malformed(certificate, error)
        }
    }

    /// The key is of one of some kinds, and of a size and form that can be used.
    static func keyProblem(_ certificate: DecodedCertificate, _ kinds: [KeyKind]) -> Rejection? {
        guard let kind = certificate.keyKind else {
            return Rejection(
                .unsupportedPublicKey,
                "\(.certificate(certificate.name)) cannot be used: \(words: certificate.keyProblem ?? "its key cannot be read")"
            )
        }
        guard !kinds.contains(kind) else { return nil }
        return Rejection(
            .unsupportedPublicKey,
            "\(.certificate(certificate.name)) cannot be used: its key is \(.algorithm(kind.name)), not \(words: kinds.map(\.name).joined(separator: " or "))"
        )
    }

    /// RFC 5280 4.1.1.2: the same algorithm inside and outside; and one of the profile's.
    static func algorithmProblem(_ certificate: DecodedCertificate, _ profile: SignerProfile) -> Rejection? {
        let fields = certificate.fields
        guard
            certificate.bytes[fields.signatureAlgorithm.range]
                == certificate.bytes[fields.innerSignatureAlgorithm.range]
        else {
            return Rejection(
                .algorithmMismatch,
                "\(.certificate(certificate.name)) names one signature algorithm inside and another outside")
        }
        if let scheme = SignatureScheme(fields.signatureAlgorithm), profile.certificateSchemes.contains(scheme) {
            return nil
        }
        return Rejection(
            .unsupportedSignatureAlgorithm,
            "\(.certificate(certificate.name)) is signed with \(.algorithm(fields.signatureAlgorithm.algorithm.algorithmName)), which is not accepted"
        )
    }

    /// What a certificate says of its issuer's key is not true of the certificate that was to be its issuer's.
    static func identifierProblem(
        _ reason: Rejection.Reason, _ certificate: DecodedCertificate, _ issuer: DecodedCertificate
    ) -> Rejection {
        Rejection(
            reason,
            "the key identifiers of \(.certificate(certificate.name)) name another issuer than the certificate of \(.certificate(issuer.name)) at hand, or cannot be read"
        )
    }

    static func malformed(_ certificate: DecodedCertificate, _ error: ReceiptDecodingError) -> Rejection {
        Rejection(
            .malformedCertificate,
            "an extension of \(.certificate(certificate.name)) cannot be decoded: \(.error(error))")
    }
}

extension ObjectIdentifier {
    /// The name of a digest or signature algorithm, or the dotted form.
    package var algorithmName: String { nameOrDotted }
}
