import AppStoreReceipt
import AppStoreReceiptValidation

/// `--operation NAME --times N [FILE]`: for callgrind, perf and the like.
enum SingleOperation {
    static func run(_ name: String, _ options: BenchOptions) throws {
        let bytes =
            if let path = options.files.first { try System.read(path) } else { try BenchInputs.defaultSmall().bytes }
        switch name {
        case "decode": try loop(options.times) { keep(try SignedReceipt(decoding: bytes)) }
        case "transport":
            let text = String(decoding: bytes, as: UTF8.self)
            try loop(options.times) { keep(try TransportDecoding(text)) }
        case "validate-warm": try validate(bytes, options, capacity: 32) { keep(try $0.validate($1)) }
        case "validate-cold": try validate(bytes, options, capacity: 0) { keep(try $0.validate($1)) }
        case "examine": try validate(bytes, options, capacity: 32) { keep(try $0.examine($1)) }
        case "purchases-latest-first":
            let receipt = try SignedReceipt(decoding: bytes).unverifiedReceipt
            try loop(options.times) { keep(receipt.purchasesLatestFirst) }
        case "text-to-verdict":
            try validate(bytes, options, capacity: 32) { validator, _ in
                keep(try validator.validate(SignedReceipt(transport: bytes)))
            }
        default: throw BenchOptions.UsageError(message: "unknown operation '\(name)'")
        }
    }

    private static func validate(
        _ bytes: [UInt8], _ options: BenchOptions, capacity: Int,
        _ body: (ReceiptValidator, SignedReceipt) throws -> Void
    ) throws {
        var policy = ValidationPolicy()
        if !options.roots.isEmpty {
            policy.roots = try options.roots.map { try TrustAnchor(certificate: System.read($0)) }
        }
        let validator = try ReceiptValidator(policy: policy, chainCacheCapacity: capacity)
        let receipt = try SignedReceipt(transport: bytes)
        if let rejection = try validator.validate(receipt).rejection {
            throw BenchError("the receipt is not valid: \(rejection.reason): \(rejection.message)", exitCode: 66)
        }
        try loop(options.times) { try body(validator, receipt) }
    }

    private static func loop(_ times: Int, _ body: () throws -> Void) rethrows {
        for _ in 0..<times { try body() }
    }
}
