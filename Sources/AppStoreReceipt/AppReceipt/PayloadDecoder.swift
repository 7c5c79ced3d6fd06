internal import ReceiptPKIX

/// The grammar of the payload: `SET OF ReceiptAttribute`, whose type 17 holds the same again.
///
/// One pass over the bytes. What is malformed around the values, and an attribute that occurs twice, is an error. A value
/// that is not encoded as it always is leaves its property nil; of an attribute that Apple documents it is kept, with
/// what is wrong, in ``Receipt/unreadableAttributes``.
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
        var unreadable = UnreadableTally()
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
                do throws(ReceiptDecodingError) {
                    receipt.inApp.append(
                        try readPurchase(attribute.value, purchases, bytes, limits, &texts, &unreadable))
                } catch {
                    // Rules that hold whatever a purchase looks like.
                    if error.code == .duplicateAttribute || error.code == .tooManyAttributes {
                        var error = error
                        error.field = "in_app[\(purchases)].attributes"
                        throw error
                    }
                    unreadable.forget(purchaseIndex: purchases)
                    unreadable.note(attribute, of: nil, bytes, error)
                }
            } else {
                do throws(ReceiptDecodingError) {
                    try readValue(attribute.type, attribute.value, into: &receipt)
                } catch  where attribute.isDocumented {
                    unreadable.note(attribute, of: nil, bytes, error)
                } catch {}
            }
        }
        receipt.unreadableAttributes = unreadable.attributes
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

    private func readPurchase(
        _ value: Cursor, _ index: Int, _ bytes: [UInt8], _ limits: DecodingLimits, _ texts: inout RecentTexts,
        _ unreadable: inout UnreadableTally
    ) throws(ReceiptDecodingError) -> InAppPurchase {
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
            do throws(ReceiptDecodingError) {
                try readValue(attribute.type, attribute.value, into: &purchase, &texts)
            } catch  where attribute.isDocumented {
                unreadable.note(attribute, of: index, bytes, error)
                let type = ReceiptAttributeType(rawValue: attribute.type)
                if type == .expiresDate || type == .cancellationDate { purchase.hasUnreadableEnd = true }
            } catch {}
        }
        return purchase
    }

    private func readValue(
        _ type: Int, _ value: Cursor, into receipt: inout Receipt
    ) throws(ReceiptDecodingError) {
        switch ReceiptAttributeType(rawValue: type) {
        case .receiptType: receipt.receiptType = try text(value)
        case .appItemID: receipt.appItemID = try integer(value)
        case .bundleID: receipt.bundleID = try text(value)
        case .applicationVersion: receipt.applicationVersion = try text(value)
        case .opaqueValue: receipt.opaqueValue = raw(value)
        case .sha1Hash: receipt.sha1Hash = raw(value)
        case .ageRating: receipt.ageRating = try asciiText(value)
        case .developerID: receipt.developerID = try integer(value)
        case .receiptCreationDate: receipt.receiptCreationDate = try date(value)
        case .downloadID: receipt.downloadID = try integer(value)
        case .versionExternalIdentifier:
            receipt.versionExternalIdentifier = try integer(value)
        case .originalPurchaseDate: receipt.originalPurchaseDate = try date(value)
        case .originalApplicationVersion:
            receipt.originalApplicationVersion = try text(value)
        case .expirationDate: receipt.expirationDate = try date(value)
        case .organizationName: receipt.organizationName = try text(value)
        case .platform: receipt.platform = try integer(value)
        case .preorderDate: receipt.preorderDate = try date(value)
        default: break
        }
    }

    @inline(__always)
    private func readValue(
        _ type: Int, _ value: Cursor, into purchase: inout InAppPurchase, _ texts: inout RecentTexts
    ) throws(ReceiptDecodingError) {
        switch ReceiptAttributeType(rawValue: type) {
        case .quantity: purchase.quantity = try integer(value)
        case .productID: purchase.productID = try text(value, &texts.products)
        case .transactionID: purchase.transactionID = try text(value)
        case .purchaseDate: purchase.purchaseDate = try date(value)
        case .originalTransactionID:
            purchase.originalTransactionID = try text(value, &texts.originals)
        case .purchaseOriginalPurchaseDate: purchase.originalPurchaseDate = try date(value)
        case .productType:
            purchase.productType = try integer(value).map(InAppPurchase.ProductType.init(rawValue:))
        case .expiresDate: purchase.expiresDate = try date(value)
        case .itemID: purchase.itemID = try integer(value)
        case .webOrderLineItemID:
            let identifier = try integer(value)
            purchase.webOrderLineItemID = identifier == 0 ? nil : identifier
        case .cancellationDate: purchase.cancellationDate = try date(value)
        case .isTrialPeriod: purchase.isTrialPeriod = try integer(value).map { $0 != 0 }
        case .isInIntroOfferPeriod:
            purchase.isInIntroOfferPeriod = try integer(value).map { $0 != 0 }
        case .cancellationReason: purchase.cancellationReason = try integer(value)
        case .promotionalOfferID: purchase.promotionalOfferID = try text(value)
        case .inAppOwnershipType:
            purchase.inAppOwnershipType = try integer(value)
                .map(InAppPurchase.OwnershipType.init(rawValue:))
        default: break
        }
    }
}

/// Values. No octets at all, and an empty string, say as little as an absent attribute: nil.
extension Span where Element == UInt8 {
    @inline(__always)
    private func text(_ value: Cursor) throws(ReceiptDecodingError) -> String? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.utf8String, value, "value")
        return content.isAtEnd ? nil : try utf8(content, "value")
    }

    /// The same for a text that other purchases of the receipt may have too.
    private func text(_ value: Cursor, _ recent: inout RecentTexts.Pair) throws(ReceiptDecodingError) -> String? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.utf8String, value, "value")
        guard !content.isAtEnd else { return nil }
        if let known = recent.text(extracting(content.range), self) { return known }
        let text = try utf8(content, "value")
        recent.remember(content.range, text)
        return text
    }

    private func asciiText(_ value: Cursor) throws(ReceiptDecodingError) -> String? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.ia5String, value, "value")
        return content.isAtEnd ? nil : try ia5(content, "value")
    }

    @inline(__always)
    private func integer(_ value: Cursor) throws(ReceiptDecodingError) -> Int64? {
        value.isAtEnd ? nil : try readOnlyInteger(value, "value")
    }

    /// An IA5String with an RFC 3339 date.
    @inline(__always)
    private func date(_ value: Cursor) throws(ReceiptDecodingError) -> ReceiptDate? {
        guard !value.isAtEnd else { return nil }
        let content = try readOnly(.ia5String, value, "value")
        guard !content.isAtEnd else { return nil }
        guard let date = ReceiptDate(self, content.range) else {
            throw .fault(.invalidDate, content.position, "value")
        }
        return date
    }

    private func raw(_ value: Cursor) -> [UInt8]? { value.isAtEnd ? nil : bytes(value.range) }
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
    static let receipt = SeenTypes(KnownAttribute.singleTypes.ofReceipt)
    /// Bit n for type 1700 + n.
    static let purchase = SeenTypes(KnownAttribute.singleTypes.ofPurchase)

    private init(_ single: UInt64) { self.single = single }

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
}
