import AppStoreReceipt

/// A subscription's uninterrupted time: one purchase and the renewals that followed it without a gap.
struct SubscriptionRun {
    /// The identifier of the first transaction, which renewals carry too.
    var originalTransactionID: String
    var start: ReceiptDate
    /// The latest expiry.
    var end: ReceiptDate
    /// Periods paid for, the first included.
    var periods = 1
    /// Each product once, in the order in which they were bought.
    var products: [String]
    var trialPeriods = 0
    var introOfferPeriods = 0
    var cancelledPeriods = 0

    /// A renewal that begins at most this long after the last expiry continues the run: the store needs some time.
    static let tolerance: Int64 = 3_600_000

    /// The runs of all subscriptions, in the order of their beginning.
    ///
    /// Purchases without an expiry date or a purchase date are no subscription periods. Where the original
    /// transaction is absent, as in most Xcode receipts, a transaction is its own.
    static func runs(of purchases: [InAppPurchase]) -> [SubscriptionRun] {
        var runs: [SubscriptionRun] = []
        var latest: [String: Int] = [:]
        for purchase in inTimeOrder(purchases) {
            guard let start = purchase.purchaseDate, let end = purchase.expiresDate,
                let original = purchase.originalTransactionID ?? purchase.transactionID
            else { continue }
            if let index = latest[original],
                start.millisecondsSince1970 - runs[index].end.millisecondsSince1970 <= tolerance
            {
                runs[index].periods += 1
                runs[index].end = max(runs[index].end, end)
                runs[index].add(purchase)
            } else {
                var run = SubscriptionRun(originalTransactionID: original, start: start, end: end, products: [])
                run.add(purchase)
                latest[original] = runs.count
                runs.append(run)
            }
        }
        return runs
    }

    private mutating func add(_ purchase: InAppPurchase) {
        if let product = purchase.productID, !products.contains(product) { products.append(product) }
        if purchase.isTrialPeriod == true { trialPeriods += 1 }
        if purchase.isInIntroOfferPeriod == true { introOfferPeriods += 1 }
        if purchase.cancellationDate != nil { cancelledPeriods += 1 }
    }
}

/// Purchases by date, the earliest first; those without a date come first. Ties keep the receipt's order.
func inTimeOrder(_ purchases: [InAppPurchase]) -> [InAppPurchase] {
    func key(_ purchase: InAppPurchase) -> (Int64, Int64) {
        (
            purchase.purchaseDate?.millisecondsSince1970 ?? .min,
            purchase.expiresDate?.millisecondsSince1970 ?? .min
        )
    }
    return purchases.enumerated().sorted { left, right in
        (key(left.element).0, key(left.element).1, left.offset) < (
            key(right.element).0, key(right.element).1, right.offset
        )
    }.map(\.element)
}
