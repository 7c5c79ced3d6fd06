/// A shell whose completions the tool can write.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

/// The script with which a shell completes the tool's command line, made from the table of options.
func completions(for shell: Shell, table: [OptionDescription] = optionTable) -> String {
    switch shell {
    case .bash: bashCompletions(table)
    case .zsh: zshCompletions(table)
    case .fish: fishCompletions(table)
    }
}

extension OptionDescription {
    /// How help is cut for one line of a menu: to the end of its first sentence or clause.
    fileprivate var summary: String {
        let text = help.joined(separator: " ")
        let end = text.indices.first { index in
            let next = text.index(after: index)
            return ".;(".contains(text[index]) && (next == text.endIndex || text[next] == " " || text[index] == "(")
        }
        var summary = text[..<(end ?? text.endIndex)]
        while summary.last?.isWhitespace == true { summary.removeLast() }
        return String(summary)
    }

    fileprivate var takesFile: Bool { value == "FILE" }
}

private func bashCompletions(_ table: [OptionDescription]) -> String {
    let names = table.flatMap { ["--\($0.name)"] + ($0.letter.map { ["-\($0)"] } ?? []) }
    var script = """
        # bash completion for receipt-dump, written by receipt-dump --completions bash
        _receipt_dump() {
            local current="${COMP_WORDS[COMP_CWORD]}" option="${COMP_WORDS[COMP_CWORD-1]}"
            # To bash, --name=value is three words.
            if [ "$current" = "=" ]; then current=""; fi
            if [ "$option" = "=" ]; then option="${COMP_WORDS[COMP_CWORD-2]}"; fi
            COMPREPLY=()
            case "$option" in

        """
    for option in table where option.value != nil {
        let choice =
            option.takesFile
            ? "compopt -o default"
            : option.words.isEmpty
                ? ":" : "COMPREPLY=($(compgen -W \"\(option.words.joined(separator: " "))\" -- \"$current\"))"
        script += "        --\(option.name)) \(choice); return ;;\n"
    }
    script += """
            esac
            case "$current" in
                -*) COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$current")) ;;
                *) compopt -o default ;;
            esac
        }
        complete -F _receipt_dump receipt-dump

        """
    return script
}

private func zshCompletions(_ table: [OptionDescription]) -> String {
    var lines = [
        "#compdef receipt-dump", "# zsh completion for receipt-dump, written by receipt-dump --completions zsh",
        "_arguments -s -S \\",
    ]
    for option in table {
        let action =
            option.takesFile ? "_files" : option.words.isEmpty ? " " : "(\(option.words.joined(separator: " ")))"
        let value = option.value.map { ":\($0):\(action)" } ?? ""
        let description = option.summary.flatMap { character -> [Character] in
            switch character {
            case "[", "]", ":", "\\": ["\\", character]
            case "'": ["’"]
            default: [character]
            }
        }
        let spellings = ["--\(option.name)\(value.isEmpty ? "" : "=")"] + (option.letter.map { ["-\($0)"] } ?? [])
        for spelling in spellings {
            lines.append("  '\(option.repeats ? "*" : "")\(spelling)[\(String(description))]\(value)' \\")
        }
    }
    return (lines + ["  '*:receipt:_files'", ""]).joined(separator: "\n")
}

private func fishCompletions(_ table: [OptionDescription]) -> String {
    var script = "# fish completion for receipt-dump, written by receipt-dump --completions fish\n"
    for option in table {
        script += "complete -c receipt-dump -l \(option.name)"
        if let letter = option.letter { script += " -s \(letter)" }
        if option.value != nil {
            script += option.takesFile ? " -r -F" : " -x"
            if !option.words.isEmpty { script += " -a '\(option.words.joined(separator: " "))'" }
        }
        let description = option.summary.flatMap { character -> [Character] in
            "'\\".contains(character) ? ["\\", character] : [character]
        }
        script += " -d '\(String(description))'\n"
    }
    return script
}
