import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import Testing
import VectorRecipe

/// Every vector of app receipts, through every door: decoding, both transport modes, validation, examination, OpenSSL.
struct VectorTests {
    @Test(arguments: VectorFiles.receipts)
    func vector(vector: Vector) throws {
        let received = try receive(vector)
        let outcome = outcome(received.bytes, vector)
        switch try vector.expectation {
        case .undecodable(let code, let offset):
            let error = try #require(received.error ?? outcome.error, "it decoded")
            #expect(error.code.rawValue == code && error.offset == offset, "\(error)")
        case .valid:
            let receipt = try #require(outcome.receipt, "\(String(describing: received.error ?? outcome.error))")
            try vector.judge(receipt, nil, under: try vector.policy)
        case .rejected(let reason):
            let receipt = try #require(outcome.receipt, "\(String(describing: received.error ?? outcome.error))")
            try vector.judge(receipt, reason, under: try vector.policy)
        }
        try askOpenSSL(received.bytes ?? vector.input, outcome.receipt, vector)
    }

    // MARK: - Transport

    /// The bytes that an input stands for, or why there are none.
    private func receive(_ vector: Vector) throws -> (bytes: [UInt8]?, error: ReceiptDecodingError?) {
        guard try vector.isText else {
            try checkTransport(ofBytes: vector)
            return (vector.input, nil)
        }
        if let exact = vector[.exact] {
            switch try Vector.Expectation(exact) {
            case .undecodable(let code, let offset):
                let error = Self.refusal(of: vector.input)
                #expect(error?.code.rawValue == code && error?.offset == offset, "exact: \(String(describing: error))")
            default: #expect(throws: Never.self) { try TransportDecoding(vector.input, mode: .exact).container() }
            }
        }
        do throws(ReceiptDecodingError) {
            let decoding = try TransportDecoding(vector.input, mode: .tolerant)
            if let form = vector[.form] { #expect(decoding.form.rawValue == form) }
            if let repairs = vector[.repairs] {
                #expect(decoding.repairs.map(\.code.rawValue).joined(separator: " ") == repairs)
            }
            return (try decoding.container(), nil)
        } catch {
            return (nil, error)
        }
    }

    /// A receipt's bytes, in base64 and as they are, must come through transport unchanged, or be refused as a whole.
    private func checkTransport(ofBytes vector: Vector) throws {
        let base64 = Array(vector.base64.utf8)
        let doors: [([UInt8], TransportMode)] = [(base64, .exact), (base64, .tolerant), (vector.input, .tolerant)]
        for (text, mode) in doors {
            do throws(ReceiptDecodingError) {
                let decoding = try TransportDecoding(text, mode: mode)
                let isCut = decoding.repairs.contains { $0.code == .trailingBytes }
                #expect(decoding.bytes == vector.input || isCut && mode == .tolerant)
            } catch {
                guard case .undecodable = try vector.expectation else {
                    Issue.record("transport (\(mode)): \(error)")
                    continue
                }
            }
        }
    }

    // MARK: - Decoding and validation

    private func outcome(
        _ bytes: [UInt8]?, _ vector: Vector
    ) -> (receipt: SignedReceipt?, error: ReceiptDecodingError?) {
        guard let bytes else { return (nil, nil) }
        do {
            return (try SignedReceipt(decoding: bytes, limits: try vector.limits), nil)
        } catch {
            return (nil, error as? ReceiptDecodingError)
        }
    }

    // MARK: - OpenSSL

    /// We are never more lenient than `CMS_verify`.
    private func askOpenSSL(_ bytes: [UInt8], _ receipt: SignedReceipt?, _ vector: Vector) throws {
        let time = try vector.validationTime ?? receipt?.unverifiedReceipt.receiptCreationDate
        let at = (time?.millisecondsSince1970 ?? 1_748_779_200_000) / 1_000
        let answer = Oracle.verifyCMS(bytes, roots: try vector.anchors, at: at)
        switch vector[.openssl] {
        case "ok": #expect(answer.isOK, "OpenSSL: \(answer.failure ?? "")")
        case "fail": #expect(!answer.isOK, "OpenSSL verifies it")
        case "varies": #expect(try vector.expectation != .valid)
        default: throw VectorError("openssl must be ok, fail or varies")
        }
        guard case .valid = try vector.expectation else { return }
        #expect(vector[.openssl] == "ok", "we accept what OpenSSL refuses")
        #expect(answer.payload == receipt.map { Array($0.payload) })
    }

    /// What exact transport decoding says against an input.
    private static func refusal(of input: [UInt8]) -> ReceiptDecodingError? {
        do throws(ReceiptDecodingError) {
            _ = try TransportDecoding(input, mode: .exact)
            return nil
        } catch {
            return error
        }
    }
}
