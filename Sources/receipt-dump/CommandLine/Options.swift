/// What the command line asks for.
struct Options: Equatable, Sendable {
    var action: Action = .show
    var format: Format = .text
    /// The inputs in order; standard input alone when none was named.
    var inputs: [Input] = []
    /// Whether receipts are verified, and not only shown.
    var validates = true
    var redacts = false

    enum Action: Equatable, Sendable {
        case show
        case help
        case version
    }

    enum Format: String, CaseIterable, Sendable {
        case text
        case json
        case asn1
    }
}

/// One thing to read.
enum Input: Hashable, Sendable {
    case standardInput
    case file(String)

    /// How reports name it: the path as given, `-` for standard input.
    var name: String {
        switch self {
        case .standardInput: "-"
        case .file(let path): path
        }
    }
}
