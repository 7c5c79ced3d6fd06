import OracleSupport
import ReceiptASN1
import ReceiptForge
import TestSupport
import Testing

/// Identifier and length octets (X.690 8.1.2, 8.1.3, 10.1).
@Suite struct ElementTests {
    private static func row(_ name: String, _ header: String, _ contentCount: Int, _ expected: String) -> Row {
        Row(name, hex(header) + [UInt8](repeating: 0x5A, count: contentCount), expected)
    }

    static let rows: [Row] = [
        row("nothing", "", 0, "missing-element@0"),
        row("identifier alone", "30", 0, "truncated@0"),
        row("empty", "30 00", 0, "SEQUENCE 2..<2"),
        row("one octet", "04 01", 1, "OCTET STRING 2..<3"),
        row("one octet too few", "04 02", 1, "truncated@0"),
        row("one octet too many", "04 01", 2, "trailing-bytes@3"),

        // Short form: 0 to 7F.
        row("7F", "04 7F", 0x7F, "OCTET STRING 2..<129"),
        row("7F cut", "04 7F", 0x7E, "truncated@0"),
        row("7F in one octet more", "04 81 7F", 0x7F, "non-minimal-length@1"),
        row("0 in one octet more", "04 81 00", 0, "non-minimal-length@1"),
        // One octet: 80 to FF.
        row("80", "04 81 80", 0x80, "OCTET STRING 3..<131"),
        row("FF", "04 81 FF", 0xFF, "OCTET STRING 3..<258"),
        row("FF in one octet more", "04 82 00 FF", 0xFF, "non-minimal-length@1"),
        row("81 cut", "04 81", 0, "truncated@0"),
        // Two.
        row("100", "04 82 01 00", 0x100, "OCTET STRING 4..<260"),
        row("FFFF", "04 82 FF FF", 0xFFFF, "OCTET STRING 4..<65539"),
        row("FFFF in one octet more", "04 83 00 FF FF", 0xFFFF, "non-minimal-length@1"),
        row("82 cut", "04 82 01", 0, "truncated@0"),
        // Three.
        row("10000", "04 83 01 00 00", 0x10000, "OCTET STRING 5..<65541"),
        row("FFFFFF cut", "04 83 FF FF FF", 0x100, "truncated@0"),
        row("83 cut", "04 83 01 00", 0, "truncated@0"),
        // Four, the most that is read.
        row("1000000", "04 84 01 00 00 00", 0x100_0000, "OCTET STRING 6..<16777222"),
        row("FFFFFF in one octet more", "04 84 00 FF FF FF", 0x100, "non-minimal-length@1"),
        row("FFFFFFFF", "04 84 FF FF FF FF", 4, "truncated@0"),
        row("84 cut", "04 84 01 00 00", 0, "truncated@0"),
        // More than four.
        row("five octets", "04 85 01 00 00 00 00", 0, "length-too-large@1"),
        row("five octets, padded", "04 85 00 00 00 00 01", 1, "non-minimal-length@1"),
        row("five octets, cut", "04 85", 0, "truncated@0"),
        row("eight octets of FF", "04 88 FF FF FF FF FF FF FF FF", 8, "length-too-large@1"),
        row("eight octets, 2^63", "04 88 80 00 00 00 00 00 00 00", 0, "length-too-large@1"),
        row("nine octets", "04 89 01 00 00 00 00 00 00 00 00", 0, "length-too-large@1"),
        row("126 octets", "04 FE", 126, "length-too-large@1"),
        row("reserved", "04 FF", 127, "reserved-length@1"),
        row("indefinite, primitive", "04 80 00 00", 0, "indefinite-length@1"),
        row("indefinite, constructed", "30 80 00 00", 0, "indefinite-length@1"),

        // Tags.
        row("constructed OCTET STRING", "24 00", 0, "constructed OCTET STRING 2..<2"),
        row("context", "80 00", 0, "[0] 2..<2"),
        row("context 30, constructed", "BE 00", 0, "[30] constructed 2..<2"),
        row("application", "5E 00", 0, "tag 0x5E 2..<2"),
        row("private", "C1 00", 0, "tag 0xC1 2..<2"),
        row("tag 0", "00 00", 0, "end-of-contents 2..<2"),
        row("tag 30", "1E 00", 0, "BMPString 2..<2"),
        row("tag 31, universal", "1F 1F 00", 0, "unsupported-tag@0"),
        row("tag 31, constructed", "3F 1F 00", 0, "unsupported-tag@0"),
        row("tag 31, application", "5F 1F 00", 0, "unsupported-tag@0"),
        row("tag 31, context", "9F 1F 00", 0, "unsupported-tag@0"),
        row("tag 31, private", "FF 1F 00", 0, "unsupported-tag@0"),
        row("tag number in many octets", "9F FF FF FF FF 7F 00", 0, "unsupported-tag@0"),
    ]

    @Test(arguments: rows)
    func element(row: Row) {
        let result = outcome(row.bytes) { span, cursor throws(ReceiptDecodingError) in
            let element = try span.readElement(&cursor, "test")
            return "\(element.tag) \(element.content.range)"
        }
        #expect(result == row.expected)
    }

    /// The region of the cursor ends an element, also where the buffer goes on.
    @Test(arguments: [(0, "missing-element@0"), (1, "truncated@0"), (2, "truncated@0"), (3, "(2, 3)")])
    func region(limit: Int, expected: String) {
        let result = outcome(hex("04 01 FF 04 01 FF"), limit: limit) { span, cursor throws(ReceiptDecodingError) in
            let content = try span.read(.octetString, &cursor, "test")
            return (content.position, content.limit)
        }
        #expect(result == expected)
    }

    static let expectations = [
        Row("as expected", hex("30 00"), "2..<2"),
        Row("another tag", hex("31 00"), "unexpected-tag@0"),
        Row("primitive", hex("10 00"), "unexpected-tag@0"),
        Row("another class", hex("B0 00"), "unexpected-tag@0"),
        Row("end-of-contents", hex("00 00"), "unexpected-end-of-contents@0"),
        Row("end-of-contents behind it", hex("30 00 00 00"), "unexpected-end-of-contents@2"),
        Row("one octet behind it", hex("30 00 00"), "trailing-bytes@2"),
        Row("an element behind it", hex("30 00 05 00"), "trailing-bytes@2"),
        Row("a bad length comes before a wrong tag", hex("31 81 00"), "non-minimal-length@1"),
    ]

    @Test(arguments: expectations)
    func expectedTag(row: Row) {
        let result = outcome(row.bytes) { span, cursor throws(ReceiptDecodingError) in
            try span.read(.sequence, &cursor, "test").range
        }
        #expect(result == row.expected)
    }

    /// Short random bytes: what the reader takes, libcrypto's tag walk takes in the same way; what only libcrypto
    /// takes is BER, which is no DER.
    @Test(arguments: [UInt64](0..<20))
    func libcryptoAgrees(seed: UInt64) {
        var random = ForgeRandom(seed: seed)
        let likely: [UInt8] = [
            0x30, 0x31, 0x24, 0x04, 0x02, 0xA0, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x88, 0x1F, 0, 0, 1, 2, 3, 4, 5,
            0x7F, 0xFF,
        ]
        var accepted = 0
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                likely.randomElement(using: &random) ?? 0
            }
            let libcryptos = Oracle.elements(of: bytes)?.map { element in
                [
                    element.offset, element.headerLength, element.length ?? -1, element.depth,
                    element.tagClass | element.tag | (element.isConstructed ? 0x20 : 0),
                ]
            }
            do throws(ReceiptDecodingError) {
                var elements: [[Int]] = []
                try Self.walk(bytes.span, Cursor(0, bytes.count), depth: 0, &elements)
                #expect(elements == libcryptos, "\(hexText(bytes))")
                accepted += 1
            } catch {
                let strict: Set<ReceiptDecodingError.Code> = [
                    .indefiniteLength, .nonMinimalLength, .unsupportedTag,
                ]
                #expect(libcryptos == nil || strict.contains(error.code), "\(hexText(bytes)): \(error)")
            }
        }
        #expect(accepted > 50)
    }

    /// All elements: offset, header length, content length, depth, identifier octet.
    private static func walk(
        _ span: Span<UInt8>, _ region: Cursor, depth: Int, _ elements: inout [[Int]]
    ) throws(ReceiptDecodingError) {
        var cursor = region
        while !cursor.isAtEnd {
            let element = try span.readElement(&cursor, "test")
            let identifier = element.tag.identifier
            guard identifier != 0 || !element.content.isAtEnd else {
                throw .fault(.unexpectedEndOfContents, element.start, "test")
            }
            elements.append([
                element.start, element.content.position - element.start, element.content.count, depth, Int(identifier),
            ])
            if element.tag.isConstructed { try walk(span, element.content, depth: depth + 1, &elements) }
        }
    }
}
