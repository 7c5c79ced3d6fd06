import AppStoreReceipt
import FuzzSupport
import ReceiptForge

/// Transaction receipts of iOS 6, as property lists and as they come in text.
@c(LLVMFuzzerTestOneInput)
public func fuzzTransaction(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    check(input) { () throws(ReceiptDecodingError) in try SignedTransactionReceipt(decoding: input) }
    check(input) { () throws(ReceiptDecodingError) in try SignedTransactionReceipt(transport: input) }
    do throws(ReceiptDecodingError) {
        let receipt = try TransactionReceipt(unsignedPurchaseInfo: input)
        for entry in receipt.entries { expect(receipt[entry.key] == entry.value, "an entry is not found") }
        rewrite(receipt)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
    }
    return 0
}

/// What was read reads the same from a text that the forge writes.
private func rewrite(_ receipt: TransactionReceipt) {
    let entries = receipt.entries.map { ForgedPropertyList.Entry(key: $0.key, value: $0.value) }
    do throws(ReceiptDecodingError) {
        let text = Array(ForgedPropertyList(entries: entries).text.utf8)
        expect(try TransactionReceipt(unsignedPurchaseInfo: text) == receipt, "another receipt after rewriting")
    } catch {
        // Escapes can make a text longer than is allowed.
        expect(error.code == .inputTooLong, "does not decode after rewriting: \(error)")
    }
}

private func check(_ input: [UInt8], _ decode: () throws(ReceiptDecodingError) -> SignedTransactionReceipt) {
    do throws(ReceiptDecodingError) {
        let receipt = try decode()
        expect(receipt.payload.count < input.count, "a payload longer than the receipt")
        for entry in receipt.unsignedEnvelope.entries { use(receipt.unsignedEnvelope[entry.key]) }
        use(receipt.unverifiedReceipt.entries.count)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
    }
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.transactions.map(\.bytes) + Seeds.transactions.map(\.purchaseInfo) + Seeds.texts }
    return 0
}
