internal import ReceiptJSON

/// What a signed renewal info says: Apple's `JWSRenewalInfoDecodedPayload`.
///
/// It has no bundle identifier: by itself it belongs to no app, and is of use only beside the transaction with the same
/// original identifier. For what a value of this type proves, and when a property is nil, see ``Transaction``.
public struct RenewalInfo: Hashable, Sendable {
    /// `originalTransactionId`: the subscription.
    public internal(set) var originalTransactionID: String?
    /// `autoRenewProductId`: the product that renews next.
    public internal(set) var autoRenewProductID: String?
    /// `productId`: the product that is paid for now.
    public internal(set) var productID: String?
    /// `autoRenewStatus`.
    public internal(set) var autoRenewStatus: AutoRenewStatus?
    /// `expirationIntent`: why the subscription ended.
    public internal(set) var expirationIntent: ExpirationIntent?
    /// `isInBillingRetryPeriod`: whether the App Store still tries to charge.
    public internal(set) var isInBillingRetryPeriod: Bool?
    /// `priceIncreaseStatus`.
    public internal(set) var priceIncreaseStatus: PriceIncreaseStatus?
    /// `gracePeriodExpiresDate`: until when there is service without payment.
    public internal(set) var gracePeriodExpiresDate: ReceiptDate?
    /// `offerType`.
    public internal(set) var offerType: OfferType?
    /// `offerIdentifier`.
    public internal(set) var offerIdentifier: String?
    /// `signedDate`: when the App Store signed: the time at which the certificates must be valid.
    public internal(set) var signedDate: ReceiptDate?
    /// `environment`.
    public internal(set) var environment: SignedEnvironment?
    /// `recentSubscriptionStartDate`: when the latest run began; gaps of up to 60 days do not end one.
    public internal(set) var recentSubscriptionStartDate: ReceiptDate?
    /// `renewalDate`: when the period ends and the next begins.
    public internal(set) var renewalDate: ReceiptDate?
    /// `renewalPrice`: thousandths of the currency's unit.
    public internal(set) var renewalPrice: Int64?
    /// `currency`: ISO 4217 code.
    public internal(set) var currency: String?
    /// `offerDiscountType`.
    public internal(set) var offerDiscountType: OfferDiscountType?
    /// `eligibleWinBackOfferIds`: best first.
    public internal(set) var eligibleWinBackOfferIDs: [String]?
    /// `appAccountToken`: the UUID that the app set for its own account, in lower case.
    public internal(set) var appAccountToken: String?
    /// `appTransactionId`: the customer's copy of the app.
    public internal(set) var appTransactionID: String?
    /// `offerPeriod`: ISO 8601 duration.
    public internal(set) var offerPeriod: String?
    /// `advancedCommerceInfo`: of the Advanced Commerce API.
    public internal(set) var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// `renewalBillingPlanType`.
    public internal(set) var renewalBillingPlanType: BillingPlanType?
    /// `commitmentInfo`.
    public internal(set) var commitmentInfo: RenewalCommitmentInfo?
    /// `deviceVerification`: base64 of a SHA-384. Observed in what Xcode signs.
    public internal(set) var deviceVerification: String?
    /// `deviceVerificationNonce`: the UUID that goes into it.
    public internal(set) var deviceVerificationNonce: String?
}

extension RenewalInfo: PayloadModel {
    enum Field: String, PayloadField {
        case originalTransactionId
        case autoRenewProductId
        case productId
        case autoRenewStatus
        case expirationIntent
        case isInBillingRetryPeriod
        case priceIncreaseStatus
        case gracePeriodExpiresDate
        case offerType
        case offerIdentifier
        case signedDate
        case environment
        case recentSubscriptionStartDate
        case renewalDate
        case renewalPrice
        case currency
        case offerDiscountType
        case eligibleWinBackOfferIds
        case appAccountToken
        case appTransactionId
        case offerPeriod
        case advancedCommerceInfo
        case renewalBillingPlanType
        case commitmentInfo
        case deviceVerification
        case deviceVerificationNonce

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .originalTransactionId: originalTransactionID = reader.string(member)
        case .autoRenewProductId: autoRenewProductID = reader.string(member)
        case .productId: productID = reader.string(member)
        case .autoRenewStatus: autoRenewStatus = reader.value(member)
        case .expirationIntent: expirationIntent = reader.value(member)
        case .isInBillingRetryPeriod: isInBillingRetryPeriod = reader.bool(member)
        case .priceIncreaseStatus: priceIncreaseStatus = reader.value(member)
        case .gracePeriodExpiresDate: gracePeriodExpiresDate = reader.date(member)
        case .offerType: offerType = reader.value(member)
        case .offerIdentifier: offerIdentifier = reader.string(member)
        case .signedDate: signedDate = reader.date(member)
        case .environment: environment = reader.value(member)
        case .recentSubscriptionStartDate: recentSubscriptionStartDate = reader.date(member)
        case .renewalDate: renewalDate = reader.date(member)
        case .renewalPrice: renewalPrice = reader.integer(member)
        case .currency: currency = reader.string(member)
        case .offerDiscountType: offerDiscountType = reader.value(member)
        case .eligibleWinBackOfferIds: eligibleWinBackOfferIDs = reader.strings(member)
        case .appAccountToken: appAccountToken = reader.string(member)
        case .appTransactionId: appTransactionID = reader.string(member)
        case .offerPeriod: offerPeriod = reader.string(member)
        case .advancedCommerceInfo: advancedCommerceInfo = reader.object(member)
        case .renewalBillingPlanType: renewalBillingPlanType = reader.value(member)
        case .commitmentInfo: commitmentInfo = reader.object(member)
        case .deviceVerification: deviceVerification = reader.string(member)
        case .deviceVerificationNonce: deviceVerificationNonce = reader.string(member)
        }
    }
}
