import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// The order of the certificates means nothing, whichever of them have one name, issuer or number.
@Suite struct CertificateOrderTests {
    private static func permutations(_ items: [[UInt8]]) -> [[[UInt8]]] {
        guard let first = items.first else { return [[]] }
        return permutations(Array(items.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reason: Rejection.Reason?
        /// Those beside the decoys.
        let keeps: @Sendable (ForgedPKI) throws -> [[UInt8]]
        let leaf: @Sendable (inout CertificateTemplate) -> Void
        let intermediate: @Sendable (inout CertificateTemplate) -> Void

        init(
            _ name: String, _ reason: Rejection.Reason?, _ keeps: @escaping @Sendable (ForgedPKI) throws -> [[UInt8]],
            leaf: @escaping @Sendable (inout CertificateTemplate) -> Void = { _ in },
            intermediate: @escaping @Sendable (inout CertificateTemplate) -> Void = { _ in }
        ) {
            testDescription = name
            self.reason = reason
            self.keeps = keeps
            self.leaf = leaf
            self.intermediate = intermediate
        }
    }

    static let rows: [Row] = [
        Row("twins with other keys", nil, { [$0.leaf.der, try #require($0.intermediate).der] }),
        Row(
            "twins that may not sign", nil, { [$0.leaf.der, try #require($0.intermediate).der] },
            leaf: { $0.keyUsage = .init([2]) }, intermediate: { $0.basicConstraints = .init(isCA: false) }),
        Row(
            "twins that have ended", nil, { [$0.leaf.der, try #require($0.intermediate).der] },
            leaf: { $0.notAfter = "2024-01-01T00:00:00Z" }, intermediate: { $0.notAfter = "2024-01-01T00:00:00Z" }),
        Row("the signer's own missing", .signatureMismatch, { [try #require($0.intermediate).der] }),
        Row("the issuer's own missing", .signerSignatureMismatch, { [$0.leaf.der] }),
    ]

    /// Two signers' certificates of one issuer and number, two intermediates of one name, and the root.
    @Test(arguments: rows) func meansNothing(_ row: Row) throws {
        let chain = try ForgedPKI()
        let intermediate = try #require(chain.intermediate)
        var twin = intermediate.template
        twin.key = TestKeys.rsa2048(9)
        row.intermediate(&twin)
        var signer = chain.leaf.template
        signer.key = TestKeys.rsa2048(9)
        row.leaf(&signer)
        let decoys = [try signer.issue(under: intermediate).der, try twin.issue(under: chain.root).der, chain.root.der]
        var verdicts: Set<String> = []
        let payload = try ForgedReceipt().payload().encoded
        for order in Self.permutations(try row.keeps(chain) + decoys) {
            let message = try ForgedMessage.signing(payload, by: chain) { $0.certificates = order }
            let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: chain.anchors))
            let receipt = try SignedReceipt(decoding: message.bytes)
            for _ in 0..<2 {
                let rejection = try validator.validate(receipt).rejection
                #expect(rejection?.reason == row.reason)
                verdicts.insert(rejection.map { "\($0.reason) \($0.message)" } ?? "valid")
            }
        }
        #expect(verdicts.count == 1, "\(verdicts)")
    }
}
