import AppStoreReceipt
import Foundation
import ReceiptForge
import Testing

@testable import ReceiptTransport

/// Receipts inside other text, and what is said where there is none.
@Suite struct FoundTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: String
        var after: String
        var path: String?
    }

    static let rows = [
        Row(testDescription: "JSON", before: #"{"a": {"Payload": ""#, after: #""}}"#, path: "a.Payload"),
        Row(testDescription: "array", before: #"{"list": [1, {"r": ""#, after: #""}]}"#, path: "list[1].r"),
        Row(
            testDescription: "JSON in JSON", before: #"{"body": "{\"receipt-data\": \""#, after: #"\"}"}"#,
            path: "body.receipt-data"),
        Row(testDescription: "form", before: "a=1&receipt=", after: "&b=2", path: "receipt"),
        Row(testDescription: "log", before: "2026-01-01 INFO ", after: " done", path: nil),
        Row(testDescription: "XML", before: "<r><receipt>", after: "</receipt></r>", path: "receipt"),
        Row(testDescription: "SQL", before: "INSERT INTO r VALUES (1, '", after: "');", path: nil),
        Row(testDescription: "cut JSON", before: #"{"receipt-data": ""#, after: "", path: "receipt-data"),
    ]

    @Test(arguments: rows)
    func receiptsAreFound(row: Row) throws {
        let bytes = TransportSample.cms(1001)
        for text in [TransportSample.base64(bytes), TransportSample.base64(TransportSample.ber(500))] {
            let whole = row.before + text + row.after
            let found = try TransportDecoding(whole)
            #expect(found.content == .cms)
            #expect(found.bytes == bytes || found.bytes == TransportSample.ber(500))
            #expect(found.foundIn?.offset == row.before.utf8.count)
            #expect(found.foundIn?.path == row.path)
            #expect(found.also == 0)
        }
        let two = row.before + TransportSample.base64(bytes) + "\" ; \"" + TransportSample.base64(bytes) + row.after
        #expect(try TransportDecoding(two).also == 1)
    }

    /// What programs and people put between the lines of a receipt, with the repair that is told.
    static let between: [(String, @Sendable (String) -> String)] = [
        (
            "line-prefixes",
            { "@@ -0,0 +1 @@\n+" + TransportSample.wrap($0, 76, "\n+") + "\n\\ No newline at end of file" }
        ),
        ("html-tags", { "<p>" + TransportSample.wrap($0, 80, "<br />\n") + "</p>" }),
        ("html-tags", { TransportSample.wrap($0, 100, "<wbr>") }),
        ("joined-strings", { "'" + TransportSample.wrap($0, 70, "' .\n  '") + "';" }),
        ("mail-quotes", { "Bob wrote:\n> " + TransportSample.wrap($0, 70, "\n> ") }),
        ("joined-strings", { "r = \"" + TransportSample.wrap($0, 80, "\" & _\n    \"") + "\"" }),
        ("line-prefixes", { " 1 | " + TransportSample.wrap($0, 76, "+\n   | ") + "\n(1 row)\n" }),
        ("chunk-sizes", { TransportSample.chunked("{\"a\": \"" + $0 + "\", \"b\": 1}", 500) }),
        ("hex-dump", { TransportSample.characterDump(Data(base64Encoded: $0) ?? Data()) }),
        (
            "hex-dump",
            { text in
                TransportSample.dump(Data(base64Encoded: text) ?? Data()) { byte in
                    String(repeating: " ", count: 4 - "\(byte)".count) + "\(byte)"
                }
            }
        ),
        (
            "string-escapes",
            { text in
                let digits = (Data(base64Encoded: text) ?? Data()).map {
                    "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16)
                }
                return "\"" + TransportSample.wrap(digits.joined(), 64, "\"\n\"") + "\""
            }
        ),
        // JSON of a Python literal: the marks in it are escaped once, everything else twice.
        (
            "string-escapes",
            { text in
                let characters = (Data(base64Encoded: text) ?? Data()).map { byte in
                    switch byte {
                    case 0x22: "\\\""
                    case 0x27: "\\\\'"
                    case 0x5C: "\\\\\\\\"
                    case 0x20...0x7E: String(UnicodeScalar(byte))
                    default: "\\\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                    }
                }
                return "{\"r\": \"b'" + characters.joined() + "'\"}"
            }
        ),
        ("inner-padding", { "Hello, it is =\n" + TransportSample.wrap($0, 75, "=\n") + "\n" }),
        (
            "printed-bytes",
            { text in
                let bytes = Data(base64Encoded: text) ?? Data()
                return "byteArrayOf(" + bytes.map { "0x" + String($0, radix: 16) + ".toByte()" }.joined(separator: ", ")
                    + ")"
            }
        ),
        (
            "string-escapes",
            { text in
                let bytes = Data(base64Encoded: text) ?? Data()
                return "r = \"" + bytes.map { "\\" + String(String(Int($0) + 1000).dropFirst()) }.joined() + "\""
            }
        ),
    ]

    @Test(arguments: 0..<between.count, [1000, 1001, 3000])
    func whatStandsBetweenIsRemoved(row: Int, size: Int) throws {
        let bytes = TransportSample.cms(size)
        let (repair, wrap) = Self.between[row]
        let found = try TransportDecoding(wrap(TransportSample.base64(bytes)))
        #expect(found.bytes == bytes)
        #expect(found.repairs.contains { $0.code.rawValue == repair })
    }

    /// The same where the text is that of a property list or a JWS, whose lengths nobody knows beforehand.
    static let betweenLines: [@Sendable (String) -> String] = [
        { "> " + TransportSample.wrap($0, 76, "\n> ") },
        { "  1  " + TransportSample.wrap($0, 76, "\n  2  ") },
        { "'" + TransportSample.wrap($0, 70, "' +\n  '") + "'" },
        { "(\"" + TransportSample.wrap($0, 70, "\"\n\"") + "\")" },
        { "r = \"" + TransportSample.wrap($0, 80, "\" & _\n    \"") + "\"" },
        { "\"" + TransportSample.wrap($0, 70, "\\n\" +\n  \"") + "\"" },
        { TransportSample.wrap($0, 76, "<br>") },
        { TransportSample.wrap($0, 76, "\\\n") },
        { TransportSample.wrap($0, 76, "=\n") + "\n" },
        { TransportSample.wrap($0, 76, " ") },
        { " 1 | " + TransportSample.wrap($0, 76, "+\n   | ") + "\n(1 row)\n" },
        { TransportSample.chunked($0, 300) },
        { TransportSample.chunked("{\"a\": \"" + $0 + "\", \"b\": \"c\"}", 211) },
        { "{\"a\": \"" + TransportSample.wrap($0, 76, "<br>") + "\", \"password\": \"c\"}" },
        { "10.0.0.1 \"POST / HTTP/1.1\" 200 body=\"{\\x22a\\x22:\\x22" + $0 + "\\x22}\"" },
        { "%257B%2522a%2522%253A%2522" + $0.replacingOccurrences(of: "=", with: "%253D") + "%2522%257D" },
    ]

    @Test(arguments: 0..<betweenLines.count)
    func whatStandsBetweenLinesOfTextsIsRemoved(row: Int) throws {
        let list = try TransportDecoding(Self.betweenLines[row](TransportSample.base64(TransportSample.propertyList)))
        #expect(list.content == .transactionReceipt && list.bytes == TransportSample.propertyList)
        let jws = TransportSample.jws
        #expect(try TransportDecoding(Self.betweenLines[row](jws)).bytes == Array(jws.utf8))
    }

    /// What is read without a repair is exactly what was sent.
    @Test(arguments: ["\"", "'", "`", " ", "(", "...", "\n\n"]) func marksAroundAreTold(mark: String) throws {
        for text in [TransportSample.jws, TransportSample.base64(TransportSample.cms(1001))] {
            for whole in [mark + text + mark, mark + text + "...\"", text + mark + ",", mark + text] {
                guard let found = try? TransportDecoding(whole) else { continue }
                #expect(!found.repairs.isEmpty || found.foundIn != nil, "\(whole.prefix(20)) … \(whole.suffix(20))")
            }
        }
    }

    /// A JWS that holds another, as a notification does, is not that other one when it is damaged itself.
    @Test(arguments: [[0, 1], [2, 1, 0], [0, 1, 2, 2], [1]]) func nothingIsTakenOutOfADamagedJWS(order: [Int]) {
        let payload = #"{"notificationType":"A","data":{"signedTransactionInfo":"\#(TransportSample.jws)"}}"#
        let segments = [#"{"alg":"ES256","x5c":[]}"#, payload, "signature"].map {
            TransportSample.urlSafe(TransportSample.base64(Array($0.utf8))).replacingOccurrences(of: "=", with: "")
        }
        let found = try? TransportDecoding(order.map { segments[$0] }.joined(separator: "."))
        #expect((found?.content == .jws && found?.form != .jws) == (order.count == 1))
    }

    /// The line between two chunks is taken out only where it states what comes.
    @Test func aChunkSizeHasToBeRight() throws {
        let bytes = TransportSample.cms(1001)
        let text = TransportSample.chunked(TransportSample.base64(bytes), 500)
        #expect(try TransportDecoding(text).bytes == bytes)
        #expect(throws: ReceiptDecodingError.self) {
            try TransportDecoding(text.replacingOccurrences(of: "\r\n1f4\r\n", with: "\r\n1f3\r\n")).container()
        }
    }

    static let diagnoses: [(String, String)] = [
        ("undefined", "no-value"), ("[object Object]", "object-as-text"), ("21007", "verify-receipt-status"),
        ("{\"status\":21007}", "verify-receipt-status"), ("ThisIsFakeReceiptData", "unity-fake-store"),
        ("/var/mobile/StoreKit/sandboxReceipt", "file-path"), ("2000000123456789", "transaction-identifier"),
        (#"{"orderId": "GPA.1", "packageName": "a", "purchaseToken": "b"}"#, "google-play-purchase"),
        (#"{"receiptId": "a", "userId": "b"}"#, "amazon-receipt"),
        (#"{"transactionId": "1", "productId": "a", "purchaseDate": 1}"#, "storekit2-transaction-json"),
        ("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----", "private-key"),
        (TransportSample.base64(TransportSample.cms(1001)).lowercased(), "case-changed"),
        (String(TransportSample.base64(TransportSample.cms(1001)).dropFirst()), "head-lost"),
        (String(TransportSample.base64(TransportSample.cms(1001)).prefix(256)), "cut-off"),
        (TransportSample.base64(TransportSample.cms(5000)).filter { $0 != "+" }, "plus-deleted"),
        ("kdpmcjbdgkhbdgkhbdgkhbda.AO-J1OwQ2nYkKq1pJYqB4u9w7cT0YxJm2nA8dIh3kqj5q0m", "google-play-purchase"),
        ("Error: verification failed with status 21003", "verify-receipt-status"),
        ("Error Domain=SKErrorDomain Code=2", "error-message"), ("kotlin.ByteArray@1b2c", "object-as-text"),
        ("-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqG\n-----END PRIVATE KEY-----", "private-key"),
        (
            TransportSample.base64(TransportSample.cms(3000)).replacingOccurrences(of: "/", with: ","),
            "character-inside"
        ),
        (
            String(TransportSample.base64(TransportSample.cms(3000)).prefix(2000)) + "***"
                + TransportSample.base64(TransportSample.cms(3000)).dropFirst(2003), "character-inside"
        ),
        (TransportSample.wrap(TransportSample.base64(TransportSample.cms(3000)), 76, "$\n"), "character-inside"),
        (TransportSample.base64(TransportSample.cms(3000)).prefix(2000) + ",2021-10-03,b", "cut-off"),
        ("MIIT...", "abbreviated"),
        (String(TransportSample.base64(TransportSample.cms(1001)).prefix(400)) + "<truncated>", "abbreviated"),
        ("{\"r\":\"" + TransportSample.base64(TransportSample.cms(1001)).prefix(255) + "\"}", "cut-off"),
        (
            TransportSample.wrap(TransportSample.base64(TransportSample.cms(1001)), 400, "\r\nABCD\r\n"), "text-inside"
        ),
        (
            String(TransportSample.base64(TransportSample.cms(1001)).prefix(400))
                + TransportSample.base64(TransportSample.cms(1001)).dropFirst(404), "lost-inside"
        ),
    ]

    @Test(arguments: diagnoses)
    func whatIsNoReceiptIsNamed(text: String, kind: String) {
        let error = #expect(throws: ReceiptDecodingError.self) { try TransportDecoding(text).container() }
        guard let error else { return }
        let diagnosis = TransportDiagnosis(of: Array(text.utf8), refusedFor: error)
        #expect(diagnosis.kind.rawValue == kind)
        #expect(!diagnosis.summary.isEmpty && !diagnosis.advice.isEmpty)
    }

    /// What begins like a receipt and is none, cut or made up, hides none behind it, or the answer says that it may.
    @Test(arguments: [1, 3, 200]) func nothingHidesBehindWhatLooksLikeAReceipt(count: Int) throws {
        let bytes = TransportSample.cms(3000)
        let base64 = TransportSample.base64(bytes)
        for fake in [
            String(base64.prefix(600)), "MIIcSAYJKoZIhvcNAQcC", "MIAGCSqGSIb3DQEHAqCA", "eyJhbGciOiJFUzI1NiJ9.e.",
        ] {
            let text = String(repeating: fake + "\n", count: count) + "\"" + base64 + "\""
            do {
                #expect(try TransportDecoding(text).bytes == bytes)
            } catch {
                let diagnosis = TransportDiagnosis(of: Array(text.utf8), refusedFor: error)
                #expect(diagnosis.advice.contains("a receipt may be further on"), "\(count) × \(fake.prefix(30))")
            }
        }
    }

    /// The search looks at no byte of a hostile text more than a few times, counted and not timed.
    @Test(arguments: [
        "MII", "MIIcSAYJKoZIhvcNAQcC", "\"", "\\", "{\"a\":\"", "eyJ.", "eyJhbGciOiJFUzI1NiJ9.e.", "ewo ", "48,130,",
        "3082",
        "0\\x82", "{\"signature\"=", "MIAGCSqGSIb3DQEHAqCA", "00000000: 3082 ", "%7B", "TUlJ",
    ])
    func searchingIsLinear(piece: String) {
        let text = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
        #expect(ReceiptSearch(text.span, layer: 1).work <= 6 * text.count + 8192)
    }
}
