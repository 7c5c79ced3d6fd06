/// Why a document was rejected. Not an error: it was decoded and judged.
public struct Rejection: Hashable, Sendable, CustomStringConvertible {
    public let reason: Reason
    package let sentence: Sentence
    /// Whether the policy asked for something that could not be checked, rather than that it was found otherwise.
    let isUnchecked: Bool

    package init(_ reason: Reason, _ sentence: Sentence) {
        self.reason = reason
        self.sentence = sentence
        isUnchecked = false
    }

    init(unchecked reason: Reason, _ sentence: Sentence) {
        self.reason = reason
        self.sentence = sentence
        isUnchecked = true
    }

    /// One sentence for a person. It quotes the document and its certificates, with control and format characters written
    /// as `\u{…}`.
    public var message: String { sentence.text() }

    /// What the sentence speaks of, in its order: which certificate, which time, what was found and what was expected.
    public var values: [ReportedValue] { sentence.values }

    /// The sentence with each value as a caller wants it shown.
    package func message(showing show: (ReportedValue) -> String) -> String { sentence.text(showing: show) }

    public var description: String { "\(reason): \(message)" }

    /// What a rejection means to the server.
    public enum Category: String, Hashable, Sendable {
        /// Nothing shows that Apple made the receipt for this purpose.
        case notAuthentic = "not-authentic"
        /// It may be genuine, but the policy does not take it at this time.
        case notAcceptableNow = "not-acceptable-now"
        /// It is authentic, but not the receipt that was asked for.
        case notExpected = "not-expected"
    }

    /// A stable code such as `signature-mismatch`. New ones may be added.
    public struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// What kind of reason it is: that of the first check that gives it. A reason this version does not know counts as
        /// not authentic.
        public var category: Category {
            CheckTable.all.first { $0.reasons.contains(self) }?.category ?? .notAuthentic
        }

        /// Every reason this version gives, in the order of the checks that give them.
        public static let all: [Reason] = {
            var all: [Reason] = []
            for reason in CheckTable.all.flatMap(\.reasons) where !all.contains(reason) { all.append(reason) }
            return all
        }()
    }
}

/// What each reason means.
extension Rejection.Reason {
    /// No SignerInfo: nobody signed the content.
    public static let signerInfoMissing = Self(rawValue: "signer-info-missing")
    /// More than one SignerInfo; App Store receipts have exactly one.
    public static let multipleSignerInfos = Self(rawValue: "multiple-signer-infos")
    /// The content is digested with something other than SHA-1 or SHA-256, or the container lists such a digest.
    public static let unsupportedDigestAlgorithm = Self(rawValue: "unsupported-digest-algorithm")
    /// The signer's digest algorithm is not among the SignedData's (RFC 5652 section 5.1).
    public static let digestAlgorithmNotListed = Self(rawValue: "digest-algorithm-not-listed")
    /// A signature of another scheme than those of the kind: RSA PKCS#1 v1.5 with SHA-1 or SHA-256, ES256 for signed JSON,
    /// ECDSA with SHA-256 for App Attest receipts.
    public static let unsupportedSignatureAlgorithm = Self(rawValue: "unsupported-signature-algorithm")
    /// The signer is named by a subject key identifier; App Store receipts name it by issuer and serial number.
    public static let unsupportedSignerIdentifier = Self(rawValue: "unsupported-signer-identifier")
    /// There is no creation date, so no time at which the certificates must be valid.
    public static let creationDateMissing = Self(rawValue: "creation-date-missing")
    /// The same of a transaction receipt: there is no purchase date.
    public static let purchaseDateMissing = Self(rawValue: "purchase-date-missing")
    /// The same of signed JSON: `signedDate` is missing, or not a number.
    public static let signingDateMissing = Self(rawValue: "signing-date-missing")
    /// The certificate that the SignerInfo names is not in the container.
    public static let signerCertificateMissing = Self(rawValue: "signer-certificate-missing")
    /// A certificate of the chain cannot be decoded.
    public static let malformedCertificate = Self(rawValue: "malformed-certificate")
    /// The certificate that issued the signer's is not in the container.
    public static let intermediateMissing = Self(rawValue: "intermediate-missing")
    /// The signer's certificate is signed by itself and is not an anchor, as with Xcode's test certificate.
    public static let selfSignedSigner = Self(rawValue: "self-signed-signer")
    /// The root itself issued the signer's certificate; an intermediate must be in between.
    public static let pathTooShort = Self(rawValue: "path-too-short")
    /// The intermediate names an issuer that is none of the anchors.
    public static let untrustedRoot = Self(rawValue: "untrusted-root")
    /// A certificate names different signature algorithms inside and outside (RFC 5280 section 4.1.1.2).
    public static let algorithmMismatch = Self(rawValue: "algorithm-mismatch")
    /// A key of the chain is of another kind than those of the profile: RSA of acceptable size and exponent, or an
    /// uncompressed point of P-256 or P-384 that lies on its curve.
    public static let unsupportedPublicKey = Self(rawValue: "unsupported-public-key")
    /// The intermediate is not a certificate authority (basicConstraints).
    public static let notACertificateAuthority = Self(rawValue: "not-a-certificate-authority")
    /// There is another certificate between the intermediate and the root, or the root forbids intermediates
    /// (pathLenConstraint).
    public static let pathTooLong = Self(rawValue: "path-too-long")
    /// A key is used for what its certificate does not allow (keyUsage).
    public static let keyUsage = Self(rawValue: "key-usage")
    /// A certificate has a critical extension that validation does not know (RFC 5280 section 4.2).
    public static let unknownCriticalExtension = Self(rawValue: "unknown-critical-extension")
    /// The signer's certificate is not one for signing App Store receipts: any developer's certificate leads up to
    /// Apple's root, only receipt signing ones carry the marker 1.2.840.113635.100.6.11.1.
    public static let signerMarkerMissing = Self(rawValue: "signer-marker-missing")
    /// The intermediate does not carry the marker 1.2.840.113635.100.6.2.1.
    public static let intermediateMarkerMissing = Self(rawValue: "intermediate-marker-missing")
    /// The intermediate's certificate is not signed by the anchor that it names.
    public static let intermediateSignatureMismatch = Self(rawValue: "intermediate-signature-mismatch")
    /// The signer's certificate is not signed by the intermediate.
    public static let signerSignatureMismatch = Self(rawValue: "signer-signature-mismatch")
    /// A certificate of the chain had expired at the validation time.
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    /// A certificate of the chain was not valid yet at the validation time.
    public static let certificateNotYetValid = Self(rawValue: "certificate-not-yet-valid")
    /// The container carries certificate revocation lists, which receipts never do.
    public static let revocationListsPresent = Self(rawValue: "revocation-lists-present")
    /// The signed attributes cannot be decoded.
    public static let malformedSignedAttributes = Self(rawValue: "malformed-signed-attributes")
    /// There are signed attributes, but no message digest among them.
    public static let messageDigestMissing = Self(rawValue: "message-digest-missing")
    /// The signed message digest is not that of the content.
    public static let messageDigestMismatch = Self(rawValue: "message-digest-mismatch")
    /// The signed content type is missing or is not that of the content.
    public static let contentTypeMismatch = Self(rawValue: "content-type-mismatch")
    /// The signature can be one of no key: an ECDSA signature whose numbers are zero, or not below the order of the curve,
    /// or are not in the form of their place.
    public static let malformedSignature = Self(rawValue: "malformed-signature")
    /// The signature does not fit the content: one of the two was changed, or another key signed.
    public static let signatureMismatch = Self(rawValue: "signature-mismatch")
    /// The receipt claims an environment that its signer does not sign for: an App Store type under Xcode's
    /// certificate, or type Xcode under the App Store's.
    public static let environmentNotVouchedFor = Self(rawValue: "environment-not-vouched-for")

    /// Something documented could not be read, and the policy does not tolerate that. It is signed all the same: Apple may
    /// have changed a form.
    public static let unreadableAttribute = Self(rawValue: "unreadable-attribute")
    /// What is signed inside a notification was rejected; the message says for what reason.
    public static let innerRejected = Self(rawValue: "inner-rejected")
    /// What is signed inside a notification says something else than the notification.
    public static let innerMismatch = Self(rawValue: "inner-mismatch")
    /// In production, it is for another number of the App Store than those expected, or states none.
    public static let appIdentifierMismatch = Self(rawValue: "app-identifier-mismatch")
    /// The transaction is of none of the accounts that are expected.
    public static let accountTokenMismatch = Self(rawValue: "account-token-mismatch")
    /// An App Attest receipt is for another App ID.
    public static let attestedAppMismatch = Self(rawValue: "attested-app-mismatch")
    /// An App Attest receipt is for another key.
    public static let attestedKeyMismatch = Self(rawValue: "attested-key-mismatch")
    /// An App Attest receipt is of another type, `ATTEST` or `RECEIPT`.
    public static let attestedReceiptTypeMismatch = Self(rawValue: "attested-receipt-type-mismatch")
    /// A signature of the chain or over the content uses SHA-1, and the policy does not accept that.
    public static let sha1NotAccepted = Self(rawValue: "sha1-not-accepted")
    /// A volume purchase had expired at the given date (expiration_date).
    public static let receiptExpired = Self(rawValue: "receipt-expired")
    /// The receipt is older at the given date than the policy takes.
    public static let receiptTooOld = Self(rawValue: "receipt-too-old")
    /// The policy has a maximum age, but no date was given to measure it at.
    public static let dateMissing = Self(rawValue: "date-missing")
    /// The receipt was created after the given date.
    public static let createdInTheFuture = Self(rawValue: "created-in-the-future")

    /// The receipt's environment is not among those expected, or is unknown.
    public static let environmentMismatch = Self(rawValue: "environment-mismatch")
    /// The receipt is for another app.
    public static let bundleIdentifierMismatch = Self(rawValue: "bundle-identifier-mismatch")
    /// The receipt is for another version of the app.
    public static let applicationVersionMismatch = Self(rawValue: "application-version-mismatch")
    /// The receipt's hash fits none of the device identifiers.
    public static let deviceMismatch = Self(rawValue: "device-mismatch")
    /// No purchase is of an expected product.
    public static let productMissing = Self(rawValue: "product-missing")
    /// No purchase has an expected transaction identifier.
    public static let transactionMissing = Self(rawValue: "transaction-missing")
    /// A transaction receipt states its environment outside the signature, and the policy expects one. See
    /// ``TransactionReceiptPolicy/acceptsUnsignedEnvironment``.
    public static let environmentNotSigned = Self(rawValue: "environment-not-signed")
}
