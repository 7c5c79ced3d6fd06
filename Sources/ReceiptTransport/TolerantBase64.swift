extension DecodedTransport {
    /// Base64 inside a receipt, whatever happened to it: the first reading whose bytes are right. What is right, the
    /// caller knows; nil where no reading is.
    package static func base64(_ text: Span<UInt8>, isRight: (Span<UInt8>) -> Bool) -> DecodedTransport? {
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(text.count))
        func read(_ rules: Base64Scan.Rules) -> Base64Scan {
            var scan = Base64Scan(0..<text.count, rules: rules)
            scan.run(text, into: &bytes)
            return scan
        }
        let plain = read(.init())
        var underscores = Base64Scan.Rules()
        underscores.underscoreIsPlus = true
        let others = TolerantTransport.otherRules(plain) + (plain.usesUnderscoreForPlus(text) ? [underscores] : [])
        for rules in [plain.rules] + others {
            let scan = read(rules)
            guard scan.refused == nil, scan.leftOver == nil, isRight(bytes.span.extracting(..<scan.written))
            else { continue }
            bytes.removeLast(bytes.count - scan.written)
            return DecodedTransport(bytes: bytes, form: .base64, tally: scan.tally, content: nil)
        }
        return nil
    }
}

/// Base64, whatever happened to it.
extension TolerantTransport {
    static func decodeBase64(
        _ input: Span<UInt8>, _ wrapping: Wrapping, layer: Int
    ) throws(TransportFault) -> DecodedTransport {
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(wrapping.range.count + 4))
        var reading = bestReading(input, wrapping.range, &bytes)
        if reading.scan.usesUnderscoreForPlus(input) {
            var rules = reading.scan.rules
            rules.underscoreIsPlus = true
            reading = Reading(input, wrapping.range, rules, into: &bytes)
        }
        bytes.removeLast(bytes.count - reading.scan.written)
        return try settle(input, wrapping, reading.scan, bytes, reading.guess, layer: layer)
    }

    /// What one pass over the text has found.
    private struct Reading {
        var scan: Base64Scan
        var guess: ContentGuess

        init(_ input: Span<UInt8>, _ range: Range<Int>, _ rules: Base64Scan.Rules, into bytes: inout [UInt8]) {
            scan = Base64Scan(range, rules: rules)
            scan.run(input, into: &bytes)
            guess = ContentGuess(of: bytes.span.extracting(..<scan.written))
        }

        var isConvincing: Bool { guess.isConvincing && scan.leftOver == nil }

        /// Whether blanks can stand for plus signs in the way that some rules say: a receipt's own length says how many
        /// characters are missing, and with them how many blanks are none. This saves passes, most of all over hostile
        /// text, and never refuses a reading that could be convincing.
        func allows(_ rules: Base64Scan.Rules) -> Bool {
            guard case .cut(let length?) = guess, rules.spaces != .noise else { return true }
            let wanted = (length * 8 + 5) / 6
            let missing = wanted - (scan.written * 8 + 5) / 6
            // Two at the very end may have been taken for white space after the text.
            guard missing > 0, missing <= scan.spaces + 2 else { return false }
            switch rules.spaces {
            case .plus: return missing >= scan.spaces
            case .lineEnds(let width):
                // A blank at the end of each line is none of them.
                let lines = wanted / width
                return abs(scan.spaces - missing - lines) <= 2
            default: return true
            }
        }
    }

    /// The first reading that is convincing, else the plain one. Its bytes are left in `bytes`.
    private static func bestReading(_ input: Span<UInt8>, _ range: Range<Int>, _ bytes: inout [UInt8]) -> Reading {
        if let plusSigns = rangeIfBlanksArePlusSigns(input, range, &bytes) {
            let reading = Reading(input, plusSigns, .init(spaces: .plus), into: &bytes)
            // A blank after the text is a plus sign only if there are some inside.
            let outside = plusSigns.count - range.count
            if reading.isConvincing, outside == 0 || reading.scan.spaces > outside { return reading }
        }
        let plain = Reading(input, range, .init(), into: &bytes)
        let others = otherRules(plain.scan)
        guard plain.scan.refused == nil, !plain.isConvincing, !others.isEmpty else { return plain }
        for rules in others where plain.allows(rules) {
            var reading = Reading(input, range, rules, into: &bytes)
            if case .cut(let length?) = reading.guess, rules.spaces == .plus, length <= range.count {
                // Plus signs at the very end of the text have been taken for white space after it.
                let missing = (length * 8 + 5) / 6 - (reading.scan.written * 8 + 5) / 6
                if missing <= min(input.countOfBlanks(from: range.upperBound), 2) {
                    let extended = range.lowerBound..<(range.upperBound + missing)
                    reading = Reading(input, extended, rules, into: &bytes)
                }
            }
            if reading.isConvincing { return reading }
        }
        return Reading(input, range, .init(), into: &bytes)
    }

    /// The text of a receipt in which blanks, if there are any, can only be plus signs. The first octets tell: they give
    /// the receipt's length, and a text of just as many characters as that takes has none to spare. Up to two such
    /// signs have been taken for white space after the text.
    private static func rangeIfBlanksArePlusSigns(
        _ input: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]
    ) -> Range<Int>? {
        var head = Base64Scan(range, rules: .init(spaces: .plus))
        head.run(input, into: &scratch, until: 16)
        guard case .cut(let length?) = ContentGuess(of: scratch.span.extracting(..<head.written)), length <= range.count
        else { return nil }
        var end = range.upperBound
        while end > range.lowerBound, input[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let missing = (length * 8 + 5) / 6 - (end - range.lowerBound)
        if missing == 0 { return range }
        guard 1...2 ~= missing, end == range.upperBound, missing <= input.countOfBlanks(from: end) else { return nil }
        return range.lowerBound..<(end + missing)
    }

    /// The other readings that a text allows, each worth one more pass.
    fileprivate static func otherRules(_ scan: Base64Scan) -> [Base64Scan.Rules] {
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
        _ input: Span<UInt8>, _ wrapping: Wrapping, _ scan: Base64Scan, _ bytes: consuming [UInt8],
        _ guess: ContentGuess, layer: Int
    ) throws(TransportFault) -> DecodedTransport {
        var tally = wrapping.tally
        tally.merge(scan.tally)
        switch guess {
        case .whole(let content, let end):
            if let refused = scan.refused ?? scan.leftOver {
                throw trailingText(input, end, at: refused, in: "base64")
            }
            let isURLSafe = tally.has(.base64URL)
            let form: WrittenForm = wrapping.form == .base64 && isURLSafe ? .base64URL : wrapping.form
            if end < bytes.count, content != .transactionReceipt, content != .purchaseInfo {
                tally.note(.trailingBytes, at: scan.textOffset(input, of: end), count: bytes.count - end)
                bytes.removeLast(bytes.count - end)
            }
            return DecodedTransport(bytes: bytes, form: form, tally: tally, content: content)
        case .trailing(let end):
            var offset = scan.textOffset(input, of: end)
            while offset < scan.range.upperBound - 1, input[offset].isWhiteSpace || input[offset] == UInt8(ascii: "=") {
                offset += 1
            }
            throw ForeignContent.trailing(bytes.span, end, at: offset, in: "base64")
        case .unclear(let content) where scan.refused == nil && scan.leftOver == nil:
            return DecodedTransport(bytes: bytes, form: wrapping.form, tally: tally, content: content)
        case .cut(let length)
        where scan.refused == nil || isEllipsis(input, scan.refused, wrapping.range.upperBound):
            var fault = ForeignContent.truncated(length, got: bytes.count, at: scan.endOfAlphabet, in: "base64")
            fault.diagnosis = EncodedDamage.diagnose(input, scan, length: length, got: bytes.count)
            fault.remains = bytes
            throw fault
        case .text where scan.refused == nil:
            guard layer < maximumLayers else { throw tooManyLayers() }
            return try decodeInner(bytes.span, tally, input, scan, layer: layer)
        default: throw unreadable(input, wrapping, scan, bytes.span)
        }
    }

    /// Decodes text that came out of base64.
    private static func decodeInner(
        _ text: Span<UInt8>, _ outer: RepairTally, _ input: Span<UInt8>, _ scan: Base64Scan, layer: Int
    ) throws(TransportFault) -> DecodedTransport {
        do {
            var found = try decode(text, layer: layer + 1)
            found.tally.mapOffsets { scan.textOffset(input, of: $0) }
            found.found = found.found?.moved { scan.textOffset(input, of: $0) }
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
        _ input: Span<UInt8>, _ wrapping: Wrapping, _ scan: Base64Scan, _ bytes: Span<UInt8>
    ) -> TransportFault {
        let beginsLikeReceipt = bytes.count > 2 && bytes[0] == 0x30 && bytes[1] >= 0x80
        if beginsLikeReceipt, let refused = scan.refused ?? scan.leftOver {
            return ForeignContent.invalidCharacter(input, refused, in: "base64")
        }
        let known = scan.refused == nil ? BinaryDiagnosis.diagnose(bytes) : nil
        if scan.refused == nil, let name = ForeignContent.ofBytes(bytes) {
            var fault = name.inBase64.error(at: wrapping.range.lowerBound)
            fault.diagnosis = known
            return fault
        }
        let refused = scan.refused ?? wrapping.range.lowerBound
        if input.extracting(wrapping.range).isText, scan.refused != nil || wrapping.range.count < 64 || scan.spaces > 0
        {
            return TransportFault(
                .plainText, at: refused, in: "input",
                detail: "text that is no encoding of a receipt; it begins \(excerpt(input, wrapping.range))")
        }
        if scan.refused != nil { return ForeignContent.invalidCharacter(input, refused, in: "base64") }
        var first = ""
        for index in 0..<min(4, bytes.count) { first += " " + hex(UInt32(bytes[index]), digits: 2) }
        var fault = TransportFault(
            .unknownContent, at: refused, in: "base64",
            detail: "\(bytes.count) bytes that begin with\(first), which is not how a receipt begins")
        if let known {
            fault.diagnosis = known
            fault.detail = known.summary
        }
        return fault
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

extension Span where Element == UInt8 {
    fileprivate func countOfBlanks(from start: Int) -> Int {
        var position = start
        while position < count, self[position] == 0x20 { position += 1 }
        return position - start
    }
}
