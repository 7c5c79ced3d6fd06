#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A program that tests ask and that the README's commands do not install.
///
/// A test that needs one is skipped where it is missing, with a sentence that names it. `RECEIPT_REQUIRES_PROGRAMS=1`
/// says that all are there, as on the machine where changes are checked: then nothing is skipped, and what is missing
/// fails its tests.
package enum Program: String {
    case openssl
    case python3

    package static let areRequired = ProcessInfo.processInfo.environment["RECEIPT_REQUIRES_PROGRAMS"] == "1"

    /// Where it is: in a folder of `PATH`, or where Homebrew keeps it.
    package var path: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { String($0) }
        return (folders + ["/opt/homebrew/opt/openssl@3/bin"]).map { "\($0)/\(rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether the tests that need it are to run.
    package var isWanted: Bool { Self.areRequired || path != nil }
}
