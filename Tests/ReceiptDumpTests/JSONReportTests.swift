import Foundation
import ReceiptASN1
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// An attribute as the corpus' independent decode and as `--format json` write it.
struct AttributeRow: Decodable, Hashable {
    var type: Int
    var version: Int
    var encoding: String?
    var value: String?
    var hex: String?
    /// In the independent decode only: the purchase of a type 17.
    var inApp: [AttributeRow]?
}

/// The part of `--format json` that tests read.
struct Report: Decodable {
    struct Input: Decodable {
        var file: String?
        var bytes: Int
        var form: String
        var repairs: [String]
    }
    struct Receipt: Decodable {
        var bundleId: String?
        var receiptCreationDate: String?
        var inApp: [Purchase]?
        var attributes: [AttributeRow]?
    }
    struct Purchase: Decodable {
        var productId: String?
        var transactionId: String?
        var purchaseDate: String?
        var attributes: [AttributeRow]
    }
    struct Certificate: Decodable {
        var subject: String?
        var serial: String?
        var sha256: String
        var markers: [String]
    }
    struct Check: Decodable {
        var name: String
        var outcome: String
        var detail: String
    }
    struct Fault: Decodable {
        var code: String
        var offset: Int
        var path: [String]
    }
    var input: Input
    var kind: String
    var verdict: String
    var reason: String?
    var message: String
    var status: Int?
    var checks: [Check]
    var error: Fault?
    var receipt: Receipt?
    var certificates: [Certificate]
    var payloadSha256: String?

    static func read(_ json: some Collection<UInt8>) throws -> Report {
        try snakeCaseDecoder.decode(Report.self, from: Data(json))
    }

    static var snakeCaseDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// The object that the tool writes for some bytes.
    static func of(_ bytes: [UInt8], _ arguments: String...) throws -> (report: Report, status: Int32) {
        let host = TestHost([.standardInput: bytes])
        let status = host.run(arguments + ["--format", "json"])
        return (try read(host.output.bytes), status)
    }
}

@Suite struct JSONReportTests {
    /// For every genuine receipt exactly the attributes that an independent decoder found, in order.
    @Test(arguments: Corpus.paths("expected", suffix: ".json"))
    func attributesEqualTheIndependentDecode(path: String) throws {
        struct Expected: Decodable { var attributes: [AttributeRow] }
        let expected = try Report.snakeCaseDecoder.decode(Expected.self, from: Data(try Corpus.bytes(path))).attributes
        let name = path.split(separator: "/").last.map { $0.dropLast(5) } ?? ""
        let bytes = try Corpus.bytes((Corpus.directory ?? "") + "/receipts/\(name).der")
        let (report, status) = try Report.of(bytes, "--no-validate")
        let receipt = try #require(report.receipt)

        #expect(receipt.attributes == expected.filter { $0.type != 17 })
        #expect(receipt.inApp?.map(\.attributes) == expected.filter { $0.type == 17 }.map { $0.inApp ?? [] })
        #expect(status == 0)
        #expect(report.kind == "app-receipt")
        #expect(report.verdict == "not-validated")
        #expect(report.status == nil && report.reason == nil)
        #expect(report.input.form == "der" && report.input.bytes == bytes.count && report.input.repairs == [])
        #expect(report.payloadSha256?.count == 64)
        // The typed keys say what the attributes say.
        #expect(receipt.bundleId == expected.first { $0.type == 2 }?.value)
        let purchases = expected.filter { $0.type == 17 }.map { $0.inApp ?? [] }
        #expect(receipt.inApp?.map(\.productId) == purchases.map { $0.first { $0.type == 1702 }?.value })
        #expect(receipt.inApp?.map(\.transactionId) == purchases.map { $0.first { $0.type == 1703 }?.value })
    }

    /// Every JSON output can be read by Python too, and says the same there.
    @Test(.enabled(if: Corpus.directory != nil), .enabled(if: Program.python3.isWanted, "python3 is not installed"))
    func pythonReadsEveryReport() throws {
        let program = """
            import json, sys
            text = sys.stdin.buffer.read().decode("utf-8")
            decoder, position, objects = json.JSONDecoder(), 0, []
            while position < len(text.rstrip()):
                value, position = decoder.raw_decode(text, position)
                position += 1
                objects.append(value)
            for o in objects:
                print(o["input"]["file"].split("/")[-1], o["kind"], o["verdict"], len((o["receipt"] or {}).get("in_app", [])))
            """
        let files = corpusReceipts() + Corpus.paths("receipts", suffix: ".plist")
        let ours = try Binary.run(["--no-validate", "--format", "json"] + files)
        #expect(ours.status == 2)
        let python = try Binary.run(program: "/usr/bin/env", ["python3", "-c", program], input: ours.output)
        #expect(python.status == 0, "\(python.errors)")
        let expected = try ours.text.split(separator: "\n").map { line in
            let report = try Report.read(line.utf8)
            let name = report.input.file?.split(separator: "/").last ?? ""
            return "\(name) \(report.kind) \(report.verdict) \(report.receipt?.inApp?.count ?? 0)"
        }
        #expect(python.text.split(separator: "\n").map { String($0) } == expected)
        #expect(expected.count == files.count)
    }

    @Test(arguments: [
        ("appattest-", "app-attest-receipt", "not-validated", nil, 0),
        ("othercms-", "other-cms", "undecodable", "not-a-receipt", 2),
        ("malformed-", "app-receipt", "undecodable", "truncated", 2),
    ])
    func otherThingsAreNamed(prefix: String, kind: String, verdict: String, reason: String?, status: Int32) throws {
        for path in corpusReceipts() where path.contains("/" + prefix) {
            let (report, exit) = try Report.of(try Corpus.bytes(path), "--no-validate")
            #expect(report.kind == kind)
            #expect(report.verdict == verdict)
            #expect(report.reason == reason)
            #expect(exit == status)
            #expect(report.status == (status == 0 ? nil : 21002))
        }
    }

    @Test(
        arguments: [
            (#"{"receipt-data":"AAA\/+","password":"x"}"#, "receipt-data", "AAA/+", nil),
            (
                #"{"id":7,"latest_receipt":"QQ","x":[{"receipt-data":"Qg"}]}"#, "receipt-data", "Qg",
                .literal(Array("7".utf8))
            ),
            (#" {"status":0,"latest_receipt":"\u0041\ud83d\ude00"} "#, "latest_receipt", "A😀", nil),
            (#"{"unified_receipt":{"latest_receipt":"Q"},"latest_receipt":"R"}"#, "latest_receipt", "Q", nil),
            (#"{"id":"a\"b","receipt-data":""}"#, "receipt-data", "", .string("a\"b")),
            (#"{"id":null,"receipt-data":"Q"}"#, "receipt-data", "Q", nil),
            (#"{"in":{"id":1},"receipt-data":"Q"}"#, "receipt-data", "Q", nil),
            (#"{"id":-1.5e+3,"receipt-data":"Q\ud83d\ude00"}"#, "receipt-data", "Q😀", .literal(Array("-1.5e+3".utf8))),
        ] as [(String, String, String, ReceiptInJSON.Identifier?)])
    func envelopes(json: String, member: String, text: String, id: ReceiptInJSON.Identifier?) {
        let envelope = ReceiptInJSON.find(in: json.utf8.span)
        #expect(envelope?.place.member == member && envelope?.text == Array(text.utf8) && envelope?.id == id)
        if let offset = envelope?.place.offset {
            #expect(Array(json.utf8)[offset - 1] == UInt8(ascii: "\""))
        }
        // The independent parser agrees that it is JSON.
        #expect(throws: Never.self) { try JSONDecoder().decode(AnyJSON.self, from: Data(json.utf8)) }
    }

    @Test(arguments: [
        // The strict reader takes no name twice, and no half of a surrogate pair.
        #"{"latest_receipt":"Q","latest_receipt":"R"}"#, #"{"receipt-data":"Q\ud800"}"#,
        "", "{", "{}", "[]", #"{"receipt-data":1}"#, #"{"receipt-data":"Q"} x"#, #"{"receipt-data":"Q",}"#,
        #"{"receipt-data":"Q""#,
        #"{"receipt-data" "Q"}"#, "{\"receipt-data\":\"Q\n\"}", #"{"a":01,"receipt-data":"Q"}"#,
        #"{"a":tru,"receipt-data":"Q"}"#,
        #"{"a":1.,"receipt-data":"Q"}"#, #"{"a":-,"receipt-data":"Q"}"#, #"{"receipt-data":"Q\"#,
        String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100),
        String(repeating: "[", count: 1_000_000),
    ])
    func noEnvelopes(json: String) {
        #expect(ReceiptInJSON.find(in: json.utf8.span) == nil)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func digests(message: String, expected: String) throws {
        // FIPS 180-4's examples.
        #expect(hex(try digest(Array(message.utf8)[...])) == expected)
    }
}

/// Any JSON at all.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
}
