import CReceiptBench
import Synchronization

/// How long one operation takes.
struct Timing {
    let operation: Operation
    /// Nanoseconds for each time it is done, in the best round and in the median one: of the thread's time on the
    /// processor, or for those with a number of threads, of the clock, divided by how often all of them did it.
    let best: Double
    let median: Double
    let rounds: Int

    /// Megabytes of input per second, in the best round.
    var megabytesPerSecond: Double? { operation.bytes.map { Double($0) / best * 1_000 } }
}

extension Timing {
    /// Measures in rounds, every operation once in each: what slows the machine down for a while slows all of them.
    static func measure(_ operations: [Operation], seconds: Double) throws -> [Timing] {
        let times = try operations.map(times)
        var samples = [[Double]](repeating: [], count: operations.count)
        let end = bench_now() + UInt64(seconds * 1e9)
        repeat {
            for (index, operation) in operations.enumerated() {
                // By the clock, only what nobody interrupts counts: several short tries instead of one.
                let tries = operation.threads == nil ? 1 : 4
                for _ in 0..<tries {
                    let nanoseconds = try run(operation, times[index])
                    samples[index].append(nanoseconds / Double(times[index] * (operation.threads ?? 1)))
                }
            }
        } while bench_now() < end || samples[0].count < 5
        return zip(operations, samples).map { operation, samples in
            let sorted = samples.sorted()
            return Timing(
                operation: operation, best: sorted[0], median: sorted[sorted.count / 2], rounds: sorted.count)
        }
    }

    /// How often to do an operation in one round: for about half a millisecond, so that many rounds are not interrupted.
    private static func times(_ operation: Operation) throws -> Int {
        let wanted = operation.threads == nil ? 0.5e6 : 0.25e6
        var times = 1
        while true {
            let nanoseconds = try run(operation, times)
            if nanoseconds >= wanted / 4 || times >= 1 << 20 {
                return max(1, Int(Double(times) * wanted / max(nanoseconds, 1)))
            }
            times *= 2
        }
    }

    /// Nanoseconds for doing an operation several times; on several threads, for each of them doing it so often.
    private static func run(_ operation: Operation, _ times: Int) throws -> Double {
        guard let threads = operation.threads else {
            // What ran before has left the caches full of its own.
            try operation.body()
            let start = bench_processor_time()
            for _ in 0..<times { try operation.body() }
            return Double(bench_processor_time() - start)
        }
        let work = SharedWork(operation, times)
        let nanoseconds = unsafe bench_threads(
            Int32(threads),
            {
                unsafe Unmanaged<SharedWork>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue().run(
                    $1, isWarmUp: $2 == 1)
            },
            Unmanaged.passUnretained(work).toOpaque())
        // `work` must live until all threads have ended, which they have here.
        withExtendedLifetime(work) {}
        guard nanoseconds > 0, !work.hasFailed else {
            throw BenchError("\(operation.key) failed on \(threads) threads")
        }
        return Double(nanoseconds)
    }
}

/// What threads do at the same time.
private final class SharedWork: Sendable {
    private let bodies: [@Sendable () throws -> Void]
    private let times: Int
    private let failures = Atomic<Int>(0)

    init(_ operation: Operation, _ times: Int) {
        bodies = [operation.body, operation.otherBody ?? operation.body]
        self.times = times
    }

    var hasFailed: Bool { failures.load(ordering: .acquiring) > 0 }

    func run(_ thread: Int32, isWarmUp: Bool) {
        let body = bodies[Int(thread)]
        do {
            for _ in 0..<(isWarmUp ? 3 : times) { try body() }
        } catch {
            failures.add(1, ordering: .releasing)
        }
    }
}
