public import ReceiptASN1
internal import ReceiptTransport

/// How much damage ``TransportDecoding`` undoes.
public enum TransportMode: Sendable {
    /// What Apple's verifyReceipt endpoint accepts, and nothing else: canonical base64 of RFC 4648 section 4,
    /// padded, without white space, without bits after the last byte.
    case exact
    /// Repairs what is unambiguous, reports each repair, and names what it cannot repair.
    case tolerant
}

/// The bytes of a receipt, taken out of the text or bytes in which they were handed over.
///
/// Receipts reach servers wrapped, escaped, percent-encoded, quoted, encoded twice or cut off, and Apple's endpoint
/// answers 21002 to nearly all of that without a reason. This type takes one input, undoes the damage where only
/// one reading is possible, and otherwise throws an error that says what the input is and where it goes wrong. The
/// judge of what is possible is the receipt itself: the length that its outermost element declares.
///
/// Success means that the bytes begin and end where their outermost element does. It does not mean that they decode as
/// a receipt, and it says nothing about authenticity.
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

    private init(_ decoded: DecodedTransport) {
        bytes = decoded.bytes
        form = TransportForm(decoded.form)
        repairs = decoded.tally.repairs.map { TransportRepair($0.kind, at: $0.offset, count: $0.count) }
        content = decoded.content.map { TransportContent($0) }
    }

    /// Takes the bytes of a receipt out of some text or bytes.
    ///
    /// - Parameters:
    ///   - input: The text as UTF-8 or UTF-16, or raw DER.
    ///   - mode: Whether to repair.
    ///   - maximumLength: The most bytes that `input` may have. The limit is applied before anything is allocated.
    /// - Throws: ``ReceiptDecodingError`` with a code of the transport layer. Its offset is a byte offset into `input`.
    ///   An iOS 6-style receipt, which is a property list and not a CMS message, is refused here by name
    ///   (``ReceiptDecodingError/Code/transactionReceipt``).
    public init(
        _ input: Span<UInt8>, mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(input, mode: mode, maximumLength: maximumLength).refusingPropertyLists()
    }

    /// Takes the bytes of a receipt out of an array; see ``init(_:mode:maximumLength:)-(Span<UInt8>,_,_)``.
    ///
    /// An array that already holds exactly the receipt is passed on without a copy.
    public init(
        _ input: [UInt8], mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(input, mode: mode, maximumLength: maximumLength).refusingPropertyLists()
    }

    /// Takes the bytes of a receipt out of a string; see ``init(_:mode:maximumLength:)-(Span<UInt8>,_,_)``.
    ///
    /// Offsets in errors and repairs are offsets into the string's UTF-8.
    public init(
        _ text: String, mode: TransportMode = .tolerant, maximumLength: Int = defaultMaximumLength
    ) throws(ReceiptDecodingError) {
        self = try Self.decode(text, mode: mode, maximumLength: maximumLength).refusingPropertyLists()
    }
}

extension TransportDecoding {
    /// Like the public initialisers, but lets iOS 6-style receipts and purchase-infos through; ``content`` tells.
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

    /// Canonical base64 as ``TransportMode/exact`` takes it, whatever its bytes are.
    package static func canonicalBase64(_ text: Span<UInt8>) throws(ReceiptDecodingError) -> [UInt8] {
        do throws(TransportFault) {
            return try ExactTransport.decodeBase64(text)
        } catch {
            throw ReceiptDecodingError(error)
        }
    }

    private func refusingPropertyLists() throws(ReceiptDecodingError) -> TransportDecoding {
        switch content {
        case .transactionReceipt?:
            throw ReceiptDecodingError(
                .transactionReceipt, at: 0, in: "input",
                detail: "an iOS 6-style transactionReceipt (a property list), not an app receipt")
        case .purchaseInfo?:
            throw ReceiptDecodingError(
                .purchaseInfo, at: 0, in: "input",
                detail: "the purchase-info of an iOS 6-style transactionReceipt, without its signature")
        default: return self
        }
    }
}
