// README: quick start
import AppStoreReceipt
import AppStoreReceiptValidation

/// One for the whole server: safe to share between threads, and it remembers certificate chains.
struct PurchaseHandler {
    let validator: ReceiptValidator

    init() throws {
        validator = try ReceiptValidator(
            policy: .appStore(bundleIdentifiers: ["com.example.app"], environments: [.production, .sandbox]))
    }

    /// Takes what the app sent, and grants what was bought.
    func handle(receiptData: String, transactionID: String) throws {
        let receipt = try SignedReceipt(transport: receiptData)  // throws what is wrong, and at which byte
        switch try validator.validate(receipt) {
        case .rejected(let rejection):
            print("refused: \(rejection.reason): \(rejection.message)")
        case .valid(let validated):
            // Look for the transaction, never at the first purchase: their order means nothing.
            guard let purchase = validated.receipt.purchase(transactionID: transactionID),
                purchase.cancellationDate == nil
            else { return print("no such purchase") }
            grant(purchase, of: validated)
        }
    }

    /// Takes a `ValidatedReceipt`, which only a validator makes, so that no unchecked receipt gets here.
    func grant(_ purchase: InAppPurchase, of validated: ValidatedReceipt) {
        print("grant \(purchase.productID ?? "?") from \(validated.environment?.rawValue ?? "?")")
    }
}
// README: end
