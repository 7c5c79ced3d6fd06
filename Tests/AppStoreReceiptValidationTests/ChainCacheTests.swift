import AppStoreReceipt
import ReceiptForge
import Testing

@testable import AppStoreReceiptValidation

/// The cache may make a verdict quicker, and must never make another.
@Suite struct ChainCacheTests {
    private static func receipt(_ template: ChainTemplate) throws -> (receipt: SignedReceipt, root: [UInt8]) {
        let message = try ForgedReceipt().signed(by: try ForgedPKI(template))
        return (try SignedReceipt(decoding: message.bytes), message.chain.root.der)
    }

    /// Receipts of one root under several leaves.
    private static func receipts(_ count: Int) throws -> (receipts: [SignedReceipt], policy: ValidationPolicy) {
        var receipts: [SignedReceipt] = []
        var root: [UInt8] = []
        for number in 0..<count {
            var template = ChainTemplate.standard()
            template.leaf?.serial = .integer(number)
            let made = try receipt(template)
            receipts.append(made.receipt)
            root = made.root
        }
        return (receipts, try ValidationPolicy(trusting: [root]))
    }

    private static func isKnown(_ receipt: SignedReceipt, _ validator: ReceiptValidator) -> Bool {
        let signer = Array(receipt.der[receipt.signedData.certificates[0]])
        let intermediate = Array(receipt.der[receipt.signedData.certificates[1]])
        return validator.appReceiptCache.chain(signer: signer.span, intermediate: intermediate.span, at: nil) != nil
    }

    @Test(arguments: [-1, 0, 1, 2, 3, 32])
    func capacity(capacity: Int) throws {
        let (receipts, policy) = try Self.receipts(4)
        let validator = try ReceiptValidator(policy: policy, chainCacheCapacity: capacity)
        for _ in 0..<3 {
            for receipt in receipts {
                #expect(try validator.validate(receipt).rejection == nil)
                #expect(validator.appReceiptCache.count <= max(0, capacity))
            }
        }
        #expect(validator.appReceiptCache.count == max(0, min(4, capacity)))
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let (receipts, policy) = try Self.receipts(3)
        let validator = try ReceiptValidator(policy: policy, chainCacheCapacity: 2)
        let isKnown = { (receipt: SignedReceipt) in Self.isKnown(receipt, validator) }
        for index in [0, 1, 0, 2] { #expect(try validator.validate(receipts[index]).rejection == nil) }
        // 0 was used after 1, so 1 had to go when 2 came.
        #expect(receipts.map(isKnown) == [true, false, true])
        #expect(try validator.validate(receipts[0]).rejection == nil)
        #expect(try validator.validate(receipts[1]).rejection == nil)
        #expect(receipts.map(isKnown) == [true, true, false])
    }

    /// Certificates that nobody vouches for get nobody in, and push nobody out.
    @Test func onlyGoodChainsGetIn() throws {
        let good = try Scenario().make()
        let validator = try ReceiptValidator(policy: good.validator.policy, chainCacheCapacity: 1)
        #expect(try validator.validate(good.receipt).rejection == nil)
        var rejected = 0
        for forgery in Forgery.certificates + Forgery.chains {
            var scenario = Scenario()
            try forgery.base(&scenario)
            try forgery.edit(&scenario)
            // Those whose only fault is the anchor are valid here, and have the chain that is known already.
            rejected += try validator.validate(scenario.make().receipt).rejection == nil ? 0 : 1
        }
        #expect(rejected > 60)
        #expect(validator.appReceiptCache.count == 1)
        #expect(Self.isKnown(try good.receipt, validator))
    }

    /// Variants of what nobody signs, the embedded root, make no new entries: they cannot be used to empty the cache.
    @Test func embeddedRootsMakeNoEntries() throws {
        let message = try ForgedReceipt().signed()
        let anchor = message.chain.root.der
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: [anchor]), chainCacheCapacity: 8)
        for number in 0..<40 {
            var root = message.chain.root.der
            root[root.count - 1 - number] ^= 0x55
            let variant = try message.damaged(.replaceCertificate(2, with: root))
            #expect(try validator.validate(SignedReceipt(decoding: variant.bytes)).rejection == nil)
        }
        #expect(validator.appReceiptCache.count == 1)
    }

    /// Warm and cold, in any order: the same verdicts, and the cache holds no time.
    @Test func verdictsAreTheSameWarmAndCold() throws {
        let (good, _) = try Self.receipts(1)
        for forgery in Forgery.all {
            var scenario = Scenario()
            try forgery.base(&scenario)
            try forgery.edit(&scenario)
            let made = try scenario.make()
            let policy = made.validator.policy
            let cold = try ReceiptValidator(policy: policy, chainCacheCapacity: 0).validate(
                made.receipt, asOf: made.date)
            let warm = try ReceiptValidator(policy: policy)
            _ = try warm.validate(good[0], asOf: made.date)
            for _ in 0..<2 {
                let verdict = try warm.validate(made.receipt, asOf: made.date)
                #expect(verdict.rejection == cold.rejection, "\(forgery.name)")
            }
        }
    }

    /// A chain that was good for one receipt is not good for another that was made after it expired.
    @Test func theTimeIsCheckedEveryTime() throws {
        var template = ChainTemplate.standard()
        template.leaf?.notAfter = "2025-07-01T00:00:00Z"
        let chain = try ForgedPKI(template)
        let anchor = chain.root.der
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: [anchor]))
        var receipt = ForgedReceipt()
        let now = try SignedReceipt(decoding: receipt.signed(by: chain).bytes)
        receipt.creationDate = "2025-07-02T00:00:00Z"
        let later = try SignedReceipt(decoding: receipt.signed(by: chain).bytes)
        for _ in 0..<2 {
            #expect(try validator.validate(now).rejection == nil)
            #expect(try validator.validate(later).rejection?.reason == .certificateExpired)
        }
    }

    /// Where a certificate was renewed under its name and key, the one that is valid at the time is taken: whichever comes
    /// first, and whatever is known from before.
    @Test(arguments: ["intermediate", "root"], [false, true])
    func renewedCertificates(which: String, isOldFirst: Bool) throws {
        let chain = try ForgedPKI(.standard())
        var template = ChainTemplate.standard()
        if which == "root" { template.root.notAfter = "2025-07-01T00:00:00Z" }
        if which == "intermediate" { template.intermediate?.notAfter = "2025-07-01T00:00:00Z" }
        let old = try ForgedPKI(template)
        let roots = which == "root" ? [chain.root.der, old.root.der] : [chain.root.der]
        let intermediates = [chain, old].compactMap(\.intermediate?.der)
        let policy = try ValidationPolicy(trusting: isOldFirst ? roots.reversed() : roots)
        let warm = try ReceiptValidator(policy: policy)
        for date in ["2025-06-01T00:00:00Z", "2025-07-02T00:00:00Z", "2025-06-01T00:00:00Z"] {
            var receipt = ForgedReceipt()
            receipt.creationDate = date
            let message = try receipt.signed(by: chain) { message in
                message.certificates = [chain.leaf.der] + (isOldFirst ? intermediates.reversed() : intermediates)
            }
            let signed = try SignedReceipt(decoding: message.bytes)
            for validator in [warm, try ReceiptValidator(policy: policy, chainCacheCapacity: 0)] {
                #expect(try validator.validate(signed).rejection == nil, "\(date)")
                let checks = try validator.examine(signed).checks
                #expect(checks.allSatisfy { $0.outcome != .failed }, "\(date)")
            }
        }
    }

    /// The intermediates of transaction receipts come from the policy, and those of app receipts from the receipt; what the
    /// ones make known must not change what is said of the others.
    @Test func appReceiptsChangeNothingForTransactionReceipts() throws {
        var template = ChainTemplate.sha1()
        template.intermediate?.notAfter = "2016-03-01T00:00:00Z"
        let expired = try ForgedPKI(template)
        let chain = try ForgedPKI(.sha1())
        var policy = try ValidationPolicy(trusting: chain.anchors)
        policy.intermediates = [expired, chain].compactMap(\.intermediate?.der)
        var app = ForgedReceipt()
        app.creationDate = "2016-03-15T12:00:00Z"
        let signed = try SignedTransactionReceipt(decoding: ForgedTransactionReceipt().signed(by: chain).bytes)
        let cold = try ReceiptValidator(policy: policy).validate(signed)
        let warm = try ReceiptValidator(policy: policy)
        #expect(try warm.validate(SignedReceipt(decoding: app.signed(by: chain).bytes)).rejection == nil)
        #expect(try warm.validate(signed).rejection == cold.rejection && cold.rejection == nil)
    }
}

extension ReceiptValidator {
    fileprivate var appReceiptCache: ChainCache { core.routes.route(for: .appReceipt).cache }
}
