import AppStoreReceipt
import CReceiptBench

/// The table for people.
struct TableReport {
    let measurement: Measurement

    var text: String {
        var lines = ["libcrypto: " + Report.libcryptoVersion, ""]
        lines.append("receipts")
        for input in measurement.inputs.all + [measurement.inputs.large] {
            lines.append(
                "  " + Self.left(input.name, 16) + Self.right("\(input.bytes.count)", 10) + " bytes"
                    + Self.right("\(input.purchases)", 7) + " purchases  \(input.source)\(input.isBER ? ", BER" : "")")
        }
        lines += ["", Self.row("operation", "receipt", "best", "median", "MB/s", "allocations", "bytes")]
        for timing in measurement.timings {
            let operation = timing.operation
            let allocations = measurement.allocations.first { $0.operation.key == operation.key }
            lines.append(
                Self.row(
                    (operation.isBaseline ? "C: " : "") + operation.name, operation.input,
                    Self.microseconds(timing.best), Self.microseconds(timing.median),
                    timing.megabytesPerSecond.map { Self.decimal($0, 0) } ?? "",
                    allocations.map { "\($0.count)" } ?? "", allocations.map { "\($0.bytes)" } ?? ""))
        }
        lines += ["", "peak memory while decoding, besides the input and the model"]
        for (name, peak) in measurement.peaks {
            lines.append(
                "  " + Self.left(name, 24) + Self.right("\(peak.beside)", 10)
                    + " bytes beside an input of \(peak.input)"
                    + " and a model of \(peak.model)")
        }
        lines += ["", "ratios of best rounds"]
        lines += measurement.ratios.map { "  " + Self.left($0.0, 58) + Self.right(Self.decimal($0.1, 2), 8) }
        lines.append("")
        lines += measurement.figures.map { "  " + Self.left($0.0, 58) + Self.right(Self.decimal($0.1, 2), 8) }
        return lines.joined(separator: "\n")
    }

    private static func row(
        _ operation: String, _ input: String, _ best: String, _ median: String, _ speed: String, _ count: String,
        _ bytes: String
    ) -> String {
        left(operation, 32) + left(input, 18) + right(best, 12) + right(median, 12) + right(speed, 8) + right(count, 13)
            + right(bytes, 11)
    }

    static func microseconds(_ nanoseconds: Double) -> String {
        decimal(nanoseconds / 1_000, nanoseconds < 100_000 ? 2 : 0) + " µs"
    }

    static func decimal(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard digits > 0, abs(scaled) < 1e15 else { return "\(Int(exactly: scaled) ?? 0)" }
        let whole = Int(scaled)
        return "\(whole / Int(scale))." + padded(whole % Int(scale), digits)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}

enum Report {
    static var libcryptoVersion: String {
        unsafe bench_libcrypto_version().map { unsafe String(cString: $0) } ?? "unknown"
    }
}

/// The object for programs.
struct JSONReport {
    let measurement: Measurement

    var text: String {
        let receipts = (measurement.inputs.all + [measurement.inputs.large]).map { input in
            Self.object([
                ("name", Self.string(input.name)), ("source", Self.string(input.source)),
                ("bytes", "\(input.bytes.count)"), ("purchases", "\(input.purchases)"),
                ("is_ber", input.isBER ? "true" : "false"),
            ])
        }
        let timings = measurement.timings.map { timing in
            let operation = timing.operation
            let allocations = measurement.allocations.first { $0.operation.key == operation.key }
            return Self.object([
                ("operation", Self.string(operation.name)), ("receipt", Self.string(operation.input)),
                ("is_baseline", operation.isBaseline ? "true" : "false"),
                ("best_us", Self.number(timing.best / 1_000)), ("median_us", Self.number(timing.median / 1_000)),
                ("rounds", "\(timing.rounds)"), ("mb_per_s", Self.number(timing.megabytesPerSecond ?? .nan)),
                ("allocations", allocations.map { "\($0.count)" } ?? "null"),
                ("allocated_bytes", allocations.map { "\($0.bytes)" } ?? "null"),
            ])
        }
        let peaks = measurement.peaks.map { name, peak in
            Self.object([
                ("name", Self.string(name)), ("input_bytes", "\(peak.input)"), ("model_bytes", "\(peak.model)"),
                ("beside_bytes", "\(peak.beside)"),
            ])
        }
        return Self.object([
            ("libcrypto", Self.string(Report.libcryptoVersion)),
            ("ratios", Self.object(measurement.ratios.map { ($0.0, Self.number($0.1)) })),
            ("figures", Self.object(measurement.figures.map { ($0.0, Self.number($0.1)) })),
            ("receipts", Self.array(receipts)), ("measurements", Self.array(timings)),
            ("peak_memory", Self.array(peaks)),
        ])
    }

    static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(string($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
    }

    static func array(_ elements: [String]) -> String { "[\n  " + elements.joined(separator: ",\n  ") + "\n]" }

    static func number(_ value: Double) -> String { value.isFinite ? TableReport.decimal(value, 4) : "null" }

    /// Names of receipts may come from the command line.
    static func string(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                output += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
