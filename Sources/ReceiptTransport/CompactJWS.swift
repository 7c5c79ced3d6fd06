/// The three segments of a JWS in its compact form (RFC 7515 section 7.1), decoded.
///
/// Exactly three segments of canonical base64url, none of them empty, and nothing around them. Success says nothing
/// about what is in the segments.
package struct CompactJWS: Sendable {
    /// The longest JWS that is taken: 262,144 bytes, fourteen times the longest genuine notification.
    package static let maximumLength = 262_144
    /// The longest header, decoded: 16 KiB. Apple's has 3,308 bytes.
    package static let maximumHeaderLength = 16 << 10

    /// The JWS Signing Input (RFC 7515 section 5.2): the first two segments as they stand, with the point between them.
    package let signingInput: [UInt8]
    package let header: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]

    /// Where the payload's segment begins in the text.
    package let payloadStart: Int
    /// Where the signature's segment begins in the text.
    package let signatureStart: Int

    /// - Throws: ``TransportFault``, whose offset is into `text`.
    package init(_ text: Span<UInt8>) throws(TransportFault) {
        guard !text.isEmpty else { throw TransportFault(.empty, at: 0, in: "JWS", detail: "there is nothing here") }
        guard text.count <= Self.maximumLength else {
            throw TransportFault(
                .inputTooLong, at: Self.maximumLength, in: "JWS",
                detail: "\(text.count) bytes, and at most \(Self.maximumLength) are accepted")
        }
        let points = try Self.points(text)
        payloadStart = points.first + 1
        signatureStart = points.second + 1
        // Four characters hold three bytes; the limit is applied before anything is decoded.
        guard points.first / 4 * 3 <= Self.maximumHeaderLength else {
            throw TransportFault(
                .inputTooLong, at: Self.maximumHeaderLength / 3 * 4, in: "JWS header",
                detail: "\(points.first) characters, for more than \(Self.maximumHeaderLength) bytes")
        }
        header = try Base64URL.decode(text, 0..<points.first, field: "JWS header")
        payload = try Base64URL.decode(text, payloadStart..<points.second, field: "JWS payload")
        signature = try Base64URL.decode(text, signatureStart..<text.count, field: "JWS signature")
        // The buffer is not used after the call.
        signingInput = unsafe text.extracting(0..<points.second).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }

    /// Where the two points are.
    private static func points(_ text: Span<UInt8>) throws(TransportFault) -> (first: Int, second: Int) {
        var points: (first: Int, second: Int) = (0, 0)
        var count = 0
        for offset in 0..<text.count where text[offset] == UInt8(ascii: ".") {
            count += 1
            switch count {
            case 1: points.first = offset
            case 2: points.second = offset
            default:
                throw TransportFault(
                    .jwsSegments, at: offset, in: "JWS",
                    detail: "more than three segments; an encrypted token (JWE) has five")
            }
        }
        guard count == 2 else {
            throw TransportFault(
                .jwsSegments, at: text.count, in: "JWS", detail: "\(count + 1) of three segments")
        }
        for (start, end, name) in [
            (0, points.first, "header"), (points.first + 1, points.second, "payload"),
            (points.second + 1, text.count, "signature"),
        ] where start == end {
            throw TransportFault(.jwsSegments, at: start, in: "JWS \(name)", detail: "the segment is empty")
        }
        return points
    }

    /// The offset in the text of the character that holds the first bits of a byte of a segment.
    package static func textOffset(ofByte offset: Int, inSegmentAt start: Int) -> Int {
        start + offset / 3 * 4 + offset % 3
    }
}

/// Base64url without padding, as JWS has it (RFC 7515 section 2, RFC 4648 section 5): one text for each byte string.
package enum Base64URL {
    package static func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, field: String
    ) throws(TransportFault) -> [UInt8] {
        let extra = range.count % 4
        guard extra != 1 else {
            throw TransportFault(
                .truncated, at: range.upperBound, in: field,
                detail: "\(range.count) characters of base64url: one too many, or one, two or three too few")
        }
        // Whole blocks are written eight bytes at a time, two of them for the next block to write again.
        var bytes = [UInt8](repeating: 0, count: range.count / 4 * 3 + 3 + 8)
        var written = 0
        var position = range.lowerBound
        decodeBlocks(text, &position, range.upperBound, &bytes, &written)
        var value: UInt32 = 0
        var pending = 0
        while position < range.upperBound {
            let entry = Base64Table.urlSafe[768 + Int(text[position])]
            guard entry < Base64Table.invalid else { throw invalidCharacter(text, position, field) }
            value = value << 6 | Base64Table.value(entry)
            pending += 1
            position += 1
            if pending == 4 {
                bytes[written] = UInt8(truncatingIfNeeded: value >> 16)
                bytes[written + 1] = UInt8(truncatingIfNeeded: value >> 8)
                bytes[written + 2] = UInt8(truncatingIfNeeded: value)
                written += 3
                pending = 0
            }
        }
        if extra > 0 {
            let unused = extra == 2 ? 4 : 2
            guard value & (1 << UInt32(unused) - 1) == 0 else {
                throw TransportFault(
                    .nonZeroTrailingBits, at: range.upperBound - 1, in: field,
                    detail:
                        "the last \(unused) bits of \(characterName(in: text, at: range.upperBound - 1)) must be zero")
            }
            bytes[written] = UInt8(truncatingIfNeeded: value >> (extra == 2 ? 4 : 10))
            if extra == 3 { bytes[written + 1] = UInt8(truncatingIfNeeded: value >> 2) }
            written += extra - 1
        }
        bytes.removeLast(bytes.count - written)
        return bytes
    }

    private static func decodeBlocks(
        _ text: Span<UInt8>, _ position: inout Int, _ end: Int, _ bytes: inout [UInt8], _ written: inout Int
    ) {
        // A view of bytes as raw bytes is no less safe.
        let table = Base64Table.urlSafe
        var output = bytes.mutableSpan
        var raw = unsafe output.mutableBytes
        unsafe Base64Table.decodeBlocks(
            text.bytes, table.span, position: &position, end: end, into: &raw, written: &written)
    }

    private static func invalidCharacter(_ text: Span<UInt8>, _ offset: Int, _ field: String) -> TransportFault {
        switch text[offset] {
        case UInt8(ascii: "="):
            return TransportFault(
                .misplacedPadding, at: offset, in: field, detail: "\"=\", which the base64url of a JWS never has")
        case UInt8(ascii: "+"), UInt8(ascii: "/"):
            return TransportFault(
                .invalidCharacter, at: offset, in: field,
                detail: "\(characterName(in: text, at: offset)) belongs to base64, and a JWS is base64url")
        default:
            return TransportFault(
                .invalidCharacter, at: offset, in: field,
                detail: "\(characterName(in: text, at: offset)) is not in the base64url alphabet")
        }
    }
}
