import AppStoreReceipt
import Foundation
import TestSupport
import Testing

/// Text forms of genuine receipts, as people pasted them.
@Suite struct TransportCorpusTests {
    /// `NAME.HASH.b64` is a text form of `NAME.der` or `NAME.plist`.
    @Test(arguments: Corpus.paths("receipts", suffix: ".b64"))
    func pastedTextDecodesOrIsNamed(path: String) throws {
        let text = try Corpus.bytes(path)
        let stem = String(path.dropLast(".12345678.b64".count))
        switch URL(filePath: path).lastPathComponent {
        case "malformed-49bee707.00166bfb.b64":
            let error = #expect(throws: ReceiptDecodingError.self) { try TransportDecoding(text) }
            #expect(error?.code == .truncated)
            #expect(error?.offset == 609)
            #expect(error?.detail == "outer length 5052 bytes, got 456 (9 %)")
        case "appattest-05b0b8ff.f60197b5.b64", "appattest-07a7089d.cc4c6602.b64":
            // The paste has caught a word after the end: the receipt ends before it, and is found.
            let decoding = try TransportDecoding(text)
            #expect(decoding.bytes == (try Corpus.bytes(stem + ".der")))
            #expect(decoding.foundIn?.offset == 0)
        case let name where name.hasPrefix("ios6-"):
            let decoding = try TransportDecoding.decode(text, mode: .tolerant)
            #expect(decoding.bytes == (try Corpus.bytes(stem + ".plist")))
            #expect(decoding.content == .transactionReceipt)
            #expect(decoding.repairs.map(\.code) == [.literalEscapes])
            let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(transport: text) }
            #expect(error?.code == .transactionReceipt)
        default:
            let decoding = try TransportDecoding(text)
            #expect(decoding.bytes == (try Corpus.bytes(stem + ".der")))
            #expect(decoding.content == .cms)
            #expect(!decoding.repairs.isEmpty)
        }
    }

    @Test(arguments: Corpus.paths("receipts", suffix: ".der"))
    func rawBytesPassThrough(path: String) throws {
        let der = try Corpus.bytes(path)
        guard !path.contains("/malformed-") else {
            let error = #expect(throws: ReceiptDecodingError.self) { try TransportDecoding(der) }
            #expect(error?.code == .truncated)
            #expect(error?.offset == der.count)
            return
        }
        let decoding = try TransportDecoding(der)
        #expect(decoding.bytes == der)
        #expect(decoding.form == .der)
        #expect(decoding.repairs == [])
        #expect(decoding.content == .cms)
        let exact = try TransportDecoding(Data(der).base64EncodedString(), mode: .exact)
        #expect(exact.bytes == der)
        #expect(exact.form == .base64)
    }
}
