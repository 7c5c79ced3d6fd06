import AppStoreReceipt
import AppStoreReceiptValidation
import FuzzSupport
import OracleSupport
import ReceiptASN1
import ReceiptPKIX

/// Our verdict against `CMS_verify` under the same roots and at the same time: ours valid and theirs not is a finding.
///
/// Mutants are signed again with the forge's keys, so that the rules behind the signatures are reached.
@c(LLVMFuzzerTestOneInput)
public func fuzzVerdict(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    let receipt: SignedReceipt
    do throws(ReceiptDecodingError) { receipt = try SignedReceipt(decoding: input) } catch { return 0 }
    do throws(LibcryptoError) {
        guard case .valid(let validated) = try validator.validate(receipt) else { return 0 }
        let answer = Oracle.verifyCMS(input, roots: anchors, at: validated.validationTime.secondsSince1970)
        expect(answer.payload == Array(receipt.payload), "valid here, there \(answer.failure ?? "another payload")")
        expect(hasMarkers(receipt) || isXcode(receipt), "valid without the markers")
    } catch {
        finding("libcrypto failed: \(error)")
    }
    return 0
}

/// Whether both markers occur, found by their bytes: 1.2.840.113635.100.6.11.1 and 1.2.840.113635.100.6.2.1.
private func hasMarkers(_ receipt: SignedReceipt) -> Bool {
    let arc: [UInt8] = [0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06]
    return [arc + [0x0B, 0x01], arc + [0x02, 0x01]].allSatisfy { receipt.der.firstRange(of: $0) != nil }
}

private func isXcode(_ receipt: SignedReceipt) -> Bool { receipt.unverifiedReceipt.receiptType == "Xcode" }

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed) { bytes, random in
        if random.below(4) != 0 { Resigner.sign(&bytes, random.below(8)) }
    }
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.messages.map(\.bytes) }
    return 0
}
