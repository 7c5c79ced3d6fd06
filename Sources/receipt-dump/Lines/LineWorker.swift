import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptReport

/// Turns lines into answers. Each worker has its own; they share the validator.
struct LineWorker {
    private let inspector: ReceiptInspector
    private let options: Options
    private let redact: Redactor
    private let now: ReceiptDate?
    /// As of when purchases count.
    private let date: ReceiptDate?
    private var json = JSONWriter()
    private var certificates = CertificateCache()

    init(_ inspector: ReceiptInspector, _ options: Options, now: ReceiptDate?) {
        self.inspector = inspector
        self.options = options
        self.now = now
        date = if case .date(let date) = options.validationTime { date } else { nil }
        redact = options.redactor
    }

    /// The answers to a batch, one line each, and what the summary counts.
    mutating func answer(_ batch: LineBatch) throws(Stop) -> LineAnswers {
        var tally = LineTally()
        json.removeAll()
        for line in batch.lines {
            switch line {
            case .text(let range): try answer(Array(batch.bytes[range]), &tally)
            case .tooLong(let count): tooLong(count, &tally)
            }
            json.endLine()
        }
        return LineAnswers(output: json.bytes, tally: tally, inputByteCount: batch.inputByteCount)
    }

    private mutating func answer(_ line: [UInt8], _ tally: inout LineTally) throws(Stop) {
        let envelope = mayBeJSON(line) ? Envelope.find(in: line.span) : nil
        if options.format == .verifyReceipt {
            let response = try inspector.respond(envelope?.text ?? line, options, now: now)
            tally.add(response)
            response.write(to: &json, id: envelope?.id)
            return
        }
        let inspection = inspect(line, envelope, name: "", looksCloser: !options.isBrief)
        let report = try internalFailure { () throws(LibcryptoError) in
            let report =
                try options.isBrief
                ? inspector.briefReport(on: inspection) : inspector.report(on: inspection, &certificates)
            tally.add(report, try certificates.signer(of: inspection))
            return report
        }
        write(report, envelope?.id)
    }

    private mutating func write(_ report: Report, _ id: Envelope.Identifier?) {
        if options.isBrief {
            report.writeBrief(to: &json, redact, asOf: date, id: id)
        } else {
            report.write(to: &json, redact, id: id)
        }
    }

    private mutating func tooLong(_ count: Int, _ tally: inout LineTally) {
        let error = ReceiptDecodingError(
            .inputTooLong, at: LineReader.lineLimit, in: "line",
            detail: "\(count) bytes, and at most \(LineReader.lineLimit) are accepted")
        if options.format == .verifyReceipt {
            let response = VerifyReceiptResponse(malformed: error)
            tally.add(response)
            response.write(to: &json, id: nil)
            return
        }
        let report = Report(tooLong: error, byteCount: count)
        tally.add(report, nil)
        write(report, nil)
    }
}

/// What comes of a batch.
struct LineAnswers: Sendable {
    var output: [UInt8]
    var tally: LineTally
    var inputByteCount: Int
}

extension VerifyReceiptResponse {
    /// The answer, behind the line's identifier where it has one.
    fileprivate func write(to json: inout JSONWriter, id: Envelope.Identifier?) {
        json.beginObject()
        if let id {
            json.key("id")
            json.write(id, .off)
        }
        writeMembers(to: &json)
        json.endObject()
    }
}
