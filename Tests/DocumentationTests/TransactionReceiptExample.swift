// README: iOS 6-style transaction receipts
import AppStoreReceipt
import AppStoreReceiptValidation

/// A policy for an archive of transaction receipts, those of before 2016 among them.
func archivePolicy(bundleIdentifier: String, appleITunesStoreCA: [UInt8]) -> ValidationPolicy {
    var policy = ValidationPolicy()
    policy.bundleIdentifiers = [bundleIdentifier]
    policy.intermediates = [appleITunesStoreCA]  // its DER; the certificate Apple published
    policy.transactionReceipts.purchaseReceiptAuthorities = [.appleITunesStoreCA]  // its fingerprint
    return policy
}

func productInArchive(_ text: String, validator: ReceiptValidator) throws -> String? {
    let receipt = try SignedTransactionReceipt(transport: text)
    return try validator.validate(receipt).validated?.receipt.productID
}
// README: end
