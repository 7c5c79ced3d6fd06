import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct VerifyReceiptTests {
    /// An answer as Foundation's parser reads it, every number kept as it is written.
    struct Answer: Decodable {
        var status: Int
        var environment: String?
        var receipt: [String: Value]?
        var rejection: String?

        enum Value: Decodable, Equatable {
            case text(String)
            case number(Int64)
            case purchases([[String: String]])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else if let number = try? container.decode(Int64.self) {
                    self = .number(number)
                } else {
                    self = .purchases(try container.decode([[String: String]].self))
                }
            }
        }
    }

    static func answer(_ input: [UInt8], _ arguments: String..., files: [Input: [UInt8]] = [:]) throws -> (
        Answer, Int32
    ) {
        let host = TestHost(files.merging([.standardInput: input]) { $1 })
        let exit = host.run(arguments + ["--format", "verify-receipt"])
        #expect(host.errors.text == "")
        return (try JSONDecoder().decode(Answer.self, from: Data(host.output.bytes)), exit)
    }

    @Test(arguments: [
        ("", 0, 0), ("--bundle-id com.other", 0, 1), ("--product-id x", 0, 1), ("--environment production", 0, 0),
        ("--environment sandbox", 21008, 1), ("--environment Sandbox", 21008, 1),
        ("--at 1990-01-01T00:00:00Z", 21003, 1),
        ("--as-observed", 0, 0), ("--as-observed --at 1990-01-01T00:00:00Z", 21002, 1),
    ])
    func statuses(options: String, status: Int, exit: Int32) throws {
        let message = try ForgedReceipt().signed()
        let host = TestHost([
            .standardInput: Array(message.base64.utf8), .file("root"): try #require(message.anchors.first),
        ])
        let arguments =
            ["--root", "root", "--format", "verify-receipt"] + options.split(separator: " ").map { String($0) }
        #expect(host.run(arguments) == exit)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(host.output.bytes))
        #expect(answer.status == status)
        // Apple's endpoint sends nothing but the status when it is not 0.
        #expect((answer.receipt != nil) == (status == 0))
        // What was expected and is not so shows where the status cannot say it.
        #expect((answer.rejection != nil) == (status == 0 && exit == 1))
    }

    /// Each expectation of a line shows in its answer: in the status, or beside it.
    @Test(arguments: [
        ("bundle-id", "com.other", "0 bundle-identifier-mismatch"),
        ("app-version", "0", "0 application-version-mismatch"),
        ("product-id", "x", "0 product-missing"), ("transaction-id", "x", "0 transaction-missing"),
        ("device-id", "00", "0 device-mismatch"), ("environment", "SANDBOX", "21008"),
        ("environment", "nowhere", "21002"), ("at", "1990-01-01T00:00:00Z", "21003"), ("at", "soon", "21002"),
        ("bundle-id", "com.example.app", "0"), ("environment", "Production", "0"),
    ])
    func expectationsOfLines(name: String, value: String, expected: String) throws {
        let message = try ForgedReceipt().signed()
        let line = "{\"receipt-data\":\"\(message.base64)\",\"\(name)\":\"\(value)\"}"
        let host = TestHost([
            .standardInput: Array(line.utf8), .file("root"): try #require(message.anchors.first),
        ])
        _ = host.run(["--root", "root", "--format", "verify-receipt", "--lines"])
        let answer = try JSONDecoder().decode(Answer.self, from: Data(host.output.bytes))
        #expect("\(answer.status)" + (answer.rejection.map { " \($0)" } ?? "") == expected)
    }

    /// What the endpoint was seen to do, and what its documentation says, for text that is not as it should be.
    @Test(arguments: [
        (TextForm.surroundedBySpace, 0, 21002), (.base64URL, 0, 21002), (.unpadded, 0, 21002),
        (.cut(at: 1_000), 21002, 21002),
        (.inside("{\"receipt-data\":\"$\"}"), 0, 0), (.inside("$="), 0, 21002),
        // Of a repeated name the last counts, and line breaks in a value were sent; those after a file were not.
        (.inside("{\"receipt-data\":\"QQ==\",\"receipt-data\":\"$\"}"), 0, 0),
        (.inside("{\"receipt-data\":\"$\",\"receipt-data\":\"QQ==\"}"), 0, 21002),
        (.inside("{\"receipt-data\":\"$\\r\\n\"}"), 0, 21002), (.inside("$\n"), 0, 0),
    ])
    func behaviors(form: TextForm, documented: Int, observed: Int) throws {
        let message = try ForgedReceipt(bundleID: "com.example.b").signed()
        let files: [Input: [UInt8]] = [.file("root"): try #require(message.anchors.first)]
        let text = Array(message.text(form).utf8)
        #expect(try Self.answer(text, "--root", "root", files: files).0.status == documented)
        #expect(try Self.answer(text, "--root", "root", "--as-observed", files: files).0.status == observed)
    }

    /// Bytes after the receipt are ignored as observed, and are an error otherwise; long bodies are refused.
    @Test func observedLimits() throws {
        let message = try ForgedReceipt().signed()
        let policy = try ValidationPolicy(trusting: message.anchors)
        let validator = try ReceiptValidator(policy: policy)
        func status(_ bytes: [UInt8], _ behavior: VerifyReceiptResponse.Behavior) throws -> Int {
            let text = Array(Data(bytes).base64EncodedString().utf8)
            return try validator.verifyReceipt(receiptData: text, behavior: behavior).status.rawValue
        }
        #expect(try status(message.bytes, .observed) == 0)
        #expect(try status(message.bytes + [1, 2, 3], .observed) == 0)
        #expect(try status(message.bytes + [1, 2, 3], .documented) == 21002)
        // 3,145,728 characters are accepted, four more are not.
        let longest = message.bytes + Array(repeating: 1, count: 3_145_728 / 4 * 3 - message.bytes.count)
        #expect(try status(longest, .observed) == 0)
        #expect(try status(longest + [1, 1, 1], .observed) == 21002)
        var edited = message.bytes
        edited[edited.count - 1] ^= 1
        #expect(try status(edited, .observed) == 21002)
        #expect(try status(edited, .documented) == 21003)
    }

    /// Numbers where Apple sends numbers, none of them rounded; strings inside in_app; only what there is.
    @Test func keysAndTypes() throws {
        var receipt = ForgedReceipt(environment: .productionVPP)
        receipt.downloadID = 9_007_199_254_740_993
        receipt.appItemID = .max
        receipt.creationDate = "2025-06-01T12:00:00.120Z"
        receipt.purchases = [
            ForgedPurchase.autoRenewable("pro").inTrial().withPromotionalOffer("o").refunded(
                at: "2025-01-20T00:00:00Z", reason: 1
            )
            .familyShared().with { $0.webOrderLineItemID = .max },
            ForgedPurchase.consumable("coins", quantity: 3).transaction("2"),
        ]
        let message = try receipt.signed()
        let root = try #require(message.anchors.first)
        let (answer, _) = try Self.answer(
            message.bytes, "--root", "root", "--request-date", "2025-07-04T00:00:00Z", files: [.file("root"): root])
        #expect(answer.environment == "Production")
        let keys = try #require(answer.receipt)
        #expect(keys["download_id"] == .number(9_007_199_254_740_993))
        #expect(keys["adam_id"] == .number(.max) && keys["app_item_id"] == .number(.max))
        #expect(keys["receipt_creation_date"] == .text("2025-06-01 12:00:00 Etc/GMT"))
        #expect(keys["receipt_creation_date_ms"] == .text("1748779200120"))
        #expect(keys["receipt_creation_date_pst"] == .text("2025-06-01 05:00:00 America/Los_Angeles"))
        #expect(keys["request_date_pst"] == .text("2025-07-03 17:00:00 America/Los_Angeles"))
        #expect(keys["expiration_date"] == .text("2026-06-01 12:00:00 Etc/GMT"))
        #expect(keys["preorder_date"] == nil)
        guard case .purchases(let purchases)? = keys["in_app"] else { throw TestFailure("in_app") }
        let pro = try #require(purchases.first { $0["product_id"] == "pro" })
        #expect(pro["web_order_line_item_id"] == "9223372036854775807")
        #expect(pro["is_trial_period"] == "true" && pro["is_in_intro_offer_period"] == "false")
        #expect(pro["promotional_offer_id"] == "o" && pro["in_app_ownership_type"] == "FAMILY_SHARED")
        #expect(pro["cancellation_reason"] == "1" && pro["cancellation_date_ms"] == "1737331200000")
        let coins = try #require(purchases.first { $0["product_id"] == "coins" })
        #expect(coins["quantity"] == "3")
        #expect(
            coins["web_order_line_item_id"] == nil && coins["expires_date"] == nil && coins["cancellation_date"] == nil)
    }

    /// The order of the keys is fixed.
    @Test func orderOfKeys() throws {
        var receipt = ForgedReceipt()
        receipt.purchases = [.autoRenewable("pro")]
        let message = try receipt.signed()
        let host = TestHost([.standardInput: message.bytes, .file("root"): try #require(message.anchors.first)])
        _ = host.run("--root", "root", "--format", "verify-receipt")
        let keys = host.output.text.split(separator: "\n").compactMap { line in
            line.split(separator: "\"").dropFirst().first.map { String($0) }
        }
        func triple(_ name: String) -> [String] { [name, name + "_ms", name + "_pst"] }
        var expected = ["status", "environment", "receipt", "receipt_type", "adam_id", "app_item_id", "bundle_id"]
        expected += [
            "application_version", "download_id", "version_external_identifier", "original_application_version",
        ]
        expected +=
            triple("receipt_creation_date") + triple("original_purchase_date") + ["in_app", "quantity", "product_id"]
        expected +=
            ["transaction_id", "original_transaction_id"] + triple("purchase_date") + triple("original_purchase_date")
        expected += triple("expires_date") + ["web_order_line_item_id", "is_trial_period", "is_in_intro_offer_period"]
        expected += ["in_app_ownership_type"]
        #expect(keys == expected)
    }

    /// Every genuine receipt's answer equals one that Python derives from the independent decode, with its own calendar.
    @Test(.enabled(if: Corpus.directory != nil), pythonWithTimeZones)
    func answersEqualAnIndependentDerivation() throws {
        let names = Corpus.paths("expected", suffix: ".json").filter {
            !$0.contains("mas-2010") && !$0.contains("xcode-")
        }
        #expect(names.count > 30)
        let receipts = names.map { $0.replacing("/expected/", with: "/receipts/").replacing(".json", with: ".der") }
        let ours = try Binary.run(["--format", "verify-receipt"] + receipts)
        #expect(ours.status == 0, "\(ours.errors)")
        let python = try Binary.run(program: "/usr/bin/env", ["python3", "-c", derivation] + names, input: ours.output)
        #expect(python.status == 0)
        #expect(python.text == "\(names.count) equal\n", "\(python.text.prefix(2_000)) \(python.errors)")
    }

    /// Instants around every change of the clocks from 1967 on, against Python's time zone database.
    @Test(pythonWithTimeZones)
    func pacificTimeEqualsTheTimeZoneDatabase() throws {
        let program = """
            import zoneinfo, datetime
            la, utc = zoneinfo.ZoneInfo("America/Los_Angeles"), datetime.timezone.utc
            epoch = datetime.datetime(1970, 1, 1, tzinfo=utc)
            def show(t): print(t, (epoch + datetime.timedelta(seconds=t)).astimezone(la).strftime("%Y-%m-%d %H:%M:%S"))
            def offset(t): return (epoch + datetime.timedelta(seconds=t)).astimezone(la).utcoffset()
            day, t = 86400, -94694400
            while t < 4102444800:
                if offset(t) != offset(t + day):
                    low, high = t, t + day
                    while high - low > 1:
                        middle = (low + high) // 2
                        low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
                    for x in (low - 3600, low, high, high + 3600): show(x)
                show(t)
                t += day * 5 + 12345
            """
        let python = try Binary.run(program: "/usr/bin/env", ["python3", "-c", program])
        let lines = python.text.split(separator: "\n")
        #expect(lines.count > 9_000)
        for line in lines {
            let seconds = try #require(Int64(line.prefix { $0 != " " }))
            let ours = ReceiptDate(millisecondsSince1970: seconds * 1_000 + 999).verifyReceiptPST
            let isEqual = ours == line.drop { $0 != " " }.dropFirst() + " America/Los_Angeles"
            #expect(isEqual, "\(line) \(ours)")
            if !isEqual { break }
        }
    }

    @Test(arguments: [
        ("2013-08-01T07:00:00Z", "2013-08-01 00:00:00"), ("2007-03-11T09:59:59Z", "2007-03-11 01:59:59"),
        ("2007-03-11T10:00:00Z", "2007-03-11 03:00:00"), ("2007-11-04T08:59:59Z", "2007-11-04 01:59:59"),
        ("2007-11-04T09:00:00Z", "2007-11-04 01:00:00"), ("2006-04-02T10:00:00Z", "2006-04-02 03:00:00"),
        ("2006-10-29T09:00:00Z", "2006-10-29 01:00:00"), ("1974-01-06T10:00:00Z", "1974-01-06 03:00:00"),
        ("1967-04-30T09:59:59Z", "1967-04-30 01:59:59"), ("1960-07-01T00:00:00Z", "1960-06-30 16:00:00"),
        ("4001-01-01T00:00:00Z", "4000-12-31 16:00:00"),
        ("4001-07-01T00:00:00Z", "4001-06-30 17:00:00"), ("0001-01-01T12:00:00Z", "0001-01-01 04:00:00"),
    ])
    func pacificTime(date: String, expected: String) throws {
        let date = try #require(ReceiptDate(rfc3339: date))
        #expect(date.verifyReceiptPST == expected + " America/Los_Angeles")
    }

    /// iOS 6-style receipts answer with their purchase-info, and 21006 once a subscription is over.
    @Test(
        arguments: Corpus.paths("receipts", suffix: ".plist").filter {
            $0.contains("vpnclient") || $0.contains("mbaasy")
        })
    func transactionReceipts(path: String) throws {
        let authority = (Corpus.directory ?? "") + "/certificates/AppleiTunesStoreCA-2009.cer"
        let files: [Input: [UInt8]] = [.file("ca"): try Corpus.bytes(authority)]
        let (answer, exit) = try Self.answer(try Corpus.bytes(path), "--intermediate", "ca", files: files)
        #expect(answer.status == 0 && exit == 0)
        #expect(answer.receipt?["bvrs"] != nil && answer.receipt?["original_transaction_id"] != nil)
        #expect(answer.receipt?.keys.contains { $0.contains("-") } == false)
    }

    @Test(arguments: [
        (
            ["--format", "verify-receipt", "--no-validate"],
            "--format verify-receipt is a verdict, so --no-validate has no place beside it"
        ),
        (["--request-date", "now"], "--request-date is for --format verify-receipt only"),
        (["--as-observed", "--format=json"], "--as-observed is for --format verify-receipt only"),
        (["--format=asn1", "--redact"], "--redact works with text, json and html, not with --format asn1"),
        (
            ["--format=verify-receipt", "--request-date", "yesterday"],
            "--request-date must be now or a date such as 2024-05-01T12:00:00Z, not 'yesterday'"
        ),
    ])
    func usage(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try parseArguments(arguments) }
    }
}

struct TestFailure: Error {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Skips a test where there is no Python with a time zone database.
private let pythonWithTimeZones = ConditionTrait.enabled("python3 with a time zone database is not installed") {
    let program = "import zoneinfo; zoneinfo.ZoneInfo('America/Los_Angeles')"
    return try Program.areRequired || Binary.run(program: "/usr/bin/env", ["python3", "-c", program]).status == 0
}

/// Derives verifyReceipt's answer from the independent decode and compares it with the one on standard input.
private let derivation = """
    import json, sys, zoneinfo, datetime
    la = zoneinfo.ZoneInfo("America/Los_Angeles")
    def triple(out, name, text):
        if not text: return
        if text.endswith("Z"): text = text[:-1] + "+0000"
        date = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z" if "." in text else "%Y-%m-%dT%H:%M:%S%z")
        utc = date.astimezone(datetime.timezone.utc)
        out[name] = utc.strftime("%Y-%m-%d %H:%M:%S Etc/GMT")
        out[name + "_ms"] = str(round((utc - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) / datetime.timedelta(milliseconds=1)))
        out[name + "_pst"] = utc.astimezone(la).strftime("%Y-%m-%d %H:%M:%S America/Los_Angeles")
    def get(attributes, type): return next((a.get("value") for a in attributes if a["type"] == type), None)
    def put(out, name, value):
        if value not in (None, ""): out[name] = value
    def purchase(attributes):
        out = {}
        for type, name in ((1701, "quantity"), (1702, "product_id"), (1703, "transaction_id"), (1705, "original_transaction_id"),
                           (1720, "cancellation_reason"), (1721, "promotional_offer_id")):
            put(out, name, get(attributes, type))
        for type, name in ((1704, "purchase_date"), (1706, "original_purchase_date"), (1708, "expires_date"), (1712, "cancellation_date")):
            triple(out, name, get(attributes, type))
        if get(attributes, 1711) not in (None, "0"): out["web_order_line_item_id"] = get(attributes, 1711)
        for type, name in ((1713, "is_trial_period"), (1719, "is_in_intro_offer_period")):
            if get(attributes, type) is not None: out[name] = "false" if get(attributes, type) == "0" else "true"
        if get(attributes, 1722) is not None: out["in_app_ownership_type"] = {"0": "PURCHASED", "1": "FAMILY_SHARED"}[get(attributes, 1722)]
        return out
    def answer(attributes):
        out = {}
        for type, name in ((0, "receipt_type"), (2, "bundle_id"), (3, "application_version"), (19, "original_application_version")):
            put(out, name, get(attributes, type))
        for type, names in ((1, ("adam_id", "app_item_id")), (15, ("download_id",)), (16, ("version_external_identifier",))):
            for name in names:
                if get(attributes, type) is not None: out[name] = int(get(attributes, type))
        for type, name in ((12, "receipt_creation_date"), (18, "original_purchase_date"), (21, "expiration_date"), (32, "preorder_date")):
            triple(out, name, get(attributes, type))
        out["in_app"] = [purchase(a["in_app"]) for a in attributes if a["type"] == 17]
        return {"status": 0, "environment": "Sandbox" if "Sandbox" in out["receipt_type"] else "Production", "receipt": out}
    equal = 0
    for path, line in zip(sys.argv[1:], sys.stdin.buffer.read().decode("utf-8").splitlines()):
        expected, ours = answer(json.load(open(path))["attributes"]), json.loads(line)
        if expected == ours: equal += 1
        else:
            for key in sorted(set(expected["receipt"]) | set(ours["receipt"])):
                if expected["receipt"].get(key) != ours["receipt"].get(key): print(path, key, expected["receipt"].get(key), ours["receipt"].get(key))
    print(equal, "equal")
    """
