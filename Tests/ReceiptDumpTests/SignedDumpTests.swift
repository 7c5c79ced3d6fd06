import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import receipt_dump

/// Signed JSON and App Attest receipts through the tool.
@Suite struct SignedDumpTests {
    /// Runs the tool over an input under the root of a forged JWS; the answer as JSON.
    static func run(_ input: [UInt8], _ arguments: [String] = [], root: [UInt8]? = nil) throws -> (Int32, [String: Any])
    {
        var files: [Input: [UInt8]] = [.standardInput: input]
        if let root { files[.file("root.cer")] = root }
        let host = TestHost(files)
        let status = host.run(["--format", "json"] + (root == nil ? [] : ["--root", "root.cer"]) + arguments)
        let object = try JSONSerialization.jsonObject(with: Data(host.output.bytes)) as? [String: Any]
        return (status, try #require(object))
    }

    static func notification() throws -> (text: String, root: [UInt8]) {
        let outer = try ForgedJWS(
            .notification(data: [
                .init("signedTransactionInfo", ForgedPayload.text(try ForgedJWS(.transaction()).text())),
                .init("signedRenewalInfo", ForgedPayload.text(try ForgedJWS(.renewalInfo()).text())),
            ]))
        return (try outer.text(), try #require(outer.anchors.first))
    }

    @Test(arguments: [
        ("signed-transaction", ForgedPayload.transaction()), ("signed-renewal-info", .renewalInfo()),
        ("signed-app-transaction", .appTransaction()), ("notification", .notification("TEST")),
    ])
    func eachKindHasItsName(kind: String, payload: ForgedPayload) throws {
        let jws = try ForgedJWS(payload)
        let (status, report) = try Self.run(Array(try jws.text().utf8), root: jws.anchors[0])
        #expect(status == 0 && report["verdict"] as? String == "valid" && report["kind"] as? String == kind)
        #expect((report["input"] as? [String: Any])?["form"] as? String == "jws")
        let signed = try JSONSerialization.jsonObject(with: Data(payload.bytes)) as? NSDictionary
        #expect(report["payload"] as? NSDictionary == signed)
        #expect((report["certificates"] as? [Any])?.count == 3)
    }

    @Test func aNotificationShowsWhatIsInside() throws {
        let (text, root) = try Self.notification()
        let body = Array("{\"signedPayload\":\"\(text)\"}".utf8)
        let (status, report) = try Self.run(body, ["--bundle-id", "com.example.app"], root: root)
        #expect(status == 0)
        let transaction = try #require(report["transaction"] as? [String: Any])
        #expect(transaction["kind"] as? String == "signed-transaction" && transaction["verdict"] as? String == "valid")
        let renewal = try #require(report["renewal_info"] as? [String: Any])
        #expect(renewal["kind"] as? String == "signed-renewal-info" && renewal["verdict"] as? String == "valid")
        #expect((report["input"] as? [String: Any])?["found_in"] is [String: Any])
        let (rejected, other) = try Self.run(body, ["--bundle-id", "com.example.b"], root: root)
        #expect(rejected == 1 && other["reason"] as? String == "bundle-identifier-mismatch")
        let (untrusted, apple) = try Self.run(body)
        #expect(untrusted == 1 && apple["reason"] as? String == "untrusted-root")
    }

    @Test func redactionHidesWhatIdentifies() throws {
        let (text, root) = try Self.notification()
        for arguments in [["--format", "json"], ["--format", "text", "--all"], ["--lines"]] {
            let host = TestHost([.standardInput: Array(text.utf8), .file("root.cer"): root])
            _ = host.run(arguments + ["--redact", "--root", "root.cer"])
            let output = String(decoding: host.output.bytes, as: UTF8.self)
            for secret in ["com.example", "20000010249", "7048974699", "1470168868", "1a7cdc3d", "eyJ"] {
                #expect(!output.contains(secret), "\(secret) with \(arguments)")
            }
            #expect(output.contains("DID_RENEW") && output.contains("Production"))
        }
    }

    @Test func linesMayBeOfAnyKind() throws {
        let (text, root) = try Self.notification()
        let transaction = try ForgedJWS(.transaction()).text()
        let lines = [transaction, "{\"signedPayload\":\"\(text)\"}", transaction.dropLast(2) + "", "hello"]
        let host = TestHost([
            .standardInput: Array(lines.joined(separator: "\n").utf8), .file("root.cer"): root,
        ])
        _ = host.run(["--lines", "--root", "root.cer"])
        let verdicts = host.output.bytes.split(separator: 0x0A).map { line in
            // A line that is no JSON is a failure below.
            ((try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any])?["verdict"] as? String
        }
        #expect(verdicts == ["valid", "valid", "undecodable", "undecodable"])
    }

    @Test(arguments: Corpus.paths("jws", suffix: ".jws") + Corpus.paths("appattest/receipts", suffix: ".der"))
    func genuineOnes(path: String) throws {
        let name = String(path.split(separator: "/").last ?? "")
        let (status, report) = try Self.run(try Corpus.bytes(path))
        let isMalformed =
            name.contains("-2020081") || name.contains("-2020082") || name.contains("-202009")
            || name.contains("-20201003")
        let isValid = name.hasPrefix("apple-") || name.hasPrefix("appattest-") && !isMalformed
        #expect((status == 0) == isValid, "\(name): \(report["reason"] ?? "")")
        if name.hasPrefix("appattest-") {
            let payload = try #require(report["payload"] as? [String: Any])
            #expect(payload["app_id"] is String && payload["key_id"] is String)
        }
    }

    @Test func differencesAreShownByTheirPaths() throws {
        let jws = try ForgedJWS(.transaction())
        let other = try ForgedJWS(.transaction().with(["price": "2990", "currency": nil, "offerType": "1"]))
        let host = TestHost([
            .file("a"): Array(try jws.text().utf8), .file("b"): Array(try other.text().utf8),
        ])
        #expect(host.run(["--diff", "a", "b", "--no-validate"]) != 70)
        let text = host.output.text
        for change in ["- price  1990", "+ price  2990", "- currency  AUD", "+ offerType  1"] {
            #expect(text.contains(change), "\(text)")
        }
        #expect(!text.contains("productId"))
    }
}
