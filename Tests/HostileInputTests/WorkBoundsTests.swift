import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// No input of N bytes costs more than a stated multiple of a genuine one of N bytes.
///
/// Both are run in one process and on one thread, and the thread's processor time is compared: the quickest of several
/// runs on each side, so that another load on the machine does not matter.
@Suite(.serialized) struct WorkBoundsTests {
    /// The multiple that the README states.
    static let multiple: Double = {
        #if DEBUG
            // The code that genuine text takes is hurt least by the lack of optimisation.
            80
        #else
            20
        #endif
    }()

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let operation: Operation
        let bytes: [UInt8]

        init(_ description: String, _ operation: Operation, _ bytes: [UInt8]) {
            testDescription = description
            self.operation = operation
            self.bytes = bytes
        }
    }

    /// What is done with the bytes: validating a container, everything from text to verdict, or showing.
    enum Operation: Sendable { case validate, transport, dump }

    private struct Reference: Hashable {
        let operation: Operation
        let isLong: Bool

        init(_ operation: Operation, _ isLong: Bool) {
            self.operation = operation
            self.isLong = isLong
        }
    }

    /// Seconds a byte for genuine inputs are measured once for each operation and length.
    @Test(.enabled(if: Environment.prints, "measures time: run it on a quiet machine with RECEIPT_FIGURES set"))
    func noInputCostsMuchMoreThanAGenuineOne() throws {
        var references: [Reference: Double] = [:]
        for one in try HostileInputs.all() {
            let isLong = one.bytes.count > 20_000
            let reference =
                try references[Reference(one.operation, isLong)]
                ?? {
                    let genuine = try genuine(one.operation, isLong: isLong)
                    return try cost(one.operation, genuine) / Double(genuine.count)
                }()
            references[Reference(one.operation, isLong)] = reference
            let hostile = try cost(one.operation, one.bytes)
            let perByte = hostile / Double(one.bytes.count) / reference
            if Environment.prints {
                print(
                    "\(one.operation) \(one.testDescription): \(one.bytes.count) bytes, \(Int(hostile * 1e6)) µs, "
                        + "\((perByte * 100).rounded() / 100) times a genuine input of that size")
                fflush(nil)
            }
            #expect(perByte < Self.multiple, "\(one.operation) \(one.testDescription)")
        }
    }

    /// A genuine input, short or long: purchases make it long.
    private func genuine(_ operation: Operation, isLong: Bool) throws -> [UInt8] {
        var receipt = ForgedReceipt()
        // About 400 bytes each.
        receipt.purchases = (0..<(isLong ? HostileInputs.size / 500 : 10)).map {
            .consumable("com.example.coins.\($0)")
        }
        let message = try receipt.signed()
        return operation == .transport ? Array(message.base64.utf8) : message.bytes
    }

    private func cost(_ operation: Operation, _ bytes: [UInt8]) throws -> Double {
        var best = Double.infinity
        for _ in 0..<3 {
            let start = processorTime()
            try run(operation, bytes)
            best = min(best, processorTime() - start)
        }
        return best
    }

    private func run(_ operation: Operation, _ bytes: [UInt8]) throws {
        switch operation {
        case .transport:
            guard let found = try? TransportDecoding(bytes) else { return }
            try run(.validate, found.bytes)
        case .validate:
            guard let receipt = try? SignedReceipt(decoding: bytes) else { return }
            // Without remembered chains: the dearest way.
            let validator = try ReceiptValidator(policy: HostileInputs.policy, chainCacheCapacity: 0)
            _ = try validator.validate(receipt)
            _ = try validator.examine(receipt)
        case .dump:
            for format in ["text", "json", "asn1"] {
                _ = MemoryHost(bytes).run("--format", format, "-")
            }
        }
    }
}
