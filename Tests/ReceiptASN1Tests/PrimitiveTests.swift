import OracleSupport
import ReceiptASN1
import ReceiptForge
import TestSupport
import Testing

/// The readers of primitive types, each with its table; and libcrypto's own readers beside them.
@Suite struct PrimitiveTests {
    enum Reader: String, CaseIterable, Sendable {
        case integer
        case unsignedInteger
        case boolean
        case null
        case bitString
        case objectIdentifier
        case utf8String
        case ia5String
        case time

        /// A value in the form that the oracle gives.
        func oracleText(_ value: String) -> String {
            guard self == .unsignedInteger, let number = UInt128(value, radix: 16) else { return value }
            return "\(number)"
        }

        /// The value as text, or `code@offset`.
        func read(_ bytes: [UInt8]) -> String {
            outcome(bytes) { span, cursor throws(ReceiptDecodingError) -> String in
                switch self {
                case .integer: return "\(try span.readInteger(&cursor, "test"))"
                case .unsignedInteger: return hexText(bytes[try span.readUnsignedIntegerContent(&cursor, "test").range])
                case .boolean: return "\(try span.readBoolean(&cursor, "test"))"
                case .null:
                    try span.readNull(&cursor, "test")
                    return "null"
                case .bitString:
                    let (octets, unused) = try span.readBitString(&cursor, "test")
                    return "\(hexText(bytes[octets.range]))/\(unused)"
                case .objectIdentifier: return "\(try span.readObjectIdentifier(&cursor, "test"))"
                case .utf8String: return hexText(try span.readUTF8String(&cursor, "test").utf8)
                case .ia5String: return hexText(try span.readIA5String(&cursor, "test").utf8)
                case .time: return "\(try span.readTime(&cursor, "test"))"
                }
            }
        }
    }

    static let tables: [(Reader, [Row])] = [
        (.integer, integers), (.unsignedInteger, unsignedIntegers), (.boolean, booleans), (.null, nulls),
        (.bitString, bitStrings), (.objectIdentifier, objectIdentifiers), (.utf8String, utf8Strings),
        (.ia5String, ia5Strings), (.time, times),
    ]
    static let rows = tables.flatMap { table in table.1.map { (table.0, $0) } }

    @Test(arguments: rows)
    func row(reader: Reader, row: Row) {
        let result = reader.read(row.bytes)
        #expect(result == row.expected)
        guard !result.contains("@"), !result.hasPrefix("0x") else { return }
        #expect(Oracle.primitive(row.bytes) == reader.oracleText(result), "libcrypto")
    }

    /// Random elements, most of them nearly right: libcrypto takes whatever we take, and reads the same value.
    @Test(arguments: Reader.allCases)
    func libcryptoReadsTheSame(reader: Reader) throws {
        var random = ForgeRandom(seed: 11)
        let samples = try #require(Self.tables.first { $0.0 == reader }).1.map(\.bytes).filter { $0.count > 2 }
        var accepted = 0
        for _ in 0..<4_000 {
            var bytes = samples.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 2..<bytes.count, using: &random)
                let near: [UInt8] = [
                    bytes[index] ^ 1 << UInt8.random(in: 0...7, using: &random), bytes[index] &+ 1, bytes[index] &- 1,
                    UInt8.random(in: .min ... .max, using: &random),
                ]
                bytes[index] = near.randomElement(using: &random) ?? 0
            }
            let ours = reader.read(bytes)
            guard !ours.contains("@"), !ours.hasPrefix("0x") else { continue }
            accepted += 1
            #expect(Oracle.primitive(bytes) == reader.oracleText(ours), "\(hexText(bytes))")
        }
        #expect(accepted > (reader == .null ? -1 : 100))
    }

    /// Every year's every day, and every time of day at its edges, against libcrypto's calendar.
    @Test func everyDay() {
        var checked = 0
        for year in stride(from: 1950, to: 2120, by: 1) {
            for month in 1...12 {
                for day in [1, 28, 29, 30, 31] {
                    let digits = [(year, 4), (month, 2), (day, 2)].map { number, width in
                        String(repeating: "0", count: width - "\(number)".count) + "\(number)"
                    }
                    let bytes = [0x18, 15] + Array((digits.joined() + "235959Z").utf8)
                    let ours = Reader.time.read(bytes)
                    #expect(Oracle.primitive(bytes) == (ours.contains("@") ? nil : ours), "\(digits)")
                    checked += 1
                }
            }
        }
        #expect(checked == 170 * 60)
    }
}

// MARK: - Tables

extension PrimitiveTests {
    private static func row(_ name: String, _ digits: String, _ expected: String) -> Row {
        Row(name, hex(digits), expected)
    }

    static let integers = [
        row("0", "02 01 00", "0"),
        row("127", "02 01 7F", "127"),
        row("128", "02 02 00 80", "128"),
        row("255", "02 02 00 FF", "255"),
        row("256", "02 02 01 00", "256"),
        row("-1", "02 01 FF", "-1"),
        row("-128", "02 01 80", "-128"),
        row("-129", "02 02 FF 7F", "-129"),
        row("2^63 - 1", "02 08 7F FF FF FF FF FF FF FF", "9223372036854775807"),
        row("-2^63", "02 08 80 00 00 00 00 00 00 00", "-9223372036854775808"),
        row("2^63", "02 09 00 80 00 00 00 00 00 00 00", "integer-too-large@2"),
        row("2^64", "02 09 01 00 00 00 00 00 00 00 00", "integer-too-large@2"),
        row("-2^63 - 1", "02 09 FF 7F FF FF FF FF FF FF FF", "integer-too-large@2"),
        row("empty", "02 00", "invalid-integer@2"),
        row("127 in two octets", "02 02 00 7F", "invalid-integer@2"),
        row("0 in two octets", "02 02 00 00", "invalid-integer@2"),
        row("-128 in two octets", "02 02 FF 80", "invalid-integer@2"),
        row("-1 in two octets", "02 02 FF FF", "invalid-integer@2"),
        row("2^63 - 1 in nine octets", "02 09 00 7F FF FF FF FF FF FF FF", "invalid-integer@2"),
        row("cut", "02 02 01", "truncated@0"),
        row("constructed", "22 03 02 01 00", "unexpected-tag@0"),
        row("ENUMERATED", "0A 01 00", "unexpected-tag@0"),
        row("an octet behind it", "02 01 00 00", "trailing-bytes@3"),
        row("two zeros behind it", "02 01 00 00 00", "unexpected-end-of-contents@3"),
    ]

    static let unsignedIntegers = [
        row("0", "02 01 00", "00"),
        row("127", "02 01 7F", "7f"),
        row("128: no leading zero", "02 02 00 80", "80"),
        row("2^63", "02 09 00 80 00 00 00 00 00 00 00", "8000000000000000"),
        row("-1", "02 01 FF", "invalid-integer@2"),
        row("-128", "02 01 80", "invalid-integer@2"),
        row("empty", "02 00", "invalid-integer@2"),
        row("127 in two octets", "02 02 00 7F", "invalid-integer@2"),
        row("0 in two octets", "02 02 00 00", "invalid-integer@2"),
    ]

    static let booleans = [
        row("false", "01 01 00", "false"),
        row("true", "01 01 FF", "true"),
        row("BER's true", "01 01 01", "invalid-boolean@2"),
        row("FE", "01 01 FE", "invalid-boolean@2"),
        row("empty", "01 00", "invalid-boolean@2"),
        row("two octets", "01 02 FF FF", "invalid-boolean@2"),
        row("constructed", "21 03 01 01 FF", "unexpected-tag@0"),
    ]

    static let nulls = [
        row("null", "05 00", "null"),
        row("one octet", "05 01 5A", "trailing-bytes@2"),
        row("two zeros", "05 02 00 00", "unexpected-end-of-contents@2"),
        row("long form", "05 81 00", "non-minimal-length@1"),
    ]

    static let bitStrings = [
        row("empty", "03 01 00", "/0"),
        row("eight bits", "03 02 00 FF", "ff/0"),
        row("seven bits", "03 02 01 FE", "fe/1"),
        row("one bit", "03 02 07 80", "80/7"),
        row("twelve bits", "03 03 04 AB C0", "abc0/4"),
        row("no first octet", "03 00", "invalid-bit-string@2"),
        row("8 unused", "03 02 08 00", "invalid-bit-string@2"),
        row("255 unused", "03 02 FF 00", "invalid-bit-string@2"),
        row("unused bits of nothing", "03 01 01", "invalid-bit-string@2"),
        row("an unused bit set", "03 02 01 FF", "invalid-bit-string@2"),
        row("the lowest of seven unused bits set", "03 02 07 81", "invalid-bit-string@2"),
        row("constructed", "23 04 03 02 00 FF", "unexpected-tag@0"),
    ]

    static let objectIdentifiers =
        [
            row("0.0", "06 01 00", "0.0"),
            row("0.39", "06 01 27", "0.39"),
            row("1.0", "06 01 28", "1.0"),
            row("1.39", "06 01 4F", "1.39"),
            row("2.0", "06 01 50", "2.0"),
            row("2.47", "06 01 7F", "2.47"),
            row("2.48", "06 02 81 00", "2.48"),
            row("2.999", "06 02 88 37", "2.999"),
            row("2.999.3", "06 03 88 37 03", "2.999.3"),
            row("id-signedData", "06 09 2A 86 48 86 F7 0D 01 07 02", "1.2.840.113549.1.7.2"),
            row("an arc of 127", "06 02 2A 7F", "1.2.127"),
            row("an arc of 128", "06 03 2A 81 00", "1.2.128"),
            row("an arc of 2^64", "06 0B 2A 82 80 80 80 80 80 80 80 80 00", "1.2.18446744073709551616"),
            row("empty", "06 00", "invalid-object-identifier@2"),
            row("leading 80", "06 02 80 01", "invalid-object-identifier@2"),
            row("leading 80 in a later arc", "06 03 2A 80 01", "invalid-object-identifier@3"),
            row("unfinished", "06 01 86", "invalid-object-identifier@2"),
            row("unfinished later arc", "06 03 2A 86 C8", "invalid-object-identifier@2"),
            row("constructed", "26 03 06 01 2A", "unexpected-tag@0"),
            row(
                "16 octets", "06 10" + String(repeating: "01", count: 16),
                "0.1" + String(repeating: ".1", count: 15)),
            row(
                "17 octets", "06 11" + String(repeating: "01", count: 17),
                "0.1" + String(repeating: ".1", count: 16)),
            row(
                "32 octets", "06 20" + String(repeating: "01", count: 32),
                "0.1" + String(repeating: ".1", count: 31)),
            row("33 octets", "06 21" + String(repeating: "01", count: 33), "invalid-object-identifier@2"),
            // 19 groups of seven bits: more than a number of 128 bits holds.
            row(
                "an arc of 133 bits", "06 14 2A" + String(repeating: "FF", count: 18) + "7F",
                "1.2.10889035741470030830827987437816582766591"),
        ]

    static let utf8Strings = [
        row("empty", "0C 00", ""),
        row("ASCII", "0C 03 41 00 7F", "41007f"),
        row("two octets", "0C 02 C2 80", "c280"),
        row("three octets", "0C 03 E0 A0 80", "e0a080"),
        row("U+FFFF", "0C 03 EF BF BF", "efbfbf"),
        row("four octets", "0C 04 F0 90 80 80", "f0908080"),
        row("U+10FFFF", "0C 04 F4 8F BF BF", "f48fbfbf"),
        row("byte order mark", "0C 04 EF BB BF 41", "efbbbf41"),
        row("overlong in two", "0C 02 C0 80", "invalid-utf8@2"),
        row("overlong 7F", "0C 02 C1 BF", "invalid-utf8@2"),
        row("overlong in three", "0C 04 41 E0 9F BF", "invalid-utf8@3"),
        row("overlong in four", "0C 04 F0 8F BF BF", "invalid-utf8@2"),
        row("U+D7FF", "0C 03 ED 9F BF", "ed9fbf"),
        row("surrogate D800", "0C 03 ED A0 80", "invalid-utf8@2"),
        row("surrogate DFFF", "0C 03 ED BF BF", "invalid-utf8@2"),
        row("U+110000", "0C 04 F4 90 80 80", "invalid-utf8@2"),
        row("five octets", "0C 05 F8 88 80 80 80", "invalid-utf8@2"),
        row("cut in two", "0C 02 41 C2", "invalid-utf8@3"),
        row("cut in three", "0C 02 E2 82", "invalid-utf8@2"),
        row("cut in four", "0C 04 41 F0 9F 98", "invalid-utf8@3"),
        row("continuation alone", "0C 02 41 80", "invalid-utf8@3"),
        row("FF", "0C 01 FF", "invalid-utf8@2"),
        row("IA5String", "16 01 41", "unexpected-tag@0"),
        row("constructed", "2C 03 0C 01 41", "unexpected-tag@0"),
    ]

    static let ia5Strings = [
        row("empty", "16 00", ""),
        row("00 to 7F", "16 03 00 41 7F", "00417f"),
        row("80", "16 01 80", "invalid-ia5string@2"),
        row("FF at the end", "16 03 41 42 FF", "invalid-ia5string@4"),
        row("UTF-8", "16 02 C2 80", "invalid-ia5string@2"),
        row("UTF8String", "0C 01 41", "unexpected-tag@0"),
    ]

    private static func utc(_ text: String, _ expected: String) -> Row {
        Row("UTCTime \(text)", [0x17, UInt8(text.utf8.count)] + Array(text.utf8), expected)
    }

    private static func generalized(_ text: String, _ expected: String) -> Row {
        Row("GeneralizedTime \(text)", [0x18, UInt8(text.utf8.count)] + Array(text.utf8), expected)
    }

    static let times = [
        // RFC 5280 4.1.2.5.1: two digits from 50 on are 19YY.
        utc("490101000000Z", "2493072000"),
        utc("500101000000Z", "-631152000"),
        utc("700101000000Z", "0"),
        utc("691231235959Z", "-1"),
        utc("000229000000Z", "951782400"),
        utc("040229123456Z", "1078058096"),
        utc("010229000000Z", "invalid-time@2"),
        utc("241231235959Z", "1735689599"),
        utc("241231235960Z", "invalid-time@2"),
        utc("241231236059Z", "invalid-time@2"),
        utc("241231245959Z", "invalid-time@2"),
        utc("241232000000Z", "invalid-time@2"),
        utc("240431000000Z", "invalid-time@2"),
        utc("240400000000Z", "invalid-time@2"),
        utc("241301000000Z", "invalid-time@2"),
        utc("240001000000Z", "invalid-time@2"),
        // X.680 allows these forms, RFC 5280 does not.
        utc("2401010000Z", "invalid-time@2"),
        utc("240101000000", "invalid-time@2"),
        utc("240101000000+0000", "invalid-time@2"),
        utc("240101000000z", "invalid-time@2"),
        utc("24010100000 Z", "invalid-time@2"),
        utc("-40101000000Z", "invalid-time@2"),
        utc("20240101000000Z", "invalid-time@2"),
        utc("", "invalid-time@2"),
        generalized("20500101000000Z", "2524608000"),
        generalized("20491231235959Z", "2524607999"),
        generalized("99991231235959Z", "253402300799"),
        generalized("00010101000000Z", "-62135596800"),
        generalized("19000228000000Z", "-2203977600"),
        generalized("19000229000000Z", "invalid-time@2"),
        generalized("20000229000000Z", "951782400"),
        generalized("21000229000000Z", "invalid-time@2"),
        generalized("2024010100Z", "invalid-time@2"),
        generalized("202401010000Z", "invalid-time@2"),
        generalized("20240101000000", "invalid-time@2"),
        generalized("20240101000000.5Z", "invalid-time@2"),
        generalized("20240101000000,5Z", "invalid-time@2"),
        generalized("20240101000000+0000", "invalid-time@2"),
        generalized("240101000000Z", "invalid-time@2"),
        generalized("2O240101000000Z", "invalid-time@2"),
        row("an INTEGER", "02 01 00", "unexpected-tag@0"),
        row("constructed", "37 0F 17 0D 32 34 30 31 30 31 30 30 30 30 30 30 5A", "unexpected-tag@0"),
    ]
}
