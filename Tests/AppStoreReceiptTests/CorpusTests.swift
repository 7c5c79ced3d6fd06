import AppStoreReceipt
import Foundation
import TestSupport
import Testing

/// Genuine receipts against a decode of each made by another program in another language.
@Suite struct CorpusTests {
    @Test(arguments: Corpus.paths("expected", suffix: ".json"))
    func attributesEqualAnIndependentDecode(path: String) throws {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let expected = try JSONDecoder().decode(Expected.self, from: Data(try Corpus.bytes(path)))
        let folder = try #require(Corpus.directory)
        let receipt = try SignedReceipt(decoding: Corpus.bytes("\(folder)/receipts/\(name).der")).unverifiedReceipt
        #expect(Expected.Attribute.all(receipt.attributes) == expected.attributes)
        #expect(receipt.inApp.map { Expected.Attribute.all($0.attributes) } == expected.attributes.compactMap(\.inApp))
    }
}

private struct Expected: Decodable {
    let attributes: [Attribute]

    struct Attribute: Decodable, Equatable {
        let type: Int
        let version: Int
        var encoding: String?
        var value: String?
        var hex: String?
        var inApp: [Attribute]?

        private enum CodingKeys: String, CodingKey {
            case type
            case version
            case encoding
            case value
            case hex
            case inApp = "in_app"
        }

        static func all(_ attributes: ReceiptAttributes) -> [Attribute] {
            attributes.map { attribute in
                var result = Attribute(type: attribute.type.rawValue, version: attribute.version)
                switch attribute.value.storage {
                case .utf8String(let text): (result.encoding, result.value) = ("UTF8String", text)
                case .ia5String(let text): (result.encoding, result.value) = ("IA5String", text)
                case .integer(let number): (result.encoding, result.value) = ("INTEGER", "\(number)")
                case .set(let attributes): result.inApp = all(attributes)
                case .raw(let bytes):
                    (result.encoding, result.hex) = ("raw", bytes.map { String(format: "%02x", $0) }.joined())
                case .empty: result.encoding = "empty"
                }
                return result
            }
        }
    }
}
