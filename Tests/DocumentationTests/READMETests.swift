import AppStoreReceiptValidation
import Foundation
import TestSupport
import Testing

/// The README says what the code does: its examples are these files, and its tables are complete.
@Suite struct READMETests {
    private static let project = URL(filePath: Corpus.fixtures).deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        String(decoding: try Corpus.bytes(Self.project.appending(path: path).path), as: UTF8.self)
    }

    @Test(arguments: ["ServerExample.swift", "TransactionReceiptExample.swift", "ForgeExampleTests.swift"])
    func examplesAreCompiledCode(file: String) throws {
        let source = try text("Tests/DocumentationTests/\(file)")
        // Between the marker on the first line and the one at the end.
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let end = try #require(lines.firstIndex(of: "// README: end"))
        let example = lines[1..<end].map { $0 + "\n" }.joined()
        #expect(try text("README.md").contains("```swift\n\(example)```"))
    }

    @Test(arguments: Rejection.Reason.all.map(\.rawValue))
    func everyReasonIsInTheTable(reason: String) throws {
        #expect(try text("README.md").contains("| `\(reason)` |"))
    }

    @Test func theFirstCommandsAreThoseOfCI() throws {
        let readme = try text("README.md")
        #expect(readme.contains("swift run -c release receipt-dump Fixtures/genuine/sandbox-2016.b64"))
        #expect(readme.contains("apt-get install -y libssl-dev && swift test"))
    }
}
