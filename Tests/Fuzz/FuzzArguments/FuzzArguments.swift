import FuzzSupport

@testable import receipt_dump

/// The command line's parser, on words that end in zero octets.
@c(LLVMFuzzerTestOneInput)
public func fuzzArguments(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    let words = input.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    do throws(UsageError) {
        use(try parseArguments(words))
    } catch {
        expect(!error.message.isEmpty, "no message")
        expect(
            error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) },
            "a message with control characters: \(error.message.debugDescription)")
    }
    return 0
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.commandLines }
    return 0
}
