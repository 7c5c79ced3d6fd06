import ReceiptASN1

/// ``TransportMode/exact``: canonical base64 or a precise error.
package enum ExactTransport {
    static func decode(_ input: Span<UInt8>) throws(ReceiptDecodingError) -> TransportDecoding {
        guard !input.isEmpty else {
            throw ReceiptDecodingError(.empty, at: 0, in: "base64", detail: "there is nothing here")
        }
        let bytes: [UInt8]
        do {
            bytes = try decodeBase64(input)
        } catch {
            throw Naming.ofText(input, 0..<input.count)?.error(at: error.offset) ?? error
        }
        switch Judgement(of: bytes.span) {
        case .whole(let content, let end):
            if end == bytes.count || content == .transactionReceipt || content == .purchaseInfo {
                return TransportDecoding(bytes: bytes, form: .base64, repairs: [], content: content)
            }
            throw Naming.trailing(bytes.span, end, at: end / 3 * 4, in: "base64")
        case .trailing(let end): throw Naming.trailing(bytes.span, end, at: end / 3 * 4, in: "base64")
        case .cut(let length): throw Naming.truncated(length, got: bytes.count, at: input.count, in: "base64")
        case .unclear(let content):
            return TransportDecoding(bytes: bytes, form: .base64, repairs: [], content: content)
        case .text, .other:
            if let name = Naming.ofBytes(bytes.span) { throw name.inBase64.error(at: 0) }
            if bytes.span.hasText("MI", at: 0) {
                throw ReceiptDecodingError(
                    .encodedTooOften, at: 0, in: "base64", detail: "base64 whose bytes are base64 again")
            }
            return TransportDecoding(bytes: bytes, form: .base64, repairs: [], content: nil)
        }
    }

    /// Canonical base64, RFC 4648 section 4 with the refusals of sections 3.2, 3.3 and 3.5.
    package static func decodeBase64(_ text: Span<UInt8>) throws(ReceiptDecodingError) -> [UInt8] {
        var end = text.count
        while end > max(0, text.count - 2), text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        // A group of four characters has at least two that are not padding.
        var bytes = [UInt8](repeating: 0, count: end / 4 * 3 + 3 + 8)
        var written = 0
        var position = 0
        decode(text, end, &position, into: &bytes, &written)
        var value: UInt32 = 0
        while position < end {
            let entry = Base64Table.words[768 + Int(text[position])]
            guard entry < Base64Table.urlSafe else { throw invalidCharacter(text, position) }
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
        guard text.count % 4 == 0 else {
            if padding > 0, extra == 0 || padding > 4 - extra || extra == 1 {
                throw ReceiptDecodingError(
                    .misplacedPadding, at: end, in: "base64", detail: "\"=\" where no padding is due")
            }
            throw missingPadding(text.count, extra: extra, padding: padding)
        }
        guard padding == (4 - extra) % 4 else {
            throw ReceiptDecodingError(
                .misplacedPadding, at: end, in: "base64", detail: "\"=\" where no padding is due")
        }
        if extra > 0 {
            let unused = extra == 2 ? 4 : 2
            guard value & (1 << UInt32(unused) - 1) == 0 else {
                throw ReceiptDecodingError(
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
        let table = Base64Table.words
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        _ = unsafe Base64Table.decodeBlocks(
            text.bytes, table.span, refused: Base64Table.invalid | Base64Table.urlSafe,
            position: &position, end: end, into: &raw, written: &written)
    }

    private static func missingPadding(_ count: Int, extra: Int, padding: Int) -> ReceiptDecodingError {
        let detail =
            extra == 1
            ? "\(count) characters: one too many, or three too few"
            : "\(count) characters, which is no multiple of four: \(4 - extra - padding) \"=\" missing"
        return ReceiptDecodingError(.missingPadding, at: count, in: "base64", detail: detail)
    }

    private static func invalidCharacter(_ text: Span<UInt8>, _ offset: Int) -> ReceiptDecodingError {
        let hint =
            switch text[offset] {
            case UInt8(ascii: "="):
                ReceiptDecodingError(
                    .misplacedPadding, at: offset, in: "base64", detail: "\"=\" before the end of the text")
            default: Naming.invalidCharacter(text, offset, in: "base64")
            }
        return hint
    }
}
