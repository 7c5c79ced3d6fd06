internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX
import Synchronization

/// Chains that have passed every check that does not depend on the time, so that their certificates need not be
/// checked again: Apple signs all receipts of a year or two with one certificate.
///
/// The key is the exact bytes of both certificates. What is kept are keys and validity, never a verdict on a
/// receipt. Bounded; the chain that was not used for longest goes first. Only chains that lead up to an anchor
/// get in, so nobody can fill it with others.
///
/// Each thread looks in one of a few shards, which knows chains and keys of its own. Threads that share a chain would
/// take turns in writing to it, if only to its reference count, and that costs more than comparing certificates.
final class ChainCache: Sendable {
    private let shards: [Shard]

    /// - Parameter capacity: The most chains that a shard keeps.
    init(capacity: Int) { shards = (0..<16).map { _ in Shard(capacity: capacity) } }

    private var shard: Shard { shards[Libcrypto.threadNumber(below: shards.count)] }

    /// The chain that was found good, if it is the one that would be found again at this time.
    func chain(
        signer: Span<UInt8>, intermediate: Span<UInt8>, at time: ReceiptDate?
    ) -> CertificateChain? {
        guard let chain = shard.chain(signer: signer, intermediate: intermediate) else { return nil }
        guard chain.hasOtherAnchors else { return chain }
        // Which of the roots is to be taken depends on the time; without one, it is to be found out anew.
        return time.map(chain.isValid(at:)) == true ? chain : nil
    }

    func insert(_ chain: CertificateChain) { shard.insert(chain) }

    var count: Int { shards.reduce(0) { $0 + $1.count } }
}

/// The chains that some threads have met.
private final class Shard: Sendable {
    private let capacity: Int
    /// The most recently used last.
    private let chains = Mutex<[CertificateChain]>([])
    /// Keeps the next shard's lock out of this one's cache line.
    private let padding = InlineArray<16, UInt64>(repeating: 0)

    init(capacity: Int) { self.capacity = capacity }

    func chain(signer: Span<UInt8>, intermediate: Span<UInt8>) -> CertificateChain? {
        // Certificates are compared outside the lock, or threads would wait for each other.
        let known = chains.withLock { $0 }
        guard let chain = known.last(where: { $0.consists(of: signer, intermediate) }) else { return nil }
        if chain !== known.last { touch(chain) }
        return chain
    }

    /// Makes a chain the most recently used, if it is still there.
    private func touch(_ chain: CertificateChain) {
        chains.withLock { chains in
            guard let index = chains.firstIndex(where: { $0 === chain }) else { return }
            chains.append(chains.remove(at: index))
        }
    }

    func insert(_ chain: CertificateChain) {
        // A signer that is trusted directly costs nothing to find again.
        guard capacity > 0, !chain.isDirectlyTrusted else { return }
        chains.withLock { chains in
            chains.removeAll {
                $0.signer.bytes == chain.signer.bytes && $0.intermediate?.bytes == chain.intermediate?.bytes
            }
            if chains.count >= capacity { chains.removeFirst() }
            chains.append(chain)
        }
    }

    var count: Int { chains.withLock { $0.count } }
}

extension CertificateChain {
    fileprivate func consists(of signer: Span<UInt8>, _ intermediate: Span<UInt8>) -> Bool {
        self.signer.consists(of: signer) && self.intermediate?.consists(of: intermediate) ?? false
    }
}
