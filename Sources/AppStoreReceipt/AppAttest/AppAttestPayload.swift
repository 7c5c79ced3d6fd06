internal import ReceiptPKIX

/// The payload of an App Attest receipt: a SET of attributes as in app receipts, whose values are bare.
extension Span where Element == UInt8 {
    func readAppAttestReceipt(
        _ range: Range<Int>, of bytes: [UInt8], _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> AppAttestReceipt {
        var payload = Cursor(range)
        guard isNext(.set, payload) else {
            throw .fault(
                .notAReceipt, payload.position, "AppAttestReceipt",
                detail: "the signed content is not a SET of attributes")
        }
        var set = try read(.set, &payload, "AppAttestReceipt")
        try end(payload, "AppAttestReceipt")
        var receipt = AppAttestReceipt(ReceiptAttributes(bytes[set.range]))
        var seen: Set<Int> = []
        var count = 0
        while !set.isAtEnd {
            let start = set.position
            guard count < limits.attributes else { throw .fault(.tooManyAttributes, start, "AppAttestReceipt") }
            count += 1
            let attribute = try readReceiptAttribute(&set)
            // Unknown ones may repeat.
            guard seen.insert(attribute.type).inserted || !AppAttestReceipt.knownTypes.contains(attribute.type) else {
                throw .fault(
                    .duplicateAttribute, start, "AppAttestReceipt", detail: "type \(attribute.type) occurs twice")
            }
            if !read(attribute.type, attribute.value.range, into: &receipt) {
                receipt.unreadableAttributes.append(ReceiptAttributeType(rawValue: attribute.type))
            }
        }
        guard receipt.receiptType != nil, receipt.appID != nil else {
            throw .fault(
                .notAReceipt, range.lowerBound, "AppAttestReceipt",
                detail: "there is no App ID and receipt type as bare text (types 2 and 6)")
        }
        return receipt
    }

    /// Takes over one value; false if a known type has a form never seen. No octets say as little as no attribute.
    private func read(_ type: Int, _ range: Range<Int>, into receipt: inout AppAttestReceipt) -> Bool {
        guard !range.isEmpty else { return true }
        func text() -> String? { String(validating: bytes(range), as: UTF8.self) }
        switch type {
        case 2:
            receipt.appID = text()
            return receipt.appID != nil
        case 3:
            receipt.attestedCertificate = bytes(range)
            return true
        case 4:
            receipt.clientHash = bytes(range)
            return true
        case 5:
            receipt.token = text()
            return receipt.token != nil
        case 6:
            receipt.receiptType = text().map(AppAttestReceipt.ReceiptType.init(rawValue:))
            return receipt.receiptType != nil
        case 7:
            receipt.environment = text()
            return receipt.environment != nil
        case 12:
            receipt.creationTime = ReceiptDate(self, range)
            return receipt.creationTime != nil
        case 17:
            receipt.riskMetric = text().flatMap { text in
                text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
            }
            return receipt.riskMetric != nil
        case 19:
            receipt.notBefore = ReceiptDate(self, range)
            return receipt.notBefore != nil
        case 21:
            receipt.expirationTime = ReceiptDate(self, range)
            return receipt.expirationTime != nil
        default: return true
        }
    }
}
