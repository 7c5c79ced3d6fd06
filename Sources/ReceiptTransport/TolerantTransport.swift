/// `TransportMode.tolerant`: finds the form, undoes the damage, and lets the receipt's own length be the judge.
enum TolerantTransport {
    /// How many encodings around each other are undone: base64 of base64 of base64, or UTF-16 of these.
    static let maximumLayers = 4

    /// Decodes an input that is a receipt, or finds one in it, or says what it is.
    static func decode(_ input: Span<UInt8>, layer: Int) throws(TransportFault) -> DecodedTransport {
        var base64: Range<Int>?
        do throws(TransportFault) {
            return try decodeWhole(input, layer: layer, base64: &base64)
        } catch {
            return try TextAround.decode(input, error, layer: layer, base64: base64)
        }
    }

    /// - Parameter base64: Becomes the range of the text that was decoded as base64, if some was.
    private static func decodeWhole(
        _ input: Span<UInt8>, layer: Int, base64: inout Range<Int>?
    ) throws(TransportFault) -> DecodedTransport {
        if input.count > 4, input.hasText("\u{FEFF}0", at: 0), input[4] >= 0x80 {
            return try decodeAfterByteOrderMark(input, layer: layer)
        }
        if let found = try decodeBinary(input) { return found }
        if let text = UTF16Text(input) { return try decodeUTF16(text, layer: layer) }
        let wrapping = Wrapping(input)
        guard !wrapping.range.isEmpty else {
            let detail = input.isEmpty ? "there is nothing here" : "there is nothing here but white space or marks"
            throw TransportFault(.empty, at: 0, in: "input", detail: detail)
        }
        let start = input[wrapping.range.lowerBound]
        if HexText.isLikely(input, wrapping.range) { return try decodeHex(input, wrapping) }
        if start == UInt8(ascii: "{") {
            if let found = decodePropertyList(input, wrapping) { return found }
        }
        if let name = ForeignContent.ofText(input, wrapping.range) {
            throw name.error(at: wrapping.range.lowerBound)
        }
        base64 = wrapping.range
        return try decodeBase64(input, wrapping, layer: layer)
    }
}

// MARK: Bytes as they are

extension TolerantTransport {
    private static func decodeBinary(_ input: Span<UInt8>) throws(TransportFault) -> DecodedTransport? {
        guard let guess = ContentGuess.element(input) else {
            if let name = ForeignContent.ofSignature(input) { throw name.error(at: 0) }
            return nil
        }
        switch guess {
        case .whole(let content, let end): return DecodedTransport(input, end, .der, content, RepairTally()) { $0 }
        case .unclear(let content):
            return DecodedTransport(input, input.count, .der, content, RepairTally()) { $0 }
        case .trailing(let end): throw ForeignContent.trailing(input, end, at: end, in: "input")
        case .cut(let length): throw ForeignContent.truncated(length, got: input.count, at: input.count, in: "input")
        case .text, .other: return nil
        }
    }

    /// A receipt's bytes that an editor has put a byte order mark before.
    private static func decodeAfterByteOrderMark(
        _ input: Span<UInt8>, layer: Int
    ) throws(TransportFault) -> DecodedTransport {
        do throws(TransportFault) {
            guard var found = try decodeBinary(input.extracting(3...)) else {
                throw TransportFault(.unknownContent, at: 0, in: "input")
            }
            found.tally.mapOffsets { $0 + 3 }
            found.tally.note(.byteOrderMark, at: 0)
            return found
        } catch {
            throw error.mappingOffset { $0 + 3 }
        }
    }

    private static func decodePropertyList(_ input: Span<UInt8>, _ wrapping: Wrapping) -> DecodedTransport? {
        let text = input.extracting(wrapping.range)
        guard let content = PropertyListText.content(of: text) else { return nil }
        return DecodedTransport(text, text.count, .propertyList, content, wrapping.tally) { $0 }
    }

    private static func decodeUTF16(
        _ text: UTF16Text, layer: Int
    ) throws(TransportFault) -> DecodedTransport {
        guard layer < maximumLayers else { throw tooManyLayers() }
        do {
            var found = try decode(text.utf8.span, layer: layer + 1)
            found.tally.mapOffsets(text.offset(of:))
            found.found = found.found?.moved(text.offset(of:))
            found.tally.note(.utf16, at: 0)
            if text.hasByteOrderMark { found.tally.note(.byteOrderMark, at: 0) }
            return found
        } catch {
            throw error.mappingOffset(text.offset(of:))
        }
    }

    static func tooManyLayers() -> TransportFault {
        TransportFault(
            .encodedTooOften, at: 0, in: "input", detail: "more than \(maximumLayers) layers of encoding")
    }
}

// MARK: Hexadecimal digits

extension TolerantTransport {
    private static func decodeHex(
        _ input: Span<UInt8>, _ wrapping: Wrapping
    ) throws(TransportFault) -> DecodedTransport {
        let hex = HexText(input, wrapping.range)
        var tally = wrapping.tally
        tally.merge(hex.tally)
        let refused = hex.refused ?? hex.leftOver
        switch ContentGuess(of: hex.bytes.span) {
        case .whole(let content, let end):
            if let refused { throw trailingText(input, end, at: refused, in: "hex") }
            return DecodedTransport(hex.bytes.span, end, .hex, content, tally) {
                HexText(input, wrapping.range, until: $0).position
            }
        case .trailing(let end):
            let offset = HexText(input, wrapping.range, until: end).position
            throw ForeignContent.trailing(hex.bytes.span, end, at: offset, in: "hex")
        case .unclear(let content) where refused == nil:
            return DecodedTransport(hex.bytes.span, hex.bytes.count, .hex, content, tally) { $0 }
        case .cut(let length) where hex.refused == nil || isEllipsis(input, refused, wrapping.range.upperBound):
            throw ForeignContent.truncated(length, got: hex.bytes.count, at: hex.endOfDigits, in: "hex")
        default: throw ForeignContent.invalidCharacter(input, refused ?? hex.endOfDigits, in: "hex")
        }
    }

    /// An error for text after the end of the receipt.
    static func trailingText(
        _ text: Span<UInt8>, _ end: Int, at offset: Int, in field: String
    ) -> TransportFault {
        TransportFault(
            .trailingBytes, at: offset, in: field,
            detail: "the receipt ends after \(end) bytes, and then comes \(characterName(in: text, at: offset))")
    }

    /// Whether a program has abbreviated what it shows.
    static func isEllipsis(_ text: Span<UInt8>, _ offset: Int?, _ end: Int) -> Bool {
        guard let offset else { return false }
        return text.isAbbreviated(at: offset)
    }
}

extension DecodedTransport {
    /// Copies the bytes of a receipt, and reports it if white space or zeros come after them.
    fileprivate init(
        _ bytes: Span<UInt8>, _ end: Int, _ form: WrittenForm, _ content: ContentKind, _ tally: RepairTally,
        offset: (Int) -> Int
    ) {
        // The buffer is not used after the call.
        self.bytes = unsafe bytes.extracting(..<end).withUnsafeBufferPointer { unsafe [UInt8]($0) }
        self.form = form
        self.content = content
        self.tally = tally
        self.tally.note(.trailingBytes, at: offset(end), count: bytes.count - end)
    }
}
