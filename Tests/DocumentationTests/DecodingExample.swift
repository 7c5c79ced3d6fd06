// README: decoding
import AppStoreReceipt

func appOfReceipt(_ text: String) throws(ReceiptDecodingError) -> String? {
    let receipt = try SignedReceipt(transport: text)
    return receipt.unverifiedReceipt.bundleID
}
// README: end
