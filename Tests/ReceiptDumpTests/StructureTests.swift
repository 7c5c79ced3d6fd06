import Foundation
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

@Suite struct StructureTests {
    static func lines(_ bytes: [UInt8]) -> [TreeLine] {
        var lines: [TreeLine] = []
        StructureTree.walk(bytes) { line in
            lines.append(line)
            return true
        }
        return lines
    }

    /// `openssl asn1parse` sees the same elements at the same places, up to where it gives up.
    @Test(
        .enabled(if: Program.openssl.isWanted, "the openssl command is not installed"),
        arguments: corpusReceipts() + Corpus.paths("certificates", suffix: ".cer"))
    func agreesWithOpenSSL(path: String) throws {
        let bytes = try Corpus.bytes(path)
        let ours = Self.lines(bytes).filter { $0.kind == .element }.map { line in
            let length =
                switch line.contentLength {
                case .definite(let length): String(length)
                case .indefinite: "inf"
                case .none: "none"
                }
            return "\(line.offset) d=\(line.depth) hl=\(line.headerLength ?? -1) l=\(length)"
        }
        let theirs = try Binary.run(program: "/usr/bin/env", ["openssl", "asn1parse", "-inform", "DER", "-in", path])
        // "   58:d=5  hl=4 l= 836 prim: OCTET STRING"
        let parsed = theirs.text.split(separator: "\n").compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let offset = Int(parts[0].trimmingCharacters(in: .whitespaces)) else { return nil }
            let words = parts[1].replacing("l= ", with: "l=").replacing("= ", with: "=").replacing("= ", with: "=")
                .split(separator: " ")
            return "\(offset) \(words[0]) \(words[1]) \(words[2])"
        }
        // It gives up at once on an outermost length that is too long.
        if theirs.status == 0 { #expect(!parsed.isEmpty && ours == parsed) } else { #expect(ours.starts(with: parsed)) }
    }

    @Test(
        arguments: [
            ([], ["! there are no bytes"]),
            ([0x05, 0x00], ["NULL"]),
            ([0x05, 0x01, 0x00], ["NULL 00  (a NULL has no content)"]),
            ([0x01, 0x00], ["BOOLEAN (empty)  (a BOOLEAN has one octet)"]),
            ([0x01, 0x02, 0x00, 0xFF], ["BOOLEAN 00ff  (a BOOLEAN has one octet)"]),
            ([0x02, 0x01, 0xFF], ["INTEGER -1"]),
            ([0x02, 0x02, 0x00, 0x01], ["INTEGER 1  (longer than needed)"]),
            ([0x02, 0x81, 0x01, 0x07], ["INTEGER 7  (header longer than needed)"]),
            ([0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0], ["INTEGER 0x010000000000000000"]),
            ([0x01, 0x01, 0xFF], ["BOOLEAN true"]),
            ([0x01, 0x01, 0x01], ["BOOLEAN true (01)"]),
            ([0x06, 0x03, 0x55, 0x04, 0x03], ["OBJECT IDENTIFIER 2.5.4.3 (commonName)"]),
            ([0x06, 0x02, 0x80, 0x01], ["OBJECT IDENTIFIER malformed 8001"]),
            ([0x0C, 0x03, 0x61, 0x1B, 0x62], [#"UTF8String "a\u{1b}b""#]),
            ([0x0C, 0x02, 0x61, 0xFF], [#"UTF8String "a\xff""#]),
            ([0x1E, 0x04, 0x00, 0x41, 0x20, 0x2E], [#"BMPString "A\u{202e}""#]),
            ([0x17, 0x0D] + Array("490101000000Z".utf8), [#"UTCTime "490101000000Z" (2049-01-01T00:00:00Z)"#]),
            ([0x17, 0x0D] + Array("500101000000Z".utf8), [#"UTCTime "500101000000Z" (1950-01-01T00:00:00Z)"#]),
            ([0x03, 0x02, 0x07, 0x80], ["BIT STRING 80, 7 bits unused"]),
            (
                [0x04, 0x03, 0x02, 0x01, 0x05],
                ["OCTET STRING 020105", "- it holds what reads as BER (a guess):", "INTEGER 5"]
            ),
            ([0x04, 0x03, 0x02, 0x02, 0x05], ["OCTET STRING 020205"]),
            ([0x9F, 0x8F, 0x10, 0x00], ["[1936] (empty)"]),
            ([0x1F, 0x1E, 0x00], ["BMPString \"\"  (header longer than needed)"]),
            ([0x30, 0x80, 0x05, 0x00, 0x00, 0x00], ["SEQUENCE", "NULL", "end-of-contents"]),
            ([0x30, 0x80, 0x05, 0x00], ["SEQUENCE", "NULL", "! end-of-contents is missing"]),
            ([0x30, 0x80], ["SEQUENCE", "! end-of-contents is missing"]),
            (
                [0x30, 0x02, 0x00, 0x00],
                ["SEQUENCE", "end-of-contents", "! end-of-contents where no indefinite length is open"]
            ),
            (
                [0x30, 0x80, 0x30, 0x02, 0x00, 0x00, 0x00, 0x00],
                [
                    "SEQUENCE", "SEQUENCE", "end-of-contents", "! end-of-contents where no indefinite length is open",
                    "end-of-contents",
                ]
            ),
            ([0x05, 0x00, 0x05, 0x00], ["NULL", "! 2 bytes follow the end of the outermost element", "NULL"]),
            ([0x30, 0x05, 0x05, 0x00], ["SEQUENCE", "! the length says 5 bytes, 2 follow", "NULL"]),
            ([0x04, 0x80, 0x00], ["! a primitive element cannot have an indefinite length: 3 bytes are left, 048000"]),
            ([0x04, 0xFF], ["! the length begins with ff, which is reserved: 2 bytes are left, 04ff"]),
            (
                [0x04, 0x88] + Array(repeating: 0xFF, count: 8),
                ["! a length of 8 octets does not fit 63 bits: 10 bytes are left, 0488ffffffffffffffff"]
            ),
            ([0x04, 0x87, 0xFF], ["! the header is cut off: 3 bytes are left, 0487ff"]),
            ([0x30], ["! the header is cut off: 1 bytes are left, 30"]),
            (
                [0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
                ["! the tag number is above 2^32 - 1: 7 bytes are left, 1fffffffffff7f"]
            ),
            // The sibling after a child that cannot be read is still found.
            (
                [0x30, 0x06, 0x30, 0x02, 0x04, 0xFF, 0x05, 0x00],
                [
                    "SEQUENCE", "SEQUENCE", "! the length begins with ff, which is reserved: 2 bytes are left, 04ff",
                    "NULL",
                ]
            ),
            (
                [0x24, 0x80, 0x04, 0x01, 0x02, 0x04, 0x02, 0x01, 0x07, 0x00, 0x00],
                [
                    "OCTET STRING, constructed", "piece 1: OCTET STRING 02", "piece 2: OCTET STRING 0107",
                    "end-of-contents",
                    "- the 2 pieces, joined:", "- they hold what reads as BER (a guess):", "INTEGER 7",
                ]
            ),
        ] as [([UInt8], [String])])
    func smallTrees(bytes: [UInt8], expected: [String]) {
        let lines = Self.lines(bytes).map { line in
            switch line.kind {
            case .fault: "! " + line.text
            case .note: "- " + line.text
            default: line.text
            }
        }
        #expect(lines == expected)
    }

    /// Joined pieces keep the offsets of the original bytes.
    @Test func joinedPiecesKnowWhereTheyCameFrom() {
        let lines = Self.lines([
            0x24, 0x80, 0x04, 0x03, 0x30, 0x05, 0x02, 0x04, 0x04, 0x01, 0x07, 0x05, 0x00, 0x00, 0x00,
        ])
        let opened = lines.filter { $0.kind == .opened }.map { "\($0.offset) \($0.text)" }
        #expect(opened == ["4 SEQUENCE", "6 INTEGER 7", "11 NULL"])
    }

    /// Every prefix and every flipped byte of a receipt gives a tree that begins at 0 and stays inside the input.
    @Test(
        arguments: corpusReceipts().filter {
            $0.contains("xcode-") || $0.contains("belive") || $0.contains("appattest")
        })
    func damagedReceiptsNeverFail(path: String) throws {
        let bytes = try Corpus.bytes(path)
        var generator = SystemRandomNumberGenerator()
        for step in stride(from: 0, to: bytes.count, by: 13) {
            var damaged = bytes
            damaged[step] = UInt8.random(in: 0...255, using: &generator)
            for variant in [Array(bytes[..<step]), damaged] {
                let lines = Self.lines(variant)
                #expect(lines.first?.offset == 0)
                #expect(lines.allSatisfy { $0.offset <= variant.count })
                if variant.count < bytes.count { #expect(lines.contains { $0.kind == .fault }) }
            }
        }
    }

    /// 100,000 NULLs.
    static let nulls: [UInt8] = (0..<200_000).map { $0 % 2 == 0 ? 0x05 : 0x00 }

    /// Depth and breadth bombs end, quickly and without a deep stack.
    @Test func bombs() {
        let depth = Self.lines((0..<400_000).map { $0 % 2 == 0 ? 0x30 : 0x80 })
        #expect(depth.count < 200)
        #expect(depth.contains { $0.kind == .note && $0.text.hasPrefix("nested deeper than 64 levels") })
        let strings = Self.lines((0..<400_000).map { $0 % 2 == 0 ? 0x24 : 0x80 })
        #expect(strings.count < 200)
        let breadth = Self.lines(
            [0x30, 0x83, 0x03, 0x0D, 0x40] + Self.nulls)
        #expect(breadth.count == 100_001)
    }

    /// Receipt attributes carry Apple's names, and the opaque ones are never opened.
    @Test(arguments: corpusReceipts().filter { $0.contains("belive") || $0.contains("weeka") })
    func attributeNames(path: String) throws {
        let texts = Self.lines(try Corpus.bytes(path)).map(\.text)
        for name in [
            "bundle_id (2): SEQUENCE", "in_app (17): SEQUENCE", "product_id (1702): SEQUENCE", "attribute 14: SEQUENCE",
        ] {
            #expect(texts.contains(name))
        }
        let opaque = try #require(texts.firstIndex { $0 == "attribute 6: SEQUENCE" })
        #expect(texts[opaque + 4].hasSuffix("SEQUENCE"), "after type, version and value the next attribute follows")
    }

    /// A reader that closes early ends the tree, without an error.
    @Test func closedPipe() throws {
        let bytes =
            [0x30, 0x83, 0x03, 0x0D, 0x40] + Self.nulls
        let host = TestHost([.standardInput: bytes])
        host.output.writesUntilClosed = 2
        #expect(host.run("--format", "asn1", "-") == 0)
        #expect(host.errors.bytes.isEmpty)
        #expect(host.output.bytes.count < 200_000)
    }
}
