/// Hexadecimal digits with whatever programs print among them: `30 82 13 b8`, `30:82`, `0x30, 0x82`, `\x30\x82`,
/// `<308213b8 06092a86>`.
struct HexText {
    private(set) var position: Int
    private(set) var bytes: [UInt8] = []
    /// The first character that has no place here.
    private(set) var refused: Int?
    /// A digit without a second one.
    private(set) var leftOver: Int?
    private(set) var tally = RepairTally()
    private(set) var end: Int
    private(set) var endOfDigits: Int

    /// Whether the text begins with the digits of a SEQUENCE of 128 bytes or more, or of indefinite length.
    static func isLikely(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 24)
        let first = HexText(text, head, until: 2).bytes
        return first.count == 2 && first[0] == 0x30 && (0x80...0x84).contains(first[1])
    }

    init(_ text: Span<UInt8>, _ range: Range<Int>, until limit: Int = .max) {
        position = range.lowerBound
        end = range.upperBound
        endOfDigits = position
        bytes.reserveCapacity(min(limit, range.count / 2))
        var high: UInt8?
        while position < end, bytes.count < limit {
            if high == nil, isPrefix(text) {
                tally.note(.hexSeparators, at: position)
                position += 2
            } else if let digit = text[position].hexDigitValue {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
                position += 1
                endOfDigits = position
            } else if isSeparator(text[position]) {
                tally.note(.hexSeparators, at: position)
                position += 1
            } else {
                refused = position
                break
            }
        }
        if high != nil { leftOver = endOfDigits - 1 }
    }

    private func isPrefix(_ text: Span<UInt8>) -> Bool {
        text.hasText("0x", at: position, ignoringCase: true) || text.hasText("\\x", at: position)
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: byte.isWhiteSpace
        }
    }
}
