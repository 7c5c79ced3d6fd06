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
    private var json = JSONWriter()
    private var certificates = CertificateCache()

    init(_ inspector: ReceiptInspector, _ options: Options, now: ReceiptDate?) {
        self.inspector = inspector
        self.options = options
        self.now = now
        redact = Redactor(isOn: options.redacts)
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
        let judgement = try internalFailure { () throws(LibcryptoError) in
            try options.isBrief ? inspector.decide(inspection) : inspector.examine(inspection)
        }
        let signer = certificates.signer(of: inspection)
        tally.add(inspection, judgement, signer)
        if options.isBrief {
            writeBrief(inspection, judgement, envelope?.id, redact, to: &json)
        } else {
            writeReport(inspection, judgement, id: envelope?.id, redact, &certificates, to: &json)
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
        let inspection = Inspection(tooLong: error, byteCount: count)
        let judgement = Judgement(undecodable: Undecodable(error: error))
        tally.add(inspection, judgement, nil)
        if options.isBrief {
            writeBrief(inspection, judgement, nil, redact, to: &json)
        } else {
            writeReport(inspection, judgement, id: nil, redact, &certificates, to: &json)
        }
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
            json.write(id)
        }
        writeMembers(to: &json)
        json.endObject()
    }
}
