/// Looking for purchases. Their order in a receipt means nothing, so never take the first or the last of it.
extension Receipt {
    /// The purchase with a transaction identifier, or nil.
    public func purchase(transactionID: String) -> InAppPurchase? {
        inApp.first { $0.transactionID == transactionID }
    }

    /// The purchases of a product, the latest first.
    public func purchases(productID: String) -> [InAppPurchase] { latestFirst { $0.productID == productID } }

    /// The purchases that go back to a transaction, itself among them, the latest first.
    ///
    /// Where the original identifier is absent, as in most Xcode receipts, the transaction counts as its own original.
    public func purchases(originalTransactionID: String) -> [InAppPurchase] {
        latestFirst { ($0.originalTransactionID ?? $0.transactionID) == originalTransactionID }
    }

    /// Every purchase, the latest first: by purchase date, then by expiry. Those without a date come last.
    public var purchasesLatestFirst: [InAppPurchase] { latestFirst { _ in true } }

    /// The latest purchase of each product that has one that counts at a date; see ``InAppPurchase/counts(at:)``.
    public func latestPurchases(countingAt date: ReceiptDate?) -> [String: InAppPurchase] {
        var latest: [String: InAppPurchase] = [:]
        for purchase in latestFirst(where: { $0.counts(at: date) }) {
            if let product = purchase.productID, latest[product] == nil { latest[product] = purchase }
        }
        return latest
    }

    /// The non-consumable items that were bought and not taken back, the latest first.
    ///
    /// By ``InAppPurchase/productType``, which is observed and not documented: an item whose type the receipt leaves out is
    /// not here.
    public var nonConsumables: [InAppPurchase] {
        latestFirst { $0.productType == .nonConsumable && $0.counts(at: nil) }
    }

    /// Whether the customer has used a free trial or an introductory price of any of some products: pass those of one
    /// subscription group, which gives one such offer to a customer. One that was cancelled was used, too.
    ///
    /// Only as far as the receipt goes: Apple's servers may know of more.
    public func hasUsedIntroductoryOffer(ofAny productIDs: Set<String>) -> Bool {
        inApp.contains { purchase in
            (purchase.isTrialPeriod == true || purchase.isInIntroOfferPeriod == true)
                && purchase.productID.map(productIDs.contains) == true
        }
    }

    /// Some purchases, the latest first.
    ///
    /// Sorted are keys of three numbers: a purchase has a dozen references, which would be counted at each move.
    private func latestFirst(where isWanted: (InAppPurchase) -> Bool) -> [InAppPurchase] {
        var keys: [TimeKey] = []
        keys.reserveCapacity(inApp.count)
        for index in inApp.indices where isWanted(inApp[index]) { keys.append(TimeKey(inApp[index], index)) }
        keys.sort { ($1.begin, $1.end, $0.index) < ($0.begin, $0.end, $1.index) }
        return keys.map { inApp[$0.index] }
    }
}

/// What purchases are sorted by.
private struct TimeKey {
    let begin: Int64
    let end: Int64
    let index: Int

    init(_ purchase: InAppPurchase, _ index: Int) {
        begin = purchase.purchaseDate?.millisecondsSince1970 ?? .min
        end = purchase.expiresDate?.millisecondsSince1970 ?? .min
        self.index = index
    }
}
