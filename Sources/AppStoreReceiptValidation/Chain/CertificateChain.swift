internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// A path from a signer to a root on which everything holds but, so far, the time; or a signer that is trusted directly.
///
/// A class, so that taking one out of the cache costs one reference count.
package final class CertificateChain: Sendable {
    package let signer: DecodedCertificate
    package let intermediate: DecodedCertificate?
    package let anchor: DecodedCertificate
    let signerKey: PublicKey
    /// What the checks of the path said, where they were kept: they say the same of the same certificates.
    let outcomes: [Check]
    /// The signer's name, where the outcomes were kept: it is told once more for each document.
    private let keptName: String?
    /// Whether other roots have the name of this one, so that at another time the path may end elsewhere.
    let hasOtherAnchors: Bool

    /// The signer first.
    package let certificates: [DecodedCertificate]
    /// The same, DER.
    private let encodings: [[UInt8]]
    /// The seconds since 1970 at which every certificate is valid.
    let validity: Range<Int64>

    /// Whether a signature on the path is made with SHA-1. The root's own does not count: nobody relies on it.
    package let usesSHA1: Bool

    init(
        signer: DecodedCertificate, intermediate: DecodedCertificate?, anchor: DecodedCertificate, signerKey: PublicKey,
        hasOtherAnchors: Bool = false, outcomes: [Check] = []
    ) {
        self.signer = signer
        self.intermediate = intermediate
        self.anchor = anchor
        self.signerKey = signerKey
        self.hasOtherAnchors = hasOtherAnchors
        self.outcomes = outcomes
        keptName = outcomes.isEmpty ? nil : signer.name
        certificates = intermediate.map { [signer, $0, anchor] } ?? [signer]
        encodings = certificates.map(\.bytes)
        validity = certificates.reduce(Int64.min..<Int64.max) { $0.clamped(to: $1.validity) }
        usesSHA1 = certificates.dropLast().contains {
            SignatureScheme($0.fields.signatureAlgorithm)?.digest == .sha1
        }
    }

    /// Whether a certificate is one of the chain's.
    func contains(_ certificate: Span<UInt8>) -> Bool {
        // Not `contains(where:)` over the certificates: each that is looked at would be copied.
        for encoding in encodings where encoding.span.hasSameBytes(as: certificate) { return true }
        return false
    }

    var signerName: String { keptName ?? signer.name }

    package var isDirectlyTrusted: Bool { intermediate == nil }

    /// The same chain, which knows what its checks said.
    func keeping(_ outcomes: [Check]) -> CertificateChain {
        CertificateChain(
            signer: signer, intermediate: intermediate, anchor: anchor, signerKey: signerKey,
            hasOtherAnchors: hasOtherAnchors, outcomes: outcomes)
    }

    func isValid(at time: ReceiptDate) -> Bool { validity.contains(time.secondsSince1970) }
}
