import ReceiptASN1
import TestSupport
import Testing

/// BER in, DER out; and what is neither. Errors carry offsets into the BER.
@Suite struct BERNormalizerTests {
    /// As `normalize`, with the result as text: hexadecimal digits, or `code@offset`.
    static func normalized(
        _ bytes: [UInt8], depth: Int = 3, limits: DecodingLimits = .default
    ) -> String {
        let preserved = BERNormalizer.Preserved(depth: depth, tags: [.context(0, constructed: true)])
        do throws(ReceiptDecodingError) {
            return hexText(try BERNormalizer.normalize(bytes.span, preserving: preserved, limits: limits, "test"))
        } catch {
            return "\(error.code)@\(error.offset)"
        }
    }

    private static func row(_ name: String, _ ber: String, _ expected: String) -> Row {
        Row(name, hex(ber), expected.contains("@") ? expected : hexText(hex(expected)))
    }

    static let rows = [
        // Already DER.
        row("empty SEQUENCE", "30 00", "30 00"),
        row("primitive", "02 01 05", "02 01 05"),
        row("nested", "30 05 30 03 02 01 05", "30 05 30 03 02 01 05"),

        // Indefinite lengths.
        row("empty", "30 80 00 00", "30 00"),
        row("one element", "30 80 02 01 05 00 00", "30 03 02 01 05"),
        row("indefinite in indefinite", "30 80 30 80 00 00 02 01 05 00 00", "30 05 30 00 02 01 05"),
        row("indefinite in definite", "30 07 30 80 02 01 05 00 00", "30 05 30 03 02 01 05"),
        row("definite in indefinite", "30 80 30 03 02 01 05 00 00", "30 05 30 03 02 01 05"),
        row("content that ends in zeros", "30 80 04 02 00 00 00 00", "30 04 04 02 00 00"),
        row("content that is zeros, twice", "30 80 30 06 04 04 00 00 00 00 00 00", "30 08 30 06 04 04 00 00 00 00"),
        row("context tag", "A0 80 02 01 05 00 00", "A0 03 02 01 05"),
        row("order of a SET", "31 80 02 01 05 02 01 01 00 00", "31 06 02 01 05 02 01 01"),
        row("a constructed string other than OCTET STRING", "2C 80 0C 01 41 00 00", "2C 03 0C 01 41"),

        // Long forms.
        row("one octet", "30 81 03 02 01 05", "30 03 02 01 05"),
        row("four octets", "30 84 00 00 00 03 02 01 05", "30 03 02 01 05"),
        row("five octets", "30 85 00 00 00 00 03 02 01 05", "30 03 02 01 05"),
        row("inside", "30 05 02 82 00 01 05", "30 03 02 01 05"),
        row("126 octets", "02 FE" + String(repeating: "00", count: 125) + "01 05", "02 01 05"),
        row("126 octets, cut", "02 FE" + String(repeating: "00", count: 125), "truncated@0"),
        row("five octets, 2^32", "30 85 01 00 00 00 00", "length-too-large@1"),
        row("2^31 - 1", "30 84 7F FF FF FF", "truncated@0"),
        row("2^32 - 1", "30 84 FF FF FF FF", "truncated@0"),
        row("eight octets of FF", "04 88 FF FF FF FF FF FF FF FF", "length-too-large@1"),
        row("reserved", "30 FF" + String(repeating: "00", count: 127), "reserved-length@1"),

        // Constructed OCTET STRING (X.690 8.7.3).
        row("no segment", "24 80 00 00", "04 00"),
        row("no segment, definite", "24 00", "04 00"),
        row("one segment", "24 80 04 02 01 02 00 00", "04 02 01 02"),
        row("segments", "24 80 04 02 01 02 04 01 03 00 00", "04 03 01 02 03"),
        row("definite", "24 07 04 02 01 02 04 01 03", "04 03 01 02 03"),
        row("an empty segment", "24 80 04 00 04 01 03 04 00 00 00", "04 01 03"),
        row("segments of zeros", "24 80 04 02 00 00 04 02 00 00 00 00", "04 04 00 00 00 00"),
        row("segments in a segment", "24 80 24 04 04 02 01 02 24 80 04 01 03 00 00 00 00", "04 03 01 02 03"),
        row("segments three deep", "24 80 24 80 24 80 04 01 01 00 00 04 01 02 00 00 04 01 03 00 00", "04 03 01 02 03"),
        row("something behind it", "30 80 24 80 04 01 01 00 00 02 01 05 00 00", "30 06 04 01 01 02 01 05"),
        row("long-form segment", "24 80 04 81 01 01 00 00", "04 01 01"),
        row("an INTEGER in it", "24 80 02 01 05 00 00", "invalid-string-segment@2"),
        row("an INTEGER in a segment", "24 80 24 80 02 01 05 00 00 00 00", "invalid-string-segment@4"),
        row("a context tag in it", "24 80 80 01 00 00 00", "invalid-string-segment@2"),
        row("zeros in a definite one", "24 02 00 00", "unexpected-end-of-contents@2"),

        // Three faults for which other parsers are known. An end-of-contents is missing, and a child is dropped:
        row("no end", "30 80", "missing-end-of-contents@2"),
        row("no end behind a child", "30 80 02 01 05", "missing-end-of-contents@5"),
        row("no end of the inner", "30 80 30 80 02 01 05 00 00", "missing-end-of-contents@9"),
        row("no end of an inner one in a definite one", "30 05 30 80 02 01 05", "missing-end-of-contents@7"),
        row(
            "no end of an inner one, zeros behind the definite one", "30 80 30 05 30 80 02 01 05 00 00",
            "missing-end-of-contents@9"),
        row("no end of a string", "30 80 24 80 04 01 01 00 00", "missing-end-of-contents@9"),
        // bare zeros in a definite SEQUENCE are taken for an element:
        row("zeros in a definite one", "30 02 00 00", "unexpected-end-of-contents@2"),
        row("zeros behind a child", "30 05 02 01 05 00 00", "unexpected-end-of-contents@5"),
        row("zeros before a child", "30 80 30 05 00 00 02 01 05 00 00", "unexpected-end-of-contents@4"),
        row("zeros alone", "00 00", "unexpected-end-of-contents@0"),
        // a definite child that ends in zeros is taken for its parent's end:
        row("zeros in a child only", "30 80 04 02 00 00", "missing-end-of-contents@6"),
        row("zeros in a grandchild only", "30 80 30 04 04 02 00 00", "missing-end-of-contents@8"),

        // Half an end, and what follows an end.
        row("one zero", "30 80 00", "truncated@2"),
        row("zero and one", "30 80 00 01", "unsupported-tag@2"),
        row("end-of-contents with a length", "30 80 00 81 00 00 00", "unsupported-tag@2"),
        row("constructed end-of-contents", "30 80 20 00 00 00", "30 02 20 00"),
        row("one octet behind it", "30 80 00 00 00", "trailing-bytes@4"),
        row("a second end", "30 80 00 00 00 00", "unexpected-end-of-contents@4"),
        row("a second element", "30 00 02 01 05", "trailing-bytes@2"),

        row("nothing", "", "truncated@0"),
        row("identifier alone", "30", "truncated@0"),
        row("indefinite, primitive", "04 80 00 00", "indefinite-length@1"),
        row("indefinite, primitive, inside", "30 80 02 80 00 00 00 00", "indefinite-length@3"),
        row("a child longer than its parent", "30 03 02 02 05 05", "truncated@2"),
        row("a child longer than an outer parent", "30 05 30 80 02 03 05 00 00", "truncated@4"),
        row("tag number 31", "30 80 1F 1F 00 00 00", "unsupported-tag@2"),
    ]

    @Test(arguments: rows)
    func normalizes(row: Row) {
        #expect(Self.normalized(row.bytes) == row.expected)
    }

    /// Certificates are signed as they stand: what is under a preserved `[0]` is copied, or refused.
    static let preserved = [
        row("long form kept", "30 80 A0 80 30 81 03 02 01 05 00 00 00 00", "30 08 A0 06 30 81 03 02 01 05"),
        row("definite", "30 80 A0 06 30 81 03 02 01 05 00 00", "30 08 A0 06 30 81 03 02 01 05"),
        row("two", "30 80 A0 80 30 81 00 30 81 00 00 00 00 00", "30 08 A0 06 30 81 00 30 81 00"),
        row("their insides are not read", "30 80 A0 80 30 02 FF FF 00 00 00 00", "30 06 A0 04 30 02 FF FF"),
        row("string kept", "30 80 A0 80 24 03 04 01 01 00 00 00 00", "30 07 A0 05 24 03 04 01 01"),
        row("indefinite", "30 80 A0 80 30 80 00 00 00 00 00 00", "indefinite-length@5"),
        row("none", "30 80 A0 80 00 00 00 00", "30 02 A0 00"),
        row("no end", "30 80 A0 80 30 00", "missing-end-of-contents@6"),
        row("another tag is not kept", "30 80 A1 80 30 81 00 00 00 00 00", "30 04 A1 02 30 00"),
        row("another depth is not kept", "30 80 30 80 A0 80 30 81 00 00 00 00 00 00 00", "30 06 30 04 A0 02 30 00"),
        row("primitive [0]", "30 80 80 81 01 05 00 00", "30 03 80 01 05"),
    ]

    @Test(arguments: preserved)
    func preserves(row: Row) {
        #expect(Self.normalized(row.bytes, depth: 1) == row.expected)
    }

    // MARK: - Limits

    static let limits: [(name: String, bytes: [UInt8], limits: DecodingLimits, expected: String)] = {
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let nested = { (count: Int) in
            [[UInt8]](repeating: [0x30, 0x80], count: count).flatMap(\.self) + zeros(2 * count)
        }
        let repeated = { (head: String, element: String, count: Int) in
            hex(head) + [[UInt8]](repeating: hex(element), count: count).flatMap(\.self) + zeros(2)
        }
        return [
            ("bytes at", nested(1), DecodingLimits(bytes: 4), "3000"),
            ("bytes above", nested(1), DecodingLimits(bytes: 3), "input-too-long@3"),
            ("depth at", nested(4), DecodingLimits(depth: 4), "3006300430023000"),
            ("depth above", nested(4), DecodingLimits(depth: 3), "nested-too-deeply@6"),
            ("depth of a primitive", hex("30 03 02 01 05"), DecodingLimits(depth: 1), "nested-too-deeply@2"),
            ("depth of segments", hex("24 80 24 80 04 01 01 00 00 00 00"), DecodingLimits(depth: 3), "040101"),
            (
                "depth of segments above", hex("24 80 24 80 04 01 01 00 00 00 00"), DecodingLimits(depth: 2),
                "nested-too-deeply@4"
            ),
            ("a depth bomb", nested(1_000_000), .default, "nested-too-deeply@32"),
            (
                "a depth bomb of strings", [[UInt8]](repeating: [0x24, 0x80], count: 1_000_000).flatMap(\.self),
                .default, "nested-too-deeply@32"
            ),
            ("elements at", repeated("30 80", "05 00", 3), DecodingLimits(elements: 4), "3006050005000500"),
            ("elements above", repeated("30 80", "05 00", 3), DecodingLimits(elements: 3), "too-many-elements@6"),
            ("segments at", repeated("24 80", "04 00", 3), DecodingLimits(elements: 4), "0400"),
            ("segments above", repeated("24 80", "04 00", 3), DecodingLimits(elements: 3), "too-many-elements@6"),
            ("empty segments at", repeated("24 80", "24 00", 3), DecodingLimits(elements: 4), "0400"),
            ("empty segments above", repeated("24 80", "24 00", 3), DecodingLimits(elements: 3), "too-many-elements@6"),
            ("100,000 elements", repeated("30 80", "05 00", 100_000), .default, "too-many-elements@131072"),
            ("100,000 empty SEQUENCEs", repeated("30 80", "30 00", 100_000), .default, "too-many-elements@131072"),
            ("100,000 segments", repeated("24 80", "04 00", 100_000), .default, "too-many-elements@131072"),
            ("100,000 empty segments", repeated("24 80", "24 00", 100_000), .default, "too-many-elements@131072"),
        ]
    }()

    @Test(arguments: limits.indices)
    func limit(index: Int) {
        let row = Self.limits[index]
        // Not inside the macro, which would print megabytes when it fails.
        let result = Self.normalized(row.bytes, limits: row.limits)
        #expect(result == row.expected, "\(row.name)")
    }
}
