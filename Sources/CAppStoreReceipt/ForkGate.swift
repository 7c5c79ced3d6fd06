#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes fork() wait for the calls of other threads.
///
/// A child has only the thread that forked. A lock that another thread held at that moment, ours or libcrypto's, would never
/// be released in it. So each call holds this lock for reading, and fork() takes it for writing.
@safe
final class ForkGate: @unchecked Sendable {
    static let shared = ForkGate()

    // Set up once and never freed: other threads and fork() may use it until the process ends.
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>

    private init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_rwlock_t())
        setUp()
        pthread_atfork(
            { unsafe pthread_rwlock_wrlock(ForkGate.shared.lock) },
            { unsafe pthread_rwlock_unlock(ForkGate.shared.lock) },
            // Unlocking is for the thread that locked, and the child's has another number than the parent's had.
            { ForkGate.shared.setUp() })
    }

    private func setUp() {
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        #if canImport(Glibc)
            // Threads that call without a pause must not keep fork() waiting for ever. No call is made inside another.
            unsafe pthread_rwlockattr_setkind_np(
                &attributes, CInt(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        #endif
        unsafe pthread_rwlock_init(lock, &attributes)
        unsafe pthread_rwlockattr_destroy(&attributes)
    }

    /// Runs something that fork() has to wait for.
    func pass<Value>(_ body: () -> Value) -> Value {
        unsafe pthread_rwlock_rdlock(lock)
        defer { unsafe pthread_rwlock_unlock(lock) }
        return body()
    }
}
