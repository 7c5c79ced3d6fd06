internal import ReceiptPKIX

/// One in-app purchase of a receipt (attribute type 17).
///
/// A property is nil when the attribute is absent, empty, or cannot be read (``Receipt/unreadableAttributes``); nothing is
/// made up in its place.
public struct InAppPurchase: Hashable, Sendable {
    /// How many items were bought (type 1701).
    public internal(set) var quantity: Int64?
    /// The product's identifier as set in App Store Connect (type 1702).
    public internal(set) var productID: String?
    /// Identifies this transaction; a renewal has its own (type 1703). Xcode counts from `0`.
    public internal(set) var transactionID: String?
    /// The transaction that a renewal or restored purchase goes back to (type 1705). Most Xcode receipts lack it.
    public internal(set) var originalTransactionID: String?
    /// When the item was bought or renewed (type 1704).
    public internal(set) var purchaseDate: ReceiptDate?
    /// The purchase date of the original transaction (type 1706).
    public internal(set) var originalPurchaseDate: ReceiptDate?
    /// When a subscription ends or renews (type 1708).
    public internal(set) var expiresDate: ReceiptDate?
    /// When Apple support took the purchase back, or an upgrade replaced it (type 1712). Such a purchase counts
    /// as never made.
    public internal(set) var cancellationDate: ReceiptDate?
    /// `1` for a problem in the app, `0` for any other reason (type 1720).
    public internal(set) var cancellationReason: Int64?
    /// Identifies the purchase event across devices (type 1711). Receipts write 0 for none, which is nil here.
    public internal(set) var webOrderLineItemID: Int64?
    /// Whether this is a subscription's free trial (type 1713).
    public internal(set) var isTrialPeriod: Bool?
    /// Whether this is an introductory price period (type 1719); in receipts since 2018.
    public internal(set) var isInIntroOfferPeriod: Bool?
    /// The promotional offer that the purchase used (type 1721).
    public internal(set) var promotionalOfferID: String?
    /// Whether the user bought the item or shares a family member's (type 1722); in receipts since 2021.
    public internal(set) var inAppOwnershipType: OwnershipType?
    /// What kind of product it is (type 1707; observed, undocumented).
    public internal(set) var productType: ProductType?
    /// The App Store's number of the product (type 1710; inferred). 0 in the sandbox.
    public internal(set) var itemID: Int64?

    /// Whether ``expiresDate`` or ``cancellationDate`` is nil because it cannot be read: such a purchase never counts.
    package internal(set) var hasUnreadableEnd = false

    /// All attributes, known or not, in the order of the receipt.
    public let attributes: ReceiptAttributes

    init(_ attributes: ReceiptAttributes) { self.attributes = attributes }
}

extension InAppPurchase {
    /// Why a purchase does not count. Open: reasons may be added.
    public struct NotCounting: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Apple took it back, or an upgrade replaced it.
        public static let cancelled = Self(rawValue: "cancelled")
        /// The subscription period has ended.
        public static let ended = Self(rawValue: "ended")
        /// When it ends, or whether it was cancelled, is there but cannot be read (``Receipt/unreadableAttributes``).
        public static let unreadable = Self(rawValue: "unreadable")

        /// Why a purchase of any kind of document does not count at a date; nil when it does.
        package init?(
            cancelled: ReceiptDate?, expires: ReceiptDate?, hasUnreadableEnd: Bool = false, at date: ReceiptDate?
        ) {
            if cancelled != nil {
                self = .cancelled
            } else if hasUnreadableEnd {
                self = .unreadable
            } else if let date, let expires, expires <= date {
                // The instant at which a period ends is the first of the next one.
                self = .ended
            } else {
                return nil
            }
        }
    }

    /// Whether the purchase counts at a date: it was not cancelled, and the period of a subscription has not ended.
    ///
    /// A receipt knows what was cancelled until it was made; refunds after that it cannot show. A cancelled purchase never
    /// counts, whatever the date. Without a date, periods that have ended count too.
    public func counts(at date: ReceiptDate?) -> Bool { notCounting(at: date) == nil }

    /// Why the purchase does not count at a date, or nil when it does; see ``counts(at:)``.
    public func notCounting(at date: ReceiptDate?) -> NotCounting? {
        stated.notCounting(at: date)
    }

    package var stated: StatedPurchases.Purchase {
        var stated = StatedPurchases.Purchase(
            productID: productID, transactionID: transactionID, cancellationDate: cancellationDate,
            expiresDate: expiresDate)
        stated.hasUnreadableEnd = hasUnreadableEnd
        return stated
    }
}

extension InAppPurchase {
    /// Kind of product (observed, undocumented). Open: other values may appear.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }

        public static let nonConsumable = Self(rawValue: 0)
        public static let consumable = Self(rawValue: 1)
        public static let nonRenewingSubscription = Self(rawValue: 2)
        public static let autoRenewableSubscription = Self(rawValue: 3)
        /// A free subscription; seen in a receipt of 2015.
        public static let freeSubscription = Self(rawValue: 4)

        /// For example `auto-renewable subscription`; nil for a value that has not been seen.
        public var name: String? {
            switch self {
            case .nonConsumable: "non-consumable"
            case .consumable: "consumable"
            case .nonRenewingSubscription: "non-renewing subscription"
            case .autoRenewableSubscription: "auto-renewable subscription"
            case .freeSubscription: "free subscription"
            default: nil
            }
        }
    }

    /// Relationship of the user to the purchase. Open: other values may appear.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }

        public static let purchased = Self(rawValue: 0)
        public static let familyShared = Self(rawValue: 1)

        /// verifyReceipt's word, `PURCHASED` or `FAMILY_SHARED`; nil for a value that has not been seen.
        public var name: String? {
            switch self {
            case .purchased: "PURCHASED"
            case .familyShared: "FAMILY_SHARED"
            default: nil
            }
        }
    }
}
