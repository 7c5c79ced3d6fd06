/// One purchase as an iOS 6-style `SKPaymentTransaction.transactionReceipt` describes it: the decoded `purchase-info`.
///
/// Everything here lies inside the bytes that are signed; whether the signature was checked is told by the type that holds
/// the value (``SignedTransactionReceipt/unverifiedReceipt`` is not checked). The names are Apple's keys in camel case.
/// Absent keys and empty values are nil. Keys that have no property here are in ``entries``, as are all others.
///
/// Dates come up to three times, as in `purchase-date`, `purchase-date-ms` and `purchase-date-pst`. All are signed, so none
/// is more to be trusted than the others: `-ms` wins because it is exact and needs no time zone, the `Etc/GMT` form is read
/// when `-ms` is absent, and `-pst` is never read. Twins that disagree are not an error. Observed, undocumented.
public struct TransactionReceipt: Sendable, Hashable {
    /// `product-id`: the product's identifier.
    public internal(set) var productID: String?
    /// `transaction-id`.
    public internal(set) var transactionID: String?
    /// `original-transaction-id`: of a renewal or a restored purchase, the first transaction's.
    public internal(set) var originalTransactionID: String?
    /// `purchase-date-ms` or `purchase-date`: when this transaction took place. The instant at which the certificates are
    /// to be valid.
    public internal(set) var purchaseDate: ReceiptDate?
    /// `original-purchase-date-ms` or `original-purchase-date`.
    public internal(set) var originalPurchaseDate: ReceiptDate?
    /// `quantity`.
    public internal(set) var quantity: Int64?
    /// `bid`: the app's bundle identifier.
    public internal(set) var bundleID: String?
    /// `bvrs`: the app's version.
    public internal(set) var applicationVersion: String?
    /// `item-id`: the product's number in the App Store.
    public internal(set) var itemID: Int64?
    /// `app-item-id`: the app's number in the App Store; absent in the sandbox.
    public internal(set) var appItemID: Int64?
    /// `version-external-identifier`: the number of the app's revision.
    public internal(set) var versionExternalIdentifier: Int64?
    /// `unique-identifier`: the device's, 40 hexadecimal digits from its UDID or 12 from a network address.
    public internal(set) var uniqueIdentifier: String?
    /// `unique-vendor-identifier`: the device's `identifierForVendor`, a UUID.
    public internal(set) var uniqueVendorIdentifier: String?
    /// `expires-date` (milliseconds) or `expires-date-formatted`: the end of the paid period; subscriptions only.
    public internal(set) var expiresDate: ReceiptDate?
    /// `web-order-line-item-id`: of a subscription's period across devices.
    public internal(set) var webOrderLineItemID: Int64?
    /// `cancellation-date-ms` or `cancellation-date`: when Apple's customer service took the purchase back.
    public internal(set) var cancellationDate: ReceiptDate?
    /// `cancellation-reason`.
    public internal(set) var cancellationReason: Int64?
    /// `is-trial-period`.
    public internal(set) var isTrialPeriod: Bool?
    /// `is-in-intro-offer-period`.
    public internal(set) var isInIntroOfferPeriod: Bool?

    /// Every key with its value, known or not, as text and in the order of the receipt.
    public let entries: [Entry]

    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        /// The key as it stands in the receipt, for example `product-id`.
        public let key: String
        /// The value; every value is text.
        public let value: String
    }

    /// Whether the purchase counts at a date, and if not, why; see ``InAppPurchase/notCounting(at:)``.
    public func notCounting(at date: ReceiptDate?) -> InAppPurchase.NotCounting? {
        stated.notCounting(at: date)
    }

    package var stated: StatedPurchases.Purchase {
        StatedPurchases.Purchase(
            productID: productID, transactionID: transactionID, cancellationDate: cancellationDate,
            expiresDate: expiresDate)
    }

    /// Whether a subscription's paid period had ended at a date; false for a purchase that does not end.
    public func hasExpired(at date: ReceiptDate) -> Bool {
        guard let expiresDate else { return false }
        return expiresDate <= date
    }

    /// Whether the transaction's number is one of the sandbox's: of the form 100… or 200…, with 16 digits.
    ///
    /// Observed, undocumented: a transaction number divided by 10^13 is the number of the server group (`pod`) that gave it,
    /// and those of the sandbox are 100 and, since 2021, 200; App Store groups have one or two digits.
    package var isNumberedInSandbox: Bool {
        guard let number = transactionID, number.utf8.count == 16 else { return false }
        return number.hasPrefix("100") || number.hasPrefix("200")
    }

    /// The value of a key as text, or nil when the key is absent.
    public subscript(key: String) -> String? { entries.first { $0.key == key }?.value }

    /// Decodes a purchase-info that stands alone, outside any transaction receipt, to show what it says.
    ///
    /// Nothing signs such a text: it cannot be validated, and proves nothing.
    ///
    /// - Parameters:
    ///   - purchaseInfo: the old-style property list, not its base64 form.
    ///   - limits: What to refuse for its size.
    /// - Throws: ``ReceiptDecodingError``.
    public init(
        unsignedPurchaseInfo purchaseInfo: [UInt8], limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        try self.init(PropertyList(purchaseInfo.span, field: "purchase-info", limits: .init(limits)))
    }
}

extension TransactionReceipt {
    package init(_ list: PropertyList) throws(ReceiptDecodingError) {
        entries = list.entries.map { Entry(key: $0.key, value: $0.value) }
        productID = list.text("product-id")
        transactionID = list.text("transaction-id")
        originalTransactionID = list.text("original-transaction-id")
        purchaseDate = try list.date(milliseconds: "purchase-date-ms", formatted: "purchase-date")
        originalPurchaseDate = try list.date(
            milliseconds: "original-purchase-date-ms", formatted: "original-purchase-date")
        quantity = try list.integer("quantity")
        bundleID = list.text("bid")
        applicationVersion = list.text("bvrs")
        itemID = try list.integer("item-id")
        appItemID = try list.integer("app-item-id")
        versionExternalIdentifier = try list.integer("version-external-identifier")
        uniqueIdentifier = list.text("unique-identifier")
        uniqueVendorIdentifier = list.text("unique-vendor-identifier")
        expiresDate = try list.date(milliseconds: "expires-date", formatted: "expires-date-formatted")
        webOrderLineItemID = try list.integer("web-order-line-item-id")
        cancellationDate = try list.date(milliseconds: "cancellation-date-ms", formatted: "cancellation-date")
        cancellationReason = try list.integer("cancellation-reason")
        isTrialPeriod = try list.boolean("is-trial-period")
        isInIntroOfferPeriod = try list.boolean("is-in-intro-offer-period")
    }
}

extension PropertyList {
    fileprivate func present(_ key: String) -> Entry? {
        guard let entry = self[key], !entry.value.isEmpty else { return nil }
        return entry
    }

    fileprivate func text(_ key: String) -> String? { present(key)?.value }

    /// Decimal digits alone, as the receipts write numbers.
    fileprivate func integer(_ key: String) throws(ReceiptDecodingError) -> Int64? {
        guard let entry = present(key) else { return nil }
        guard let value = Int64(decimalDigits: entry.value) else { throw malformed(entry, "a whole number") }
        return value
    }

    fileprivate func boolean(_ key: String) throws(ReceiptDecodingError) -> Bool? {
        guard let entry = present(key) else { return nil }
        guard let value = Bool(entry.value) else { throw malformed(entry, "true or false") }
        return value
    }

    fileprivate func date(
        milliseconds: String, formatted: String
    ) throws(ReceiptDecodingError) -> ReceiptDate? {
        if let entry = present(milliseconds) {
            guard let value = Int64(decimalDigits: entry.value), let date = ReceiptDate(plausible: value) else {
                throw malformed(entry, "milliseconds since 1970, before the year 10000")
            }
            return date
        }
        guard let entry = present(formatted) else { return nil }
        guard let date = ReceiptDate(greenwich: entry.value) else {
            throw malformed(entry, "a date such as 2015-11-18 04:34:41 Etc/GMT")
        }
        return date
    }

    private func malformed(_ entry: Entry, _ wanted: String) -> ReceiptDecodingError {
        ReceiptDecodingError(
            .malformedPurchaseInfoValue, at: entry.valueOffset, in: "purchase-info.\(entry.key)",
            detail: "expected \(wanted)")
    }
}

extension Int64 {
    /// The value of a text of decimal digits, without sign, or nil. `Int64(_:)` would take a sign too.
    fileprivate init?(decimalDigits text: String) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension ReceiptDate {
    /// Up to the end of the year 9999, past which RFC 3339 has no form.
    fileprivate init?(plausible milliseconds: Int64) {
        guard (0..<253_402_300_800_000).contains(milliseconds) else { return nil }
        self.init(millisecondsSince1970: milliseconds)
    }

    /// A date such as `2015-11-18 04:34:41 Etc/GMT`.
    fileprivate init?(greenwich text: String) {
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix), text.utf8.count == 19 + suffix.utf8.count else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return nil }
        self.init(rfc3339: "\(parts[0])T\(parts[1])Z")
    }
}
