public import AppStoreReceipt

/// A purchase to be put into a receipt: the SET inside an attribute of type 17.
///
/// A factory gives what such a purchase has in a genuine receipt, a modifier adds what happened to it:
///
/// ```swift
/// ForgedPurchase.consumable("com.example.coins", quantity: 3)
/// ForgedPurchase.autoRenewable("com.example.pro").inTrial()
/// ForgedPurchase.nonConsumable("com.example.unlock").refunded(at: "2025-03-01T09:00:00Z", reason: 1)
/// ```
///
/// Dates are written as they are given, right or wrong; genuine ones look like `2025-01-15T10:00:00Z`. Unless said
/// otherwise nil leaves an attribute out, and an empty date is written as an empty IA5String, as the App Store does.
public struct ForgedPurchase: Hashable, Sendable {
    public var quantity: Int64? = 1
    public var productID: String?
    /// nil numbers the purchase by its place in the receipt.
    public var transactionID: String?
    /// nil repeats the transaction's own (in an Xcode receipt: leaves it out).
    public var originalTransactionID: String?
    public var purchaseDate: String?
    /// nil repeats the purchase date (in an Xcode receipt: leaves it out).
    public var originalPurchaseDate: String?
    /// Attribute 1707: observed, undocumented.
    public var productType: InAppPurchase.ProductType?
    public var expiresDate: String? = ""
    /// Attribute 1710, the item number of the product: inferred, not documented.
    public var itemID: Int64? = 0
    /// 0 for none.
    public var webOrderLineItemID: Int64? = 0
    public var cancellationDate: String? = ""
    public var cancellationReason: Int64?
    public var isTrialPeriod: Bool? = false
    public var isInIntroOfferPeriod: Bool?
    public var promotionalOfferID: String?
    public var ownership: InAppPurchase.OwnershipType? = .purchased
    /// Attributes in the place of the usual ones of a type: none to leave it out, two to repeat it.
    public var overrides: [Int: [ForgedAttribute]] = [:]
    /// Attributes after all others.
    public var extraAttributes: [ForgedAttribute] = []

    public init(
        productID: String, productType: InAppPurchase.ProductType? = nil, purchaseDate: String = Self.purchaseDate
    ) {
        self.productID = productID
        self.productType = productType
        self.purchaseDate = purchaseDate
    }

    /// The date of purchases that name none.
    public static let purchaseDate = "2025-01-15T10:00:00Z"
}

// MARK: - Factories

extension ForgedPurchase {
    public static func consumable(
        _ productID: String, quantity: Int64 = 1, purchaseDate: String = Self.purchaseDate
    ) -> ForgedPurchase {
        var purchase = ForgedPurchase(productID: productID, productType: .consumable, purchaseDate: purchaseDate)
        purchase.quantity = quantity
        return purchase
    }

    public static func nonConsumable(_ productID: String, purchaseDate: String = Self.purchaseDate) -> ForgedPurchase {
        ForgedPurchase(productID: productID, productType: .nonConsumable, purchaseDate: purchaseDate)
    }

    public static func nonRenewing(_ productID: String, purchaseDate: String = Self.purchaseDate) -> ForgedPurchase {
        ForgedPurchase(productID: productID, productType: .nonRenewingSubscription, purchaseDate: purchaseDate)
    }

    /// One period of a subscription.
    public static func autoRenewable(
        _ productID: String, purchaseDate: String = Self.purchaseDate, expiresDate: String = "2025-02-15T10:00:00Z"
    ) -> ForgedPurchase {
        var purchase = ForgedPurchase(
            productID: productID, productType: .autoRenewableSubscription, purchaseDate: purchaseDate)
        purchase.expiresDate = expiresDate
        purchase.webOrderLineItemID = 2_000_000_100_000_001
        purchase.isInIntroOfferPeriod = false
        return purchase
    }
}

// MARK: - Modifiers

extension ForgedPurchase {
    /// A period of a free trial.
    public func inTrial() -> ForgedPurchase { with { $0.isTrialPeriod = true } }

    /// A period at an introductory price.
    public func inIntroOffer() -> ForgedPurchase { with { $0.isInIntroOfferPeriod = true } }

    /// A period bought with a promotional offer.
    public func withPromotionalOffer(_ identifier: String) -> ForgedPurchase {
        with { $0.promotionalOfferID = identifier }
    }

    /// Refunded or revoked. The reason is 1 for an issue with the app, 0 for any other.
    public func refunded(at date: String, reason: Int64? = 0) -> ForgedPurchase {
        with {
            $0.cancellationDate = date
            $0.cancellationReason = reason
        }
    }

    /// Had through Family Sharing.
    public func familyShared() -> ForgedPurchase { with { $0.ownership = .familyShared } }

    /// A transaction that goes back to an earlier one: a renewal, or a restored purchase.
    public func renewing(_ originalTransactionID: String, purchasedAt date: String) -> ForgedPurchase {
        with {
            $0.originalTransactionID = originalTransactionID
            $0.originalPurchaseDate = date
        }
    }

    public func transaction(_ identifier: String) -> ForgedPurchase { with { $0.transactionID = identifier } }

    public func with(_ change: (inout ForgedPurchase) -> Void) -> ForgedPurchase {
        var copy = self
        change(&copy)
        return copy
    }
}
