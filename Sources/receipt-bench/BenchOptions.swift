/// What the command line asks for.
struct BenchOptions {
    var isJSON = false
    /// Only what cannot be noise, against limits.
    var isQuick = false
    var seconds = 10.0
    /// Words of which an operation's name and receipt must contain one.
    var only: [String] = []
    var files: [String] = []
    var roots: [String] = []
    /// One operation this many times and nothing else, for a profiler.
    var operation: String?
    var times = 1
    /// Where to write the forged receipts.
    var folder: String?

    static let help = """
        usage: receipt-bench [options] [FILE...]

        Measures decoding and validating receipts, and beside them what libcrypto needs for its part when it is
        called straight from C. Everything runs in one process, in turn, round after round; shown are the best round
        and the median one.

        Without files it measures the genuine receipt in Fixtures/genuine, if run from the package's folder, and
        forged receipts of 187, 1,000 and 10,000 purchases, as DER and as the BER that Xcode writes. A FILE, in any
        form a receipt is sent in, takes the place of the first if it has fewer than 30 purchases, otherwise that of
        the one with 187; more files are measured beside them. Times are only worth something in a release build:

          swift run -c release receipt-bench

        options:
          --json           one JSON object: ratios, figures, and all that was measured
          --quick          count instructions (if valgrind is installed) and allocations instead of time, hold them
                           against limits, and fail if one is exceeded: for continuous integration
          --seconds N      how long to measure (default 10)
          --only TEXT      measure operations with this in their name or receipt, as shown in the table; repeatable.
                           Ratios of what is not measured are left out
          --root FILE      trust this certificate for the files (DER; repeatable; default Apple Root CA)
          --operation NAME --times N [FILE]
                           do one thing N times and nothing else, for a profiler; NAME is one of
                             decode           bytes to model
                             transport        text to bytes
                             validate-warm    a decoded receipt, chain known
                             validate-cold    a decoded receipt, chain not known
                             examine          a decoded receipt, every check
                             purchases-latest-first
                                              a decoded receipt's purchases, sorted
                             text-to-verdict  all of it, chain known; times what receipt-dump --lines does
          --write-receipts FOLDER
                           write the forged receipts there, to be measured with other programs
          --help

        exit: 0 done · 1 a limit is exceeded · 64 usage · 66 cannot read · 70 something failed
        """

    struct UsageError: Error { let message: String }

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--quick": isQuick = true
            case "--seconds":
                guard let value = Double(try Self.value(of: argument, &rest)), value > 0, value <= 3_600 else {
                    throw UsageError(message: "--seconds takes a number of seconds, up to 3600")
                }
                seconds = value
            case "--only": only.append(try Self.value(of: argument, &rest))
            case "--root": roots.append(try Self.value(of: argument, &rest))
            case "--operation": operation = try Self.value(of: argument, &rest)
            case "--times":
                guard let value = Int(try Self.value(of: argument, &rest)), value > 0 else {
                    throw UsageError(message: "--times takes a number above 0")
                }
                times = value
            case "--write-receipts": folder = try Self.value(of: argument, &rest)
            case _ where argument.hasPrefix("-"): throw UsageError(message: "unknown option '\(argument)'")
            default: files.append(argument)
            }
        }
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
        return value
    }
}
