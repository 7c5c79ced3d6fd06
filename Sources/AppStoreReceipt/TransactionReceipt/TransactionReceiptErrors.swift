/// Codes of transaction receipts. ``truncated``, ``trailingBytes``, ``invalidUTF8`` and ``inputTooLong`` are those of the
/// ASN.1 layer; ``purchaseInfo`` and those of damaged base64 are those of the transport layer.
extension ReceiptDecodingError.Code {
    /// Something other than the next piece of a property list's grammar.
    public static let propertyListSyntax = Self(rawValue: "property-list-syntax")
    /// The property list has a comment.
    public static let propertyListComment = Self(rawValue: "property-list-comment")
    /// A key or value is a dictionary, an array or data where only a string may be.
    public static let propertyListNotAString = Self(rawValue: "property-list-not-a-string")
    /// A backslash is followed by something that is no escape.
    public static let propertyListEscape = Self(rawValue: "property-list-escape")
    /// A key comes twice.
    public static let propertyListDuplicateKey = Self(rawValue: "property-list-duplicate-key")
    /// More entries, a longer key or a longer value than any receipt needs.
    public static let propertyListLimit = Self(rawValue: "property-list-limit")

    /// A property list, but not one of a transaction receipt: neither `signature` and `purchase-info`, nor what is in them.
    public static let notATransactionReceipt = Self(rawValue: "not-a-transaction-receipt")
    /// The transaction receipt has no `signature`.
    public static let missingSignature = Self(rawValue: "missing-signature")
    /// The transaction receipt has no `purchase-info`.
    public static let missingPurchaseInfo = Self(rawValue: "missing-purchase-info")
    /// The signature is readable text, such as a placeholder someone put there, and not a signature.
    public static let signatureIsText = Self(rawValue: "signature-is-text")
    /// The signature blob is of a version other than 2, 3 and 4.
    public static let unknownSignatureVersion = Self(rawValue: "unknown-signature-version")
    /// A value of the purchase-info is not of its key's form, such as a date that is none.
    public static let malformedPurchaseInfoValue = Self(rawValue: "malformed-purchase-info-value")
}
