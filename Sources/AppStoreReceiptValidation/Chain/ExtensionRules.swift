internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// Rules for extensions that are not read for a rule of their own.
extension CertificateRules {
    /// Why an extension forbids a certificate, or nil.
    ///
    /// RFC 5280 4.2: a critical extension that is not understood does, unless the policy names it as tolerable. Those that
    /// restrict what a certificate may do, and are not evaluated here, do so also when they are not critical. Others that
    /// OpenSSL reads must have their form, so that nothing is accepted that it refuses.
    static func extensionProblem(_ certificate: DecodedCertificate, _ route: SignerRoute) -> Rejection? {
        // Policies and key identifiers restrict nothing that is checked.
        let known: [ObjectIdentifier] = [
            .basicConstraints, .keyUsage, .certificatePolicies, .subjectKeyIdentifier, .authorityKeyIdentifier,
            .extendedKeyUsage, route.profile.signerMarker, route.profile.intermediateMarker,
        ]
        let restricting: [ObjectIdentifier] = [
            .nameConstraints, .proxyCertificateInformation, .addressBlocks, .autonomousSystems,
        ]
        for one in certificate.fields.extensions {
            let isForbidden = restricting.contains(one.identifier) || one.isCritical && !known.contains(one.identifier)
            if isForbidden, !route.toleratedExtensions.contains("\(one.identifier)") {
                return Rejection(
                    .unknownCriticalExtension,
                    "\(.certificate(certificate.name)) has the \(words: one.isCritical ? "critical" : "restricting") extension \(.identifier("\(one.identifier)")), which is not known"
                )
            }
            do throws(ReceiptDecodingError) {
                try checkForm(one, in: certificate.bytes.span)
                if one.isCritical, one.identifier == .extendedKeyUsage,
                    excludesSigning(try certificate.bytes.span.readExtendedKeyUsage(one.value))
                {
                    return Rejection(
                        .keyUsage,
                        "\(.certificate(certificate.name)) is limited to usages that exclude signing content (extendedKeyUsage)"
                    )
                }
            } catch {
                return malformed(certificate, error)
            }
        }
        return nil
    }

    /// Whether all of some usages are known to be for something else: servers, clients, time stamps, OCSP. Signing code or
    /// mail, any usage, and every usage that is not known here may be Apple's for receipts.
    private static func excludesSigning(_ usages: [ObjectIdentifier]) -> Bool {
        let others: [ObjectIdentifier] = [.serverAuthentication, .clientAuthentication, .timeStamping, .ocspSigning]
        return usages.allSatisfy(others.contains)
    }

    private static func checkForm(_ one: Certificate.Extension, in span: Span<UInt8>) throws(ReceiptDecodingError) {
        switch one.identifier {
        case .extendedKeyUsage: _ = try span.readExtendedKeyUsage(one.value)
        case .subjectAlternativeName, .issuerAlternativeName: try span.checkGeneralNames(one.value)
        case .crlDistributionPoints: try span.checkCRLDistributionPoints(one.value)
        case .netscapeCertificateType: try span.checkBitString(one.value)
        default: break
        }
    }
}
