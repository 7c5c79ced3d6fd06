/// Every option of the command line, in the order in which `--help` shows them.
let optionTable: [OptionDescription] = [
    OptionDescription(
        name: "format", value: "FORMAT", group: .output,
        help: [
            "text: a report to read (the default); json: one object an input;",
            "asn1: the tree of the input's own bytes, whatever they are.",
        ],
        apply: { (options, value) throws(UsageError) in
            options.format = try choice(value, of: "--format", among: Options.Format.allCases)
        }),
    OptionDescription(
        name: "redact", group: .output,
        help: [
            "Replace identifiers, hashes and opaque values by short hashes, the same",
            "everywhere, so that the output can go into a ticket.",
        ],
        apply: { (options, _) throws(UsageError) in options.redacts = true }),
    OptionDescription(
        name: "no-validate", group: .trust, help: ["Show what the input holds and verify nothing."],
        apply: { (options, _) throws(UsageError) in options.validates = false }),
    OptionDescription(
        name: "help", letter: "h", group: .other, help: ["Show this page."],
        apply: { (options, _) throws(UsageError) in options.action = .help }, isFinal: true),
    OptionDescription(
        name: "version", group: .other, help: ["Show the program's version."],
        apply: { (options, _) throws(UsageError) in options.action = .version }, isFinal: true),
]

/// One word of a closed list, or a usage error that names the list.
func choice<Choice: RawRepresentable<String>>(
    _ value: String, of option: String, among choices: [Choice]
) throws(UsageError) -> Choice {
    if let choice = choices.first(where: { $0.rawValue == value }) { return choice }
    let names = choices.map(\.rawValue)
    let suggestion = nearest(to: value, among: names).map { ": did you mean \($0)?" }
    let last = names.last ?? ""
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + last : last
    throw UsageError("\(option) must be \(list), not \(quoted(value))" + (suggestion ?? ""))
}

extension Options {
    /// What only the whole command line can tell: defaults that depend on other options, and combinations that make no sense.
    mutating func settle() throws(UsageError) {
        if inputs.isEmpty { inputs = [.standardInput] }
        if inputs.filter({ $0 == .standardInput }).count > 1 {
            throw UsageError("standard input can be read only once")
        }
    }
}
