import ReceiptASN1

/// ``TransportMode/tolerant``: finds the form, undoes the damage, and lets the receipt's own length be the judge.
struct TolerantTransport {
    /// How many encodings around each other are undone: base64 of base64 of base64, or UTF-16 of these.
    static let maximumLayers = 4

    var bytes: [UInt8]
    var form: TransportForm
    var tally: RepairTally
    var content: TransportContent

    static func decode(_ input: Span<UInt8>) throws(ReceiptDecodingError) -> TransportDecoding {
        let found = try decode(input, layer: 1)
        return TransportDecoding(
            bytes: found.bytes, form: found.form, repairs: found.tally.repairs, content: found.content)
    }

    static func decode(_ input: Span<UInt8>, layer: Int) throws(ReceiptDecodingError) -> TolerantTransport {
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

    static func tooManyLayers() -> ReceiptDecodingError {
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
    static func trailingText(
        _ text: Span<UInt8>, _ end: Int, at offset: Int, in field: String
    ) -> ReceiptDecodingError {
        ReceiptDecodingError(
            .trailingBytes, at: offset, in: field,
            detail: "the receipt ends after \(end) bytes, and then comes \(characterName(in: text, at: offset))")
    }

    /// Whether only dots follow, as where a program has abbreviated what it shows.
    static func isEllipsis(_ text: Span<UInt8>, _ offset: Int?, _ end: Int) -> Bool {
        guard let offset else { return false }
        return text.hasText("...", at: offset) || text.hasText("\u{2026}", at: offset)
            || text.hasText("[...", at: offset)
    }
}

extension ReceiptDecodingError {
    func mappingOffset(_ transform: (Int) -> Int) -> ReceiptDecodingError {
        var error = self
        error.offset = transform(offset)
        return error
    }
}
