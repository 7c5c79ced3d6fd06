/// `TransportMode.exact`: canonical base64 or a precise error.
package enum ExactTransport {
    static func decode(_ input: Span<UInt8>) throws(TransportFault) -> DecodedTransport {
        guard !input.isEmpty else {
            throw TransportFault(.empty, at: 0, in: "base64", detail: "there is nothing here")
        }
        let bytes: [UInt8]
        do {
            bytes = try decodeBase64(input, isCanonical: false)
        } catch {
            throw ForeignContent.ofText(input, 0..<input.count)?.error(at: error.offset) ?? error
        }
        switch ContentGuess(of: bytes.span) {
        case .whole(let content, let end):
            if end == bytes.count || content == .transactionReceipt || content == .purchaseInfo {
                return DecodedTransport(bytes: bytes, form: .base64, content: content)
            }
            throw ForeignContent.trailing(bytes.span, end, at: end / 3 * 4, in: "base64")
        case .trailing(let end): throw ForeignContent.trailing(bytes.span, end, at: end / 3 * 4, in: "base64")
        case .cut(let length): throw ForeignContent.truncated(length, got: bytes.count, at: input.count, in: "base64")
        case .unclear(let content):
            return DecodedTransport(bytes: bytes, form: .base64, content: content)
        case .text, .other:
            // Canonical base64 of what no rule here knows is for the decoder to refuse.
            if let name = ForeignContent.ofBytes(bytes.span) { throw name.inBase64.error(at: 0) }
            if isEncoded(bytes.span) {
                throw TransportFault(
                    .encodedTooOften, at: 0, in: "base64", detail: "base64 whose bytes are an encoded receipt again")
            }
            return DecodedTransport(bytes: bytes, form: .base64, content: nil)
        }
    }

    /// Whether some text begins as an encoded receipt does, whatever comes then.
    private static func isEncoded(_ text: Span<UInt8>) -> Bool {
        guard text.isText else { return false }
        let range = Wrapping(text).range
        guard range.count > 20 else { return false }
        let start = range.lowerBound
        return text.hasText("MI", at: start) || text.hasText("ew", at: start) || text.hasText("TUl", at: start)
            || text.hasText("VFV", at: start) || HexText.isLikely(text, range)
    }

    /// Base64, RFC 4648 section 4 with the refusals of sections 3.2 and 3.3, and if it must be canonical of 3.5.
    package static func decodeBase64(_ text: Span<UInt8>, isCanonical: Bool = true) throws(TransportFault) -> [UInt8] {
        var end = text.count
        while end > max(0, text.count - 2), text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        // A group of four characters has at least two that are not padding.
        var bytes = [UInt8](repeating: 0, count: end / 4 * 3 + 3 + 8)
        var written = 0
        var position = 0
        decode(text, end, &position, into: &bytes, &written)
        var value: UInt32 = 0
        while position < end {
            let entry = Base64Table.standard[768 + Int(text[position])]
            guard entry < Base64Table.invalid else { throw invalidCharacter(text, position) }
            value = value << 6 | Base64Table.value(entry)
            position += 1
            if position % 4 == 0 {
                bytes[written] = UInt8(truncatingIfNeeded: value >> 16)
                bytes[written + 1] = UInt8(truncatingIfNeeded: value >> 8)
                bytes[written + 2] = UInt8(truncatingIfNeeded: value)
                written += 3
            }
        }
        let extra = end % 4
        let padding = text.count - end
        guard text.count % 4 == 0, padding == (4 - extra) % 4 else { throw misplacedPadding(text, end) }
        if extra > 0 {
            let unused = extra == 2 ? 4 : 2
            guard !isCanonical || value & (1 << UInt32(unused) - 1) == 0 else {
                throw TransportFault(
                    .nonZeroTrailingBits, at: end - 1, in: "base64",
                    detail: "the last \(unused) bits of \(characterName(in: text, at: end - 1)) must be zero")
            }
            bytes[written] = UInt8(truncatingIfNeeded: value >> (extra == 2 ? 4 : 10))
            if extra == 3 { bytes[written + 1] = UInt8(truncatingIfNeeded: value >> 2) }
            written += extra - 1
        }
        bytes.removeLast(bytes.count - written)
        return bytes
    }

    private static func decode(
        _ text: Span<UInt8>, _ end: Int, _ position: inout Int, into bytes: inout [UInt8], _ written: inout Int
    ) {
        // A view of bytes as raw bytes is no less safe.
        let table = Base64Table.standard
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        unsafe Base64Table.decodeBlocks(
            text.bytes, table.span, position: &position, end: end, into: &raw, written: &written)
    }

    /// An error for a character that is not in the alphabet.
    private static func invalidCharacter(_ text: Span<UInt8>, _ offset: Int) -> TransportFault {
        text[offset] == UInt8(ascii: "=")
            ? misplacedPadding(text, offset) : ForeignContent.invalidCharacter(text, offset, in: "base64")
    }

    /// An error for a text whose padding begins at an offset and is too short, too long, or not at the end.
    private static func misplacedPadding(_ text: Span<UInt8>, _ start: Int) -> TransportFault {
        var next = start
        while next < text.count, text[next] == UInt8(ascii: "=") { next += 1 }
        if next < text.count, Base64Table.standard[768 + Int(text[next])] >= Base64Table.invalid {
            return ForeignContent.invalidCharacter(text, next, in: "base64")
        }
        let due = start % 4 < 2 ? 0 : 4 - start % 4
        if next - start > due {
            return TransportFault(
                .misplacedPadding, at: start + due, in: "base64", detail: "\"=\" where no padding is due")
        }
        if next < text.count {
            return TransportFault(
                .misplacedPadding, at: start, in: "base64", detail: "\"=\" before the end of the text")
        }
        let detail =
            start % 4 == 1
            ? "\(text.count) characters: one too many, or three too few"
            : "\(text.count) characters, which is no multiple of four: \(due - (next - start)) \"=\" missing"
        return TransportFault(.missingPadding, at: text.count, in: "base64", detail: detail)
    }
}
