import AppStoreReceipt
import ReceiptForge

/// `--quick`: counts, held against limits. What is counted is the same on a slow or busy machine.
///
/// Limits are a little above what was counted when they were set, so that a step back is seen; those that are ratios
/// stand for something that must hold: nothing is quadratic, and damage is repaired in about one pass.
enum Gate {
    struct Line {
        let name: String
        let value: Double
        let limit: Double

        var holds: Bool { value <= limit }
    }

    /// Prints every count, and returns whether all limits hold.
    static func run(_ options: BenchOptions) throws -> Bool {
        var lines: [Line] = []
        if Allocations.canCount { lines += try allocations() + memory() }
        if Instructions.canCount {
            lines += try instructions()
        } else {
            System.writeError("receipt-bench: valgrind is not installed, so no instructions were counted")
        }
        if options.isJSON {
            let counts = lines.map { line in
                let members = [("value", JSONReport.number(line.value)), ("limit", JSONReport.number(line.limit))]
                return (line.name, JSONReport.object(members))
            }
            print(JSONReport.object([("counts", JSONReport.object(counts))]))
        } else {
            for line in lines {
                let value = TableReport.decimal(line.value, 2)
                let limit = TableReport.decimal(line.limit, 2)
                print("\(line.holds ? "ok      " : "EXCEEDED")  \(line.name): \(value), limit \(limit)")
            }
        }
        return lines.allSatisfy(\.holds)
    }

    private static func allocations() throws -> [Line] {
        func count(_ operation: Operation) throws -> Double { Double(try Allocations(operation).count) }
        let small = try BenchInputs.defaultSmall()
        let thousand = try BenchInput(forged: 1_000, "1000")
        let tenThousand = try BenchInput(forged: 10_000, "10000")
        let ofThousand = try count(.decode(thousand))
        // How much libcrypto allocates depends on its version.
        let ofFloor = try count(.floor(small, threads: 1))
        return [
            Line(name: "allocations, decode 5k", value: try count(.decode(small)), limit: 18),
            Line(name: "allocations a purchase, decode 1000", value: ofThousand / 1_000, limit: 1.6),
            Line(
                name: "allocations, decode 10000 over 1000", value: try count(.decode(tenThousand)) / ofThousand,
                limit: 11),
            Line(
                name: "allocations, validate warm 5k, beyond libcrypto's",
                value: try count(.validateWarm(small)) - ofFloor, limit: 4),
            Line(
                name: "allocations, purchasesLatestFirst of 1000",
                value: try count(.purchasesLatestFirst(thousand)), limit: 7),
            Line(
                name: "allocations, base64 to bytes",
                value: try count(.transport("", Base64.encode(thousand.bytes))), limit: 2),
        ]
    }

    private static func memory() throws -> [Line] {
        let thousand = try BenchInput(forged: 3_400, "1.4MB")
        return try Measurement.peaks(thousand).map { name, peak in
            Line(
                name: "peak memory beside input and model over input, \(name)", value: peak.besideOverInput, limit: 0.1)
        }
    }

    private static func instructions() throws -> [Line] {
        func count(_ operation: String, _ bytes: [UInt8], times: Int) throws -> Double {
            try Instructions.count(operation, bytes, times: times)
        }
        let small = try BenchInputs.defaultSmall().bytes
        let thousand = try BenchInput.message(1_000).bytes
        let tenThousand = try BenchInput.message(10_000).bytes
        let ofThousand = try count("decode", thousand, times: 4)
        let xcodeDER = try BenchInput.message(3, style: .xcode).bytes
        let xcodeBER = try BenchInput.message(3, style: .xcode, ber: true).bytes
        let ofDER = try count("decode", xcodeDER, times: 100)
        var lines = [
            Line(
                name: "instructions a byte, decode 5k",
                value: try count("decode", small, times: 100) / Double(small.count), limit: 6.5),
            Line(name: "instructions a byte, decode 1000", value: ofThousand / Double(thousand.count), limit: 17),
            Line(
                name: "instructions, decode 10000 over 1000",
                value: try count("decode", tenThousand, times: 2) / ofThousand, limit: 11),
            Line(
                name: "instructions, decode BER over DER", value: try count("decode", xcodeBER, times: 100) / ofDER,
                limit: 3),
        ]
        // They must take no longer than 25 µs: 10 when the limit was set.
        let many = try BenchInput.message(187).bytes
        lines.append(
            Line(
                name: "instructions a purchase, purchasesLatestFirst of 187",
                value: try count("purchases-latest-first", many, times: 200) / 187, limit: 680))
        let texts = try Measurement.damagedTexts()
        let clean = try count("transport", Array(texts[0].text.utf8), times: 4)
        lines.append(
            Line(
                name: "instructions a character, base64 to bytes", value: clean / Double(texts[0].text.utf8.count),
                limit: 11.5))
        for (name, text) in texts.dropFirst() {
            let ofDamaged = try count("transport", Array(text.utf8), times: 4)
            lines.append(Line(name: "instructions, base64, \(name), over clean", value: ofDamaged / clean, limit: 3))
        }
        return lines
    }
}
