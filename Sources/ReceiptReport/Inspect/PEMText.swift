/// The DER of each certificate in a PEM text (RFC 7468); blocks of other kinds are passed over.
package func pemCertificates(_ text: [UInt8]) -> [[UInt8]] {
    var certificates: [[UInt8]] = []
    var block: [UInt8]?
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        if line.starts(with: "-----BEGIN CERTIFICATE-----".utf8) {
            block = []
        } else if line.starts(with: "-----END".utf8) {
            if let block { certificates.append(lenientBase64(block)) }
            block = nil
        } else {
            block?.append(contentsOf: line)
        }
    }
    return certificates
}
