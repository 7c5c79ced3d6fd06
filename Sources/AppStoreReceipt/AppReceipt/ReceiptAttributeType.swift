/// The number that says what a receipt attribute is. Open: receipts carry numbers that nobody has documented.
public struct ReceiptAttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    // Attributes of the receipt. What each holds is said at the property of ``Receipt`` that has its name.
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

    // Attributes of an in-app purchase. What each holds is said at the property of ``InAppPurchase`` that has its name.
    public static let quantity = Self(rawValue: 1701)
    public static let productID = Self(rawValue: 1702)
    public static let transactionID = Self(rawValue: 1703)
    public static let purchaseDate = Self(rawValue: 1704)
    public static let originalTransactionID = Self(rawValue: 1705)
    /// ``InAppPurchase/originalPurchaseDate``; the receipt has a date of that name too (``originalPurchaseDate``).
    public static let purchaseOriginalPurchaseDate = Self(rawValue: 1706)
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

    /// Apple's key for the attribute in verifyReceipt's answer or guide, a descriptive name for what was only
    /// observed, or nil for what is unknown.
    public var name: String? { known?.key }

    /// What is known of the attribute; nil if no public receipt has it.
    package var known: KnownAttribute? { KnownAttribute.types.contains(rawValue) ? KnownAttribute.table[self] : nil }
}

/// What is known of an attribute: the one table that decoding, names, redaction and summaries follow.
///
/// - Names: ``ReceiptAttributeType/name``. The property that holds the value has the same words in camel case.
/// - Redaction: ``isPrivate``, and for types that are not in the table, too: nobody knows what they hold.
/// - Octets that must not be read as an encoding, whatever they look like: ``isOpaque``.
/// - Summaries of what has never been seen: types without an entry (``ReceiptAttributeType/known`` is nil).
package struct KnownAttribute: Sendable {
    package let type: ReceiptAttributeType
    /// The key in JSON; nil where the meaning is unknown.
    package let key: String?
    package let encoding: Encoding
    /// Documented by Apple's receipt validation guide or by verifyReceipt's answer, so that a value in another form is a
    /// fault (``Receipt/unreadableAttributes``). Others are observed, undocumented: nobody has promised their form.
    package let isDocumented: Bool
    /// Identifies a customer, a device, an app or a purchase, or its meaning is unknown: not for a ticket.
    package let isPrivate: Bool
    /// May occur more than once. Of all others a second one makes the receipt malformed.
    package var mayRepeat: Bool { type == .inApp }
    /// Raw octets, never an element, although some look like one by chance (observed).
    package var isOpaque: Bool { encoding == .octets }
    /// Of a purchase, not of the receipt.
    package var isOfPurchase: Bool { type.rawValue >= 1_700 }

    /// What the octets of the value are: one element, but for ``octets``.
    package enum Encoding: Sendable {
        case utf8String, ia5String, integer
        /// An IA5String with an RFC 3339 date.
        case date
        /// A SET of attributes.
        case attributes
        case octets
        /// Empty, or different from receipt to receipt.
        case unknown
    }

    private init(
        _ type: ReceiptAttributeType, _ key: String?, _ encoding: Encoding, isDocumented: Bool = true,
        isPrivate: Bool = false
    ) {
        self.type = type
        self.key = key
        self.encoding = encoding
        self.isDocumented = isDocumented
        self.isPrivate = isPrivate
    }

    private static func observed(
        _ type: ReceiptAttributeType, _ key: String?, _ encoding: Encoding, isPrivate: Bool = false
    ) -> KnownAttribute {
        KnownAttribute(type, key, encoding, isDocumented: false, isPrivate: isPrivate)
    }

    package static let table: [ReceiptAttributeType: KnownAttribute] = Dictionary(
        uniqueKeysWithValues: rows.map { ($0.type, $0) })

    /// The types that are known.
    package static let types = TypeSet { _ in true }
    /// Those whose octets are ``isOpaque``.
    static let opaqueTypes = TypeSet(where: \.isOpaque)
    /// Those that may occur once.
    static let singleTypes = TypeSet { !$0.mayRepeat }

    /// Some types of the table, as bits: asked for each attribute of each receipt.
    package struct TypeSet: Sendable {
        /// Bit n for type n of a receipt, and for type 1700 + n of a purchase.
        let ofReceipt: UInt64
        let ofPurchase: UInt64

        init(where isWanted: (KnownAttribute) -> Bool) {
            func bits(_ rows: [KnownAttribute], first: Int) -> UInt64 {
                rows.filter(isWanted).reduce(0) { $0 | 1 << UInt64($1.type.rawValue - first) }
            }
            ofReceipt = bits(rows.filter { !$0.isOfPurchase }, first: 0)
            ofPurchase = bits(rows.filter(\.isOfPurchase), first: 1_700)
        }

        package func contains(_ type: Int) -> Bool {
            switch type {
            case 0..<64: ofReceipt >> UInt64(type) & 1 == 1
            case 1_700..<1_764: ofPurchase >> UInt64(type - 1_700) & 1 == 1
            default: false
            }
        }
    }

    private static let rows: [KnownAttribute] = [
        .init(.receiptType, "receipt_type", .utf8String),
        .init(.appItemID, "app_item_id", .integer, isPrivate: true),
        .init(.bundleID, "bundle_id", .utf8String, isPrivate: true),
        .init(.applicationVersion, "application_version", .utf8String),
        .init(.opaqueValue, "opaque_value", .octets, isPrivate: true),
        .init(.sha1Hash, "sha1_hash", .octets, isPrivate: true),
        .observed(.init(rawValue: 6), nil, .octets, isPrivate: true),
        .observed(.init(rawValue: 7), nil, .octets, isPrivate: true),
        // In the receipt of a verifyReceipt answer, the creation date of the receipt that was submitted.
        .observed(.init(rawValue: 8), nil, .date),
        // Four ASCII characters as a number, such as `P305`.
        .observed(.init(rawValue: 9), nil, .integer, isPrivate: true),
        .observed(.ageRating, "age_rating", .ia5String),
        .observed(.developerID, "developer_id", .integer, isPrivate: true),
        .init(.receiptCreationDate, "receipt_creation_date", .date),
        .observed(.init(rawValue: 13), nil, .integer),
        .observed(.init(rawValue: 14), nil, .integer),
        .init(.downloadID, "download_id", .integer, isPrivate: true),
        .init(.versionExternalIdentifier, "version_external_identifier", .integer, isPrivate: true),
        .init(.inApp, "in_app", .attributes),
        .init(.originalPurchaseDate, "original_purchase_date", .date),
        .init(.originalApplicationVersion, "original_application_version", .utf8String),
        // Always empty so far.
        .observed(.init(rawValue: 20), nil, .utf8String, isPrivate: true),
        .init(.expirationDate, "expiration_date", .date),
        .observed(.init(rawValue: 22), nil, .date),
        .observed(.organizationName, "organization_name", .utf8String, isPrivate: true),
        .observed(.platform, "platform", .integer),
        .init(.preorderDate, "preorder_date", .date),

        .init(.quantity, "quantity", .integer),
        .init(.productID, "product_id", .utf8String, isPrivate: true),
        .init(.transactionID, "transaction_id", .utf8String, isPrivate: true),
        .init(.purchaseDate, "purchase_date", .date),
        .init(.originalTransactionID, "original_transaction_id", .utf8String, isPrivate: true),
        .init(.purchaseOriginalPurchaseDate, "original_purchase_date", .date),
        .observed(.productType, "product_type", .integer),
        .init(.expiresDate, "expires_date", .date),
        .observed(.init(rawValue: 1709), nil, .unknown, isPrivate: true),
        .observed(.itemID, "item_id", .integer, isPrivate: true),
        .init(.webOrderLineItemID, "web_order_line_item_id", .integer, isPrivate: true),
        .init(.cancellationDate, "cancellation_date", .date),
        .init(.isTrialPeriod, "is_trial_period", .integer),
        .observed(.init(rawValue: 1714), nil, .unknown, isPrivate: true),
        .observed(.init(rawValue: 1715), nil, .unknown, isPrivate: true),
        .observed(.init(rawValue: 1716), nil, .unknown, isPrivate: true),
        .observed(.init(rawValue: 1717), nil, .unknown, isPrivate: true),
        .observed(.init(rawValue: 1718), nil, .unknown, isPrivate: true),
        .init(.isInIntroOfferPeriod, "is_in_intro_offer_period", .integer),
        .init(.cancellationReason, "cancellation_reason", .integer),
        .init(.promotionalOfferID, "promotional_offer_id", .utf8String, isPrivate: true),
        .init(.inAppOwnershipType, "in_app_ownership_type", .integer),
    ]
}
