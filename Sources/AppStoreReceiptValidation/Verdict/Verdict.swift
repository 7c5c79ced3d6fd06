public import AppStoreReceipt

/// A verdict: there is no third way, and what was verified is to be had only from a valid one.
public enum Verdict<Document: SignedDocument>: Sendable {
    case valid(Validated<Document>)
    case rejected(Rejection)

    /// The verified document, if valid.
    public var validated: Validated<Document>? {
        if case .valid(let document) = self { document } else { nil }
    }

    /// The rejection, if rejected.
    public var rejection: Rejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}

/// A verdict with everything that led to it.
public struct Examination<Document: SignedDocument>: Sendable {
    public let verdict: Verdict<Document>
    /// The checks in the order in which they are made.
    public let checks: [Check]
    /// The certificates that came with the document.
    public let certificates: [CertificateSummary]
}

extension Verdict: CustomStringConvertible {
    /// One line for logs: `valid` with the content's own line, or `rejected` with the reason and its sentence.
    public var description: String {
        switch self {
        case .valid(let validated): "valid: \(validated.content)"
        case .rejected(let rejection): "rejected: \(rejection)"
        }
    }
}

extension Examination: CustomStringConvertible {
    /// The verdict's line, and how many checks there were.
    public var description: String { "\(verdict), \(checks.count) checks" }
}

public typealias ReceiptVerdict = Verdict<SignedReceipt>
public typealias TransactionReceiptVerdict = Verdict<SignedTransactionReceipt>
public typealias ReceiptExamination = Examination<SignedReceipt>
public typealias TransactionReceiptExamination = Examination<SignedTransactionReceipt>
public typealias ValidatedReceipt = Validated<SignedReceipt>
public typealias ValidatedTransactionReceipt = Validated<SignedTransactionReceipt>
