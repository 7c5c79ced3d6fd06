/// What a decoder is willing to take. Every limit is applied before anything is allocated for the part it bounds.
///
/// The defaults leave more than an order of magnitude above the largest genuine receipt known
/// (187 purchases, 79 KB), and keep the cost of the worst input near that of a genuine one of its size.
public struct DecodingLimits: Hashable, Sendable {
    /// Bytes of a container. Default 16 MiB: about 40,000 purchases; Apple's endpoint stops at 3 MiB of base64.
    public var bytes: Int
    /// Depth of nested elements in a BER container. Default 16: SignedData needs 8, and a signed attribute 9.
    public var depth: Int
    /// Elements of a BER container outside its certificates. Default 65,536: a payload of 64 MB in the
    /// segments of 1,000 bytes that Apple's encoder writes.
    public var elements: Int
    /// Attributes of a receipt, its purchases counted as one each. Default 65,536.
    public var attributes: Int
    /// Attributes of one in-app purchase. Default 256; genuine ones have at most 22.
    public var purchaseAttributes: Int
    /// Certificates in a container. Default 8; genuine receipts have 1 or 3.
    public var certificates: Int
    /// SignerInfos in a container. Default 4; genuine receipts have 1, and validation refuses more.
    public var signerInfos: Int
    /// Extensions of a certificate. Default 32; Apple's have at most 9.
    public var extensions: Int

    public init(
        bytes: Int = 16 << 20, depth: Int = 16, elements: Int = 65_536, attributes: Int = 65_536,
        purchaseAttributes: Int = 256, certificates: Int = 8, signerInfos: Int = 4, extensions: Int = 32
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
        self.purchaseAttributes = purchaseAttributes
        self.certificates = certificates
        self.signerInfos = signerInfos
        self.extensions = extensions
    }

    /// The limits of a server that takes receipts from anyone.
    public static let `default` = DecodingLimits()
}
