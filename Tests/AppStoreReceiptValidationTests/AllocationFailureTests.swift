import AppStoreReceipt
import AppStoreReceiptValidation
import Foundation
import OracleSupport
import Testing

/// Memory that runs out: an allocation of libcrypto's fails, each in a process of its own. What comes then is the right
/// verdict or ``LibcryptoError``, never another verdict and never a trap.
@Suite struct AllocationFailureTests {
    private struct Failure: Error { let description: String }

    /// From the first call of libcrypto on, over a genuine receipt; each process sees one failure.
    @Test func settingUp() async {
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
