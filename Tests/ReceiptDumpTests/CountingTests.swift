import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import ReceiptReport
import Testing

/// What a brief report says of a purchase is what a policy decides that expects it: of every kind of document, with ends
/// that nobody can read and are tolerated, and at every date.
@Suite struct CountingTests {
    struct Row: Sendable {
        var name: String
        /// In the order unknown date, before the end, at the end.
        var counts: [Bool?]
        /// The document and the anchors it is to be judged under.
        var make: @Sendable () throws -> (bytes: [UInt8], anchors: [[UInt8]])
    }

    private static let rows: [Row] = [
        jws("a period", [nil, true, false]),
        jws("no end", [true, true, true], ["expiresDate": nil]),
        jws("refunded", [false, false, false], ["revocationDate": "\(ForgedPayload.date)"]),
        jws("upgraded, no date of it", [false, false, false], ["isUpgraded": "true"]),
        jws("upgraded, unreadable", [false, false, false], ["isUpgraded": "\"yes\""]),
        jws("end unreadable", [false, false, false], ["expiresDate": "\"soon\""]),
        jws("refund unreadable", [false, false, false], ["revocationDate": "[]"]),
        receipt("a period", [nil, true, false]) { $0.expiresDate = end },
        receipt("no end", [true, true, true]) { $0.overrides[1_708] = [] },
        receipt("refunded", [false, false, false]) { $0.cancellationDate = $0.purchaseDate },
        receipt("end unreadable", [false, false, false]) {
            $0.overrides[1_708] = [ForgedAttribute(1_708, .octets([5, 0]))]
        },
        receipt("refund unreadable", [false, false, false]) {
            $0.overrides[1_712] = [ForgedAttribute(1_712, .octets([5, 0]))]
        },
    ]

    private static let endMilliseconds = ForgedPayload.date + 2_592_000_000
    /// Receipts write dates to the second.
    private static var end: String { ReceiptDate(millisecondsSince1970: endMilliseconds / 1_000 * 1_000).description }

    private static func jws(_ name: String, _ counts: [Bool?], _ changes: [String: String?] = [:]) -> Row {
        Row(name: "transaction: \(name)", counts: counts) {
            let jws = try ForgedJWS(.transaction().with(changes))
            return (Array(try jws.text().utf8), jws.anchors)
        }
    }

    private static func receipt(
        _ name: String, _ counts: [Bool?], _ change: @escaping @Sendable (inout ForgedPurchase) -> Void
    ) -> Row {
        Row(name: "receipt: \(name)", counts: counts) {
            let pki = try ForgedPKI()
            var receipt = ForgedReceipt()
            receipt.purchases = [.autoRenewable("com.example.pro")]
            change(&receipt.purchases[0])
            return (try receipt.signed(by: pki).bytes, [pki.root.der])
        }
    }

    @Test(arguments: rows.indices)
    func briefReportAndPolicyAgree(index: Int) throws {
        let row = Self.rows[index]
        let (bytes, anchors) = try row.make()
        var policy = try ValidationPolicy(trusting: anchors)
        policy.toleratedUnreadable = [
            "expiresDate", "revocationDate", "isUpgraded", "expires_date", "cancellation_date",
        ]
        let dates = ([nil, -1_000, 0] as [Int64?]).map { offset in
            offset.map { ReceiptDate(millisecondsSince1970: Self.endMilliseconds + $0) }
        }
        for (date, expected) in zip(dates, row.counts) {
            policy.productIdentifiers = nil
            let report = try ReceiptInspector(policy: policy, asOf: date).report(on: bytes)
            #expect(report.verdict == .valid, "\(row.name): \(report.message)")
            let brief = try JSONSerialization.jsonObject(with: Data(report.briefJSON(asOf: date))) as? [String: Any]
            let purchase = try #require((brief?["in_app"] as? [[String: Any]])?.first)
            #expect(purchase["counts"] as? Bool == expected, "\(row.name) at \(String(describing: date))")
            policy.productIdentifiers = ["com.example.pro"]
            let wanted = try ReceiptInspector(policy: policy, asOf: date).report(on: bytes)
            // Without a date a policy cannot say that a period has ended.
            #expect((wanted.verdict == .valid) == (expected ?? true), "\(row.name) at \(String(describing: date))")
        }
    }

    /// A signed transaction, what it is told to be, and the subscription that it makes: periods that count and cancelled.
    @Test(
        arguments: [
            (["offerType": "1", "offerDiscountType": "\"FREE_TRIAL\""], true, false, 1, 0),
            (["offerType": "1", "offerDiscountType": "\"PAY_UP_FRONT\""], false, true, 1, 0),
            (["offerType": "2", "offerDiscountType": "\"FREE_TRIAL\""], true, false, 1, 0),
            (["offerType": "4", "offerDiscountType": "\"PAY_AS_YOU_GO\""], false, false, 1, 0),
            // Before 2024 they did not say how an offer is paid.
            (["offerType": "1"], nil, nil, 1, 0),
            ([:], nil, nil, 1, 0),
            (["isUpgraded": "true"], nil, nil, 0, 1),
            (["isUpgraded": "true", "revocationDate": "\(ForgedPayload.date + 86_400_000)"], nil, nil, 0, 1),
            (["revocationDate": "\(ForgedPayload.date + 86_400_000)"], nil, nil, 0, 1),
        ] as [([String: String?], Bool?, Bool?, Int, Int)])
    func signedTransactionsTellOffersAndPeriods(
        changes: [String: String?], isTrial: Bool?, isIntroductory: Bool?, periods: Int, cancelled: Int
    ) throws {
        let (bytes, anchors) = try Self.jws("", [], changes).make()
        let inspector = try ReceiptInspector(policy: ValidationPolicy(trusting: anchors))
        let report = try inspector.report(on: bytes)
        func object(_ json: [UInt8]) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        }
        let purchase = try #require((try object(report.briefJSON())["in_app"] as? [[String: Any]])?.first)
        #expect(purchase["is_trial_period"] as? Bool == isTrial)
        let subscription = try #require((try object(report.json())["subscriptions"] as? [[String: Any]])?.first)
        #expect(subscription["periods"] as? Int == periods && subscription["cancelled"] as? Int == cancelled)
        let text = String(decoding: report.text(), as: UTF8.self)
        let html = String(decoding: report.html(), as: UTF8.self)
        for page in [text, html] {
            #expect(page.contains("trial") == (isTrial == true))
            #expect(page.contains("introductory") == (isIntroductory == true))
        }
    }
}
