import AppStoreReceipt
import Foundation
import Testing

/// Generated input: nothing traps, nothing takes long, and exact mode is what it says.
@Suite struct TransportFuzzTests {
    /// Exact mode accepts what Foundation decodes and encodes to the same text again: Foundation's decoder alone lets
    /// needless `=` and bits after the last byte pass.
    @Test(arguments: 0..<20)
    func exactModeAgreesWithFoundation(seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        var accepted = 0
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                UInt8.random(in: 0x80...0xFF, using: &random)
            }
            var text = Array(TransportSample.base64(bytes).utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) { mutate(&text, &random) }
            let string = String(decoding: text, as: UTF8.self)
            let decoded = Data(base64Encoded: string).flatMap { $0.base64EncodedString() == string ? Array($0) : nil }
            let expected = text.isEmpty ? nil : decoded
            let decoding = try? TransportDecoding.base64(text.span)
            #expect((text.isEmpty ? nil : decoding) == expected, "\(string)")
            accepted += decoding == nil ? 0 : 1
        }
        #expect((200..<900).contains(accepted))
    }

    /// Any text, with the characters that mean something far more often than chance.
    @Test(arguments: 0..<40)
    func nothingTraps(seed: Int) {
        var random = SeededRandom(UInt64(seed))
        let pieces: [[UInt8]] =
            [
                "MII", "MIIB", "TUlJ", "eyJ", "ewo", "\\n", "\\/", "\\u003d", "\\u", "\\", "%2B", "%252B", "%", "%2",
                "&#43;",
                "&", "&#x", "=", "==", "=3D", "=\r\n", " ", "  ", "\r\n", "\n", "\t", "\"", "'", "`", ",", ";", "-",
                "_",
                "-----BEGIN PKCS7-----", "-----END PKCS7-----", "-----", "BEGIN ", "data:;base64,", "data:",
                "Optional(",
                ")", "b'", "{", "}", "[", "<", ">", "0x", "3082", "3080", "\u{FEFF}", "\u{A0}", "\u{201C}", "\0", ".",
                "…",
                "{length", "{\n\"signature\" = \"", "purchase-info", "\"receipt-data\"", "<html", "<?xml", " bytes",
            ].map { Array($0.utf8) } + [
                [0x30, 0x80], [0x30, 0x82, 0x01], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88], [0xFF, 0xFE],
                [0xFE, 0xFF], [0xC2], [0xF4, 0x90], [0x00, 0x4D], [0x4D, 0x00],
            ]
        for _ in 0..<500 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                switch UInt8.random(in: 0...3, using: &random) {
                case 0:
                    for _ in 0..<Int.random(in: 1...20, using: &random) {
                        text.append("ABCDwxyz0189+/".utf8.randomElement(using: &random) ?? 0)
                    }
                case 1: text.append(UInt8.random(in: 0...255, using: &random))
                default: text += pieces.randomElement(using: &random) ?? []
                }
            }
            check(text)
        }
    }

    /// Genuine shapes with a few bytes changed, lost, doubled or cut off.
    @Test(arguments: TransportSample.damage.map(\.name))
    func damagedTwiceNeverTraps(damage: String) throws {
        let apply = try #require(TransportSample.damage.first { $0.name == damage }).apply
        var random = SeededRandom(UInt64(damage.utf8.count))
        for sample in [TransportSample.cms(300), TransportSample.ber(200), TransportSample.propertyList] {
            let text = apply(TransportSample.base64(sample))
            for _ in 0..<60 {
                var text = text
                for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&text, &random) }
                check(text)
            }
        }
    }

    /// Every prefix of a receipt's text is refused, and the offset of a truncation is where the text ends.
    @Test func everyPrefixIsRefused() {
        for sample in [TransportSample.cms(300), TransportSample.ber(200)] {
            let text = Array(TransportSample.base64(sample).utf8)
            for count in 0..<(text.count - 2) {
                let error = #expect(throws: ReceiptDecodingError.self) {
                    try TransportDecoding(Array(text.prefix(count)))
                }
                if count >= 8 {
                    #expect(error?.code == .truncated)
                    #expect(error?.offset == count)
                }
            }
        }
    }

    /// Texts of 100 KB that would take hours if any character were looked at more than a bounded number of times.
    @Test(
        .timeLimit(.minutes(4)),
        arguments: [
            " ", "M ", "MII ", "%", "%25", "%252B", "\\", "\\n", "\\\\/", "&", "&#43;", "=", "MI=", "MI==", "\n",
            "\r\n", "\"",
            "'\"", "b'", ",", "M,", "-", "-----", "-----BEGIN ", "-----BEGIN A-----", "\n-----END", "data:",
            "data:base64,",
            "{", "[", "<", "<html", "0x", "3080", "30 80 ", "\u{A0}", "M\u{A0}", "\u{201C}", "\0", "M\0", "TUlJ",
            "Optional(",
            "\"receipt-data", "eyJ", ".", "\u{1F600}",
        ])
    func hostileTextsAreLinear(piece: String) {
        let body = String(repeating: piece, count: 100_000 / piece.utf8.count)
        for text in [body, "MIIT" + body, "M" + body + "A", TransportSample.base64(Array(body.utf8))] {
            check(Array(text.utf8))
        }
    }

    /// Layers of encoding are undone up to a number, whatever they hold.
    @Test func nestingIsBounded() {
        var text = Array("MIIT".utf8)
        for _ in 0..<30 {
            text = Array(TransportSample.base64(text).utf8)
            check(text)
        }
        let error = #expect(throws: ReceiptDecodingError.self) { try TransportDecoding(text) }
        #expect(error?.code == .encodedTooOften)
    }

    private func check(_ text: [UInt8]) {
        for mode in [TransportMode.tolerant, .exact] {
            do {
                let decoding = try TransportDecoding.decode(text, mode: mode)
                #expect(decoding.bytes.count <= text.count)
                #expect(decoding.repairs.allSatisfy { (0...text.count).contains($0.offset) && $0.count > 0 })
            } catch {
                #expect((0...text.count).contains(error.offset))
                #expect(error.detail != nil)
            }
        }
    }

    private func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
        guard let index = text.indices.randomElement(using: &random) else { return }
        switch UInt8.random(in: 0...5, using: &random) {
        case 0: text[index] = UInt8.random(in: 0x20...0x7E, using: &random)
        case 1: text.remove(at: index)
        case 2: text.insert("=+/-_ \n\\%\"".utf8.randomElement(using: &random) ?? 0, at: index)
        case 3: text.removeSubrange(index...)
        case 4: text.insert(text[index], at: index)
        default: text[index] ^= 1 << UInt8.random(in: 0...6, using: &random)
        }
    }
}
