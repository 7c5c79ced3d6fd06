import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// What an input is, whether it is genuine and wanted, and everything that it says.
///
/// Made by a ``ReceiptInspector``. What a report shows of a rejected input was **not verified**: it is what somebody
/// claims. Only ``verdict`` `valid` says that the policy's checks passed.
public struct Report: Sendable {
    /// What the input is and holds.
    package let inspection: Inspection
    public let verdict: Verdict
    /// Why the validator rejected; nil for every other verdict, and for a CMS message that is no receipt.
    public let rejection: Rejection?
    /// The checks in the order in which they are made; empty where nothing was validated, and in a brief report.
    public let checks: [Check]
    /// Which of them were the same for other documents.
    let repeated: RepeatedOutcomes?
    /// The likeliest cause and what to do about it, in a sentence; nil where ``message`` says it all.
    public let advice: String?
    /// verifyReceipt's status for this, as the documentation has it; nil when nothing was to be verified.
    public let status: VerifyReceiptResponse.Status?
    /// The certificates in the container, in its order. Being listed says nothing about being trusted.
    package let certificates: [ListedCertificate]
    /// On what is signed inside a notification, by the key of the JSON report.
    package internal(set) var inner: [(key: StaticString, report: Report)] = []
    /// SHA-256 of the signed octets; nil where there are none.
    public let payloadSHA256: [UInt8]?

    /// Whether the chain leads up to the built-in root, whose certificates identify nobody.
    package let isUnderBuiltInRoot: Bool

    /// A sentence where ``rejection`` and the decoding error have none.
    private let ownMessage: String
    private let ownReason: String?

    /// How an inspection ends. The raw values are those of the JSON member `verdict`.
    public enum Verdict: String, Hashable, Sendable {
        /// Genuine, and as the policy expects it.
        case valid
        case rejected
        /// It was decoded, and nothing was to be verified.
        case notValidated = "not-validated"
        /// It is no receipt, or not a whole one.
        case undecodable
    }

    /// What the input is: the JSON member `kind`.
    public var kind: Kind { inspection.kind }

    /// A kind of input, such as `app-receipt`. New ones may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let appReceipt = Self(rawValue: "app-receipt")
        /// An iOS 6-style transaction receipt.
        public static let transactionReceipt = Self(rawValue: "transaction-receipt")
        public static let appAttestReceipt = Self(rawValue: "app-attest-receipt")
        /// A JSON Web Signature of no kind that is known.
        public static let jws = Self(rawValue: "jws")
        /// A CMS message that is no receipt.
        public static let otherCMS = Self(rawValue: "other-cms")
        public static let unknown = Self(rawValue: "unknown")
    }

    /// A stable word such as `signature-mismatch`: a ``Rejection/Reason``, the code of a decoding error, or
    /// `not-a-receipt`; nil when the verdict is valid or nothing was verified.
    public var reason: String? { rejection?.reason.rawValue ?? inspection.fault?.error.code.rawValue ?? ownReason }

    /// One sentence for a person. It may quote the input; ``Redactor`` keeps that out of what is rendered.
    public var message: String { rejection?.message ?? inspection.fault?.error.description ?? ownMessage }

    /// ``payloadSHA256`` in hexadecimal digits, as JSON has it: what identifies the signed content in logs and databases.
    public var payloadSHA256Text: String? { payloadSHA256.map { hex($0) } }

    /// What the verdict means to a shell or to a C program: 0 valid or not validated, 1 rejected, 2 undecodable.
    public var exitStatus: Int32 {
        switch verdict {
        case .valid, .notValidated: 0
        case .rejected: 1
        case .undecodable: 2
        }
    }

    package init(
        _ inspection: Inspection, _ verdict: Verdict, rejection: Rejection? = nil, reason: String? = nil,
        message: String = "", checks: [Check] = [], repeated: RepeatedOutcomes? = nil,
        status: VerifyReceiptResponse.Status? = nil, advice: String? = nil, certificates: [ListedCertificate] = [],
        payloadSHA256: [UInt8]? = nil, isUnderBuiltInRoot: Bool = false
    ) {
        self.inspection = inspection
        self.verdict = verdict
        self.rejection = rejection
        self.checks = checks
        self.repeated = repeated
        self.advice = advice
        self.status = status
        self.certificates = certificates
        self.payloadSHA256 = payloadSHA256
        self.isUnderBuiltInRoot = isUnderBuiltInRoot
        ownMessage = message
        ownReason = reason
    }

    /// The advice; where values are to be hidden without what it is about, which may quote the input.
    func advice(_ redact: Redactor) -> String? {
        redact.isOn ? inspection.diagnosis?.advice ?? advice : advice
    }

    /// The report on an input that was not looked at.
    package init(unanswerable error: ReceiptDecodingError, byteCount: Int) {
        self.init(Inspection(unanswerable: error, byteCount: byteCount), .undecodable, status: .malformed)
    }
}

extension Report {
    /// The report as one JSON object, UTF-8, as `receipt-dump --format json` writes it.
    ///
    /// Its shape is that of the published schema `docs/report.schema.json`; keys may be added.
    ///
    /// - Parameters:
    ///   - isPretty: Whether each member is on a line of its own.
    ///   - selection: Which purchases `in_app` shows.
    ///   - redactor: Replaces what identifies a customer, a device, an app or a purchase; nil shows everything.
    public func json(
        isPretty: Bool = false, selection: PurchaseSelection = .all, redactor: Redactor? = nil
    ) -> [UInt8] {
        var json = JSONWriter(pretty: isPretty)
        write(to: &json, redactor ?? .off, selection: selection)
        return json.bytes
    }

    /// What is needed to grant a purchase, as one JSON object: an object of `receipt-dump --lines --brief`, without its
    /// `id`.
    ///
    /// - Parameter date: As of when `counts` is told; without one it is null for what ends.
    public func briefJSON(asOf date: ReceiptDate? = nil, redactor: Redactor? = nil) -> [UInt8] {
        var json = JSONWriter()
        writeBrief(to: &json, redactor ?? .off, asOf: date)
        return json.bytes
    }

    /// A page to read, UTF-8: `receipt-dump --format text`.
    public func text(_ options: TextOptions = TextOptions(), redactor: Redactor? = nil) -> [UInt8] {
        textReport(self, redact: redactor ?? .off, options)
    }

    /// The tree of the input's own bytes, whatever they are: `receipt-dump --format asn1`.
    ///
    /// - Parameter write: Gets the text piece by piece and answers whether to go on.
    /// - Returns: Whether no fault was found.
    public func tree(write: @escaping ([UInt8]) -> Bool) -> Bool { renderStructure(inspection.bytes, write: write) }
}
