public import AppStoreReceipt
internal import ReceiptPKIX

/// Why a certificate cannot be trusted in the role in which it was passed, and what to do instead.
///
/// Thrown when a policy is made, so that a mistake shows before the first receipt.
public struct TrustError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Code
    /// Whose certificate it is: its common name, or else its subject; nil when it cannot be decoded.
    public let certificate: String?
    /// What is wrong, in a sentence.
    public let message: String
    /// What to do, in a sentence.
    public let advice: String
    /// Why it cannot be decoded, with ``Code/malformed``.
    public let decodingError: ReceiptDecodingError?

    public var description: String { "\(message); \(advice)" }

    /// What the certificate is. Stable; new ones may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The bytes are not one certificate, or an extension of it that matters cannot be read.
        public static let malformed = Self(rawValue: "malformed-certificate")
        /// Its key is of a kind or size that validation does not use.
        public static let unusableKey = Self(rawValue: "unusable-key")
        /// It signs by itself, as Xcode's does, and was passed as a root.
        public static let directSigner = Self(rawValue: "direct-signer")
        /// A root, passed as a direct signer.
        public static let root = Self(rawValue: "root")
        /// Somebody else issued it, and it issues others.
        public static let intermediate = Self(rawValue: "intermediate")
        /// Somebody else issued it, to sign receipts or other things.
        public static let signer = Self(rawValue: "signer")
        /// Issued by itself, but no certificate authority by its basicConstraints or keyUsage.
        public static let notAnAuthority = Self(rawValue: "not-an-authority")
        /// Its extendedKeyUsage limits it to other purposes, such as signing code.
        public static let otherPurpose = Self(rawValue: "other-purpose")

        /// Every code.
        public static let all: [Code] = [
            .malformed, .unusableKey, .directSigner, .root, .intermediate, .signer, .notAnAuthority, .otherPurpose,
        ]
    }
}

extension TrustError {
    init(malformed error: ReceiptDecodingError, _ certificate: DecodedCertificate?) {
        code = .malformed
        self.certificate = certificate?.name
        message = "the certificate cannot be decoded: \(error)"
        advice = "pass the whole certificate"
        decodingError = error
    }

    init(_ code: Code, _ certificate: DecodedCertificate, _ detail: String = "") {
        let name = certificate.name
        self.code = code
        self.certificate = name
        decodingError = nil
        switch code {
        case .unusableKey:
            message = "\(name) cannot be used: \(detail)"
            advice = "pass one with an RSA key of 1,024 to 4,096 bits, or with one on P-256 or P-384"
        case .directSigner:
            message = "\(name) is no root: its key signs by itself (keyUsage digitalSignature)"
            advice = "if Xcode made it, trust it as a direct signer, for receipts of type Xcode only"
        case .root:
            message = "\(name) is a root, which signs nothing by itself"
            advice = "trust it as a root"
        case .intermediate:
            message = "\(name) is an intermediate certificate, and trusting it would leave its root unchecked"
            advice = "trust the root above it; what needs an intermediate at hand takes it as an intermediate"
        case .signer:
            message = "\(name) is a signer's certificate, issued by another"
            advice = "trust the root that it leads up to; a receipt brings its signer's certificate itself"
        case .otherPurpose:
            message = "\(name) is limited to other purposes by its extended key usage"
            advice = "pass the root under which receipts are signed"
        default:
            message = "\(name) is no certificate authority"
            advice = "pass the root certificate itself, whose basicConstraints say so"
        }
    }
}
