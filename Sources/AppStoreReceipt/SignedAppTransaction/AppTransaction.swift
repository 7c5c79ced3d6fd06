internal import ReceiptJSON

/// What a signed app transaction says: the payload of StoreKit 2's `AppTransaction`, the successor of the app receipt.
///
/// For what a value of this type proves, and when a property is nil, see ``Transaction``.
public struct AppTransaction: Hashable, Sendable {
    /// `receiptType`: the environment.
    public internal(set) var receiptType: SignedEnvironment?
    /// `appAppleId`: the app's number in the App Store; absent in Xcode. May exceed 2^32.
    public internal(set) var appAppleID: Int64?
    /// `bundleId`: the app's bundle identifier.
    public internal(set) var bundleID: String?
    /// `applicationVersion`: the version that runs.
    public internal(set) var applicationVersion: String?
    /// `versionExternalIdentifier`: the App Store's number of the version.
    public internal(set) var versionExternalIdentifier: Int64?
    /// `receiptCreationDate`: when the App Store signed: the time at which the certificates must be valid.
    public internal(set) var receiptCreationDate: ReceiptDate?
    /// `requestDate`: observed, undocumented.
    public internal(set) var requestDate: ReceiptDate?
    /// `originalPurchaseDate`: when the app was first bought.
    public internal(set) var originalPurchaseDate: ReceiptDate?
    /// `originalApplicationVersion`: the version that was first bought.
    public internal(set) var originalApplicationVersion: String?
    /// `preorderDate`: when a pre-order was placed.
    public internal(set) var preorderDate: ReceiptDate?
    /// `deviceVerification`: base64 of a SHA-384; see the policy's device verification.
    public internal(set) var deviceVerification: String?
    /// `deviceVerificationNonce`: the UUID that goes into it.
    public internal(set) var deviceVerificationNonce: String?
    /// `appTransactionId`: the customer's copy of the app (since 2025).
    public internal(set) var appTransactionID: String?
    /// `originalPlatform`: where the app was first bought (since 2025).
    public internal(set) var originalPlatform: Platform?
}

extension AppTransaction: PayloadModel {
    enum Field: String, PayloadField {
        case receiptType
        case appAppleId
        case bundleId
        case applicationVersion
        case versionExternalIdentifier
        case receiptCreationDate
        case requestDate
        case originalPurchaseDate
        case originalApplicationVersion
        case preorderDate
        case deviceVerification
        case deviceVerificationNonce
        case appTransactionId
        case originalPlatform

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .receiptType: receiptType = reader.value(member)
        case .appAppleId: appAppleID = reader.integer(member)
        case .bundleId: bundleID = reader.string(member)
        case .applicationVersion: applicationVersion = reader.string(member)
        case .versionExternalIdentifier: versionExternalIdentifier = reader.integer(member)
        case .receiptCreationDate: receiptCreationDate = reader.date(member)
        case .requestDate: requestDate = reader.date(member)
        case .originalPurchaseDate: originalPurchaseDate = reader.date(member)
        case .originalApplicationVersion: originalApplicationVersion = reader.string(member)
        case .preorderDate: preorderDate = reader.date(member)
        case .deviceVerification: deviceVerification = reader.string(member)
        case .deviceVerificationNonce: deviceVerificationNonce = reader.string(member)
        case .appTransactionId: appTransactionID = reader.string(member)
        case .originalPlatform: originalPlatform = reader.value(member)
        }
    }
}
