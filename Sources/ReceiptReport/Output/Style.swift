/// Colour and weight for terminals, or nothing at all.
package struct Style: Sendable {
    package var isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func red(_ text: String) -> String { wrap(text, "31") }
    func green(_ text: String) -> String { wrap(text, "32") }
    func yellow(_ text: String) -> String { wrap(text, "33") }

    /// ECMA-48 SGR. The text itself is escaped already, so nothing in it can end or change the style.
    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Columns that a text takes on a terminal: two for the wide characters of East Asian scripts and emoji.
func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    var width = 0
    for character in text { width += character.unicodeScalars.contains(where: isWide) ? 2 : 1 }
    return width
}

/// The wide ranges of Unicode's East Asian Width property, by block.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3: true
    case 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: true
    case 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD: true
    default: false
    }
}

/// A text with blanks behind it, up to a width in columns.
func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}
