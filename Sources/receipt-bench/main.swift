#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
        print(BenchOptions.help)
        exit(0)
    }
    let options = try BenchOptions(arguments)
    if let operation = options.operation {
        try SingleOperation.run(operation, options)
    } else if let folder = options.folder {
        let inputs = try BenchInputs(options)
        for input in inputs.all + [inputs.large] where input.source == "forged" {
            try System.save(input.bytes, to: "\(folder)/\(input.name).der")
        }
    } else if options.isQuick {
        exit(try Gate.run(options) ? 0 : 1)
    } else {
        let measurement = try Measurement(options)
        print(
            options.isJSON ? JSONReport(measurement: measurement).text : TableReport(measurement: measurement).text)
    }
} catch let error as BenchOptions.UsageError {
    System.writeError("receipt-bench: \(error.message); see receipt-bench --help")
    exit(64)
} catch let error as BenchError {
    System.writeError("receipt-bench: \(error.message)")
    exit(error.exitCode)
} catch {
    System.writeError("receipt-bench: \(error)")
    exit(70)
}
