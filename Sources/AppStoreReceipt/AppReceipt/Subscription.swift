/// What a receipt says of one subscription: all purchases of periods that go back to one original transaction.
///
/// A period that Apple took back neither counts nor extends anything. One that an upgrade replaced, which is cancelled at
/// the moment at which another of the same original begins, ran until then, and counts. Spans of more than a minute in
/// which nothing ran are gaps; periods that overlap leave none.
///
/// What happened after the receipt was made, such as a renewal or a refund, it cannot say.
public struct Subscription: Hashable, Sendable {
    /// Identifies the first transaction, and with it the subscription.
    public let originalTransactionID: String
    /// Each product once, in the order in which they were first bought; those of cancelled periods too.
    public internal(set) var productIDs: [String] = []
    /// Periods that count.
    public var periods: Int { beginnings.count }
    /// When each counted period begins, in order.
    package internal(set) var beginnings: [ReceiptDate] = []
    /// Periods that were cancelled, upgraded ones among them.
    public internal(set) var cancelled = 0
    /// When the first counted period begins; nil when none counts.
    public internal(set) var from: ReceiptDate?
    /// When the last counted period ends; nil when none counts.
    public internal(set) var to: ReceiptDate?
    /// Spans of more than a minute between counted periods in which nothing ran, in order.
    public internal(set) var gaps: [Gap] = []
    /// Counted periods that were a free trial.
    public internal(set) var trialPeriods = 0
    /// Counted periods at an introductory price.
    public internal(set) var introductoryPeriods = 0
    /// Promotional offers that counted periods used, each once, in order.
    public internal(set) var promotionalOfferIDs: [String] = []
    /// Whether the last counted period is shared by a member of the customer's family.
    public internal(set) var isFamilyShared = false

    /// A span in which nothing ran.
    public struct Gap: Hashable, Sendable {
        /// When the period before it ended.
        public let from: ReceiptDate
        /// When the period after it begins.
        public let to: ReceiptDate
    }

    /// The longest time between two periods that is no gap: the store needs some to renew. One minute.
    static let tolerance: Int64 = 60_000

    /// Whether a counted period runs at a date: from its beginning up to, not including, its end.
    public func runs(at date: ReceiptDate) -> Bool {
        guard let from, let to, from <= date, date < to else { return false }
        return !gaps.contains { $0.from <= date && date < $0.to }
    }
}

extension Receipt {
    /// The subscriptions, in the order in which they began. Purchases without a purchase date or an expiry date are no
    /// periods of one. Where the original transaction is absent, as in most Xcode receipts, a transaction is its own.
    public var subscriptions: [Subscription] { Subscription.all(in: inApp.compactMap(Subscription.Period.init)) }
}

extension Subscription {
    /// What a purchase of a period says, of whatever kind of document.
    package struct Period: Sendable {
        package var original: String
        package var productID: String?
        package var begin: ReceiptDate
        package var end: ReceiptDate
        package var cancellation: ReceiptDate?
        package var isTrial = false
        package var isIntroductory = false
        package var promotionalOfferID: String?
        package var isFamilyShared = false

        package init(original: String, productID: String?, begin: ReceiptDate, end: ReceiptDate) {
            self.original = original
            self.productID = productID
            self.begin = begin
            self.end = end
        }

        /// Nil for a purchase that is no period of a subscription.
        init?(_ purchase: InAppPurchase) {
            guard let original = purchase.originalTransactionID ?? purchase.transactionID,
                let begin = purchase.purchaseDate, let end = purchase.expiresDate, !purchase.hasUnreadableEnd
            else { return nil }
            self.init(original: original, productID: purchase.productID, begin: begin, end: end)
            cancellation = purchase.cancellationDate
            isTrial = purchase.isTrialPeriod == true
            isIntroductory = purchase.isInIntroOfferPeriod == true
            promotionalOfferID = purchase.promotionalOfferID
            isFamilyShared = purchase.inAppOwnershipType == .familyShared
        }
    }

    /// The subscriptions that some purchases make up, in the order in which they began.
    package static func all(in purchases: [Period]) -> [Subscription] {
        // Sorted are places: a period has references, which would be counted at each move.
        let earliestFirst = purchases.indices.sorted {
            (purchases[$0].begin, purchases[$0].end, $0) < (purchases[$1].begin, purchases[$1].end, $1)
        }
        var order: [String] = []
        var periods: [String: [Period]] = [:]
        for purchase in earliestFirst.map({ purchases[$0] }) {
            if periods[purchase.original] == nil { order.append(purchase.original) }
            periods[purchase.original, default: []].append(purchase)
        }
        return order.map { Subscription($0, periods[$0] ?? []) }
    }

    /// From the purchases of one subscription, the earliest first.
    private init(_ originalTransactionID: String, _ purchases: [Period]) {
        self.originalTransactionID = originalTransactionID
        // To the second, to which receipts write dates.
        let beginnings =
            purchases.contains { $0.cancellation != nil } ? Set(purchases.map(\.begin.secondsSince1970)) : []
        var products: Set<String> = []
        for purchase in purchases {
            if let product = purchase.productID, products.insert(product).inserted { productIDs.append(product) }
            var end = purchase.end
            if let cancellation = purchase.cancellation {
                cancelled += 1
                // One that is cancelled as it begins ran at no time, whatever else begins then.
                guard purchase.begin.secondsSince1970 < cancellation.secondsSince1970,
                    beginnings.contains(cancellation.secondsSince1970)
                else { continue }
                end = min(end, cancellation)
            }
            count(purchase, until: end)
        }
    }

    private mutating func count(_ purchase: Period, until end: ReceiptDate) {
        beginnings.append(purchase.begin)
        if from == nil { from = purchase.begin }
        if let last = to {
            let (span, isHuge) = purchase.begin.millisecondsSince1970.subtractingReportingOverflow(
                last.millisecondsSince1970)
            if purchase.begin > last, isHuge || span > Self.tolerance {
                gaps.append(Gap(from: last, to: purchase.begin))
            }
            to = max(last, end)
        } else {
            to = end
        }
        if purchase.isTrial { trialPeriods += 1 }
        if purchase.isIntroductory { introductoryPeriods += 1 }
        if let offer = purchase.promotionalOfferID, !promotionalOfferIDs.contains(offer) {
            promotionalOfferIDs.append(offer)
        }
        isFamilyShared = purchase.isFamilyShared
    }
}
