import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptPKIX

/// What was shown of certificates before: Apple's are the same in thousands of receipts.
///
/// Bounded; the oldest goes first. Searched from the newest: comparing bytes is quicker than hashing them.
package struct CertificateCache: Sendable {
    private static let capacity = 64

    private var known: [(bytes: [UInt8], listed: ListedCertificate)] = []
    /// By issuer and serial number, as SignerInfos name them.
    private var signers: [(name: [UInt8], summary: CertificateSummary?)] = []

    package init() {}

    private mutating func listed(_ certificate: ArraySlice<UInt8>) throws(LibcryptoError) -> ListedCertificate {
        if let index = known.lastIndex(where: { certificate.span.hasSameBytes(as: $0.bytes.span) }) {
            return known[index].listed
        }
        let bytes = Array(certificate)
        let listed = try ListedCertificate(bytes)
        if known.count >= Self.capacity { known.removeFirst() }
        known.append((bytes, listed))
        return listed
    }

    /// The certificates of an input, in the container's order.
    mutating func certificates(of inspection: Inspection) throws(LibcryptoError) -> [ListedCertificate] {
        if case .transactionReceipt(let receipt) = inspection.finding {
            return [try listed(receipt.signature.certificate[...])]
        }
        var certificates: [ListedCertificate] = []
        if case .signed(let signed) = inspection.finding {
            for certificate in signed.certificates { certificates.append(try listed(certificate)) }
            return certificates
        }
        guard let (signedData, der) = inspection.container else { return certificates }
        for range in signedData.certificates { certificates.append(try listed(der[range])) }
        return certificates
    }

    /// The certificate that signed, as the document names it; nil where it cannot be told.
    package mutating func signer(of inspection: Inspection) throws(LibcryptoError) -> CertificateSummary? {
        switch inspection.finding {
        case .transactionReceipt(let receipt): return try listed(receipt.signature.certificate[...]).summary
        case .receipt(let receipt):
            guard let info = receipt.signedData.signerInfos.first,
                case .issuerAndSerialNumber(let issuer, let serialNumber) = info.identifier
            else { return nil }
            // They stand one behind the other in the SignerInfo, though not in the certificate.
            let name = receipt.der[issuer.lowerBound..<serialNumber.upperBound]
            if let index = signers.lastIndex(where: { name.span.hasSameBytes(as: $0.name.span) }) {
                return signers[index].summary
            }
            let range = receipt.signedData.certificates.first { range in
                // What cannot be read is not the one that is named.
                guard let certificate = try? receipt.der.span.readCertificate(range, limits: .default) else {
                    return false
                }
                return receipt.der[certificate.issuer] == receipt.der[issuer]
                    && receipt.der[certificate.serialNumber] == receipt.der[serialNumber]
            }
            let summary = try range.flatMap { range throws(LibcryptoError) in try listed(receipt.der[range]).summary }
            if signers.count >= Self.capacity { signers.removeFirst() }
            signers.append((Array(name), summary))
            return summary
        case .signed(let signed):
            return try signed.certificates.first.flatMap { certificate throws(LibcryptoError) in
                try listed(certificate).summary
            }
        case .purchaseInfo, .otherCMS, .undecodable: return nil
        }
    }
}
