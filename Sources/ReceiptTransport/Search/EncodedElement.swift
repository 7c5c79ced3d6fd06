internal import ReceiptASN1

/// Base64 of a ContentInfo with signedData somewhere in a text.
enum EncodedElement {
    /// Whether base64 of `30 8x …`, then the object identifier of signedData, begins at an offset where "MI" stands.
    static func begins(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard start + 20 <= text.count else { return false }
        switch text[start + 2] {
        case UInt8(ascii: "A"): if text.hasText("GCSqGSIb3DQEHAq", at: start + 3) { return true }
        case UInt8(ascii: "E")...UInt8(ascii: "H"):
            if text.hasText("BgkqhkiG9w0BBw", at: start + 4) { return true }
        case UInt8(ascii: "I")...UInt8(ascii: "L"):
            if text.hasText("YJKoZIhvcNAQcC", at: start + 6) { return true }
        case UInt8(ascii: "M")...UInt8(ascii: "P"):
            if text.hasText("GCSqGSIb3DQEHA", at: start + 7) { return true }
        case UInt8(ascii: "Q")...UInt8(ascii: "T"):
            if text.hasText("BgkqhkiG9w0BBw", at: start + 8) { return true }
        default: return false
        }
        // Escaped or wrapped inside the header: rare, and looked at only where something else than base64 stands.
        for offset in (start + 3)..<(start + 20)
        where !text[offset].isASCIIAlphanumeric && text[offset] != UInt8(ascii: "+") {
            return header(text, at: start).map { $0.count > 12 && ReceiptBeginning.isContentInfo($0.span) } ?? false
        }
        return false
    }

    /// The first bytes, read over whatever damage there is.
    private static func header(_ text: Span<UInt8>, at start: Int) -> [UInt8]? {
        let range = start..<min(text.count, start + 96)
        var scan = Base64Scan(range, rules: .init())
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(range.count))
        scan.run(text, into: &bytes, until: 17)
        return Array(bytes[..<min(scan.written, 17)])
    }

    /// Reads the receipt that begins at an offset: to the end of its quotation marks, or to its own end.
    static func read(_ text: Span<UInt8>, at start: Int, layer: Int) -> ReceiptSearch.Attempt {
        guard let header = header(text, at: start) else { return .init(.nothing, end: start + 2, work: 96) }
        let length = ReceiptBeginning.length(header.span)
        var reader = ElementReader(text, start, length)
        reader.readAll(text)
        return reader.attempt(text)
    }
}

/// The identifier and length octets of a ContentInfo.
enum ReceiptBeginning {
    /// Whether some bytes are those of a ContentInfo with signedData, as far as they go: 30, a length, the object identifier.
    static func isContentInfo(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30, 0x80...0x84 ~= bytes[1] else { return false }
        let start = 2 + Int(bytes[1] & 0x7F)
        let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        for index in signedData.indices where start + index < bytes.count {
            guard bytes[start + index] == signedData[index] else { return false }
        }
        return bytes.count > start
    }

    /// The whole length by the first octets; nil if it is indefinite.
    static func length(_ bytes: Span<UInt8>) -> Int? {
        guard case .cut(let length?) = OuterElement(measuring: bytes) else { return nil }
        return length
    }
}

/// Reads one base64 receipt out of a text in the ways that are possible, the plain one first.
private struct ElementReader {
    let start: Int
    let length: Int?
    private var end: Int
    private var work = 0
    private var best: DecodedTransport?
    private var fault: TransportFault?

    init(_ text: Span<UInt8>, _ start: Int, _ length: Int?) {
        self.start = start
        self.length = length
        end = start
    }

    mutating func readAll(_ text: Span<UInt8>) {
        var rules = Base64Scan.Rules()
        rules.underscoreIsPlus = false
        let plain = tryReading(text, start..<text.count, rules)
        if best != nil, plain.usesUnderscoreForPlus(text) {
            best = nil
            rules.underscoreIsPlus = true
            _ = tryReading(text, start..<text.count, rules)
        }
        if best == nil, plain.innerPadding > 0 {
            // Lines of quoted-printable text end in a sign that is no padding.
            _ = tryReading(text, start..<text.count, .init(innerPaddingEndsPiece: false))
        }
        if best == nil, plain.spaces > 0 {
            for spaces in [Base64Scan.SpaceRule.plus, .lineEnds(64), .lineEnds(76)] where best == nil {
                _ = tryReading(text, start..<text.count, .init(spaces: spaces))
            }
        }
        guard best == nil, let clean = CleanedLines(text, from: start) else { return }
        work += clean.text.count
        let before = end
        _ = tryReading(clean.text.span, 0..<clean.text.count, .init())
        guard best != nil else {
            end = before
            return
        }
        best?.tally.mapOffsets(clean.offset(of:))
        best?.tally.note(clean.kind, at: clean.firstRemoved, count: clean.removed)
        end = clean.offset(of: end)
    }

    private mutating func tryReading(_ text: Span<UInt8>, _ range: Range<Int>, _ rules: Base64Scan.Rules) -> Base64Scan
    {
        // A receipt of known length needs so many characters; as much again and more leaves room for escapes.
        let limit = length.map { min(range.upperBound, range.lowerBound + $0 * 4 + 1024) } ?? range.upperBound
        var scan = Base64Scan(range.lowerBound..<limit, rules: rules)
        let room = Base64Scan.capacity(min(limit - range.lowerBound, (length ?? limit) / 3 * 4 + 64))
        var bytes = [UInt8](repeating: 0, count: room)
        if let length { scan.runElement(text, into: &bytes, length: length) } else { scan.run(text, into: &bytes) }
        work += scan.position - range.lowerBound
        end = max(start, scan.refused ?? scan.position)
        let written = min(scan.written, length ?? scan.written)
        let whole: Int? =
            switch ContentGuess.element(bytes.span.extracting(..<written)) {
            case .whole(_, let end)?, .trailing(let end)?: end
            default: nil
            }
        let next = length == nil ? whole.map { scan.textOffset(text, of: $0) } ?? end : scan.position
        // Where a plus sign stands for itself, no blank stands for one.
        let isMixed = rules.spaces != .noise && hasPlus(text, range.lowerBound..<min(next, text.count))
        if let whole, !isMixed, isEnded(text, next, whole, hasSpaces: scan.spaces > 0) {
            bytes.removeLast(bytes.count - whole)
            let tally = scan.tally
            if length == nil { end = next }
            best = DecodedTransport(
                bytes: bytes, form: tally.has(.base64URL) ? .base64URL : .base64, tally: tally, content: .cms)
        } else if fault == nil {
            var cut = ForeignContent.truncated(
                length, got: written, at: min(scan.endOfAlphabet, text.count), in: "base64")
            cut.remains = Array(bytes[..<written])
            cut.diagnosis = EncodedDamage.diagnose(text, scan, length: length, got: written)
            fault = cut
        }
        return scan
    }

    /// Whether a receipt ends where its own length says: padding or a mark follows, as it should. More of the alphabet
    /// would be more bytes, or words behind blanks that are none of the receipt's.
    private func isEnded(_ text: Span<UInt8>, _ position: Int, _ whole: Int, hasSpaces: Bool) -> Bool {
        guard position < text.count else { return true }
        let next = text[position]
        if next.isASCIIAlphanumeric || next == UInt8(ascii: "+") || next == UInt8(ascii: "/") { return false }
        guard hasSpaces, whole % 3 != 0 else { return true }
        return next == UInt8(ascii: "=") || next == UInt8(ascii: "%") || next == UInt8(ascii: "\\")
            || next == UInt8(ascii: "&") || next.isMarkAfterText
    }

    private func hasPlus(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for offset in range where text[offset] == UInt8(ascii: "+") { return true }
        return false
    }

    func attempt(_ text: Span<UInt8>) -> ReceiptSearch.Attempt {
        if let best { return .init(.found(best), end: max(end, start + 20), work: work) }
        // The next receipt may begin in what was read for the end of this one.
        return .init(fault.map { .damaged($0) } ?? .nothing, end: start + 20, work: work)
    }
}

extension UInt8 {
    /// Quotation marks, brackets and the like, which end a value in most languages.
    fileprivate var isMarkAfterText: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ";"), 0x0A, 0x0D,
            0x00, 0x1B:
            true
        default: false
        }
    }
}
