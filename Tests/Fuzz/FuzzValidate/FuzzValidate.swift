import AppStoreReceipt
import AppStoreReceiptValidation
import FuzzSupport

/// Validation: whatever is done to a receipt, either it is refused or its payload is one that was signed.
@c(LLVMFuzzerTestOneInput)
public func fuzzValidate(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    let receipt: SignedReceipt
    do throws(ReceiptDecodingError) { receipt = try SignedReceipt(decoding: input) } catch { return 0 }
    do throws(LibcryptoError) {
        let verdict = try validator.validate(receipt)
        switch verdict {
        case .valid(let validated):
            expect(signedPayloads.contains(Array(receipt.payload)), "valid, and nobody signed it")
            expect(validated.receipt == receipt.unverifiedReceipt, "another receipt was validated")
        case .rejected(let rejection): use(rejection.message)
        }
        let examination = try validator.examine(receipt)
        switch (verdict, examination.verdict) {
        case (.valid, .valid): expect(!examination.checks.contains { $0.outcome == .failed }, "a failed check")
        case (.rejected(let first), .rejected(let second)):
            expect(first.reason == second.reason, "\(first.reason), and when examined \(second.reason)")
        default: finding("examining gives another verdict")
        }
    } catch {
        finding("libcrypto failed: \(error)")
    }
    return 0
}

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed)
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.containers }
    return 0
}
