import AppStoreReceipt

#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension Host {
    /// The real process: its standard streams, its files, its terminal.
    static func process() -> Host {
        occupyStandardDescriptors()
        // A closed pipe is reported by write, which ends the work in an orderly way.
        _ = signal(SIGPIPE, SIG_IGN)
        let outputIsTerminal = isatty(STDOUT_FILENO) == 1
        let allowsColour = outputIsTerminal && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
        return Host(
            output: DescriptorSink(descriptor: STDOUT_FILENO), errors: DescriptorSink(descriptor: STDERR_FILENO),
            files: ProcessFiles(),
            outputTerminal: Terminal(
                isTerminal: outputIsTerminal, columns: columns(ofTerminal: outputIsTerminal),
                allowsColour: allowsColour),
            errorsAreOnTerminal: isatty(STDERR_FILENO) == 1, inputIsTerminal: isatty(STDIN_FILENO) == 1,
            listensToSignals: true, now: currentTime)
    }
}

/// Takes those of the numbers 0 to 2 that the parent has closed, so that no file and no pipe of the tool's own gets one
/// and is read for input or written over. Reading or writing there fails, as it did.
private func occupyStandardDescriptors() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) == -1 {
        // The lowest free number, which is this one.
        _ = unsafe open("/dev/null", mode)
    }
}

/// An environment variable's value; nil when it is absent or empty.
private func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}

/// `COLUMNS` when it is set, else the terminal's width, else 100.
private func columns(ofTerminal isTerminal: Bool) -> Int {
    if let set = environment("COLUMNS").flatMap({ Int($0) }) { return min(max(set, 40), 1_000) }
    var size = winsize()
    if isTerminal, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return min(max(Int(size.ws_col), 40), 1_000)
    }
    return 100
}

private func currentTime() -> ReceiptDate {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return ReceiptDate(millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
}

/// Cores that the process may use.
let processorCount = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 256)

/// Writes to a file descriptor, without a buffer of its own.
struct DescriptorSink: ByteSink {
    var descriptor: Int32

    func write(_ bytes: [UInt8]) throws(WriteError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { part in
                unsafe systemWrite(descriptor, part.baseAddress, part.count)
            }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw .closed
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw .failed("cannot write: \(errorText(errno))")
            }
        }
    }
}

/// Reads the process's files and its standard input.
struct ProcessFiles: ByteSource {
    /// More than any receipt in any text form; keeps a wrong file from filling the memory.
    static let byteLimit = 64 << 20

    func read(_ input: Input) throws(ReadError) -> [UInt8] {
        switch input {
        case .standardInput: return try Self.readAll(STDIN_FILENO)
        case .file(let path):
            let descriptor = openForReading(path)
            guard descriptor >= 0 else { throw ReadError(message: errorText(errno)) }
            defer { _ = close(descriptor) }
            return try Self.readAll(descriptor)
        }
    }

    func open(_ input: Input, _ interruption: Interruption) throws(ReadError) -> any ByteStream {
        try DescriptorStream(input, interruption)
    }

    func size(_ input: Input) -> Int? {
        var status = stat()
        let isKnown =
            switch input {
            case .standardInput: unsafe fstat(STDIN_FILENO, &status) == 0
            case .file(let path): unsafe stat(path, &status) == 0
            }
        return isKnown && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    private static func readAll(_ descriptor: Int32) throws(ReadError) -> [UInt8] {
        var bytes: [UInt8] = []
        var size = stat()
        let isFile = unsafe fstat(descriptor, &size) == 0 && size.st_mode & S_IFMT == S_IFREG
        var chunk = isFile ? min(max(Int(size.st_size) + 1, 4_096), byteLimit + 1) : 65_536
        while true {
            let room = chunk
            let start = bytes.count
            var failure: Int32 = 0
            var count = 0
            unsafe bytes.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                    repeat {
                        count = unsafe systemRead(descriptor, buffer.baseAddress, room)
                        failure = errno
                    } while count < 0 && failure == EINTR
                    initialized = max(count, 0)
                })
            if count < 0 { throw ReadError(message: errorText(failure)) }
            if count == 0 { return bytes }
            if bytes.count > byteLimit {
                throw ReadError(message: "larger than \(byteLimit >> 20) MiB, which no receipt is")
            }
            if bytes.count - start == room { chunk = min(2 * chunk, 4 << 20) }
        }
    }
}

/// An open file or standard input, read as it comes.
final class DescriptorStream: ByteStream {
    private let descriptor: Int32
    private let isOwn: Bool
    private let interruption: Interruption

    init(_ input: Input, _ interruption: Interruption) throws(ReadError) {
        self.interruption = interruption
        switch input {
        case .standardInput:
            descriptor = STDIN_FILENO
            isOwn = false
        case .file(let path):
            // Without blocking, so that an interruption ends the wait for a writer of a named pipe too.
            descriptor = openForReading(path, O_NONBLOCK)
            isOwn = true
            guard descriptor >= 0 else { throw ReadError(message: errorText(errno)) }
        }
    }

    deinit { if isOwn { _ = close(descriptor) } }

    func read(into buffer: inout [UInt8], _ part: Range<Int>) throws(ReadError) -> Int {
        while !interruption.isStopped {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interruption.wakeDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            if unsafe poll(&waiting, 2, -1) < 0 {
                if errno == EINTR { continue }
                throw ReadError(message: errorText(errno))
            }
            if waiting[1].revents != 0 { return 0 }
            var failure: Int32 = 0
            let received = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                // In bounds, or it traps.
                let part = unsafe UnsafeMutableBufferPointer(rebasing: buffer[part])
                let received = unsafe systemRead(descriptor, part.baseAddress, part.count)
                failure = errno
                return received
            }
            if received >= 0 { return received }
            if failure != EINTR && failure != EAGAIN { throw ReadError(message: errorText(failure)) }
        }
        return 0
    }
}

private func openForReading(_ path: String, _ flags: Int32 = 0) -> Int32 {
    unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
}

/// The system's words for an error number, as the tool's messages are written.
func errorText(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    let words = unsafe String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}

/// Where the next line feed is in a part of some bytes: gigabytes go through here, so the C library looks for it.
func indexOfLineFeed(in bytes: [UInt8], _ part: Range<Int>) -> Int? {
    let offset: Int? = unsafe bytes[part].withUnsafeBytes { part in
        guard let base = part.baseAddress, let found = unsafe memchr(base, 0x0A, part.count) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
    return offset.map { part.lowerBound + $0 }
}
