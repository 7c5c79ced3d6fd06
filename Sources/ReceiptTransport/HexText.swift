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
    /// The range must not be empty.
    static func isLikely(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        switch text[range.lowerBound] {
        case UInt8(ascii: "3"), UInt8(ascii: "0"), UInt8(ascii: "<"), UInt8(ascii: "\\"): break
        default: return false
        }
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
            if high == nil, position + 1 < end,
                case let pair = (Self.digits[Int(text[position])], Self.digits[Int(text[position + 1])]),
                pair.0 | pair.1 < 16
            {
                bytes.append(pair.0 << 4 | pair.1)
                position += 2
                endOfDigits = position
            } else if high == nil, isPrefix(text) {
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

    /// The value of each character that is a digit, 0xFF for all others.
    private static let digits = (0...255).map { UInt8($0).hexDigitValue ?? 0xFF }

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
