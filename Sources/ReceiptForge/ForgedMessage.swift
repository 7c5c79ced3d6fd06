/// A forged receipt: bytes for the code under test, and what is needed to judge its answer.
public struct ForgedMessage: Hashable, Sendable {
    /// The receipt, as an app reads it from its bundle.
    public var bytes: [UInt8]
    /// The payload that was signed.
    public let payload: [UInt8]
    /// The chain that signed it.
    public let chain: ForgedPKI
    /// How it was signed.
    public let template: MessageTemplate

    /// The trust anchors a validation policy needs to accept the receipt, as DER.
    public var anchors: [[UInt8]] { chain.anchors }

    /// Canonical base64, as an app sends it to its server.
    public var base64: String { Base64.encode(bytes) }

    /// The receipt as text, with everything that was done to it on its way, one after the other.
    public func text(_ forms: TextForm...) -> String { text(forms) }

    public func text(_ forms: [TextForm]) -> String {
        forms.reduce(base64) { text, form in form.applied(toBase64: text, of: bytes) }
    }

    /// The receipt after some damage, done one after the other.
    public func damaged(_ damage: Damage...) throws(ForgeError) -> ForgedMessage { try damaged(damage) }

    public func damaged(_ damage: [Damage]) throws(ForgeError) -> ForgedMessage {
        var message = self
        for one in damage { message.bytes = try one.apply(to: message) }
        return message
    }

    /// Signs bytes of any kind as a payload.
    public static func signing(
        _ payload: [UInt8], by chain: ForgedPKI, editing edit: (inout MessageTemplate) -> Void = { _ in }
    ) throws(ForgeError) -> ForgedMessage {
        var template = MessageTemplate(chain: chain)
        edit(&template)
        let message = try template.sign(payload)
        return ForgedMessage(bytes: message.encoded, payload: payload, chain: chain, template: template)
    }
}

extension ForgedReceipt {
    /// Signs the receipt.
    ///
    /// - Parameters:
    ///   - chain: who signs; nil for the standard chain, or for Xcode's when the receipt is in its style.
    ///   - edit: changes to how it is signed.
    public func signed(
        by chain: ForgedPKI? = nil, editing edit: (inout MessageTemplate) -> Void = { _ in }
    ) throws(ForgeError) -> ForgedMessage {
        let isXcode = style == .xcode
        let chain = try chain.orMake { () throws(ForgeError) in
            try ForgedPKI(isXcode ? .xcode() : .standard())
        }
        return try ForgedMessage.signing(try payload().encoded, by: chain) { template in
            if isXcode {
                template.encoding = .indefinite(pieces: nil)
                template.signers[0].algorithm = .rsa(template.signers[0].digest)
            }
            edit(&template)
        }
    }
}
