internal import ReceiptPKIX

/// What a receipt says: the app, and its in-app purchases.
///
/// A value of this type says nothing about who wrote it. What a server may rely on is the receipt of a
/// `ValidatedReceipt`, which only the validation module makes.
///
/// A property is nil when the attribute is absent, empty, or cannot be read (``unreadableAttributes``); nothing is made up
/// in its place. A receipt without purchases is a normal receipt.
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

    /// Attributes of the receipt and its purchases that Apple documents, in a form that they have never had. Empty but on
    /// the day on which Apple changes a form, or for a forgery. The first 16 of each type.
    public internal(set) var unreadableAttributes: [UnreadableAttribute] = []

    /// All attributes, known or not, in the order of the receipt.
    public let attributes: ReceiptAttributes

    init(_ attributes: ReceiptAttributes) { self.attributes = attributes }
}

/// Where something signed comes from. Open: a word that none of the three stands for is none of them.
public struct ReceiptEnvironment: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The App Store: receipt types `Production` and `ProductionVPP`.
    public static let production = Self(rawValue: "production")
    /// The sandbox and TestFlight: receipt types `ProductionSandbox` and `ProductionVPPSandbox`.
    public static let sandbox = Self(rawValue: "sandbox")
    /// StoreKit Testing: receipt type `Xcode`.
    public static let xcode = Self(rawValue: "xcode")

    /// The three that a policy can name.
    public static let known: [ReceiptEnvironment] = [.production, .sandbox, .xcode]
}

extension Receipt {
    /// The environment that ``receiptType`` names; nil when it is absent or any other word, such as `LocalTesting`.
    public var environment: ReceiptEnvironment? {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "ProductionSandbox", "ProductionVPPSandbox": .sandbox
        case "Xcode": .xcode
        default: nil
        }
    }
}
