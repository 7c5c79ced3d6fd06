/// An iOS 6-style transaction receipt as Apple would have written it, signed by a throw-away key.
///
/// ```swift
/// var receipt = ForgedTransactionReceipt(version: 3, purchaseInfo: .subscription)
/// receipt.purchaseInfo["bid"] = "com.example.other"
/// var forged = try receipt.signed(by: ForgedPKI(.sha1()))
/// handler.receive(forged.base64)                // your code
/// forged.signature[0] ^= 1                      // anything can still be changed after signing
/// ```
public struct ForgedTransactionReceipt: Hashable, Sendable {
    /// Of the signature blob: 2 (under `ChainTemplate.purchaseReceipts`), 3 or 4.
    public var version: UInt8
    public var purchaseInfo: ForgedPropertyList
    /// What stands behind `signature` and `purchase-info`, outside the signature.
    public var envelope: ForgedPropertyList
    /// The digest that is signed; nil for SHA-256 in version 4, and SHA-1 before.
    public var digest: DigestAlgorithm?
    /// A flaw in the padding of the signature.
    public var flaw = SignatureAlgorithm.PaddingFlaw.none
    /// What is signed before the purchase-info; nil for the version byte.
    public var signedPrefix: [UInt8]?

    public init(
        version: UInt8 = 3, purchaseInfo: ForgedPropertyList = .consumable,
        envelope: ForgedPropertyList = ["environment": "Sandbox", "pod": "100", "signing-status": "0"]
    ) {
        self.version = version
        self.purchaseInfo = purchaseInfo
        self.envelope = envelope
    }

    /// Signs the receipt with a chain's leaf.
    public func signed(by pki: ForgedPKI) throws(ForgeError) -> Signed {
        let content = Array(purchaseInfo.text.utf8)
        let digest = digest ?? (version == 4 ? .sha256 : .sha1)
        let signature = try pki.leaf.key.sign((signedPrefix ?? [version]) + content, .pkcs1(digest, flaw: flaw))
        return Signed(
            version: version, signature: signature, certificate: pki.leaf.der, purchaseInfo: content, envelope: envelope
        )
    }

    /// A signed receipt in its parts, each of which can still be changed.
    public struct Signed: Hashable, Sendable {
        public var version: UInt8
        public var signature: [UInt8]
        /// The certificate's length as it is written; nil for the true one.
        public var certificateLength: UInt32?
        public var certificate: [UInt8]
        /// What follows the certificate: nothing, in a good receipt.
        public var trailer: [UInt8] = []
        /// Another `signature` in place of all the above.
        public var blobOverride: [UInt8]?
        public var purchaseInfo: [UInt8]
        public var envelope: ForgedPropertyList

        init(
            version: UInt8, signature: [UInt8], certificate: [UInt8], purchaseInfo: [UInt8],
            envelope: ForgedPropertyList
        ) {
            self.version = version
            self.signature = signature
            self.certificate = certificate
            self.purchaseInfo = purchaseInfo
            self.envelope = envelope
        }

        /// What `signature` holds.
        public var blob: [UInt8] {
            if let blobOverride { return blobOverride }
            let length = certificateLength ?? UInt32(truncatingIfNeeded: certificate.count)
            let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
            return [version] + signature + octets + certificate + trailer
        }

        /// The receipt as a property list.
        public var list: ForgedPropertyList {
            let parts: ForgedPropertyList = [
                "signature": Base64.encode(blob), "purchase-info": Base64.encode(purchaseInfo),
            ]
            return ForgedPropertyList(entries: parts.entries + envelope.entries)
        }

        /// The receipt, as an app found it in `transactionReceipt`: the text of the property list.
        public var bytes: [UInt8] { Array(list.text.utf8) }

        /// Canonical base64, as apps sent it to their servers.
        public var base64: String { Base64.encode(bytes) }

        /// The base64 with everything that was done to it on its way, one after the other.
        public func text(_ forms: TextForm...) -> String { text(forms) }

        public func text(_ forms: [TextForm]) -> String {
            forms.reduce(base64) { text, form in form.applied(toBase64: text, of: bytes) }
        }
    }
}

extension ChainTemplate {
    /// Marker of the leaf that signed the purchases of 2009 to 2016. Observed.
    public static let purchaseReceiptMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 5, 1]
    /// Marker of the intermediate Apple iTunes Store Certification Authority. Observed.
    public static let iTunesStoreMarker: [UInt] = [1, 2, 840, 113635, 100, 6, 2, 2]

    /// The chain of version 2, re-enacted: a leaf with a key of 1,024 bits under an intermediate of its own, both of them
    /// with markers of their own, all signed with SHA-1. Valid from 2009-05-19 to 2016-05-18.
    public static func purchaseReceipts(
        seed: Int = 0, organization: String = ChainTemplate.organization
    ) -> ChainTemplate {
        var chain = ChainTemplate.generation(.wwdr2008, seed: seed, organization: organization)
        let intermediateName = DistinguishedName(
            .country("US"), .organization(organization), .organizationalUnit("Apple Certification Authority"),
            .commonName("Apple iTunes Store Certification Authority"))
        chain.intermediate?.subject = intermediateName
        chain.intermediate?.serial = .integer(0x1A)
        chain.intermediate?.notBefore = "2009-05-19T18:31:30Z"
        chain.intermediate?.notAfter = "2016-05-18T18:31:30Z"
        chain.intermediate?.markers = [iTunesStoreMarker]
        chain.leaf?.subject = DistinguishedName(
            .commonName("PurchaseReceiptCertificate"), .organizationalUnit("Apple iTunes Store"),
            .organization(organization), .country("US"))
        chain.leaf?.serial = .integer(0x1BA9)
        chain.leaf?.notBefore = "2009-06-15T22:05:56Z"
        chain.leaf?.notAfter = "2016-05-18T18:31:30Z"
        chain.leaf?.markers = [purchaseReceiptMarker]
        chain.leaf?.key = TestKeys.rsa1024
        return chain
    }
}
