import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import ReceiptPKIX

/// Signed JSON: from the text to the verdict, and the operations of libcrypto that no verifier can do without.
extension Operation {
    /// - Note: A notification's floor is that of three signatures: its own, and those of what is inside.
    static func signedJSON() throws -> [Operation] {
        let transaction = try ForgedJWS(.transaction())
        let renewal = try ForgedJWS(.renewalInfo())
        let notification = try ForgedJWS(
            .notification(data: [
                .init("signedTransactionInfo", ForgedPayload.text(try transaction.text())),
                .init("signedRenewalInfo", ForgedPayload.text(try renewal.text())),
            ]))
        let policy = try ValidationPolicy(trusting: transaction.anchors)
        let validator = try ReceiptValidator(policy: policy)
        let texts = try [transaction, renewal, notification].map { Array(try $0.text().utf8) }
        let single = try SignedTransaction(decoding: texts[0])
        let whole = try SignedNotification(decoding: texts[2])
        try demand(validator.validate(single).rejection)
        try demand(validator.validate(whole).rejection)
        let floors = try texts.map { try SignatureFloor($0, transaction.chain.leaf.der) }
        let first = floors[0]
        return [
            Operation(name: "decode", input: "transaction", bytes: texts[0].count) {
                keep(try SignedTransaction(decoding: texts[0]))
            },
            Operation(name: "text-to-verdict-warm", input: "transaction", bytes: nil) {
                keep(try validator.validate(SignedTransaction(decoding: texts[0])))
            },
            Operation(name: "floor", input: "transaction", bytes: nil, isBaseline: true) { try first.run() },
            Operation(name: "decode", input: "notification", bytes: texts[2].count) {
                keep(try SignedNotification(decoding: texts[2]))
            },
            Operation(name: "text-to-verdict-warm", input: "notification", bytes: nil) {
                keep(try validator.validate(SignedNotification(decoding: texts[2])))
            },
            Operation(name: "floor", input: "notification", bytes: nil, isBaseline: true) {
                for floor in floors { try floor.run() }
            },
        ]
    }

    private static func demand(_ rejection: Rejection?) throws {
        guard let rejection else { return }
        throw BenchError("the forged document is not valid: \(rejection.reason): \(rejection.message)")
    }
}

/// SHA-256 over what is signed, and one verification with a key that is ready.
private struct SignatureFloor: Sendable {
    private let libcrypto: Libcrypto
    private let signed: [UInt8]
    private let signature: ECDSASignature
    private let key: ECPublicKey

    init(_ text: [UInt8], _ leaf: [UInt8]) throws {
        let jws = try SignedJSON(text.span)
        libcrypto = try Libcrypto.shared()
        signed = jws.signingInput
        signature = try ECDSASignature(concatenated: jws.signature.span, .p256)
        guard case .elliptic(let key)? = try DecodedCertificate(leaf, limits: .default).publicKey(libcrypto) else {
            throw BenchError("the forged leaf has no key on an elliptic curve")
        }
        self.key = key
    }

    func run() throws {
        guard try key.isSignature(signature, of: libcrypto.digest(.sha256, signed.span)) else {
            throw BenchError("libcrypto does not verify the signature, so there is nothing to compare with")
        }
    }
}
