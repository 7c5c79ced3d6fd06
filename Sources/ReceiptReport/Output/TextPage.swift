/// A page of text that is built line by line: headings, pairs of a name and a value, tables.
///
/// Values must be escaped for a terminal before they come here. No value is ever cut: what is too long for the
/// width continues on the next line, or, without a place to break, runs over.
package struct TextPage {
    package private(set) var text = ""
    let style: Style
    let columns: Int

    package init(style: Style, columns: Int) {
        self.style = style
        self.columns = columns
    }

    var bytes: [UInt8] { Array(text.utf8) }

    package mutating func line(_ line: String = "") { text += line + "\n" }

    mutating func heading(_ title: String) { line("\n" + style.bold(title)) }

    /// Longer names have a line of their own.
    private static let widestName = 40

    /// Names in one column, values in the next, as wide as the longest name.
    package mutating func pairs(_ pairs: [(name: String, value: String)], indent: Int = 2) {
        // A name may be a megabyte: it does not make every other line as long.
        let widths = pairs.map { displayWidth($0.name) }
        let nameWidth = widths.filter { $0 <= Self.widestName }.max() ?? 0
        let blanks = String(repeating: " ", count: indent)
        for (pair, width) in zip(pairs, widths) {
            if width > nameWidth {
                paragraph(pair.name, indent: indent)
                hanging(blanks + padded("", to: nameWidth) + "  ", width: indent + nameWidth + 2, pair.value)
            } else {
                hanging(blanks + padded(pair.name, to: nameWidth) + "  ", width: indent + nameWidth + 2, pair.value)
            }
        }
    }

    /// A text behind a head of some width, its further lines below the text.
    mutating func hanging(_ head: String, width: Int, _ text: String) {
        let lines = broken(text, width: max(columns - width, 20))
        line(head + (lines.first ?? ""))
        for continuation in lines.dropFirst() { line(String(repeating: " ", count: width) + continuation) }
    }

    /// A paragraph, its lines broken at blanks.
    mutating func paragraph(_ paragraph: String, indent: Int = 2) {
        for part in broken(paragraph, width: max(columns - indent, 20)) {
            line(String(repeating: " ", count: indent) + part)
        }
    }

    /// Rows under a head, columns as wide as their widest cell.
    ///
    /// When that is wider than the page, each row takes two lines: the last cell below the others or, if that is
    /// still too wide, all cells from `split` on below those before it. On a very narrow page each cell has its own
    /// line. Columns without any content are left out.
    mutating func table(head: [String], rows: [[String]], split: Int) {
        let used = head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let all = [head] + rows
        func widths(_ columns: [Int]) -> [Int] {
            columns.map { column in all.map { displayWidth($0[column]) }.max() ?? 0 }
        }
        func fits(_ columns: [Int]) -> Bool { widths(columns).reduce(0) { $0 + $1 + 2 } <= self.columns }
        let groups: [[Int]]
        if fits(used) {
            groups = [used]
        } else if fits(used.dropLast()), used.last == head.count - 1 {
            groups = [used.dropLast(), used.suffix(1)]
        } else {
            groups = [used.filter { $0 < split }, used.filter { $0 >= split }]
        }
        // The second line of a row is indented by four more.
        let secondWidth = groups.count == 1 ? 0 : widths(groups[1]).reduce(4) { $0 + $1 + 2 }
        if !fits(groups[0]) || secondWidth > self.columns {
            for (index, row) in rows.enumerated() {
                if index > 0 { line() }
                let filled = used.filter { !row[$0].isEmpty }
                pairs(filled.map { (head[$0], row[$0]) })
            }
            return
        }
        let groupWidths = groups.map(widths)
        for (index, row) in all.enumerated() {
            for (level, group) in groups.enumerated() where !group.isEmpty {
                let indent = level == 0 ? "  " : "      "
                let cells = zip(group, groupWidths[level]).map { padded(row[$0], to: $1) }
                var joined = indent + cells.joined(separator: "  ")
                while joined.last == " " { joined.removeLast() }
                if joined.isEmpty { continue }
                line(index == 0 ? style.dim(joined) : joined)
            }
        }
    }

    /// A text in lines of at most some width, broken at blanks where there are any, else anywhere.
    private func broken(_ text: String, width: Int) -> [String] {
        guard displayWidth(text) > width else { return [text] }
        var lines: [String] = []
        var current = ""
        // Widths are added up, not measured again: a text may be one word of a megabyte.
        var currentWidth = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let word = String(word)
            let wordWidth = displayWidth(word)
            let blank = current.isEmpty ? 0 : 1
            if currentWidth + blank + wordWidth <= width {
                current += (blank == 0 ? "" : " ") + word
                currentWidth += blank + wordWidth
                continue
            }
            if !current.isEmpty { lines.append(current) }
            (current, currentWidth) = (word, wordWidth)
            guard wordWidth > width else { continue }
            (current, currentWidth) = ("", 0)
            for character in word {
                let characterWidth = displayWidth(String(character))
                if currentWidth + characterWidth > width {
                    lines.append(current)
                    (current, currentWidth) = ("", 0)
                }
                current.append(character)
                currentWidth += characterWidth
            }
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }
}
