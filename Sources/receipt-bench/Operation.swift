import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge

/// One thing to measure.
struct Operation: Sendable {
    /// What is done, for example `decode`.
    let name: String
    /// What it is done with, for example `5k`.
    let input: String
    /// How many bytes go in, where a speed in bytes makes sense.
    let bytes: Int?
    /// By whom: the package, or libcrypto for comparison.
    var isBaseline = false
    /// Done by so many threads at the same time, one or two, and timed by the clock; nil by this one alone, and timed by
    /// its time on the processor.
    var threads: Int?
    let body: @Sendable () throws -> Void
    /// What the other thread does, if not the same.
    var otherBody: (@Sendable () throws -> Void)?

    var key: String { "\(name) \(input)" }
}

extension Operation {
    static func decode(_ input: BenchInput) -> Operation {
        let bytes = input.bytes
        return Operation(name: "decode", input: input.name, bytes: bytes.count) {
            keep(try SignedReceipt(decoding: bytes))
        }
    }

    static func transport(_ form: String, _ text: String) -> Operation {
        Operation(name: "transport", input: form, bytes: text.utf8.count) { keep(try TransportDecoding(text)) }
    }

    static func validateWarm(_ input: BenchInput) -> Operation {
        let (validator, receipt) = (input.warm, input.receipt)
        return Operation(name: "validate-warm", input: input.name, bytes: nil) { keep(try validator.validate(receipt)) }
    }

    static func validateCold(_ input: BenchInput) -> Operation {
        let (validator, receipt) = (input.cold, input.receipt)
        return Operation(name: "validate-cold", input: input.name, bytes: nil) { keep(try validator.validate(receipt)) }
    }

    static func examine(_ input: BenchInput) -> Operation {
        let (validator, receipt) = (input.warm, input.receipt)
        return Operation(name: "examine", input: input.name, bytes: nil) { keep(try validator.examine(receipt)) }
    }

    /// What a server asks of a receipt with many purchases.
    static func purchasesLatestFirst(_ input: BenchInput) -> Operation {
        let receipt = input.receipt.unverifiedReceipt
        return Operation(name: "purchases-latest-first", input: input.name, bytes: nil) {
            keep(receipt.purchasesLatestFirst)
        }
    }

    /// From the bytes of the container to the verdict, as `CMS_verify` is measured.
    static func bytesToVerdict(_ input: BenchInput, isWarm: Bool) -> Operation {
        let (validator, bytes) = (isWarm ? input.warm : input.cold, input.bytes)
        return Operation(name: "bytes-to-verdict-\(isWarm ? "warm" : "cold")", input: input.name, bytes: nil) {
            keep(try validator.validate(SignedReceipt(decoding: bytes)))
        }
    }

    /// What a server does: from the text that an app sent to the verdict.
    static func textToVerdict(_ input: BenchInput) -> Operation {
        let (validator, text) = (input.warm, Base64.encode(input.bytes))
        return Operation(name: "text-to-verdict-warm", input: input.name, bytes: nil) {
            keep(try validator.validate(SignedReceipt(transport: text)))
        }
    }

    static func baselines(_ input: BenchInput) throws -> [Operation] {
        let baseline = try Baseline(input.receipt, input.bytes, root: input.root)
        func operation(_ name: String, bytes: Int?, _ body: @escaping @Sendable () throws -> Void) -> Operation {
            Operation(name: name, input: input.name, bytes: bytes, isBaseline: true, body: body)
        }
        return [
            operation("floor", bytes: nil) { try baseline.floor() },
            operation("CMS_verify", bytes: nil) { try baseline.cmsVerify() },
            operation("PKCS7_verify", bytes: nil) { try baseline.pkcs7Verify() },
            operation("d2i", bytes: input.bytes.count) { try baseline.d2i() },
            operation("tag-walk", bytes: input.receipt.payload.count) { try baseline.tagWalk() },
        ]
    }

    /// Each thread has a receipt of its own checked by the one validator.
    static func validateWarm(_ input: BenchInput, threads: Int) throws -> Operation {
        // Two decodings share nothing, not even the bytes.
        let first = try SignedReceipt(decoding: input.bytes.map(\.self))
        let second = try SignedReceipt(decoding: input.bytes.map(\.self))
        let validator = input.warm
        return Operation(
            name: "validate-warm x \(threads)", input: input.name, bytes: nil, threads: threads,
            body: { keep(try validator.validate(first)) }, otherBody: { keep(try validator.validate(second)) })
    }

    /// The floor, with a key and contexts for each thread: how much a second thread can gain on this machine.
    static func floor(_ input: BenchInput, threads: Int) throws -> Operation {
        let first = try Baseline(input.receipt, input.bytes, root: input.root)
        let second = try Baseline(input.receipt, input.bytes, root: input.root)
        return Operation(
            name: "floor x \(threads)", input: input.name, bytes: nil, isBaseline: true, threads: threads,
            body: { try first.floor() }, otherBody: { try second.floor() })
    }

    /// Each thread decodes the bytes of its own.
    static func decode(_ input: BenchInput, threads: Int) -> Operation {
        let first = input.bytes.map(\.self)
        let second = input.bytes.map(\.self)
        return Operation(
            name: "decode x \(threads)", input: input.name, bytes: first.count, threads: threads,
            body: { keep(try SignedReceipt(decoding: first)) },
            otherBody: { keep(try SignedReceipt(decoding: second)) })
    }

    /// Each thread decodes and has checked the bytes of its own.
    static func bytesToVerdict(_ input: BenchInput, isWarm: Bool, threads: Int) -> Operation {
        let first = input.bytes.map(\.self)
        let second = input.bytes.map(\.self)
        let validator = isWarm ? input.warm : input.cold
        return Operation(
            name: "bytes-to-verdict-\(isWarm ? "warm" : "cold") x \(threads)", input: input.name, bytes: nil,
            threads: threads, body: { keep(try validator.validate(SignedReceipt(decoding: first))) },
            otherBody: { keep(try validator.validate(SignedReceipt(decoding: second))) })
    }

    /// What a server does, and `receipt-dump --lines` is to be measured against: each thread has a text of its own.
    static func textToVerdict(_ input: BenchInput, threads: Int) -> Operation {
        let first = Base64.encode(input.bytes)
        let second = Base64.encode(input.bytes)
        let validator = input.warm
        return Operation(
            name: "text-to-verdict-warm x \(threads)", input: input.name, bytes: nil, threads: threads,
            body: { keep(try validator.validate(SignedReceipt(transport: first))) },
            otherBody: { keep(try validator.validate(SignedReceipt(transport: second))) })
    }
}

/// Texts to take receipts out of.
enum Text {
    /// Damage that leaves the text recognisable as base64, and needs one pass to repair.
    static let damages: [(name: String, forms: [TextForm])] = [
        ("lines of 64", [.wrapped(columns: 64)]),
        ("lines of 76, CRLF", [.wrapped(columns: 76, newline: "\r\n")]),
        ("literal \\n", [.literalNewlines(columns: 64)]),
        ("escaped slashes", [.escapedSlashes]),
        ("percent-encoded", [.percentEncoded]),
        ("spaces for plus", [.plusAsSpace]),
        ("base64url", [.base64URL, .unpadded]),
        ("PEM", [.pem("PKCS7")]),
        ("data URI, quoted", [.dataURI, .quoted]),
    ]
}
