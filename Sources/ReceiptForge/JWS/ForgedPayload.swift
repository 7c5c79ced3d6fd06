/// The JSON of a signed payload: members in order, each value as JSON, so that anything can stand there.
public struct ForgedPayload: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public var name: String
        public var json: String

        public init(_ name: String, _ json: String) {
            self.name = name
            self.json = json
        }
    }

    public var members: [Member]

    public init(_ members: [Member]) { self.members = members }

    /// The value of the first member with a name, as JSON. Setting nil removes it; a new name goes to the end.
    public subscript(name: String) -> String? {
        get { members.first { $0.name == name }?.json }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let json?): members[index].json = json
            case (let index?, nil): members.remove(at: index)
            case (nil, let json?): members.append(Member(name, json))
            case (nil, nil): break
            }
        }
    }

    /// The payload as JSON.
    public var json: String { "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}" }
    public var bytes: [UInt8] { Array(json.utf8) }

    /// With some members set to other values; nil removes one.
    public func with(_ changes: [String: String?]) -> ForgedPayload {
        var payload = self
        for name in changes.keys.sorted() { payload[name] = changes[name] ?? nil }
        return payload
    }

    /// Text as JSON. What the forge writes needs no escapes but these.
    public static func text(_ value: String) -> String {
        "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// 2025-10-01T07:08:38.835Z.
    public static let date: Int64 = 1_759_302_518_835

    /// A subscription's renewal, with the members of a genuine one of 2025.
    public static func transaction(
        bundleID: String = "com.example.app", environment: String = "Production", signedDate: Int64 = date
    ) -> ForgedPayload {
        ForgedPayload([
            Member("transactionId", text("2000001024998954")),
            Member("originalTransactionId", text("2000001024993299")),
            Member("webOrderLineItemId", text("2000000113755461")), Member("bundleId", text(bundleID)),
            Member("productId", text("com.example.pro")), Member("subscriptionGroupIdentifier", text("21752814")),
            Member("purchaseDate", "\(signedDate - 3_000)"), Member("originalPurchaseDate", "\(signedDate - 700_000)"),
            Member("expiresDate", "\(signedDate + 2_592_000_000)"), Member("quantity", "1"),
            Member("type", text("Auto-Renewable Subscription")), Member("inAppOwnershipType", text("PURCHASED")),
            Member("signedDate", "\(signedDate)"), Member("environment", text(environment)),
            Member("transactionReason", text("RENEWAL")), Member("storefront", text("AUS")),
            Member("storefrontId", text("143460")), Member("price", "1990"), Member("currency", text("AUD")),
            Member("appTransactionId", text("704897469903383919")),
        ])
    }

    public static func renewalInfo(environment: String = "Production", signedDate: Int64 = date) -> ForgedPayload {
        ForgedPayload([
            Member("originalTransactionId", text("2000001024993299")),
            Member("autoRenewProductId", text("com.example.pro")), Member("productId", text("com.example.pro")),
            Member("autoRenewStatus", "1"), Member("renewalPrice", "1990"), Member("currency", text("AUD")),
            Member("signedDate", "\(signedDate)"), Member("environment", text(environment)),
            Member("recentSubscriptionStartDate", "\(signedDate - 700_000)"),
            Member("renewalDate", "\(signedDate + 2_592_000_000)"),
            Member("appTransactionId", text("704897469903383919")),
        ])
    }

    public static func appTransaction(
        bundleID: String = "com.example.app", environment: String = "Production", appAppleID: Int64 = 1_470_168_868,
        date: Int64 = date
    ) -> ForgedPayload {
        ForgedPayload([
            Member("receiptType", text(environment)), Member("appAppleId", "\(appAppleID)"),
            Member("bundleId", text(bundleID)), Member("applicationVersion", text("637")),
            Member("versionExternalIdentifier", "8785712345"), Member("receiptCreationDate", "\(date)"),
            Member("requestDate", "\(date)"), Member("originalPurchaseDate", "\(date - 900_000)"),
            Member("originalApplicationVersion", text("600")), Member("appTransactionId", text("704897469903383919")),
            Member("originalPlatform", text("iOS")),
        ])
    }

    /// A notification.
    ///
    /// - Parameters:
    ///   - type: `notificationType`.
    ///   - contents: The members of `data`: `signedTransactionInfo` and `signedRenewalInfo` are compact JWS.
    ///   - bundleID: Of `data`, as are the environment and the app's identifier.
    ///   - environment: Production or Sandbox.
    ///   - appAppleID: The number of the app in the store.
    ///   - signedDate: In milliseconds since 1970.
    public static func notification(
        _ type: String = "DID_RENEW", data contents: [Member] = [], bundleID: String = "com.example.app",
        environment: String = "Production", appAppleID: Int64 = 1_470_168_868, signedDate: Int64 = date
    ) -> ForgedPayload {
        let data = ForgedPayload(
            [
                Member("appAppleId", "\(appAppleID)"), Member("bundleId", text(bundleID)),
                Member("bundleVersion", text("637")), Member("environment", text(environment)),
            ] + contents + [Member("status", "1")])
        return ForgedPayload([
            Member("notificationType", text(type)),
            Member("notificationUUID", text("1a7cdc3d-9360-49c3-ae37-0423e4c6e7c7")),
            Member("data", data.json), Member("version", text("2.0")), Member("signedDate", "\(signedDate)"),
        ])
    }
}
