import AppStoreReceipt
import Foundation
import ReceiptForge
import Testing

/// Dates as receipts write them, and as they must not be.
@Suite struct ReceiptDateTests {
    /// Milliseconds since 1970, or nil for what is no date.
    static let rows: [(text: String, milliseconds: Int64?)] = [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59Z", -1_000),
        ("2013-08-01T07:00:00Z", 1_375_340_400_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2001-02-29T00:00:00Z", nil),
        ("2100-02-29T00:00:00Z", nil),
        ("2400-02-29T00:00:00Z", 13_574_563_200_000),
        ("4001-01-01T00:00:00Z", 64_092_211_200_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ("2024-04-31T00:00:00Z", nil),
        ("2024-00-01T00:00:00Z", nil),
        ("2024-13-01T00:00:00Z", nil),
        ("2024-01-00T00:00:00Z", nil),
        ("2024-01-32T00:00:00Z", nil),
        // RFC 3339 has no hour 24; leap seconds cannot be told in POSIX time.
        ("2024-01-01T24:00:00Z", nil),
        ("2024-01-01T23:60:00Z", nil),
        ("2016-12-31T23:59:60Z", nil),

        // Offsets; Xcode wrote them without a colon in 2020 and 2021.
        ("2020-07-22T15:02:22+03:00", 1_595_419_342_000),
        ("2020-07-22T15:02:22+0300", 1_595_419_342_000),
        ("2020-07-22T15:02:22-03:00", 1_595_440_942_000),
        ("2020-07-22T15:02:22-0330", 1_595_442_742_000),
        ("2020-07-22T15:02:22+00:00", 1_595_430_142_000),
        ("2020-07-22T15:02:22-00:00", 1_595_430_142_000),
        ("2020-07-22T15:02:22+23:59", 1_595_343_802_000),
        ("2020-07-22T15:02:22+24:00", nil),
        ("2020-07-22T15:02:22+00:60", nil),
        ("2020-07-22T15:02:22+03", nil),
        ("2020-07-22T15:02:22+3:00", nil),
        ("2020-07-22T15:02:22+03:0", nil),
        ("2020-07-22T15:02:22+030", nil),
        ("2020-07-22T15:02:22+03000", nil),
        ("2020-07-22T15:02:22+03:00Z", nil),
        ("2020-07-22T15:02:22+03-00", nil),
        ("2020-07-22T15:02:22\u{2212}03:00", nil),
        ("2020-07-22T15:02:22 03:00", nil),

        // Fractions, of one to nine digits, cut to milliseconds.
        ("2020-07-22T15:02:22.1Z", 1_595_430_142_100),
        ("2020-07-22T15:02:22.12Z", 1_595_430_142_120),
        ("2020-07-22T15:02:22.123Z", 1_595_430_142_123),
        ("2020-07-22T15:02:22.1239Z", 1_595_430_142_123),
        ("2020-07-22T15:02:22.999999999Z", 1_595_430_142_999),
        ("2020-07-22T15:02:22.000000001Z", 1_595_430_142_000),
        ("2020-07-22T15:02:22.0000000000Z", nil),
        ("2020-07-22T15:02:22.Z", nil),
        ("2020-07-22T15:02:22.5", nil),
        ("2020-07-22T15:02:22.5+03:00", 1_595_419_342_500),
        ("2020-07-22T15:02:22.5+0300", 1_595_419_342_500),
        ("2020-07-22T15:02:22,5Z", nil),
        ("1969-12-31T23:59:59.999Z", -1),

        // RFC 3339 section 5.6 allows lower case; no receipt has had it so far.
        ("2020-07-22t15:02:22Z", 1_595_430_142_000),
        ("2020-07-22T15:02:22z", 1_595_430_142_000),
        ("2020-07-22t15:02:22.25z", 1_595_430_142_250),
        ("2020-07-22t15:02:22+0300", 1_595_419_342_000),
        ("2020-07-22T15:02:22zz", nil),
        ("2020-07-2215:02:22Z", nil),
        ("2020-07-22\u{14}15:02:22Z", nil),
        ("2020-07-22T15:02:22\u{1A}", nil),
        ("2020-07-22 15:02:22Z", nil),
        ("2020-07-22T15:02:22", nil),
        ("2020-07-22T15:02Z", nil),
        ("2020-07-22", nil),
        ("20200722T150222Z", nil),
        ("2020-7-22T15:02:22Z", nil),
        ("2020-07-22T15:02:2Z ", nil),
        (" 2020-07-22T15:02:22Z", nil),
        ("2020-07-22T15:02:22Z ", nil),
        ("2020-07-22T15:02:22Z\n", nil),
        ("+020-07-22T15:02:22Z", nil),
        ("-020-07-22T15:02:22Z", nil),
        ("2O20-07-22T15:02:22Z", nil),
        ("\u{FF12}020-07-22T15:02:22Z", nil),
        ("2020-07-22 15:02:22 Etc/GMT", nil),
        ("yesterday", nil),
        ("", nil),
    ]

    @Test(arguments: rows.indices)
    func reads(index: Int) throws {
        let row = Self.rows[index]
        let date = ReceiptDate(rfc3339: row.text)
        #expect(date?.millisecondsSince1970 == row.milliseconds, "\(row.text)")
        if let date {
            // What is written is read again as the same instant.
            #expect(ReceiptDate(rfc3339: date.description) == date)
        }
        // In a receipt: the same date, or none and why.
        var receipt = ForgedReceipt()
        receipt.originalPurchaseDate = row.text
        let bytes = try receipt.signed().bytes
        let decoded = try SignedReceipt(decoding: bytes).unverifiedReceipt
        #expect(decoded.originalPurchaseDate?.millisecondsSince1970 == row.milliseconds)
        let error = decoded.unreadableAttributes.first?.error
        // An empty date is an absent one.
        #expect((error == nil) == (row.milliseconds != nil || row.text.isEmpty))
        if let error {
            #expect(error.code == .invalidDate && error.field == "original_purchase_date", "\(error)")
        }
    }

    /// Foundation's own reader, on dates all over the calendar.
    @Test func foundationReadsTheSame() throws {
        var random = ForgeRandom(seed: 5)
        let digits = { (number: Int, width: Int) in
            String(repeating: "0", count: width - "\(number)".count) + "\(number)"
        }
        for _ in 0..<4_000 {
            let year = Int.random(in: 1583...4100, using: &random)
            let date =
                "\(digits(year, 4))-\(digits(Int.random(in: 1...12, using: &random), 2))"
                + "-\(digits(Int.random(in: 1...28, using: &random), 2))"
            let time = (0..<3).map { digits(Int.random(in: 0...($0 == 0 ? 23 : 59), using: &random), 2) }
                .joined(separator: ":")
            let offsets = ["Z", "+00:00", "+05:30", "-08:00", "-00:45", "+14:00"]
            let text = date + "T" + time + (offsets.randomElement(using: &random) ?? "Z")
            let theirs = try Date(text, strategy: .iso8601).timeIntervalSince1970
            #expect(ReceiptDate(rfc3339: text)?.millisecondsSince1970 == Int64(theirs) * 1_000, "\(text)")
        }
    }

    static let descriptions: [(milliseconds: Int64, text: String)] = [
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (-1_000, "1969-12-31T23:59:59Z"),
        (1_595_430_142_120, "2020-07-22T15:02:22.120Z"),
        (64_092_211_200_000, "4001-01-01T00:00:00Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
        // Beyond RFC 3339, which has four digits for a year; only a caller can make these.
        (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "10000-01-01T00:00:00Z"),
        (.max, "292278994-08-17T07:12:55.807Z"),
        (.min, "-292275055-05-16T16:47:04.192Z"),
    ]

    @Test(arguments: descriptions.indices)
    func describes(index: Int) {
        let row = Self.descriptions[index]
        #expect(ReceiptDate(millisecondsSince1970: row.milliseconds).description == row.text)
    }

    @Test func areOrdered() {
        let dates = Self.descriptions.map { ReceiptDate(millisecondsSince1970: $0.milliseconds) }
        #expect(dates.sorted().map(\.millisecondsSince1970) == Self.descriptions.map(\.milliseconds).sorted())
    }
}
