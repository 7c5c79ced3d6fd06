import AppStoreReceipt
import Foundation
import TestSupport
import Testing

@testable import ReceiptReport
@testable import receipt_dump

/// Our answer is Apple's, wherever Apple's is known: every key, every value, every type, and the purchases in the same order.
@Suite struct KnownAnswerTests {
    struct Answer: Decodable, Equatable {
        var status: Int?
        var environment: String?
        var receipt: [String: AnyValue]
    }

    static let names = Corpus.names(in: Corpus.fixtures + "/answers", suffix: ".json").map { String($0.dropLast(5)) }

    @Test(.enabled(if: Corpus.directory != nil), arguments: names)
    func isTheSame(name: String) throws {
        let known = try JSONDecoder().decode(
            Answer.self, from: Data(try Corpus.bytes("\(Corpus.fixtures)/answers/\(name).json")))
        let directory = try #require(Corpus.directory)
        let suffix = name.hasPrefix("ios6-") ? "plist" : "der"
        let host = TestHost([
            .file("receipt"): try Corpus.bytes("\(directory)/receipts/\(name).\(suffix)"),
            // The authority of transaction receipts before 2016.
            .file("ca"): try Corpus.bytes("\(directory)/certificates/AppleiTunesStoreCA-2009.cer"),
        ])
        var arguments = ["receipt", "--format", "verify-receipt", "--intermediate", "ca"]
        if case .text(let milliseconds)? = known.receipt["request_date_ms"], let number = Int64(milliseconds) {
            arguments += ["--request-date", ReceiptDate(millisecondsSince1970: number).description]
        }
        #expect(host.run(arguments) == 0)
        var ours = try JSONDecoder().decode(Answer.self, from: Data(host.output.bytes))
        #expect(ours.receipt.count > 15)
        // Some sources show the receipt only.
        if known.status == nil { (ours.status, ours.environment) = (nil, nil) }
        #expect(ours == known)
    }
}
