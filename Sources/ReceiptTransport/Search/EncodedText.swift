/// Base64 of text that may hold a receipt: of an old-style property list, of JSON, of base64.
enum EncodedText {
    /// Decodes the word that begins at an offset and looks into what comes out.
    static func read(
        _ text: Span<UInt8>, at start: Int, layer: Int, tried: ReceiptSearch.Tried?
    ) -> ReceiptSearch.Attempt? {
        guard layer < TolerantTransport.maximumLayers else { return nil }
        let end = wordEnd(text, from: start)
        guard end - start >= 32 else { return .init(.nothing, end: end, work: end - start) }
        // A segment of a JWS that cannot be read: what Apple signed inside it is not what was sent.
        if text.hasText("ey", at: start),
            start > 0 && text[start - 1] == UInt8(ascii: ".") || end < text.count && text[end] == UInt8(ascii: ".")
        {
            return .init(.nothing, end: end, work: end - start)
        }
        if let tried, start == tried.range.lowerBound, end >= tried.range.upperBound {
            let isDamaged = tried.fault.code == .truncated || tried.fault.code == .propertyList
            return .init(isDamaged ? .damaged(tried.fault) : .nothing, end: end, work: end - start)
        }
        let (found, fault) = decode(text, start..<end, layer)
        var work = 2 * (end - start)
        if var found {
            guard found.content != .asn1 else { return .init(.nothing, end: end, work: work) }
            found.tally.mapOffsets { $0 + start }
            found.found = found.found?.moved { $0 + start }
            return .init(.found(found), end: end, work: work)
        }
        if fault?.code == .truncated || fault?.code == .propertyList || beginsReceipt(text, start..<end),
            let clean = CleanedLines(text, from: start)
        {
            work += clean.text.count
            let cleanEnd = wordEnd(clean.text.span, from: 0)
            if cleanEnd > end - start, var found = decode(clean.text.span, 0..<cleanEnd, layer).0,
                found.content != .asn1
            {
                found.tally.mapOffsets(clean.offset(of:))
                found.tally.note(clean.kind, at: clean.firstRemoved, count: clean.removed)
                return .init(.found(found), end: clean.offset(of: cleanEnd), work: work + 2 * clean.text.count)
            }
        }
        guard let fault, fault.code == .truncated || fault.code == .propertyList else {
            return .init(.nothing, end: end, work: work)
        }
        return .init(.damaged(fault.mappingOffset { $0 + start }), end: end, work: work)
    }

    /// Whether a word that cannot be decoded, being the first line of one, is base64 of a receipt's text.
    private static func beginsReceipt(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 64)
        var scan = Base64Scan(head, rules: .init())
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(head.count))
        scan.run(text, into: &bytes)
        let span = bytes.span.extracting(..<min(scan.written, bytes.count))
        guard span.count > 20 else { return false }
        return span[0] == UInt8(ascii: "{")
            ? EmbeddedPropertyList.begins(span, at: 0) : span.hasText("MI", at: 0) && EncodedElement.begins(span, at: 0)
    }

    private static func decode(
        _ text: Span<UInt8>, _ range: Range<Int>, _ layer: Int
    ) -> (DecodedTransport?, TransportFault?) {
        let word = text.extracting(range)
        do throws(TransportFault) {
            return (try TolerantTransport.decodeBase64(word, Wrapping(word), layer: layer), nil)
        } catch {
            var fault = error
            fault.found = nil
            return (nil, fault)
        }
    }

    /// Where a word of base64 ends that may be wrapped or escaped; inside quotation marks blanks belong to it.
    private static func wordEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        let isQuoted = start > 0 && (text[start - 1] == UInt8(ascii: "\"") || text[start - 1] == UInt8(ascii: "'"))
        var position = start
        while position < text.count {
            let byte = text[position]
            if byte.isASCIIAlphanumeric || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=")
            {
                position += 1
            } else if let escape = TextEscape(text, at: position, end: text.count),
                escape.scalar != "\"", escape.scalar != "&", escape.scalar != "'"
            {
                position += escape.length
            } else if byte == 0x0A || byte == 0x0D {
                if CleanedLines.chunkSizeLength(text, at: position + 2) != nil { break }
                var next = position
                while next < text.count,
                    text[next] == 0x0A || text[next] == 0x0D || text[next] == 0x20 || text[next] == 0x09
                {
                    next += 1
                }
                guard next < text.count, text[next].isASCIIAlphanumeric, text[position - 1] != UInt8(ascii: "=") else {
                    break
                }
                position = next
            } else if byte == 0x20, isQuoted {
                position += 1
            } else {
                break
            }
        }
        return position
    }
}
