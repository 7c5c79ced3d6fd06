import AppStoreReceipt
import Foundation
import FuzzSupport

@testable import receipt_dump

/// The renderers of receipt-dump, on any bytes: they must not fail, and nothing in a receipt may steer a terminal.
@c(LLVMFuzzerTestOneInput)
public func fuzzDump(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    // Checking a chain takes much longer than showing one.
    let variants = [[], ["--redact"], ["--no-validate"], ["--no-validate", "--redact"]]
    for format in ["text", "json", "verify-receipt", "asn1"] {
        let sink = Sink()
        let host = Host(output: sink, errors: sink, files: Memory(bytes: input), now: { now })
        let takesVariant = format == "text" || format == "json"
        let options = ["--format", format] + (takesVariant ? variants[count % 4] : [])
        if format == "verify-receipt", count % 4 > 1 { continue }
        let status = run(options + ["-"], host: host)
        expect(status == 0 || status == 1 || status == 2, "status \(status)")
        expect(!sink.bytes.isEmpty, "nothing was written")
        expect(isHarmless(sink.bytes), "bytes that are no text, or control a terminal")
        if format == "json" || format == "verify-receipt" {
            expect((try? JSONSerialization.jsonObject(with: Data(sink.bytes))) != nil, "not JSON")
        }
    }
    return 0
}

/// Whether bytes are UTF-8 without control characters but line feeds.
private func isHarmless(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
        scalar == "\n"
            || scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value)
                // What turns the direction of writing around, or ends a line.
                && !(0x202A...0x202E ~= scalar.value) && !(0x2066...0x2069 ~= scalar.value)
                && !(0x2028...0x2029 ~= scalar.value)
    }
}

private let now = ReceiptDate(millisecondsSince1970: 1_750_000_000_000)

private final class Sink: ByteSink {
    var bytes: [UInt8] = []
    func write(_ new: [UInt8]) throws(WriteError) { bytes += new }
}

private struct Memory: ByteSource {
    let bytes: [UInt8]
    func read(_ input: Input) throws(ReadError) -> [UInt8] { bytes }
}

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed)
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.containers + Seeds.texts }
    return 0
}
