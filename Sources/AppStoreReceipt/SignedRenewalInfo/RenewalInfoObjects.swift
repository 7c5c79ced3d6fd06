internal import ReceiptJSON

/// The `advancedCommerceInfo` of a renewal info.
public struct AdvancedCommerceRenewalInfo: Hashable, Sendable {
    /// `consistencyToken`.
    public internal(set) var consistencyToken: String?
    /// `descriptors`.
    public internal(set) var descriptors: AdvancedCommerceDescriptors?
    /// `items`.
    public internal(set) var items: [AdvancedCommerceRenewalItem]?
    /// `period`: ISO 8601 duration.
    public internal(set) var period: String?
    /// `requestReferenceId`: the UUID of the request.
    public internal(set) var requestReferenceID: String?
    /// `taxCode`.
    public internal(set) var taxCode: String?
}

extension AdvancedCommerceRenewalInfo: PayloadModel {
    enum Field: String, PayloadField {
        case consistencyToken
        case descriptors
        case items
        case period
        case requestReferenceId
        case taxCode

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .consistencyToken: consistencyToken = reader.string(member)
        case .descriptors: descriptors = reader.object(member)
        case .items: items = reader.objects(member)
        case .period: period = reader.string(member)
        case .requestReferenceId: requestReferenceID = reader.string(member)
        case .taxCode: taxCode = reader.string(member)
        }
    }
}

/// One item that renews.
public struct AdvancedCommerceRenewalItem: Hashable, Sendable {
    /// `SKU`.
    public internal(set) var sku: String?
    /// `description`.
    public internal(set) var description: String?
    /// `displayName`.
    public internal(set) var displayName: String?
    /// `offer`.
    public internal(set) var offer: AdvancedCommerceOffer?
    /// `price`: thousandths of the currency's unit.
    public internal(set) var price: Int64?
    /// `priceIncreaseInfo`.
    public internal(set) var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?
}

extension AdvancedCommerceRenewalItem: PayloadModel {
    enum Field: String, PayloadField {
        case sku = "SKU"
        case description
        case displayName
        case offer
        case price
        case priceIncreaseInfo

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .sku: sku = reader.string(member)
        case .description: description = reader.string(member)
        case .displayName: displayName = reader.string(member)
        case .offer: offer = reader.object(member)
        case .price: price = reader.integer(member)
        case .priceIncreaseInfo: priceIncreaseInfo = reader.object(member)
        }
    }
}

/// A price increase of an item.
public struct AdvancedCommercePriceIncreaseInfo: Hashable, Sendable {
    /// `dependentSKUs`.
    public internal(set) var dependentSKUs: [String]?
    /// `price`: thousandths of the currency's unit.
    public internal(set) var price: Int64?
    /// `status`.
    public internal(set) var status: AdvancedCommercePriceIncreaseStatus?
}

extension AdvancedCommercePriceIncreaseInfo: PayloadModel {
    enum Field: String, PayloadField {
        case dependentSKUs
        case price
        case status

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .dependentSKUs: dependentSKUs = reader.strings(member)
        case .price: price = reader.integer(member)
        case .status: status = reader.value(member)
        }
    }
}

/// The `commitmentInfo` of a renewal info: what renews after the commitment.
public struct RenewalCommitmentInfo: Hashable, Sendable {
    /// `commitmentAutoRenewProductId`.
    public internal(set) var commitmentAutoRenewProductID: String?
    /// `commitmentAutoRenewStatus`.
    public internal(set) var commitmentAutoRenewStatus: AutoRenewStatus?
    /// `commitmentRenewalBillingPlanType`.
    public internal(set) var commitmentRenewalBillingPlanType: BillingPlanType?
    /// `commitmentRenewalDate`.
    public internal(set) var commitmentRenewalDate: ReceiptDate?
    /// `commitmentRenewalPrice`: thousandths of the currency's unit.
    public internal(set) var commitmentRenewalPrice: Int64?
}

extension RenewalCommitmentInfo: PayloadModel {
    enum Field: String, PayloadField {
        case commitmentAutoRenewProductId
        case commitmentAutoRenewStatus
        case commitmentRenewalBillingPlanType
        case commitmentRenewalDate
        case commitmentRenewalPrice

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .commitmentAutoRenewProductId: commitmentAutoRenewProductID = reader.string(member)
        case .commitmentAutoRenewStatus: commitmentAutoRenewStatus = reader.value(member)
        case .commitmentRenewalBillingPlanType: commitmentRenewalBillingPlanType = reader.value(member)
        case .commitmentRenewalDate: commitmentRenewalDate = reader.date(member)
        case .commitmentRenewalPrice: commitmentRenewalPrice = reader.integer(member)
        }
    }
}
