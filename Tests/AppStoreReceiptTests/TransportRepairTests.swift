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
                let isCanonical = (try? TransportDecoding.decode(text, mode: .exact)) != nil
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
}
