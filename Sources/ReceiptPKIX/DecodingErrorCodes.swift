public import ReceiptASN1

/// Codes of the container: ContentInfo, SignedData and certificates.
extension ReceiptDecodingError.Code {
    /// The ContentInfo holds something other than SignedData, for example enveloped data (RFC 5652 section 3).
    public static let notSignedData = Self(rawValue: "not-signed-data")
    /// A version number that RFC 5652 or RFC 5280 does not define for the structure.
    public static let unsupportedVersion = Self(rawValue: "unsupported-version")
    /// The SignedData carries no content (a detached signature), so there is no receipt in it.
    public static let missingContent = Self(rawValue: "missing-content")
    /// An attribute certificate or another choice of CertificateChoices that is no X.509 certificate.
    public static let unsupportedCertificate = Self(rawValue: "unsupported-certificate")
    /// More certificates than ``DecodingLimits/certificates`` allows.
    public static let tooManyCertificates = Self(rawValue: "too-many-certificates")
    /// More SignerInfos than ``DecodingLimits/signerInfos`` allows, or more digest algorithms than that.
    public static let tooManySignerInfos = Self(rawValue: "too-many-signer-infos")
    /// More extensions in a certificate than ``DecodingLimits/extensions`` allows.
    public static let tooManyExtensions = Self(rawValue: "too-many-extensions")
    /// A certificate has an extension twice (RFC 5280 section 4.2).
    public static let duplicateExtension = Self(rawValue: "duplicate-extension")
    /// An extension or signed attribute whose value does not follow its grammar.
    public static let invalidExtension = Self(rawValue: "invalid-extension")
    /// A field with a DEFAULT is present with the default value, which DER forbids (X.690 11.5).
    public static let encodedDefault = Self(rawValue: "encoded-default")
}
