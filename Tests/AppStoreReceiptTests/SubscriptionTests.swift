import AppStoreReceipt
import ReceiptForge
import Testing

/// What the purchases of a subscription add up to, and whether a purchase counts.
@Suite struct SubscriptionTests {
    /// One purchase of product, begin, end and cancellation, as days of 2025 in `MM-DD` or `MM-DD hh:mm:ss`.
    private struct Bought: Sendable {
        var product = "monthly"
        var original: String? = "1"
        let begin: String
        let end: String
        var cancelled: String?
        var change: @Sendable (inout ForgedPurchase) -> Void = { _ in }

        init(
            _ begin: String, _ end: String, _ product: String = "monthly", cancelled: String? = nil,
            original: String? = "1", _ change: @escaping @Sendable (inout ForgedPurchase) -> Void = { _ in }
        ) {
            (self.begin, self.end, self.product, self.cancelled, self.original) = (
                begin, end, product, cancelled, original
            )
            self.change = change
        }
    }

    private static func date(_ text: String) -> String {
        let parts = text.split(separator: " ")
        return "2025-\(parts[0])T\(parts.count > 1 ? parts[1] : "00:00:00")Z"
    }

    private static func receipt(_ bought: [Bought]) throws -> Receipt {
        var receipt = ForgedReceipt()
        receipt.purchases = bought.enumerated().map { index, bought in
            var purchase = ForgedPurchase.autoRenewable(bought.product)
            purchase.transactionID = "\(index + 1)"
            purchase.originalTransactionID = bought.original
            if bought.original == nil { purchase.overrides[1_705] = [] }
            purchase.purchaseDate = date(bought.begin)
            purchase.expiresDate = bought.end.isEmpty ? "" : date(bought.end)
            purchase.cancellationDate = bought.cancelled.map(date)
            bought.change(&purchase)
            return purchase
        }
        return try SignedReceipt(decoding: try receipt.signed().bytes).unverifiedReceipt
    }

    /// A subscription in one line: `products: from to, periods (cancelled), gaps`.
    private static func line(_ subscription: Subscription) -> String {
        func short(_ date: ReceiptDate?) -> String {
            guard let date else { return "-" }
            let text = date.description.dropFirst(5).dropLast()
            return text.hasSuffix("T00:00:00") ? String(text.prefix(5)) : String(text)
        }
        let gaps = subscription.gaps.map { " gap \(short($0.from)) \(short($0.to))" }.joined()
        return "\(subscription.originalTransactionID) \(subscription.productIDs.joined(separator: "+")): "
            + "\(short(subscription.from)) \(short(subscription.to)) \(subscription.periods) (\(subscription.cancelled))\(gaps)"
    }

    private static let rows: [(name: String, bought: [Bought], expected: [String])] = [
        ("none", [], []),
        ("one", [Bought("01-01", "02-01")], ["1 monthly: 01-01 02-01 1 (0)"]),
        (
            "in any order", [Bought("02-01", "03-01"), Bought("01-01", "02-01"), Bought("03-01", "04-01")],
            ["1 monthly: 01-01 04-01 3 (0)"]
        ),
        (
            "a lapse", [Bought("01-01", "02-01"), Bought("02-03", "03-03")],
            ["1 monthly: 01-01 03-03 2 (0) gap 02-01 02-03"]
        ),
        (
            "a minute is no gap", [Bought("01-01", "02-01"), Bought("02-01 00:01:00", "03-01")],
            ["1 monthly: 01-01 03-01 2 (0)"]
        ),
        (
            "a second more is one", [Bought("01-01", "02-01"), Bought("02-01 00:01:01", "03-01")],
            ["1 monthly: 01-01 03-01 2 (0) gap 02-01 02-01T00:01:01"]
        ),
        (
            "renewed before the end", [Bought("01-01", "02-01"), Bought("01-31", "03-01"), Bought("02-15", "02-20")],
            ["1 monthly: 01-01 03-01 3 (0)"]
        ),
        (
            "a long one covers a gap between short ones",
            [Bought("01-01", "06-01", "long"), Bought("01-02", "01-03"), Bought("03-01", "03-02")],
            ["1 long+monthly: 01-01 06-01 3 (0)"]
        ),
        (
            "refunded last month does not extend",
            [Bought("01-01", "02-01"), Bought("02-01", "03-01", cancelled: "02-10")], ["1 monthly: 01-01 02-01 1 (1)"]
        ),
        (
            "refunded in the middle leaves a gap",
            [Bought("01-01", "02-01"), Bought("02-01", "03-01", cancelled: "02-10"), Bought("03-01", "04-01")],
            ["1 monthly: 01-01 04-01 2 (1) gap 02-01 03-01"]
        ),
        (
            "refunded first", [Bought("01-01", "02-01", cancelled: "01-02"), Bought("02-01", "03-01")],
            ["1 monthly: 02-01 03-01 1 (1)"]
        ),
        ("all refunded", [Bought("01-01", "02-01", cancelled: "01-02")], ["1 monthly: - - 0 (1)"]),
        (
            "yearly cancelled as monthly begins",
            [
                Bought("01-01", "12-31", "yearly", cancelled: "03-01 12:00:00"),
                Bought("03-01 12:00:00", "04-01 12:00:00"),
            ],
            ["1 yearly+monthly: 01-01 04-01T12:00:00 2 (1)"]
        ),
        (
            "upgraded twice",
            [
                Bought("01-01", "12-31", "a", cancelled: "02-01"), Bought("02-01", "12-31", "b", cancelled: "03-01"),
                Bought("03-01", "04-01", "c"),
            ], ["1 a+b+c: 01-01 04-01 3 (2)"]
        ),
        (
            "upgraded to one that was refunded",
            [Bought("01-01", "12-31", "a", cancelled: "02-01"), Bought("02-01", "03-01", "b", cancelled: "02-05")],
            ["1 a+b: 01-01 02-01 1 (2)"]
        ),
        (
            "cancelled as another subscription begins",
            [Bought("01-01", "12-31", "a", cancelled: "02-01"), Bought("02-01", "03-01", "b", original: "9")],
            ["1 a: - - 0 (1)", "9 b: 02-01 03-01 1 (0)"]
        ),
        (
            "cancelled as it began",
            [Bought("01-01", "12-31", "a", cancelled: "01-01"), Bought("01-01", "02-01", "b")],
            ["1 b+a: 01-01 02-01 1 (1)"]
        ),
        (
            "periods of five minutes",
            [
                Bought("01-01 10:00:00", "01-01 10:05:00"), Bought("01-01 10:05:00", "01-01 10:10:00"),
                Bought("01-01 10:12:00", "01-01 10:17:00"),
            ], ["1 monthly: 01-01T10:00:00 01-01T10:17:00 3 (0) gap 01-01T10:10:00 01-01T10:12:00"]
        ),
        (
            "two of them, and no subscription",
            [
                Bought("02-01", "03-01", "b", original: "2"), Bought("01-01", "02-01", "a"),
                Bought("01-05", "", "coins"),
            ], ["1 a: 01-01 02-01 1 (0)", "2 b: 02-01 03-01 1 (0)"]
        ),
        ("without an original", [Bought("01-01", "02-01", original: nil)], ["1 monthly: 01-01 02-01 1 (0)"]),
    ]

    @Test(arguments: rows.indices)
    func subscriptions(index: Int) throws {
        let row = Self.rows[index]
        #expect(try Self.receipt(row.bought).subscriptions.map(Self.line) == row.expected, "\(row.name)")
    }

    @Test func offersAndFamily() throws {
        let receipt = try Self.receipt([
            Bought("01-01", "01-08") { $0 = $0.inTrial() }, Bought("01-08", "02-08") { $0 = $0.inIntroOffer() },
            Bought("02-08", "03-08") { $0 = $0.withPromotionalOffer("spring") },
            Bought("03-08", "04-08") { $0 = $0.familyShared() },
            Bought("05-01", "06-01", "other", original: "9"),
        ])
        let subscription = try #require(receipt.subscriptions.first)
        #expect(subscription.periods == 4 && subscription.trialPeriods == 1 && subscription.introductoryPeriods == 1)
        #expect(subscription.promotionalOfferIDs == ["spring"] && subscription.isFamilyShared)
        #expect(receipt.subscriptions.last?.isFamilyShared == false)
        #expect(receipt.hasUsedIntroductoryOffer(ofAny: ["monthly", "x"]))
        #expect(!receipt.hasUsedIntroductoryOffer(ofAny: ["other"]) && !receipt.hasUsedIntroductoryOffer(ofAny: []))
    }

    @Test func runsAndCounts() throws {
        let receipt = try Self.receipt([
            Bought("01-01", "02-01"), Bought("02-03", "03-03"), Bought("02-03", "05-01", "z", cancelled: "02-04"),
            Bought("01-10", "", "coins"),
        ])
        let subscription = try #require(receipt.subscriptions.first)
        func at(_ text: String) throws -> ReceiptDate { try #require(ReceiptDate(rfc3339: Self.date(text))) }
        let running = [
            ("01-01", true), ("01-31", true), ("02-01", false), ("02-02", false), ("02-03", true), ("03-03", false),
        ]
        for (day, expected) in running { #expect(subscription.runs(at: try at(day)) == expected, "\(day)") }
        #expect(!subscription.runs(at: ReceiptDate(millisecondsSince1970: 0)))

        // The forge, like the store, puts them in another order.
        let purchases = try (1...4).map { try #require(receipt.purchase(transactionID: "\($0)")) }
        let reasons = try purchases.map { $0.notCounting(at: try at("02-10")) }
        #expect(reasons == [.ended, nil, .cancelled, nil])
        #expect(purchases.map { $0.counts(at: nil) } == [true, true, false, true])
        // The instant at which a period ends is not in it.
        #expect(purchases[1].counts(at: try at("03-02 23:59:59")))
        #expect(purchases[1].notCounting(at: try at("03-03")) == .ended)
        // A refund has no date before which the purchase counts.
        #expect(purchases[2].notCounting(at: try at("02-03")) == .cancelled)
        #expect(receipt.latestPurchases(countingAt: nil).mapValues(\.transactionID) == ["monthly": "2", "coins": "4"])
        #expect(receipt.latestPurchases(countingAt: try at("03-03")).keys.sorted() == ["coins"])
    }

    @Test func nonConsumables() throws {
        var receipt = ForgedReceipt()
        var refunded = ForgedPurchase.nonConsumable("refunded")
        refunded.cancellationDate = "2025-03-01T00:00:00Z"
        receipt.purchases = [.nonConsumable("unlock"), .consumable("coins"), .autoRenewable("pro"), refunded]
        let decoded = try SignedReceipt(decoding: try receipt.signed().bytes).unverifiedReceipt
        #expect(decoded.nonConsumables.map(\.productID) == ["unlock"])
        let cancelled = try #require(decoded.purchases(productID: "refunded").first)
        #expect("\(cancelled)".hasPrefix("refunded, transaction "))
        #expect("\(cancelled)".hasSuffix(", cancelled 2025-03-01T00:00:00Z"))
        #expect("\(decoded)".hasSuffix(", 4 purchases"))
    }

    /// Dates that nobody checked, as another kind of document may have them.
    @Test func extremeDates() {
        let (first, last) = (ReceiptDate(millisecondsSince1970: .min), ReceiptDate(millisecondsSince1970: .max))
        let periods = [(first, first), (last, last), (first, last)].map {
            Subscription.Period(original: "1", productID: nil, begin: $0.0, end: $0.1)
        }
        let subscription = Subscription.all(in: periods).first
        #expect(subscription?.periods == 3 && subscription?.from == first && subscription?.to == last)
    }
}
