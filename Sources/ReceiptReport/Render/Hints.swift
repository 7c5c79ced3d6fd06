import AppStoreReceipt

/// What to do about input that is not a whole receipt, in a sentence; nil when there is nothing to add to the error.
func hint(_ fault: Undecodable) -> String? {
    switch fault.error.code {
    case .jws:
        "it is signed data of StoreKit 2 or of the App Store Server API: verify it as a JWS, it is no receipt"
    case .truncated:
        "the end is missing; proxies, column widths and terminals cut long text"
    case .trailingBytes:
        "more follows the receipt; two receipts may have been joined"
    case .verifyReceiptRequest:
        "it is a request to verifyReceipt without a usable receipt-data"
    case .verifyReceiptResponse:
        "it is an answer of verifyReceipt without a latest_receipt; answers do not hold the receipt that was asked about"
    case .html:
        "a server answered with a web page instead of a receipt"
    case .identifier:
        "it looks like an identifier; the receipt is the long text that starts with MII"
    case .dataDescription:
        "it is a program's description of the data; send the data itself in base64"
    case .mangledBinary:
        "binary data went through a text conversion, which cannot be undone; send base64"
    case .purchaseInfo:
        "it is the inner part of an iOS 6-style receipt; without its signature nothing can be verified"
    case .missingEndOfContents:
        "the end is missing, or a length inside was changed"
    case .empty: "there is nothing to decode"
    default: nil
    }
}
