/// What an App Attest receipt says: which key of which app was attested, and how many keys its device has.
///
/// A value of this type says nothing about who wrote it. A property is nil when the attribute is absent, and when it is
/// in a form never seen, which ``unreadableAttributes`` tells. The names are Apple's; types 7 and the forms are observed,
/// undocumented.
public struct AppAttestReceipt: Hashable, Sendable {
    /// The App ID, `TEAMID.bundle.identifier` (type 2).
    public internal(set) var appID: String?
    /// The attested public key (type 3): a whole X.509 certificate, DER, from Apple App Attestation CA 1.
    public internal(set) var attestedCertificate: [UInt8]?
    /// The client's hash (type 4): 32 bytes in a receipt of type ATTEST. In one of type RECEIPT Apple has destroyed it by
    /// passing it through UTF-8, and nothing can be compared with what is left.
    public internal(set) var clientHash: [UInt8]?
    /// Apple's token (type 5): base64.
    public internal(set) var token: String?
    /// Where the receipt comes from (type 6).
    public internal(set) var receiptType: ReceiptType?
    /// `sandbox` or `production` (type 7).
    public internal(set) var environment: String?
    /// When the receipt was created (type 12): the time at which its certificates must be valid.
    public internal(set) var creationTime: ReceiptDate?
    /// About the number of keys attested on the device in the last 30 days (type 17). Of type RECEIPT only.
    public internal(set) var riskMetric: Int64?
    /// Before this instant Apple's server gives no new receipt for this one (type 19). Of type RECEIPT only.
    public internal(set) var notBefore: ReceiptDate?
    /// From this instant on Apple's server takes this receipt no more (type 21). It is no statement about the receipt.
    public internal(set) var expirationTime: ReceiptDate?

    /// All attributes, known or not, in the order of the receipt. Their values are bare text or bytes, and not DER as in
    /// app receipts: use ``ReceiptAttribute/rawValue``.
    public let attributes: ReceiptAttributes
    /// The types of documented attributes that are in a form never seen.
    public internal(set) var unreadableAttributes: [ReceiptAttributeType] = []

    init(_ attributes: ReceiptAttributes) { self.attributes = attributes }

    /// The types that have a property.
    static let knownTypes: Set<Int> = [2, 3, 4, 5, 6, 7, 12, 17, 19, 21]

    /// `ATTEST` or `RECEIPT`; other words are kept.
    public struct ReceiptType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In an attestation object.
        public static let attest = Self(rawValue: "ATTEST")
        /// From Apple's server, in exchange for another.
        public static let receipt = Self(rawValue: "RECEIPT")
    }

    /// The app's bundle identifier: the ``appID`` without the team's prefix.
    public var bundleID: String? {
        guard let appID, let point = appID.firstIndex(of: ".") else { return nil }
        return String(appID[appID.index(after: point)...])
    }
}
