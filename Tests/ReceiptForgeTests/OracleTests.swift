import OracleSupport
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The oracle itself, on genuine receipts: it must be able to say both yes and no.
struct OracleTests {
    static let root = Corpus.paths("certificates", suffix: "AppleIncRootCertificate.cer").first
    static let genuine = Corpus.paths("receipts", suffix: ".der").filter { $0.contains("/sandbox-") }

    @Test(.enabled(if: root != nil), arguments: genuine)
    func genuineReceipt(path: String) throws {
        let root = try Corpus.bytes(try #require(Self.root))
        let der = try Corpus.bytes(path)
        // The creation date, from the signed payload: type 12, version 1, IA5String of 20 characters.
        let marker: [UInt8] = [2, 1, 12, 2, 1, 1, 4, 22, 22, 20]
        let start = try #require(der.indices.dropLast(40).first { Array(der[$0..<$0 + marker.count]) == marker })
        let date = String(decoding: der[(start + 10)..<(start + 30)], as: UTF8.self)
        let at = Int64(try Date(date, strategy: .iso8601).timeIntervalSince1970)
        for options: Oracle.Options in [[], .checkSelfSigned] {
            #expect(Oracle.verifyCMS(der, roots: [root], at: at, options: options).isOK)
            #expect(Oracle.verifyPKCS7(der, roots: [root], at: at, options: options).isOK)
        }
        let late = Oracle.verifyCMS(der, roots: [root], at: 2_200_000_000)
        #expect(late.failure?.contains("expired") == true)
        #expect(!Oracle.verifyCMS(der, roots: [], at: at).isOK)
        let payload = try #require(Oracle.verifyCMS(der, roots: [], at: at, options: .noChain).payload)
        #expect(payload.first == 0x31)
        #expect(Oracle.parseCMS(der) == der.count)
        #expect(Oracle.parseCMS(Array(der.dropLast())) == nil)
        let outermost = try #require(Oracle.elements(of: der)?.first)
        #expect(outermost.headerLength + (outermost.length ?? 0) == der.count)
        #expect(Oracle.elements(of: der + [0x30]) == nil)
    }

    @Test func digest() {
        #expect(Oracle.digest("SHA1", []).prefix(4) == [0xDA, 0x39, 0xA3, 0xEE])
        #expect(Oracle.digest("SHA256", []).count == 32)
    }
}
