import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptReport

/// Turns lines into answers. Each worker has its own; they share the validator.
struct LineWorker: ~Copyable {
    private let inspector: ReceiptInspector
    private let options: Options
    private let redact: Redactor
    private let now: ReceiptDate?
    /// As of when purchases count.
    private let date: ReceiptDate?
    private var json = JSONWriter()
    private var certificates = CertificateCache()
    private var repeated = RepeatedJSON()

    init(_ inspector: ReceiptInspector, _ options: Options, now: ReceiptDate?) {
        self.inspector = inspector
        self.options = options
        self.now = now
        date = if case .date(let date) = options.validationTime { date } else { nil }
        redact = options.redactor
    }

    /// The answers to a batch, one line each, and what the summary counts.
    mutating func answer(_ batch: LineBatch, in buffer: consuming [UInt8]) throws(Stop) -> LineAnswers {
        var tally = LineTally()
        for line in batch.lines {
            switch line {
            case .text(let range): try answer(Array(batch.bytes[range]), &tally)
            case .tooLong(let count): tooLong(count, &tally)
            }
            json.endLine()
        }
        var output = buffer
        json.move(to: &output)
        return LineAnswers(output: output, tally: tally, inputByteCount: batch.inputByteCount)
    }

    private mutating func answer(_ line: [UInt8], _ tally: inout LineTally) throws(Stop) {
        let document = mayBeJSON(line) ? ReceiptInJSON.document(line.span) : nil
        let found = ReceiptInJSON.find(in: line.span, document)
        var inspector = inspector
        var date = date
        if let document {
            do throws(LineExpectations.Malformed) {
                if let wanted = try LineExpectations(document, line.span) {
                    // A line may ask for more than the command line does, but not for another time.
                    if wanted.date != nil, options.validationTime != .receiptCreation {
                        throw LineExpectations.Malformed(member: "at")
                    }
                    inspector = inspector.expecting(wanted)
                    date = wanted.date ?? date
                    if options.validates == false { throw LineExpectations.Malformed(member: "receipt-data") }
                }
            } catch {
                return unanswerable(
                    ReceiptDecodingError(
                        .invalidLine, at: 0, in: "member \"\(error.member)\"",
                        detail: "what the line asks for is not understood, or has no place beside the command line"),
                    line.count, found?.id, &tally)
            }
        }
        if options.format == .verifyReceipt {
            let response = try inspector.respond(found?.text ?? line, isMember: found != nil, options, now: now)
            tally.add(response)
            response.write(to: &json, id: found?.id)
            return
        }
        let inspection = inspect(line, name: "", looksCloser: !options.isBrief)
        let judge = inspector
        let report = try internalFailure { () throws(LibcryptoError) in
            let report =
                try options.isBrief ? judge.briefReport(on: inspection) : judge.report(on: inspection, &certificates)
            tally.add(report, try certificates.signer(of: inspection))
            return report
        }
        write(report, found?.id, asOf: date)
    }

    private mutating func write(_ report: Report, _ id: ReceiptInJSON.Identifier?, asOf date: ReceiptDate?) {
        if options.isBrief {
            report.writeBrief(to: &json, redact, asOf: date, id: id)
        } else {
            report.write(to: &json, redact, &repeated, id: id)
        }
    }

    private mutating func tooLong(_ count: Int, _ tally: inout LineTally) {
        let error = ReceiptDecodingError(
            .inputTooLong, at: LineReader.lineLimit, in: "line",
            detail: "\(count) bytes, and at most \(LineReader.lineLimit) are accepted")
        unanswerable(error, count, nil, &tally)
    }

    /// The answer to a line that is not looked at.
    private mutating func unanswerable(
        _ error: ReceiptDecodingError, _ byteCount: Int, _ id: ReceiptInJSON.Identifier?, _ tally: inout LineTally
    ) {
        if options.format == .verifyReceipt {
            let response = VerifyReceiptResponse(malformed: error)
            tally.add(response)
            response.write(to: &json, id: id)
            return
        }
        let report = Report(unanswerable: error, byteCount: byteCount)
        tally.add(report, nil)
        write(report, id, asOf: date)
    }
}

extension ReceiptDecodingError.Code {
    /// A line of `--lines` asks for something that cannot be asked for.
    static let invalidLine = Self(rawValue: "invalid-line")
}

/// What comes of a batch.
struct LineAnswers: Sendable {
    var output: [UInt8]
    var tally: LineTally
    var inputByteCount: Int
}

extension VerifyReceiptResponse {
    /// The answer, behind the line's identifier where it has one.
    fileprivate func write(to json: inout JSONWriter, id: ReceiptInJSON.Identifier?) {
        json.beginObject()
        if let id {
            json.key("id")
            json.write(id, .off)
        }
        writeMembers(to: &json)
        json.endObject()
    }
}
