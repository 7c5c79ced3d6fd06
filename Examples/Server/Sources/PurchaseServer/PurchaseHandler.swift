public import AppStoreReceipt
public import AppStoreReceiptValidation

/// Decides what a request of the app is worth. One for the whole server.
public struct PurchaseHandler: Sendable {
    /// What the app sends.
    public struct Request: Decodable, Sendable {
        /// The file at `Bundle.main.appStoreReceiptURL`, base64.
        public var receipt: String
        /// The transaction that the customer wants to have.
        public var transactionID: String

        public init(receipt: String, transactionID: String) {
            self.receipt = receipt
            self.transactionID = transactionID
        }
    }

    /// What the server answers.
    public struct Answer: Encodable, Equatable, Sendable {
        public enum Status: String, Encodable, Sendable {
            case granted
            /// This account has it already: say so, and deliver nothing a second time.
            case grantedBefore = "granted-before"
            case refused
        }
        public var status: Status
        public var product: String?
        /// RFC 3339; absent when it does not end.
        public var until: String?
        /// For a refusal: a stable code. What was wrong with a forgery is for the log, not for whoever sent it.
        public var reason: String?
    }

    private let validator: ReceiptValidator
    private let granted: GrantedTransactions

    public init(policy: ValidationPolicy, granted: GrantedTransactions) throws {
        validator = try ReceiptValidator(policy: policy)
        self.granted = granted
    }

    /// - Parameter account: Who is logged in. The receipt does not say, and the app must not choose.
    /// - Throws: for faults of the server's own. A bad request is an answer.
    public func answer(_ request: Request, account: String, now: ReceiptDate) throws -> Answer {
        let receipt: SignedReceipt
        do throws(ReceiptDecodingError) {
            receipt = try SignedReceipt(transport: request.receipt)
        } catch {
            return Answer(status: .refused, reason: error.code.rawValue)
        }
        switch try validator.validate(receipt, asOf: now) {
        case .rejected(let rejection): return Answer(status: .refused, reason: rejection.reason.rawValue)
        case .valid(let validated): return try grant(request.transactionID, in: validated, account: account, now: now)
        }
    }

    /// Takes a `ValidatedReceipt`, which only a validator makes, so that no unchecked receipt gets here.
    private func grant(
        _ transactionID: String, in validated: ValidatedReceipt, account: String, now: ReceiptDate
    ) throws -> Answer {
        guard let purchase = validated.receipt.purchase(transactionID: transactionID), let product = purchase.productID
        else { return Answer(status: .refused, reason: "no-such-purchase") }
        if purchase.cancellationDate != nil { return Answer(status: .refused, reason: "cancelled") }
        if let end = purchase.expiresDate, end <= now { return Answer(status: .refused, reason: "ended") }
        let (owner, isNew) = try granted.insert(transactionID, product: product, for: account)
        guard owner == account else { return Answer(status: .refused, reason: "granted-to-another-account") }
        return Answer(
            status: isNew ? .granted : .grantedBefore, product: product, until: purchase.expiresDate?.description)
    }
}
