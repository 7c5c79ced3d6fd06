import ReceiptForge

/// What a container has beside the chain: nobody signs it, and nothing depends on it.
extension Recipe {
    static func container(_ group: inout VectorGroup) throws {
        let chain = try Root.standard.chain()
        func beside(_ certificate: BERNode) throws -> [UInt8] {
            try message { $0.certificates = Array(chain.certificates.prefix(2)) + [certificate.encoded] }.bytes
        }
        group.valid(
            "certificate-of-somebody", "A well-formed certificate that has nothing to do with it.",
            try beside(BERNode(parsing: Root.otherXcode.chain().root.der)))
        let rows: [(String, String, BERNode, String)] = [
            ("empty-certificate", "missing-element", .sequence([]), "An empty SEQUENCE among the certificates."),
            ("number-for-a-certificate", "unexpected-tag", .sequence([.integer(1)]), "A SEQUENCE of a number."),
        ]
        for (name, cause, node, comment) in rows {
            group.rejected(
                name, "malformed-certificate", openssl: "fail", comment, try beside(node), root: .standard,
                (.cause, cause))
        }
        var root = try BERNode(parsing: chain.root.der)
        root[[0, 4, 0]] = .utcTime("0604252140Z")
        group.rejected(
            "root-with-a-bad-time", "malformed-certificate", openssl: "varies",
            "The root's copy in the container was changed so that it does not decode.", try beside(root),
            root: .standard, (.cause, "invalid-time"))
        group.rejected(
            "empty-revocation-list", "revocation-lists-present", openssl: "fail", "An empty SEQUENCE for a list.",
            try message { $0.revocationLists = [.sequence([])] }.bytes)
        let list = try revocationList(of: chain.intermediate ?? chain.root)
        group.rejected(
            "revocation-list", "revocation-lists-present", openssl: "ok",
            "A list by the intermediate, which revokes nothing.",
            try message { $0.revocationLists = [list] }.bytes)
        group.rejected(
            "no-revocation-lists", "revocation-lists-present", openssl: "ok", "The field is there, and empty.",
            try message { $0.revocationLists = [] }.bytes)
    }

    /// A CertificateList without entries, RFC 5280 section 5.1.
    private static func revocationList(of issuer: ForgedCertificate) throws -> BERNode {
        let algorithm = SignatureAlgorithm.sha256WithRSA
        let list = BERNode.sequence([algorithm.identifier, issuer.subject.node, .utcTime("250601000000Z")])
        let signature = try issuer.key.sign(list.encoded, algorithm.scheme)
        return .sequence([list, algorithm.identifier, .bitString(signature)])
    }
}
