internal import ReceiptPKIX

/// The grammar of the payload: `SET OF ReceiptAttribute`, whose type 17 holds the same again.
///
/// One pass over the bytes. Attributes that Apple documents, or that verifyReceipt shows, must be encoded as
/// they always are; undocumented ones that are not are left nil (see ``Receipt``).
extension Span where Element == UInt8 {
    /// Decodes the payload at `range` of this span, which spans `bytes`.
    func readReceipt(
        _ range: Range<Int>, of bytes: [UInt8], _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> Receipt {
        var payload = Cursor(range)
        guard isNext(.set, payload) else {
            throw .fault(
                .notAReceipt, payload.position, "Receipt", detail: "the signed content is not a SET of attributes")
        }
        var set = try read(.set, &payload, "Receipt")
        try end(payload, "Receipt")
        var receipt = Receipt(ReceiptAttributes(bytes[set.range]))
        var seen = SeenTypes.receipt
        var texts = RecentTexts()
        var count = 0
        var firstPurchase = 0
        while !set.isAtEnd {
            let start = set.position
            guard count < limits.attributes else { throw .fault(.tooManyAttributes, start, "Receipt") }
            count += 1
            let attribute = try readReceiptAttribute(&set)
            guard seen.isFirst(attribute.type) else { throw .duplicate(attribute.type, start, "Receipt") }
            if attribute.type == ReceiptAttributeType.inApp.rawValue {
                let purchases = receipt.inApp.count
                if purchases == 0 { firstPurchase = start }
                if purchases == 0 || purchases == 8 {
                    receipt.inApp.reserveCapacity(
                        likelyPurchases(
                            purchases + 1, in: set.position - firstPurchase, before: set.count,
                            atMost: limits.attributes))
                }
                receipt.inApp.append(try readPurchase(attribute.value, purchases, bytes, limits, &texts))
            } else {
                try readValue(attribute.type, attribute.value, into: &receipt)
            }
        }
        return receipt
    }

    /// How many purchases to make room for, when some have been read that take so many bytes, and so many come behind.
    ///
    /// Purchases of a receipt are of one size, more or less. An estimate saves a second look at each, which would bring
    /// a large receipt into the cache twice. The room is at most twice the length of the bytes, whatever they hold.
    private func likelyPurchases(_ count: Int, in bytes: Int, before rest: Int, atMost limit: Int) -> Int {
        let others = rest / max(bytes / count, MemoryLayout<InAppPurchase>.stride / 2)
        // The first says little about the others.
        return count == 1 ? 1 + min(others, 7) : min(count + others + others / 16, limit)
    }

    /// One purchase. Errors say which, since a receipt may have hundreds.
    private func readPurchase(
        _ value: Cursor, _ index: Int, _ bytes: [UInt8], _ limits: DecodingLimits, _ texts: inout RecentTexts
    ) throws(ReceiptDecodingError) -> InAppPurchase {
        do throws(ReceiptDecodingError) {
            var set = try readOnly(.set, value, "attributes")
            var purchase = InAppPurchase(ReceiptAttributes(bytes[set.range]))
            var seen = SeenTypes.purchase
            var count = 0
            while !set.isAtEnd {
                let start = set.position
                guard count < limits.purchaseAttributes else { throw .fault(.tooManyAttributes, start, "attributes") }
                count += 1
                let attribute = try readPurchaseAttribute(&set)
                guard seen.isFirst(attribute.type &- 1_700) else {
                    throw .duplicate(attribute.type, start, "attributes")
                }
                try readValue(attribute.type, attribute.value, into: &purchase, &texts)
            }
            return purchase
        } catch {
            var error = error
            error.field = "in_app[\(index)].\(error.field)"
            throw error
        }
    }

    private func readValue(
        _ type: Int, _ value: Cursor, into receipt: inout Receipt
    ) throws(ReceiptDecodingError) {
        switch ReceiptAttributeType(rawValue: type) {
        case .receiptType: receipt.receiptType = try text(value, "receipt_type")
        case .appItemID: receipt.appItemID = try integer(value, "app_item_id")
        case .bundleID: receipt.bundleID = try text(value, "bundle_id")
        case .applicationVersion: receipt.applicationVersion = try text(value, "application_version")
        case .opaqueValue: receipt.opaqueValue = raw(value)
        case .sha1Hash: receipt.sha1Hash = raw(value)
        case .ageRating: receipt.ageRating = observedText(value, .ia5String)
        case .developerID: receipt.developerID = observedInteger(value)
        case .receiptCreationDate: receipt.receiptCreationDate = try date(value, "receipt_creation_date")
        case .downloadID: receipt.downloadID = try integer(value, "download_id")
        case .versionExternalIdentifier:
            receipt.versionExternalIdentifier = try integer(value, "version_external_identifier")
        case .originalPurchaseDate: receipt.originalPurchaseDate = try date(value, "original_purchase_date")
        case .originalApplicationVersion:
            receipt.originalApplicationVersion = try text(value, "original_application_version")
        case .expirationDate: receipt.expirationDate = try date(value, "expiration_date")
        case .organizationName: receipt.organizationName = observedText(value, .utf8String)
        case .platform: receipt.platform = observedInteger(value)
        case .preorderDate: receipt.preorderDate = try date(value, "preorder_date")
        default: break
        }
    }

    @inline(__always)
    private func readValue(
        _ type: Int, _ value: Cursor, into purchase: inout InAppPurchase, _ texts: inout RecentTexts
    ) throws(ReceiptDecodingError) {
        switch ReceiptAttributeType(rawValue: type) {
        case .quantity: purchase.quantity = try integer(value, "quantity")
        case .productID: purchase.productID = try text(value, "product_id", &texts.products)
        case .transactionID: purchase.transactionID = try text(value, "transaction_id")
        case .purchaseDate: purchase.purchaseDate = try date(value, "purchase_date")
        case .originalTransactionID:
            purchase.originalTransactionID = try text(value, "original_transaction_id", &texts.originals)
        case .purchaseOriginalPurchaseDate: purchase.originalPurchaseDate = try date(value, "original_purchase_date")
        case .productType:
            purchase.productType = observedInteger(value).map(InAppPurchase.ProductType.init(rawValue:))
        case .expiresDate: purchase.expiresDate = try date(value, "expires_date")
        case .itemID: purchase.itemID = observedInteger(value)
        case .webOrderLineItemID:
            let identifier = try integer(value, "web_order_line_item_id")
            purchase.webOrderLineItemID = identifier == 0 ? nil : identifier
        case .cancellationDate: purchase.cancellationDate = try date(value, "cancellation_date")
        case .isTrialPeriod: purchase.isTrialPeriod = try integer(value, "is_trial_period").map { $0 != 0 }
        case .isInIntroOfferPeriod:
            purchase.isInIntroOfferPeriod = try integer(value, "is_in_intro_offer_period").map { $0 != 0 }
        case .cancellationReason: purchase.cancellationReason = try integer(value, "cancellation_reason")
        case .promotionalOfferID: purchase.promotionalOfferID = try text(value, "promotional_offer_id")
        case .inAppOwnershipType:
            purchase.inAppOwnershipType = try integer(value, "in_app_ownership_type")
                .map(InAppPurchase.OwnershipType.init(rawValue:))
        default: break
        }
    }
}

/// Values. No octets at all, and an empty string, say as little as an absent attribute: nil.
extension Span where Element == UInt8 {
    @inline(__always)
    private func text(_ value: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> String? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.utf8String, value, field)
        return content.isAtEnd ? nil : try utf8(content, field)
    }

    /// The same for a text that other purchases of the receipt may have too.
    private func text(
        _ value: Cursor, _ field: StaticString, _ recent: inout RecentTexts.Pair
    ) throws(ReceiptDecodingError) -> String? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.utf8String, value, field)
        guard !content.isAtEnd else { return nil }
        if let known = recent.text(extracting(content.range), self) { return known }
        let text = try utf8(content, field)
        recent.remember(content.range, text)
        return text
    }

    @inline(__always)
    private func integer(_ value: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int64? {
        value.isAtEnd ? nil : try readOnlyInteger(value, field)
    }

    /// An IA5String with an RFC 3339 date.
    @inline(__always)
    private func date(_ value: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> ReceiptDate? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.ia5String, value, field)
        guard !content.isAtEnd else { return nil }
        guard let date = ReceiptDate(self, content.range) else { throw .date(self, content, field) }
        return date
    }

    private func raw(_ value: Cursor) -> [UInt8]? { value.isAtEnd ? nil : bytes(value.range) }

    private func observedDate(_ value: Cursor) -> ReceiptDate? {
        do throws(ReceiptDecodingError) { return try date(value, "date") } catch { return nil }
    }

    @inline(__always)
    private func observedInteger(_ value: Cursor) -> Int64? {
        do throws(ReceiptDecodingError) { return try integer(value, "integer") } catch { return nil }
    }

    private func observedText(_ value: Cursor, _ tag: Tag) -> String? {
        do throws(ReceiptDecodingError) {
            let content = try readOnly(tag, value, "text")
            guard !content.isAtEnd else { return nil }
            return tag == .ia5String ? try ia5(content, "text") : try utf8(content, "text")
        } catch {
            return nil
        }
    }
}

/// Texts that occur again and again in a receipt, so that a string is made of them once: a subscriber's purchases
/// are of one or two products, and go back to one or two transactions.
struct RecentTexts {
    var products = Pair()
    var originals = Pair()

    /// The last two different texts of one attribute, the last used first.
    struct Pair {
        private var first: (range: Range<Int>, text: String) = (0..<0, "")
        private var second: (range: Range<Int>, text: String) = (0..<0, "")

        /// The string made of the same octets before, if it is remembered. `octets` are not empty.
        mutating func text(_ octets: Span<UInt8>, _ span: Span<UInt8>) -> String? {
            if octets.hasSameBytes(as: span.extracting(first.range)) { return first.text }
            guard octets.hasSameBytes(as: span.extracting(second.range)) else { return nil }
            swap(&first, &second)
            return first.text
        }

        mutating func remember(_ range: Range<Int>, _ text: String) {
            second = first
            first = (range, text)
        }
    }
}

/// The types met so far, of those that may occur once: all that are known, but for purchases. Unknown ones may repeat.
private struct SeenTypes {
    private let single: UInt64
    private var met: UInt64 = 0

    /// Bit n for type n.
    static let receipt = SeenTypes(isOfPurchase: false, first: 0)
    /// Bit n for type 1700 + n.
    static let purchase = SeenTypes(isOfPurchase: true, first: 1_700)

    private init(isOfPurchase: Bool, first: Int) {
        single = KnownAttribute.table.values.reduce(0) { bits, known in
            guard known.isOfPurchase == isOfPurchase, !known.mayRepeat else { return bits }
            return bits | 1 << UInt64(known.type.rawValue - first)
        }
    }

    @inline(__always)
    mutating func isFirst(_ type: Int) -> Bool {
        guard type >= 0, type < 64 else { return true }
        let bit: UInt64 = 1 << UInt64(type)
        defer { met |= bit & single }
        return met & bit == 0
    }
}

extension ReceiptDecodingError {
    @inline(never)
    fileprivate static func duplicate(_ type: Int, _ offset: Int, _ field: StaticString) -> ReceiptDecodingError {
        let name = ReceiptAttributeType(rawValue: type).name.map { "\($0) (\(type))" } ?? "type \(type)"
        return fault(.duplicateAttribute, offset, field, detail: "\(name) occurs twice")
    }

    @inline(never)
    fileprivate static func date(
        _ span: Span<UInt8>, _ content: Cursor, _ field: StaticString
    ) -> ReceiptDecodingError {
        // The text goes into a message: only printable ASCII, and not much of it.
        let text = span.bytes(content.range).prefix(40).map {
            (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "\\x" + String($0, radix: 16)
        }
        return fault(.invalidDate, content.position, field, detail: "'\(text.joined())' is not an RFC 3339 date")
    }
}
