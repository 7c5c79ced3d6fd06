internal import ReceiptPKCS7
import Synchronization

/// Chains that have passed every check that does not depend on the time, so that their certificates need not be
/// checked again: Apple signs all receipts of a year or two with one certificate.
///
/// The key is the exact bytes of both certificates. What is kept are keys and validity, never a verdict on a
/// receipt. Bounded; the chain that was not used for longest goes first. Only chains that lead up to an anchor
/// get in, so nobody can fill it with others.
final class ChainCache: Sendable {
    private let capacity: Int
    /// The most recently used last.
    private let chains = Mutex<[CertificateChain]>([])

    init(capacity: Int) { self.capacity = capacity }

    func chain(signer: Span<UInt8>, intermediate: Span<UInt8>) -> CertificateChain? {
        chains.withLock { chains in
            var found: Int?
            for index in chains.indices.reversed() where chains[index].consists(of: signer, intermediate) {
                found = index
                break
            }
            guard let index = found else { return nil }
            if index != chains.count - 1 { chains.append(chains.remove(at: index)) }
            return chains.last
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
        guard let own = self.intermediate else { return false }
        return self.signer.bytes.span.hasSameBytes(as: signer) && own.bytes.span.hasSameBytes(as: intermediate)
    }
}
