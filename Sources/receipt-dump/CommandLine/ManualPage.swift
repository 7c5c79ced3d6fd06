import ReceiptReport

/// The manual page, in the macros of man(7), made from the page that `--help` shows and from the table of options.
func manualPage(table: [OptionDescription] = optionTable) -> String {
    var page = ".TH RECEIPT\\-DUMP 1 \"\" \"app\\-store\\-receipt \(version)\" \"User Commands\"\n"
    // Neither hyphenated nor spread out: names of options and keys stay as they are written.
    page += ".nh\n.ad l\n"
    for section in sections(of: helpPage(table: table)) {
        page += ".SH \(section.title)\n"
        switch section.title {
        case "OPTIONS":
            page += options(table)
            // Behind the table, help says how values are written.
            if let last = section.paragraphs.last { page += ".PP\n" + flowing(last) }
        case "SYNOPSIS", "EXIT STATUS", "EXAMPLES":
            for paragraph in section.paragraphs {
                page += ".PP\n.nf\n" + paragraph.map { line($0) }.joined() + ".fi\n"
            }
        default:
            for (number, paragraph) in section.paragraphs.enumerated() {
                page += (number == 0 ? "" : ".PP\n") + flowing(paragraph)
            }
        }
    }
    return page
}

/// A heading and the paragraphs below it, without their indentation.
private struct Section {
    var title: String
    var paragraphs: [[Substring]] = []
}

private func sections(of page: String) -> [Section] {
    var sections: [Section] = []
    var isNewParagraph = true
    for text in page.split(separator: "\n", omittingEmptySubsequences: false) {
        if text.isEmpty {
            isNewParagraph = true
        } else if text.first != " " {
            sections.append(Section(title: String(text)))
            isNewParagraph = true
        } else if let last = sections.indices.last {
            if isNewParagraph { sections[last].paragraphs.append([]) }
            isNewParagraph = false
            sections[last].paragraphs[sections[last].paragraphs.count - 1].append(text.dropFirst(2))
        }
    }
    return sections
}

private func options(_ table: [OptionDescription]) -> String {
    var text = ""
    for group in OptionDescription.Group.allCases {
        let members = table.filter { $0.group == group }
        if members.isEmpty { continue }
        text += ".SS \(group.rawValue)\n"
        for option in members {
            let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
            let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
            let repeats = option.repeats ? " (repeatable)" : ""
            text += ".TP\n\(letter)\\fB\\-\\-\(escaped(option.name))\\fR\(value)\(repeats)\n"
            text += option.help.map { line($0[...]) }.joined()
        }
    }
    return text
}

private func flowing(_ lines: [Substring]) -> String { lines.map { line($0) }.joined() }

/// One line of text, which must not be taken for a request.
private func line(_ text: Substring) -> String {
    (text.first == "." || text.first == "'" ? "\\&" : "") + escaped(text) + "\n"
}

private func escaped(_ text: some StringProtocol) -> String {
    String(
        text.flatMap { character -> [Character] in
            switch character {
            case "\\": ["\\", "e"]
            case "-": ["\\", "-"]
            default: [character]
            }
        })
}
