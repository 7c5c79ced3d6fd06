import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import OracleSupport
import ReceiptForge
import Testing

/// Memory that runs out: each allocation of libcrypto's fails once, in a process of its own. What comes then is the right
/// verdict or ``LibcryptoError``, never another verdict and never a trap.
@Suite struct AllocationFailureTests {
    private struct Failure: Error { let description: String }

    /// A document, its policy, and its reason; nil for a valid one.
    private struct Sample {
        let name: String
        let document: AnySignedDocument
        let policy: ValidationPolicy
        let reason: Rejection.Reason?
    }

    private static func samples() throws -> [Sample] {
        var samples: [Sample] = []
        for isForged in [false, true] {
            for template in [ChainTemplate.standard(), .sha1()] {
                var scenario = Scenario()
                scenario.template = template
                if isForged { scenario.damage = [.flip(byte: -1)] }
                let made = try scenario.make()
                samples.append(
                    Sample(
                        name: "receipt", document: .appReceipt(try made.receipt),
                        policy: try ValidationPolicy(trusting: made.anchors),
                        reason: isForged ? .signatureMismatch : nil))
            }
            let jws = try ForgedJWS(.transaction())
            var text = Array(try jws.text().utf8)
            if isForged {
                // The first digit of the signature, whose bits all count.
                let place = try #require(text.lastIndex(of: UInt8(ascii: "."))) + 1
                text[place] = text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            }
            samples.append(
                Sample(
                    name: "JWS", document: try AnySignedDocument(transport: text, accepting: [.signedTransaction]),
                    policy: try ValidationPolicy(trusting: jws.anchors), reason: isForged ? .signatureMismatch : nil))
        }
        return samples
    }

    /// How many failures ended as an error. Throws where one ended otherwise.
    private static func sweep(_ sample: Sample) throws -> Int {
        var errors = 0
        for number in 1...20_000 {
            Oracle.failAllocation(number)
            let outcome: Result<Rejection.Reason?, LibcryptoError>
            do throws(LibcryptoError) {
                let validator = try ReceiptValidator(policy: sample.policy)
                outcome = .success(try validator.validate(sample.document, asOf: nil).rejection?.reason)
            } catch {
                outcome = .failure(error)
            }
            let count = Oracle.countAllocations()
            switch outcome {
            case .failure: errors += 1
            case .success(let reason):
                guard reason == sample.reason else {
                    throw Failure(description: "\(sample.name), allocation \(number): \(reason?.rawValue ?? "valid")")
                }
                if count < number { return errors }
            }
        }
        throw Failure(description: "no end")
    }

    /// Keys, digests and signatures under a validator just made.
    @Test func validating() async {
        await #expect(processExitsWith: .success) {
            guard Oracle.replaceAllocator() else { throw Failure(description: "libcrypto has allocated already") }
            for sample in try AllocationFailureTests.samples() {
                let errors = try AllocationFailureTests.sweep(sample)
                guard errors > 20 else { throw Failure(description: "\(sample.name): \(errors) errors") }
            }
        }
    }

    /// From the first call of libcrypto on, over a genuine receipt; each process sees one failure. Version 3.5 waits for
    /// a lock of its own for ever when some allocation of its set-up fails, so that there is no answer to look at.
    @Test(
        .enabled(if: Oracle.version.hasPrefix("3.0."), "libcrypto \(Oracle.version) may never return from its set-up"))
    func settingUp() async {
        await #expect(processExitsWith: .success) {
            guard Oracle.replaceAllocator() else { throw Failure(description: "libcrypto has allocated already") }
            var ends: [Int32: Int] = [:]
            // A prime apart, so that no loop of libcrypto's is always met at the same place.
            for number in stride(from: 1, to: 8_000, by: 17) {
                Oracle.failAllocation(number)
                let end = Oracle.inChild {
                    // Nothing is decoded that is not a fixture, so an error here is a fault of the test.
                    guard let bytes = try? Data(contentsOf: Fixture.genuine),
                        let receipt = try? SignedReceipt(decoding: [UInt8](bytes))
                    else { return 1 }
                    do throws(LibcryptoError) {
                        let verdict = try ReceiptValidator(policy: ValidationPolicy()).validate(receipt, asOf: nil)
                        return verdict.rejection == nil ? 0 : 2
                    } catch {
                        return 3
                    }
                }
                ends[end, default: 0] += 1
            }
            guard ends[0, default: 0] > 0, ends[3, default: 0] > 10, ends.count == 2 else {
                throw Failure(description: "\(ends)")
            }
        }
    }

    private enum Fixture {
        static let genuine = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/genuine/sandbox-2016.der")
    }
}
