public import AppStoreReceipt

/// An answer in the words of Apple's verifyReceipt endpoint, made without it.
///
/// For servers whose code already reads that answer. It holds what the receipt itself says: what Apple added from its
/// records (`latest_receipt_info`, `pending_renewal_info`, later refunds and renewals) is absent, never invented.
///
/// As with Apple's endpoint, status 0 says that the receipt is genuine, **not** that it is for your app: look at
/// ``rejection``, or compare `bundle_id` and the products yourself.
public struct VerifyReceiptResponse: Sendable {
    /// verifyReceipt's status.
    public let status: Status
    /// Why the receipt was rejected. May be there although ``status`` is 0: verifyReceipt has no status for a receipt that
    /// is genuine and not the one that was expected.
    public let rejection: Rejection?
    /// What is wrong with what was sent; nil when it could be decoded.
    public let decodingError: ReceiptDecodingError?
    /// The date of the request, shown as `request_date` when it is there.
    public var requestDate: ReceiptDate?

    /// What was signed; nil when the status is not 0.
    let content: Content?

    enum Content: Sendable {
        case receipt(Receipt)
        case transactionReceipt(TransactionReceipt)
    }

    /// A status of verifyReceipt. Only those are given that can be known offline.
    public struct Status: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The receipt is genuine.
        public static let valid = Self(rawValue: 0)
        /// `receipt-data` is malformed.
        public static let malformed = Self(rawValue: 21002)
        /// The receipt could not be authenticated.
        public static let notAuthenticated = Self(rawValue: 21003)
        /// The receipt is genuine but the subscription has expired; iOS 6-style receipts only.
        public static let expired = Self(rawValue: 21006)
        /// A sandbox receipt where the sandbox is not accepted.
        public static let sandboxReceipt = Self(rawValue: 21007)
        /// A production receipt where production is not accepted.
        public static let productionReceipt = Self(rawValue: 21008)
    }

    /// How closely to follow what Apple's endpoint does.
    public enum Behavior: Hashable, Sendable {
        /// Apple's documentation: 21002 for what is malformed, 21003 for what is not authentic; any text form is
        /// accepted that can be repaired.
        case documented
        /// What the endpoint was seen to do: 21002 for a tampered receipt too, canonical base64 only, bytes after the
        /// receipt's outermost element ignored, and more than 3,145,728 bytes of text refused (observed, undocumented).
        case observed
    }
}

extension VerifyReceiptResponse.Status {
    /// The status for a rejection.
    package init(
        _ rejection: Rejection, _ environment: ReceiptEnvironment?, _ behavior: VerifyReceiptResponse.Behavior
    ) {
        let notAuthenticated = behavior == .documented ? Self.notAuthenticated : .malformed
        switch rejection.reason {
        // The policy asked for something that nobody could check.
        case _ where rejection.isUnchecked: self = notAuthenticated
        case .environmentMismatch:
            switch environment {
            case .sandbox?: self = .sandboxReceipt
            case .production?: self = .productionReceipt
            // Apple's endpoint authenticates no receipt of Xcode's.
            default: self = notAuthenticated
            }
        case .sha1NotAccepted: self = notAuthenticated
        default: self = rejection.reason.category == .notAuthentic ? notAuthenticated : .valid
        }
    }
}

extension ReceiptValidator {
    /// Answers as Apple's endpoint would for the `receipt-data` of a request.
    ///
    /// The policy's environments decide about 21007 and 21008; other expectations do not change the status
    /// (``VerifyReceiptResponse/rejection`` tells, and `rejection` in the JSON).
    ///
    /// - Parameters:
    ///   - receiptData: The text that was sent: base64, or with ``VerifyReceiptResponse/Behavior/documented`` any form that
    ///     `TransportDecoding` repairs.
    ///   - behavior: What Apple documents, or what its endpoint was seen to do.
    ///   - date: The current date, as for `validate`. Also the date at which an iOS 6-style subscription may have expired (21006).
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the receipt.
    public func verifyReceipt(
        receiptData: [UInt8], behavior: VerifyReceiptResponse.Behavior = .documented, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> VerifyReceiptResponse {
        let decoded: DecodedReceipt
        do throws(ReceiptDecodingError) {
            decoded = try DecodedReceipt(receiptData, behavior)
        } catch {
            return VerifyReceiptResponse(malformed: error)
        }
        switch decoded {
        case .receipt(let receipt): return try verifyReceipt(receipt, behavior: behavior, asOf: date)
        case .transactionReceipt(let receipt): return try verifyReceipt(receipt, behavior: behavior, asOf: date)
        }
    }

    /// The same for text in a string.
    public func verifyReceipt(
        receiptData: String, behavior: VerifyReceiptResponse.Behavior = .documented, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> VerifyReceiptResponse {
        try verifyReceipt(receiptData: Array(receiptData.utf8), behavior: behavior, asOf: date)
    }

    /// Answers for a decoded receipt; see ``verifyReceipt(receiptData:behavior:asOf:)-([UInt8],_,_)``.
    ///
    /// A document of a kind that the endpoint never took is malformed to it.
    public func verifyReceipt<Document: SignedDocument>(
        _ document: Document, behavior: VerifyReceiptResponse.Behavior = .documented, asOf date: ReceiptDate? = nil
    ) throws(LibcryptoError) -> VerifyReceiptResponse {
        let content: VerifyReceiptResponse.Content
        var hasExpired = false
        switch document.unverifiedContent {
        case let receipt as Receipt: content = .receipt(receipt)
        case let receipt as TransactionReceipt:
            content = .transactionReceipt(receipt)
            hasExpired = date.map(receipt.hasExpired(at:)) ?? false
        default:
            return VerifyReceiptResponse(
                malformed: ReceiptDecodingError(
                    .notAReceipt, at: 0, in: "receipt-data",
                    detail: "verifyReceipt takes receipts, not \(Document.kind)"))
        }
        let rejection = try validate(document, asOf: date).rejection
        var status =
            rejection.map { VerifyReceiptResponse.Status($0, document.statements.environment, behavior) } ?? .valid
        if status == .valid, hasExpired { status = .expired }
        return VerifyReceiptResponse(status, rejection, content)
    }
}

extension VerifyReceiptResponse {
    /// The answer to something that cannot be decoded.
    public init(malformed error: ReceiptDecodingError) {
        status = .malformed
        rejection = nil
        decodingError = error
        content = nil
    }

    init(_ status: Status, _ rejection: Rejection?, _ content: Content) {
        self.status = status
        self.rejection = rejection
        decodingError = nil
        // The contents of an expired subscription's receipt are part of Apple's answer, others' are not.
        self.content = status == .valid || status == .expired ? content : nil
    }
}

/// A receipt of either kind, taken out of the text in which it came.
private enum DecodedReceipt {
    case receipt(SignedReceipt)
    case transactionReceipt(SignedTransactionReceipt)

    init(_ text: [UInt8], _ behavior: VerifyReceiptResponse.Behavior) throws(ReceiptDecodingError) {
        let transport: TransportDecoding
        do throws(ReceiptDecodingError) {
            transport =
                switch behavior {
                case .documented: try TransportDecoding.decode(text, mode: .tolerant)
                case .observed: try TransportDecoding.decode(text, mode: .exact, maximumLength: observedMaximumLength)
                }
        } catch {
            guard behavior == .observed, error.code == .trailingBytes else { throw error }
            var bytes = try TransportDecoding.base64(text.span, isCanonical: false)
            if case .ends(let end) = OuterElement(measuring: bytes.span) { bytes.removeLast(bytes.count - end) }
            self = .receipt(try SignedReceipt(decoding: bytes))
            return
        }
        switch transport.content {
        case .transactionReceipt?, .purchaseInfo?:
            self = .transactionReceipt(try SignedTransactionReceipt(decoding: transport.bytes))
        default: self = .receipt(try SignedReceipt(decoding: transport.container()))
        }
    }
}

/// Bytes of text above which the endpoint refuses (observed).
private let observedMaximumLength = 3_145_728
