import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptTransport
import TestSupport
import Testing
import VectorRecipe

/// The vectors as a whole: made from the recipe, enough of them, nothing left out.
struct VectorSetTests {
    /// `swift run make-vectors` would change nothing.
    @Test func filesAreThoseOfTheRecipe() throws {
        var rest = Set(["vectors", "roots", "intermediates"].flatMap(Self.files))
        for (path, text) in try Recipe.files() {
            rest.remove(path)
            let file = FileManager.default.contents(atPath: Corpus.fixtures + "/" + path)
            #expect(file.map { String(decoding: $0, as: UTF8.self) } == text, "\(path) is not as the recipe makes it")
        }
        #expect(rest.isEmpty, "not made by the recipe: \(rest.sorted())")
    }

    @Test(arguments: [
        "expect: valid\nopenssl: ok\ncomment: A key of nobody's.\ncolour: red\n\nMAA=\n",
        "expect: valid\ncomment: No word of OpenSSL's.\n\nMAA=\n",
        "openssl: ok\ncomment: Nothing is expected.\n\nMAA=\n",
        "expect: valid\nopenssl: ok\n\nMAA=\n",
        "expect: valid\nopenssl: ok\ncomment: No base64.\n\n*\n",
    ])
    func badFileIsRefused(text: String) {
        #expect(throws: VectorError.self) { try Vector(group: "g", name: "n", text: text) }
    }

    @Test func everyKeyIsExplained() throws {
        let page = try String(contentsOfFile: Corpus.fixtures + "/README.md", encoding: .utf8)
        for key in Vector.Key.allCases {
            #expect(page.contains("`\(key.rawValue)`"), "Fixtures/README.md does not explain \(key.rawValue)")
        }
    }

    @Test func thereAreEnough() {
        #expect(VectorFiles.all.count >= 250)
        let groups = Set(VectorFiles.all.map(\.group))
        #expect(
            groups.isSuperset(of: [
                "encoding", "transport", "attributes", "signature", "chain", "time", "policy", "history", "xcode",
                "vpp",
                "refunds", "large", "other-cms", "transaction", "signed-json", "app-attest",
            ]))
    }

    @Test func everyRejectionReasonHasAVector() throws {
        let covered = try Set(
            VectorFiles.all.compactMap { vector -> String? in
                if case .rejected(let reason) = try vector.expectation { reason } else { nil }
            })
        let all = Set(Rejection.Reason.all.map(\.rawValue))
        let missing = all.subtracting(covered)
        #expect(missing.isEmpty, "no vector: \(missing.sorted())")
        #expect(covered.subtracting(all).isEmpty, "no such reason: \(covered.subtracting(all).sorted())")
    }

    /// The codes are read from the sources, so that nobody can forget to list one.
    @Test func everyDecodingCodeHasAVector() throws {
        var covered: Set<String> = Set(VectorFiles.all.compactMap { $0[.cause] })
        for vector in VectorFiles.all {
            for text in [vector[.expect], vector[.exact]].compactMap(\.self) {
                if case .undecodable(let code, _) = try Vector.Expectation(text) { covered.insert(code) }
            }
        }
        let all = try Self.codesInSources()
        #expect(all.count > 50)
        let missing = all.subtracting(covered).subtracting(Self.testedElsewhere)
        #expect(missing.isEmpty, "no vector: \(missing.sorted())")
        #expect(Self.testedElsewhere.isSubset(of: all) && Self.testedElsewhere.isDisjoint(with: covered))
    }

    /// Codes that no vector can cause.
    private static let testedElsewhere: Set<String> = [
        // Undocumented attributes alone are read as IA5String, and what they hold is never an error.
        "invalid-ia5string",
        // Of a line of the tool, which asks for more than a receipt's bytes.
        "invalid-line",
    ]

    private static func codesInSources() throws -> Set<String> {
        let sources = Corpus.fixtures.dropLast("Fixtures".count) + "Sources"
        // Those of the transport layer have the raw values of an enumeration.
        var codes = Set(TransportFault.Code.allCases.map(\.rawValue))
        let files = try FileManager.default.subpathsOfDirectory(atPath: String(sources)).filter {
            $0.hasSuffix(".swift")
        }
        for file in files {
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            for block in text.components(separatedBy: "extension ReceiptDecodingError.Code {").dropFirst() {
                let body = block.components(separatedBy: "\n}").first ?? ""
                for line in body.split(separator: "\n") where line.contains("static let") && line.contains("\"") {
                    codes.insert(String(line.split(separator: "\"")[1]))
                }
            }
        }
        return codes
    }

    private static func files(in folder: String) -> [String] {
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: Corpus.fixtures + "/" + folder)
        return (paths ?? []).filter { $0.hasSuffix(".txt") || $0.hasSuffix(".pem") }.map { "\(folder)/\($0)" }
    }
}
