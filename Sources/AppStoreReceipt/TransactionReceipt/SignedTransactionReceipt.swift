internal import ReceiptTransport

/// A decoded iOS 6-style transaction receipt whose signature has not been checked.
///
/// `SKPaymentTransaction.transactionReceipt` is the text of an old-style property list with the keys `signature` and
/// `purchase-info`, each base64, and a few unsigned ones. Decoding succeeds for anyone's well-formed text. To rely on what
/// it says, validate it with `ReceiptValidator`.
public struct SignedTransactionReceipt: Sendable {
    /// What the receipt says of the purchase. **Unverified**: anyone can write this.
    public let unverifiedReceipt: TransactionReceipt
    /// What stands around the signed part. Unverified, and **outside the signature**: even of a valid receipt, anyone can
    /// change it.
    public let unsignedEnvelope: Envelope
    /// The version of the signature blob: 2 or 3 (SHA-1), or 4 (SHA-256).
    public var signatureVersion: Int { Int(signature.version) }
    /// The decoded purchase-info as it was signed.
    public var payload: ArraySlice<UInt8> { signedBytes.dropFirst() }

    /// What was repaired inside `signature` and `purchase-info`, by offset in the text of the property list.
    public let repairs: [TransportRepair]

    package let signature: TransactionSignature
    /// Also for who reads the certificate.
    package let limits: DecodingLimits
    /// The version byte, then the decoded purchase-info: what the signature is over.
    package let signedBytes: [UInt8]

    /// Decodes the text of a transaction receipt.
    ///
    /// - Parameters:
    ///   - text: the property list itself, in bytes, not its base64 form.
    ///   - limits: What to refuse for its size: ``DecodingLimits/propertyListBytes``, ``DecodingLimits/propertyListEntries``, and of the certificate
    ///     ``DecodingLimits/extensions``.
    /// - Throws: ``ReceiptDecodingError``. An error inside `purchase-info` or `signature` has the offset in the text at
    ///   which the base64 of the faulty byte begins. A text that is a purchase-info itself throws
    ///   ``ReceiptDecodingError/Code/purchaseInfo``.
    public init(decoding text: [UInt8], limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
        try self.init(decoding: text, mode: .tolerant, limits)
    }

    private init(decoding text: [UInt8], mode: TransportMode, _ limits: DecodingLimits) throws(ReceiptDecodingError) {
        let envelope = try Envelope(decoding: text, limits: limits)
        self.limits = limits
        unsignedEnvelope = envelope
        let signature = try envelope.signature(mode)
        let purchaseInfo = try envelope.purchaseInfo(mode)
        self.signature = signature.value
        repairs = signature.repairs + purchaseInfo.repairs
        unverifiedReceipt = try envelope.receipt(from: purchaseInfo.bytes, limits)
        signedBytes = [signature.value.version] + purchaseInfo.bytes
    }

    /// Decodes a transaction receipt in the form in which an app sent it: base64 or the property list itself, with the
    /// damage of transport that ``TransportDecoding`` undoes.
    ///
    /// - Throws: ``ReceiptDecodingError``; anything that is not a transaction receipt is named. Offsets are in the input
    ///   where the transport layer finds the fault, and else in the text of the property list.
    public init(
        transport input: [UInt8], mode: TransportMode = .tolerant, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        try self.init(TransportDecoding.decode(input, mode: mode, maximumLength: limits.text), mode, limits)
    }

    /// Decodes a transaction receipt in the form in which an app sent it; see
    /// ``init(transport:mode:limits:)-([UInt8],_,_)``.
    public init(
        transport input: String, mode: TransportMode = .tolerant, limits: DecodingLimits = .default
    ) throws(ReceiptDecodingError) {
        try self.init(TransportDecoding.decode(input, mode: mode, maximumLength: limits.text), mode, limits)
    }

    private init(
        _ transport: TransportDecoding, _ mode: TransportMode, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) {
        guard transport.content == .transactionReceipt || transport.content == .purchaseInfo else {
            throw ReceiptDecodingError(
                .notATransactionReceipt, at: 0, in: "input",
                detail: transport.content == .cms ? "a CMS message, such as an app receipt" : nil)
        }
        try self.init(decoding: transport.bytes, mode: mode, limits)
    }
}

extension SignedTransactionReceipt {
    /// The environment, as far as it can be told; nil when a word is stated that nobody knows.
    ///
    /// A transaction number of the sandbox, which is signed, decides. Apart from that it is what is stated **outside the
    /// signature**: `Sandbox`, or nothing in production. Anybody can turn a sandbox receipt without such a number into one
    /// that states nothing.
    public var unsignedEnvironment: ReceiptEnvironment? {
        switch unsignedEnvelope.environment {
        case nil, "Production": unverifiedReceipt.isNumberedInSandbox ? .sandbox : .production
        case "Sandbox": .sandbox
        default: nil
        }
    }

    /// The outer property list of a transaction receipt.
    ///
    /// None of it is signed but what `purchase-info` holds. In particular a sandbox receipt whose `environment` was taken
    /// away looks like one of production.
    public struct Envelope: Sendable {
        /// `environment`: `Sandbox`; absent in production. Not signed.
        public var environment: String? { self["environment"] }
        /// `pod`: the number of the store's server group; 100 in the sandbox. Not signed.
        public var pod: String? { self["pod"] }
        /// `signing-status`: `0`. Not signed.
        public var signingStatus: String? { self["signing-status"] }

        /// Every key with its value in order, `signature` and `purchase-info` included.
        public var entries: [TransactionReceipt.Entry] {
            list.entries.map { TransactionReceipt.Entry(key: $0.key, value: $0.value) }
        }

        /// The value of a key as text, or nil when the key is absent.
        public subscript(key: String) -> String? { list[key]?.value }

        private let list: PropertyList

        /// Decodes the outer property list only, and makes sure that it is one of a transaction receipt.
        package init(decoding text: [UInt8], limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
            list = try PropertyList(text.span, field: "transaction-receipt", limits: .init(limits))
            let hasSignature = list["signature"] != nil
            let hasPurchaseInfo = list["purchase-info"] != nil
            if !hasSignature && !hasPurchaseInfo {
                let isPurchaseInfo = list["transaction-id"] != nil || list["product-id"] != nil
                throw ReceiptDecodingError(
                    isPurchaseInfo ? .purchaseInfo : .notATransactionReceipt, at: 0, in: "transaction-receipt",
                    detail: isPurchaseInfo ? "there is no signature to validate" : nil)
            }
            guard hasSignature else {
                throw ReceiptDecodingError(.missingSignature, at: text.count, in: "transaction-receipt")
            }
            guard hasPurchaseInfo else {
                throw ReceiptDecodingError(.missingPurchaseInfo, at: text.count, in: "transaction-receipt")
            }
        }

        /// Takes the signature blob apart.
        package func signature(
            _ mode: TransportMode = .tolerant
        ) throws(ReceiptDecodingError) -> (value: TransactionSignature, repairs: [TransportRepair]) {
            // A probe: a reading that cannot be taken apart is not the right one.
            let blob = try decoded("signature", mode) { (try? TransactionSignature($0.bytes(0..<$0.count))) != nil }
            do throws(ReceiptDecodingError) {
                return (try TransactionSignature(blob.bytes), blob.repairs)
            } catch {
                throw inText(error, of: "signature")
            }
        }

        /// The bytes of the purchase-info: an inner property list.
        package func purchaseInfo(
            _ mode: TransportMode = .tolerant
        ) throws(ReceiptDecodingError) -> (bytes: [UInt8], repairs: [TransportRepair]) {
            try decoded("purchase-info", mode) { PropertyListText.content(of: $0) == .purchaseInfo }
        }

        /// Decodes the bytes of the purchase-info.
        package func receipt(
            from purchaseInfo: [UInt8], _ limits: DecodingLimits = .default
        ) throws(ReceiptDecodingError) -> TransactionReceipt {
            do throws(ReceiptDecodingError) {
                return try TransactionReceipt(unsignedPurchaseInfo: purchaseInfo, limits: limits)
            } catch {
                throw inText(error, of: "purchase-info")
            }
        }

        private func decoded(
            _ key: String, _ mode: TransportMode, _ isRight: @escaping (Span<UInt8>) -> Bool
        ) throws(ReceiptDecodingError) -> (bytes: [UInt8], repairs: [TransportRepair]) {
            guard let entry = list[key] else {
                throw ReceiptDecodingError(.notATransactionReceipt, at: 0, in: key)
            }
            return try innerBase64(
                entry.value, at: entry.valueOffset, field: key, isRight: mode == .tolerant ? isRight : nil)
        }

        /// An error in a decoded value, its offset moved to where that byte's base64 stands in the text. (Of a value with
        /// escapes or line ends inside, which no genuine receipt has, to a place before it.)
        private func inText(_ error: ReceiptDecodingError, of key: String) -> ReceiptDecodingError {
            var moved = error
            moved.offset = (list[key]?.valueOffset ?? 0) + error.offset / 3 * 4
            let inside = "byte \(error.offset) of the decoded \(key)"
            moved.detail = error.detail.map { "\($0), \(inside)" } ?? inside
            return moved
        }
    }
}
