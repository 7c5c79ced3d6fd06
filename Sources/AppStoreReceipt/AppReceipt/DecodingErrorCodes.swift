internal import ReceiptPKIX

/// Codes of the payload.
extension ReceiptDecodingError.Code {
    /// The content of the SignedData is not a SET of attributes, so the blob is some other signed data.
    public static let notAReceipt = Self(rawValue: "not-a-receipt")
    /// A date that is not RFC 3339 in one of the forms receipts use.
    public static let invalidDate = Self(rawValue: "invalid-date")
    /// An attribute that may occur once occurs twice, so that two readers could understand different things.
    public static let duplicateAttribute = Self(rawValue: "duplicate-attribute")
    /// More attributes than ``DecodingLimits/attributes`` or ``DecodingLimits/purchaseAttributes`` allows.
    public static let tooManyAttributes = Self(rawValue: "too-many-attributes")
}
