internal import ReceiptTransport

/// What an input that gives no receipt most likely is, why, and what to do next: for answers to whoever sent it, and for
/// logs.
///
/// It is a guess by shape, and proves nothing. What it says holds no part of the input but names and numbers that a
/// reader needs, such as a certificate's subject or an error's number.
public struct TransportDiagnosis: Hashable, Sendable {
    /// What it most likely is, as a short stable word such as `google-play-purchase` or `cut-off`. New ones may be added.
    public let kind: Kind
    /// What it most likely is and why, in one sentence without a full stop.
    public let summary: String
    /// What to do next, in one sentence without a full stop.
    public let advice: String

    /// A short stable word.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// Looks at an input that was refused, by the transport layer or by what came after it.
    ///
    /// - Parameters:
    ///   - input: The text or bytes that were handed over.
    ///   - error: Why they were refused.
    ///   - maximumLength: Longer inputs are not looked at.
    public init(
        of input: [UInt8], refusedFor error: ReceiptDecodingError,
        maximumLength: Int = TransportDecoding.defaultMaximumLength
    ) {
        switch TransportAttempt(input, maximumLength: maximumLength) {
        case .decoded(let decoding): self = decoding.diagnosis ?? TransportDiagnosis(error: error)
        case .failed(let failure): self = failure.diagnosis
        }
    }

    init(_ diagnosis: Diagnosis) {
        kind = Kind(rawValue: diagnosis.kind)
        summary = diagnosis.summary
        advice = diagnosis.advice
    }

    /// What can be said by the error alone.
    package init(error: ReceiptDecodingError) {
        kind = Kind(rawValue: error.code.rawValue)
        summary = error.detail ?? "\(error.code) in \(error.field)"
        advice = Self.advice(error.code)
    }

    private static func advice(_ code: ReceiptDecodingError.Code) -> String {
        switch code {
        case .empty: "there is nothing to decode: check on the device that the receipt exists, and refresh it if not"
        case .truncated: "send the whole text: columns, log lines, terminals and proxies cut long text"
        case .trailingBytes: "send one receipt and nothing behind it; two may have been joined"
        case .inputTooLong: "send the receipt alone, or raise the limit if this really is one receipt"
        case .wrongKind:
            "send a transaction, renewal info, an app transaction or a notification; a kind that is new needs a new version of this"
        case .jws: "validate it as a JWS of StoreKit 2 or of the App Store Server API"
        case .transactionReceipt: "validate it as an iOS 6-style transaction receipt"
        case .purchaseInfo: "send the whole transaction receipt: without its signature nothing can be verified"
        case .encodedTooOften: "encode the receipt in base64 once, and send that"
        case .invalidCharacter: "send the text unchanged: a character in it belongs to no encoding of a receipt"
        case .mangledBinary, .dataDescription: "send base64 of the receipt's bytes, not what is printed of them"
        case .plainText, .unknownContent, .json, .xml, .html:
            "send the receipt itself: in base64 it begins with MII, or with ewo if it is of iOS 6 style"
        default:
            "fetch the receipt again on the device and send it unchanged: what is inside is damaged, or no receipt"
        }
    }
}

extension TransportDecoding {
    /// What the bytes are, if they are known to be something else than a receipt or a JWS of Apple's.
    public var diagnosis: TransportDiagnosis? {
        switch content {
        case .jws?: ForeignToken.diagnose(bytes.span).map { TransportDiagnosis($0) }
        case .purchaseInfo?:
            TransportDiagnosis(
                error: ReceiptDecodingError(
                    .purchaseInfo, at: 0, in: "input",
                    detail: "the purchase-info of an iOS 6-style receipt without its signature"))
        case .transactionReceipt?: nil
        default: BinaryDiagnosis.diagnose(bytes.span).map { TransportDiagnosis($0) }
        }
    }
}

/// What came of trying an input in ``TransportMode/tolerant``.
package enum TransportAttempt {
    case decoded(TransportDecoding)
    case failed(TransportFailure)

    package init(_ input: [UInt8], maximumLength: Int) {
        do throws(TransportFault) {
            self = .decoded(TransportDecoding(try DecodedTransport.tolerant(input, maximumLength: maximumLength)))
        } catch {
            self = .failed(TransportFailure(error))
        }
    }
}

/// An input that gives no bytes of a receipt, with all that is known about it.
package struct TransportFailure {
    package let error: ReceiptDecodingError
    package let diagnosis: TransportDiagnosis
    /// Where in other text the damaged receipt is, if there is one.
    package let foundIn: TransportDecoding.FoundIn?
    /// The bytes that could be made out of a damaged receipt. Only to show what is in them.
    package let remains: [UInt8]

    init(_ fault: TransportFault) {
        error = ReceiptDecodingError(fault)
        diagnosis = fault.diagnosis.map { TransportDiagnosis($0) } ?? TransportDiagnosis(error: error)
        foundIn = fault.found.map { TransportDecoding.FoundIn($0) }
        remains = fault.remains
    }
}
