/// What a decoder is willing to take. Every limit is applied before anything is allocated for the part it bounds.
///
/// The defaults leave more than an order of magnitude above the largest genuine receipt known
/// (187 purchases, 79 KB), and keep the cost of the worst input near that of a genuine one of its size.
public struct DecodingLimits: Hashable, Sendable {
    /// Bytes of the text or bytes in which something is handed over. Default 16 MiB; the longest receipts seen are below
    /// 2 MB, and Apple's endpoint stops at 3 MiB.
    public var text: Int
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
    /// Bytes of a property list: of a transaction receipt, and of its purchase-info. Default 65,536; genuine transaction
    /// receipts have 2,364 to 3,590.
    public var propertyListBytes: Int
    /// Entries of a property list. Default 64; genuine ones have 15 to 22.
    public var propertyListEntries: Int
    /// Extensions of a certificate. Default 32; Apple's have at most 9.
    public var extensions: Int

    public init(
        text: Int = 16 << 20, bytes: Int = 16 << 20, depth: Int = 16, elements: Int = 65_536, attributes: Int = 65_536,
        purchaseAttributes: Int = 256, certificates: Int = 8, signerInfos: Int = 4,
        propertyListBytes: Int = 65_536, propertyListEntries: Int = 64, extensions: Int = 32
    ) {
        self.text = text
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
        self.purchaseAttributes = purchaseAttributes
        self.certificates = certificates
        self.signerInfos = signerInfos
        self.propertyListBytes = propertyListBytes
        self.propertyListEntries = propertyListEntries
        self.extensions = extensions
    }

    /// The limits of a server that takes receipts from anyone.
    public static let `default` = DecodingLimits()
}
