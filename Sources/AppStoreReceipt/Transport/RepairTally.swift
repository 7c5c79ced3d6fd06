/// Counts repairs while they are made; ``repairs`` puts them into words. Counting costs no allocation and no comparison
/// of strings, because a hostile text needs a repair at every character.
struct RepairTally {
    enum Kind: Int, CaseIterable {
        case byteOrderMark, utf16, surroundingWhiteSpace, quotes, trailingPunctuation, trailingZeros, lineBreaks
        case innerWhiteSpace, literalEscapes, escapedSlashes, unicodeEscapes, percentEncoding, doublePercentEncoding
        case characterReferences, spacesForPlus, base64URL, missingPadding, excessPadding, innerPadding, trailingBits
        case dataURI, pemArmour, damagedPEMArmour, encodedTwice, trailingBytes, hexSeparators
    }

    private var counts = InlineArray<26, Int>(repeating: 0)
    private var offsets = InlineArray<26, Int>(repeating: .max)

    mutating func note(_ kind: Kind, at offset: Int, count: Int = 1) {
        guard count > 0 else { return }
        counts[kind.rawValue] += count
        offsets[kind.rawValue] = min(offsets[kind.rawValue], offset)
    }

    func has(_ kind: Kind) -> Bool { counts[kind.rawValue] > 0 }

    mutating func merge(_ other: RepairTally) {
        for kind in Kind.allCases where other.has(kind) {
            note(kind, at: other.offsets[kind.rawValue], count: other.counts[kind.rawValue])
        }
    }

    /// Turns offsets in an inner text into offsets in the one around it.
    mutating func mapOffsets(_ transform: (Int) -> Int) {
        for kind in Kind.allCases where has(kind) { offsets[kind.rawValue] = transform(offsets[kind.rawValue]) }
    }

    var repairs: [TransportRepair] {
        var found: [TransportRepair] = []
        for kind in Kind.allCases where has(kind) {
            found.append(TransportRepair(kind, at: offsets[kind.rawValue], count: counts[kind.rawValue]))
        }
        return found.count < 2 ? found : found.sorted { ($0.offset, $0.code.rawValue) < ($1.offset, $1.code.rawValue) }
    }
}

extension RepairTally.Kind {
    var code: TransportRepair.Code {
        switch self {
        case .byteOrderMark: .byteOrderMark
        case .utf16: .utf16
        case .surroundingWhiteSpace: .surroundingWhiteSpace
        case .quotes: .quotes
        case .trailingPunctuation: .trailingPunctuation
        case .trailingZeros: .trailingZeros
        case .lineBreaks: .lineBreaks
        case .innerWhiteSpace: .innerWhiteSpace
        case .literalEscapes: .literalEscapes
        case .escapedSlashes: .escapedSlashes
        case .unicodeEscapes: .unicodeEscapes
        case .percentEncoding: .percentEncoding
        case .doublePercentEncoding: .doublePercentEncoding
        case .characterReferences: .characterReferences
        case .spacesForPlus: .spacesForPlus
        case .base64URL: .base64URL
        case .missingPadding: .missingPadding
        case .excessPadding: .excessPadding
        case .innerPadding: .innerPadding
        case .trailingBits: .trailingBits
        case .dataURI: .dataURI
        case .pemArmour: .pemArmour
        case .damagedPEMArmour: .damagedPEMArmour
        case .encodedTwice: .encodedTwice
        case .trailingBytes: .trailingBytes
        case .hexSeparators: .hexSeparators
        }
    }
}

extension TransportRepair {
    init(_ kind: RepairTally.Kind, at offset: Int, count: Int) {
        code = kind.code
        self.offset = offset
        self.count = count
        description = Self.words(kind, count)
    }

    private static func words(_ kind: RepairTally.Kind, _ count: Int) -> String {
        func counted(_ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }
        return switch kind {
        case .byteOrderMark: "byte order mark removed"
        case .utf16: "UTF-16 read as text"
        case .surroundingWhiteSpace: "white space around the text removed"
        case .quotes: "quotation marks around the text removed"
        case .trailingPunctuation: "punctuation after the text removed"
        case .trailingZeros: counted("zero byte", "zero bytes") + " after the text removed"
        case .lineBreaks: counted("line break", "line breaks") + " removed"
        case .innerWhiteSpace: counted("white space character", "white space characters") + " inside the text removed"
        case .literalEscapes: counted("escape", "escapes") + " for white space, such as \\n, removed"
        case .escapedSlashes: counted("escaped slash", "escaped slashes") + " read as /"
        case .unicodeEscapes: counted("escape", "escapes") + " such as \\u003d decoded"
        case .percentEncoding: counted("percent-encoded character", "percent-encoded characters") + " decoded"
        case .doublePercentEncoding:
            counted("character", "characters") + " decoded that had been percent-encoded more than once"
        case .characterReferences: counted("character reference", "character references") + " such as &#43; decoded"
        case .spacesForPlus: counted("space", "spaces") + " read as +"
        case .base64URL: counted("URL-safe character", "URL-safe characters") + " (- or _) read as + or /"
        case .missingPadding: counted("missing =", "missing =") + " supplied"
        case .excessPadding: counted("needless =", "needless =") + " removed"
        case .innerPadding: counted("=", "=") + " inside the text passed over"
        case .trailingBits: "bits after the last byte ignored"
        case .dataURI: "data URI prefix removed"
        case .pemArmour: "PEM lines removed"
        case .damagedPEMArmour: "a PEM line is missing or damaged"
        case .encodedTwice: counted("further layer", "further layers") + " of encoding undone"
        case .trailingBytes: counted("byte", "bytes") + " of white space or zeros after the receipt removed"
        case .hexSeparators: counted("separator", "separators") + " among the digits removed"
        }
    }
}
