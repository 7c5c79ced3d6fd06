import AppStoreReceipt
import Foundation
import Synchronization

@testable import ReceiptReport
@testable import receipt_dump

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What these tests ask the process for.
enum Environment {
    /// Whether figures are printed: `RECEIPT_FIGURES` is set.
    static let prints = variable("RECEIPT_FIGURES") != nil

    /// Whether a sanitizer keeps memory and time for itself: `RECEIPT_SANITIZER` is set.
    static let isSanitized = variable("RECEIPT_SANITIZER") != nil

    static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

/// Processor time of this thread, in seconds.
func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A host that keeps what the tool writes, and whose standard input is given.
final class MemoryHost: ByteSource, ByteSink {
    private let written = Mutex<[UInt8]>([])
    private let input: [UInt8]

    init(_ input: [UInt8]) { self.input = input }

    func read(_ input: Input) throws(ReadError) -> [UInt8] { self.input }
    func write(_ bytes: [UInt8]) throws(WriteError) { written.withLock { $0 += bytes } }

    func run(_ arguments: String...) -> Int32 {
        let now = ReceiptDate(millisecondsSince1970: 1_796_000_000_000)
        return receipt_dump.run(arguments, host: Host(output: self, errors: self, files: self, now: { now }))
    }
}
