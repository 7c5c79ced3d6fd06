import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptReport
import Synchronization

/// What a pointer to `asr_validator` points to.
final class ValidatorHandle: Sendable {
    private let inspector: ReceiptInspector
    /// The policy's own date.
    private let date: ReceiptDate?
    /// What was shown of certificates before. One thread at a time uses each; the lock is not held meanwhile.
    private let idle = Mutex<[CertificateCache]>([])

    init(_ text: PolicyText) throws(LibcryptoError) {
        date = text.date
        inspector = try ReceiptInspector(policy: text.policy, asOf: text.date)
    }

    /// What to write beside the verdict; the raw values are those of the header.
    enum Format: Int32 {
        case none, whole, brief, pretty
    }

    struct Answer {
        var status: Int32
        var json: [UInt8]?
    }

    func validate(_ input: [UInt8], at date: ReceiptDate?, _ format: Format) throws(LibcryptoError) -> Answer {
        let inspector = date.map { self.inspector.validating(at: $0) } ?? self.inspector
        // As the tool has it, what cannot be decoded is looked into for whole reports only.
        let isShort = (format == .none || format == .brief) && !mayBeJSON(input)
        let inspection = isShort ? inspect(input, name: "-", looksCloser: false) : inspect(input, name: "-")
        switch format {
        case .none:
            return Answer(status: try inspector.briefReport(on: inspection, isVerdictOnly: true).exitStatus)
        case .brief:
            let report = try inspector.briefReport(on: inspection)
            return Answer(status: report.exitStatus, json: report.briefJSON(asOf: date ?? self.date))
        case .whole, .pretty:
            var certificates = idle.withLock { $0.popLast() } ?? CertificateCache()
            defer { putBack(certificates) }
            let report = try inspector.report(on: inspection, &certificates)
            return Answer(status: report.exitStatus, json: report.json(isPretty: format == .pretty))
        }
    }

    private func putBack(_ cache: CertificateCache) {
        idle.withLock { idle in
            // More threads than this at once begin with an empty one.
            if idle.count < 64 { idle.append(cache) }
        }
    }

    func verifyReceipt(
        _ text: [UInt8], now: ReceiptDate, _ behavior: VerifyReceiptResponse.Behavior
    ) throws(LibcryptoError) -> Answer {
        guard let response = try inspector.respond(text, behavior: behavior, requestDate: now) else {
            return Answer(status: Status.internal)
        }
        let isRejected = response.rejection != nil
        let status = response.decodingError != nil ? Status.undecodable : isRejected ? Status.rejected : Status.valid
        return Answer(status: status, json: response.encoded())
    }
}
