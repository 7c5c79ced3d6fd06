import AppStoreReceiptValidation
import Foundation
import TestSupport
import Testing
import VectorRecipe

/// The vectors as they stand in `Fixtures`.
enum VectorFiles {
    static let all: [Vector] = {
        do { return try read() } catch {
            Issue.record("\(error)")
            return []
        }
    }()

    private static func read() throws -> [Vector] {
        let folder = Corpus.fixtures + "/vectors"
        let groups = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try groups.flatMap { group in
            try Corpus.names(in: "\(folder)/\(group)", suffix: ".txt").map { file in
                let text = String(decoding: try Corpus.bytes("\(folder)/\(group)/\(file)"), as: UTF8.self)
                return try Vector(group: group, name: String(file.dropLast(4)), text: text)
            }
        }
    }

    /// The root certificates that vectors name, by their file names, as DER.
    static let roots: [String: [UInt8]] = {
        var roots: [String: [UInt8]] = [:]
        let folder = Corpus.fixtures + "/roots"
        for name in Corpus.names(in: folder, suffix: ".pem") {
            guard let pem = try? Corpus.bytes("\(folder)/\(name)") else { continue }
            let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
            roots[String(name.dropLast(4))] = Data(base64Encoded: lines.joined()).map { [UInt8]($0) }
        }
        roots["apple"] = TrustAnchor.appleRootCA.certificate
        return roots
    }()
}

extension Vector: CustomTestStringConvertible {
    package var testDescription: String { "\(group)/\(name)" }
}
