import ReceiptReport

/// A command line that cannot be understood. The message is lower case, without prefix and full stop.
struct UsageError: Error, Equatable {
    var message: String
    init(_ message: String) { self.message = message }
}

/// One option of the command line: how it is written, what it does, and what `--help` says about it.
///
/// The table of these is the only list of options there is: parsing, `--help` and the suggestions for
/// misspelt options all read it, so an option whose feature does not exist cannot be accepted.
struct OptionDescription: Sendable {
    /// The long name, without the two hyphens.
    var name: String
    /// A one-letter form, where there is one.
    var letter: Character? = nil
    /// How help names the value; nil for an option that takes none.
    var value: String? = nil
    /// The words from which the value is chosen, for completions; empty where it is free, as it may be beside them.
    var words: [String] = []
    /// Whether it may be given more than once.
    var repeats = false
    var group: Group
    /// What `--help` says; lines are broken by the table's author.
    var help: [String]
    /// Takes the value, or the empty string for an option without one.
    var apply: @Sendable (inout Options, String) throws(UsageError) -> Void

    enum Group: String, CaseIterable, Sendable {
        case output = "Output"
        case trust = "Trust"
        case expectations = "Expectations"
        case many = "Many receipts"
        case other = "Other"
    }

    /// Whether it ends the reading of the command line, as `--help` does.
    var isFinal = false
}

/// Reads a command line, without the program's name.
///
/// Long options take their value as `--name value` or `--name=value`; `--` ends the options; `-` is
/// standard input. Options and files may be mixed.
func parseArguments(
    _ arguments: [String], table: [OptionDescription] = optionTable
) throws(UsageError) -> Options {
    var options = Options()
    var given: Set<String> = []
    var position = 0
    var onlyFiles = false

    while position < arguments.count {
        let argument = arguments[position]
        position += 1
        if onlyFiles || argument == "-" || !argument.hasPrefix("-") {
            options.inputs.append(try input(argument, onlyFiles: onlyFiles))
            continue
        }
        if argument == "--" {
            onlyFiles = true
            continue
        }
        let (option, inlineValue) = try find(argument, in: table)
        let isFirst = given.insert(option.name).inserted
        if !option.repeats, !isFirst {
            throw UsageError("option --\(option.name) is given twice")
        }
        var value = ""
        if let placeholder = option.value {
            if let inlineValue {
                value = inlineValue
            } else if position < arguments.count {
                value = arguments[position]
                position += 1
            } else {
                throw UsageError("option --\(option.name) needs a value: --\(option.name) \(placeholder)")
            }
            if value.isEmpty {
                throw UsageError("option --\(option.name) has an empty value")
            }
        } else if inlineValue != nil {
            throw UsageError("option --\(option.name) takes no value")
        }
        try option.apply(&options, value)
        if option.isFinal { return options }
    }
    try options.settle(given)
    return options
}

private func input(_ argument: String, onlyFiles: Bool) throws(UsageError) -> Input {
    if argument.isEmpty { throw UsageError("a file name is empty") }
    return argument == "-" && !onlyFiles ? .standardInput : .file(argument)
}

private func find(
    _ argument: String, in table: [OptionDescription]
) throws(UsageError) -> (OptionDescription, inlineValue: String?) {
    guard argument.hasPrefix("--") else {
        let letters = argument.dropFirst()
        if letters.count == 1, let option = table.first(where: { $0.letter == letters.first }) {
            return (option, nil)
        }
        let known = table.first { $0.name == letters }
        throw UsageError("unknown option \(quoted(argument))" + (known.map { ": did you mean --\($0.name)?" } ?? ""))
    }
    let body = argument.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    guard let option = table.first(where: { $0.name == name }) else {
        let suggestion = nearest(to: name, among: table.map(\.name))
        throw UsageError("unknown option \(quoted("--" + name))" + (suggestion.map { ": did you mean --\($0)?" } ?? ""))
    }
    return (option, body.count == name.count ? nil : String(body.dropFirst(name.count + 1)))
}

/// A word of the user's as messages show it.
func quoted(_ word: String) -> String {
    "'\(escapedForTerminal(word))'"
}
