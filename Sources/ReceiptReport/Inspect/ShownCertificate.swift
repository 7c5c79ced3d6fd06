import AppStoreReceipt
import ReceiptPKIX

/// What reports show of a certificate.
package struct ShownCertificate {
    var sha256: [UInt8]
    /// Nil when the certificate cannot be decoded; ``error`` says why.
    var content: Content?
    var error: ReceiptDecodingError?

    package struct Content {
        var subject: String
        var issuer: String
        /// The subject's common name, or else its whole name.
        var commonName: String
        /// Hexadecimal.
        var serial: String
        var notBefore: ReceiptDate
        var notAfter: ReceiptDate
        /// Apple's extensions on it, dotted.
        var markers: [String]
        var signatureAlgorithm: String
    }

    init(_ range: Range<Int>, in der: [UInt8]) {
        sha256 = ReceiptReport.sha256(der[range])
        do throws(ReceiptDecodingError) {
            let certificate = try der.span.readCertificate(range, limits: .default)
            let subject = der.span.readableName(certificate.subject)
            let algorithm = "\(certificate.signatureAlgorithm.algorithm)"
            content = Content(
                subject: subject, issuer: der.span.readableName(certificate.issuer),
                commonName: der.span.commonName(certificate.subject) ?? subject,
                serial: serialText(der[certificate.serialNumber]),
                notBefore: ReceiptDate(millisecondsSince1970: certificate.notBefore * 1_000),
                notAfter: ReceiptDate(millisecondsSince1970: certificate.notAfter * 1_000),
                markers: certificate.extensions.map(\.identifier).filter(\.isAppleCertificateExtension).map { "\($0)" },
                signatureAlgorithm: objectIdentifierName(algorithm) ?? algorithm)
        } catch {
            self.error = error
        }
    }
}

/// A serial number as other tools write it: hexadecimal without a sign octet.
func serialText(_ octets: ArraySlice<UInt8>) -> String {
    octets.count > 1 && octets.first == 0 ? hex(octets.dropFirst()) : hex(octets)
}
