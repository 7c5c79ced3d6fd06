public import AppStoreReceipt

/// What a server accepts: whom it trusts, as of when, and which receipt it wants.
///
/// Nothing in a receipt changes how it is checked; everything is decided here, beforehand.
public struct ValidationPolicy: Hashable, Sendable {
    /// Where the chain must end: whoever issues intermediates. Apple's by default. Others may be added or take their place;
    /// each counts for every kind of document whose signers have keys of its kind.
    public var roots: [TrustAnchor]

    /// Certificates that sign by themselves, for what Xcode makes, and issue nothing. None by default; the one of a
    /// StoreKit configuration can be exported from Xcode.
    public var directSigners: [DirectSigner] = []

    /// Intermediate certificates, DER, beside those that come with a document or are built in. They are not trusted: each
    /// has to lead up to a root and to carry its marker. Of use for transaction receipts, which carry none, and on the day
    /// on which something else does not.
    public var intermediates: [[UInt8]] = []

    /// Extensions of certificates that are tolerated although they are critical and not known, or restrict: object
    /// identifiers, dotted. For the day on which Apple adds one and a release that knows it is not at hand.
    public var toleratedCriticalExtensions: Set<String> = []

    /// The time at which the certificates must be valid.
    public var validationTime: ValidationTime = .receiptCreation

    /// Whether signatures with SHA-1 count. True by default: every receipt before 2023 has one, and forging one
    /// would take a second preimage of SHA-1, or Apple signing half of a collision.
    public var acceptsSHA1 = true

    /// Expectations. Nil expects nothing; an empty set is met by no receipt.
    public var bundleIdentifiers: Set<String>?
    public var environments: Set<ReceiptEnvironment>?
    public var applicationVersions: Set<String>?
    /// Candidates of which one must fit the receipt's hash; of signed JSON, whose `deviceVerificationID` must fit its
    /// `deviceVerification`.
    public var deviceIdentifiers: [DeviceIdentifier]?
    /// Products all of which must be among the purchases, and count: not cancelled, and of a subscription a period that has
    /// not ended at the date passed to `validate`. See ``acceptsPurchasesThatDoNotCount``.
    public var productIdentifiers: Set<String>?
    /// Transactions all of which must be among the purchases, and count.
    public var transactionIdentifiers: Set<String>?
    /// Whether an expected product or transaction may be one that was cancelled or has ended: mere presence is enough.
    public var acceptsPurchasesThatDoNotCount = false
    /// App Store numbers of the apps (`appAppleId`). Asked in production only, of the kinds that have one: app
    /// transactions and notifications; there, one that states none is rejected.
    public var appAppleIDs: Set<Int64>?
    /// Accounts of the app (`appAccountToken`), UUIDs in any case, of which the transaction must name one.
    public var accountTokens: Set<String>?
    /// Members of signed JSON and attributes that may be unreadable: documented ones in a form never seen. For the day on
    /// which Apple changes one. Their properties are nil. An app receipt's attributes are named as in JSON, for example
    /// `purchase_date` (`ReceiptAttributeType.name`).
    public var toleratedUnreadable: Set<String> = []
    /// What concerns App Attest receipts only.
    public var appAttest = AppAttestPolicy()
    /// How old a receipt may be, by its creation date, at the date passed to `validate`.
    public var maximumAge: Duration?

    /// What concerns iOS 6-style transaction receipts only.
    public var transactionReceipts = TransactionReceiptPolicy()

    /// A policy that asks for authenticity only. Prefer
    /// ``ValidationPolicy/appStore(bundleIdentifiers:environments:appAppleIDs:)``: an authentic receipt of another app,
    /// or one from the sandbox where nobody pays, is authentic too.
    public init(authenticUnder roots: [TrustAnchor] = TrustAnchor.apple) { self.roots = roots }

    /// A policy that asks for authenticity under these certificates only, DER, each in the role that it has.
    ///
    /// - Throws: ``TrustError`` for one that can be trusted in no role.
    public init(trusting certificates: [[UInt8]]) throws(TrustError) {
        roots = []
        for certificate in certificates {
            switch try TrustedCertificate(certificate: certificate) {
            case .root(let root): roots.append(root)
            case .directSigner(let signer): directSigners.append(signer)
            }
        }
    }

    /// Receipts of these apps from the App Store.
    ///
    /// - Parameters:
    ///   - bundleIdentifiers: The apps, compared exactly.
    ///   - environments: Where purchases count. Add `.sandbox` where App Review and TestFlight must get in; nobody
    ///     pays in the sandbox.
    ///   - appAppleIDs: The apps' numbers in the App Store; see ``appAppleIDs``. Pass them where notifications and app
    ///     transactions are validated: a bundle identifier alone can be given up and taken by another developer.
    public static func appStore(
        bundleIdentifiers: Set<String>, environments: Set<ReceiptEnvironment> = [.production],
        appAppleIDs: Set<Int64>? = nil
    ) -> ValidationPolicy {
        var policy = ValidationPolicy()
        policy.bundleIdentifiers = bundleIdentifiers
        policy.environments = environments
        policy.appAppleIDs = appAppleIDs
        return policy
    }

    /// Receipts that Xcode's StoreKit Testing made for these apps, for development only.
    ///
    /// - Parameters:
    ///   - certificate: The certificate that signs them, as exported from Xcode.
    ///   - bundleIdentifiers: The apps, compared exactly.
    public static func xcode(certificate: DirectSigner, bundleIdentifiers: Set<String>) -> ValidationPolicy {
        var policy = ValidationPolicy(authenticUnder: [])
        policy.directSigners = [certificate]
        policy.bundleIdentifiers = bundleIdentifiers
        policy.environments = [.xcode]
        return policy
    }

    /// When certificates must be valid. The library never reads a clock.
    public enum ValidationTime: Hashable, Sendable {
        /// At the receipt's creation date. The right choice: Apple's signing certificates live about two years, and
        /// the receipts they signed stay valid.
        case receiptCreation
        case at(ReceiptDate)
    }
}
