/// A receipt to be signed: what the payload says.
///
/// ```swift
/// var receipt = ForgedReceipt(bundleID: "com.example.app", applicationVersion: "1.2.3")
/// receipt.purchases = [.autoRenewable("com.example.pro").inTrial(), .consumable("com.example.coins")]
/// let forged = try receipt.signed()
/// handler.receive(forged.base64)                // your code, under a policy that trusts forged.anchors
/// ```
///
/// Defaults resemble genuine receipts of the environment. Every attribute can be set, left out (nil), repeated or
/// replaced (``overrides``). Dates are written as they are given, right or wrong.
///
/// This is a tool for tests: its keys are public, and no policy for real receipts may trust its anchors.
public struct ForgedReceipt: Hashable, Sendable {
    /// Attribute 0, `receipt_type`.
    public var environment: Environment?
    /// Attribute 1, `app_item_id` and `adam_id`.
    public var appItemID: Int64?
    /// Attribute 2.
    public var bundleID: String?
    /// Attribute 3.
    public var applicationVersion: String?
    /// Attribute 4, which salts the device hash.
    public var opaqueValue: [UInt8]?
    /// The device the receipt is for: 16 bytes of `identifierForVendor`, or 6 of a Mac's primary MAC address.
    public var deviceID: [UInt8]
    /// Attribute 5; nil computes SHA-1 over device, opaque value and the bundle identifier's octets.
    public var deviceHash: [UInt8]?
    /// Attributes 6 and 7, of unknown meaning.
    public var unknownBlobs: [[UInt8]] = []
    /// Attribute 8, an undocumented date, equal to the creation date in most production receipts.
    public var undocumentedDate: String?
    /// Attribute 10, the age rating.
    public var ageRating: String?
    /// Attribute 11.
    public var developerID: Int64?
    /// Attribute 12, `receipt_creation_date`.
    public var creationDate: String?
    /// Attribute 15.
    public var downloadID: Int64?
    /// Attribute 16.
    public var versionExternalIdentifier: Int64?
    /// Attribute 18.
    public var originalPurchaseDate: String?
    /// Attribute 19.
    public var originalApplicationVersion: String?
    /// Attribute 21, for apps bought through the Volume Purchase Program.
    public var expirationDate: String?
    /// Attribute 23, the organisation of the Volume Purchase Program.
    public var organizationName: String?
    /// Attribute 25: 3 for iOS, 2 for macOS (inferred).
    public var platform: Int64?
    /// Attribute 32.
    public var preorderDate: String?
    /// Attributes 17.
    public var purchases: [ForgedPurchase] = []
    /// Attributes in the place of the usual ones of a type: none to leave it out, two to repeat it.
    public var overrides: [Int: [ForgedAttribute]] = [:]
    /// Attributes after all others.
    public var extraAttributes: [ForgedAttribute] = []
    /// The issuer to resemble in what is written and in which order.
    public var style: Style

    public enum Style: Hashable, Sendable {
        /// All attributes, sets in DER's order.
        case appStore
        /// Few attributes, sets by attribute number, as Xcode's StoreKit Test writes them.
        case xcode
    }

    /// Attribute 0 in words.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let production = Self(rawValue: "Production")
        public static let sandbox = Self(rawValue: "ProductionSandbox")
        public static let productionVPP = Self(rawValue: "ProductionVPP")
        public static let sandboxVPP = Self(rawValue: "ProductionVPPSandbox")
        public static let xcode = Self(rawValue: "Xcode")
    }

    /// A receipt with the defaults of its environment and no purchases.
    ///
    /// - Parameters:
    ///   - bundleID: Attribute 2.
    ///   - applicationVersion: Attribute 3.
    ///   - environment: Attribute 0, which the other defaults follow.
    ///   - seed: Chooses the opaque bytes; the same seed gives the same receipt.
    public init(
        bundleID: String = "com.example.app", applicationVersion: String = "1.2.3",
        environment: Environment = .production, seed: UInt64 = 0
    ) {
        var random = ForgeRandom(seed: seed)
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.environment = environment
        style = environment == .xcode ? .xcode : .appStore
        deviceID = random.bytes(16)
        creationDate = "2025-06-01T12:00:00Z"
        appItemID = 0
        undocumentedDate = ""
        if environment == .xcode {
            opaqueValue = random.bytes(8)
            expirationDate = "4001-01-01T00:00:00Z"
            return
        }
        opaqueValue = random.bytes(16)
        unknownBlobs = [random.bytes(72), random.bytes(60)]
        ageRating = "4+"
        developerID = 0
        downloadID = 0
        versionExternalIdentifier = 0
        originalPurchaseDate = "2013-08-01T07:00:00Z"
        originalApplicationVersion = "1.0"
        platform = 3
        if environment == .production || environment == .productionVPP {
            appItemID = 1_289_197_285
            undocumentedDate = creationDate
            developerID = 14_265
            downloadID = 111_024_233_999_677
            versionExternalIdentifier = 859_301_988
            originalPurchaseDate = "2024-11-28T11:11:32Z"
        }
        if environment == .productionVPP || environment == .sandboxVPP {
            expirationDate = "2026-06-01T12:00:00Z"
            organizationName = "Example School"
        }
    }
}

/// A small seeded generator (SplitMix64): the same seed gives the same numbers everywhere. Not for secrets.
public struct ForgeRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
