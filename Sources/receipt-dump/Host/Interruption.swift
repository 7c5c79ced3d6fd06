import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A wish to stop early: the user's, or because nobody reads the output any more.
final class Interruption: Sendable {
    private let stopped = Atomic(false)
    private let interrupted = Atomic(false)
    /// A pipe that becomes readable, so that a thread which waits for input wakes up; -1 without one.
    let wakeDescriptor: Int32
    private let wakeWriter: Int32

    var isStopped: Bool { stopped.load(ordering: .acquiring) }
    /// Whether it was the user.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
        wakeDescriptor = ends[0]
        wakeWriter = ends[1]
    }

    deinit {
        guard wakeDescriptor >= 0 else { return }
        _ = close(wakeDescriptor)
        _ = close(wakeWriter)
    }

    func stop() {
        stopped.store(true, ordering: .releasing)
        var byte: UInt8 = 0
        _ = unsafe write(wakeWriter, &byte, 1)
    }

    /// The first interrupt asks for an orderly end, the second ends the process.
    func interrupt() {
        if interrupted.exchange(true, ordering: .acquiringAndReleasing) { _exit(ExitStatus.interrupted) }
        stop()
    }

    /// Calls ``interrupt()`` on SIGINT and SIGTERM from now on. The result keeps it so.
    func listen() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { self.interrupt() }
            source.resume()
            return source
        }
    }
}

/// A thread of the tool's own: they wait for input and for each other, which tasks must not.
@safe
struct Thread {
    private let handle: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body on a new thread; nil when there can be none. It is joined or detached in the end.
    init?(_ body: @escaping @Sendable () -> Void) {
        let argument = unsafe Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                    let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                #else
                    guard let argument = unsafe argument else { return nil }
                    let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                #endif
                body.run()
                return nil
            }, argument.toOpaque())
        if status != 0 {
            unsafe argument.release()
            return nil
        }
        #if canImport(Darwin)
            guard let thread = unsafe thread else { return nil }
        #endif
        handle = thread
    }

    /// Waits until the body has returned.
    func join() { _ = pthread_join(handle, nil) }

    /// Leaves the thread to itself.
    func detach() { _ = pthread_detach(handle) }
}
