/// The number that says what a receipt attribute is. Open: receipts carry numbers that nobody has documented.
public struct ReceiptAttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    // Attributes of the receipt. Those with a key are documented by Apple's receipt validation guide or by
    // verifyReceipt's answer; the rest are observed, undocumented.
    public static let receiptType = Self(rawValue: 0)
    public static let appItemID = Self(rawValue: 1)
    public static let bundleID = Self(rawValue: 2)
    public static let applicationVersion = Self(rawValue: 3)
    public static let opaqueValue = Self(rawValue: 4)
    public static let sha1Hash = Self(rawValue: 5)
    public static let ageRating = Self(rawValue: 10)
    public static let developerID = Self(rawValue: 11)
    public static let receiptCreationDate = Self(rawValue: 12)
    public static let downloadID = Self(rawValue: 15)
    public static let versionExternalIdentifier = Self(rawValue: 16)
    public static let inApp = Self(rawValue: 17)
    public static let originalPurchaseDate = Self(rawValue: 18)
    public static let originalApplicationVersion = Self(rawValue: 19)
    public static let expirationDate = Self(rawValue: 21)
    public static let organizationName = Self(rawValue: 23)
    public static let platform = Self(rawValue: 25)
    public static let preorderDate = Self(rawValue: 32)

    // Attributes of an in-app purchase.
    public static let quantity = Self(rawValue: 1701)
    public static let productID = Self(rawValue: 1702)
    public static let transactionID = Self(rawValue: 1703)
    public static let purchaseDate = Self(rawValue: 1704)
    public static let originalTransactionID = Self(rawValue: 1705)
    public static let originalTransactionPurchaseDate = Self(rawValue: 1706)
    public static let productType = Self(rawValue: 1707)
    public static let expiresDate = Self(rawValue: 1708)
    public static let itemID = Self(rawValue: 1710)
    public static let webOrderLineItemID = Self(rawValue: 1711)
    public static let cancellationDate = Self(rawValue: 1712)
    public static let isTrialPeriod = Self(rawValue: 1713)
    public static let isInIntroOfferPeriod = Self(rawValue: 1719)
    public static let cancellationReason = Self(rawValue: 1720)
    public static let promotionalOfferID = Self(rawValue: 1721)
    public static let inAppOwnershipType = Self(rawValue: 1722)

    /// Types 4 to 7 hold raw bytes, never a DER element; some look like one by chance (observed).
    package var isRaw: Bool { (4...7).contains(rawValue) }

    /// Apple's key for the attribute in verifyReceipt's answer or guide, a descriptive name for what was only
    /// observed, or nil for what is unknown.
    public var name: String? {
        switch rawValue {
        case 0: "receipt_type"
        case 1: "app_item_id"
        case 2: "bundle_id"
        case 3: "application_version"
        case 4: "opaque_value"
        case 5: "sha1_hash"
        case 10: "age_rating"
        case 11: "developer_id"
        case 12: "receipt_creation_date"
        case 15: "download_id"
        case 16: "version_external_identifier"
        case 17: "in_app"
        case 18: "original_purchase_date"
        case 19: "original_application_version"
        case 21: "expiration_date"
        case 23: "organization_name"
        case 25: "platform"
        case 32: "preorder_date"
        case 1701: "quantity"
        case 1702: "product_id"
        case 1703: "transaction_id"
        case 1704: "purchase_date"
        case 1705: "original_transaction_id"
        case 1706: "original_purchase_date"
        case 1707: "product_type"
        case 1708: "expires_date"
        case 1710: "item_id"
        case 1711: "web_order_line_item_id"
        case 1712: "cancellation_date"
        case 1713: "is_trial_period"
        case 1719: "is_in_intro_offer_period"
        case 1720: "cancellation_reason"
        case 1721: "promotional_offer_id"
        case 1722: "in_app_ownership_type"
        default: nil
        }
    }
}
