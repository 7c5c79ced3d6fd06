import AppStoreReceipt

/// Names of the attributes of a payload `SET OF SEQUENCE { type, version, value }`: nil where nothing is known.
enum AttributeNames {
    static func receipt(_ type: UInt64) -> String? { name(type, ofPurchase: false) }
    static func inApp(_ type: UInt64) -> String? { name(type, ofPurchase: true) }
    static func appAttest(_ type: UInt64) -> String? { appAttestNames[type] }

    /// Whether a word is the name of an attribute of a receipt.
    static func isKnown(_ name: String) -> Bool {
        KnownAttribute.table.values.contains { !$0.isOfPurchase && $0.key == name }
    }

    private static func name(_ type: UInt64, ofPurchase: Bool) -> String? {
        guard let known = known(type), known.isOfPurchase == ofPurchase else { return nil }
        return known.key
    }

    /// Whether a receipt's attribute is opaque octets: never DER, even where they look like it.
    static func isOpaque(_ type: UInt64) -> Bool { known(type)?.isOpaque == true }

    private static func known(_ type: UInt64) -> KnownAttribute? {
        Int(exactly: type).flatMap { ReceiptAttributeType(rawValue: $0).known }
    }

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
