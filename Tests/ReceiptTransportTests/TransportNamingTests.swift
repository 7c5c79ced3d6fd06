import AppStoreReceipt
import Foundation
import Testing

/// What cannot be repaired is named, with the place where it goes wrong.
@Suite struct TransportNamingTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var text: [UInt8]
        var expected: String
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ expected: String) {
            self.init(name, Array(text.utf8), expected)
        }

        init(_ name: String, _ text: [UInt8], _ expected: String) {
            self.name = name
            self.text = text
            self.expected = expected
        }
    }

    static let receipt = TransportSample.cms(1000)
    /// 1,336 characters, the last two of them padding.
    static let base64 = TransportSample.base64(receipt)
    static let ber = TransportSample.base64(TransportSample.ber(1000))
    static let jws = "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2lnbmF0dXJl"

    static func encoded(_ text: String) -> String { TransportSample.base64(Array(text.utf8)) }

    static let tolerant: [Row] = [
        Row("nothing", "", "empty@0"),
        Row("white space", " \r\n\t", "empty@0"),
        Row("quotes", "\"\"", "empty@0"),
        Row("byte order mark", "\u{FEFF}", "empty@0"),
        Row("PEM without body", "-----BEGIN PKCS7-----\n-----END PKCS7-----\n", "empty@0"),
        Row("JWS", jws, "jws"),
        Row("JWS in quotes", "\"\(jws)\"\n", "jws"),
        Row("JWS in base64", encoded(jws), "base64-of-base64"),
        Row("JWS header", "eyJhbGciOiJFUzI1NiJ9", "jws@0"),
        Row("request", #"{"receipt-data": "MIIT", "password": "x"}"#, "verify-receipt-request@0"),
        Row("request in base64", encoded(#"{"receipt-data": "MIIT"}"#), "verify-receipt-request@0"),
        Row("answer", #" {"status": 21002}"#, "verify-receipt-response@1"),
        Row("answer with receipt", #"{"environment":"Sandbox","latest_receipt":"MIIT"}"#, "verify-receipt-response@0"),
        Row("notification", #"{"signedPayload":"eyJ.a.b"}"#, "json@0"),
        Row("other JSON", #"{"a": 1}"#, "json@0"),
        Row("JSON array", #"["MIIT"]"#, "json@0"),
        Row("HTML", "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "html@0"),
        Row("HTML, lower case", "\n<html>\r\n<head><title>413</title></head>", "html@1"),
        Row("HTML in base64", encoded("<html><body>Not found</body></html>"), "html@0"),
        Row("XML property list", "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC><plist/>", "xml-property-list@0"),
        Row("XML", "<?xml version=\"1.0\"?>\n<error/>", "xml@0"),
        Row("binary property list", Array("bplist00".utf8) + [0xD1, 1, 2], "binary-property-list@0"),
        Row("binary property list in base64", encoded("bplist00\u{1}\u{2}"), "binary-property-list@0"),
        Row("other property list", "{ a = b; }", "property-list@0"),
        Row("cut property list", "{\n\"signature\" = \"AAAA", "property-list@0"),
        Row("cut property list in base64", encoded("{\n\"signature\" = \"AAAA"), "property-list@0"),
        Row("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "compressed@0"),
        Row("gzip in base64", "H4sIAAAAAAAAA0vOSCxKTlQoSS0uUUhJLEnk4gIAKQYjMg==", "compressed@0"),
        Row("zlib", [0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00], "compressed@0"),
        Row("PNG", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "foreign-binary@0"),
        Row("PNG in data URI", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==", "foreign-binary@22"),
        Row("binary read as text", [0x30, 0xEF, 0xBF, 0xBD, 0x13, 0xEF, 0xBF, 0xBD], "mangled-binary@0"),
        Row("number", "1000000059632385", "identifier@0"),
        Row("UUID", "550E8400-e29b-41d4-a716-446655440000", "identifier@0"),
        Row("Data's description", "5052 bytes", "data-description@0"),
        Row("NSData's description", "{length = 5052, bytes = 0x308213b8 06092a86 ... 1f5a }", "data-description@0"),
        Row("words", "receipt not found", "plain-text@0"),
        Row("one word", "undefined", "plain-text@0"),
        Row("words in base64", encoded("No receipt was found in the application bundle."), "plain-text@62"),
        Row("words beyond ASCII", "Quittung fehlt für diesen Käufer", "plain-text@16"),
        Row(
            "UTF-16, beyond 16 bits",
            "\u{FEFF}no receipt \u{1F600}".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            "plain-text@24"),
        Row("other bytes in base64", TransportSample.base64([UInt8](repeating: 0xAB, count: 60)), "unknown-content@0"),
        Row("control characters", [1, 2, 3, 4], "invalid-character@0"),
        Row(
            "control character in receipt", "\(base64.prefix(100))\u{7}\(base64.dropFirst(100))",
            "invalid-character@100"),
        Row("letter in receipt", "\(base64.prefix(99))é\(base64.dropFirst(99))", "invalid-character@99"),
        Row("percent sign in receipt", "\(base64.prefix(99))%\(base64.dropFirst(99))", "invalid-character@99"),
        Row("backslash in receipt", "\(base64.prefix(99))\\q\(base64.dropFirst(99))", "invalid-character@99"),
        Row("quotation mark in receipt", "\(base64.prefix(99))\"\(base64.dropFirst(99))", "invalid-character@99"),
        Row("invalid UTF-8 in receipt", Array(base64.utf8.prefix(8)) + [0xFF, 0x41], "invalid-character@8"),
        Row("half", "\(base64.prefix(668))", "truncated@668"),
        Row("header only", "MIID", "truncated@4"),
        Row("three characters", "MII", "truncated@3"),
        Row("all but one character", "\(base64.dropLast(3))", "truncated@1333"),
        Row("half, in quotes", "\"\(base64.prefix(667))\"\n", "truncated@668"),
        Row("half, wrapped", TransportSample.wrap("\(base64.prefix(640))", 64, "\n") + "\n", "truncated@649"),
        Row("half, with dots", "\(base64.prefix(100))...", "truncated@100"),
        Row("half, with an ellipsis", "\(base64.prefix(100))\u{2026}", "truncated@100"),
        Row("half of twice", "\(TransportSample.base64(Array(base64.utf8)).prefix(800))", "truncated@800"),
        Row(
            "half in UTF-16", TransportSample.utf16("\u{FEFF}\(base64.prefix(500))", bigEndian: true), "truncated@1002"),
        Row("half in PEM", "-----BEGIN PKCS7-----\n\(base64.prefix(640))", "truncated@662"),
        Row("half in hex", String(TransportSample.hex(receipt, "##", "").prefix(1001)), "truncated@1001"),
        Row("half of BER", "\(ber.prefix(500))", "truncated@500"),
        Row("half, raw", Array(receipt.prefix(500)), "truncated@500"),
        Row("text after the padding", "\(base64)\nteamIdentifier", "base64"),
        Row("markup after the padding", "\(base64)<br>", "base64"),
        Row("words after the padding", "\(base64) is the receipt", "base64"),
        Row("twice in a row", base64 + base64, "base64"),
        Row("text after BER", "\(ber)teamIdentifier", "base64"),
        Row("bytes after, in base64", TransportSample.base64(receipt + [1, 2, 3]), "trailing-bytes@1334"),
        Row("bytes after, raw", receipt + [0, 10, 1], "trailing-bytes@1000"),
        Row("BER that cannot be measured, in hex", "3080 1FFF FFFF 0001 0203 0405 0607 0809", "hex"),
        Row("bytes after, in hex", TransportSample.hex(receipt + [1], "##", ""), "trailing-bytes@2000"),
        Row("digit after, in hex", TransportSample.hex(receipt, "##", "") + "7", "trailing-bytes@2000"),
        Row("other letters in hex", TransportSample.hex(receipt, "##", "").prefix(20) + "xyz", "invalid-character@20"),
        Row("five layers", (0..<5).reduce(base64) { text, _ in encoded(text) }, "encoded-too-often@0"),
    ]

    @Test(arguments: tolerant)
    func tolerantNames(row: Row) {
        #expect(outcome(row.text, .tolerant) == row.expected)
    }

    static let exact: [Row] = [
        Row("canonical", base64, "base64"),
        Row("other content", "AAECAw==", "base64"),
        Row("nothing", "", "empty@0"),
        Row("line feed at the end", base64 + "\n", "invalid-character@1336"),
        Row("line feed inside", "\(base64.prefix(64))\n\(base64.dropFirst(64))", "invalid-character@64"),
        Row("blank", "\(base64.prefix(10)) \(base64.dropFirst(11))", "invalid-character@10"),
        Row("base64url", "\(base64.prefix(10))-\(base64.dropFirst(11))", "invalid-character@10"),
        Row("quotes", "\"\(base64)\"", "invalid-character@0"),
        Row("no padding", "\(base64.dropLast(2))", "missing-padding@1334"),
        Row("half the padding", "\(base64.dropLast(1))", "missing-padding@1335"),
        Row("one character too many", "AAAAA", "missing-padding@5"),
        Row("excess padding", base64 + "=", "misplaced-padding@1336"),
        Row("padding alone", "====", "misplaced-padding@0"),
        Row("padding after a full group", "AAAA====", "misplaced-padding@4"),
        Row("padding inside", "AA==AAAA", "misplaced-padding@2"),
        Row("padding after one character", "A===", "misplaced-padding@1"),
        Row("four bits set", "AAB=", "base64"),
        Row("two bits set", "AB==", "base64"),
        Row("JWS", jws, "jws@20"),
        Row("request", #"{"receipt-data":"MIIT"}"#, "verify-receipt-request@0"),
        Row("HTML", "<html></html>", "html@0"),
        Row("twice", encoded(base64), "encoded-too-often@0"),
        Row("JSON in base64", encoded(#"{"status":0}"#), "verify-receipt-response@0"),
        Row("raw", receipt, "invalid-character@1"),
        Row("truncated", "\(base64.prefix(668))", "truncated@668"),
        Row("trailing zero", TransportSample.base64(receipt + [0]), "trailing-bytes@1332"),
    ]

    @Test(arguments: exact)
    func exactNames(row: Row) {
        #expect(outcome(row.text, .exact) == row.expected)
    }

    @Test func detailsAreForPeople() {
        #expect(
            detail("\(Self.base64.prefix(668))", .tolerant) == "outer length 1000 bytes, got 501 (50 %)")
        #expect(detail("MIIT\u{7}", .tolerant) == "U+0007, is not in the base64 alphabet")
        #expect(detail("\(Self.base64.prefix(8))é", .tolerant)?.hasPrefix("\"é\" (U+00E9)") == true)
        #expect(detail("MIIT\n", .exact) == "U+000A (line feed), from line wrapping, is not in the base64 alphabet")
        #expect(detail("MII", .exact) == "3 characters, which is no multiple of four: 1 \"=\" missing")
    }

    @Test(arguments: [TransportMode.exact, .tolerant])
    func theLimitHoldsAtItsValue(mode: TransportMode) throws {
        let text = Array(Self.base64.utf8)
        #expect(try TransportDecoding(text, mode: mode, maximumLength: text.count).bytes == Self.receipt)
        #expect(outcome(text, mode, maximumLength: text.count - 1) == "input-too-long@\(text.count - 1)")
        #expect(outcome(Self.receipt, mode, maximumLength: 10) == "input-too-long@10")
    }

    /// Every kind comes through; what wants one kind refuses the others by name.
    @Test func whatWantsOneKindRefusesTheOthers() throws {
        let text = TransportSample.propertyList
        for (input, mode) in [(text, TransportMode.tolerant), (Array(TransportSample.base64(text).utf8), .exact)] {
            let decoding = try TransportDecoding(input, mode: mode)
            #expect(decoding.content == .transactionReceipt)
            #expect(decoding.bytes == text)
            #expect(refusal { try SignedReceipt(transport: input, mode: mode) } == .transactionReceipt)
        }
        let inner = Array("{\n\t\"transaction-id\" = \"1\";\n}".utf8)
        #expect(try TransportDecoding(inner).content == .purchaseInfo)
        #expect(refusal { try SignedReceipt(transport: inner) } == .purchaseInfo)
        #expect(refusal { try SignedTransactionReceipt(transport: inner) } == .purchaseInfo)
        #expect(try TransportDecoding(Self.jws).content == .jws)
        #expect(refusal { try SignedReceipt(transport: Self.jws) } == .jws)
        #expect(refusal { try SignedTransactionReceipt(transport: Self.jws) } == .notATransactionReceipt)
        #expect(refusal { try SignedTransactionReceipt(transport: Self.base64) } == .notATransactionReceipt)
    }

    private func refusal<Decoded>(_ decode: () throws -> Decoded) -> ReceiptDecodingError.Code? {
        do {
            _ = try decode()
            return nil
        } catch {
            return (error as? ReceiptDecodingError)?.code
        }
    }

    private func outcome(_ text: [UInt8], _ mode: TransportMode, maximumLength: Int = 16 << 20) -> String {
        do {
            return try TransportDecoding(text, mode: mode, maximumLength: maximumLength).form.rawValue
        } catch {
            return "\(error.code)@\(error.offset)"
        }
    }

    private func detail(_ text: String, _ mode: TransportMode) -> String? {
        do {
            _ = try TransportDecoding(text, mode: mode)
            return nil
        } catch {
            return error.detail
        }
    }
}
