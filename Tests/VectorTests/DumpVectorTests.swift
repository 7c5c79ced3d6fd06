import AppStoreReceipt
import Foundation
import TestSupport
import Testing
import VectorRecipe

@testable import ReceiptReport
@testable import receipt_dump

/// Every vector through receipt-dump, as text and as JSON.
struct DumpVectorTests {
    @Test(arguments: VectorFiles.all)
    func dump(vector: Vector) throws {
        let arguments = try Self.arguments(vector)
        let json = Self.run(arguments + ["--format", "json"], vector)
        let text = Self.run(arguments, vector)
        #expect(json.status == text.status)
        #expect(text.output.count > 20)
        #expect(Self.isSafeForTerminals(text.output), "control characters in the text report")
        let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
        guard Self.canBeAsked(vector) else { return }
        switch try vector.expectation {
        case .valid: #expect(report.verdict == "valid" && report.reason == nil && json.status == 0)
        case .rejected(let reason):
            #expect(report.verdict == "rejected" && report.reason == reason && json.status == 1)
        case .undecodable(let code, _): expectUndecodable(report, json.status, code, vector)
        }
    }

    /// The tool is more helpful than the library: it mends what transport decoding mends, takes receipts out of JSON,
    /// takes iOS 6-style ones, and names a message that is no receipt.
    private func expectUndecodable(_ report: Report, _ status: Int32, _ code: String, _ vector: Vector) {
        var codes = [code]
        // The tool reads signed JSON, and says what is wrong with it.
        if code == "jws", report.kind == "jws", report.verdict == "undecodable", status == 2 { return }
        do throws(ReceiptDecodingError) {
            let transport = try TransportDecoding(vector.input)
            if transport.repairs.contains(where: { $0.code == .trailingBytes }) { return }
            // The tool takes receipts of both kinds.
            if transport.content == .transactionReceipt, vector.group != "transaction" { return }
        } catch {
            if error.code == .verifyReceiptRequest { return }
            if error.code == .transactionReceipt, vector.group != "transaction" { return }
            codes.append(error.code.rawValue)
        }
        if code == "wrong-kind" {
            // Well-formed, and of no kind that is known: as a container that holds no receipt.
            #expect(report.verdict == "rejected" && report.reason == code && status == 1)
        } else if report.kind == "other-cms" {
            #expect(report.verdict == "rejected" && report.reason == "not-a-receipt" && status == 1)
        } else {
            #expect(report.verdict == "undecodable" && codes.contains(report.reason ?? "") && status == 2, "\(report)")
        }
    }

    /// The part of the JSON report that all vectors have a word about.
    private struct Report: Decodable {
        var kind: String
        var verdict: String
        var reason: String?
    }

    /// The command line has no option for a maximum age, for SHA-1, for the limits, and for a date of the request; and
    /// who passes the authority of purchase receipts accepts it.
    private static func canBeAsked(_ vector: Vector) -> Bool {
        let isPinned = vector.all(.intermediate).allSatisfy { name in
            !name.hasPrefix("purchase-receipts") || vector.all(.authority).contains(name)
        }
        return isPinned && [Vector.Key.sha1, .maximumAge, .limit, .now, .attestedType].allSatisfy { vector[$0] == nil }
    }

    private static func arguments(_ vector: Vector) throws -> [String] {
        var arguments: [String] = []
        for root in vector.all(.root) where root != "apple" { arguments += ["--root", path(root)] }
        for name in vector.all(.intermediate) {
            arguments += ["--intermediate", "\(Corpus.fixtures)/intermediates/\(name).pem"]
        }
        if vector[.unsignedEnvironment] != nil { arguments.append("--accept-unsigned-environment") }
        if let time = vector[.at] { arguments += ["--at", time] }
        let options: [(Vector.Key, String)] = [
            (.bundleID, "--bundle-id"), (.environment, "--environment"), (.appVersion, "--app-version"),
            (.deviceID, "--device-id"), (.productID, "--product-id"), (.transactionID, "--transaction-id"),
            (.appAppleID, "--app-apple-id"), (.accountToken, "--account-token"), (.attestedApp, "--attested-app"),
            (.attestedKey, "--attested-key"),
        ]
        for (key, option) in options {
            for value in vector.all(key) { arguments += [option, value] }
        }
        return arguments
    }

    private static func path(_ root: String) -> String { "\(Corpus.fixtures)/roots/\(root).pem" }

    private static func run(_ arguments: [String], _ vector: Vector) -> (status: Int32, output: [UInt8]) {
        let output = Sink()
        let host = Host(
            output: output, errors: Sink(), files: Files(standardInput: vector.input),
            now: { ReceiptDate(millisecondsSince1970: 1_780_000_000_000) })
        return (receipt_dump.run(arguments, host: host), output.bytes)
    }

    /// No control character but the line feed, and nothing that turns text around.
    private static func isSafeForTerminals(_ text: [UInt8]) -> Bool {
        String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A: true
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
    }

    private final class Sink: ByteSink {
        var bytes: [UInt8] = []
        func write(_ bytes: [UInt8]) throws(WriteError) { self.bytes += bytes }
    }

    private struct Files: ByteSource {
        var standardInput: [UInt8]
        func read(_ input: Input) throws(ReadError) -> [UInt8] {
            switch input {
            case .standardInput: return standardInput
            case .file(let path):
                guard let bytes = try? Corpus.bytes(path) else { throw ReadError(message: "no such file") }
                return bytes
            }
        }
    }
}
