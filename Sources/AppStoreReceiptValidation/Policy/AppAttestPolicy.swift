public import AppStoreReceipt

/// What is expected of App Attest receipts alone. Nil expects nothing; an empty set is met by none.
///
/// Apple's steps ask for the App ID, the key, and a creation time of at most five minutes ago, which is
/// ``ValidationPolicy/maximumAge``.
public struct AppAttestPolicy: Hashable, Sendable {
    /// App IDs, `TEAMID.bundle.identifier`, compared exactly.
    public var appIDs: Set<String>?
    /// Identifiers of attested keys: base64 of SHA-256 of the key's uncompressed point, as `generateKey` gives them.
    public var keyIdentifiers: Set<String>?
    /// Where the receipt comes from.
    public var receiptTypes: Set<AppAttestReceipt.ReceiptType>?

    public init() {}
}
