import AppStoreReceipt
import CReceiptBench

/// A receipt as libcrypto alone would check it; see receipt_bench.h.
///
/// One thread at a time uses it, but for ``tagWalk()``, which keeps no state.
@safe
final class Baseline: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// The C side keeps pointers into these two for as long as it lives.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let payload: UnsafeMutableBufferPointer<UInt8>

    init(_ receipt: SignedReceipt, _ input: [UInt8], root: [UInt8]) throws(BenchError) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: input.count)
        let payload = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: receipt.payload.count)
        _ = unsafe bytes.initialize(from: input)
        _ = unsafe payload.initialize(from: receipt.payload)
        let seconds = (receipt.unverifiedReceipt.receiptCreationDate?.millisecondsSince1970 ?? 0) / 1_000
        let made = unsafe bench_baseline_new(
            bytes.baseAddress, bytes.count, payload.baseAddress, payload.count, root, root.count, seconds)
        guard let made = unsafe made else {
            unsafe bytes.deallocate()
            unsafe payload.deallocate()
            throw BenchError("libcrypto does not verify the receipt, so there is nothing to compare with")
        }
        unsafe pointer = made
        unsafe self.bytes = bytes
        unsafe self.payload = payload
    }

    deinit {
        unsafe bench_baseline_free(pointer)
        unsafe bytes.deallocate()
        unsafe payload.deallocate()
    }

    func floor() throws { try Self.demand(unsafe bench_floor(pointer) == 1, "the floor") }
    func cmsVerify() throws { try Self.demand(unsafe bench_cms_verify(pointer) == 1, "CMS_verify") }
    func pkcs7Verify() throws { try Self.demand(unsafe bench_pkcs7_verify(pointer) == 1, "PKCS7_verify") }
    func d2i() throws { try Self.demand(unsafe bench_d2i(pointer) == 1, "d2i_CMS_ContentInfo") }
    func tagWalk() throws {
        try Self.demand(unsafe bench_tag_walk(payload.baseAddress, payload.count) > 0, "ASN1_get_object")
    }

    private static func demand(_ holds: Bool, _ what: String) throws(BenchError) {
        guard holds else { throw BenchError("\(what) failed") }
    }
}
