import Foundation
import TestSupport
import Testing

/// Rules of the decision records that no compiler holds: which room may import what.
@Suite struct HouseRulesTests {
    private static let sources = URL(filePath: Corpus.fixtures).deletingLastPathComponent().appending(path: "Sources")

    /// The files of `Sources` that import a module, whatever stands before and after its name.
    private static func importers(of module: String) throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        let pattern = try Regex("^\\s*([@a-z]+ )*import \(module)\\s*$").anchorsMatchLineEndings()
        var importers: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = String(decoding: try Corpus.bytes(sources.appending(path: file).path), as: UTF8.self)
            if text.contains(pattern) { importers.insert(file) }
        }
        return importers
    }

    /// docs/decisions/0008: the libraries run without Foundation, and so does the tool.
    @Test(arguments: ["Foundation", "FoundationEssentials"])
    func foundationIsBridgedInOnePlace(module: String) throws {
        #expect(try Self.importers(of: module) == ["AppStoreReceiptFoundation/Bridging.swift"])
    }

    /// docs/decisions/0001: one folder hands anything to libcrypto; the forge and the benchmark are not for servers.
    @Test func libcryptoHasOneDoor() throws {
        let importers = try Self.importers(of: "CLibcrypto").filter {
            !$0.hasPrefix("ReceiptForge/") && !$0.hasPrefix("receipt-bench/")
        }
        #expect(!importers.isEmpty)
        #expect(importers.allSatisfy { $0.hasPrefix("AppStoreReceiptValidation/Crypto/") }, "\(importers)")
    }
}
