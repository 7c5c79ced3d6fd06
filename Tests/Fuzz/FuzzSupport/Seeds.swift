package import ReceiptForge
internal import TestSupport

#if canImport(Glibc)
    internal import Glibc
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The inputs that fuzzing begins with: forged receipts of every kind, and what is in Fixtures and in the corpus.
package enum Seeds {
    package static let chains: [ForgedPKI] = {
        do {
            return try [
                ForgedPKI(), ForgedPKI(.sha1()), ForgedPKI(.xcode()),
                ForgedPKI(.generation(.g5Second)), ForgedPKI(.generation(.g1)),
            ]
        } catch {
            finding("no chains: \(error)")
        }
    }()

    package static let messages: [ForgedMessage] = {
        do {
            var full = ForgedReceipt(bundleID: "com.example.full", seed: 1)
            full.purchases = [
                .autoRenewable("com.example.pro").inTrial(), .consumable("com.example.coins"),
                ForgedPurchase(productID: "com.example.life", productType: .nonConsumable),
            ]
            let plain = ForgedReceipt()
            var xcode = ForgedReceipt(environment: .xcode)
            xcode.purchases = [.consumable("com.example.coins")]
            var messages = [
                try plain.signed(by: chains[0]), try full.signed(by: chains[0]), try full.signed(by: chains[1]),
                try xcode.signed(by: chains[2]), try plain.signed(by: chains[3]), try plain.signed(by: chains[4]),
                try ForgedReceipt(environment: .sandbox).signed(by: chains[0]),
                try ForgedReceipt(environment: .productionVPP).signed(by: chains[1]),
            ]
            messages.append(
                try plain.signed(by: chains[0]) { $0.encoding = .indefinite(pieces: 100) })
            messages.append(
                try plain.signed(by: chains[0]) {
                    $0.signers[0].signedAttributes = .init()
                    $0.signers[0].unsignedAttributes = [.sequence([.oid([1, 2, 3]), .set([.integer(1)])])]
                })
            return messages
        } catch {
            finding("no messages: \(error)")
        }
    }()

    package static let transactions: [ForgedTransactionReceipt.Signed] = {
        do {
            let old = try ForgedPKI(.purchaseReceipts())
            return try [
                ForgedTransactionReceipt(version: 3).signed(by: old),
                ForgedTransactionReceipt(version: 4, purchaseInfo: .subscription).signed(by: chains[0]),
            ]
        } catch {
            finding("no transaction receipts: \(error)")
        }
    }()

    /// DER and BER files of Fixtures and of the corpus.
    package static let files: [[UInt8]] = {
        let paths =
            Corpus.names(in: Corpus.fixtures + "/genuine", suffix: ".der").map { "\(Corpus.fixtures)/genuine/\($0)" }
            + Corpus.paths("receipts", suffix: ".der")
        return paths.compactMap { path in
            do {
                let bytes = try Corpus.bytes(path)
                return bytes.count <= 20_000 ? bytes : nil
            } catch {
                finding("cannot read \(path): \(error)")
            }
        }
    }()

    package static var containers: [[UInt8]] { messages.map(\.bytes) + small + files }

    /// Containers of a few dozen bytes: what is quickly run is run often.
    package static let small: [[UInt8]] = {
        do {
            let payload = BERNode.set([ForgedAttribute(2, .utf8String("a")).node]).encoded
            let encodings: [MessageTemplate.Encoding] = [.der, .indefinite(pieces: nil), .indefinite(pieces: 4)]
            return try encodings.map { encoding in
                try ForgedMessage.signing(payload, by: chains[0]) {
                    $0.encoding = encoding
                    $0.certificates = [[0x30, 0x00]]
                    $0.signers = []
                }.bytes
            }
        } catch {
            finding("no small containers: \(error)")
        }
    }()

    /// Payloads of one attribute each.
    package static let payloads: [[UInt8]] =
        messages.map(\.payload)
        + messages.prefix(4).flatMap { message in
            let editor = TLVEditor(message.payload)
            guard let set = editor.element(at: 0, limit: message.payload.count) else { return [[UInt8]]() }
            return (editor.children(of: set) ?? []).map {
                TLVEditor.header(0x31, $0.range.count) + message.payload[$0.range]
            }
        }

    package static var certificates: [[UInt8]] { chains.flatMap(\.certificates) }

    /// A receipt in the forms in which it is handed over.
    package static var texts: [[UInt8]] {
        let forms: [[TextForm]] = [
            [], [.wrapped(columns: 64, newline: "\r\n")], [.literalNewlines(columns: 76)], [.escapedSlashes],
            [.percentEncoded], [.plusAsSpace], [.base64URL], [.unpadded], [.pem("PKCS7")], [.dataURI], [.quoted],
            [.byteOrderMark], [.surroundedBySpace], [.base64Again], [.hexadecimal], [.cut(at: 500)],
            [.inside("{\"receipt-data\":\"$\",\"password\":\"x\"}")], [.inside("\"$...\"")],
        ]
        var texts = forms.map { Array(messages[0].text($0).utf8) }
        texts.append(messages[0].bytes)
        texts.append([0xFF, 0xFE] + messages[0].base64.utf8.flatMap { [$0, 0] })
        texts += transactions.map(\.bytes) + transactions.map { Array($0.base64.utf8) }
        return texts
    }

    package static var commandLines: [[UInt8]] {
        [
            "--format\0json\0receipt.der", "--format=asn1\0-", "--no-validate\0--redact\0a\0b", "--\0--help",
            "--root\0a.pem\0--bundle-id=com.example\0--environment\0sandbox", "--at\0002025-06-01T12:00:00Z\0x", "-h",
            "--version", "--device-id\0AA:BB:CC:DD:EE:FF\0--lines\0--jobs\0002",
        ].map { Array($0.utf8) }
    }

    /// Writes seeds to the folder that `FUZZ_SEEDS` names and ends the process; does nothing when there is none.
    package static func writeIfAsked(_ seeds: () -> [[UInt8]]) {
        guard let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (number, seed) in seeds().enumerated() {
                try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
            }
        } catch {
            finding("cannot write seeds: \(error)")
        }
        exit(0)
    }
}
