internal import ReceiptJSON

/// Codes of signed JSON. Those of its text (``jwsSegments``, ``invalidCharacter``, ``misplacedPadding``,
/// ``nonZeroTrailingBits``, ``inputTooLong``) are those of the transport layer, and ``truncated`` that of the ASN.1 layer.
extension ReceiptDecodingError.Code {
    /// The header or the payload of a JWS is JSON, but no object (RFC 7515 section 4, RFC 7519 section 7.2).
    public static let jsonNotAnObject = Self(rawValue: "json-not-an-object")
    /// The header has no `alg`, or one that is not exactly `ES256`.
    public static let jwsAlgorithm = Self(rawValue: "jws-algorithm")
    /// The header has `crit`: extensions that must be understood (RFC 7515 section 4.1.11). None is.
    public static let jwsCriticalHeader = Self(rawValue: "jws-critical-header")
    /// The header has `b64`: the payload may not be base64url (RFC 7797).
    public static let jwsUnencodedPayload = Self(rawValue: "jws-unencoded-payload")
    /// The header's `x5c` is not an array of three strings, or of one in what Xcode signs.
    public static let jwsCertificates = Self(rawValue: "jws-certificates")
    /// A certificate in `x5c` is not padded, canonical base64 (RFC 7515 section 4.1.6), or is longer than 4 KiB.
    public static let jwsCertificateEncoding = Self(rawValue: "jws-certificate-encoding")
    /// The signature is not 64 bytes, `r` and `s` of 32 each (RFC 7518 section 3.4); one in DER is named.
    public static let jwsSignatureLength = Self(rawValue: "jws-signature-length")
    /// Signed JSON of another kind than the one asked for; the detail names it.
    public static let wrongKind = Self(rawValue: "wrong-kind")
    /// A notification that has none, or more than one, of `data`, `summary`, `externalPurchaseToken` and `appData`.
    public static let notificationContent = Self(rawValue: "notification-content")

    // Recognised by name, and not read: no validation could say who signed them, or nothing else is in them.

    /// A JWS with a key identifier and no certificates: what developers sign for the App Store's server interfaces.
    public static let developerSignedJWS = Self(rawValue: "developer-signed-jws")
    /// An identity token of Sign in with Apple, whose key is published on the network.
    public static let signInWithApple = Self(rawValue: "sign-in-with-apple")
    /// What Huawei's in-app purchases sign.
    public static let huaweiJWS = Self(rawValue: "huawei-jws")
    /// An external purchase token: base64url of JSON that nobody signs.
    public static let externalPurchaseToken = Self(rawValue: "external-purchase-token")

    // The grammar of JSON. The clauses are those of RFC 8259, where no other is named.

    /// The text ends inside a value, or there is no value at all.
    public static let jsonTruncated = Self(.truncated)
    /// Something other than what the grammar calls for next (section 2).
    public static let jsonSyntax = Self(.syntax)
    /// A comma before the end of an object or an array.
    public static let jsonTrailingComma = Self(.trailingComma)
    /// Something other than white space after the value.
    public static let jsonTrailingText = Self(.trailingText)
    /// A byte order mark before the value (section 8.1).
    public static let jsonByteOrderMark = Self(.byteOrderMark)
    /// Text in UTF-16 or UTF-32 (section 8.1).
    public static let jsonNotUTF8 = Self(.notUTF8)
    /// Bytes that are not UTF-8 inside a string (RFC 3629).
    public static let jsonInvalidUTF8 = Self(.invalidUTF8)
    /// A character below U+0020 that is not escaped (section 7).
    public static let jsonControlCharacter = Self(.controlCharacter)
    /// A backslash and something that is no escape (section 7).
    public static let jsonInvalidEscape = Self(.invalidEscape)
    /// An escaped surrogate without its other half (RFC 7493 section 2.1).
    public static let jsonLoneSurrogate = Self(.loneSurrogate)
    /// A number with a leading zero or a plus, or without digits where some are due; `NaN` and `Infinity` (section 6).
    public static let jsonInvalidNumber = Self(.invalidNumber)
    /// A name that the object has already, compared after unescaping (RFC 7493 section 2.3).
    public static let jsonDuplicateName = Self(.duplicateName)
    /// More bytes than are taken.
    public static let jsonInputTooLong = Self(.inputTooLong)
    /// Objects and arrays nested deeper than 16.
    public static let jsonNestedTooDeeply = Self(.nestedTooDeeply)
    /// An object or array with more than 256 members, or more than 16,384 values in all.
    public static let jsonTooManyMembers = Self(.tooManyMembers)

    fileprivate init(_ code: JSONError.Code) { self.init(rawValue: code.rawValue) }
}

extension ReceiptDecodingError {
    /// - Parameter start: where the segment that holds the JSON begins in the text of the JWS.
    init(_ error: JSONError, inSegmentAt start: Int, _ field: String) {
        self.init(
            Code(error.code), at: SignedJSON.textOffset(ofByte: error.offset, inSegmentAt: start), in: field)
    }
}
