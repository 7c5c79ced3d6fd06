import AppStoreReceipt
import ReceiptForge
import Testing

/// Every limit has an effect wherever limits can be passed: at it an input is taken, above it refused.
@Suite struct LimitTests {
    private static func codes(
        _ decode: @escaping (DecodingLimits) throws(ReceiptDecodingError) -> Void, _ limits: [DecodingLimits]
    )
        -> [String]
    {
        limits.map { limits in
            do throws(ReceiptDecodingError) {
                try decode(limits)
                return "ok"
            } catch {
                return "\(error.code)"
            }
        }
    }

    /// Text is bounded before anything is decoded: what is above the limit is not even looked at.
    @Test(arguments: [TransportMode.tolerant, .exact])
    func text(mode: TransportMode) throws {
        let text = try ForgedReceipt().signed().base64
        let count = text.utf8.count
        let limits = [count, count - 1].map { DecodingLimits(text: $0) }
        #expect(
            Self.codes(
                { limits throws(ReceiptDecodingError) in
                    _ = try SignedReceipt(transport: text, mode: mode, limits: limits)
                }, limits) == ["ok", "input-too-long"])
        #expect(
            Self.codes(
                { limits throws(ReceiptDecodingError) in
                    _ = try SignedReceipt(transport: Array(text.utf8), mode: mode, limits: limits)
                }, limits) == ["ok", "input-too-long"])
        let noise = String(repeating: "?", count: 1_000)
        #expect(
            Self.codes(
                { limits throws(ReceiptDecodingError) in
                    _ = try SignedReceipt(transport: noise, mode: mode, limits: limits)
                    _ = try SignedTransactionReceipt(transport: noise, mode: mode, limits: limits)
                }, [DecodingLimits(text: 999)]) == ["input-too-long"])
    }

    @Test func transactionReceipt() throws {
        let signed = try ForgedTransactionReceipt().signed(by: ForgedPKI(.sha1()))
        let text = signed.bytes
        let info = try SignedTransactionReceipt(decoding: text)
        let outer = info.unsignedEnvelope.entries.count
        let entries = max(outer, info.unverifiedReceipt.entries.count)
        let decode = { (limits: DecodingLimits) throws(ReceiptDecodingError) in
            _ = try SignedTransactionReceipt(decoding: text, limits: limits)
        }
        #expect(
            Self.codes(decode, [text.count, text.count - 1].map { DecodingLimits(propertyListBytes: $0) })
                == ["ok", "input-too-long"])
        #expect(
            Self.codes(decode, [entries, entries - 1, outer - 1].map { DecodingLimits(propertyListEntries: $0) })
                == ["ok", "property-list-limit", "property-list-limit"])
        let purchaseInfo = Array(info.payload)
        let unsigned = { (limits: DecodingLimits) throws(ReceiptDecodingError) in
            _ = try TransactionReceipt(unsignedPurchaseInfo: purchaseInfo, limits: limits)
        }
        let count = purchaseInfo.count
        #expect(
            Self.codes(unsigned, [count, count - 1].map { DecodingLimits(propertyListBytes: $0) })
                == ["ok", "input-too-long"])
        let base64 = signed.base64
        let transport = { (limits: DecodingLimits) throws(ReceiptDecodingError) in
            _ = try SignedTransactionReceipt(transport: base64, limits: limits)
        }
        #expect(
            Self.codes(
                transport,
                [
                    DecodingLimits(text: base64.utf8.count), DecodingLimits(text: base64.utf8.count - 1),
                    DecodingLimits(propertyListEntries: 1),
                ]) == ["ok", "input-too-long", "property-list-limit"])
    }

    /// The door for every kind bounds as the doors for one do.
    @Test func anyDocument() throws {
        let receipt = try ForgedReceipt().signed()
        let transaction = try ForgedTransactionReceipt().signed(by: ForgedPKI(.sha1()))
        // Nothing is verified here: what follows a header is enough to be taken for a JWS.
        let jws = "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"
        func codes(_ text: String, _ limits: [DecodingLimits]) -> [String] {
            Self.codes(
                { limits throws(ReceiptDecodingError) in
                    _ = try AnySignedDocument(
                        transport: text, accepting: [.appReceipt, .transactionReceipt, .signedTransaction],
                        limits: limits)
                }, limits)
        }
        for text in [receipt.base64, transaction.base64] {
            let count = text.utf8.count
            #expect(
                codes(text, [count, count - 1].map { DecodingLimits(text: $0) }) == ["ok", "input-too-long"])
        }
        let length = transaction.bytes.count
        #expect(
            codes(
                transaction.base64,
                [
                    DecodingLimits(propertyListBytes: length), DecodingLimits(propertyListBytes: length - 1),
                    DecodingLimits(propertyListEntries: 1),
                ]) == ["ok", "input-too-long", "property-list-limit"])
        // A container is bounded by its own length, and not the text around it by that.
        #expect(
            codes(
                receipt.base64,
                [DecodingLimits(bytes: receipt.bytes.count), DecodingLimits(bytes: receipt.bytes.count - 1)])
                == ["ok", "input-too-long"])
        let outcomes = codes(jws, [jws.utf8.count, jws.utf8.count - 1].map { DecodingLimits(text: $0) })
        #expect(outcomes.last == "input-too-long" && outcomes.first != "input-too-long")
    }
}
