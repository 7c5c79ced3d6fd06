// README: quick start
import AppStoreReceipt
import AppStoreReceiptValidation

/// The transactions that were granted: your database, with a unique index on the transaction identifier.
protocol GrantedTransactions: Sendable {
    /// Inserts a transaction for an account, in one step, and returns the account it now belongs to: this one, or
    /// the one for which it was inserted before.
    func insert(_ transactionID: String, for account: String) async throws -> String
}

/// One for the whole server: safe to share between threads, and it remembers certificate chains.
struct PurchaseHandler: Sendable {
    let validator: ReceiptValidator
    let granted: any GrantedTransactions

    /// The policy takes receipts of your app from production only: nobody pays in the sandbox.
    init(
        policy: ValidationPolicy = .appStore(bundleIdentifiers: ["com.example.app"]),
        granted: any GrantedTransactions
    ) throws {
        validator = try ReceiptValidator(policy: policy)
        self.granted = granted
    }

    enum Answer: Equatable {
        /// Theirs until then, or for good. Say the same again when they ask again, as after a new installation.
        case granted(productID: String, until: ReceiptDate?)
        case refused(String)
    }

    /// Takes what the app sent for an account, and grants what was bought: once, and not after its end.
    func handle(
        receiptData: String, transactionID: String, account: String, now: ReceiptDate
    ) async throws -> Answer {
        // Throws what is wrong, and at which byte, when this is no receipt at all.
        let receipt = try SignedReceipt(transport: receiptData)
        switch try validator.validate(receipt, asOf: now) {
        case .rejected(let rejection):
            return .refused("\(rejection.reason): \(rejection.message)")
        case .valid(let validated):
            // Look for the transaction, never at the first purchase: their order means nothing.
            guard let purchase = validated.receipt.purchase(transactionID: transactionID),
                let productID = purchase.productID
            else { return .refused("no such purchase") }
            guard purchase.cancellationDate == nil else { return .refused("cancelled") }
            if let end = purchase.expiresDate, end <= now { return .refused("ended \(end)") }
            guard try await granted.insert(transactionID, for: account) == account else {
                return .refused("granted to another account")
            }
            return .granted(productID: productID, until: purchase.expiresDate)
        }
    }
}
// README: end
