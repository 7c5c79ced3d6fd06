public import ReceiptASN1
internal import ReceiptTransport

/// How much damage ``TransportDecoding`` undoes.
public enum TransportMode: Sendable {
    /// What Apple's verifyReceipt endpoint accepts, and nothing else (observed in 2026-09): base64 of RFC 4648 section 4,
    /// padded, without white space. Bits after the last byte are passed over.
    case exact
    /// Repairs what is unambiguous, reports each repair, and names what it cannot repair.
    case tolerant
}

/// The bytes of a receipt, taken out of the text or bytes in which they were handed over.
///
/// Receipts reach servers wrapped, escaped, percent-encoded, quoted, encoded twice or cut off, and Apple's endpoint
/// answers 21002 to nearly all of that without a reason. This type takes one input, undoes the damage where only
/// one reading is possible, and otherwise throws an error that says what the input is and where it goes wrong. The
/// judge of what is possible is the receipt itself: the length that its outermost element declares. A receipt or JWS
/// inside other text (JSON, a form, a log, XML, a dump of bytes) is found, and ``foundIn`` says where.
///
/// Every kind comes through: ``content`` says what the bytes are. ``SignedReceipt`` and ``SignedTransactionReceipt``
/// refuse by name what is not theirs.
///
/// Success means that the bytes begin and end where their outermost element does, or that a JWS has its three parts. It
/// does not mean that they decode as a receipt, and it says nothing about authenticity.
///
/// The work is linear in the length of the input, with a handful of passes at most; memory is bounded by the
/// length of the input.
public struct TransportDecoding: Sendable {
    /// The limit on the length of the input unless another is given: 16 MiB. The longest receipts seen are below 2 MB.
    public static let defaultMaximumLength = 16 << 20

    /// The bytes that the input stands for.
    public let bytes: [UInt8]
    /// The form in which the bytes were found.
    public let form: TransportForm
    /// What was repaired, by the offset of the first occurrence. Empty with ``TransportForm/base64`` only if
    /// ``TransportMode/exact`` accepts the input too.
    public let repairs: [TransportRepair]
    /// What the bytes are, as far as their first and last bytes tell; nil if that is unknown, which only
    /// ``TransportMode/exact`` lets pass.
    public let content: TransportContent?

    /// Where in other text the bytes were found; nil if the input is nothing but the receipt, in whatever form.
    public let foundIn: FoundIn?
    /// How many other receipts and JWS the text holds. The one under the best known name was taken, the first of those.
    public let also: Int

    /// A place in a text around a receipt.
    public struct FoundIn: Hashable, Sendable {
        /// The names on the way to it, such as `transaction.appStoreReceipt`; nil where nothing on the way has a name.
        public let path: String?
        /// Byte offset in the input of its first character.
        public let offset: Int

        init(_ place: FoundPlace) {
            path = place.path
            offset = place.offset
        }
    }

    init(_ decoded: DecodedTransport) {
        bytes = decoded.bytes
        form = TransportForm(decoded.form)
        repairs = decoded.tally.repairs.map { TransportRepair($0.kind, at: $0.offset, count: $0.count) }
        content = decoded.content.map { TransportContent($0) }
        foundIn = decoded.found.map { FoundIn($0) }
        also = decoded.also
    }

    /// Takes the bytes of a receipt out of some text or bytes.
    ///
    /// - Parameters:
    ///   - input: The text as UTF-8 or UTF-16, or raw DER.
    ///   - mode: Whether to repair.
    ///   - maximumLength: The most bytes that `input` may have. The limit is applied before anything is allocated.
    /// - Throws: ``ReceiptDecodingError`` with a code of the transport layer. Its offset is a byte offset into `input`.
    ///   ``TransportDiagnosis`` tells more about such an input.
    public init(
        _ input: Span<UInt8>, mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(input, mode: mode, maximumLength: maximumLength)
    }

    /// Takes the bytes of a receipt out of an array; see ``init(_:mode:maximumLength:)-(Span<UInt8>,_,_)``.
    ///
    /// An array that already holds exactly the receipt is passed on without a copy.
    public init(
        _ input: [UInt8], mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(input, mode: mode, maximumLength: maximumLength)
    }

    /// Takes the bytes of a receipt out of a string; see ``init(_:mode:maximumLength:)-(Span<UInt8>,_,_)``.
    ///
    /// Offsets in errors and repairs are offsets into the string's UTF-8.
    public init(
        _ text: String, mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(text, mode: mode, maximumLength: maximumLength)
    }
}

extension TransportDecoding {
    package static func decode(
        _ input: Span<UInt8>, mode: TransportMode, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) -> TransportDecoding {
        do throws(TransportFault) {
            return switch mode {
            case .exact: TransportDecoding(try DecodedTransport.exact(input, maximumLength: maximumLength))
            case .tolerant: TransportDecoding(try DecodedTransport.tolerant(input, maximumLength: maximumLength))
            }
        } catch {
            throw ReceiptDecodingError(error)
        }
    }

    package static func decode(
        _ input: [UInt8], mode: TransportMode, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) -> TransportDecoding {
        guard mode == .tolerant else { return try decode(input.span, mode: mode, maximumLength: maximumLength) }
        do throws(TransportFault) {
            return TransportDecoding(try DecodedTransport.tolerant(input, maximumLength: maximumLength))
        } catch {
            throw ReceiptDecodingError(error)
        }
    }

    package static func decode(
        _ text: String, mode: TransportMode, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) -> TransportDecoding {
        let utf8 = text.utf8
        return try decode(utf8.span, mode: mode, maximumLength: maximumLength)
    }

    /// Base64 as ``TransportMode/exact`` takes it, whatever its bytes are.
    ///
    /// - Parameter isCanonical: Whether bits after the last byte must be zero (RFC 4648 section 3.5).
    package static func base64(
        _ text: Span<UInt8>, isCanonical: Bool = true
    ) throws(ReceiptDecodingError) -> [UInt8] {
        do throws(TransportFault) {
            return try ExactTransport.decodeBase64(text, isCanonical: isCanonical)
        } catch {
            throw ReceiptDecodingError(error)
        }
    }

    /// The bytes, if they can be those of an app receipt.
    package func container() throws(ReceiptDecodingError) -> [UInt8] {
        switch content {
        case .transactionReceipt?:
            throw ReceiptDecodingError(
                .transactionReceipt, at: foundIn?.offset ?? 0, in: "input",
                detail: "an iOS 6-style transactionReceipt (a property list), not an app receipt")
        case .purchaseInfo?:
            throw ReceiptDecodingError(
                .purchaseInfo, at: foundIn?.offset ?? 0, in: "input",
                detail: "the purchase-info of an iOS 6-style transactionReceipt, without its signature")
        case .jws?:
            throw ReceiptDecodingError(
                .jws, at: foundIn?.offset ?? 0, in: "input",
                detail: "a JSON Web Signature, such as a signed transaction of StoreKit 2; it is not an app receipt")
        default: return bytes
        }
    }
}
