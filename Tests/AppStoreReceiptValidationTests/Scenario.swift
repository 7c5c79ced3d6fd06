import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// A receipt to be made, and the policy that is to judge it. As it stands: one that is valid.
struct Scenario: Sendable {
    var receipt = ForgedReceipt()
    var template = ChainTemplate.standard()
    /// The chain, where no template gives it.
    var chain: ForgedPKI?
    var message: @Sendable (inout MessageTemplate, ForgedPKI) throws -> Void = { _, _ in }
    var damage: [Damage] = []
    /// Whom the policy trusts; nil for the root of the chain.
    var anchors: [[UInt8]]?
    var policy: @Sendable (inout ValidationPolicy) -> Void = { _ in }
    var date: ReceiptDate?

    /// A time within the certificates' validity, and that of the forge's receipts.
    static let creation: Int64 = 1_748_779_200

    struct Made {
        let message: ForgedMessage
        let anchors: [[UInt8]]
        let validator: ReceiptValidator
        let date: ReceiptDate?
        var receipt: SignedReceipt {
            get throws { try SignedReceipt(decoding: message.bytes) }
        }

        func verdict() throws -> ReceiptVerdict { try validator.validate(receipt, asOf: date) }

        /// CMS_verify under the same anchors.
        func libcrypto(at time: Int64 = Scenario.creation) -> Oracle.Answer {
            Oracle.verifyCMS(message.bytes, roots: anchors, at: time, options: [])
        }
    }

    func make() throws -> Made {
        let chain = try self.chain ?? ForgedPKI(template)
        var prepared = MessageTemplate(chain: chain)
        try message(&prepared, chain)
        let template = prepared
        let signed = try ForgedMessage.signing(try receipt.payload().encoded, by: chain) { $0 = template }
        let anchors = anchors ?? chain.anchors
        var policy = try ValidationPolicy(trusting: anchors)
        self.policy(&policy)
        return Made(
            message: try signed.damaged(damage), anchors: anchors, validator: try ReceiptValidator(policy: policy),
            date: date)
    }

    /// As Xcode's StoreKit Testing signs.
    mutating func useXcode() {
        receipt = ForgedReceipt(environment: .xcode)
        template = .xcode()
        message = { template, _ in
            template.encoding = .indefinite(pieces: nil)
            template.signers[0].algorithm = .rsa(template.signers[0].digest)
        }
    }

    /// Signed attributes, as RFC 5652 section 11 wants them but for `edit`.
    mutating func useSignedAttributes(
        _ edit: @escaping @Sendable (inout SignerTemplate.SignedAttributes) -> Void = { _ in }
    ) {
        message = { template, _ in
            var attributes = SignerTemplate.SignedAttributes()
            attributes.signingTime = "2025-06-01T12:00:00Z"
            edit(&attributes)
            template.signers[0].signedAttributes = attributes
        }
    }
}

/// Every check of an app receipt, in the order in which they are made and shown.
let checkNames = Check.Name.all.filter {
    ![.inner, .attestedApp, .attestedKey, .attestedReceiptType].contains($0)
}
