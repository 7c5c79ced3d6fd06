internal import ReceiptJSON

/// One of all kinds of documents, for a server that is sent several: decoded, and **not verified**.
///
/// The caller says which kinds it accepts; another is refused by name.
public enum AnySignedDocument: Sendable {
    case appReceipt(SignedReceipt)
    case transactionReceipt(SignedTransactionReceipt)
    case transaction(SignedTransaction)
    case renewalInfo(SignedRenewalInfo)
    case appTransaction(SignedAppTransaction)
    case notification(SignedNotification)
    case appAttestReceipt(SignedAppAttestReceipt)

    public var kind: DocumentKind { type(of: document).kind }

    /// The document, of whatever kind.
    public var document: any SignedDocument {
        switch self {
        case .appReceipt(let document): document
        case .transactionReceipt(let document): document
        case .transaction(let document): document
        case .renewalInfo(let document): document
        case .appTransaction(let document): document
        case .notification(let document): document
        case .appAttestReceipt(let document): document
        }
    }

    /// Decodes what a client or Apple sent: a compact JWS, the JSON body `{"signedPayload": …}` of a notification, or a
    /// receipt of either kind in any form that ``TransportDecoding`` takes.
    ///
    /// - Parameters:
    ///   - text: The text. White space around a JWS is passed over.
    ///   - kinds: What is accepted.
    ///   - limits: What to refuse for its size: ``DecodingLimits/text`` of anything, the others of receipts. A JWS has
    ///     limits of its own.
    /// - Throws: ``ReceiptDecodingError``; ``ReceiptDecodingError/Code/wrongKind`` for another kind than those accepted.
    public init(
        transport text: String, accepting kinds: Set<DocumentKind>, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        try self.init(transport: Array(text.utf8), accepting: kinds, limits: limits)
    }

    /// The same for bytes that hold text, or a receipt itself.
    public init(
        transport bytes: [UInt8], accepting kinds: Set<DocumentKind>, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        // What is too long is not looked at; the transport says so.
        if bytes.count <= limits.text, let jws = Self.compactJWS(in: bytes) {
            try self.init(SignedJSON(jws.span))
        } else {
            let found: TransportDecoding
            do throws(ReceiptDecodingError) {
                found = try TransportDecoding.decode(bytes, mode: .tolerant, maximumLength: limits.text)
            } catch {
                // A probe: a token of external purchases is base64url without a signature, and has a name of its own.
                if error.code == .jws { _ = try SignedJSON(bytes.span) }
                throw error
            }
            switch found.content {
            case .transactionReceipt?:
                self = .transactionReceipt(try SignedTransactionReceipt(decoding: found.bytes, limits: limits))
            default: self = try Self.container(found.bytes, limits)
            }
        }
        guard kinds.contains(kind) else {
            let wanted = kinds.map(\.rawValue).sorted().joined(separator: " or ")
            throw ReceiptDecodingError(.wrongKind, at: 0, in: "input", detail: "\(kind), where \(wanted) is accepted")
        }
    }

    package init(_ jws: SignedJSON) throws(ReceiptDecodingError) {
        switch jws.kind(try jws.document()) {
        case .transaction?: self = .transaction(try SignedTransaction(jws))
        case .renewalInfo?: self = .renewalInfo(try SignedRenewalInfo(jws))
        case .appTransaction?: self = .appTransaction(try SignedAppTransaction(jws))
        case .notification?: self = .notification(try SignedNotification(jws))
        case let other:
            throw jws.wrongKind(other, wanted: "a transaction, renewal info, app transaction or notification")
        }
    }

    /// The text of a compact JWS, alone or as the `signedPayload` of a request's body; nil if the input is neither.
    package static func compactJWS(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }),
            let end = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        let text = bytes[start...end]
        // "ey" is how base64url of an object's text begins.
        if text.starts(with: "ey".utf8), text.contains(UInt8(ascii: ".")) { return text }
        guard text.first == UInt8(ascii: "{") else { return nil }
        // A probe: other JSON, and what is none, is for the transport to name.
        guard let document = try? JSONDocument(bytes.span, limits: JSONLimits(bytes: 1 << 20)),
            let range = document.member("signedPayload", of: document.root, in: bytes.span)?.unescapedRange
        else { return nil }
        return bytes[range]
    }

    /// A PKCS#7 container holds an app receipt, or an App Attest receipt, whose values are bare.
    private static func container(
        _ bytes: [UInt8], _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> AnySignedDocument {
        do throws(ReceiptDecodingError) {
            return .appReceipt(try SignedReceipt(decoding: bytes, limits: limits))
        } catch {
            // A probe: if it is no App Attest receipt either, the first error stands.
            guard let receipt = try? SignedAppAttestReceipt(decoding: bytes, limits: limits) else { throw error }
            return .appAttestReceipt(receipt)
        }
    }
}
