import ReceiptJSON
import Testing

/// One text a row, with what the reader says.
@Suite struct JSONTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let error: JSONError?
        var testDescription: String { String(decoding: text.prefix(40), as: UTF8.self) }

        init(_ text: String, _ code: JSONError.Code? = nil, at offset: Int = 0) {
            self.init(Array(text.utf8), code, at: offset)
        }

        init(_ text: [UInt8], _ code: JSONError.Code? = nil, at offset: Int = 0) {
            self.text = text
            error = code.map { JSONError($0, at: offset) }
        }
    }

    static let taken = [
        "{}", "[]", "0", "-0", "1", "\"\"", "true", "false", "null", " \t\r\n{ \"a\" : [ 1 , 2 ] } \n", "[[],{}]",
        "1.5",
        "-1.5e10", "1E+2", "1e-2", "0.0", "0e0", "\"é😀\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
        #""\"\\\/\b\f\n\r\t\u0000\u00e9\uD83D\uDE00\uFFFF""#, #"{"a":1,"A":2,"":3,"\u0062":4}"#,
        #"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#, "123456789012345678901234567890", "\"/\"",
    ]

    static let refused: [Row] =
        [
            Row("", .truncated), Row("  ", .truncated, at: 2), Row("{", .truncated, at: 1), Row("[", .truncated, at: 1),
            Row("[1", .truncated, at: 2), Row("[1,", .truncated, at: 3), Row("{\"a\"", .truncated, at: 4),
            Row("{\"a\":", .truncated, at: 5), Row("{\"a\":1", .truncated, at: 6), Row("{\"a\":1,", .truncated, at: 7),
            Row("\"", .truncated, at: 1), Row("\"a", .truncated, at: 2), Row("\"\\", .truncated, at: 2),
            Row("\"\\u12", .truncated, at: 5), Row("tru", .truncated, at: 3), Row("-", .truncated, at: 1),
            Row("1.", .truncated, at: 2), Row("1e", .truncated, at: 2), Row("1e+", .truncated, at: 3),
            Row("x", .syntax), Row("}", .syntax), Row("]", .syntax), Row("'a'", .syntax), Row("/**/1", .syntax),
            Row("[1 2]", .syntax, at: 3), Row("{\"a\" 1}", .syntax, at: 5), Row("{a:1}", .syntax, at: 1),
            Row("{1:1}", .syntax, at: 1), Row("[,1]", .syntax, at: 1), Row("{,}", .syntax, at: 1),
            Row("[1,,2]", .syntax, at: 3), Row("{\"a\":1;\"b\":2}", .syntax, at: 6), Row("[1}", .syntax, at: 2),
            Row("{\"a\":1]", .syntax, at: 6), Row("trUe", .syntax, at: 2), Row("True", .syntax),
            Row("nul1", .syntax, at: 3),
            Row("{\"a\"::1}", .syntax, at: 5), Row("\u{A0}1", .syntax), Row("\u{B}1", .syntax),
            Row("[1,]", .trailingComma, at: 2), Row("{\"a\":1 , }", .trailingComma, at: 7),
            Row("{}{}", .trailingText, at: 2), Row("1 2", .trailingText, at: 2), Row("{},", .trailingText, at: 2),
            Row("{}\0", .trailingText, at: 2), Row("nullx", .trailingText, at: 4), Row("1a", .trailingText, at: 1),
            Row([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark), Row([0xFE, 0xFF, 0, 0x31], .notUTF8),
            Row([0xFF, 0xFE, 0x31, 0], .notUTF8), Row([0x7B, 0, 0x7D, 0], .notUTF8), Row([0, 0x7B, 0, 0x7D], .notUTF8),
            Row("NaN", .invalidNumber), Row("[Infinity]", .invalidNumber, at: 1),
            Row("-Infinity", .invalidNumber, at: 1),
            Row("+1", .invalidNumber), Row(".5", .invalidNumber), Row("01", .invalidNumber),
            Row("-01", .invalidNumber, at: 1),
            Row("00", .invalidNumber), Row("[1.]", .invalidNumber, at: 3), Row("[1e]", .invalidNumber, at: 3),
            Row("[-]", .invalidNumber, at: 2), Row("-a", .invalidNumber, at: 1), Row("1.e1", .invalidNumber, at: 2),
            Row("0x10", .trailingText, at: 1),
            Row("\"\n\"", .controlCharacter, at: 1), Row("\"12345678\u{1F}\"", .controlCharacter, at: 9),
            Row("\"a\0\"", .controlCharacter, at: 2), Row("{\"a\tb\":1}", .controlCharacter, at: 3),
            Row(#""\x""#, .invalidEscape, at: 1), Row(#""\u12G4""#, .invalidEscape, at: 1),
            Row(#""\U0041""#, .invalidEscape, at: 1), Row(#""\'""#, .invalidEscape, at: 1),
            Row(#""\uD800""#, .loneSurrogate, at: 1), Row(#""\uDC00""#, .loneSurrogate, at: 1),
            Row(#""\uD800\uD800""#, .loneSurrogate, at: 1), Row(#""\uD800\n""#, .loneSurrogate, at: 1),
            Row(#""\uD800x\uDC00""#, .loneSurrogate, at: 1), Row(#""\uDC00\uD800""#, .loneSurrogate, at: 1),
            Row(#"{"a":1,"a":2}"#, .duplicateName, at: 7), Row(#"{"a":1,"\u0061":2}"#, .duplicateName, at: 7),
            Row(#"{"\u0061":{"b":[1]},"x":[],"a":2}"#, .duplicateName, at: 27),
            Row(#"{"":1,"":2}"#, .duplicateName, at: 6),
            Row(#"{"a":[{"é":1,"\u00E9":1}]}"#, .duplicateName, at: 14),
            Row(#"{"\ud83d\ude00":1,"😀":1}"#, .duplicateName, at: 18),
        ] + invalidUTF8.map { Row([0x22] + $0 + [0x22], .invalidUTF8, at: 1) }

    /// Bytes that RFC 3629 section 4 does not allow: alone, cut, overlong, surrogates, above U+10FFFF.
    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF0, 0x9F, 0x98], [0xFE], [0xFF], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
    ]

    static let limits = JSONLimits(bytes: 40, depth: 3, members: 4, values: 13)

    /// Each limit at, and one above.
    static let bounded: [Row] = [
        Row(String(repeating: " ", count: 39) + "1"),
        Row(String(repeating: " ", count: 40) + "1", .inputTooLong, at: 40),
        Row("[[[]]]"), Row("[[[[]]]]", .nestedTooDeeply, at: 3), Row("{\"a\":[{\"b\":1}]}"),
        Row("{\"a\":[{\"b\":[]}]}", .nestedTooDeeply, at: 11), Row("[1,2,3,4]"),
        Row("[1,2,3,4,5]", .tooManyMembers, at: 9),
        Row("{\"a\":1,\"b\":1,\"c\":1,\"d\":1}"),
        Row("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}", .tooManyMembers, at: 25),
        Row("[[1,2,3,4],[1,2,3,4],[[]]]"), Row("[[1,2,3,4],[1,2,3,4],[[],1]]", .tooManyMembers, at: 25),
    ]

    @Test func takesEachValueOfTheGrammar() {
        for text in Self.taken {
            #expect(outcome(Array(text.utf8), .default) == nil, "\(text)")
        }
    }

    @Test(arguments: refused) func namesEachFault(_ row: Row) {
        #expect(outcome(row.text, .default) == row.error)
    }

    @Test(arguments: bounded) func holdsLimits(_ row: Row) {
        #expect(outcome(row.text, Self.limits) == row.error)
    }

    /// Where neither limit bounds an object's names, comparing them ends; where names may be repeated, none are compared.
    @Test func comparingNamesIsBounded() throws {
        let text = Array(("{" + (0..<20_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)
        var limits = JSONLimits(bytes: text.count, depth: 3, members: .max, values: .max)
        #expect(outcome(text, limits)?.code == .tooManyMembers)
        limits.repeatsNames = true
        #expect(outcome(text, limits) == nil)
        #expect(outcome(Array("{\"a\":1,\"a\":2}".utf8), limits) == nil)
    }

    /// Every prefix of a valid object is cut short, and nothing else.
    @Test func everyPrefixOfAnObjectIsTruncated() {
        for text in Self.taken where text.hasPrefix("{") {
            let bytes = Array(text.utf8)
            for count in 0..<bytes.count {
                #expect(outcome(Array(bytes[..<count]), .default)?.code == .truncated, "\(text) cut to \(count)")
            }
        }
    }

    /// The word-wise scan and the byte-wise one must stop at the same places, wherever a character stands.
    @Test func findsASpecialCharacterAtEveryPlace() {
        for length in 0..<40 {
            for place in 0...length {
                for byte in UInt8.min...UInt8.max {
                    var text = [0x22] + [UInt8](repeating: 0x61, count: length) + [0x22]
                    text.insert(byte, at: 1 + place)
                    let code = outcome(text, .default)?.code
                    let expected: JSONError.Code? =
                        switch byte {
                        case 0x22: .trailingText
                        case 0x5C: place == length ? .truncated : .invalidEscape
                        case 0 where place == 0: .notUTF8
                        case 0..<0x20: .controlCharacter
                        case 0x80...: .invalidUTF8
                        default: nil
                        }
                    if code != expected { #expect(code == expected, "\(byte) at \(place) of \(length)") }
                }
            }
        }
    }

    struct Number: Sendable {
        let text: String
        let integer: Int64?
        let roundedDown: Int64?
    }

    static let numbers = [
        Number(text: "0", integer: 0, roundedDown: 0), Number(text: "-0", integer: 0, roundedDown: 0),
        Number(text: "9223372036854775807", integer: .max, roundedDown: .max),
        Number(text: "9223372036854775808", integer: nil, roundedDown: nil),
        Number(text: "-9223372036854775808", integer: .min, roundedDown: .min),
        Number(text: "-9223372036854775809", integer: nil, roundedDown: nil),
        Number(text: "-9223372036854775808.1", integer: nil, roundedDown: nil),
        Number(text: "999999999999999999", integer: 999_999_999_999_999_999, roundedDown: 999_999_999_999_999_999),
        Number(text: "1697679936056.485", integer: nil, roundedDown: 1_697_679_936_056),
        Number(text: "-1.5", integer: nil, roundedDown: -2), Number(text: "-1.0", integer: nil, roundedDown: -1),
        Number(text: "-0.5", integer: nil, roundedDown: -1), Number(text: "1e3", integer: nil, roundedDown: nil),
        Number(text: "1.5e3", integer: nil, roundedDown: nil), Number(text: "\"1\"", integer: nil, roundedDown: nil),
        Number(text: "true", integer: nil, roundedDown: nil),
    ]

    @Test func readsNumbersExactly() throws {
        for row in Self.numbers {
            let text = Array(row.text.utf8)
            let root = try JSONDocument(text.span).root
            #expect(root.int64(in: text.span) == row.integer, "\(row.text)")
            #expect(root.roundedDown(in: text.span) == row.roundedDown, "\(row.text)")
        }
    }

    private func outcome(_ text: [UInt8], _ limits: JSONLimits) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONDocument(text.span, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}
