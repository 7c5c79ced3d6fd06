/// A JWS in its compact form (RFC 7515 section 7.1) somewhere in a text.
enum JWSInText {
    /// The characters of an ES256 signature, which all of Apple's JWS have: 64 bytes.
    private static let signatureLength = 86

    static func read(_ text: Span<UInt8>, at start: Int) -> ReceiptSearch.Attempt? {
        if let attempt = readPlain(text, at: start) { return attempt }
        guard let stop = firstStop(text, from: start), let clean = CleanedLines(text, from: start) else { return nil }
        let work = clean.text.count + stop - start
        guard var attempt = readPlain(clean.text.span, at: 0) else { return .init(.nothing, end: stop, work: work) }
        if case .found(var decoded) = attempt.outcome {
            decoded.tally.mapOffsets(clean.offset(of:))
            decoded.tally.note(clean.kind, at: clean.firstRemoved, count: clean.removed)
            attempt.outcome = .found(decoded)
        }
        attempt.end = clean.offset(of: attempt.end)
        attempt.work += clean.text.count
        return attempt
    }

    /// Where the first line of something ends that may be a JWS with something between its lines: it is a long one.
    private static func firstStop(_ text: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        let limit = min(text.count, start + 2048)
        var points = 0
        while position < limit, text[position].isNameCharacter || text[position] == UInt8(ascii: ".") {
            if text[position] == UInt8(ascii: ".") { points += 1 }
            // A JWS has two, and `eyJ.` may be repeated as often as there is room.
            guard points <= 2 else { return nil }
            position += 1
        }
        guard position < limit, position - start >= 40 else { return nil }
        switch text[position] {
        case 0x0A, 0x0D, 0x1B, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: "+"),
            UInt8(ascii: "\\"):
            return position
        default: return nil
        }
    }

    /// Reads three segments of base64url with points between them, over line breaks where they can only be that.
    private static func readPlain(_ text: Span<UInt8>, at start: Int) -> ReceiptSearch.Attempt? {
        var bytes: [UInt8] = []
        var position = start
        var points: [Int] = []
        var breaks = 0
        var lineStart = start
        var lineLength: Int?
        while position < text.count {
            let byte = text[position]
            let partLength = bytes.count - (points.last.map { $0 + 1 } ?? 0)
            if byte.isNameCharacter {
                // Behind a break, what follows a whole signature is another word.
                let isLimited = points.count == 2 && breaks > 0
                let limit = isLimited ? min(text.count, position + max(0, signatureLength - partLength)) : text.count
                guard position < limit else { break }
                let end = text.endOfName(from: position, to: limit)
                // The buffer is not used after the call.
                unsafe text.extracting(position..<end).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
                position = end
                continue
            } else if byte == UInt8(ascii: "."), points.count < 2, partLength > 0 {
                points.append(bytes.count)
                bytes.append(byte)
            } else if points.count < 2 || partLength < signatureLength,
                let width = breakWidth(text, at: position) ?? blankWidth(text, at: position, lineStart, &lineLength)
            {
                // After the first segment's first line nothing tells a wrapped JWS from another text's word.
                breaks += 1
                position += width
                lineStart = position
                continue
            } else {
                break
            }
            position += 1
        }
        guard points.count == 2, let first = points.first, let last = points.last, bytes.count > last + 1 else {
            return nil
        }
        guard isHeader(bytes.span.extracting(..<first)) else { return nil }
        var tally = RepairTally()
        tally.note(.lineBreaks, at: start, count: breaks)
        let decoded = DecodedTransport(bytes: bytes, form: .jws, tally: tally, content: .jws)
        return .init(.found(decoded), end: position, work: position - start)
    }

    private static func breakWidth(_ text: Span<UInt8>, at position: Int) -> Int? {
        // A line's end may be escaped, as in a shell or in RTF, or soft, as in quoted-printable mail (RFC 2045 section 6.7).
        let isMarked = text[position] == UInt8(ascii: "\\") || text[position] == UInt8(ascii: "=")
        var end = isMarked ? position + 1 : position
        if end < text.count, text[end] == 0x0A || text[end] == 0x0D {
            if text[end] == 0x0D, let chunk = CleanedLines.chunkSizeLength(text, at: end + 2) {
                return end + 2 + chunk - position
            }
            while end < text.count, text[end].isWhiteSpace { end += 1 }
            return end - position
        }
        if text.hasText("\\n", at: position) || text.hasText("\\r", at: position) { return 2 }
        return nil
    }

    /// A blank where a line ended: what is before it is as long as the first line, and long.
    private static func blankWidth(
        _ text: Span<UInt8>, at position: Int, _ lineStart: Int, _ lineLength: inout Int?
    ) -> Int? {
        guard text[position] == 0x20, position - lineStart >= 60 else { return nil }
        let length = lineLength ?? position - lineStart
        lineLength = length
        return position - lineStart == length ? 1 : nil
    }

    /// Whether a first segment is that of a JOSE header: a JSON object that names its algorithm.
    private static func isHeader(_ segment: Span<UInt8>) -> Bool {
        var scan = Base64Scan(0..<segment.count, rules: .init())
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(segment.count))
        scan.run(segment, into: &bytes)
        guard scan.refused == nil, scan.written > 8 else { return false }
        let header = bytes.span.extracting(..<scan.written)
        return header.range(of: "\"alg\"", in: 0..<header.count) != nil
    }
}
