import AppStoreReceipt
import FuzzSupport

/// Text or bytes of any kind, taken out of their envelope in both modes.
@c(LLVMFuzzerTestOneInput)
public func fuzzTransport(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    let exact = decode(input, .exact)
    let tolerant = decode(input, .tolerant)
    if let tolerant {
        // A property list may have been UTF-16, whose two octets become three of UTF-8 at most.
        expect(tolerant.bytes.count <= input.count / 2 * 3 + 1, "more bytes than characters")
        for repair in tolerant.repairs {
            expect(0...input.count ~= repair.offset, "a repair outside: \(repair)")
        }
        if tolerant.form == .base64, tolerant.repairs.isEmpty, tolerant.foundIn == nil {
            expect(exact?.bytes == tolerant.bytes, "no repair, and yet not exact")
        }
        // What was found is found again in its canonical form; a JWS is none of those that exact mode takes.
        if tolerant.content != .jws {
            let canonical = decode(canonicalBase64(tolerant.bytes), .exact)
            expect(canonical?.bytes == tolerant.bytes, "canonical base64 of it is not exact")
        }
    }
    if let exact {
        // But for the bits behind the last byte, which are in the last character before the padding.
        expect(canonicalBase64(exact.bytes).count == input.count, "exact is not canonical")
        if exact.content != nil, let tolerant, tolerant.form == .base64 {
            expect(tolerant.bytes == exact.bytes, "the modes differ")
        }
    }
    return 0
}

private func decode(_ input: [UInt8], _ mode: TransportMode) -> TransportDecoding? {
    do throws(ReceiptDecodingError) {
        return try TransportDecoding.decode(input, mode: mode)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
        return nil
    }
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.texts }
    return 0
}
