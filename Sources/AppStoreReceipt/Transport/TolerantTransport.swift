import ReceiptASN1

/// ``TransportMode/tolerant``: finds the form, undoes the damage, and lets the receipt's own length be the judge.
struct TolerantTransport {
    /// How many encodings around each other are undone: base64 of base64 of base64, or UTF-16 of these.
    static let maximumLayers = 4

    private var bytes: [UInt8]
    private var form: TransportForm
    private var tally: RepairTally
    private var content: TransportContent

    static func decode(_ input: Span<UInt8>) throws(ReceiptDecodingError) -> TransportDecoding {
        let found = try decode(input, layer: 1)
        return TransportDecoding(
            bytes: found.bytes, form: found.form, repairs: found.tally.repairs, content: found.content)
    }

    private static func decode(_ input: Span<UInt8>, layer: Int) throws(ReceiptDecodingError) -> TolerantTransport {
        if let found = try decodeBinary(input) { return found }
        if let text = UTF16Text(input) { return try decodeUTF16(text, layer: layer) }
        let envelope = Envelope(input)
        guard !envelope.range.isEmpty else {
            let detail = input.isEmpty ? "there is nothing here" : "there is nothing here but white space or marks"
            throw ReceiptDecodingError(.empty, at: 0, in: "input", detail: detail)
        }
        let start = input[envelope.range.lowerBound]
        if HexText.isLikely(input, envelope.range) { return try decodeHex(input, envelope) }
        if start == UInt8(ascii: "{") {
            if let found = decodePropertyList(input, envelope) { return found }
        }
        if let name = Naming.ofText(input, envelope.range) {
            throw name.error(at: envelope.range.lowerBound)
        }
        return try decodeBase64(input, envelope, layer: layer)
    }
}

// MARK: Bytes as they are

extension TolerantTransport {
    private static func decodeBinary(_ input: Span<UInt8>) throws(ReceiptDecodingError) -> TolerantTransport? {
        guard let judgement = Judgement.element(input) else {
            if let name = Naming.ofSignature(input) { throw name.error(at: 0) }
            return nil
        }
        switch judgement {
        case .whole(let content, let end): return TolerantTransport(input, end, .der, content, RepairTally()) { $0 }
        case .unclear(let content):
            return TolerantTransport(input, input.count, .der, content, RepairTally()) { $0 }
        case .trailing(let end): throw Naming.trailing(input, end, at: end, in: "input")
        case .cut(let length): throw Naming.truncated(length, got: input.count, at: input.count, in: "input")
        case .text, .other: return nil
        }
    }

    /// Copies the bytes of a receipt, and reports it if white space or zeros come after them.
    private init(
        _ bytes: Span<UInt8>, _ end: Int, _ form: TransportForm, _ content: TransportContent, _ tally: RepairTally,
        offset: (Int) -> Int
    ) {
        // The buffer is not used after the call.
        self.bytes = unsafe bytes.extracting(..<end).withUnsafeBufferPointer { unsafe [UInt8]($0) }
        self.form = form
        self.content = content
        self.tally = tally
        self.tally.note(.trailingBytes, at: offset(end), count: bytes.count - end)
    }

    private static func decodePropertyList(_ input: Span<UInt8>, _ envelope: Envelope) -> TolerantTransport? {
        let text = input.extracting(envelope.range)
        guard let content = PropertyListText.content(of: text) else { return nil }
        return TolerantTransport(text, text.count, .propertyList, content, envelope.tally) { $0 }
    }

    private static func decodeUTF16(
        _ text: UTF16Text, layer: Int
    ) throws(ReceiptDecodingError) -> TolerantTransport {
        guard layer < maximumLayers else { throw tooManyLayers() }
        do {
            var found = try decode(text.utf8.span, layer: layer + 1)
            found.tally.mapOffsets(text.offset(of:))
            found.tally.note(.utf16, at: 0)
            if text.hasByteOrderMark { found.tally.note(.byteOrderMark, at: 0) }
            return found
        } catch {
            throw error.mappingOffset(text.offset(of:))
        }
    }

    private static func tooManyLayers() -> ReceiptDecodingError {
        ReceiptDecodingError(
            .encodedTooOften, at: 0, in: "input", detail: "more than \(maximumLayers) layers of encoding")
    }
}

// MARK: Hexadecimal digits

extension TolerantTransport {
    private static func decodeHex(
        _ input: Span<UInt8>, _ envelope: Envelope
    ) throws(ReceiptDecodingError) -> TolerantTransport {
        let hex = HexText(input, envelope.range)
        var tally = envelope.tally
        tally.merge(hex.tally)
        let refused = hex.refused ?? hex.leftOver
        switch Judgement(of: hex.bytes.span) {
        case .whole(let content, let end):
            if let refused { throw trailingText(input, end, at: refused, in: "hex") }
            return TolerantTransport(hex.bytes.span, end, .hex, content, tally) {
                HexText(input, envelope.range, until: $0).position
            }
        case .trailing(let end):
            let offset = HexText(input, envelope.range, until: end).position
            throw Naming.trailing(hex.bytes.span, end, at: offset, in: "hex")
        case .unclear(let content) where refused == nil:
            return TolerantTransport(hex.bytes.span, hex.bytes.count, .hex, content, tally) { $0 }
        case .cut(let length) where hex.refused == nil || isEllipsis(input, refused, envelope.range.upperBound):
            throw Naming.truncated(length, got: hex.bytes.count, at: hex.endOfDigits, in: "hex")
        default: throw Naming.invalidCharacter(input, refused ?? hex.endOfDigits, in: "hex")
        }
    }

    /// An error for text after the end of the receipt.
    private static func trailingText(
        _ text: Span<UInt8>, _ end: Int, at offset: Int, in field: String
    ) -> ReceiptDecodingError {
        ReceiptDecodingError(
            .trailingBytes, at: offset, in: field,
            detail: "the receipt ends after \(end) bytes, and then comes \(characterName(in: text, at: offset))")
    }

    /// Whether only dots follow, as where a program has abbreviated what it shows.
    private static func isEllipsis(_ text: Span<UInt8>, _ offset: Int?, _ end: Int) -> Bool {
        guard let offset else { return false }
        return text.hasText("...", at: offset) || text.hasText("\u{2026}", at: offset)
            || text.hasText("[...", at: offset)
    }
}

// MARK: Base64

extension TolerantTransport {
    private static func decodeBase64(
        _ input: Span<UInt8>, _ envelope: Envelope, layer: Int
    ) throws(ReceiptDecodingError) -> TolerantTransport {
        var range = envelope.range
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(range.count + 4))
        let plusSigns = rangeIfBlanksArePlusSigns(input, range, &bytes)
        var scan = Base64Scan(plusSigns ?? range, rules: .init(spaces: plusSigns == nil ? .noise : .plus))
        scan.run(input, into: &bytes)
        var judgement = Judgement(of: bytes.span.extracting(..<scan.written))
        // A blank after the text is a plus sign only if there are some inside.
        let outside = (plusSigns ?? range).count - range.count
        if plusSigns != nil, !judgement.isConvincing || outside > 0 && scan.spaces <= outside {
            scan = Base64Scan(range, rules: Base64Scan.Rules())
            scan.run(input, into: &bytes)
            judgement = Judgement(of: bytes.span.extracting(..<scan.written))
        }
        if scan.refused == nil, !(judgement.isConvincing && scan.leftOver == nil) {
            let plain = scan
            for rules in otherRules(scan) {
                scan = Base64Scan(range, rules: rules)
                scan.run(input, into: &bytes)
                judgement = Judgement(of: bytes.span.extracting(..<scan.written))
                if case .cut(let length?) = judgement, rules.spaces == .plus, length <= range.count {
                    // Plus signs at the very end of the text have been taken for white space after it.
                    let missing = (length * 8 + 5) / 6 - (scan.written * 8 + 5) / 6
                    let blanks = input.countOfBlanks(from: range.upperBound)
                    if missing <= min(blanks, 2) {
                        range = range.lowerBound..<(range.upperBound + missing)
                        scan = Base64Scan(range, rules: rules)
                        scan.run(input, into: &bytes)
                        judgement = Judgement(of: bytes.span.extracting(..<scan.written))
                    }
                }
                if judgement.isConvincing && scan.leftOver == nil { break }
            }
            if !(judgement.isConvincing && scan.leftOver == nil), scan.rules != plain.rules {
                range = envelope.range
                scan = Base64Scan(range, rules: plain.rules)
                scan.run(input, into: &bytes)
                judgement = Judgement(of: bytes.span.extracting(..<scan.written))
            }
        }
        bytes.removeLast(bytes.count - scan.written)
        return try settle(input, envelope, scan, bytes, judgement, layer: layer)
    }

    /// The text of a receipt in which blanks, if there are any, can only be plus signs. The first octets tell: they give
    /// the receipt's length, and a text of just as many characters as that takes has none to spare. Up to two such
    /// signs have been taken for white space after the text.
    private static func rangeIfBlanksArePlusSigns(
        _ input: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
    ) -> Range<Int>? {
        var head = Base64Scan(range, rules: .init(spaces: .plus))
        head.run(input, into: &scratch, until: 16)
        guard case .cut(let length?) = Judgement(of: scratch.span.extracting(..<head.written)), length <= range.count
        else { return nil }
        var end = range.upperBound
        while end > range.lowerBound, input[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let missing = (length * 8 + 5) / 6 - (end - range.lowerBound)
        if missing == 0 { return range }
        guard 1...2 ~= missing, end == range.upperBound, missing <= input.countOfBlanks(from: end) else { return nil }
        return range.lowerBound..<(end + missing)
    }

    /// The other readings that a text allows, each worth one more pass.
    private static func otherRules(_ scan: Base64Scan) -> [Base64Scan.Rules] {
        var rules: [Base64Scan.Rules] = []
        if scan.innerPadding > 0 { rules.append(.init(innerPaddingEndsPiece: false)) }
        // A plus sign is one character in 64; with many more blanks than that, they are something else.
        if scan.spaces > 0, scan.spaces <= 16 + scan.written / 16 {
            let readings: [Base64Scan.SpaceRule] = [.plus, .plusInsideWords, .lineEnds(64), .lineEnds(76)]
            rules += readings.map { .init(spaces: $0) }
        }
        return rules
    }

    private static func settle(
        _ input: Span<UInt8>, _ envelope: Envelope, _ scan: Base64Scan, _ bytes: consuming [UInt8],
        _ judgement: Judgement, layer: Int
    ) throws(ReceiptDecodingError) -> TolerantTransport {
        var tally = envelope.tally
        tally.merge(scan.tally)
        switch judgement {
        case .whole(let content, let end):
            if let refused = scan.refused ?? scan.leftOver {
                throw trailingText(input, end, at: refused, in: "base64")
            }
            let isURLSafe = tally.has(.base64URL)
            let form: TransportForm = envelope.form == .base64 && isURLSafe ? .base64URL : envelope.form
            if end < bytes.count, content != .transactionReceipt, content != .purchaseInfo {
                tally.note(.trailingBytes, at: scan.textOffset(input, of: end), count: bytes.count - end)
                bytes.removeLast(bytes.count - end)
            }
            return TolerantTransport(bytes: bytes, form: form, tally: tally, content: content)
        case .trailing(let end):
            var offset = scan.textOffset(input, of: end)
            while offset < scan.range.upperBound - 1, input[offset].isWhiteSpace || input[offset] == UInt8(ascii: "=") {
                offset += 1
            }
            throw Naming.trailing(bytes.span, end, at: offset, in: "base64")
        case .unclear(let content) where scan.refused == nil && scan.leftOver == nil:
            return TolerantTransport(bytes: bytes, form: envelope.form, tally: tally, content: content)
        case .cut(let length)
        where scan.refused == nil || isEllipsis(input, scan.refused, envelope.range.upperBound):
            throw Naming.truncated(length, got: bytes.count, at: scan.endOfAlphabet, in: "base64")
        case .text where scan.refused == nil:
            guard layer < maximumLayers else { throw tooManyLayers() }
            return try decodeInner(bytes.span, tally, input, scan, layer: layer)
        default: throw unreadable(input, envelope, scan, bytes.span)
        }
    }

    /// Decodes text that came out of base64.
    private static func decodeInner(
        _ text: Span<UInt8>, _ outer: RepairTally, _ input: Span<UInt8>, _ scan: Base64Scan, layer: Int
    ) throws(ReceiptDecodingError) -> TolerantTransport {
        do {
            var found = try decode(text, layer: layer + 1)
            found.tally.mapOffsets { scan.textOffset(input, of: $0) }
            found.tally.merge(outer)
            found.tally.note(.encodedTwice, at: 0)
            found.form = .base64OfBase64
            return found
        } catch {
            var error = error.mappingOffset { scan.textOffset(input, of: $0) }
            error.detail = error.detail.map { "base64 of this: " + $0 }
            throw error
        }
    }

    /// Names text that is not base64 of anything known.
    private static func unreadable(
        _ input: Span<UInt8>, _ envelope: Envelope, _ scan: Base64Scan, _ bytes: Span<UInt8>
    ) -> ReceiptDecodingError {
        let beginsLikeReceipt = bytes.count > 2 && bytes[0] == 0x30 && bytes[1] >= 0x80
        if beginsLikeReceipt, let refused = scan.refused ?? scan.leftOver {
            return Naming.invalidCharacter(input, refused, in: "base64")
        }
        if scan.refused == nil, let name = Naming.ofBytes(bytes) {
            return name.inBase64.error(at: envelope.range.lowerBound)
        }
        let refused = scan.refused ?? envelope.range.lowerBound
        if input.extracting(envelope.range).isText, scan.refused != nil || envelope.range.count < 64 || scan.spaces > 0
        {
            return ReceiptDecodingError(
                .plainText, at: refused, in: "input",
                detail: "text that is no encoding of a receipt; it begins \(excerpt(input, envelope.range))")
        }
        if scan.refused != nil { return Naming.invalidCharacter(input, refused, in: "base64") }
        var first = ""
        for index in 0..<min(4, bytes.count) { first += " " + hex(UInt32(bytes[index]), digits: 2) }
        return ReceiptDecodingError(
            .unknownContent, at: refused, in: "base64",
            detail: "\(bytes.count) bytes that begin with\(first), which is not how a receipt begins")
    }

    private static func excerpt(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
        var result = ""
        var offset = range.lowerBound
        while offset < range.upperBound, result.unicodeScalars.count < 24,
            let (scalar, length) = text.scalar(at: offset)
        {
            result.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
            offset += length
        }
        return "\"\(result)\""
    }
}

extension ReceiptDecodingError {
    fileprivate func mappingOffset(_ transform: (Int) -> Int) -> ReceiptDecodingError {
        var error = self
        error.offset = transform(offset)
        return error
    }
}

extension Span where Element == UInt8 {
    fileprivate func countOfBlanks(from start: Int) -> Int {
        var position = start
        while position < count, self[position] == 0x20 { position += 1 }
        return position - start
    }
}
