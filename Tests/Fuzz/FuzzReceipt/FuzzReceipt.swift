import AppStoreReceipt
import FuzzSupport
import ReceiptForge

/// A whole receipt to its model, with every property and attribute read.
///
/// An input that does not begin like a SEQUENCE is taken for a payload and put into a container first, so that the
/// payload is reached without having to get every length around it right.
@c(LLVMFuzzerTestOneInput)
public func fuzzReceipt(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe fuzzInput(data, count)
    if let first = input.first, first != 0x30 { input = contain(input) }
    let receipt: SignedReceipt
    do throws(ReceiptDecodingError) {
        receipt = try SignedReceipt(decoding: input)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
        return 0
    }
    walk(receipt.unverifiedReceipt, payload: receipt.payload)
    return 0
}

private func walk(_ receipt: Receipt, payload: ArraySlice<UInt8>) {
    use(receipt.environment)
    walk(receipt.attributes)
    let dates = [
        receipt.receiptCreationDate, receipt.originalPurchaseDate, receipt.expirationDate, receipt.preorderDate,
    ]
    for date in dates {
        guard let date else { continue }
        expect(ReceiptDate(rfc3339: date.description) == date, "\(date) does not read back")
    }
    // One that cannot be read is told, the first 16 of them.
    let unreadable = receipt.unreadableAttributes.count { $0.attribute.type == .inApp }
    let stated = receipt.attributes.count { $0.type == .inApp }
    expect(
        stated == receipt.inApp.count + unreadable || unreadable == 16 && stated > receipt.inApp.count,
        "a purchase is missing")
    expect(receipt.purchasesLatestFirst.count == receipt.inApp.count, "a purchase was lost in sorting")
    for purchase in receipt.inApp {
        walk(purchase.attributes)
        if let product = purchase.productID {
            expect(receipt.purchases(productID: product).contains(purchase), "a purchase is not found by product")
        }
        if let identifier = purchase.transactionID {
            expect(receipt.purchase(transactionID: identifier) != nil, "a purchase is not found by transaction")
        }
    }
}

private func walk(_ attributes: ReceiptAttributes) {
    var octets = 0
    for attribute in attributes {
        octets += attribute.rawValue.count
        switch attribute.value.storage {
        case .set(let inner): walk(inner)
        case .utf8String(let text), .ia5String(let text): use(text.unicodeScalars.count)
        case .raw(let raw): expect(raw == attribute.rawValue, "raw bytes differ")
        default: break
        }
    }
    expect(octets <= attributes.content.count, "more octets than there are")
}

/// A container around a payload, whose signature fits nothing.
private func contain(_ payload: [UInt8]) -> [UInt8] {
    let wrapped = TLVEditor.header(0xA0, TLVEditor.header(4, payload.count).count + payload.count)
    let content = wrapped + TLVEditor.header(4, payload.count) + payload
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let encapsulated = TLVEditor.header(0x30, type.count + content.count) + type + content
    let body = [0x02, 0x01, 0x01, 0x31, 0x00] + encapsulated + [0x31, 0x00]
    let signedData = TLVEditor.header(0x30, body.count) + body
    let explicit = TLVEditor.header(0xA0, signedData.count) + signedData
    return TLVEditor.header(0x30, type.count + explicit.count) + type.dropLast() + [0x02] + explicit
}

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed)
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.containers + Seeds.payloads }
    return 0
}
