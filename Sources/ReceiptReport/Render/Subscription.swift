import AppStoreReceipt

/// What the purchases of one subscription, those with one original transaction, add up to.
struct Subscription: Sendable {
    /// The first transaction, which renewals carry too. Where it is absent, as in most Xcode receipts, a transaction is
    /// its own.
    var originalTransactionID: String
    /// Each product once, in the order in which they were bought.
    var productIDs: [String] = []
    /// The beginning of the first and the end of the last period that counts; nil when none does.
    var from: ReceiptDate?
    var to: ReceiptDate?
    /// The periods that count, in time order. An upgraded one ends when its successor begins.
    var periods: [Period] = []
    /// Purchases with a cancellation date, upgraded ones among them.
    var cancelled = 0
    /// Spans over a minute between periods in which nothing ran.
    var gaps: [Period] = []
    var trialPeriods = 0
    var introOfferPeriods = 0

    struct Period: Sendable {
        var from: ReceiptDate
        var to: ReceiptDate
        var productID: String?
    }

    /// The subscriptions among some purchases, in the order of their first purchase. Purchases without a purchase date or
    /// an expiry date are none.
    static func all(in purchases: [PurchaseFacts]) -> [Subscription] {
        var groups: [String: Int] = [:]
        var grouped: [(original: String, purchases: [PurchaseFacts])] = []
        for purchase in inTimeOrder(purchases) where purchase.purchaseDate != nil && purchase.expiresDate != nil {
            guard let original = purchase.original else { continue }
            if let index = groups[original] {
                grouped[index].purchases.append(purchase)
            } else {
                groups[original] = grouped.count
                grouped.append((original, [purchase]))
            }
        }
        return grouped.map { Subscription($0.original, $0.purchases) }
    }

    private init(_ original: String, _ purchases: [PurchaseFacts]) {
        originalTransactionID = original
        let starts = Set(purchases.compactMap(\.purchaseDate))
        var products: Set<String> = []
        for purchase in purchases {
            if let product = purchase.productID, products.insert(product).inserted { productIDs.append(product) }
            guard let start = purchase.purchaseDate, var end = purchase.expiresDate else { continue }
            if let cancellation = purchase.cancellationDate {
                cancelled += 1
                // Upgraded: another one begins at the moment at which this one was cancelled. Else it was refunded.
                guard cancellation > start, starts.contains(cancellation) else { continue }
                end = min(end, cancellation)
            }
            if purchase.isTrialPeriod { trialPeriods += 1 }
            if purchase.isInIntroOfferPeriod { introOfferPeriods += 1 }
            periods.append(Period(from: start, to: end, productID: purchase.productID))
        }
        from = periods.first?.from
        for period in periods {
            if let covered = to, period.from.millisecondsSince1970 - covered.millisecondsSince1970 > 60_000 {
                gaps.append(Period(from: covered, to: period.from))
            }
            to = max(to ?? period.to, period.to)
        }
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
