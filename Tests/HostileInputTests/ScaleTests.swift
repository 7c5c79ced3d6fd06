import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import Synchronization
import Testing

/// Many validations of good and bad receipts on many threads: the verdicts of one thread, and nothing left behind.
struct ScaleTests {
    /// `RECEIPT_VALIDATIONS` sets another number; the full run has a million.
    private static let validations = Environment.variable("RECEIPT_VALIDATIONS").flatMap { Int($0) } ?? 20_000
    private static let threads = 8

    /// What is left behind, in kB: a leak of 100 bytes a validation would be 2,000. In a process of its own, since
    /// whatever other tests hold at the same time would count too.
    private static let allowedGrowth = 1_500

    @Test func sameVerdictsOnEveryThread() async {
        let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try ScaleTests.judgeMany()
        }
        if Environment.prints { print(String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)) }
    }

    private static func judgeMany() throws {
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
        // As many as are measured: only then has every thread's allocator taken what it keeps.
        try run(inputs, validations)
        let before = (memory: residentKilobytes(), files: openFiles())
        try run(inputs, validations)
        let after = (memory: residentKilobytes(), files: openFiles())
        let figures =
            "\(validations) validations on \(threads) threads: resident \(before.memory) kB before and "
            + "\(after.memory) kB after, \(before.files) and \(after.files) open files"
        FileHandle.standardError.write(Data(figures.utf8))
        guard before.memory > 0, after.files == before.files,
            Environment.isSanitized || after.memory - before.memory < allowedGrowth
        else { throw Failure(description: figures) }
    }

    private static func run(_ inputs: [(Subject, [UInt8], Subject.Outcome)], _ count: Int) throws {
        let wrong = Counter()
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<count / threads {
                let (subject, bytes, expected) = inputs[(number + thread) % inputs.count]
                guard let outcome = try? subject.outcome(bytes), outcome == expected else {
                    wrong.increment()
                    continue
                }
            }
        }
        guard wrong.value == 0 else { throw Failure(description: "\(wrong.value) other verdicts than of one thread") }
    }

    /// Resident memory in kB, from /proc; 0 where there is none.
    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    private static func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)
    func increment() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}

private struct Failure: Error, CustomStringConvertible {
    let description: String
}
