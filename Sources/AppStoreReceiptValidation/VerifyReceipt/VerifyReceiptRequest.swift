public import AppStoreReceipt
internal import ReceiptJSON

extension ReceiptValidator {
    /// Answers the body of a request to verifyReceipt as a server gets it: a JSON object with `receipt-data`.
    ///
    /// `password` and `exclude-old-transactions` are passed over: they are about Apple's records, which nobody has here.
    ///
    /// - Parameters:
    ///   - body: The JSON, UTF-8. One that is none, or has no `receipt-data`, is answered as malformed (21002).
    ///   - behavior: What Apple documents, or what its endpoint was seen to do; it reads the last of a repeated member.
    ///   - date: The present: shown as `request_date`, and when a subscription or a volume purchase may have ended.
    /// - Throws: ``LibcryptoError`` when libcrypto fails, which says nothing about the receipt.
    public func verifyReceipt(
        request body: [UInt8], behavior: VerifyReceiptResponse.Behavior = .documented, at date: ReceiptDate
    ) throws(LibcryptoError) -> VerifyReceiptResponse {
        var response =
            if let text = Self.receiptData(of: body, repeatsNames: behavior != .documented) {
                try verifyReceipt(receiptData: text, behavior: behavior, asOf: date)
            } else {
                VerifyReceiptResponse(
                    malformed: ReceiptDecodingError(
                        .json, at: 0, in: "request", detail: "no JSON object with the text receipt-data"))
            }
        response.requestDate = date
        return response
    }

    private static func receiptData(of body: [UInt8], repeatsNames: Bool) -> String? {
        var limits = JSONLimits(
            bytes: TransportDecoding.defaultMaximumLength * 2, depth: 64, members: .max, values: .max)
        limits.repeatsNames = repeatsNames
        let text = body.span
        // What is wrong with the JSON is no more to the endpoint than that it is malformed.
        guard let document = try? JSONDocument(text, limits: limits) else { return nil }
        var found: JSONValue?
        for member in document.members(of: document.root) where member.hasName("receipt-data", in: text) {
            found = member.value
        }
        return found.flatMap { $0.kind == .string ? $0.string(in: text) : nil }
    }
}
