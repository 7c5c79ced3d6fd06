/// Counts repairs while they are made; ``repairs`` puts them into words.
struct RepairTally {
    private var entries: [(code: TransportRepair.Code, offset: Int, count: Int)] = []

    mutating func note(_ code: TransportRepair.Code, at offset: Int, count: Int = 1) {
        guard count > 0 else { return }
        if let index = entries.firstIndex(where: { $0.code == code }) {
            entries[index].offset = min(entries[index].offset, offset)
            entries[index].count += count
        } else {
            entries.append((code, offset, count))
        }
    }

    mutating func merge(_ other: RepairTally) {
        for entry in other.entries { note(entry.code, at: entry.offset, count: entry.count) }
    }

    /// Turns offsets in an inner text into offsets in the one around it.
    mutating func mapOffsets(_ transform: (Int) -> Int) {
        for index in entries.indices { entries[index].offset = transform(entries[index].offset) }
    }

    var repairs: [TransportRepair] {
        entries
            .sorted { ($0.offset, $0.code.rawValue) < ($1.offset, $1.code.rawValue) }
            .map { TransportRepair($0.code, at: $0.offset, count: $0.count) }
    }
}

extension TransportRepair {
    init(_ code: Code, at offset: Int, count: Int) {
        self.code = code
        self.offset = offset
        self.count = count
        description = Self.words(code, count)
    }

    private static func words(_ code: Code, _ count: Int) -> String {
        func counted(_ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }
        return switch code {
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
        default: code.rawValue
        }
    }
}
