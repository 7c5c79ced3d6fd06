import AppStoreReceipt
import CReceiptBench
import ReceiptForge

/// Everything that a full run measures.
struct Measurement {
    let inputs: BenchInputs
    let timings: [Timing]
    let allocations: [Allocations]
    let peaks: [(name: String, peak: PeakMemory)]

    init(_ options: BenchOptions) throws {
        inputs = try BenchInputs(options)
        let operations = try Self.operations(inputs).filter { operation in
            options.only.isEmpty || options.only.contains { operation.key.contains($0) }
        }
        timings = try Timing.measure(operations, seconds: options.seconds)
        allocations =
            Allocations.canCount ? try operations.filter { $0.threads == nil }.map { try Allocations($0) } : []
        peaks = Allocations.canCount ? try Self.peaks(inputs.large) : []
    }

    static func operations(_ inputs: BenchInputs) throws -> [Operation] {
        var operations = inputs.all.map(Operation.decode)
        operations.append(.transport("base64, 10000", Base64.encode(inputs.tenThousand.bytes)))
        operations.append(.transport("base64, 5k", Base64.encode(inputs.small.bytes)))
        operations += try damagedTexts().map { .transport($0.name, $0.text) }
        for input in [inputs.small, inputs.medium] + inputs.others {
            operations.append(.validateWarm(input))
            operations.append(.validateCold(input))
            operations.append(.examine(input))
            operations.append(.purchasesLatestFirst(input))
            operations.append(.bytesToVerdict(input, isWarm: true))
            operations.append(.bytesToVerdict(input, isWarm: false))
            operations.append(.textToVerdict(input))
            operations += try Operation.baselines(input)
        }
        operations += try Operation.signedJSON()
        operations += try Operation.baselines(inputs.tenThousand).filter { ["d2i", "tag-walk"].contains($0.name) }
        for threads in 1...2 {
            operations.append(try .floor(inputs.small, threads: threads))
            operations.append(try .validateWarm(inputs.small, threads: threads))
            operations.append(.decode(inputs.thousand, threads: threads))
            operations.append(.bytesToVerdict(inputs.small, isWarm: true, threads: threads))
            operations.append(.bytesToVerdict(inputs.small, isWarm: false, threads: threads))
            operations.append(.textToVerdict(inputs.small, threads: threads))
        }
        return operations
    }

    /// One text, clean and in every damaged form.
    static let cleanText = "clean, 1000"

    static func damagedTexts() throws -> [(name: String, text: String)] {
        let message = try BenchInput.message(1_000)
        return [(cleanText, message.base64)] + Text.damages.map { ($0.name, message.text($0.forms)) }
    }

    static func peaks(_ input: BenchInput) throws -> [(name: String, peak: PeakMemory)] {
        let bytes = input.bytes
        let text = Base64.encode(bytes)
        let ber = try BenchInput.message(input.purchases, style: .xcode, ber: true).bytes
        return [
            ("decode, DER", try PeakMemory(input: bytes.count) { try SignedReceipt(decoding: bytes) }),
            ("decode, BER", try PeakMemory(input: ber.count) { try SignedReceipt(decoding: ber) }),
            ("base64 text to model", try PeakMemory(input: text.utf8.count) { try SignedReceipt(transport: text) }),
        ]
    }

    /// Nil for what was not measured.
    private func best(_ name: String, _ input: String) -> Timing? {
        timings.first { $0.operation.name == name && $0.operation.input == input }
    }
}

extension Measurement {
    /// One number over another, both measured in this run, by their best rounds.
    var ratios: [(String, Double)] {
        func ratio(_ name: String, _ upper: (String, String), _ lower: (String, String)) -> (String, Double)? {
            guard let upper = best(upper.0, upper.1), let lower = best(lower.0, lower.1) else { return nil }
            return (name, upper.best / lower.best)
        }
        let damaged = Text.damages.compactMap {
            ratio("base64_over_clean: " + $0.name, ("transport", $0.name), ("transport", Self.cleanText))
        }
        let ratios = [
            ratio("validate_warm_5k_over_floor", ("validate-warm", "5k"), ("floor", "5k")),
            ratio("validate_warm_187_over_floor", ("validate-warm", "187"), ("floor", "187")),
            ratio("validate_cold_over_cms_verify", ("bytes-to-verdict-cold", "5k"), ("CMS_verify", "5k")),
            ratio("cms_verify_over_validate_warm_5k", ("CMS_verify", "5k"), ("bytes-to-verdict-warm", "5k")),
            ratio("pkcs7_verify_over_validate_warm_5k", ("PKCS7_verify", "5k"), ("bytes-to-verdict-warm", "5k")),
            ratio("bytes_to_verdict_warm_5k_over_floor", ("bytes-to-verdict-warm", "5k"), ("floor", "5k")),
            ratio("bytes_to_verdict_warm_187_over_floor", ("bytes-to-verdict-warm", "187"), ("floor", "187")),
            ratio("text_to_verdict_warm_5k_over_floor", ("text-to-verdict-warm", "5k"), ("floor", "5k")),
            ratio("decode_10000_over_1000", ("decode", "10000"), ("decode", "1000")),
            ratio("decode_ber_over_der", ("decode", "xcode-ber"), ("decode", "xcode-der")),
            ratio("decode_ber_over_der_1000", ("decode", "xcode-1000-ber"), ("decode", "xcode-1000-der")),
            damaged.map(\.1).max().map { ("base64_damaged_over_clean", $0) },
            ratio("threads_2_over_1", ("validate-warm x 1", "5k"), ("validate-warm x 2", "5k")),
            ratio("floor_threads_2_over_1", ("floor x 1", "5k"), ("floor x 2", "5k")),
            ratio("decode_1000_threads_2_over_1", ("decode x 1", "1000"), ("decode x 2", "1000")),
            ratio(
                "bytes_to_verdict_warm_threads_2_over_1", ("bytes-to-verdict-warm x 1", "5k"),
                ("bytes-to-verdict-warm x 2", "5k")),
            ratio(
                "bytes_to_verdict_cold_threads_2_over_1", ("bytes-to-verdict-cold x 1", "5k"),
                ("bytes-to-verdict-cold x 2", "5k")),
        ]
        return ratios.compactMap(\.self) + damaged
            + peaks.map { ("peak_memory_beside_model_over_input: " + $0.name, $0.peak.besideOverInput) }
    }

    /// Plain numbers.
    var figures: [(String, Double)] {
        func microseconds(_ name: String, _ operation: String, _ input: String = "5k") -> (String, Double)? {
            best(operation, input).map { (name, $0.best / 1_000) }
        }
        func speed(_ name: String, _ operation: String, _ input: String, _ unit: Double) -> (String, Double)? {
            best(operation, input)?.megabytesPerSecond.map { (name, $0 / unit) }
        }
        var figures = [
            microseconds("decode_5k_us", "decode"),
            speed("decode_10000_mb_per_s", "decode", "10000", 1),
            speed("base64_clean_gb_per_s", "transport", "base64, 10000", 1_000),
            microseconds("floor_5k_us", "floor"),
            microseconds("validate_warm_5k_us", "validate-warm"),
            microseconds("validate_cold_5k_us", "validate-cold"),
            microseconds("bytes_to_verdict_warm_5k_us", "bytes-to-verdict-warm"),
            microseconds("bytes_to_verdict_cold_5k_us", "bytes-to-verdict-cold"),
            microseconds("cms_verify_5k_us", "CMS_verify"),
            microseconds("purchases_latest_first_187_us", "purchases-latest-first", "187"),
        ].compactMap(\.self)
        for allocation in allocations where allocation.operation.input == "5k" && !allocation.operation.isBaseline {
            let name = String(allocation.operation.name.map { $0 == "-" ? "_" : $0 })
            figures.append(("\(name)_5k_allocations", Double(allocation.count)))
            figures.append(("\(name)_5k_allocated_bytes", Double(allocation.bytes)))
        }
        return figures
    }
}
