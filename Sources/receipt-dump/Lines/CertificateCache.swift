import AppStoreReceipt
import ReceiptPKCS7

/// What was shown of certificates before: Apple's are the same in thousands of receipts.
///
/// Bounded: when it is full it is emptied, which costs what the first receipts cost.
struct CertificateCache {
    private static let capacity = 64

    private var known: [[UInt8]: ShownCertificate] = [:]
    private var signers: [[UInt8]: SignerSummary] = [:]

    mutating func shown(_ certificate: ArraySlice<UInt8>) -> ShownCertificate {
        let bytes = Array(certificate)
        if let shown = known[bytes] { return shown }
        let shown = ShownCertificate(0..<bytes.count, in: bytes)
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[bytes] = shown
        return shown
    }

    /// The certificates of an input, in the container's order.
    mutating func certificates(of inspection: Inspection) -> [ShownCertificate] {
        guard let (signedData, der) = inspection.container else { return inspection.certificates }
        return signedData.certificates.map { shown(der[$0]) }
    }

    /// Who signed, as the SignerInfo names it; nil for what is no App Store receipt.
    mutating func signer(of inspection: Inspection) -> SignerSummary? {
        guard case .receipt(let receipt) = inspection.finding, let info = receipt.signedData.signerInfos.first,
            case .issuerAndSerialNumber(let issuer, let serialNumber) = info.identifier
        else { return nil }
        // Issuer and serial number lie one behind the other in the SignerInfo.
        let name = Array(receipt.der[issuer.lowerBound..<serialNumber.upperBound])
        if let signer = signers[name] { return signer }
        let serial = receipt.der[serialNumber]
        let content = certificates(of: inspection).lazy.compactMap(\.content).first { $0.serial == serialText(serial) }
        let issuerName = receipt.der.span.commonName(issuer) ?? receipt.der.span.readableName(issuer)
        let signer = SignerSummary(
            serial: serialText(serial), issuer: issuerName, notBefore: content?.notBefore, notAfter: content?.notAfter)
        if signers.count >= Self.capacity { signers.removeAll(keepingCapacity: true) }
        signers[name] = signer
        return signer
    }
}

/// A signing certificate as summaries count it.
struct SignerSummary: Hashable, Sendable {
    var serial: String
    var issuer: String
    var notBefore: ReceiptDate?
    var notAfter: ReceiptDate?
}
