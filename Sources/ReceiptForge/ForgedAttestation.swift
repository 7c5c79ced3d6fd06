/// An App Attest receipt under a throw-away chain: attributes with bare values, signed like a receipt, with ECDSA.
///
/// The forms are those of genuine ones (observed, undocumented); the attested certificate is a stand-in for one of Apple
/// App Attestation CA 1.
public struct ForgedAttestation: Hashable, Sendable {
    /// `TEAMID.bundle.identifier` (type 2).
    public var appID = "ABCDE12345.com.example.app"
    /// The certificate of the attested key (type 3).
    public var attestedCertificate: [UInt8]
    /// `ATTEST` or `RECEIPT` (type 6).
    public var receiptType = "ATTEST"
    /// `production` or `sandbox` (type 7).
    public var environment = "production"
    /// RFC 3339 (type 12).
    public var creationTime: String? = "2025-06-01T12:00:00Z"
    /// RFC 3339 (type 21).
    public var expirationTime: String? = "2025-08-30T12:00:00Z"
    /// Attributes of any other type, or more than one of a type: number and octets.
    public var others: [Int: [[UInt8]]] = [4: [[UInt8](repeating: 7, count: 32)], 5: [Array("token".utf8)]]

    public init(attesting certificate: [UInt8]) { attestedCertificate = certificate }

    /// The payload: a SET of attributes whose OCTET STRINGs hold the values themselves.
    public var payload: BERNode {
        var values: [(Int, [UInt8])] = [
            (2, Array(appID.utf8)), (3, attestedCertificate), (6, Array(receiptType.utf8)),
            (7, Array(environment.utf8)),
        ]
        if let creationTime { values.append((12, Array(creationTime.utf8))) }
        if let expirationTime { values.append((21, Array(expirationTime.utf8))) }
        for (type, octets) in others.sorted(by: { $0.key < $1.key }) { values += octets.map { (type, $0) } }
        return .set(values.map { ForgedAttribute($0.0, .octets($0.1)).node })
    }

    /// Signs it.
    ///
    /// - Parameters:
    ///   - chain: who signs, as of ``ChainTemplate/appAttest()``.
    ///   - edit: changes to how it is signed.
    public func signed(
        by chain: ForgedPKI, editing edit: (inout MessageTemplate) -> Void = { _ in }
    ) throws(ForgeError) -> ForgedMessage {
        try ForgedMessage.signing(payload.encoded, by: chain) { template in
            template.signers[0].algorithm = .ecdsa(.sha256)
            edit(&template)
        }
    }
}
