import AppStoreReceipt
import ReceiptForge

/// `--quick`: counts, held against limits. What is counted is the same on a slow or busy machine.
enum Gate {
    struct Line {
        let name: String
        let value: Double
        let limit: Double
    }

    static func run(_ options: BenchOptions) throws -> Bool {
        var lines = try allocations(options) + memory()
        if Instructions.canCount {
            lines += try instructions(options)
        } else {
            System.writeError("receipt-bench: valgrind is not installed, so no instructions were counted")
        }
        if options.isJSON {
            let members = lines.map { line in
                (
                    line.name,
                    JSONReport.object([
                        ("value", JSONReport.number(line.value)), ("limit", JSONReport.number(line.limit)),
                    ])
                )
            }
            print(JSONReport.object([("counts", JSONReport.object(members))]))
        } else {
            for line in lines {
                let verdict = line.value <= line.limit ? "ok      " : "EXCEEDED"
                print(
                    "\(verdict)  \(line.name): \(TableReport.decimal(line.value, 2)), limit \(TableReport.decimal(line.limit, 2))"
                )
            }
        }
        return lines.allSatisfy { $0.value <= $0.limit }
    }

    private static func allocations(_ options: BenchOptions) throws -> [Line] {
        guard Allocations.canCount else { return [] }
        let small = try BenchInputs.defaultSmall()
        let thousand = try BenchInput(forged: 1_000, "1000")
        let tenThousand = try BenchInput(forged: 10_000, "10000")
        let ofThousand = Double(try Allocations(.decode(thousand)).count)
        let ofTenThousand = Double(try Allocations(.decode(tenThousand)).count)
        let text = Base64.encode(thousand.bytes)
        return [
            Line(name: "allocations, decode 5k", value: Double(try Allocations(.decode(small)).count), limit: 40),
            Line(name: "allocations, decode 1000, per purchase", value: ofThousand / 1_000, limit: 4),
            Line(name: "allocations, decode 10000 over 1000", value: ofTenThousand / ofThousand, limit: 11),
            Line(
                name: "allocations, validate warm 5k", value: Double(try Allocations(.validateWarm(small)).count),
                limit: 40),
            Line(
                name: "allocations, base64 to bytes", value: Double(try Allocations(.transport("", text)).count),
                limit: 8),
        ]
    }

    private static func memory() throws -> [Line] {
        guard Allocations.canCount else { return [] }
        return []
    }

    private static func instructions(_ options: BenchOptions) throws -> [Line] {
        let small = try BenchInputs.defaultSmall()
        let perReceipt = try Instructions.count("decode", small.bytes, times: 100)
        let thousand = try BenchInput.message(1_000).bytes
        let tenThousand = try BenchInput.message(10_000).bytes
        let ofThousand = try Instructions.count("decode", thousand, times: 4)
        let ofTenThousand = try Instructions.count("decode", tenThousand, times: 2)
        return [
            Line(name: "instructions a byte, decode 5k", value: perReceipt / Double(small.bytes.count), limit: 30),
            Line(name: "instructions a byte, decode 1000", value: ofThousand / Double(thousand.count), limit: 30),
            Line(name: "instructions, decode 10000 over 1000", value: ofTenThousand / ofThousand, limit: 11),
        ]
    }
}
