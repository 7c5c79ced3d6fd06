import AppStoreReceiptValidation
import Foundation
import ReceiptASN1
import ReceiptJSON
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct OutputTests {
    /// Each scalar value that could matter, and its neighbours.
    static let awkward: [String] = {
        var strings = [
            "", "plain", "\"\\\u{08}\u{0C}\n\r\t/", "\u{2028}\u{2029}", "\u{202E}abc\u{202C}", "😀 é 漢 \u{10FFFF}",
        ]
        strings += (0...0x21).compactMap { Unicode.Scalar($0).map { "a\($0)b" } }
        strings += (0x7E...0xA1).compactMap { Unicode.Scalar($0).map { "\($0)" } }
        // Among others, at each place of the words that are looked at.
        for value: UInt32 in [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F, 0x80, 0xE9] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for place in 0..<18 {
                let before = String(repeating: "\u{7E} ", count: place)
                strings.append(before.prefix(place) + "\(scalar)" + "!0123456789abcdef".prefix(17 - place))
            }
        }
        return strings
    }()

    private static func awkwardRows(pretty: Bool) -> JSONWriter {
        var writer = JSONWriter(pretty: pretty)
        writer.beginArray()
        for text in awkward {
            writer.beginObject()
            writer.member("text", text)
            writer.key("empty")
            writer.beginArray()
            writer.endArray()
            writer.key("none")
            writer.beginObject()
            writer.endObject()
            writer.member("null", nil as String?)
            writer.member("yes", true)
            writer.member("least", Int64.min)
            writer.memberString("most", Int64.max)
            writer.key("hex")
            writer.hexString([0x00, 0xFF, 0x1A].span)
            writer.endObject()
        }
        writer.endArray()
        writer.endLine()
        return writer
    }

    /// Foundation's parser reads back what was written.
    @Test(arguments: [false, true])
    func foundationReadsItBack(pretty: Bool) throws {
        let writer = Self.awkwardRows(pretty: pretty)
        struct Row: Decodable {
            var text: String
            var empty: [Int]
            var null: String?
            var yes: Bool
            var least: Int64
            var most: String
            var hex: String
        }
        let rows = try JSONDecoder().decode([Row].self, from: Data(writer.bytes))
        #expect(rows.map { Array($0.text.unicodeScalars) } == Self.awkward.map { Array($0.unicodeScalars) })
        #expect(
            rows.allSatisfy { $0.least == .min && $0.most == "9223372036854775807" && $0.hex == "00ff1a" && $0.yes })
        // Nothing that a terminal obeys goes out raw.
        let line = String(decoding: writer.bytes, as: UTF8.self)
        #expect(line.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isUnsafeOnTerminal })
    }

    /// So does Python's.
    @Test(.enabled(if: Program.python3.isWanted, "python3 is not installed"), arguments: [false, true])
    func pythonReadsItBack(pretty: Bool) throws {
        let writer = Self.awkwardRows(pretty: pretty)
        let program = """
            import json, sys
            for row in json.load(sys.stdin.buffer): print(row["text"].encode("utf-8").hex(), row["least"])
            """
        let python = try Binary.run(program: "/usr/bin/env", ["python3", "-c", program], input: writer.bytes)
        #expect(python.status == 0)
        let expected = Self.awkward.map { "\(hex($0.utf8)) -9223372036854775808\n" }.joined()
        #expect(python.text == expected)
    }

    @Test func prettyAndCompactForms() {
        func write(_ pretty: Bool) -> String {
            var writer = JSONWriter(pretty: pretty)
            writer.beginObject()
            writer.member("a", 1)
            writer.key("b")
            writer.beginArray()
            writer.string("x")
            writer.null()
            writer.endArray()
            writer.endObject()
            writer.endLine()
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(write(false) == #"{"a":1,"b":["x",null]}"# + "\n")
        #expect(write(true) == "{\n  \"a\": 1,\n  \"b\": [\n    \"x\",\n    null\n  ]\n}\n")
    }

    @Test(arguments: [
        ("com.example.app", "com.example.app"),
        ("Über 漢字 😀", "Über 漢字 😀"),
        (#"a\b"#, #"a\\b"#),
        ("a\u{1B}[31mred\u{07}", #"a\u{1b}[31mred\u{7}"#),
        ("line\nfeed\ttab\rreturn", #"line\nfeed\ttab\rreturn"#),
        ("c1\u{9B}2J", #"c1\u{9b}2J"#),
        ("\u{202E}gpj.exe\u{2066}", #"\u{202e}gpj.exe\u{2066}"#),
        ("zero\u{200B}width\u{FEFF}", #"zero\u{200b}width\u{feff}"#),
        ("\u{2028}\u{2029}\u{7F}\u{0}", #"\u{2028}\u{2029}\u{7f}\u{0}"#),
    ])
    func terminalEscapes(text: String, expected: String) {
        #expect(escapedForTerminal(text) == expected)
        #expect(escapedForTerminal(utf8: Array(text.utf8)[...]) == expected)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], #"a\xffb"#),
            ([0xC3], #"\xc3"#),
            ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),
            ([0xC0, 0x80], #"\xc0\x80"#),
            ([0xF4, 0x90, 0x80, 0x80, 0x7A], #"\xf4\x90\x80\x80z"#),
        ] as [([UInt8], String)])
    func invalidUTF8(bytes: [UInt8], expected: String) {
        #expect(escapedForTerminal(utf8: bytes[...]) == expected)
    }
}
