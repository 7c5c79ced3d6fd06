package import ReceiptPKIX

/// A receipt as Apple signed it, taken apart but **not verified**.
///
/// Decoding shows that the bytes are well-formed, not that Apple wrote them: anybody can make a well-formed
/// receipt. Hand the value to a `ReceiptValidator` and use the receipt that comes back.
public struct SignedReceipt: Sendable {
    /// What the receipt claims. Fit for logging and for choosing a policy by rules of your own, not for granting
    /// anything.
    @inlinable
    public var unverifiedReceipt: Receipt { storage.receipt }

    /// The container as DER: the input, or the rewritten input when it was BER.
    @inlinable
    package var der: [UInt8] { storage.der }
    package var signedData: SignedData { storage.signedData }

    /// Behind one reference, so that handing a receipt on costs one reference count and not one for each of its texts.
    @usableFromInline
    package final class Storage: Sendable {
        @usableFromInline package let receipt: Receipt
        @usableFromInline package let der: [UInt8]
        package let signedData: SignedData
        /// Also for who reads the certificates.
        package let limits: DecodingLimits

        init(_ receipt: Receipt, _ der: [UInt8], _ signedData: SignedData, _ limits: DecodingLimits) {
            self.receipt = receipt
            self.der = der
            self.signedData = signedData
            self.limits = limits
        }
    }

    @usableFromInline package let storage: Storage

    /// Decodes a receipt from the bytes of its PKCS#7 container, DER or BER.
    ///
    /// - Parameters:
    ///   - bytes: The container, nothing before it and nothing behind it. For text use ``init(transport:mode:limits:)-(String,_,_)``.
    ///   - limits: What to refuse for its size.
    /// - Throws: ``ReceiptDecodingError``, whose offset is into `bytes`.
    public init(decoding bytes: [UInt8], limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
        var der = bytes
        let signedData = try SignedData.decode(&der, limits: limits)
        let receipt: Receipt
        do throws(ReceiptDecodingError) {
            guard signedData.contentType == .data else {
                // The octets before eContent hold its type.
                throw ReceiptDecodingError(
                    .notAReceipt, at: signedData.content.lowerBound, in: "EncapsulatedContentInfo.eContentType",
                    detail: "content type \(signedData.contentType)")
            }
            receipt = try der.span.readReceipt(signedData.content, of: der, limits)
            guard !receipt.isOfAppAttest else {
                throw ReceiptDecodingError(
                    .notAReceipt, at: signedData.content.lowerBound, in: "Receipt",
                    detail: "a receipt of App Attest, whose values are bare")
            }
        } catch {
            guard der != bytes else { throw error }
            var error = error
            error.offset = BERNormalizer.originalOffset(
                of: error.offset, in: bytes.span, preserving: SignedData.preserved, limits: limits, "ContentInfo")
            throw error
        }
        storage = Storage(receipt, der, signedData, limits)
    }

    /// Decodes a receipt from the text or bytes in which it was handed over: base64 in whatever state it arrived, PEM,
    /// hexadecimal, or the bytes themselves.
    ///
    /// - Parameters:
    ///   - text: What the client sent.
    ///   - mode: ``TransportMode/tolerant`` repairs what has one possible reading; ``TransportMode/exact`` takes
    ///     canonical base64 only, as Apple's endpoint does. To see the repairs, use ``TransportDecoding`` first.
    ///   - limits: What to refuse for its size. ``DecodingLimits/text`` bounds the text before anything is decoded.
    /// - Throws: ``ReceiptDecodingError``. For faults of the text the offset is into `text` (its UTF-8), for faults of
    ///   the receipt into the bytes that the text stands for.
    public init(
        transport text: String, mode: TransportMode = .tolerant, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        let transport = try TransportDecoding(text, mode: mode, maximumLength: limits.text)
        try self.init(decoding: transport.container(), limits: limits)
    }

    /// The same for bytes that hold text or the receipt itself, such as a request's body.
    public init(
        transport bytes: [UInt8], mode: TransportMode = .tolerant, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        let transport = try TransportDecoding(bytes, mode: mode, maximumLength: limits.text)
        try self.init(decoding: transport.container(), limits: limits)
    }

    /// The signed payload: the octets that were digested. A digest of these identifies a receipt; one of the
    /// whole container does not, because nobody signs the certificates that are embedded in it.
    public var payload: ArraySlice<UInt8> { der[signedData.content] }
}

extension Receipt {
    /// Whether the payload is that of App Attest, which has the same frame: bare text where app receipts have an element,
    /// and its own type in attribute 6 (observed).
    fileprivate var isOfAppAttest: Bool {
        guard bundleID == nil, attributes.first(.bundleID) != nil,
            let kind = attributes.first(ReceiptAttributeType(rawValue: 6))?.rawValue
        else { return false }
        return kind.elementsEqual("ATTEST".utf8) || kind.elementsEqual("RECEIPT".utf8)
    }
}
