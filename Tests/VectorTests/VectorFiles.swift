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

    /// Those of app receipts, and whatever else comes in their place.
    static let receipts = all.filter { !["transaction", "signed-json", "app-attest"].contains($0.group) }
    /// Those of signed JSON and App Attest receipts.
    static let signed = all.filter { ["signed-json", "app-attest"].contains($0.group) }
    /// Those of iOS 6-style receipts.
    static let transactions = all.filter { $0.group == "transaction" }

    /// The root certificates that vectors name, by their file names, as DER.
    static let roots: [String: [UInt8]] = certificates("roots").merging(["apple": TrustAnchor.appleRootCA.certificate])
    {
        own, _ in own
    }

    /// The intermediates that vectors of transaction receipts name.
    static let intermediates = certificates("intermediates")

    private static func certificates(_ folder: String) -> [String: [UInt8]] {
        var certificates: [String: [UInt8]] = [:]
        let folder = Corpus.fixtures + "/" + folder
        for name in Corpus.names(in: folder, suffix: ".pem") {
            guard let pem = try? Corpus.bytes("\(folder)/\(name)") else { continue }
            let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
            certificates[String(name.dropLast(4))] = Data(base64Encoded: lines.joined()).map { [UInt8]($0) }
        }
        return certificates
    }
}

extension Vector: CustomTestStringConvertible {
    package var testDescription: String { "\(group)/\(name)" }
}
