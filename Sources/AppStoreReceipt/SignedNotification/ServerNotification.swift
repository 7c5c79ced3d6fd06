internal import ReceiptJSON

/// What an App Store server notification says: Apple's `responseBodyV2DecodedPayload`.
///
/// Exactly one of ``data``, ``summary``, ``externalPurchaseToken`` and ``appData`` is there. For what a value of this type
/// proves, and when a property is nil, see ``Transaction``.
public struct ServerNotification: Hashable, Sendable {
    /// `notificationType`.
    public internal(set) var notificationType: NotificationType?
    /// `subtype`.
    public internal(set) var subtype: NotificationSubtype?
    /// `notificationUUID`: the same each time Apple sends it: keep it, to see repetitions.
    public internal(set) var notificationUUID: String?
    /// `version`: `2.0`.
    public internal(set) var version: String?
    /// `signedDate`: when the App Store signed: the time at which the certificates must be valid.
    public internal(set) var signedDate: ReceiptDate?
    /// `data`.
    public internal(set) var data: NotificationData?
    /// `summary`.
    public internal(set) var summary: NotificationSummary?
    /// `externalPurchaseToken`.
    public internal(set) var externalPurchaseToken: ExternalPurchaseToken?
    /// `appData`.
    public internal(set) var appData: NotificationAppData?
}

extension ServerNotification: PayloadModel {
    enum Field: String, PayloadField {
        case notificationType
        case subtype
        case notificationUUID
        case version
        case signedDate
        case data
        case summary
        case externalPurchaseToken
        case appData

        static let table = FieldTable<Field>()
    }

    mutating func read(_ field: Field, _ member: JSONMember, _ reader: inout PayloadReader) {
        switch field {
        case .notificationType: notificationType = reader.value(member)
        case .subtype: subtype = reader.value(member)
        case .notificationUUID: notificationUUID = reader.string(member)
        case .version: version = reader.string(member)
        case .signedDate: signedDate = reader.date(member)
        case .data: data = reader.object(member)
        case .summary: summary = reader.object(member)
        case .externalPurchaseToken: externalPurchaseToken = reader.object(member)
        case .appData: appData = reader.object(member)
        }
    }
}
