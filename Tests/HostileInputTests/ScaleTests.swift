import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import Synchronization
import Testing

/// Many validations of good and bad receipts on many threads: the verdicts of one thread, and nothing left behind.
@Suite(.serialized) struct ScaleTests {
    /// `RECEIPT_VALIDATIONS` sets another number; the full run has a million.
    private static let validations = Environment.variable("RECEIPT_VALIDATIONS").flatMap { Int($0) } ?? 20_000
    private static let threads = 8

    @Test func sameVerdictsOnEveryThread() throws {
        let subjects = Subject.all
        // For each a good receipt, and bad ones of three kinds.
        let inputs = try subjects.flatMap { subject in
            let damaged = try [subject.bytes.count / 3, subject.bytes.count / 2, subject.bytes.count - 1].map { index in
                var bytes = subject.bytes
                bytes[index] ^= 0x10
                return (subject, bytes, try subject.outcome(bytes))
            }
            return [(subject, subject.bytes, try subject.outcome(subject.bytes))] + damaged
        }
        try run(inputs, Self.validations / 10)
        let before = (memory: residentKilobytes(), files: openFiles())
        try run(inputs, Self.validations)
        let after = (memory: residentKilobytes(), files: openFiles())
        if Environment.prints {
            print(
                "\(Self.validations) validations on \(Self.threads) threads: resident \(before.memory) kB before and "
                    + "\(after.memory) kB after, \(before.files) and \(after.files) open files")
        }
        // What other tests of this process do at the same time counts too; a leak of 100 bytes each would be 100 MB.
        if !Environment.isSanitized { #expect(after.memory - before.memory < 60_000) }
        if Environment.variable("RECEIPT_VALIDATIONS") != nil { #expect(after.files == before.files) }
    }

    private func run(_ inputs: [(Subject, [UInt8], Subject.Outcome)], _ count: Int) throws {
        let wrong = Counter()
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<count / Self.threads {
                let (subject, bytes, expected) = inputs[(number + thread) % inputs.count]
                guard let outcome = try? subject.outcome(bytes), outcome == expected else {
                    wrong.increment()
                    continue
                }
            }
        }
        #expect(wrong.value == 0)
    }

    /// Resident memory, from /proc; 0 where there is none.
    private func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    private func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)
    func increment() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}
