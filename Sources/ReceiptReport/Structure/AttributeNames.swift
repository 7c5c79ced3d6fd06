/// Names of the attributes of a payload `SET OF SEQUENCE { type, version, value }`.
///
/// Apple's names (the keys of verifyReceipt) where there is one; otherwise a description in parentheses
/// where something is known about the attribute, else nil.
enum AttributeNames {
    static func receipt(_ type: UInt64) -> String? { receiptNames[type] }
    static func inApp(_ type: UInt64) -> String? { inAppNames[type] }
    static func appAttest(_ type: UInt64) -> String? { appAttestNames[type] }

    /// Whether a word is a receipt attribute's name.
    static func isKnown(_ name: String) -> Bool { receiptNames.values.contains(name) }

    /// Attributes 4 to 7 are opaque octets: never DER, even where they look like it.
    static func isOpaque(_ type: UInt64) -> Bool { (4...7).contains(type) }

    private static let receiptNames: [UInt64: String] = [
        0: "receipt_type",
        1: "app_item_id",
        2: "bundle_id",
        3: "application_version",
        4: "opaque value",
        5: "SHA-1 hash",
        6: "opaque",
        7: "opaque",
        8: "date, undocumented",
        10: "age rating",
        11: "developer id",
        12: "receipt_creation_date",
        15: "download_id",
        16: "version_external_identifier",
        17: "in_app",
        18: "original_purchase_date",
        19: "original_application_version",
        21: "expiration_date",
        22: "date, undocumented",
        23: "VPP organisation",
        25: "platform",
        32: "preorder_date",
    ]

    private static let inAppNames: [UInt64: String] = [
        1701: "quantity",
        1702: "product_id",
        1703: "transaction_id",
        1704: "purchase_date",
        1705: "original_transaction_id",
        1706: "original_purchase_date",
        1707: "product type",
        1708: "expires_date",
        1710: "product item id",
        1711: "web_order_line_item_id",
        1712: "cancellation_date",
        1713: "is_trial_period",
        1719: "is_in_intro_offer_period",
        1720: "cancellation_reason",
        1721: "promotional_offer_id",
        1722: "in_app_ownership_type",
    ]

    /// Apple, "Assessing fraud risk": the fields of an App Attest receipt.
    private static let appAttestNames: [UInt64: String] = [
        2: "App ID",
        3: "attested public key",
        4: "client hash",
        5: "token",
        6: "receipt type",
        7: "environment",
        12: "creation time",
        17: "risk metric",
        19: "not before",
        21: "expiration time",
    ]
}
