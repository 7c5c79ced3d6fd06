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
        // Certificates are compared outside the lock, or threads would wait for each other.
        let known = chains.withLock { $0 }
        var found: Int?
        for index in known.indices.reversed() where known[index].consists(of: signer, intermediate) {
            found = index
            break
        }
        guard let found else { return nil }
        let chain = known[found]
        if found != known.count - 1 { touch(chain) }
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
