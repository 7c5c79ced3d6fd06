import AppStoreReceipt
import AppStoreReceiptValidation

/// Turns lines into answers. Each worker has its own; they share the validator.
struct LineWorker {
    private let judge: Judge
    private let options: Options
    private let redact: Redactor
    private let now: ReceiptDate?
    private var json = JSONWriter()
    private var certificates = CertificateCache()

    init(_ judge: Judge, _ options: Options, now: ReceiptDate?) {
        self.judge = judge
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
            let response = try judge.respond(envelope?.text ?? line, options, now: now)
            tally.add(response)
            response.write(to: &json, id: envelope?.id)
            return
        }
        let inspection = inspect(line, envelope, name: "", looksCloser: !options.isBrief)
        let judgement = try options.isBrief ? judge.decide(inspection) : judge.examine(inspection)
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
        let inspection = Inspection(
            name: "", inputByteCount: count, bytes: [], finding: .undecodable(Undecodable(error: error)))
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

/// Writes one object of `--lines --brief`.
private func writeBrief(
    _ inspection: Inspection, _ judgement: Judgement, _ id: Envelope.Identifier?, _ redact: Redactor,
    to json: inout JSONWriter
) {
    json.beginObject()
    json.key("id")
    json.write(id)
    json.member("verdict", judgement.verdict.rawValue)
    json.member("reason", judgement.reason)
    json.member("status", judgement.status)
    switch inspection.finding {
    case .receipt(let signed):
        let receipt = signed.unverifiedReceipt
        json.member("environment", receipt.environment?.rawValue)
        json.member("bundle_id", redact(receipt.bundleID))
        json.date("receipt_creation_date", receipt.receiptCreationDate)
        json.member("payload_sha256", redact(hex(digest(signed.payload))))
        json.key("in_app")
        json.beginArray()
        for purchase in receipt.inApp {
            writeIdentifiers(
                purchase.productID, purchase.transactionID, purchase.originalTransactionID, redact, to: &json)
        }
        json.endArray()
    case .transactionReceipt(let signed):
        let receipt = signed.unverifiedReceipt
        json.member("environment", signed.unsignedEnvironment?.rawValue)
        json.member("bundle_id", redact(receipt.bid))
        json.date("receipt_creation_date", receipt.purchaseDate)
        json.member("payload_sha256", redact(hex(digest(signed.payload))))
        json.key("in_app")
        json.beginArray()
        writeIdentifiers(receipt.productID, receipt.transactionID, receipt.originalTransactionID, redact, to: &json)
        json.endArray()
    case .otherCMS, .undecodable:
        json.member("environment", nil as String?)
        json.member("bundle_id", nil as String?)
        json.member("receipt_creation_date", nil as String?)
        json.member("payload_sha256", nil as String?)
        json.key("in_app")
        json.beginArray()
        json.endArray()
    }
    json.endObject()
}

private func writeIdentifiers(
    _ product: String?, _ transaction: String?, _ original: String?, _ redact: Redactor, to json: inout JSONWriter
) {
    json.beginObject()
    json.member("product_id", redact(product))
    json.member("transaction_id", redact(transaction))
    json.member("original_transaction_id", redact(original))
    json.endObject()
}

extension JSONWriter {
    /// A line's identifier as it came, or null.
    mutating func write(_ id: Envelope.Identifier?) {
        switch id {
        case .string(let text)?: string(text)
        case .literal(let literal)?: verbatim(literal)
        case nil: null()
        }
    }
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
