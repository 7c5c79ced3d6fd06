#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files the tests read: the project's own fixtures, and the corpus of genuine receipts when
/// the environment variable `RECEIPT_CORPUS` names its folder.
package enum Corpus {
    /// The folder that `RECEIPT_CORPUS` names, or nil.
    package static let directory: String? = ProcessInfo.processInfo.environment["RECEIPT_CORPUS"]

    /// The project's `Fixtures` folder.
    package static let fixtures: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/") + "/Fixtures"
    }()

    /// The names, sorted, of the files of a folder that end in a suffix; empty when there is no such folder.
    package static func names(in folder: String, suffix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }

    /// Paths of the corpus' files in a subfolder (`receipts`, `expected`, `certificates`); empty without a corpus.
    package static func paths(_ subfolder: String, suffix: String) -> [String] {
        guard let directory else { return [] }
        return names(in: directory + "/" + subfolder, suffix: suffix).map { "\(directory)/\(subfolder)/\($0)" }
    }

    package static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}
