import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import TestSupport
import Testing

/// A valid receipt with a validator that finds it valid: what the hostile inputs of these tests are made from.
struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let validator: ReceiptValidator

    init(_ description: String, _ bytes: [UInt8], under anchors: [[UInt8]]) throws {
        testDescription = description
        self.bytes = bytes
        validator = try ReceiptValidator(policy: ValidationPolicy(trusting: anchors))
    }

    init(_ description: String, _ message: ForgedMessage) throws {
        try self.init(description, message.bytes, under: message.anchors)
    }

    enum Outcome: Hashable {
        case undecodable(ReceiptDecodingError.Code)
        case rejected(Rejection.Reason)
        case valid(payload: [UInt8])
    }

    func outcome(_ bytes: [UInt8]) throws -> Outcome {
        let receipt: SignedReceipt
        do { receipt = try SignedReceipt(decoding: bytes) } catch { return .undecodable(error.code) }
        switch try validator.validate(receipt) {
        case .valid: return .valid(payload: Array(receipt.payload))
        case .rejected(let rejection): return .rejected(rejection.reason)
        }
    }

    /// The payload of the undamaged receipt.
    var payload: [UInt8] {
        get throws {
            guard case .valid(let payload) = try outcome(bytes) else {
                throw ForgeError("\(testDescription) is not valid")
            }
            return payload
        }
    }
}

extension Subject {
    /// Five forged receipts that differ in how they are written and signed.
    static func forged() throws -> [Subject] {
        var bought = ForgedReceipt(environment: .sandbox)
        bought.purchases = [.consumable("com.example.coins")]
        var small = ForgedReceipt()
        small.unknownBlobs = []
        return [
            try Subject("SHA-256, one purchase", try bought.signed()),
            try Subject("SHA-1", try small.signed(by: ForgedPKI(.sha1()))),
            try Subject("Xcode, BER", try ForgedReceipt(environment: .xcode).signed()),
            try Subject("signed attributes", try small.signed { $0.signers[0].signedAttributes = .init() }),
            try Subject("content in pieces", try small.signed { $0.encoding = .indefinite(pieces: 100) }),
        ]
    }

    /// The genuine receipt of Fixtures and, where there is a corpus, two more of it.
    static func genuine() throws -> [Subject] {
        let names = [
            "mas-net.shinyfrog.bear-20190926-n1-81d78756.der", "sandbox-com.belive.app.ios-20181113-n1-453ddb9c.der",
        ]
        let paths =
            [Corpus.fixtures + "/genuine/sandbox-2016.der"] + names.flatMap { Corpus.paths("receipts", suffix: $0) }
        return try paths.map { path in
            let name = path.split(separator: "/").last.map { String($0) } ?? path
            return try Subject(name, try Corpus.bytes(path), under: [TrustAnchor.appleRootCA.certificate])
        }
    }

    static let all: [Subject] = {
        do {
            return try forged() + genuine()
        } catch {
            // A test that has arguments must not be left without any.
            preconditionFailure("no subjects: \(error)")
        }
    }()
}
