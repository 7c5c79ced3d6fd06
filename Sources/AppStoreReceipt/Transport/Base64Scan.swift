/// One pass over damaged base64. It runs over clean stretches eight characters at a time and looks closely only where
/// something else stands, so that the time is linear in the text whatever it holds.
///
/// What the text alone cannot decide is in ``rules``: the caller runs a pass for each reading that is possible and lets
/// the length of the receipt decide.
struct Base64Scan {
    /// What a blank inside the text stands for.
    enum SpaceRule: Equatable {
        /// Nothing.
        case noise
        /// `+`.
        case plus
        /// `+` between two characters of the alphabet, otherwise nothing.
        case plusInsideWords
        /// Nothing at the end of each line of this many characters, otherwise `+`.
        case lineEnds(Int)
    }

    struct Rules: Equatable {
        var spaces = SpaceRule.noise
        /// Whether `=` inside the text ends a piece that was encoded by itself; otherwise it is passed over.
        var innerPaddingEndsPiece = true
    }

    let rules: Rules
    let range: Range<Int>
    let end: Int
    /// The offset of the next character.
    private(set) var position: Int
    /// How many bytes have been decoded.
    private(set) var written = 0
    /// The first character that has no place here, if there is one. Decoding ended before it.
    private(set) var refused: Int?
    /// A single character of the alphabet that is left over at the end, which makes no byte.
    private(set) var leftOver: Int?
    /// The offset after the last character of the alphabet.
    private(set) var endOfAlphabet: Int
    /// How many blanks were met among the characters of the alphabet.
    private(set) var spaces = 0
    private(set) var innerPadding = 0
    private(set) var tally = RepairTally()

    private let start: Int
    private var group: UInt32 = 0
    private var phase = 0
    private var padding = 0
    private var firstPadding = 0
    /// A mark after which nothing more may come, if there was one: a closing quotation mark, a comma.
    private var closedAt: Int?
    private var column = 0
    private var sawURLSafe = false

    init(_ range: Range<Int>, rules: Rules) {
        self.rules = rules
        self.range = range
        start = range.lowerBound
        position = range.lowerBound
        endOfAlphabet = range.lowerBound
        end = range.upperBound
    }

    /// The bytes of output that a text of some length needs at most, with room for whole words at the end.
    static func capacity(_ characters: Int) -> Int { characters / 4 * 3 + 3 + 8 }

    /// Decodes until the end, or until a number of bytes have been written.
    mutating func run(_ text: Span<UInt8>, into bytes: inout [UInt8], until limit: Int = .max) {
        // A view of bytes as raw bytes is no less safe.
        let table = Base64Table.words
        let words = table.span
        let input = unsafe text.bytes
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        while position < end, refused == nil, written < limit {
            if phase == 0, padding == 0, closedAt == nil, limit == .max {
                let first = position
                let flags = Base64Table.decodeBlocks(
                    input, words, refused: Base64Table.invalid, position: &position, end: end, into: &raw,
                    written: &written)
                if flags != 0 { sawURLSafe = true }
                if position > first {
                    endOfAlphabet = position
                    column += position - first
                }
                if position >= end { break }
            }
            step(text, words, &raw)
        }
        if written < limit { finish(text, &raw) }
    }

    /// The offset in the text of the character that follows those of the first bytes. Takes one more pass.
    func textOffset(_ text: Span<UInt8>, of byte: Int) -> Int {
        var again = Base64Scan(range, rules: rules)
        var scratch = [UInt8](repeating: 0, count: Self.capacity(range.count))
        again.run(text, into: &scratch, until: byte)
        return again.position
    }

    /// Reads one character, or one escape.
    private mutating func step(_ text: Span<UInt8>, _ words: Span<UInt32>, _ bytes: inout MutableRawSpan) {
        let character = text[position]
        let entry = words[768 + Int(character)]
        if entry < Base64Table.invalid {
            if entry >= Base64Table.urlSafe { sawURLSafe = true }
            push(Base64Table.value(entry), width: 1, &bytes)
            return
        }
        if let escape = TextEscape(text, at: position, end: end) {
            for (code, count) in escape.repairs { tally.note(code, at: position, count: count) }
            read(escape.scalar, text, width: escape.length, isEscaped: true, words, &bytes)
        } else if let (scalar, length) = text.scalar(at: position) {
            read(scalar, text, width: length, isEscaped: false, words, &bytes)
        } else {
            refused = position
        }
    }

    private mutating func read(
        _ scalar: Unicode.Scalar, _ text: Span<UInt8>, width: Int, isEscaped: Bool, _ words: Span<UInt32>,
        _ bytes: inout MutableRawSpan
    ) {
        if isEscaped, scalar.isASCII {
            let entry = words[768 + Int(scalar.value)]
            if entry < Base64Table.invalid {
                if entry >= Base64Table.urlSafe { tally.note(.base64URL, at: position) }
                push(Base64Table.value(entry), width: width, &bytes)
                return
            }
        }
        switch scalar {
        case " ":
            readSpace(text, width: width, &bytes)
            return
        case "\n", "\r":
            let follows = scalar == "\n" && position > start && text[position - 1] == UInt8(ascii: "\r")
            if !isEscaped && !follows { tally.note(.lineBreaks, at: position) }
            column = 0
        case "=": pad()
        case "\0": close(.trailingZeros)
        case ",", ";": close(.trailingPunctuation)
        default:
            if scalar.isBlank {
                if !isEscaped { tally.note(.innerWhiteSpace, at: position) }
            } else if scalar.isQuotationMark {
                if endOfAlphabet == start { tally.note(.quotes, at: position) } else { close(.quotes) }
            } else {
                refused = position
                return
            }
        }
        position += width
    }

    private mutating func readSpace(_ text: Span<UInt8>, width: Int, _ bytes: inout MutableRawSpan) {
        spaces += 1
        let isPlus =
            switch rules.spaces {
            case .noise: false
            case .plus: endOfAlphabet > start
            case .plusInsideWords: text.isBase64(at: position - 1) && text.isBase64(at: position + width)
            case .lineEnds(let width): column != width
            }
        if isPlus {
            tally.note(.spacesForPlus, at: position)
            push(62, width: width, &bytes)
        } else {
            tally.note(.innerWhiteSpace, at: position)
            column = 0
            position += width
        }
    }

    private mutating func pad() {
        if padding == 0 { firstPadding = position }
        padding += 1
    }

    private mutating func close(_ code: TransportRepair.Code) {
        if closedAt == nil { closedAt = position }
        tally.note(code, at: position)
    }

    private mutating func push(_ value: UInt32, width: Int, _ bytes: inout MutableRawSpan) {
        if let closedAt {
            refused = closedAt
            return
        }
        if padding > 0 {
            innerPadding += padding
            tally.note(.innerPadding, at: firstPadding, count: padding)
            padding = 0
            if rules.innerPaddingEndsPiece { flush(&bytes) }
        }
        group = group << 6 | value
        phase += 1
        column += 1
        position += width
        endOfAlphabet = position
        if phase == 4 {
            store(3, group, &bytes)
            group = 0
            phase = 0
        }
    }

    /// Writes the bytes of a group that is not full.
    private mutating func flush(_ bytes: inout MutableRawSpan) {
        switch phase {
        case 1: leftOver = endOfAlphabet - 1
        case 2:
            if group & 0x0F != 0 { tally.note(.trailingBits, at: endOfAlphabet - 1) }
            store(1, group << 12, &bytes)
        case 3:
            if group & 0x03 != 0 { tally.note(.trailingBits, at: endOfAlphabet - 1) }
            store(2, group << 6, &bytes)
        default: break
        }
        group = 0
        phase = 0
    }

    /// Writes the first of the three bytes in 24 bits. There is room: four characters have been read for three bytes.
    private mutating func store(_ count: Int, _ bits: UInt32, _ bytes: inout MutableRawSpan) {
        for index in 0..<count {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
            bytes.storeBytes(of: byte, toByteOffset: written + index, as: UInt8.self)
        }
        written += count
    }

    private mutating func finish(_ text: Span<UInt8>, _ bytes: inout MutableRawSpan) {
        if refused == nil {
            let wanted = phase == 2 ? 2 : phase == 3 ? 1 : 0
            if padding < wanted { tally.note(.missingPadding, at: endOfAlphabet, count: wanted - padding) }
            if padding > wanted { tally.note(.excessPadding, at: firstPadding, count: padding - wanted) }
        }
        flush(&bytes)
        if sawURLSafe { countURLSafe(text) }
    }

    private mutating func countURLSafe(_ text: Span<UInt8>) {
        var count = 0
        var first = endOfAlphabet
        for offset in start..<endOfAlphabet
        where text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "_") {
            if count == 0 { first = offset }
            count += 1
        }
        tally.note(.base64URL, at: first, count: count)
    }
}

extension Span where Element == UInt8 {
    fileprivate func isBase64(at offset: Int) -> Bool {
        offset >= 0 && offset < count && Base64Table.words[768 + Int(self[offset])] < Base64Table.invalid
    }
}

extension Unicode.Scalar {
    /// Blanks that people do not see, apart from the line feed and the carriage return.
    var isBlank: Bool {
        switch value {
        case 0x09, 0x0B, 0x0C, 0x20, 0x85, 0xA0, 0xAD, 0x1680, 0x2000...0x200D, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060,
            0x3000, 0xFEFF:
            true
        default: false
        }
    }

    var isQuotationMark: Bool {
        switch self {
        case "\"", "'", "`", "\u{AB}", "\u{BB}", "\u{2018}"..."\u{201F}", "\u{2039}", "\u{203A}", "\u{B4}": true
        default: false
        }
    }
}
