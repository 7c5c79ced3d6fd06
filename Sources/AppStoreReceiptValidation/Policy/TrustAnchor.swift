internal import AppStoreReceipt
internal import ReceiptPKIX

/// A root certificate: it issues intermediates, which issue signers.
///
/// A chain must end in one. The root's own signature is not checked; its name, key, constraints and validity are used.
/// What signs by itself, as Xcode's certificate does, is a ``DirectSigner`` and never a root: whoever holds its key could
/// otherwise issue himself signers for the App Store. ``TrustedCertificate`` finds out what a certificate is.
public struct TrustAnchor: Hashable, Sendable {
    /// The certificate, DER.
    public let certificate: [UInt8]
    package let decoded: DecodedCertificate

    /// Takes the DER of a root: issued by itself, a certificate authority, without a keyUsage or with one that has
    /// keyCertSign and not digitalSignature, not limited to some usages, and with an RSA key of 1024 to 4096 bits or one on P-256 or P-384.
    ///
    /// - Throws: ``TrustError``, which says what the certificate is instead.
    public init(certificate: [UInt8]) throws(TrustError) {
        switch try TrustedCertificate(certificate: certificate) {
        case .root(let root): self = root
        case .directSigner(let signer): throw TrustError(.directSigner, signer.decoded)
        }
    }

    init(checked decoded: DecodedCertificate) {
        certificate = decoded.bytes
        self.decoded = decoded
    }

    private init(builtIn certificate: [UInt8]) {
        self.certificate = certificate
        do throws(ReceiptDecodingError) {
            decoded = try DecodedCertificate(certificate, limits: .default)
        } catch {
            // The bytes are part of this code, and a test decodes them.
            preconditionFailure("built-in anchor: \(error)")
        }
    }

    /// Apple Root CA, to which every App Store receipt leads up. SHA-256
    /// `b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024`.
    public static let appleRootCA = TrustAnchor(builtIn: AppleCertificates.appleRootCA)

    /// Apple Root CA - G3, to which every JWS of the App Store and every App Attest receipt leads up. SHA-256
    /// `63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179`.
    public static let appleRootCAG3 = TrustAnchor(builtIn: AppleCertificates.appleRootCAG3)

    /// The roots of Apple's that are built in. Each counts for the documents that Apple signs under it, and for no other:
    /// a JWS under Apple Root CA is as little valid as an app receipt under G3.
    public static let apple: [TrustAnchor] = [.appleRootCA, .appleRootCAG3]

    public static func == (lhs: TrustAnchor, rhs: TrustAnchor) -> Bool { lhs.certificate == rhs.certificate }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// A certificate that signs by itself: Xcode's, as exported from a StoreKit configuration.
///
/// It vouches for what says that it comes from Xcode, and issues nothing: a certificate under it is worth nothing.
public struct DirectSigner: Hashable, Sendable {
    /// The certificate, DER.
    public let certificate: [UInt8]
    package let decoded: DecodedCertificate

    /// Takes the DER of a certificate of the form that Xcode's have: issued by itself, a certificate authority by its
    /// constraints, with digitalSignature in its keyUsage, and not made for other usages than signing code.
    ///
    /// - Throws: ``TrustError``, which says what the certificate is instead.
    public init(certificate: [UInt8]) throws(TrustError) {
        switch try TrustedCertificate(certificate: certificate) {
        case .directSigner(let signer): self = signer
        case .root(let root): throw TrustError(.root, root.decoded)
        }
    }

    init(checked decoded: DecodedCertificate) {
        certificate = decoded.bytes
        self.decoded = decoded
    }

    public static func == (lhs: DirectSigner, rhs: DirectSigner) -> Bool { lhs.certificate == rhs.certificate }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}
