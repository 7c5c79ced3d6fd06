import OracleSupport
import ReceiptForge
import Testing

/// Each operator does what its name says, and nothing else.
struct DamageTests {
    /// Whether libcrypto still reads the message, and still verifies it.
    struct Row: CustomTestStringConvertible, Sendable {
        var damage: [Damage]
        var reads: Bool
        var verifies: Bool
        var testDescription: String { damage.map(\.name).joined(separator: ", ") }

        init(_ damage: Damage..., reads: Bool, verifies: Bool) {
            self.damage = damage
            self.reads = reads
            self.verifies = verifies
        }
    }

    static let rows = [
        Row(.flip(byte: -1, bit: 3), reads: true, verifies: false),
        Row(.setByte(0, to: 0x31), reads: false, verifies: false),
        Row(.deleteByte(20), reads: false, verifies: false),
        Row(.insert([0, 0], at: 4), reads: false, verifies: false),
        Row(.truncate(to: 100), reads: false, verifies: false),
        Row(.dropLast(1), reads: false, verifies: false),
        Row(.append([0]), reads: true, verifies: false),
        Row(.wrongTag(.content, 0x0C), reads: false, verifies: false),
        Row(.wrongTag(.version, 0x0C), reads: false, verifies: false),
        Row(.nonMinimalLength(.version), reads: true, verifies: true),
        Row(.wrongLength(.version, [0x7F]), reads: false, verifies: false),
        Row(.indefiniteLength(.signedData), reads: true, verifies: true),
        Row(.missingEndOfContents(.contentInfo), reads: false, verifies: false),
        Row(.replace(.version, with: .integer(3)), reads: true, verifies: true),
        Row(.remove(.digestAlgorithms), reads: false, verifies: false),
        Row(.duplicate(.attributeOfType(2)), reads: true, verifies: false),
        Row(.duplicate(.attributeOfType(2)), .sign(), reads: true, verifies: true),
        Row(.duplicate(.attributeOfType(2)), .sign(with: TestKeys.rsa2048(9)), reads: true, verifies: false),
        Row(.reverse(.payload), reads: true, verifies: false),
        Row(.reverse(.payload), .sign(), reads: true, verifies: true),
        Row(.reverse(.certificates), reads: true, verifies: true),
        Row(.swapCertificates(0, 2), reads: true, verifies: true),
        Row(.dropCertificate(2), reads: true, verifies: true),
        Row(.dropCertificate(1), reads: true, verifies: false),
        Row(.dropCertificate(0), reads: true, verifies: false),
        Row(.remove(.certificates), reads: true, verifies: false),
        Row(.duplicate(.signer(0)), reads: true, verifies: true),
        Row(.remove(.signer(0)), reads: true, verifies: false),
        Row(.remove(.attribute(3)), .sign(), reads: true, verifies: true),
        Row(.add(.null, to: .payload), .sign(), reads: true, verifies: true),
        Row(.replace(.signature(0), with: .octetString([1])), reads: true, verifies: false),
        Row(.replace(.inside(.certificate(0), [0, 1]), with: .integer(5)), reads: true, verifies: false),
    ]

    @Test(arguments: rows)
    func damage(row: Row) throws {
        let message = try ForgedReceipt().signed()
        let damaged = try message.damaged(row.damage)
        #expect(damaged.bytes != message.bytes)
        #expect((Oracle.parseCMS(damaged.bytes) != nil) == row.reads)
        let answer = Oracle.verifyCMS(damaged.bytes, roots: message.anchors, at: 1_750_000_000)
        #expect(answer.isOK == row.verifies, "\(answer)")
    }

    @Test func noSuchPlace() throws {
        let message = try ForgedReceipt().signed()
        for damage: Damage in [
            .remove(.attribute(99)), .remove(.attributeOfType(99)), .flip(byte: 1_000_000), .swapCertificates(0, 9),
            .dropCertificate(3),
        ] {
            #expect(throws: ForgeError.self) { try message.damaged(damage) }
        }
        let unsigned = try message.damaged(.remove(.signature(0)))
        #expect(throws: ForgeError.self) { try unsigned.damaged(.remove(.signature(0))) }
        let onePiece = try ForgedReceipt().signed { $0.encoding = .indefinite(pieces: nil) }
        #expect(try onePiece.damaged(.remove(.attribute(0))).bytes.count < onePiece.bytes.count)
        let pieces = try ForgedReceipt().signed { $0.encoding = .indefinite(pieces: 50) }
        #expect(throws: ForgeError.self) { try pieces.damaged(.remove(.attribute(0))) }
    }

    static let forms: [(TextForm, @Sendable (String, String) -> Bool)] = [
        (
            .wrapped(columns: 64),
            { text, plain in text.split(separator: "\n").joined() == plain && text.contains("\n") }
        ),
        (
            .wrapped(columns: 76, newline: "\r\n"),
            { text, plain in text.utf8.count == plain.count + (plain.count + 75) / 76 * 2 }
        ),
        (.literalNewlines(columns: 76), { text, _ in text.contains("\\n") && !text.contains("\n") }),
        (.escapedSlashes, { text, _ in text.contains("\\/") }),
        (.percentEncoded, { text, _ in text.contains("%2B") && !text.contains("+") && !text.contains("=") }),
        (.plusAsSpace, { text, plain in text.contains(" ") && text.count == plain.count }),
        (.base64URL, { text, plain in text.contains("-") && text.count == plain.count }),
        (.unpadded, { text, plain in !text.hasSuffix("=") && plain.hasPrefix(text) }),
        (.pem("PKCS7"), { text, _ in text.hasPrefix("-----BEGIN PKCS7-----\nMII") }),
        (.dataURI, { text, _ in text.hasPrefix("data:") }),
        (.quoted, { text, _ in text.first == "\"" && text.last == "\"" }),
        (.byteOrderMark, { text, _ in text.unicodeScalars.first == "\u{FEFF}" }),
        (.surroundedBySpace, { text, _ in text.first == " " }),
        (.base64Again, { text, _ in text.hasPrefix("TUlJ") }),
        (.hexadecimal, { text, _ in text.hasPrefix("3082") }),
        (.cut(at: 500), { text, plain in text.count == 500 && plain.hasPrefix(text) }),
        (.inside("{\"receipt-data\":\"$\"}"), { text, plain in text == "{\"receipt-data\":\"\(plain)\"}" }),
    ]

    @Test func textForms() throws {
        let message = try ForgedReceipt(seed: 1).signed()
        for (form, holds) in Self.forms { #expect(holds(message.text(form), message.base64), "\(form)") }
        #expect(message.text() == message.base64)
        #expect(message.text(.escapedSlashes, .quoted).hasPrefix("\"MII"))
    }
}
