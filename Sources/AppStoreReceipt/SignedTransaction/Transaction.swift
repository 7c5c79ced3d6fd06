internal import ReceiptJSON

/// What a signed transaction says: Apple's `JWSTransactionDecodedPayload`.
///
/// A value of this type says nothing about who wrote it. What a server may rely on is the transaction of a validated
/// ``SignedTransaction``. A property is nil when the member is absent or null, and when it is in a form never seen, which
/// ``SignedTransaction/remarks`` tells. Dates are milliseconds since 1970, identifiers text.
public struct Transaction: Hashable, Sendable {
    /// `transactionId`: its number as text. In the sandbox 2000000…, before 2022 1000000…; in Xcode 0, 1, …
    public internal(set) var transactionID: String?
    /// `originalTransactionId`: the transaction that began the subscription, or that was restored.
    public internal(set) var originalTransactionID: String?
    /// `webOrderLineItemId`: of a subscription's period across devices.
    public internal(set) var webOrderLineItemID: String?
    /// `bundleId`: the app's bundle identifier.
    public internal(set) var bundleID: String?
    /// `productId`: the product bought.
    public internal(set) var productID: String?
    /// `subscriptionGroupIdentifier`: the group of the subscription.
    public internal(set) var subscriptionGroupIdentifier: String?
    /// `purchaseDate`: when the account was charged, or the subscription renewed.
    public internal(set) var purchaseDate: ReceiptDate?
    /// `originalPurchaseDate`: the purchase date of the original transaction.
    public internal(set) var originalPurchaseDate: ReceiptDate?
    /// `expiresDate`: when a subscription's period ends. Subscriptions only.
    public internal(set) var expiresDate: ReceiptDate?
    /// `signedDate`: when the App Store signed: the time at which the certificates must be valid.
    public internal(set) var signedDate: ReceiptDate?
    /// `quantity`: how many consumables.
    public internal(set) var quantity: Int64?
    /// `type`: the kind of product.
    public internal(set) var type: TransactionType?
    /// `appAccountToken`: the UUID that the app set for its own account, in lower case.
    public internal(set) var appAccountToken: String?
    /// `inAppOwnershipType`: whether bought or shared by the family.
    public internal(set) var inAppOwnershipType: InAppOwnershipType?
    /// `revocationDate`: when the App Store refunded or revoked the transaction.
    public internal(set) var revocationDate: ReceiptDate?
    /// `revocationReason`: why it did.
    public internal(set) var revocationReason: RevocationReason?
    /// `isUpgraded`: whether a higher subscription took its place; present only when true.
    public internal(set) var isUpgraded: Bool?
    /// `offerType`.
    public internal(set) var offerType: OfferType?
    /// `offerIdentifier`: the offer's identifier or code.
    public internal(set) var offerIdentifier: String?
    /// `environment`: absent in 2021, so that no environment can be expected of what was signed then.
    public internal(set) var environment: SignedEnvironment?
    /// `transactionReason`: bought or renewed (since 2023).
    public internal(set) var transactionReason: TransactionReason?
    /// `storefront`: three-letter code of the country.
    public internal(set) var storefront: String?
    /// `storefrontId`: Apple's number of the storefront.
    public internal(set) var storefrontID: String?
    /// `price`: thousandths of the currency's unit: 990 is 0.99.
    public internal(set) var price: Int64?
    /// `currency`: ISO 4217 code.
    public internal(set) var currency: String?
    /// `offerDiscountType`.
    public internal(set) var offerDiscountType: OfferDiscountType?
    /// `appTransactionId`: the customer's copy of the app (since 2025).
    public internal(set) var appTransactionID: String?
    /// `offerPeriod`: ISO 8601 duration of the offer, such as `P1M`.
    public internal(set) var offerPeriod: String?
    /// `revocationType`: what was taken back.
    public internal(set) var revocationType: RevocationType?
    /// `revocationPercentage`: thousandths of a per cent that were refunded: 50000 is half.
    public internal(set) var revocationPercentage: Int64?
    /// `advancedCommerceInfo`: of the Advanced Commerce API.
    public internal(set) var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
    /// `billingPlanType`: (since 2026)
    public internal(set) var billingPlanType: BillingPlanType?
    /// `commitmentInfo`: of a subscription with a commitment (since 2026).
    public internal(set) var commitmentInfo: CommitmentInfo?
    /// `previousOriginalTransactionId`: before a migration. Named for notifications; in no library.
    public internal(set) var previousOriginalTransactionID: String?
    /// `deviceVerification`: base64 of a SHA-384; see the policy's device verification. Only in what a device holds.
    public internal(set) var deviceVerification: String?
    /// `deviceVerificationNonce`: the UUID that goes into it.
    public internal(set) var deviceVerificationNonce: String?
}

extension Transaction: PayloadModel {
    enum Field: String, PayloadField {
        case transactionId
        case originalTransactionId
        case webOrderLineItemId
        case bundleId
        case productId
        case subscriptionGroupIdentifier
        case purchaseDate
        case originalPurchaseDate
        case expiresDate
        case signedDate
        case quantity
        case type
        case appAccountToken
        case inAppOwnershipType
        case revocationDate
        case revocationReason
        case isUpgraded
        case offerType
        case offerIdentifier
        case environment
        case transactionReason
        case storefront
        case storefrontId
        case price
        case currency
        case offerDiscountType
        case appTransactionId
        case offerPeriod
        case revocationType
        case revocationPercentage
        case advancedCommerceInfo
        case billingPlanType
        case commitmentInfo
        case previousOriginalTransactionId
        case deviceVerification
        case deviceVerificationNonce

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .transactionId: transactionID = reader.string(member)
        case .originalTransactionId: originalTransactionID = reader.string(member)
        case .webOrderLineItemId: webOrderLineItemID = reader.string(member)
        case .bundleId: bundleID = reader.string(member)
        case .productId: productID = reader.string(member)
        case .subscriptionGroupIdentifier: subscriptionGroupIdentifier = reader.string(member)
        case .purchaseDate: purchaseDate = reader.date(member)
        case .originalPurchaseDate: originalPurchaseDate = reader.date(member)
        case .expiresDate: expiresDate = reader.date(member)
        case .signedDate: signedDate = reader.date(member)
        case .quantity: quantity = reader.integer(member)
        case .type: type = reader.value(member)
        case .appAccountToken: appAccountToken = reader.string(member)
        case .inAppOwnershipType: inAppOwnershipType = reader.value(member)
        case .revocationDate: revocationDate = reader.date(member)
        case .revocationReason: revocationReason = reader.value(member)
        case .isUpgraded: isUpgraded = reader.bool(member)
        case .offerType: offerType = reader.value(member)
        case .offerIdentifier: offerIdentifier = reader.string(member)
        case .environment: environment = reader.value(member)
        case .transactionReason: transactionReason = reader.value(member)
        case .storefront: storefront = reader.string(member)
        case .storefrontId: storefrontID = reader.string(member)
        case .price: price = reader.integer(member)
        case .currency: currency = reader.string(member)
        case .offerDiscountType: offerDiscountType = reader.value(member)
        case .appTransactionId: appTransactionID = reader.string(member)
        case .offerPeriod: offerPeriod = reader.string(member)
        case .revocationType: revocationType = reader.value(member)
        case .revocationPercentage: revocationPercentage = reader.integer(member)
        case .advancedCommerceInfo: advancedCommerceInfo = reader.object(member)
        case .billingPlanType: billingPlanType = reader.value(member)
        case .commitmentInfo: commitmentInfo = reader.object(member)
        case .previousOriginalTransactionId: previousOriginalTransactionID = reader.string(member)
        case .deviceVerification: deviceVerification = reader.string(member)
        case .deviceVerificationNonce: deviceVerificationNonce = reader.string(member)
        }
    }
}
