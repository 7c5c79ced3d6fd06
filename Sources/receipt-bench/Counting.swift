import AppStoreReceipt
import CReceiptBench

/// What one operation asks of the allocator, on its own thread.
struct Allocations {
    let operation: Operation
    let count: Int
    let bytes: Int

    static var canCount: Bool { bench_can_count() == 1 }

    init(_ operation: Operation) throws {
        // The first times fill caches and pools.
        for _ in 0..<3 { try operation.body() }
        bench_memory_begin()
        defer { bench_memory_end() }
        try operation.body()
        let memory = bench_memory_now()
        self.operation = operation
        count = Int(memory.allocations)
        bytes = Int(memory.bytes)
    }
}

/// What decoding needs for itself at its peak, besides the input and the model that comes out.
struct PeakMemory {
    let input: Int
    /// What is in use when the model is there, the model included.
    let model: Int
    /// The most that was in use besides.
    let beside: Int

    /// In proportion to the input.
    var besideOverInput: Double { Double(beside) / Double(input) }

    /// Of a decoding from bytes or text that the caller keeps.
    init(input: Int, _ decode: () throws -> SignedReceipt) throws {
        keep(try decode())
        bench_memory_begin()
        defer { bench_memory_end() }
        let receipt = try decode()
        let memory = bench_memory_now()
        keep(receipt)
        self.input = input
        model = Int(memory.live)
        beside = Int(memory.peak - memory.live)
    }
}

/// Instructions, counted by callgrind in a process of its own: the same on a busy machine.
///
/// Only for the package's own code: valgrind hides the processor's instructions for SHA and vectors from libcrypto.
enum Instructions {
    static var canCount: Bool { System.run("valgrind --version 2>/dev/null").code == 0 }

    /// The instructions of one operation of the command line on a file: the difference between doing it a few times
    /// and once more as often, so that the process's start does not count.
    static func count(_ operation: String, _ bytes: [UInt8], times: Int = 20) throws -> Double {
        let path = try System.writeTemporary(bytes)
        // Valgrind gives up on debugging information that is newer than itself.
        let program = try System.writeTemporary([])
        defer {
            System.remove(path)
            System.remove(program)
        }
        let (output, code) = System.run("strip -g -o '\(program)' /proc/$PPID/exe 2>&1 && chmod 700 '\(program)'")
        guard code == 0 else { throw BenchError("cannot make a copy of the program to count in: \(output)") }
        let once = try total(program, "--operation \(operation) --times \(times) '\(path)'")
        let twice = try total(program, "--operation \(operation) --times \(times * 2) '\(path)'")
        return (twice - once) / Double(times)
    }

    private static func total(_ program: String, _ arguments: String) throws -> Double {
        let (output, code) = System.run(
            "valgrind --tool=callgrind --callgrind-out-file=/dev/null '\(program)' \(arguments) 2>&1")
        // ==123== Collected : 4567
        let line = output.split(separator: "\n").first { $0.contains("Collected") }
        guard code == 0, let total = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchError("callgrind does not say how many instructions there were: \(output)")
        }
        return total
    }
}
