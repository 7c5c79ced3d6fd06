import AppStoreReceipt

/// What reports tell of a purchase, whatever kind of document states it.
struct PurchaseFacts: Sendable {
    var quantity: Int64?
    var productID: String?
    /// For example `auto-renewable subscription`.
    var type: String?
    var transactionID: String?
    var originalTransactionID: String?
    var purchaseDate: ReceiptDate?
    var expiresDate: ReceiptDate?
    var cancellationDate: ReceiptDate?
    var cancellationReason: Int64?
    /// As the document says it; nil when it does not.
    var isTrialPeriod: Bool?
    var isInIntroOfferPeriod: Bool?
    var promotionalOfferID: String?
    /// Only where it is not the buyer's own.
    var ownership: String?
    var isFamilyShared = false
    /// What decides whether it counts.
    let stated: StatedPurchases.Purchase

    init(_ purchase: InAppPurchase) {
        quantity = purchase.quantity
        productID = purchase.productID
        type = purchase.productType.map { $0.name ?? "type \($0.rawValue)" }
        transactionID = purchase.transactionID
        originalTransactionID = purchase.originalTransactionID
        purchaseDate = purchase.purchaseDate
        expiresDate = purchase.expiresDate
        cancellationDate = purchase.cancellationDate
        cancellationReason = purchase.cancellationReason
        isTrialPeriod = purchase.isTrialPeriod
        isInIntroOfferPeriod = purchase.isInIntroOfferPeriod
        isFamilyShared = purchase.inAppOwnershipType == .familyShared
        stated = purchase.stated
        promotionalOfferID = purchase.promotionalOfferID
        switch purchase.inAppOwnershipType {
        case nil, .purchased?: break
        case .familyShared?: ownership = "family shared"
        case let other?: ownership = "ownership \(other.rawValue)"
        }
    }

    init(_ receipt: TransactionReceipt) {
        quantity = receipt.quantity
        productID = receipt.productID
        transactionID = receipt.transactionID
        originalTransactionID = receipt.originalTransactionID
        purchaseDate = receipt.purchaseDate
        expiresDate = receipt.expiresDate
        cancellationDate = receipt.cancellationDate
        cancellationReason = receipt.cancellationReason
        isTrialPeriod = receipt.isTrialPeriod
        isInIntroOfferPeriod = receipt.isInIntroOfferPeriod
        stated = receipt.stated
    }

    /// What a subscription's purchases have in common; a transaction without an original is its own.
    var original: String? { originalTransactionID ?? transactionID }

    /// The subscriptions that purchases make up, as `Receipt.subscriptions` has them, whatever kind of document states
    /// the purchases.
    static func subscriptions(in purchases: [PurchaseFacts]) -> [Subscription] {
        Subscription.all(in: purchases.compactMap(\.period))
    }

    private var period: Subscription.Period? {
        guard let original, let begin = purchaseDate, let end = expiresDate, !stated.hasUnreadableEnd else {
            return nil
        }
        var period = Subscription.Period(original: original, productID: productID, begin: begin, end: end)
        // An upgraded signed transaction has no date of its own at which that came: it counts as cancelled.
        period.cancellation = stated.cancellationDate
        period.isTrial = isTrialPeriod == true
        period.isIntroductory = isInIntroOfferPeriod == true
        period.promotionalOfferID = promotionalOfferID
        period.isFamilyShared = isFamilyShared
        return period
    }
}

/// Purchases by date, the earliest first; those without a date come first. Ties keep the receipt's order.
func inTimeOrder(_ purchases: [PurchaseFacts]) -> [PurchaseFacts] {
    let unknown = Int64.min
    return purchases.enumerated().map { offset, purchase in
        (
            purchase.purchaseDate?.millisecondsSince1970 ?? unknown,
            purchase.expiresDate?.millisecondsSince1970 ?? unknown, offset, purchase
        )
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
}

extension Inspection {
    /// The subscriptions that the purchases make up.
    var subscriptions: [Subscription] {
        if case .receipt(let receipt) = finding { return receipt.unverifiedReceipt.subscriptions }
        return PurchaseFacts.subscriptions(in: purchases)
    }

    /// The purchases that the document states, in its order.
    var purchases: [PurchaseFacts] {
        switch finding {
        case .receipt(let receipt): receipt.unverifiedReceipt.inApp.map { PurchaseFacts($0) }
        case .transactionReceipt(let receipt): [PurchaseFacts(receipt.unverifiedReceipt)]
        case .purchaseInfo(let receipt): [PurchaseFacts(receipt)]
        case .signed(let signed): signed.purchases
        case .otherCMS, .undecodable: []
        }
    }
}

/// Which purchases to show: `--only` and `--newest`. It says nothing about what is demanded.
public struct PurchaseSelection: Equatable, Sendable {
    /// Purchases of these products, transactions or original transactions; all of them when the three are empty.
    public var productIDs: Set<String> = []
    public var transactionIDs: Set<String> = []
    public var originalTransactionIDs: Set<String> = []
    /// At most so many, the newest by purchase date; nil for all.
    public var newest: Int?

    public init() {}

    /// Everything there is.
    public static let all = PurchaseSelection()

    var isEverything: Bool { self == Self.all }

    /// The purchases to show, the newest first; of those with one date the later in the document first.
    func select(_ purchases: [PurchaseFacts]) -> [PurchaseFacts] {
        var chosen = inTimeOrder(purchases)
        chosen.reverse()
        chosen.removeAll { !names($0.productID, $0.transactionID, $0.originalTransactionID) }
        return newest.map { Array(chosen.prefix($0)) } ?? chosen
    }

    /// The same for a receipt's purchases, in its order.
    func select(_ purchases: [InAppPurchase]) -> [InAppPurchase] {
        if isEverything { return purchases }
        var chosen = purchases.enumerated().filter {
            names($0.element.productID, $0.element.transactionID, $0.element.originalTransactionID)
        }
        if let newest, newest < chosen.count {
            let unknown = Int64.min
            chosen.sort { left, right in
                let (a, b) = (left.element, right.element)
                return (
                    b.purchaseDate?.millisecondsSince1970 ?? unknown, b.expiresDate?.millisecondsSince1970 ?? unknown,
                    right.offset
                ) < (
                    a.purchaseDate?.millisecondsSince1970 ?? unknown, a.expiresDate?.millisecondsSince1970 ?? unknown,
                    left.offset
                )
            }
            chosen.removeLast(chosen.count - newest)
            chosen.sort { $0.offset < $1.offset }
        }
        return chosen.map(\.element)
    }

    private func names(_ product: String?, _ transaction: String?, _ original: String?) -> Bool {
        if productIDs.isEmpty && transactionIDs.isEmpty && originalTransactionIDs.isEmpty { return true }
        return product.map(productIDs.contains) == true || transaction.map(transactionIDs.contains) == true
            || (original ?? transaction).map(originalTransactionIDs.contains) == true
    }
}
