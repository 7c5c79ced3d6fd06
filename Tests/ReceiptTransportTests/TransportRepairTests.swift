import AppStoreReceipt
import Foundation
import TestSupport
import Testing

/// What is damaged in one of the known ways decodes to what it was.
@Suite struct TransportRepairTests {
    static let samples: [(name: String, bytes: [UInt8])] =
        (142..<152).map { ("cms \($0)", TransportSample.cms($0, seed: UInt64($0))) }
        + [1000, 1001, 1002, 5052].map { ("cms \($0)", TransportSample.cms($0, seed: UInt64($0))) }
        + [300, 301, 302, 2000].map { ("ber \($0)", TransportSample.ber($0, seed: UInt64($0))) }
        + [("property list", TransportSample.propertyList)]
        + Corpus.paths("receipts", suffix: ".der").filter { !$0.contains("/malformed") }
        .map { (URL(filePath: $0).lastPathComponent, (try? Corpus.bytes($0)) ?? []) }
        // The long ones say nothing new and take long without optimisation.
        .filter { $0.1.count < 8000 }
        + Corpus.paths("receipts", suffix: ".plist").filter { !$0.contains("malformed") }
        .map { (URL(filePath: $0).lastPathComponent, (try? Corpus.bytes($0)) ?? []) }

    @Test(arguments: TransportSample.damage.map(\.name))
    func damagedBase64Decodes(damage: String) throws {
        let apply = try #require(TransportSample.damage.first { $0.name == damage }).apply
        for (name, bytes) in Self.samples {
            let text = apply(TransportSample.base64(bytes))
            do {
                let decoding = try TransportDecoding.decode(text, mode: .tolerant)
                #expect(decoding.bytes == bytes, "\(name)")
                #expect(decoding.content == .cms || bytes[0] == UInt8(ascii: "{"), "\(name)")
                let isCanonical = (try? TransportDecoding.decode(text, mode: .exact))?.content != nil
                #expect((decoding.form == .base64 && decoding.repairs.isEmpty) == isCanonical, "\(name)")
                #expect(decoding.repairs.allSatisfy { (0...text.count).contains($0.offset) && $0.count > 0 }, "\(name)")
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    @Test(arguments: TransportSample.forms.map(\.name))
    func otherFormsDecode(form: String) throws {
        let apply = try #require(TransportSample.forms.first { $0.name == form }).apply
        for (name, bytes) in Self.samples where bytes[0] == 0x30 {
            do {
                let decoding = try TransportDecoding.decode(apply(bytes), mode: .tolerant)
                #expect(decoding.bytes == bytes, "\(name)")
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    /// 142 bytes, whose base64 of 192 characters ends in `==` and has `+` and `/` where the rows say.
    static let text = TransportSample.base64(TransportSample.cms(142))
    static let pluses = text.utf8.count { $0 == UInt8(ascii: "+") }
    static let slashes = text.utf8.count { $0 == UInt8(ascii: "/") }
    static let firstPlus = text.utf8.prefix { $0 != UInt8(ascii: "+") }.count
    static let firstSlash = text.utf8.prefix { $0 != UInt8(ascii: "/") }.count

    /// A text, and each repair with its count and the offset of its first occurrence.
    struct Row {
        var text: String
        var repairs: [String]

        init(_ text: String, _ repairs: [String]) {
            self.text = text
            self.repairs = repairs
        }
    }

    static let rows: [Row] = [
        Row(text, []),
        Row(TransportSample.wrap(text, 64, "\n"), ["line-breaks x2 @64"]),
        Row(
            TransportSample.wrap(text, 64, "\r\n") + "\r\n", ["line-breaks x2 @64", "surrounding-white-space x2 @196"]),
        Row(TransportSample.wrap(text, 61, "\r\n"), ["line-breaks x3 @61"]),
        Row(TransportSample.wrap(text, 61, "\\n"), ["literal-escapes x3 @61"]),
        Row(TransportSample.wrap(text, 50, "\n\t"), ["line-breaks x3 @50", "inner-white-space x3 @51"]),
        Row(" \"\(text)\",", ["surrounding-white-space x1 @0", "quotes x2 @1", "trailing-punctuation x1 @195"]),
        Row(text.replacingOccurrences(of: "/", with: "\\/"), ["escaped-slashes x\(slashes) @\(firstSlash)"]),
        Row(text.replacingOccurrences(of: "+", with: "%2B"), ["percent-encoding x\(pluses) @\(firstPlus)"]),
        Row(text.replacingOccurrences(of: "+", with: "%252B"), ["double-percent-encoding x\(pluses) @\(firstPlus)"]),
        Row(text.replacingOccurrences(of: "+", with: " "), ["spaces-for-plus x\(pluses) @\(firstPlus)"]),
        Row(TransportSample.urlSafe(text), ["base64url x\(pluses + slashes) @\(min(firstPlus, firstSlash))"]),
        Row(text.replacingOccurrences(of: "=", with: ""), ["missing-padding x2 @190"]),
        Row(String(text.dropLast()), ["missing-padding x1 @190"]),
        Row(text + "=", ["excess-padding x1 @190"]),
        Row("data:;base64," + text, ["data-uri x1 @0"]),
        Row("-----BEGIN PKCS7-----\(text)-----END PKCS7-----", ["pem-armour x2 @0"]),
        Row("-----BEGIN PKCS7-----\(text)", ["pem-armour x1 @0", "damaged-pem-armour x1 @213"]),
        Row("\u{FEFF}\(text)\0", ["byte-order-mark x1 @0", "trailing-zeros x1 @195"]),
        Row(
            TransportSample.base64(Array((text + "\n").utf8)),
            ["encoded-twice x1 @0", "surrounding-white-space x1 @256"]
        ),
        Row(TransportSample.base64(TransportSample.cms(142) + [0, 10]), ["trailing-bytes x2 @190"]),
        Row("\(text.prefix(189))\(bitsSet)==", ["trailing-bits x1 @189"]),
    ]

    @Test(arguments: rows)
    func repairsAreReported(row: Row) throws {
        let decoding = try TransportDecoding(row.text)
        #expect(decoding.bytes == TransportSample.cms(142))
        #expect(decoding.repairs.map { "\($0.code) x\($0.count) @\($0.offset)" } == row.repairs)
    }

    /// Blanks at the end are plus signs where there are blanks inside, and otherwise white space after a text that is cut.
    @Test(arguments: [[0x00, 0xBE], [0x0F, 0xBE]] as [[UInt8]])
    func plusSignsAtTheEnd(octets: [UInt8]) throws {
        let bytes = TransportSample.cms(144).dropLast(2) + octets
        let text = TransportSample.base64(Array(bytes))
        let pluses = text.utf8.reversed().prefix { $0 == UInt8(ascii: "+") }.count
        #expect(pluses == (octets[0] == 0 ? 1 : 2) && pluses < text.utf8.count { $0 == UInt8(ascii: "+") })
        for end in ["", "\n", "  "] {
            let decoding = try TransportDecoding(text.replacingOccurrences(of: "+", with: " ") + end)
            #expect(decoding.bytes == Array(bytes))
            #expect(decoding.repairs.first { $0.code == .spacesForPlus }?.count == text.utf8.count { $0 == 0x2B })
        }
        let error = #expect(throws: ReceiptDecodingError.self) {
            try TransportDecoding(text.dropLast(pluses) + String(repeating: " ", count: pluses))
        }
        #expect(error?.code == .truncated)
    }

    /// The last character of the alphabet in the text with a bit that belongs to no byte.
    static let bitsSet: Character = {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let last = text[text.index(text.startIndex, offsetBy: 189)]
        return alphabet[(alphabet.firstIndex(of: last) ?? 0) + 1]
    }()
}
