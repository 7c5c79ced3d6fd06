internal import ReceiptPKIX

/// What a receipt says: the app, and its in-app purchases.
///
/// A value of this type says nothing about who wrote it. What a server may rely on is the receipt of a
/// `ValidatedReceipt`, which only the validation module makes.
///
/// A property is nil when the attribute is absent or empty; nothing is made up in its place. A receipt without
/// purchases is a normal receipt.
public struct Receipt: Hashable, Sendable {
    /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox`, `Xcode` (type 0). See ``environment``.
    public internal(set) var receiptType: String?
    /// The app's number in the App Store, verifyReceipt's `app_item_id` and `adam_id` (type 1). 0 in the sandbox and
    /// in Xcode; may exceed 2^32.
    public internal(set) var appItemID: Int64?
    /// The app's bundle identifier (type 2).
    public internal(set) var bundleID: String?
    /// `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS, of the app the receipt was made for (type 3).
    public internal(set) var applicationVersion: String?
    /// Opaque bytes that go into ``sha1Hash`` (type 4).
    public internal(set) var opaqueValue: [UInt8]?
    /// SHA-1 over the device identifier, type 4 and the octets of type 2 (type 5); 20 bytes in genuine receipts.
    public internal(set) var sha1Hash: [UInt8]?
    /// When the receipt was created (type 12): the time at which its certificates must be valid.
    public internal(set) var receiptCreationDate: ReceiptDate?
    /// Identifies the download (type 15). Above 2^53: not safe in a JSON number. 0 in the sandbox.
    public internal(set) var downloadID: Int64?
    /// The App Store's number of the app version (type 16). 0 in the sandbox.
    public internal(set) var versionExternalIdentifier: Int64?
    /// When the app was first bought (type 18).
    public internal(set) var originalPurchaseDate: ReceiptDate?
    /// The app version that was first bought (type 19).
    public internal(set) var originalApplicationVersion: String?
    /// When a volume purchase expires (type 21). Xcode writes the year 4001.
    public internal(set) var expirationDate: ReceiptDate?
    /// When a pre-order was placed (type 32; not seen in public receipts).
    public internal(set) var preorderDate: ReceiptDate?

    // Observed, undocumented. An attribute of these types that is not encoded as it was observed is nil, and no
    // error, since nobody has promised its form. Those whose meaning is unknown are in ``attributes`` only.

    /// The app's age rating, such as `4+` (type 10).
    public internal(set) var ageRating: String?
    /// The developer's number (type 11). 0 in the sandbox.
    public internal(set) var developerID: Int64?
    /// The organisation of a volume purchase (type 23).
    public internal(set) var organizationName: String?
    /// Platform: 3 for iOS, 2 for macOS (type 25; inferred).
    public internal(set) var platform: Int64?

    /// The in-app purchases in the order of the receipt, which means nothing: it is not the order of their dates.
    public internal(set) var inApp: [InAppPurchase] = []

    /// All attributes, known or not, in the order of the receipt.
    public let attributes: ReceiptAttributes

    init(_ attributes: ReceiptAttributes) { self.attributes = attributes }
}

/// Where a receipt comes from, as far as its type says.
public enum ReceiptEnvironment: String, Hashable, Sendable, CaseIterable {
    /// Receipt types `Production` and `ProductionVPP`.
    case production
    /// Receipt types `ProductionSandbox` and `ProductionVPPSandbox`.
    case sandbox
    /// Receipt type `Xcode`, from StoreKit Testing.
    case xcode
}

extension Receipt {
    /// The environment that ``receiptType`` names; nil when it is absent or any other word.
    public var environment: ReceiptEnvironment? {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
        case "Xcode": .xcode
        default: nil
        }
    }

    /// The purchase with a transaction identifier, or nil.
    public func purchase(transactionID: String) -> InAppPurchase? {
        inApp.first { $0.transactionID == transactionID }
    }

    /// The purchases of a product, the latest first.
    public func purchases(productID: String) -> [InAppPurchase] {
        inApp.filter { $0.productID == productID }.sorted(by: InAppPurchase.isLater)
    }

    /// The purchases that go back to a transaction, itself among them, the latest first.
    ///
    /// Where the original identifier is absent, as in most Xcode receipts, the transaction counts as its own original.
    public func purchases(originalTransactionID: String) -> [InAppPurchase] {
        inApp.filter { ($0.originalTransactionID ?? $0.transactionID) == originalTransactionID }
            .sorted(by: InAppPurchase.isLater)
    }

    /// Every purchase, the latest first.
    public var purchasesLatestFirst: [InAppPurchase] { inApp.sorted(by: InAppPurchase.isLater) }
}

extension InAppPurchase {
    /// Later by purchase date, then by expiry; purchases without a date come last.
    static func isLater(_ lhs: InAppPurchase, _ rhs: InAppPurchase) -> Bool {
        let unknown = ReceiptDate(millisecondsSince1970: .min)
        let (left, right) = (lhs.purchaseDate ?? unknown, rhs.purchaseDate ?? unknown)
        return left != right ? left > right : (lhs.expiresDate ?? unknown) > (rhs.expiresDate ?? unknown)
    }
}
