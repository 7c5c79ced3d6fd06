/// Codes of the ASN.1 layer. The clauses are those of X.690.
extension ReceiptDecodingError.Code {
    /// The input ends inside an element, or an element's length runs past the end of the one that holds it (8.1.3).
    public static let truncated = Self(rawValue: "truncated")
    /// A length needs more than four octets; no receipt is that long (8.1.3.5).
    public static let lengthTooLarge = Self(rawValue: "length-too-large")
    /// A length is not in its shortest form, which DER demands (10.1).
    public static let nonMinimalLength = Self(rawValue: "non-minimal-length")
    /// An indefinite length where a definite one is due: in a primitive element (8.1.3.2) or inside DER (10.1).
    public static let indefiniteLength = Self(rawValue: "indefinite-length")
    /// The length octet 0xFF, which is reserved (8.1.3.5 c).
    public static let reservedLength = Self(rawValue: "reserved-length")
    /// An element of indefinite length does not end with two zero octets (8.1.5).
    public static let missingEndOfContents = Self(rawValue: "missing-end-of-contents")
    /// Two zero octets where no element of indefinite length is open (8.1.5).
    public static let unexpectedEndOfContents = Self(rawValue: "unexpected-end-of-contents")
    /// A tag number of 31 or more, in several octets (8.1.2.4).
    public static let unsupportedTag = Self(rawValue: "unsupported-tag")
    /// An element is there, but not the one that the grammar calls for.
    public static let unexpectedTag = Self(rawValue: "unexpected-tag")
    /// The enclosing element ends where the grammar calls for another element.
    public static let missingElement = Self(rawValue: "missing-element")
    /// Bytes are left over after the last element that the grammar allows.
    public static let trailingBytes = Self(rawValue: "trailing-bytes")
    /// An INTEGER without octets, or with more of them than its value needs (8.3).
    public static let invalidInteger = Self(rawValue: "invalid-integer")
    /// An INTEGER that does not fit 64 bits with sign, where a number is expected.
    public static let integerTooLarge = Self(rawValue: "integer-too-large")
    /// A BOOLEAN that is not one octet of 00 or FF (11.1).
    public static let invalidBoolean = Self(rawValue: "invalid-boolean")
    /// An OBJECT IDENTIFIER that is empty, ends inside an arc or has an arc with leading zeros (8.19).
    public static let invalidObjectIdentifier = Self(rawValue: "invalid-object-identifier")
    /// A BIT STRING without its first octet, with more than 7 unused bits, or with unused bits set (8.6, 11.2).
    public static let invalidBitString = Self(rawValue: "invalid-bit-string")
    /// A UTF8String that is not UTF-8.
    public static let invalidUTF8 = Self(rawValue: "invalid-utf8")
    /// An IA5String with an octet above 7F.
    public static let invalidIA5String = Self(rawValue: "invalid-ia5string")
    /// A BMPString with an odd number of octets.
    public static let invalidBMPString = Self(rawValue: "invalid-bmpstring")
    /// A UTCTime or GeneralizedTime that is not a date in the form RFC 5280 4.1.2.5 prescribes.
    public static let invalidTime = Self(rawValue: "invalid-time")
    /// A piece of a constructed OCTET STRING is not an OCTET STRING (8.7.3).
    public static let invalidStringSegment = Self(rawValue: "invalid-string-segment")
    /// More bytes than ``DecodingLimits/bytes`` allows.
    public static let inputTooLong = Self(rawValue: "input-too-long")
    /// Elements are nested deeper than ``DecodingLimits/depth`` allows.
    public static let nestedTooDeeply = Self(rawValue: "nested-too-deeply")
    /// More elements than ``DecodingLimits/elements`` allows.
    public static let tooManyElements = Self(rawValue: "too-many-elements")
}
