import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// How libcrypto is used.
@Suite struct LibcryptoTests {
    /// What an application has in its thread's error queue moves no verdict and stays, its mark too; nothing is added.
    @Test(arguments: [0, 1, 2, 3, 7, 12], [false, true])
    func errorQueueStaysAsItWas(count: Int32, isMarked: Bool) throws {
        let isMarked = isMarked && count > 0
        var forged = Scenario()
        forged.damage = [.flip(byte: -1)]
        var padded = Scenario()
        padded.message = { template, _ in template.signers[0].algorithm.scheme = .pkcs1(.sha256, flaw: .blockTypeTwo) }
        var shorter = Scenario()
        shorter.useSignedAttributes { $0.messageDigest = .some([1, 2, 3]) }
        for scenario in [Scenario(), forged, padded, shorter] {
            let made = try scenario.make()
            let receipt = try made.receipt
            let expected = try made.verdict().rejection?.reason
            Oracle.fillErrorQueue(count, isMarked: isMarked)
            #expect(try made.validator.validate(receipt, asOf: made.date).rejection?.reason == expected)
            #expect(Oracle.countErrorQueue(isMarked: isMarked) == count)
            // A new validator makes keys, and checks the chain's certificates too.
            Oracle.fillErrorQueue(count, isMarked: isMarked)
            let policy = ValidationPolicy(
                authenticUnder: try made.anchors.map { anchor in try TrustAnchor(certificate: anchor) })
            let validator = try ReceiptValidator(policy: policy)
            _ = try validator.examine(receipt)
            #expect(Oracle.countErrorQueue(isMarked: isMarked) == count)
        }
    }
}
