/// A throw-away chain like Apple's: root, intermediate with its marker, leaf with its marker.
///
/// ```swift
/// let pki = try ForgedPKI()                                       // good for receipts of any date
/// let old = try ForgedPKI(.sha1())                                // SHA-1 signatures, as until 2023
/// let bad = try ForgedPKI { $0.leaf?.markers = [] }               // any field can be changed
/// ```
///
/// Names end in `Receipt Forge, tests only`. The keys are those of ``TestKeys``, chosen by the seed; the same template
/// gives the same certificates.
public struct ForgedPKI: Hashable, Sendable {
    public var root: ForgedCertificate
    /// nil for a chain of one, as Xcode's.
    public var intermediate: ForgedCertificate?
    /// The certificate whose key signs receipts; the root itself for a chain of one.
    public var leaf: ForgedCertificate
    /// The digest that receipts signed under this chain use, unless they say otherwise.
    public var digest: DigestAlgorithm

    /// The trust anchors that a policy needs to accept receipts of this chain, as DER.
    public var anchors: [[UInt8]] { [root.der] }

    /// The certificates as receipts carry them: leaf, intermediate, root.
    public var certificates: [[UInt8]] {
        guard leaf != root else { return [root.der] }
        return [leaf.der] + (intermediate.map { [$0.der] } ?? []) + [root.der]
    }

    /// Issues a chain.
    ///
    /// - Parameters:
    ///   - template: what the certificates are to say.
    ///   - edit: changes to the template.
    public init(
        _ template: ChainTemplate = .standard(), editing edit: (inout ChainTemplate) -> Void = { _ in }
    ) throws(ForgeError) {
        var template = template
        edit(&template)
        digest = template.digest
        root = try template.root.issue(under: nil)
        guard let leafTemplate = template.leaf else {
            leaf = root
            return
        }
        intermediate = try template.intermediate?.issue(under: root)
        leaf = try leafTemplate.issue(under: intermediate ?? root)
    }

    /// A chain put together from certificates that were issued one by one.
    public init(
        root: ForgedCertificate, intermediate: ForgedCertificate?, leaf: ForgedCertificate, digest: DigestAlgorithm
    ) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.digest = digest
    }
}
