import Foundation
import ReceiptJSON
import TestSupport
import Testing

/// What Python's `json` makes of the same texts, with duplicate names, constants and lone surrogates refused: verdicts and
/// values must be equal.
@Suite struct PythonOracleTests {
    /// Reads texts, one in hexadecimal a line; writes one canonical form a line, or `-`.
    static let program = #"""
        import json, sys
        def pairs(items):
            names = [name for name, _ in items]
            if len(set(names)) != len(names): raise ValueError("duplicate")
            return dict(items)
        def constant(name): raise ValueError(name)
        class Number(str): pass
        def form(value):
            if isinstance(value, Number): return "#" + value
            if isinstance(value, str): return "'" + value.encode("utf-8").hex()
            if isinstance(value, dict):
                return "{" + "".join(form(k) + ":" + form(v) + "," for k, v in value.items()) + "}"
            if isinstance(value, list): return "[" + "".join(form(v) + "," for v in value) + "]"
            return {True: "t", False: "f", None: "n"}[value]
        for line in sys.stdin:
            try:
                text = bytes.fromhex(line.strip()).decode("utf-8")
                value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant,
                                   parse_int=Number, parse_float=Number)
                print(form(value))
            except (ValueError, RecursionError):
                print("-")
        """#

    @Test(.enabled(if: Program.python3.isWanted, "python3 is not installed"))
    func agreesWithPython() throws {
        let texts = Self.texts()
        let lines = try #require(
            try Self.python(texts), "python3 gives no answer")
        #expect(lines.count == texts.count)
        var accepted = 0
        for (text, line) in zip(texts, lines) {
            let own = Self.form(text)
            if own != "-" { accepted += 1 }
            if own != line { #expect(own == line, "\(String(decoding: text, as: UTF8.self))") }
        }
        // Neither side says the same to everything.
        #expect(accepted > texts.count / 50 && accepted < texts.count / 2)
    }

    /// The table's texts, and mutations of them: a byte changed, removed, doubled, a piece of another put in.
    static func texts() -> [[UInt8]] {
        var random = SplitMix(state: 7)
        let seeds = JSONTableTests.taken.map { Array($0.utf8) } + JSONTableTests.refused.map(\.text)
        // Mostly what is taken is changed: most of what is refused stays so.
        let taken = JSONTableTests.taken.count
        var texts = seeds
        let alphabet = Array("{}[]:,\"\\u0019eE+-.dD8Ctfn \t\u{1}é".utf8)
        for _ in 0..<20_000 {
            var text = seeds[Int.random(in: 0..<(random.next() % 4 == 0 ? seeds.count : taken), using: &random)]
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where place < text.count: text[place] = alphabet.randomElement(using: &random) ?? 0
                case 1 where place < text.count: text.remove(at: place)
                case 2: text.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                case 3 where place < text.count: text[place] = UInt8.random(in: .min ... .max, using: &random)
                default:
                    let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
                    text.insert(contentsOf: other, at: place)
                }
            }
            texts.append(text)
        }
        return texts
    }

    static func form(_ text: [UInt8]) -> String {
        // What is refused has no form.
        guard let document = try? JSONDocument(text.span) else { return "-" }
        return form(document.root, document, text)
    }

    private static func form(_ value: JSONValue, _ document: JSONDocument, _ text: [UInt8]) -> String {
        switch value.kind {
        case .object:
            let members = document.members(of: value).map { member in
                "'" + hex(member.name.text(in: text.span)) + ":" + form(member.value, document, text) + ","
            }
            return "{" + members.joined() + "}"
        case .array:
            return "[" + document.elements(of: value).map { form($0, document, text) + "," }.joined() + "]"
        case .string: return "'" + hex(value.string(in: text.span) ?? "?")
        case .number: return "#" + String(decoding: text[value.range], as: UTF8.self)
        case .true: return "t"
        case .false: return "f"
        case .null, .name: return "n"
        }
    }

    private static func hex(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func python(_ texts: [[UInt8]]) throws -> [String]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appending(path: "texts")
        let output = folder.appending(path: "forms")
        var data = Data()
        let digits = Array("0123456789abcdef".utf8)
        for text in texts {
            for byte in text { data.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]]) }
            data.append(0x0A)
        }
        try data.write(to: input)
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
