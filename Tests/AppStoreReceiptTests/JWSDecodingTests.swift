import AppStoreReceipt
import Foundation
import TestSupport
import Testing

/// Texts that are no JWS as Apple makes them, one defect each, and those of genuine ones.
@Suite struct JWSDecodingTests {
    static let signature = [UInt8](repeating: 7, count: 64)
    static let certificate = Data(repeating: 0x30, count: 600).base64EncodedString()
    static let chain = #"["\#(certificate)","\#(certificate)","\#(certificate)"]"#
    static let header = #"{"alg":"ES256","x5c":\#(chain)}"#
    static let payload = #"{"transactionId":"1","purchaseDate":1697679936056.485,"signedDate":1697679936056}"#

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func compact(
        _ header: String = header, _ payload: String = payload, _ signature: [UInt8] = signature
    ) -> String {
        [base64URL(header.utf8), base64URL(payload.utf8), base64URL(signature)].joined(separator: ".")
    }

    static func header(_ members: String) -> String { compact("{\(members)}") }

    static let refused: [(String, String)] = [
        ("", "empty"), ("a", "jws-segments"), ("a.b", "jws-segments"), ("a.b.c.d", "jws-segments"),
        (compact() + ".", "jws-segments"), (".a.b", "jws-segments"), ("aa..aa", "jws-segments"),
        ("aa.aa.", "jws-segments"),
        (" " + compact(), "invalid-character"), (compact() + "\n", "invalid-character"),
        (compact() + "=", "misplaced-padding"), (compact().dropLast() + "x", "non-zero-trailing-bits"),
        (compact() + "AAA", "truncated"), (compact().replacing("h", with: "+"), "invalid-character"),
        (compact(#"{"alg":"ES256","x5c":[],"a":"\#(String(repeating: "x", count: 17_000))"}"#), "input-too-long"),
        (String(repeating: "a", count: 300_000), "input-too-long"),
        (compact("[]"), "json-not-an-object"), (compact(#"{"alg":"ES256","alg":"none"}"#), "json-duplicate-name"),
        (compact("{"), "json-truncated"), (compact(header, "[1]"), "json-not-an-object"),
        (compact(header, payload + "x"), "json-trailing-text"),
        (compact(header, "\u{FEFF}" + payload), "json-byte-order-mark"),
        (header(#""x5c":\#(chain)"#), "jws-algorithm"), (header(#""alg":"none","x5c":\#(chain)"#), "jws-algorithm"),
        (header(#""alg":"es256","x5c":\#(chain)"#), "jws-algorithm"),
        (header(#""alg":"HS256","x5c":\#(chain)"#), "jws-algorithm"),
        (header(#""alg":["ES256"],"x5c":\#(chain)"#), "jws-algorithm"),
        (header(#""alg":null,"x5c":\#(chain)"#), "jws-algorithm"),
        (header(#""alg":"ES256","x5c":\#(chain),"crit":[]"#), "jws-critical-header"),
        (header(#""alg":"ES256","x5c":\#(chain),"b64":true"#), "jws-unencoded-payload"),
        (header(#""alg":"ES256""#), "jws-certificates"), (header(#""alg":"ES256","x5c":"a""#), "jws-certificates"),
        (header(#""alg":"ES256","x5c":["\#(certificate)","\#(certificate)"]"#), "jws-certificates"),
        (header(#""alg":"ES256","x5c":[]"#), "jws-certificates"),
        (header(#""alg":"ES256","x5c":[1,2,3]"#), "jws-certificates"),
        (header(#""alg":"ES256","x5c":["","",""]"#), "jws-certificate-encoding"),
        (header(#""alg":"ES256","x5c":["A","A","A"]"#), "jws-certificate-encoding"),
        (header(#""alg":"ES256","x5c":["AA-_","AAAA","AAAA"]"#), "jws-certificate-encoding"),
        (
            header(#""alg":"ES256","x5c":["\#(Data(repeating: 48, count: 4_097).base64EncodedString())"]"#),
            "jws-certificate-encoding"
        ),
        (compact(header, payload, Array(signature.dropLast())), "jws-signature-length"),
        (compact(header, payload, [0x30, 0x44] + signature + [0, 0, 0, 0]), "jws-signature-length"),
        (compact(header, #"{"autoRenewStatus":1}"#), "wrong-kind"), (compact(header, "{}"), "wrong-kind"),
        (compact(header, #"{"requestIdentifier":"a","userLocale":"b"}"#), "wrong-kind"),
        (header(#""alg":"ES256","kid":"ABC","typ":"JWT""#), "developer-signed-jws"),
        (compact(#"{"alg":"RS256","kid":"ABC"}"#, #"{"iss":"https://appleid.apple.com"}"#), "sign-in-with-apple"),
        (base64URL(#"{"externalPurchaseId":"SANDBOX_1","tokenCreationDate":1}"#.utf8), "external-purchase-token"),
        (
            compact(
                header.replacing(certificate, with: Data("0 Huawei CBG".utf8).base64EncodedString()),
                #"{"orderId":"1"}"#),
            "huawei-jws"
        ),
    ]

    @Test(arguments: refused) func namesEachFault(_ text: String, _ code: String) {
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedTransaction(decoding: text) }
        #expect(error?.code.rawValue == code, "\(error.map { "\($0)" } ?? "")")
        if let error { #expect(0...text.utf8.count ~= error.offset) }
    }

    @Test func keepsWhatHasNoPropertyAndWhatCannotBeRead() throws {
        let text = Self.compact(
            Self.header,
            #"{"transactionId":"1","purchaseDate":1.9,"price":"990","new":{"a":[1, 2]},"type":"Other","currency":null,"#
                + #""advancedCommerceInfo":{"items":[{"SKU":"a\u0062","refunds":[{"refundAmount":1.5}]}],"x":1}}"#)
        let transaction = try SignedTransaction(decoding: text)
        let model = transaction.unverifiedTransaction
        #expect(model.purchaseDate == ReceiptDate(millisecondsSince1970: 1))
        #expect(model.type?.rawValue == "Other" && model.price == nil && model.currency == nil)
        #expect(model.advancedCommerceInfo?.items?.first?.sku == "ab")
        #expect(
            transaction.remarks.unknownMembers.map { "\($0.name) \($0.json)" } == [
                #"new {"a":[1, 2]}"#, "advancedCommerceInfo.x 1",
            ])
        #expect(
            transaction.remarks.unreadableMembers.map(\.name) == [
                "price", "advancedCommerceInfo.items[0].refunds[0].refundAmount",
            ])
        #expect(transaction.remarks.unreadableMembers.first?.json == "\"990\"")
    }

    static let contents =
        [
            (#""data":{}"#, nil), (#""summary":{}"#, nil), ("", "notification-content"),
            (#""data":{},"summary":{}"#, "notification-content"), (#""data":null,"appData":{}"#, nil),
            (#""data":{"signedTransactionInfo":"a.b"}"#, "jws-segments"),
            (#""data":{"signedRenewalInfo":"\#(compact())"}"#, "wrong-kind"),
            (#""data":{"signedTransactionInfo":"\#(compact())"}"#, nil),
        ] as [(String, String?)]

    @Test(arguments: contents) func takesOneContentOfANotification(_ content: String, _ code: String?) {
        let text = Self.compact(Self.header, #"{"notificationType":"TEST"\#(content.isEmpty ? "" : ",")\#(content)}"#)
        do throws(ReceiptDecodingError) {
            _ = try SignedNotification(decoding: text)
            #expect(code == nil)
        } catch {
            #expect(error.code.rawValue == code, "\(error)")
        }
    }

    /// Everything that genuine documents hold has a property, and the independent decode has the same.
    @Test(arguments: Corpus.paths("jws", suffix: ".jws")) func readsGenuineOnesInFull(_ path: String) throws {
        let text = String(decoding: try Corpus.bytes(path), as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let name = String(path.split(separator: "/").last ?? "")
        let remarks: PayloadRemarks
        let payload: ArraySlice<UInt8>
        switch name.split(separator: "-").dropFirst().first {
        case "transaction"?:
            let document = try SignedTransaction(decoding: text)
            (remarks, payload) = (document.remarks, document.payload)
        case "renewalInfo"?:
            let document = try SignedRenewalInfo(decoding: text)
            (remarks, payload) = (document.remarks, document.payload)
        case "appTransaction"?:
            let document = try SignedAppTransaction(decoding: text)
            (remarks, payload) = (document.remarks, document.payload)
        case "notification"? where name.hasPrefix("apple"):
            let document = try SignedNotification(decoding: text)
            (remarks, payload) = (document.remarks, document.payload)
        default:
            #expect(throws: ReceiptDecodingError.self) { try SignedTransaction(decoding: text) }
            return
        }
        #expect(remarks.unknownMembers.isEmpty && remarks.unreadableMembers.isEmpty)
        let expected = path.replacing("/jws/", with: "/jws/expected/").replacing(".jws", with: ".json")
        let decode = try JSONSerialization.jsonObject(with: Data(Corpus.bytes(expected))) as? [String: Any]
        let members = try #require(decode?["payload"] as? NSDictionary)
        #expect(try JSONSerialization.jsonObject(with: Data(payload)) as? NSDictionary == members)
    }
}
