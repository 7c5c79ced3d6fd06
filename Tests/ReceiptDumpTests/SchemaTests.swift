import Foundation
import ReceiptForge
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// The published JSON Schema, and every answer held to it.
@Suite struct SchemaTests {
    static let schema: JSONSchema = {
        do { return try JSONSchema(path: Corpus.fixtures + "/../docs/report.schema.json") } catch { return .nothing }
    }()

    /// The schema itself uses what the validator of these tests knows, and refuses what it should.
    @Test func schemaCanSayNo() throws {
        #expect(!Self.schema.isNothing)
        let good = try Self.report([], of: try ForgedReceipt().signed().bytes)
        #expect(Self.schema.problems(good, "report") == [])
        var members = try #require(good as? [String: Any])
        members["verdict"] = "maybe"
        #expect(Self.schema.problems(members, "report") == ["/verdict: none of the enumerated values"])
        members = try #require(good as? [String: Any])
        members["checks"] = nil
        #expect(Self.schema.problems(members, "report") == ["/: checks is missing"])
        members["checks"] = []
        members["unheard_of"] = 1
        #expect(Self.schema.problems(members, "report") == ["/unheard_of: not in the schema"])
    }

    static func report(_ arguments: [String], of bytes: [UInt8]) throws -> Any {
        let host = TestHost([.standardInput: bytes])
        _ = host.run(arguments + ["--format", "json"])
        return try JSONSerialization.jsonObject(with: Data(host.output.bytes))
    }

    static let inputs: [(name: String, bytes: [UInt8])] = {
        var inputs: [(String, [UInt8])] = [
            ("empty", []), ("text", Array("hello".utf8)), ("json", Array("{\"id\":1}".utf8)),
            ("jws", Array("eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2ln".utf8)),
        ]
        do {
            for page in ["history", "hostile", "xcode", "empty", "volume", "cut", "repaired", "request", "edited"] {
                inputs.append((page, try TextReportTests.bytes(page).input))
            }
            inputs.append(
                ("transaction", try #require(try TransactionReceiptDumpTests.host().files[.standardInput])))
        } catch {
            Issue.record("\(error)")
        }
        return inputs
    }()

    @Test(arguments: [
        [], ["--no-validate"], ["--redact"], ["--lines"], ["--lines", "--redact"], ["--lines", "--brief"],
        ["--lines", "--brief", "--redact", "--at", "2026-01-01T00:00:00Z"], ["--newest", "1"],
    ])
    func everyAnswer(arguments: [String]) throws {
        for (name, bytes) in Self.inputs {
            let isLines = arguments.contains("--lines")
            let input = isLines && bytes.first == 0x30 ? Array(Data(bytes).base64EncodedData()) : bytes
            let host = TestHost([.standardInput: input])
            _ = host.run(arguments + (isLines ? [] : ["--format", "json"]))
            let lines = isLines ? host.output.bytes.split(separator: 0x0A) : [host.output.bytes[...]]
            for line in lines {
                let answer = try JSONSerialization.jsonObject(with: Data(line))
                let kind = arguments.contains("--brief") ? "brief" : "report"
                #expect(Self.schema.problems(answer, kind) == [], "\(name) with \(arguments)")
            }
        }
    }

    @Test func differences() throws {
        let host = try DifferenceTests.host(DifferenceTests.old, DifferenceTests.new)
        _ = host.run("--diff", "--format", "json", "a", "b")
        #expect(
            Self.schema.problems(try JSONSerialization.jsonObject(with: Data(host.output.bytes)), "difference") == [])
    }
}

/// As much of JSON Schema (draft 2020-12) as the published file uses; a keyword that it does not know is a problem.
/// Stricter than the draft in one thing: a member that the schema does not name is a problem, too.
struct JSONSchema: @unchecked Sendable {
    private let root: [String: Any]
    static let nothing = JSONSchema(root: [:])
    var isNothing: Bool { root.isEmpty }

    private init(root: [String: Any]) { self.root = root }

    init(path: String) throws {
        let json = try JSONSerialization.jsonObject(with: Data(try Corpus.bytes(path)))
        root = try #require(json as? [String: Any])
    }

    /// What is wrong with a value, by the path of the member; the definition is one of `$defs`.
    func problems(_ value: Any, _ definition: String) -> [String] {
        guard let schema = (root["$defs"] as? [String: Any])?[definition] as? [String: Any] else {
            return ["there is no definition \(definition)"]
        }
        return problems(value, schema, "")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var problems: [String] = []
        let at = path.isEmpty ? "/" : path
        for (keyword, rule) in schema {
            switch keyword {
            case "description", "required", "properties": break
            case "$ref":
                let name = (rule as? String)?.split(separator: "/").last.map { String($0) } ?? ""
                guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                    return ["\(at): no such definition \(name)"]
                }
                problems += self.problems(value, target, path)
            case "type":
                let types = (rule as? [String]) ?? [(rule as? String) ?? ""]
                if !types.contains(where: { Self.isOf($0, value) }) { problems.append("\(at): not of type \(types)") }
            case "enum":
                let values = rule as? [Any] ?? []
                if !values.contains(where: { Self.equal($0, value) }) {
                    problems.append("\(at): none of the enumerated values")
                }
            case "const": if !Self.equal(rule, value) { problems.append("\(at): not the constant") }
            case "minimum":
                if let number = value as? NSNumber, let least = rule as? NSNumber,
                    number.compare(least) == .orderedAscending
                {
                    problems.append("\(at): too small")
                }
            case "items":
                guard let array = value as? [Any], let inner = rule as? [String: Any] else { break }
                for (index, element) in array.enumerated() {
                    problems += self.problems(element, inner, "\(path)/\(index)")
                }
            case "anyOf":
                let choices = rule as? [[String: Any]] ?? []
                let attempts = choices.map { self.problems(value, $0, path) }
                if !attempts.contains([]) { problems += attempts.min { $0.count < $1.count } ?? ["\(at): no choice"] }
            default: problems.append("\(at): keyword \(keyword) is not known to the test")
            }
        }
        if let object = value as? [String: Any], let properties = schema["properties"] as? [String: [String: Any]] {
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                problems.append("\(at): \(name) is missing")
            }
            for (name, member) in object {
                if let inner = properties[name] {
                    problems += self.problems(member, inner, "\(path)/\(name)")
                } else {
                    problems.append("\(path)/\(name): not in the schema")
                }
            }
        }
        return problems
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        let number = value as? NSNumber
        let isBool = number.map { CFBoolean.isBool($0) } ?? false
        switch type {
        case "null": return value is NSNull
        case "string": return value is String
        case "boolean": return isBool
        case "integer":
            return number != nil && !isBool && number.map { $0.doubleValue.rounded() == $0.doubleValue } == true
        case "number": return number != nil && !isBool
        case "array": return value is [Any]
        case "object": return value is [String: Any]
        default: return false
        }
    }

    private static func equal(_ left: Any, _ right: Any) -> Bool {
        if left is NSNull || right is NSNull { return left is NSNull && right is NSNull }
        if let left = left as? String, let right = right as? String { return left == right }
        if let left = left as? NSNumber, let right = right as? NSNumber { return left == right }
        return false
    }
}

private enum CFBoolean {
    /// Foundation's JSON reader gives numbers and booleans as one class.
    static func isBool(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
