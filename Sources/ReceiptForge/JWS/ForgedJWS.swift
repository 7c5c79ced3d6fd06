/// A compact JWS (RFC 7515 section 7.1) under a throw-away PKI: what is in it, before it is written.
///
/// ```swift
/// let jws = try ForgedJWS(.transaction())                        // as Apple's
/// let text = try jws.text()
/// let bad = try jws.text(.derSignature)                           // with one defect
/// ```
public struct ForgedJWS: Hashable, Sendable {
    /// The members of the header, in order.
    public var header: ForgedPayload
    /// The payload's octets.
    public var payload: [UInt8]
    public var key: ForgedKey
    /// The chain that signs.
    public let chain: ForgedPKI

    /// The trust anchors that a policy needs to accept it, as DER.
    public var anchors: [[UInt8]] { chain.anchors }

    /// - Parameters:
    ///   - payload: What is signed.
    ///   - chain: nil for a chain like that of Apple's JWS.
    public init(_ payload: ForgedPayload, by chain: ForgedPKI? = nil) throws(ForgeError) {
        try self.init(bytes: payload.bytes, by: chain)
    }

    /// The same for a payload of any bytes.
    public init(bytes payload: [UInt8], by chain: ForgedPKI? = nil) throws(ForgeError) {
        let chain = try chain.orMake { () throws(ForgeError) in try ForgedPKI(.jws()) }
        self.chain = chain
        self.payload = payload
        key = chain.leaf.key
        header = ForgedPayload([
            .init("alg", ForgedPayload.text("ES256")), .init("x5c", Self.certificates(chain.certificates)),
        ])
    }

    /// Certificates as the value of `x5c`.
    public static func certificates(_ certificates: [[UInt8]]) -> String {
        "[" + certificates.map { ForgedPayload.text(Base64.encode($0)) }.joined(separator: ",") + "]"
    }

    /// The compact form, with some defects done in order.
    public func text(_ damage: JWSDamage...) throws(ForgeError) -> String { try text(damage) }

    public func text(_ damage: [JWSDamage]) throws(ForgeError) -> String {
        var jws = self
        for one in damage { one.change(&jws) }
        let input = Self.base64URL(jws.header.bytes) + "." + Self.base64URL(jws.payload)
        var signature = try Self.concatenated(jws.key.sign(Array(input.utf8), .ecdsa(.sha256)))
        for one in damage { one.change(&signature) }
        var text = input + "." + Self.base64URL(signature)
        for one in damage { one.change(&text) }
        return text
    }

    /// Base64url without padding (RFC 7515 section 2).
    public static func base64URL(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `r` and `s` of an ECDSA-Sig-Value, 32 octets each (RFC 7518 section 3.4).
    private static func concatenated(_ der: [UInt8]) throws(ForgeError) -> [UInt8] {
        try BERNode(parsing: der).children.flatMap { integer in
            let magnitude = integer.encodedContent.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: max(0, 32 - magnitude.count)) + magnitude
        }
    }
}
