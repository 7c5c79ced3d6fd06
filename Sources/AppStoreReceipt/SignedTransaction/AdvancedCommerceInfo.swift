internal import ReceiptJSON

/// The `advancedCommerceInfo` of a transaction. Prices are thousandths of the currency's unit.
public struct AdvancedCommerceTransactionInfo: Hashable, Sendable {
    /// `descriptors`.
    public internal(set) var descriptors: AdvancedCommerceDescriptors?
    /// `estimatedTax`.
    public internal(set) var estimatedTax: Int64?
    /// `items`.
    public internal(set) var items: [AdvancedCommerceTransactionItem]?
    /// `period`: ISO 8601 duration.
    public internal(set) var period: String?
    /// `requestReferenceId`: the UUID of the request.
    public internal(set) var requestReferenceID: String?
    /// `taxCode`.
    public internal(set) var taxCode: String?
    /// `taxExclusivePrice`.
    public internal(set) var taxExclusivePrice: Int64?
    /// `taxRate`: as text, such as `0.19`.
    public internal(set) var taxRate: String?
}

extension AdvancedCommerceTransactionInfo: PayloadModel {
    enum Field: String, PayloadField {
        case descriptors
        case estimatedTax
        case items
        case period
        case requestReferenceId
        case taxCode
        case taxExclusivePrice
        case taxRate

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .descriptors: descriptors = reader.object(member)
        case .estimatedTax: estimatedTax = reader.integer(member)
        case .items: items = reader.objects(member)
        case .period: period = reader.string(member)
        case .requestReferenceId: requestReferenceID = reader.string(member)
        case .taxCode: taxCode = reader.string(member)
        case .taxExclusivePrice: taxExclusivePrice = reader.integer(member)
        case .taxRate: taxRate = reader.string(member)
        }
    }
}

/// What the customer was shown.
public struct AdvancedCommerceDescriptors: Hashable, Sendable {
    /// `description`.
    public internal(set) var description: String?
    /// `displayName`.
    public internal(set) var displayName: String?
}

extension AdvancedCommerceDescriptors: PayloadModel {
    enum Field: String, PayloadField {
        case description
        case displayName

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .description: description = reader.string(member)
        case .displayName: displayName = reader.string(member)
        }
    }
}

/// One item bought.
public struct AdvancedCommerceTransactionItem: Hashable, Sendable {
    /// `SKU`.
    public internal(set) var sku: String?
    /// `description`.
    public internal(set) var description: String?
    /// `displayName`.
    public internal(set) var displayName: String?
    /// `offer`.
    public internal(set) var offer: AdvancedCommerceOffer?
    /// `price`.
    public internal(set) var price: Int64?
    /// `refunds`.
    public internal(set) var refunds: [AdvancedCommerceRefund]?
    /// `revocationDate`.
    public internal(set) var revocationDate: ReceiptDate?
}

extension AdvancedCommerceTransactionItem: PayloadModel {
    enum Field: String, PayloadField {
        case sku = "SKU"
        case description
        case displayName
        case offer
        case price
        case refunds
        case revocationDate

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .sku: sku = reader.string(member)
        case .description: description = reader.string(member)
        case .displayName: displayName = reader.string(member)
        case .offer: offer = reader.object(member)
        case .price: price = reader.integer(member)
        case .refunds: refunds = reader.objects(member)
        case .revocationDate: revocationDate = reader.date(member)
        }
    }
}

/// An offer on an item.
public struct AdvancedCommerceOffer: Hashable, Sendable {
    /// `period`: ISO 8601 duration.
    public internal(set) var period: String?
    /// `periodCount`.
    public internal(set) var periodCount: Int64?
    /// `price`.
    public internal(set) var price: Int64?
    /// `reason`.
    public internal(set) var reason: String?
}

extension AdvancedCommerceOffer: PayloadModel {
    enum Field: String, PayloadField {
        case period
        case periodCount
        case price
        case reason

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .period: period = reader.string(member)
        case .periodCount: periodCount = reader.integer(member)
        case .price: price = reader.integer(member)
        case .reason: reason = reader.string(member)
        }
    }
}

/// A refund of an item.
public struct AdvancedCommerceRefund: Hashable, Sendable {
    /// `refundAmount`.
    public internal(set) var refundAmount: Int64?
    /// `refundDate`.
    public internal(set) var refundDate: ReceiptDate?
    /// `refundReason`.
    public internal(set) var refundReason: String?
    /// `refundType`.
    public internal(set) var refundType: String?
}

extension AdvancedCommerceRefund: PayloadModel {
    enum Field: String, PayloadField {
        case refundAmount
        case refundDate
        case refundReason
        case refundType

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .refundAmount: refundAmount = reader.integer(member)
        case .refundDate: refundDate = reader.date(member)
        case .refundReason: refundReason = reader.string(member)
        case .refundType: refundType = reader.string(member)
        }
    }
}
