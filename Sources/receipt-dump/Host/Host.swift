/// What the tool needs of the process it runs in. Tests pass their own.
struct Host {
    var output: any ByteSink
    var errors: any ByteSink
    var files: any ByteSource
    var outputTerminal = Terminal()
    var errorsAreOnTerminal = false
    var inputIsTerminal = false

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

/// Where inputs come from.
protocol ByteSource {
    /// The whole content of an input.
    func read(_ input: Input) throws(ReadError) -> [UInt8]
}

/// Why output could not be written.
enum WriteError: Error {
    /// Whoever read the output has closed it: nothing is wrong, and nobody wants the rest.
    case closed
    case failed(String)
}

/// Why an input could not be read, in words.
struct ReadError: Error {
    var message: String
}
