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
        /// Whether `_` stands for `+`, as PHP makes it in the key of a form, and not for `/`.
        var underscoreIsPlus = false
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
        position = range.lowerBound
        endOfAlphabet = range.lowerBound
        end = range.upperBound
    }

    /// The bytes of output that a text of some length needs at most, with room for whole words at the end.
    static func capacity(_ characters: Int) -> Int { characters / 4 * 3 + 3 + 8 }

    /// Decodes until the end, or until a number of bytes have been written.
    mutating func run(_ text: Span<UInt8>, into bytes: inout [UInt8], until limit: Int = .max) {
        let tables = (
            Base64Table.standard,
            rules.underscoreIsPlus ? Base64Table.standardAndUnderscore : Base64Table.standardAndURLSafe
        )
        // A view of bytes as raw bytes is no less safe.
        let input = unsafe text.bytes
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        // A group holds a byte that is complete after its second, third and fourth character.
        while position < end, refused == nil, written + phase * 6 / 8 < limit {
            if padding == 0, closedAt == nil, limit == .max || limit - written > 32 {
                if phase == 0 {
                    let first = position
                    // Eight characters make six bytes.
                    let end = limit == .max ? end : min(end, position + (limit - written - 16) / 6 * 8)
                    Base64Table.decodeBlocks(
                        input, sawURLSafe ? tables.1.span : tables.0.span, position: &position, end: end, into: &raw,
                        written: &written)
                    if position > first {
                        endOfAlphabet = position
                        column += position - first
                    }
                }
                if stepOver(text, tables.1.span, &raw) { continue }
                if position >= end { break }
            }
            step(text, tables.1.span, &raw)
        }
        if limit == .max { finish(text, &raw) }
    }

    /// Decodes the bytes of an element whose length is known, whatever comes behind them.
    mutating func runElement(_ text: Span<UInt8>, into bytes: inout [UInt8], length: Int) {
        run(text, into: &bytes, until: length)
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        flush(&raw)
        if sawURLSafe { countURLSafe(text) }
    }

    /// Whether `_` can only stand for `+`: `/` is there itself, and neither `+` nor `-` is.
    func usesUnderscoreForPlus(_ text: Span<UInt8>) -> Bool {
        guard sawURLSafe, !rules.underscoreIsPlus else { return false }
        var slashes = 0
        var underscores = 0
        for offset in range.lowerBound..<endOfAlphabet {
            switch text[offset] {
            case UInt8(ascii: "+"), UInt8(ascii: "-"): return false
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: "_"): underscores += 1
            default: break
            }
        }
        return slashes > 0 && underscores > 0
    }

    /// The offset in the text of the first character that holds nothing of the bytes before one. Takes one more pass.
    func textOffset(_ text: Span<UInt8>, of byte: Int) -> Int {
        var again = Base64Scan(range, rules: rules)
        var scratch = [UInt8](repeating: 0, count: Self.capacity(range.count))
        again.run(text, into: &scratch, until: byte)
        return again.position
    }

    /// Goes on over the damage that is frequent (line breaks, `\/`, `%2B`, the other alphabet) until a group is full
    /// behind it.
    ///
    /// This does nothing that ``step(_:_:_:)`` does not do. It exists because a text wrapped or escaped every few dozen
    /// characters should not take several times as long as a clean one.
    ///
    /// - Returns: Whether it has moved on.
    private mutating func stepOver(
        _ text: Span<UInt8>, _ words: Span<UInt32>, _ bytes: inout MutableRawSpan
    ) -> Bool {
        let first = position
        var (position, group, phase, written) = (position, group, phase, written)
        var endOfAlphabet = endOfAlphabet
        while position < end {
            let character = text[position]
            let entry = words[768 + Int(character)]
            var value = Base64Table.value(entry)
            var width = 1
            if entry >= Base64Table.invalid {
                if character == 0x0A || character == 0x0D {
                    if character == 0x0D || position == range.lowerBound || text[position - 1] != 0x0D {
                        tally.note(.lineBreaks, at: position)
                    }
                    column = 0
                    position += 1
                    if phase == 0 { break }
                    continue
                } else if character == UInt8(ascii: "\\"), position + 1 < end, text[position + 1] == UInt8(ascii: "/") {
                    tally.note(.escapedSlashes, at: position)
                    (value, width) = (63, 2)
                } else if character == UInt8(ascii: "%"), position + 2 < end, text[position + 1] == UInt8(ascii: "2"),
                    let plusOrSlash = Self.plusOrSlash(text[position + 2])
                {
                    tally.note(.percentEncoding, at: position)
                    (value, width) = (plusOrSlash, 3)
                } else if character == 0x20, rules.spaces == .noise {
                    tally.note(.innerWhiteSpace, at: position)
                    spaces += 1
                    column = 0
                    position += 1
                    continue
                } else if character == 0x20, rules.spaces == .plus, endOfAlphabet > range.lowerBound {
                    tally.note(.spacesForPlus, at: position)
                    spaces += 1
                    value = 62
                } else {
                    break
                }
            } else if character.isURLSafe {
                sawURLSafe = true
            }
            group = group << 6 | value
            phase += 1
            column += 1
            position += width
            endOfAlphabet = position
            if phase == 4 {
                Self.store(3, group, &bytes, at: written)
                written += 3
                group = 0
                phase = 0
                if position - first >= 8 || width > 1 { break }
            }
        }
        (self.position, self.group, self.phase, self.written) = (position, group, phase, written)
        self.endOfAlphabet = endOfAlphabet
        return position > first
    }

    /// The value of `+` or `/` from the last digit of `%2B` or `%2F`.
    private static func plusOrSlash(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "B"), UInt8(ascii: "b"): 62
        case UInt8(ascii: "F"), UInt8(ascii: "f"): 63
        default: nil
        }
    }

    /// Reads one character, or one escape.
    private mutating func step(_ text: Span<UInt8>, _ words: Span<UInt32>, _ bytes: inout MutableRawSpan) {
        let character = text[position]
        let entry = words[768 + Int(character)]
        if entry < Base64Table.invalid {
            if character.isURLSafe { sawURLSafe = true }
            push(Base64Table.value(entry), width: 1, &bytes)
        } else if let escape = TextEscape(text, at: position, end: end) {
            tally.note(escape.kind, at: position)
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
                if scalar == "-" || scalar == "_" { tally.note(.base64URL, at: position) }
                push(Base64Table.value(entry), width: width, &bytes)
                return
            }
        }
        switch scalar {
        case " ":
            readSpace(text, width: width, &bytes)
            return
        case "\n", "\r":
            let follows = scalar == "\n" && position > range.lowerBound && text[position - 1] == 0x0D
            if !isEscaped && !follows { tally.note(.lineBreaks, at: position) }
            column = 0
        case "=": pad()
        case "\0": close(.trailingZeros)
        case ",", ";": close(.trailingPunctuation)
        default:
            if scalar.isBlank {
                if !isEscaped { tally.note(.innerWhiteSpace, at: position) }
            } else if scalar.isQuotationMark {
                if endOfAlphabet == range.lowerBound { tally.note(.quotes, at: position) } else { close(.quotes) }
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
            case .plus: endOfAlphabet > range.lowerBound
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

    private mutating func close(_ kind: RepairKind) {
        if closedAt == nil { closedAt = position }
        tally.note(kind, at: position)
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

    private mutating func store(_ count: Int, _ bits: UInt32, _ bytes: inout MutableRawSpan) {
        Self.store(count, bits, &bytes, at: written)
        written += count
    }

    /// Writes the first of the three bytes in 24 bits. There is room: four characters have been read for three bytes.
    @inline(__always)
    private static func store(_ count: Int, _ bits: UInt32, _ bytes: inout MutableRawSpan, at offset: Int) {
        for index in 0..<count {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
            bytes.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
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
        let alphabet = text.extracting(range.lowerBound..<endOfAlphabet)
        var first = 0
        while first < alphabet.count, !alphabet[first].isURLSafe { first += 1 }
        var count = 0
        var offset = first
        while offset + 8 <= alphabet.count {
            // Checked against the span's bounds; any eight bytes are a UInt64.
            let block = unsafe alphabet.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            count += Self.count(of: UInt8(ascii: "-"), in: block) + Self.count(of: UInt8(ascii: "_"), in: block)
            offset += 8
        }
        for rest in offset..<alphabet.count where alphabet[rest].isURLSafe { count += 1 }
        tally.note(
            rules.underscoreIsPlus ? .underscoresForPlus : .base64URL, at: range.lowerBound + first, count: count)
    }

    /// How many of eight bytes are equal to one.
    private static func count(of byte: UInt8, in block: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let difference = block ^ (ones &* UInt64(byte))
        // In each byte the highest bit is set where the difference is zero; the product adds them up at the top.
        let equal = ~(((difference & low) &+ low) | difference | low)
        return Int(((equal >> 7) &* ones) >> 56)
    }
}

extension UInt8 {
    fileprivate var isURLSafe: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

extension Span where Element == UInt8 {
    fileprivate func isBase64(at offset: Int) -> Bool {
        offset >= 0 && offset < count && Base64Table.standardAndURLSafe[768 + Int(self[offset])] < Base64Table.invalid
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
