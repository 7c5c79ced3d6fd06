public import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// A certificate that came with a document, for showing. Being listed says nothing about being trusted.
public struct CertificateSummary: Hashable, Sendable {
    /// Readable names, such as `CN=Apple Root CA, OU=Apple Certification Authority, O=Apple Inc., C=US`.
    public let subject: String
    public let issuer: String
    /// The subject's most specific common name, or else its whole name.
    package let commonName: String
    /// Hexadecimal, two digits an octet as `openssl` prints it, without the octet that says only that the number is not
    /// negative: `02`.
    public let serialNumber: String
    public let notBefore: ReceiptDate
    public let notAfter: ReceiptDate
    /// Hexadecimal SHA-256 of the certificate's DER.
    public let sha256: String
    /// Extensions under Apple's arc 1.2.840.113635.100.6 that say what the certificate is for, dotted.
    public let markers: [String]
    /// For example `sha256WithRSAEncryption`.
    public let signatureAlgorithm: String
    /// The SignerInfo names this certificate.
    public let isSigner: Bool
}

extension SignedDocument {
    /// The certificates that came with the document, in its order. One that cannot be decoded is left out; validation names
    /// it if it matters.
    public var certificateSummaries: [CertificateSummary] {
        get throws(LibcryptoError) {
            let libcrypto = try Libcrypto.shared()
            var summaries: [CertificateSummary] = []
            for (index, bytes) in signing.certificates.enumerated() {
                // Listing is for people; validation says by itself what is wrong with a certificate it needs.
                guard let certificate = try? DecodedCertificate(Array(bytes), limits: signing.limits) else { continue }
                let isSigner = signing.isSigner(certificate, at: index)
                summaries.append(try CertificateSummary(certificate, libcrypto, isSigner: isSigner))
            }
            return summaries
        }
    }
}

extension DocumentSigning {
    /// Every certificate that came with the document, the signer's among them.
    var certificates: [ArraySlice<UInt8>] {
        switch form {
        case .cms(let signedData, let der): signedData.certificates.map { der[$0] }
        case .plain(let signature): signature.certificates
        }
    }

    fileprivate func isSigner(_ certificate: DecodedCertificate, at index: Int) -> Bool {
        guard case .cms(let signedData, let der) = form else { return index == 0 }
        return signedData.signerInfos.contains { info in
            switch info.identifier {
            case .issuerAndSerialNumber(let issuer, let serialNumber):
                return der[issuer] == certificate.bytes[certificate.fields.issuer]
                    && der[serialNumber] == certificate.bytes[certificate.fields.serialNumber]
            case .subjectKeyIdentifier(let identifier):
                // Without a readable key identifier it is not the one named.
                guard let value = certificate.fields.extension(.subjectKeyIdentifier)?.value,
                    let own = try? certificate.bytes.span.readSubjectKeyIdentifier(value)
                else { return false }
                return der[identifier] == certificate.bytes[own]
            }
        }
    }
}

extension CertificateSummary {
    /// A certificate by itself, of which nobody looked whether it signed.
    package static func listed(_ certificate: DecodedCertificate) throws(LibcryptoError) -> CertificateSummary {
        try CertificateSummary(certificate, try Libcrypto.shared(), isSigner: false)
    }

    package init(
        _ certificate: DecodedCertificate, _ libcrypto: Libcrypto, isSigner: Bool
    ) throws(LibcryptoError) {
        let fields = certificate.fields
        let span = certificate.bytes.span
        subject = span.readableName(fields.subject)
        commonName = span.commonName(fields.subject) ?? subject
        issuer = span.readableName(fields.issuer)
        let serial = certificate.bytes[fields.serialNumber]
        serialNumber = hex(serial.count > 1 && serial.first == 0 ? serial.dropFirst() : serial)
        notBefore = ReceiptDate(millisecondsSince1970: fields.notBefore * 1_000)
        notAfter = ReceiptDate(millisecondsSince1970: fields.notAfter * 1_000)
        sha256 = hex(try libcrypto.digest(.sha256, span))
        markers = fields.extensions.filter { $0.identifier.isAppleCertificateExtension }.map { "\($0.identifier)" }
        signatureAlgorithm = fields.signatureAlgorithm.algorithm.algorithmName
        self.isSigner = isSigner
    }
}
