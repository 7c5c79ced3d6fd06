import AppStoreReceipt

/// What is known about an input that is no receipt, or not a whole one.
package struct Undecodable: Sendable {
    package var error: ReceiptDecodingError
    var kind: Report.Kind = .unknown
    /// The elements around the fault, outermost first; empty when the bytes are not BER at all.
    var path: [String] = []
    /// What can be read in spite of the fault: names and values, which nothing vouches for.
    var fields: [(name: String, value: String)] = []
    /// Whole in-app purchases that can be made out.
    var purchases = 0

    package init(error: ReceiptDecodingError) { self.error = error }

    /// Looks at the bytes for what they were meant to be.
    ///
    /// The error's offset is into the bytes when there is a transport, which has then done its part.
    init(_ error: ReceiptDecodingError, _ bytes: [UInt8], _ transport: TransportDecoding?) {
        self.error = error
        switch (error.code, transport?.content) {
        case (.jws, _): kind = .jws
        case (.purchaseInfo, _), (.transactionReceipt, _), (_, .transactionReceipt?), (_, .purchaseInfo?):
            kind = .transactionReceipt
            fields = purchaseInfoEntries(bytes)
        default:
            guard bytes.first == 0x30 else { return }
            // Of a text that was cut off, the place of interest is where the bytes end.
            let end = error.code == .truncated ? bytes.count : nil
            readStructure(bytes, faultOffset: transport == nil ? end : error.offset)
            if kind == .unknown, namesReceiptSigning(bytes) { kind = .appReceipt }
        }
    }

    /// Reads attributes, the kind of payload and the way to the fault from the tree of the bytes.
    private mutating func readStructure(_ bytes: [UInt8], faultOffset: Int?) {
        var path: [String] = []
        var fields: [(name: String, value: String)] = []
        var kind = Report.Kind.unknown
        var purchases = 0
        StructureTree.walk(bytes) { line in
            guard line.headerLength != nil else { return true }
            if let offset = faultOffset, line.offset <= offset {
                path = Array(path.prefix(line.depth))
                while path.count < line.depth { path.append("…") }
                path.append(line.name)
            }
            switch line.payload {
            case .receipt?: kind = .appReceipt
            case .appAttest?: kind = .appAttestReceipt
            case .inApp?: purchases += 1
            case nil: break
            }
            if let type = line.attribute, let name = AttributeNames.receipt(type), fields.count < 64,
                !line.text.hasSuffix("\"\"")
            {
                fields.append((name, line.text))
            }
            return true
        }
        self.kind = kind
        self.path = path
        self.fields = fields
        self.purchases = purchases
    }
}

/// The entries of a purchase-info, alone or inside a transaction receipt whose signature cannot be read.
private func purchaseInfoEntries(_ text: [UInt8]) -> [(name: String, value: String)] {
    (unsignedTransaction(text)?.entries ?? []).map { ($0.key, $0.value) }
}

/// A purchase-info, alone or inside a transaction receipt whose signature cannot be read; nil when there is none.
func unsignedTransaction(_ text: [UInt8]) -> TransactionReceipt? {
    // What cannot be read is not there.
    if let envelope = try? SignedTransactionReceipt.Envelope(decoding: text) {
        return (try? envelope.purchaseInfo()).flatMap { try? envelope.receipt(from: $0.bytes) }
    }
    return try? TransactionReceipt(unsignedPurchaseInfo: text)
}
