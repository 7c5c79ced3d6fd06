import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// One validator, shared by many tasks.
@Suite struct ConcurrencyTests {
    @Test(arguments: [0, 1, 32])
    func manyTasksShareAValidator(capacity: Int) async throws {
        // Good and bad ones mixed, under one root, so that chains come, go and are asked for at the same time.
        var jobs: [(receipt: SignedReceipt, reason: Rejection.Reason?)] = []
        for number in 0..<4 {
            var template = ChainTemplate.standard()
            template.leaf?.serial = .integer(number)
            let message = try ForgedReceipt().signed(by: try ForgedPKI(template))
            jobs.append((try SignedReceipt(decoding: message.bytes), nil))
            let damage: [(Damage, Rejection.Reason)] = [
                (.flip(byte: -1), .signatureMismatch), (Forgery.flipSignature(of: 0), .signerSignatureMismatch),
                (Forgery.flipSignature(of: 1), .intermediateSignatureMismatch),
                (.dropCertificate(1), .intermediateMissing),
            ]
            for (damage, reason) in damage {
                jobs.append((try SignedReceipt(decoding: message.damaged(damage).bytes), reason))
            }
        }
        let anchor = try ForgedPKI().root.der
        let validator = try ReceiptValidator(
            policy: ValidationPolicy(trusting: [anchor]), chainCacheCapacity: capacity)
        let shared = jobs
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<40 {
                        let job = shared[(task + round * 7) % shared.count]
                        let verdict =
                            round % 10 == 0
                            ? try validator.examine(job.receipt).verdict : try validator.validate(job.receipt)
                        if verdict.rejection?.reason != job.reason { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
