internal import AppStoreReceipt
internal import ReceiptPKIX

/// Rules for extensions that are not read for a rule of their own.
extension ChainBuilder {
    /// Why an extension forbids a certificate, or nil.
    ///
    /// RFC 5280 4.2: a critical extension that is not understood does. Those that restrict what a certificate may do, and
    /// are not evaluated here, do so also when they are not critical. Others that OpenSSL reads must have their form, so
    /// that nothing is accepted that it refuses.
    func extensionProblem(_ certificate: DecodedCertificate) -> Rejection? {
        // Policies and key identifiers restrict nothing that is checked.
        let known: [ObjectIdentifier] = [
            .basicConstraints, .keyUsage, .certificatePolicies, .subjectKeyIdentifier, .authorityKeyIdentifier,
            profile.signerMarker, profile.intermediateMarker,
        ]
        let restricting: [ObjectIdentifier] = [
            .nameConstraints, .proxyCertificateInformation, .addressBlocks, .autonomousSystems,
        ]
        for one in certificate.fields.extensions {
            if restricting.contains(one.identifier) || one.isCritical && !known.contains(one.identifier) {
                let kind = one.isCritical ? "critical" : "restricting"
                return Rejection(
                    .unknownCriticalExtension,
                    "\(certificate.name) has the \(kind) extension \(one.identifier), which is not known")
            }
            do throws(ReceiptDecodingError) {
                try checkForm(one, in: certificate.bytes.span)
            } catch {
                return Self.malformed(certificate, error)
            }
        }
        return nil
    }

    private func checkForm(_ one: Certificate.Extension, in span: Span<UInt8>) throws(ReceiptDecodingError) {
        switch one.identifier {
        case .extendedKeyUsage, .subjectAlternativeName, .issuerAlternativeName, .crlDistributionPoints:
            try span.checkExtensionValue(one.value, .sequence)
        case .netscapeCertificateType: try span.checkExtensionValue(one.value, .bitString)
        default: break
        }
    }
}
