import AppStoreReceipt
import ReceiptPKIX

/// What was shown of certificates before: Apple's are the same in thousands of receipts.
///
/// Bounded; the oldest goes first. Searched from the newest: comparing bytes is quicker than hashing them.
package struct CertificateCache {
    private static let capacity = 64

    private var known: [(bytes: [UInt8], shown: ShownCertificate)] = []
    private var signers: [(name: [UInt8], signer: SignerSummary)] = []

    package init() {}

    mutating func shown(_ certificate: ArraySlice<UInt8>) -> ShownCertificate {
        if let index = known.lastIndex(where: { certificate.hasSameBytes(as: $0.bytes) }) { return known[index].shown }
        let bytes = Array(certificate)
        let shown = ShownCertificate(0..<bytes.count, in: bytes)
        if known.count >= Self.capacity { known.removeFirst() }
        known.append((bytes, shown))
        return shown
    }

    /// The certificates of an input, in the container's order.
    mutating func certificates(of inspection: Inspection) -> [ShownCertificate] {
        guard let (signedData, der) = inspection.container else { return inspection.certificates }
        return signedData.certificates.map { shown(der[$0]) }
    }

    /// Who signed, as the SignerInfo names it; nil for what is no App Store receipt.
    package mutating func signer(of inspection: Inspection) -> SignerSummary? {
        guard case .receipt(let receipt) = inspection.finding, let info = receipt.signedData.signerInfos.first,
            case .issuerAndSerialNumber(let issuer, let serialNumber) = info.identifier
        else { return nil }
        // Issuer and serial number lie one behind the other in the SignerInfo.
        let name = receipt.der[issuer.lowerBound..<serialNumber.upperBound]
        if let index = signers.lastIndex(where: { name.hasSameBytes(as: $0.name) }) { return signers[index].signer }
        let serial = receipt.der[serialNumber]
        let content = certificates(of: inspection).lazy.compactMap(\.content).first { $0.serial == serialText(serial) }
        let issuerName = receipt.der.span.commonName(issuer) ?? receipt.der.span.readableName(issuer)
        let signer = SignerSummary(
            serial: serialText(serial), issuer: issuerName, notBefore: content?.notBefore, notAfter: content?.notAfter)
        if signers.count >= Self.capacity { signers.removeFirst() }
        signers.append((Array(name), signer))
        return signer
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSameBytes(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        let (left, right) = (span, other.span)
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

/// A signing certificate as summaries count it.
package struct SignerSummary: Hashable, Sendable {
    package var serial: String
    package var issuer: String
    package var notBefore: ReceiptDate?
    package var notAfter: ReceiptDate?
}
