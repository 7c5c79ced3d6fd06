/// How something is signed, and what its AlgorithmIdentifier says about it. The two may disagree.
public struct SignatureAlgorithm: Hashable, Sendable {
    /// The AlgorithmIdentifier that is written.
    public var identifier: BERNode
    /// What is done.
    public var scheme: Scheme

    public init(identifier: BERNode, scheme: Scheme) {
        self.identifier = identifier
        self.scheme = scheme
    }

    public enum Scheme: Hashable, Sendable {
        /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2), well padded or with one flaw.
        case pkcs1(DigestAlgorithm, flaw: PaddingFlaw = .none)
        /// RSASSA-PSS (RFC 8017 section 8.1) with an empty salt, so that the same bytes give the same signature.
        case pss(DigestAlgorithm)
        /// ECDSA with a nonce derived from key and digest, so that the same bytes give the same signature.
        case ecdsa(DigestAlgorithm)
        /// These bytes.
        case verbatim([UInt8])
    }

    /// What is wrong in an encoded message `00 01 FF … FF 00 DigestInfo`. A verifier must refuse each.
    public enum PaddingFlaw: String, Hashable, Sendable, CaseIterable {
        case none
        /// DigestInfo's algorithm has no parameters in the place of NULL.
        case parametersAbsent
        /// The digest alone, without DigestInfo.
        case bareDigest
        /// Eight octets of `FF`, and the rest of the block after the DigestInfo (Bleichenbacher 2006).
        case trailingGarbage
        /// Block type 2, as for encryption.
        case blockTypeTwo
        /// One padding octet is not `FF`.
        case paddingOctet
        /// The OCTET STRING's length in the long form.
        case longFormLength
        /// DigestInfo names SHA-512 (or SHA-256 when the digest is SHA-512), with the true digest.
        case wrongDigestName
    }

    /// `sha1WithRSAEncryption` and its kin.
    public static func rsa(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        let last: UInt =
            switch digest {
            case .md5: 4
            case .sha1: 5
            case .sha256: 11
            case .sha384: 12
            case .sha512: 13
            }
        return SignatureAlgorithm(
            identifier: .sequence([.oid([1, 2, 840, 113549, 1, 1, last]), .null]), scheme: .pkcs1(digest))
    }

    public static var sha1WithRSA: SignatureAlgorithm { rsa(.sha1) }
    public static var sha256WithRSA: SignatureAlgorithm { rsa(.sha256) }

    /// `rsaEncryption`, as App Store receipts name the SignerInfo's signature; the digest stands beside it.
    public static func rsaEncryption(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        SignatureAlgorithm(
            identifier: .sequence([.oid([1, 2, 840, 113549, 1, 1, 1]), .null]), scheme: .pkcs1(digest))
    }

    /// `id-RSASSA-PSS` with the parameters of RFC 4055 section 3.1.
    public static func rsaPSS(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        let mask = BERNode.sequence([.oid([1, 2, 840, 113549, 1, 1, 8]), digest.identifier])
        let parameters = BERNode.sequence([
            .explicit(0, digest.identifier), .explicit(1, mask), .explicit(2, .integer(0)),
        ])
        return SignatureAlgorithm(
            identifier: .sequence([.oid([1, 2, 840, 113549, 1, 1, 10]), parameters]), scheme: .pss(digest))
    }

    /// `ecdsa-with-SHA256` and its kin.
    public static func ecdsa(_ digest: DigestAlgorithm) -> SignatureAlgorithm {
        let arcs: [UInt] =
            switch digest {
            case .md5, .sha1: [1, 2, 840, 10045, 4, 1]
            case .sha256: [1, 2, 840, 10045, 4, 3, 2]
            case .sha384: [1, 2, 840, 10045, 4, 3, 3]
            case .sha512: [1, 2, 840, 10045, 4, 3, 4]
            }
        return SignatureAlgorithm(identifier: .sequence([.oid(arcs)]), scheme: .ecdsa(digest))
    }
}
