public import ReceiptASN1
internal import ReceiptTransport

/// Codes of the transport layer. ``truncated``, ``trailingBytes`` and ``inputTooLong`` are those of the ASN.1 layer.
extension ReceiptDecodingError.Code {
    /// Nothing, or nothing but white space and quotation marks.
    public static let empty = Self(.empty)
    /// A character that has no place in the form; the detail names it.
    public static let invalidCharacter = Self(.invalidCharacter)
    /// Base64 without the `=` that make its length a multiple of four (exact mode; RFC 4648 section 3.2).
    public static let missingPadding = Self(.missingPadding)
    /// `=` that is not at the end of base64, or too many of them (exact mode; RFC 4648 section 3.3).
    public static let misplacedPadding = Self(.misplacedPadding)
    /// Bits after the last byte that are not zero (exact mode; RFC 4648 section 3.5).
    public static let nonZeroTrailingBits = Self(.nonZeroTrailingBits)
    /// Encoded more than once: in exact mode at all, in tolerant mode more often than is undone.
    public static let encodedTooOften = Self(.encodedTooOften)
    /// A JSON Web Signature: a signed transaction, renewal or notification of StoreKit 2 or the App Store Server API.
    public static let jws = Self(.jws)
    /// Not the three segments of a compact JWS, or an empty one (RFC 7515 section 7.1).
    public static let jwsSegments = Self(.jwsSegments)
    /// The JSON of a request to verifyReceipt; the receipt is its `receipt-data`.
    public static let verifyReceiptRequest = Self(.verifyReceiptRequest)
    /// The JSON of verifyReceipt's answer, or of a notification that has the same keys.
    public static let verifyReceiptResponse = Self(.verifyReceiptResponse)
    /// Some other JSON.
    public static let json = Self(.json)
    /// An HTML page, such as a proxy's error message.
    public static let html = Self(.html)
    /// A property list in XML.
    public static let xmlPropertyList = Self(.xmlPropertyList)
    /// Some other XML.
    public static let xml = Self(.xml)
    /// A property list in binary form (`bplist00`).
    public static let binaryPropertyList = Self(.binaryPropertyList)
    /// An old-style property list that is neither an iOS 6-style receipt nor its purchase-info, or is cut off.
    public static let propertyList = Self(.propertyList)
    /// An iOS 6-style transactionReceipt where an app receipt is wanted.
    public static let transactionReceipt = Self(rawValue: "transaction-receipt")
    /// The purchase-info of an iOS 6-style transactionReceipt without its signature: it cannot be validated.
    public static let purchaseInfo = Self(rawValue: "purchase-info")
    /// A number or UUID, such as a transaction identifier.
    public static let identifier = Self(.identifier)
    /// What a program prints for a `Data` or `NSData`: a length, not the bytes, or the bytes with the middle left out.
    public static let dataDescription = Self(.dataDescription)
    /// Text that is no encoding of a receipt.
    public static let plainText = Self(.plainText)
    /// Compressed data: gzip, zlib, ZIP.
    public static let compressed = Self(.compressed)
    /// Bytes of a known other kind, such as an image.
    public static let foreignBinary = Self(.foreignBinary)
    /// The bytes of a receipt after a conversion between character sets, which cannot be undone.
    public static let mangledBinary = Self(.mangledBinary)
    /// Bytes of no known kind.
    public static let unknownContent = Self(.unknownContent)
}

extension ReceiptDecodingError {
    init(_ fault: TransportFault) {
        self.init(Code(fault.code), at: fault.offset, in: fault.field, detail: fault.detail)
    }
}

extension ReceiptDecodingError.Code {
    fileprivate init(_ code: TransportFault.Code) { self.init(rawValue: code.rawValue) }
}
