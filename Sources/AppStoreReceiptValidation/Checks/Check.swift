/// One check of a validation, with its outcome.
public struct Check: Hashable, Sendable {
    public let name: Name
    public let outcome: Outcome
    package let sentence: Sentence

    init(_ name: Name, _ outcome: Outcome, _ sentence: Sentence) {
        self.name = name
        self.outcome = outcome
        self.sentence = sentence
    }

    /// A sentence: what was found, why it failed, or why it was not run. Without control or format characters.
    public var detail: String { sentence.text() }

    /// What the sentence speaks of.
    public var values: [ReportedValue] { sentence.values }

    /// The sentence with each value as a caller wants it shown.
    package func detail(showing show: (ReportedValue) -> String) -> String { sentence.text(showing: show) }

    public enum Outcome: String, Hashable, Sendable {
        case passed
        case failed
        /// The check was not asked for, or a failed one took away what it needs.
        case notRun = "not-run"
    }

    /// What is checked. Stable; new ones may be added.
    public struct Name: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Every check, in the order in which they are made and shown.
        public static let all: [Name] = CheckTable.all.map(\.name)

        /// What the check finds out, in a sentence; nil for a name that no check has.
        public var summary: String? { CheckTable.all.first { $0.name == self }?.summary }

        /// The reasons that the check gives for a rejection.
        public var reasons: [Rejection.Reason] { CheckTable.all.first { $0.name == self }?.reasons ?? [] }
    }
}

/// The names in the order of the checks; ``summary`` says what each is about.
extension Check.Name {
    public static let signerInfo = Self(rawValue: "signer-info")
    public static let digestAlgorithm = Self(rawValue: "digest-algorithm")
    public static let signatureAlgorithm = Self(rawValue: "signature-algorithm")
    public static let validationTime = Self(rawValue: "validation-time")
    public static let signerCertificate = Self(rawValue: "signer-certificate")
    public static let intermediateCertificate = Self(rawValue: "intermediate-certificate")
    public static let basicConstraints = Self(rawValue: "basic-constraints")
    public static let keyUsage = Self(rawValue: "key-usage")
    public static let anchor = Self(rawValue: "anchor")
    public static let certificateAlgorithms = Self(rawValue: "certificate-algorithms")
    public static let publicKeys = Self(rawValue: "public-keys")
    public static let criticalExtensions = Self(rawValue: "critical-extensions")
    public static let signerMarker = Self(rawValue: "signer-marker")
    public static let intermediateMarker = Self(rawValue: "intermediate-marker")
    public static let intermediateSignature = Self(rawValue: "intermediate-signature")
    public static let signerSignature = Self(rawValue: "signer-signature")
    public static let validity = Self(rawValue: "validity")
    public static let container = Self(rawValue: "container")
    public static let signedAttributes = Self(rawValue: "signed-attributes")
    public static let signature = Self(rawValue: "signature")
    public static let environmentVouchedFor = Self(rawValue: "environment-vouched-for")
    public static let sha1 = Self(rawValue: "sha1")
    public static let readable = Self(rawValue: "readable")
    public static let inner = Self(rawValue: "inner")
    public static let environment = Self(rawValue: "environment")
    public static let bundleIdentifier = Self(rawValue: "bundle-identifier")
    public static let appIdentifier = Self(rawValue: "app-identifier")
    public static let applicationVersion = Self(rawValue: "application-version")
    public static let accountToken = Self(rawValue: "account-token")
    public static let device = Self(rawValue: "device")
    public static let attestedApp = Self(rawValue: "attested-app")
    public static let attestedKey = Self(rawValue: "attested-key")
    public static let attestedReceiptType = Self(rawValue: "attested-receipt-type")
    public static let products = Self(rawValue: "products")
    public static let transactions = Self(rawValue: "transactions")
    public static let expiration = Self(rawValue: "expiration")
    public static let age = Self(rawValue: "age")
}
