package import ReceiptPKIX

/// Something that Apple signs, decoded and **not verified**: the seam between decoding and validation.
///
/// A kind of document says two things of itself: who signed what (``signing``), and what it states (``statements``).
/// Everything behind, every check, verdict and report, is written once over these. A kind is added by conforming to this
/// protocol, with a row in the validation module that names its signer profile.
///
/// The requirements return values that only this package can read or make, so that a type of somebody else's can take
/// part in nothing.
public protocol SignedDocument: Sendable {
    /// What a caller wants of the document once it is verified.
    associatedtype Content: Sendable

    static var kind: DocumentKind { get }

    /// What the document says. **Unverified**: anyone can write this.
    var unverifiedContent: Content { get }

    /// The octets that identify the document, whatever was done to what is around them: the payload that was signed.
    var payload: ArraySlice<UInt8> { get }

    /// Who says that he signed what.
    var signing: DocumentSigning { get }

    /// What the document states, in the words of a policy. Asked for once in a validation; makes nothing anew.
    var statements: DocumentStatements { get }

    /// The purchases it states. Asked for only when the policy expects some.
    var statedPurchases: StatedPurchases { get }

    /// What ties it to a device. Asked for only when the policy expects one.
    var statedDevice: StatedDevice { get }
}

/// What kind of document something is. Open: kinds are added.
public struct DocumentKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The word of the JSON report, such as `app-receipt`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The same word. Words of different lengths, as most are, are told apart without being looked at.
    public static func == (lhs: DocumentKind, rhs: DocumentKind) -> Bool {
        lhs.rawValue.utf8.count == rhs.rawValue.utf8.count && lhs.rawValue == rhs.rawValue
    }

    /// An App Store receipt: PKCS#7 over a SET of attributes.
    public static let appReceipt = Self(rawValue: "app-receipt")
    /// An iOS 6-style transaction receipt: a property list.
    public static let transactionReceipt = Self(rawValue: "transaction-receipt")
    /// A transaction of StoreKit 2 or the App Store Server API: a compact JWS, as the next three.
    public static let signedTransaction = Self(rawValue: "signed-transaction")
    public static let signedRenewalInfo = Self(rawValue: "signed-renewal-info")
    public static let signedAppTransaction = Self(rawValue: "signed-app-transaction")
    /// An App Store Server Notification, version 2.
    public static let notification = Self(rawValue: "notification")
    /// A receipt of App Attest: CMS over a SET of attributes.
    public static let appAttestReceipt = Self(rawValue: "app-attest-receipt")
}

/// Who says that he signed what, as a document presents it. Only this package can read or make one.
public struct DocumentSigning: Sendable {
    package enum Form: Sendable {
        /// A CMS container: its SignerInfo says who and how. Ranges are into `der`.
        case cms(SignedData, der: [UInt8])
        case plain(PlainSignature)
    }

    package let form: Form
    /// Those under which the document was decoded; they hold for its certificates too (``DecodingLimits/extensions``).
    package let limits: DecodingLimits

    package init(_ signedData: SignedData, der: [UInt8], limits: DecodingLimits = .default) {
        form = .cms(signedData, der: der)
        self.limits = limits
    }

    package init(_ signature: PlainSignature, limits: DecodingLimits = .default) {
        form = .plain(signature)
        self.limits = limits
    }
}

/// A signature that stands beside what it signs, with the certificate of its signer: that of a transaction receipt, or a
/// compact JWS.
package struct PlainSignature: Sendable {
    /// What the document says it is signed with. Whether that counts is decided by the profile of its kind.
    package enum Algorithm: Hashable, Sendable {
        case rsaWithSHA1, rsaWithSHA256, es256
        /// Any other, by its name.
        case other(String)
    }

    /// The octets that were signed.
    package let signed: ArraySlice<UInt8>
    package let algorithm: Algorithm
    /// The octets of the signature.
    package let signature: ArraySlice<UInt8>
    /// DER, the signer's first; the others may issue it, or be beside it.
    package let certificates: [ArraySlice<UInt8>]

    package init(
        _ signature: ArraySlice<UInt8>, _ algorithm: Algorithm, over signed: ArraySlice<UInt8>,
        certificates: [ArraySlice<UInt8>]
    ) {
        self.signature = signature
        self.algorithm = algorithm
        self.signed = signed
        self.certificates = certificates
    }
}

/// What a document states, as far as a policy asks. Only this package can read or make one.
///
/// Nil where the document does not say, whether its kind never does or this one leaves it out: nothing that is expected
/// is ever met by silence.
public struct DocumentStatements: Sendable {
    /// When it was signed, as it says itself: the time at which its certificates must be valid.
    package var signingDate: ReceiptDate?
    package var environment: ReceiptEnvironment?
    /// The word with which it states its environment.
    package var environmentWord: String?
    package var environmentProof = EnvironmentProof.signed
    package var bundleID: String?
    package var applicationVersion: String?
    /// The end of the document itself, as a volume purchase has one.
    package var expiration: ReceiptDate?
    /// The app's number in the App Store.
    package var appAppleID: Int64?
    /// Whether documents of this kind state the app's number.
    package var hasAppAppleID = false
    /// The app's own account.
    package var accountToken: String?
    /// What is documented and could not be read.
    package var unreadable: [String] = []
    package var attestation: Attestation?

    /// What an App Attest receipt says of its key.
    package struct Attestation: Hashable, Sendable {
        package var appID: String?
        package var receiptType: AppAttestReceipt.ReceiptType?
        /// The uncompressed point of the attested key.
        package var point: [UInt8]?
    }

    /// What Apple documents, in a form that cannot be read.
    package var unreadableAttributes: [UnreadableAttribute] = []

    /// What stands behind a stated environment.
    package enum EnvironmentProof: Hashable, Sendable {
        case signed
        /// It is stated outside the signature, where anybody can change it.
        case none
        /// So it is, but something signed shows the sandbox.
        case signedNumberOfSandbox
    }

    package init(signingDate: ReceiptDate?) { self.signingDate = signingDate }
}

/// The purchases that a document states. Only this package can read or make them.
public struct StatedPurchases: Sendable {
    package struct Purchase: Sendable {
        package var productID: String?
        package var transactionID: String?
        package var cancellationDate: ReceiptDate?
        package var expiresDate: ReceiptDate?
        /// One of the two is there, but cannot be read.
        package var hasUnreadableEnd = false

        package init(
            productID: String?, transactionID: String?, cancellationDate: ReceiptDate?, expiresDate: ReceiptDate?
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.cancellationDate = cancellationDate
            self.expiresDate = expiresDate
        }

        /// Why it does not count at a date, for every kind of document; see ``InAppPurchase/notCounting(at:)``.
        package func notCounting(at date: ReceiptDate?) -> InAppPurchase.NotCounting? {
            InAppPurchase.NotCounting(
                cancelled: cancellationDate, expires: expiresDate, hasUnreadableEnd: hasUnreadableEnd, at: date)
        }

        package func counts(at date: ReceiptDate?) -> Bool { notCounting(at: date) == nil }

        /// The same where the date may be unknown: nil when it would decide.
        package func countsIfKnown(at date: ReceiptDate?) -> Bool? {
            counts(at: date) ? date == nil && expiresDate != nil ? nil : true : false
        }
    }

    package let purchases: [Purchase]
    package init(_ purchases: [Purchase]) { self.purchases = purchases }
}

/// What ties a document to a device. Only this package can read or make one.
public struct StatedDevice: Sendable {
    package enum Proof: Sendable {
        /// SHA-1 over the device identifier and these octets.
        case sha1([UInt8], suffix: [UInt8])
        /// Base64 of SHA-384 over the nonce, a UUID in lower case, and the device's UUID in lower case.
        case sha384(String, nonce: String)
        /// The identifiers themselves.
        case identifiers([String])
        /// Nothing does.
        case none
    }

    package let proof: Proof
    package init(_ proof: Proof) { self.proof = proof }
}

extension SignedDocument {
    public var statedPurchases: StatedPurchases { StatedPurchases([]) }
    public var statedDevice: StatedDevice { StatedDevice(.none) }
}
