import Synchronization

/// Buffers that have been used and will be again: fresh memory would have to be cleared for each batch.
final class BufferPool: Sendable {
    /// Longer ones are not kept.
    private static let sizeLimit = 2 << 20

    private let buffers = Mutex<[[UInt8]]>([])
    private let limit: Int

    /// - Parameter limit: How many buffers are kept.
    init(limit: Int) { self.limit = limit }

    /// A buffer with anything in it; an empty one where none is kept.
    func take() -> [UInt8] { buffers.withLock { $0.popLast() } ?? [] }

    /// Takes a buffer back that nothing refers to any more.
    func give(_ buffer: [UInt8]) {
        guard buffer.capacity <= Self.sizeLimit else { return }
        buffers.withLock { if $0.count < limit { $0.append(buffer) } }
    }
}
