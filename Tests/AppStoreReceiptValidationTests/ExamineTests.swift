import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// `examine` shows everything, and says the same as `validate`.
@Suite struct ExamineTests {
    /// Two defects: `validate` names the first in the order of the checks, `examine` shows both.
    @Test func everyFailureIsShown() throws {
        var scenario = Scenario()
        scenario.template.leaf?.markers = []
        scenario.template.leaf?.notAfter = "2020-01-01T00:00:00Z"
        scenario.damage = [.flip(byte: -1)]
        scenario.policy = {
            $0.bundleIdentifiers = ["com.example.other"]
            $0.environments = [.sandbox]
        }
        let made = try scenario.make()
        #expect(try made.verdict().rejection?.reason == .signerMarkerMissing)
        let examination = try made.validator.examine(made.receipt)
        #expect(examination.verdict.rejection == (try made.verdict().rejection))
        let failed = examination.checks.filter { $0.outcome == .failed }.map(\.name)
        #expect(failed == [.signerMarker, .environment, .bundleIdentifier])
        // The chain is not good, so nothing is said about the signature.
        let notRun = Set(examination.checks.filter { $0.outcome == .notRun }.map(\.name))
        #expect(notRun.isSuperset(of: [.validity, .signature, .sha1]))
    }

    /// Of several intermediates without a path, both name the fault of the one that came furthest.
    ///
    /// The first fails the first of its checks and nothing else; the second fails later, but twice.
    @Test func theFurthestOfSeveralIntermediatesIsNamed() throws {
        var scenario = Scenario()
        scenario.message = { template, chain in
            var noAuthority = ChainTemplate.standard()
            noAuthority.intermediate?.basicConstraints = .init(isCA: false)
            var noMarker = ChainTemplate.standard()
            noMarker.intermediate?.markers = []
            noMarker.intermediate?.key = TestKeys.rsa2048(9)
            template.certificates = [
                chain.leaf.der, try #require(try ForgedPKI(noAuthority).intermediate).der,
                try #require(try ForgedPKI(noMarker).intermediate).der,
            ]
        }
        for isReversed in [false, true] {
            scenario.damage = isReversed ? [.reverse(.certificates)] : []
            let made = try scenario.make()
            let verdict = try made.verdict()
            #expect(verdict.rejection?.reason == .intermediateMarkerMissing)
            #expect(try made.validator.examine(made.receipt).verdict.rejection == verdict.rejection)
        }
    }

    /// Random damage: the same verdict from both, checks in order, and never an error that is not a verdict.
    @Test(arguments: [UInt64](0..<8))
    func agreesWithValidate(seed: UInt64) throws {
        var random = ForgeRandom(seed: seed)
        let message = try ForgedReceipt().signed()
        let anchor = message.chain.root.der
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: [anchor]))
        var rejected = 0
        for _ in 0..<150 {
            var bytes = message.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            guard let receipt = try? SignedReceipt(decoding: bytes) else { continue }
            let verdict = try validator.validate(receipt)
            let examination = try validator.examine(receipt)
            #expect(examination.verdict.rejection == verdict.rejection)
            #expect(examination.checks.map(\.name) == checkNames)
            #expect(examination.checks.contains { $0.outcome == .failed } == (verdict.rejection != nil))
            rejected += verdict.rejection == nil ? 0 : 1
        }
        #expect(rejected > 50)
    }
}
