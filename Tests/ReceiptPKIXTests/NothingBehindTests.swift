import ReceiptASN1
import ReceiptForge
import ReceiptPKIX
import TestSupport
import Testing

/// Kinds of faults, at every place where they can be: one element more, one less, another version's fields.
@Suite struct NothingBehindTests {
    static func code(_ body: () throws(ReceiptDecodingError) -> Void) -> String {
        do throws(ReceiptDecodingError) {
            try body()
            return "read"
        } catch {
            return error.code.rawValue
        }
    }

    static func read(_ tree: BERNode) -> String {
        let bytes = tree.encoded
        return code { () throws(ReceiptDecodingError) in
            _ = try bytes.span.readCertificate(0..<bytes.count, limits: .default)
        }
    }

    /// The places of everything that holds elements.
    static func places(_ node: BERNode, _ path: [Int] = []) -> [[Int]] {
        guard case .nodes(let children) = node.content else { return [] }
        return [path] + children.indices.flatMap { places(children[$0], path + [$0]) }
    }

    /// NULL behind the last element of whatever holds some is refused, except within the values of extensions, which are
    /// read one by one, and of the parameters of algorithms.
    @Test func oneElementMoreAnywhere() throws {
        let tree = try BERNode(parsing: try ForgedPKI().leaf.der)
        #expect(Self.read(tree) == "read")
        var count = 0
        for place in Self.places(tree) {
            let isInValue = place.starts(with: [0, 7, 0]) && place.count > 4
            if isInValue { continue }
            var changed = tree
            changed[place].children.append(.null)
            count += 1
            if Self.read(changed) == "read" { Issue.record("\(place)") }
            if !tree[place].children.isEmpty, ![[0, 7, 0], [0, 3], [0, 5]].contains(place) {
                changed = tree
                changed[place].children.removeLast()
                // An algorithm without parameters, a certificate without extensions, and one extension less are allowed.
                let isOptional = place == [0] || place == [0, 2] || place == [1] || place == [0, 6, 0]
                if !isOptional, Self.read(changed) == "read" { Issue.record("less: \(place)") }
            }
        }
        #expect(count > 20)
    }

    /// Behind the key, inside its BIT STRING and beside it.
    @Test func behindTheKey() throws {
        let tree = try BERNode(parsing: try ForgedPKI().leaf.der)
        var behind = tree
        let key = BERNode.sequence([.integer(5), .integer(3)]).encoded
        behind[[0, 6, 1]] = .bitString(key)
        #expect(Self.read(behind) == "read")
        behind[[0, 6, 1]] = .bitString(key + [5, 0])
        #expect(Self.read(behind) == "trailing-bytes")
        behind[[0, 6, 1]] = .bitString(BERNode.sequence([.integer(5), .integer(3), .null]).encoded)
        #expect(Self.read(behind) == "trailing-bytes")
    }

    /// Unique identifiers are of versions 2 and 3, extensions of version 3 (RFC 5280 sections 4.1.2.8 and 4.1.2.9).
    @Test(arguments: [
        (1, false, false, "read"), (1, true, false, "trailing-bytes"), (1, false, true, "trailing-bytes"),
        (2, false, false, "read"), (2, true, false, "read"), (2, false, true, "trailing-bytes"),
        (2, true, true, "trailing-bytes"), (3, true, true, "read"), (3, false, true, "read"), (3, false, false, "read"),
        (4, false, false, "unsupported-version"),
    ])
    func fieldsOfVersions(version: Int, hasIdentifiers: Bool, hasExtensions: Bool, expected: String) throws {
        let tree = try BERNode(parsing: try ForgedPKI().leaf.der)
        for numbers in hasIdentifiers ? [[1], [2], [1, 2]] : [[]] {
            var changed = tree
            var fields = tree[[0]].children
            let extensions = fields.removeLast()
            fields.removeFirst()
            if version > 1 { fields.insert(.explicit(0, .integer(version - 1)), at: 0) }
            for number in numbers { fields.append(.implicit(UInt(number), .bitString([1, 2]))) }
            if hasExtensions { fields.append(extensions) }
            changed[[0]].children = fields
            #expect(Self.read(changed) == expected)
            guard expected == "read" else { continue }
            let bytes = changed.encoded
            let certificate = try bytes.span.readCertificate(0..<bytes.count, limits: .default)
            #expect(certificate.version == version)
            #expect(certificate.extensions.isEmpty == !hasExtensions)
        }
        for numbers: [UInt] in [[2, 1], [1, 1], [2, 2]] {
            var changed = tree
            changed[[0]].children.insert(contentsOf: numbers.map { .implicit($0, .bitString([1])) }, at: 7)
            #expect(Self.read(changed) == "trailing-bytes")
        }
    }

    // MARK: - Values of extensions

    /// A reader, and what it says of values.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable (borrowing Span<UInt8>, Range<Int>) throws(ReceiptDecodingError) -> Void
        let rows: [(hex: String, expected: String)]
    }

    static let readers = [
        Reader(
            testDescription: "subjectKeyIdentifier",
            read: { (span, range) throws(ReceiptDecodingError) in
                _ = try span.readSubjectKeyIdentifier(range)
            },
            rows: [
                ("04 00", "read"), ("04 01 07", "read"), ("04 01 07 05 00", "trailing-bytes"),
                ("05 00", "unexpected-tag"),
                ("24 03 04 01 07", "unexpected-tag"), ("", "missing-element"), ("04 02 07", "truncated"),
            ]),
        Reader(
            testDescription: "authorityKeyIdentifier",
            read: { (span, range) throws(ReceiptDecodingError) in
                _ = try span.readAuthorityKeyIdentifier(range)
            },
            rows: [
                ("30 00", "read"), ("30 03 80 01 07", "read"), ("30 03 80 01 07 05 00", "trailing-bytes"),
                ("30 05 80 01 07 05 00", "trailing-bytes"), ("30 06 80 01 07 80 01 07", "trailing-bytes"),
                ("30 06 80 01 07 82 01 01", "read"), ("30 03 82 01 01", "read"), ("30 02 82 00", "invalid-integer"),
                ("30 06 82 01 01 80 01 07", "trailing-bytes"), ("30 08 80 01 07 A1 03 82 01 61", "read"),
                ("30 05 A1 03 82 01 61", "read"), ("30 02 A1 00", "missing-element"), ("31 00", "unexpected-tag"),
                ("30 05 A1 03 82 01 E1", "invalid-extension"), ("30 05 A0 03 04 01 07", "trailing-bytes"),
                ("", "missing-element"),
            ]),
        // RFC 5280 section 4.2.1.6.
        Reader(
            testDescription: "GeneralNames",
            read: { (span, range) throws(ReceiptDecodingError) in
                try span.checkGeneralNames(range)
            },
            rows: [
                ("30 03 81 01 61", "read"), ("30 03 82 01 61", "read"), ("30 03 86 01 61", "read"),
                ("30 03 87 01 FF", "read"),
                ("30 03 88 01 2A", "read"), ("30 04 A4 02 30 00", "read"),
                ("30 07 A0 05 06 01 2A A0 00", "missing-element"),
                ("30 09 A0 07 06 01 2A A0 02 05 00", "read"), ("30 02 A3 00", "read"), ("30 02 A5 00", "read"),
                ("30 06 82 01 61 81 01 62", "read"), ("30 00", "missing-element"), ("05 00", "unexpected-tag"),
                ("30 03 81 01 80", "invalid-extension"), ("30 03 82 01 80", "invalid-extension"),
                ("30 03 86 01 80", "invalid-extension"), ("30 03 81 01 7F", "read"),
                ("30 02 88 00", "invalid-extension"),
                ("30 03 88 01 80", "invalid-extension"), ("30 03 88 01 7F", "read"),
                ("30 03 89 01 61", "invalid-extension"),
                ("30 04 A1 02 05 00", "invalid-extension"), ("30 02 83 00", "invalid-extension"),
                ("30 06 A4 04 30 00 05 00", "trailing-bytes"), ("30 02 A4 00", "missing-element"),
                ("30 0B A0 09 06 01 2A A0 02 05 00 05 00", "trailing-bytes"),
                ("30 0B A0 09 06 01 2A A0 04 05 00 05 00", "trailing-bytes"), ("30 04 A3 02 05 01", "truncated"),
                ("30 03 82 01 61 00", "trailing-bytes"), ("30 06 82 01 61 02 01 01", "invalid-extension"),
            ]),
        // RFC 5280 section 4.2.1.13.
        Reader(
            testDescription: "cRLDistributionPoints",
            read: { (span, range) throws(ReceiptDecodingError) in
                try span.checkCRLDistributionPoints(range)
            },
            rows: [
                ("30 02 30 00", "read"), ("30 00", "missing-element"), ("30 04 30 00 30 00", "read"),
                ("05 00", "unexpected-tag"),
                ("30 02 30 00 05 00", "trailing-bytes"), ("30 04 30 02 05 00", "trailing-bytes"),
                ("30 02 05 00", "unexpected-tag"),
                ("30 09 30 07 A0 05 A0 03 86 01 61", "read"), ("30 04 30 02 A0 00", "missing-element"),
                ("30 0B 30 09 A0 07 A0 03 86 01 61 05 00", "trailing-bytes"),
                ("30 06 30 04 A0 02 A0 00", "missing-element"),
                ("30 06 30 04 A0 02 A1 00", "missing-element"), ("30 06 30 04 81 02 07 80", "read"),
                ("30 06 30 04 81 02 08 80", "invalid-bit-string"), ("30 07 30 05 A2 03 86 01 61", "read"),
                ("30 04 30 02 A2 00", "missing-element"), ("30 0B 30 09 A2 03 86 01 61 81 02 07 80", "trailing-bytes"),
                ("30 0B 30 09 81 02 07 80 A2 03 86 01 61", "read"), ("30 06 30 04 A0 02 A2 00", "unexpected-tag"),
                ("30 11 30 0F A0 0D A1 0B 30 09 06 03 55 04 03 0C 02 61 62", "read"),
                ("30 11 30 0F A0 0D A1 0B 30 09 06 03 55 04 03 02 02 61 62", "unexpected-tag"),
            ]),
        Reader(
            testDescription: "extKeyUsage",
            read: { (span, range) throws(ReceiptDecodingError) in
                _ = try span.readExtendedKeyUsage(range)
            },
            rows: [
                ("30 03 06 01 2A", "read"),
                ("30 00", "missing-element"),
                ("05 00", "unexpected-tag"),
                ("30 06 06 01 2A 06 01 2B", "read"),
                ("30 05 06 01 2A 05 00", "unexpected-tag"),
                ("30 03 06 01 2A 05 00", "trailing-bytes"),
            ]),
        Reader(
            testDescription: "BIT STRING",
            read: { (span, range) throws(ReceiptDecodingError) in
                try span.checkBitString(range)
            },
            rows: [
                ("03 02 07 80", "read"),
                ("03 01 00", "read"),
                ("03 02 07 80 00", "trailing-bytes"),
                ("04 01 00", "unexpected-tag"),
                ("", "missing-element"),
            ]),
    ]

    @Test(arguments: readers) func values(reader: Reader) {
        for row in reader.rows {
            let bytes = hex(row.hex)
            let found = Self.code { () throws(ReceiptDecodingError) in try reader.read(bytes.span, 0..<bytes.count) }
            #expect(found == row.expected, "\(row.hex)")
        }
    }

    /// Names are text; a BMPString has no surrogates, and half a character nowhere.
    @Test func textOfNames() throws {
        let tree = try BERNode(parsing: try ForgedPKI().leaf.der)
        let rows: [(UInt8, [UInt8], String)] = [
            (30, [0xD7, 0xFF], "read"), (30, [0xD8, 0], "invalid-bmpstring"),
            (30, [0xDF, 0xFF], "invalid-bmpstring"),
            (30, [0xE0, 0], "read"), (30, [0, 0xD8], "read"), (30, [0, 0x41, 0xDB, 0], "invalid-bmpstring"),
            (30, [0], "invalid-bmpstring"), (30, [], "read"), (12, [0x41], "read"), (18, [0x31], "read"),
            (19, [0x41], "read"),
            (20, [0x41], "read"), (22, [0x41], "read"), (28, [0, 0, 0, 0x41], "unexpected-tag"),
            (4, [0x41], "unexpected-tag"),
            (3, [0, 0x41], "unexpected-tag"), (2, [1], "unexpected-tag"), (26, [0x41], "unexpected-tag"),
        ]
        for path in [[0, 3], [0, 5]] {
            for (tag, content, expected) in rows {
                var changed = tree
                changed[path + [0, 0, 1]] = BERNode(.init(.universal, UInt(tag)), .bytes(content))
                #expect(Self.read(changed) == expected, "\(tag) \(hexText(content))")
            }
        }
    }
}
