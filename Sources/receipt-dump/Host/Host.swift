import AppStoreReceipt

/// What the tool needs of the process it runs in. Tests pass their own.
struct Host {
    var output: any ByteSink
    var errors: any ByteSink
    var files: any ByteSource
    var outputTerminal = Terminal()
    var errorsAreOnTerminal = false
    var inputIsTerminal = false
    var interruption = Interruption()
    /// Whether SIGINT and SIGTERM are to end `--lines` in an orderly way.
    var listensToSignals = false
    /// The current time; asked for only with `--at now`.
    var now: () -> ReceiptDate

    /// How reports may look where they go.
    struct Terminal: Sendable {
        var isTerminal = false
        /// Columns that a line may use.
        var columns = 100
        var allowsColour = false
    }
}

/// Somewhere that bytes go.
protocol ByteSink {
    /// Writes all the bytes; throws when that is not possible any more.
    func write(_ bytes: [UInt8]) throws(WriteError)
}

/// Where inputs come from. Used by several threads.
protocol ByteSource: Sendable {
    /// The whole content of an input.
    func read(_ input: Input) throws(ReadError) -> [UInt8]
    /// An input piece by piece. A read that waits ends when the interruption comes, as if the input had ended.
    func open(_ input: Input, _ interruption: Interruption) throws(ReadError) -> any ByteStream
    /// The length of an input, where it is known beforehand.
    func size(_ input: Input) -> Int?
}

/// For sources that have everything in memory.
extension ByteSource {
    func open(_ input: Input, _ interruption: Interruption) throws(ReadError) -> any ByteStream {
        WholeStream(try read(input))
    }

    func size(_ input: Input) -> Int? { nil }
}

private final class WholeStream: ByteStream {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(into buffer: inout [UInt8], _ part: Range<Int>) -> Int {
        let piece = rest.prefix(part.count)
        buffer.replaceSubrange(part.prefix(piece.count), with: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}

/// Why output could not be written.
enum WriteError: Error {
    /// Whoever read the output has closed it: nothing is wrong, and nobody wants the rest.
    case closed
    case failed(String)
}

/// Why the tool stops before it is done, and with which status.
struct Stop: Error {
    var status: Int32
    /// Nil when nobody needs to be told.
    var message: String?
}

extension Host {
    /// Writes to standard output. Returns whether anybody still reads it: whoever has closed it has what it wants,
    /// which is no failure, and changes nothing of what the status says about the inputs.
    @discardableResult
    func write(_ bytes: [UInt8]) throws(Stop) -> Bool {
        do throws(WriteError) {
            try output.write(bytes)
            return true
        } catch {
            switch error {
            case .closed: return false
            case .failed(let message): throw Stop(status: ExitStatus.internal, message: message)
            }
        }
    }

    /// One line of the tool's own on standard error.
    func complain(_ message: String) { writeErrors("receipt-dump: \(message)\n") }

    /// Writes to standard error.
    func writeErrors(_ text: String) {
        // try?: where standard error is closed or full nobody can be told, and the answers and the status still can.
        try? errors.write(Array(text.utf8))
    }
}

/// Why an input could not be read, in words.
struct ReadError: Error {
    var message: String
}
