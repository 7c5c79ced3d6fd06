/// What people and programs wrap around an encoded receipt: white space, quotation marks, a data URI's prefix, PEM lines.
struct Wrapping {
    /// The text inside.
    private(set) var range: Range<Int>
    private(set) var form = WrittenForm.base64
    private(set) var tally = RepairTally()
    private var hasBeginLine = false
    private var isSwiftOptional = false

    init(_ text: Span<UInt8>) {
        range = 0..<text.count
        while openOne(text) {}
        closeAll(text)
        removeEndLine(text)
    }

    /// Removes one thing from the front.
    private mutating func openOne(_ text: Span<UInt8>) -> Bool {
        let start = range.lowerBound
        guard start < range.upperBound, let (scalar, length) = text.scalar(at: start) else { return false }
        if scalar == "\u{FEFF}" {
            open(length, .byteOrderMark)
        } else if scalar.isBlank || scalar == "\n" || scalar == "\r" {
            open(length, .surroundingWhiteSpace)
        } else if scalar.isQuotationMark {
            open(length, .quotes)
        } else if text.hasText("\\\"", at: start) || text.hasText("b'", at: start) || text.hasText("b\"", at: start) {
            open(2, .quotes)
        } else if text.hasText("Optional(", at: start) {
            isSwiftOptional = true
            open(9, .quotes)
        } else if text.hasText("data:", at: start, ignoringCase: true) {
            return openDataURI(text)
        } else if !hasBeginLine, let length = Self.beginLine(text, at: start, end: range.upperBound) {
            let isWhole = text.hasText("-----BEGIN ", at: start) && text.hasText("-----", at: start + length - 5)
            hasBeginLine = true
            form = .pem
            open(length, isWhole ? .pemArmour : .damagedPEMArmour)
        } else {
            return false
        }
        return true
    }

    private mutating func open(_ length: Int, _ kind: RepairKind) {
        tally.note(kind, at: range.lowerBound, count: kind == .surroundingWhiteSpace ? length : 1)
        range = min(range.lowerBound + length, range.upperBound)..<range.upperBound
    }

    private mutating func openDataURI(_ text: Span<UInt8>) -> Bool {
        let start = range.lowerBound
        for offset in start..<min(start + 256, range.upperBound) where text[offset] == UInt8(ascii: ",") {
            guard text.range(of: "base64", in: start..<offset, ignoringCase: true) != nil else { return false }
            form = .dataURI
            open(offset + 1 - start, .dataURI)
            return true
        }
        return false
    }

    /// The length of a line `-----BEGIN LABEL-----` at an offset, whole or with some of its hyphens lost.
    private static func beginLine(_ text: Span<UInt8>, at start: Int, end: Int) -> Int? {
        let limit = min(end, start + 100)
        var position = start
        while position < limit, text[position] == UInt8(ascii: "-") { position += 1 }
        guard text.hasText("BEGIN ", at: position) else { return nil }
        position += 6
        while position < limit, text[position].isASCIIAlphanumeric || text[position] == UInt8(ascii: " ") {
            position += 1
        }
        let label = position
        while position < limit, text[position] == UInt8(ascii: "-") { position += 1 }
        return position > label ? position - start : nil
    }

    /// Removes everything from the back that is not part of the encoding.
    private mutating func closeAll(_ text: Span<UInt8>) {
        while range.upperBound > range.lowerBound {
            var start = range.upperBound - 1
            while start > range.lowerBound, text[start] & 0xC0 == 0x80, range.upperBound - start < 4 { start -= 1 }
            guard let (scalar, length) = text.scalar(at: start), start + length == range.upperBound else { return }
            if scalar.isBlank || scalar == "\n" || scalar == "\r" {
                // A backslash before the end of the line belongs to it.
                close(start, .surroundingWhiteSpace)
            } else if scalar == "\0" {
                close(start, .trailingZeros)
            } else if scalar == "," || scalar == ";" {
                guard !isCharacterReference(text, start) else { return }
                close(start, .trailingPunctuation)
            } else if scalar.isQuotationMark {
                let isEscaped = start > range.lowerBound && text[start - 1] == UInt8(ascii: "\\")
                close(isEscaped ? start - 1 : start, .quotes)
            } else if scalar == ")", isSwiftOptional {
                isSwiftOptional = false
                close(start, .quotes)
            } else {
                return
            }
        }
    }

    private mutating func close(_ start: Int, _ kind: RepairKind) {
        tally.note(kind, at: start, count: kind == .surroundingWhiteSpace ? range.upperBound - start : 1)
        range = range.lowerBound..<start
    }

    /// Whether the semicolon at an offset ends something like `&#61;`.
    private func isCharacterReference(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        for index in max(range.lowerBound, offset - 10)..<offset where text[index] == UInt8(ascii: "&") { return true }
        return false
    }

    /// Removes `-----END LABEL-----`, also if only its beginning is left.
    private mutating func removeEndLine(_ text: Span<UInt8>) {
        for offset in max(range.lowerBound, range.upperBound - 120)..<range.upperBound
        where text[offset] == UInt8(ascii: "-") {
            guard let isWhole = endLine(text, at: offset) else { continue }
            let isDamaged = !isWhole || !hasBeginLine
            form = .pem
            tally.note(isDamaged ? .damagedPEMArmour : .pemArmour, at: offset)
            range = range.lowerBound..<offset
            while range.upperBound > range.lowerBound, text[range.upperBound - 1].isWhiteSpace {
                range = range.lowerBound..<(range.upperBound - 1)
            }
            return
        }
        if hasBeginLine { tally.note(.damagedPEMArmour, at: range.upperBound) }
    }

    /// Whether the line that ends a PEM text begins at an offset: true if it is whole, false if it is damaged, nil if
    /// this may as well be base64 with `-` for `+`.
    private func endLine(_ text: Span<UInt8>, at start: Int) -> Bool? {
        let end = range.upperBound
        var position = start
        while position < end, text[position] == UInt8(ascii: "-") { position += 1 }
        let hyphens = position - start
        let beginsLine = start > range.lowerBound && text[start - 1].isWhiteSpace
        guard hyphens >= 5 || (hyphens >= 2 || hasBeginLine) && beginsLine else { return nil }
        for offset in start..<end where text[offset] == 0x0A || text[offset] == 0x0D { return nil }
        if text.hasText("END ", at: position) {
            return hyphens == 5 && text.hasText("-----", at: end - 5)
        }
        let rest = end - position
        let isCut =
            rest == 0 || rest == 1 && text.hasText("E", at: position) || rest == 2 && text.hasText("EN", at: position)
            || rest == 3 && text.hasText("END", at: position)
        return isCut ? false : nil
    }
}
