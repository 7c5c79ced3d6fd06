internal import ReceiptASN1

/// The models as `Encodable`, with the keys of the tool's JSON: verifyReceipt's names, absent values as null, dates in
/// RFC 3339, and the App Store's numbers as strings, since JSON readers lose those above 2^53.
private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension KeyedEncodingContainer<Key> {
    fileprivate mutating func put(_ name: String, _ value: (some Encodable)?) throws {
        try encode(value, forKey: Key(name))
    }

    /// All but the purchases, which `in_app` shows.
    fileprivate mutating func put(_ attributes: ReceiptAttributes) throws {
        try put("attributes", attributes.filter { $0.type != .inApp })
    }

    fileprivate mutating func put(number name: String, _ value: Int64?) throws { try put(name, value.map { "\($0)" }) }
}

extension ReceiptDate: Encodable {
    /// As RFC 3339, such as `2024-05-01T12:00:00Z`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Receipt: Encodable {
    /// As the tool's `receipt`: unverified, whoever encodes it.
    public func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.put("receipt_type", receiptType)
        try json.put(number: "adam_id", appItemID)
        try json.put(number: "app_item_id", appItemID)
        try json.put("bundle_id", bundleID)
        try json.put("application_version", applicationVersion)
        try json.put(number: "download_id", downloadID)
        try json.put(number: "version_external_identifier", versionExternalIdentifier)
        try json.put("receipt_creation_date", receiptCreationDate)
        try json.put("original_purchase_date", originalPurchaseDate)
        try json.put("original_application_version", originalApplicationVersion)
        try json.put("expiration_date", expirationDate)
        try json.put("preorder_date", preorderDate)
        try json.put("environment", environment?.rawValue)
        try json.put("age_rating", ageRating)
        try json.put(number: "developer_id", developerID)
        try json.put("organization_name", organizationName)
        try json.put("platform", platform)
        try json.put("opaque_value", opaqueValue.map { hex($0) })
        try json.put("sha1_hash", sha1Hash.map { hex($0) })
        try json.put("in_app", inApp)
        try json.put(attributes)
    }
}

extension InAppPurchase: Encodable {
    /// As an entry of the tool's `in_app`.
    public func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.put("quantity", quantity)
        try json.put("product_id", productID)
        try json.put("transaction_id", transactionID)
        try json.put("original_transaction_id", originalTransactionID)
        try json.put("purchase_date", purchaseDate)
        try json.put("original_purchase_date", originalPurchaseDate)
        try json.put("expires_date", expiresDate)
        try json.put("cancellation_date", cancellationDate)
        try json.put("cancellation_reason", cancellationReason)
        try json.put(number: "web_order_line_item_id", webOrderLineItemID)
        try json.put("is_trial_period", isTrialPeriod)
        try json.put("is_in_intro_offer_period", isInIntroOfferPeriod)
        try json.put("promotional_offer_id", promotionalOfferID)
        try json.put("in_app_ownership_type", inAppOwnershipType.map { $0.name ?? "\($0.rawValue)" })
        try json.put("product_type", productType.map { $0.name ?? "\($0.rawValue)" })
        try json.put(number: "item_id", itemID)
        try json.put(attributes)
    }
}

extension ReceiptAttribute: Encodable {
    /// Type, version, how its value is encoded, and that: text, a number as text, or the octets as hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.put("type", type.rawValue)
        try json.put("version", version)
        switch value.storage {
        case .utf8String(let text):
            try json.put("encoding", "UTF8String")
            try json.put("value", text)
        case .ia5String(let text):
            try json.put("encoding", "IA5String")
            try json.put("value", text)
        case .integer(let number):
            try json.put("encoding", "INTEGER")
            try json.put(number: "value", number)
        case .empty:
            try json.put("encoding", "empty")
            try json.put("hex", "")
        case .set, .raw:
            try json.put("encoding", "raw")
            try json.put("hex", hex(rawValue))
        }
    }
}

extension Subscription: Encodable {
    /// As an entry of the tool's `subscriptions`.
    public func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.put("original_transaction_id", originalTransactionID)
        try json.put("product_ids", productIDs)
        try json.put("from", from)
        try json.put("to", to)
        try json.put("periods", periods)
        try json.put("cancelled", cancelled)
        try json.put("gaps", gaps)
    }
}

extension Subscription.Gap: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Key.self)
        try json.put("from", from)
        try json.put("to", to)
    }
}
