internal import ReceiptJSON

/// The `data` of a notification: a subscription or purchase.
public struct NotificationData: Hashable, Sendable {
    /// `environment`.
    public internal(set) var environment: SignedEnvironment?
    /// `appAppleId`: the app's number in the App Store; absent in TEST.
    public internal(set) var appAppleID: Int64?
    /// `bundleId`.
    public internal(set) var bundleID: String?
    /// `bundleVersion`.
    public internal(set) var bundleVersion: String?
    /// `signedTransactionInfo`: a JWS. Reached as a validated transaction, once the notification is valid.
    package internal(set) var signedTransactionInfo: String?
    /// `signedRenewalInfo`: a JWS. Reached as a validated renewal info, once the notification is valid.
    package internal(set) var signedRenewalInfo: String?
    /// `status`.
    public internal(set) var status: SubscriptionStatus?
    /// `consumptionRequestReason`.
    public internal(set) var consumptionRequestReason: ConsumptionRequestReason?
}

extension NotificationData: PayloadModel {
    enum Field: String, PayloadField {
        case environment
        case appAppleId
        case bundleId
        case bundleVersion
        case signedTransactionInfo
        case signedRenewalInfo
        case status
        case consumptionRequestReason

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .environment: environment = reader.value(member)
        case .appAppleId: appAppleID = reader.integer(member)
        case .bundleId: bundleID = reader.string(member)
        case .bundleVersion: bundleVersion = reader.string(member)
        case .signedTransactionInfo: signedTransactionInfo = reader.string(member)
        case .signedRenewalInfo: signedRenewalInfo = reader.string(member)
        case .status: status = reader.value(member)
        case .consumptionRequestReason: consumptionRequestReason = reader.value(member)
        }
    }
}

/// The `summary` of a notification: of an extension of renewal dates for many.
public struct NotificationSummary: Hashable, Sendable {
    /// `environment`.
    public internal(set) var environment: SignedEnvironment?
    /// `appAppleId`.
    public internal(set) var appAppleID: Int64?
    /// `bundleId`.
    public internal(set) var bundleID: String?
    /// `productId`.
    public internal(set) var productID: String?
    /// `requestIdentifier`: the UUID of the request.
    public internal(set) var requestIdentifier: String?
    /// `storefrontCountryCodes`.
    public internal(set) var storefrontCountryCodes: [String]?
    /// `succeededCount`.
    public internal(set) var succeededCount: Int64?
    /// `failedCount`.
    public internal(set) var failedCount: Int64?
}

extension NotificationSummary: PayloadModel {
    enum Field: String, PayloadField {
        case environment
        case appAppleId
        case bundleId
        case productId
        case requestIdentifier
        case storefrontCountryCodes
        case succeededCount
        case failedCount

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .environment: environment = reader.value(member)
        case .appAppleId: appAppleID = reader.integer(member)
        case .bundleId: bundleID = reader.string(member)
        case .productId: productID = reader.string(member)
        case .requestIdentifier: requestIdentifier = reader.string(member)
        case .storefrontCountryCodes: storefrontCountryCodes = reader.strings(member)
        case .succeededCount: succeededCount = reader.integer(member)
        case .failedCount: failedCount = reader.integer(member)
        }
    }
}

/// The `externalPurchaseToken` of a notification. It is of the sandbox if its identifier begins with `SANDBOX`.
public struct ExternalPurchaseToken: Hashable, Sendable {
    /// `externalPurchaseId`.
    public internal(set) var externalPurchaseID: String?
    /// `tokenCreationDate`.
    public internal(set) var tokenCreationDate: ReceiptDate?
    /// `appAppleId`.
    public internal(set) var appAppleID: Int64?
    /// `bundleId`.
    public internal(set) var bundleID: String?
}

extension ExternalPurchaseToken: PayloadModel {
    enum Field: String, PayloadField {
        case externalPurchaseId
        case tokenCreationDate
        case appAppleId
        case bundleId

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .externalPurchaseId: externalPurchaseID = reader.string(member)
        case .tokenCreationDate: tokenCreationDate = reader.date(member)
        case .appAppleId: appAppleID = reader.integer(member)
        case .bundleId: bundleID = reader.string(member)
        }
    }
}

/// The `appData` of a notification: an app transaction.
public struct NotificationAppData: Hashable, Sendable {
    /// `appAppleId`.
    public internal(set) var appAppleID: Int64?
    /// `bundleId`.
    public internal(set) var bundleID: String?
    /// `environment`.
    public internal(set) var environment: SignedEnvironment?
    /// `signedAppTransactionInfo`: a JWS. Reached as a validated app transaction, once the notification is valid.
    package internal(set) var signedAppTransactionInfo: String?
}

extension NotificationAppData: PayloadModel {
    enum Field: String, PayloadField {
        case appAppleId
        case bundleId
        case environment
        case signedAppTransactionInfo

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .appAppleId: appAppleID = reader.integer(member)
        case .bundleId: bundleID = reader.string(member)
        case .environment: environment = reader.value(member)
        case .signedAppTransactionInfo: signedAppTransactionInfo = reader.string(member)
        }
    }
}
