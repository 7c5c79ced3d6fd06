internal import ReceiptTransport

/// The form in which a receipt was handed over.
public struct TransportForm: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    init(_ form: WrittenForm) { rawValue = form.rawValue }
    public var description: String { rawValue }

    /// Bytes, not text: DER or BER.
    public static let der = Self(.der)
    /// Base64, RFC 4648 section 4.
    public static let base64 = Self(.base64)
    /// Base64 with `-` and `_` for `+` and `/`, RFC 4648 section 5.
    public static let base64URL = Self(.base64URL)
    /// Base64 whose bytes are base64, or another of these text forms, again.
    public static let base64OfBase64 = Self(.base64OfBase64)
    /// Base64 between the lines `-----BEGIN …-----` and `-----END …-----`, RFC 7468.
    public static let pem = Self(.pem)
    /// Base64 behind `data:…;base64,`, RFC 2397.
    public static let dataURI = Self(.dataURI)
    /// Hexadecimal digits.
    public static let hex = Self(.hex)
    /// The text of an old-style property list itself, not encoded.
    public static let propertyList = Self(.propertyList)
    /// A list of numbers, as programs print arrays of bytes.
    public static let printedBytes = Self(.printedBytes)
    /// A dump with offsets, as xxd, hexdump and od write it.
    public static let hexDump = Self(.hexDump)
    /// The literal of a programming language, with escapes for bytes that cannot be printed.
    public static let stringLiteral = Self(.stringLiteral)
    /// A JWS in its compact form, RFC 7515 section 7.1.
    public static let jws = Self(.jws)
}

/// What the bytes of a ``TransportDecoding`` are, judged by how they begin and end.
public struct TransportContent: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    init(_ kind: ContentKind) { rawValue = kind.rawValue }
    public var description: String { rawValue }

    /// A ContentInfo with signedData (RFC 5652 section 5.1), as app receipts are. App Attest receipts and provisioning
    /// profiles are, too.
    public static let cms = Self(.cms)
    /// Some other ASN.1 element.
    public static let asn1 = Self(.asn1)
    /// An iOS 6-style receipt: an old-style property list with `signature` and `purchase-info`.
    public static let transactionReceipt = Self(.transactionReceipt)
    /// The property list that an iOS 6-style receipt holds in `purchase-info`, without signature.
    public static let purchaseInfo = Self(.purchaseInfo)
    /// A JWS in its compact form: a signed transaction, renewal or notification, or anybody's token.
    public static let jws = Self(.jws)
}
