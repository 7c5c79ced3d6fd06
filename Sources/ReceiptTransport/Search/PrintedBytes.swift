/// The bytes of a receipt, or of its base64, as programs print them: hexadecimal, lists of numbers, dumps, string literals.
enum PrintedBytes {
    static func read(_ text: Span<UInt8>, at start: Int, layer: Int) -> ReceiptSearch.Attempt? {
        switch text[start] {
        case UInt8(ascii: "\\"), UInt8(ascii: "0"):
            if !text.hasText("0x", at: start, ignoringCase: true), let attempt = StringLiteral.read(text, at: start) {
                return attempt
            }
        default: break
        }
        if start > 0, text[start - 1].isASCIIAlphanumeric {
            // Digits behind `0x` have been looked at from there, unless a word goes on into it.
            let isSeen = start > 1 && text[start - 2] == UInt8(ascii: "0")
            let isInWord = start > 2 && text[start - 3].isASCIIAlphanumeric
            guard isHexPrefix(text, before: start), !isSeen || isInWord else { return nil }
        }
        return HexDump.read(text, at: start, layer: layer) ?? readHex(text, at: start, layer: layer)
            ?? NumberList.read(text, at: start, layer: layer)
    }

    /// Whether the first characters allow a closer look, which costs more than most texts are worth: two digits of the
    /// first byte, or the first column of a dump.
    static func mayBegin(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard start + 1 < text.count else { return false }
        let isDump = start > 0 && (text[start - 1] == 0x20 || text[start - 1] == 0x09)
        switch (text[start], text[start + 1].lowercasedASCII) {
        // 30, 4D, 65 and 7B in hexadecimal; 48, 77, 101 and 123.
        case (UInt8(ascii: "3"), UInt8(ascii: "0")), (UInt8(ascii: "4"), UInt8(ascii: "d")),
            (UInt8(ascii: "6"), UInt8(ascii: "5")), (UInt8(ascii: "7"), UInt8(ascii: "b")),
            (UInt8(ascii: "4"), UInt8(ascii: "8")), (UInt8(ascii: "7"), UInt8(ascii: "7")),
            (UInt8(ascii: "1"), UInt8(ascii: "0")), (UInt8(ascii: "1"), UInt8(ascii: "2")):
            return true
        // Each byte has the prefix: the first is that of a receipt, of base64 or of a dictionary.
        case (UInt8(ascii: "0"), UInt8(ascii: "x")):
            guard let first = text.hexNumber(at: start + 2, digits: 2) else { return false }
            return first == 0x30 || first == 0x4D || first == 0x65 || first == 0x7B
        case (UInt8(ascii: "0"), 0x80...): return true
        case (UInt8(ascii: "0"), UInt8(ascii: "\\")), (UInt8(ascii: "0"), UInt8(ascii: "%")): return true
        case (UInt8(ascii: "\\"), UInt8(ascii: "x")), (UInt8(ascii: "\\"), UInt8(ascii: "u")),
            (UInt8(ascii: "\\"), UInt8(ascii: "0")):
            return true
        case (UInt8(ascii: "\\"), UInt8(ascii: "\\")): return start == 0 || text[start - 1] != UInt8(ascii: "\\")
        case (UInt8(ascii: "\\"), _): return false
        default: return isDump && HexDump.isFirstColumn(text, start)
        }
    }

    /// `\x` or `0x`, whose letter is no part of a word.
    private static func isHexPrefix(_ text: Span<UInt8>, before start: Int) -> Bool {
        start > 1 && text[start - 1] == UInt8(ascii: "x")
    }

    private static func readHex(_ text: Span<UInt8>, at start: Int, layer: Int) -> ReceiptSearch.Attempt? {
        let head = HexText(text, start..<min(text.count, start + 80), until: 2).bytes
        guard head.count == 2, isBeginning(head.span) else { return nil }
        let first = HexText(text, start..<min(text.count, start + 160), until: 17).bytes
        guard first.count > 12, looksRight(first.span) else { return nil }
        let length = first[0] == 0x30 ? ReceiptBeginning.length(first.span) : nil
        let hex = HexText(text, start..<text.count, until: length ?? .max)
        if length != nil, hex.position < text.count, text[hex.position].hexDigitValue != nil {
            // More digits are more bytes, which belong to no receipt.
            return .init(.nothing, end: hex.position, work: hex.position - start)
        }
        return finish(
            hex.bytes, text, start, end: hex.position, work: hex.position - start, kind: .hexSeparators,
            count: hex.tally.repairs.first?.count ?? 0, form: .hex, layer: layer)
    }

    /// Whether two bytes are the first of a receipt or of base64 of one.
    static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0x30, 0x80...0x84), (0x4D, 0x49), (0x65, 0x77), (0x65, 0x79), (0x7B, 0x09...0x0D), (0x7B, 0x20...0x22):
            true
        default: false
        }
    }

    /// Whether the first dozen bytes go on as they should.
    static func looksRight(_ bytes: Span<UInt8>) -> Bool {
        if bytes[0] == 0x30 { return ReceiptBeginning.isContentInfo(bytes) }
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard
                byte.isNameCharacter || bytes[0] == UInt8(ascii: "{") && byte < 0x7F || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "/")
            else { return false }
        }
        return true
    }

    /// Makes a result of bytes that were read: a receipt, or text that holds one.
    static func finish(
        _ bytes: [UInt8], _ text: Span<UInt8>, _ start: Int, end: Int, work: Int, kind: RepairKind, count: Int,
        form: WrittenForm, layer: Int
    ) -> ReceiptSearch.Attempt {
        let end = max(end, start + 1)
        guard layer < TolerantTransport.maximumLayers else { return .init(.nothing, end: end, work: work) }
        if bytes.first == 0x30 {
            switch ContentGuess.element(bytes.span) {
            case .whole(let content, let whole)?:
                var decoded = DecodedTransport(bytes: Array(bytes[..<whole]), form: form, content: content)
                decoded.tally.note(kind, at: start, count: count)
                return .init(.found(decoded), end: end, work: work)
            case .trailing(let whole)?:
                var decoded = DecodedTransport(bytes: Array(bytes[..<whole]), form: form, content: .cms)
                decoded.tally.note(kind, at: start, count: count)
                return .init(.found(decoded), end: end, work: work)
            case .cut(let length)?:
                var fault = ForeignContent.truncated(length, got: bytes.count, at: min(end, text.count), in: "hex")
                fault.field = form == .hex ? "hex" : "input"
                fault.remains = bytes
                fault.diagnosis = PrintedDamage.diagnose(text, at: end)
                return .init(.damaged(fault), end: end, work: work)
            default: return .init(.nothing, end: end, work: work)
            }
        }
        do throws(TransportFault) {
            var decoded = try TolerantTransport.decode(bytes.span, layer: layer + 1)
            decoded.tally.mapOffsets { _ in start }
            decoded.tally.note(.encodedTwice, at: start)
            decoded.tally.note(kind, at: start, count: count)
            decoded.form = form
            return .init(.found(decoded), end: end, work: work + bytes.count)
        } catch {
            return .init(.nothing, end: end, work: work + bytes.count)
        }
    }
}

/// A list of numbers, decimal and signed or not, or each with `0x`: `[48, -126, 28]`, `{"0":48,"1":130}`, `[0] => 48`.
private enum NumberList {
    static func read(_ text: Span<UInt8>, at start: Int, layer: Int) -> ReceiptSearch.Attempt? {
        let head = numbers(text, from: start, until: 2).bytes
        guard head.count == 2, PrintedBytes.isBeginning(head.span) else { return nil }
        let first = numbers(text, from: start, until: 17).bytes
        guard first.count > 12, PrintedBytes.looksRight(first.span) else { return nil }
        let length = first[0] == 0x30 ? ReceiptBeginning.length(first.span) : nil
        let (bytes, end) = numbers(text, from: start, until: length ?? .max)
        return PrintedBytes.finish(
            bytes, text, start, end: end, work: end - start, kind: .printedBytes, count: bytes.count,
            form: .printedBytes, layer: layer)
    }

    private static func numbers(_ text: Span<UInt8>, from start: Int, until limit: Int) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        var position = start
        while bytes.count < limit, position < text.count {
            let token = position
            let isNegative = text[position] == UInt8(ascii: "-")
            if isNegative { position += 1 }
            let isHex = text.hasText("0x", at: position, ignoringCase: true)
            if isHex { position += 2 }
            var value = 0
            let digits = position
            while position < text.count, position - digits < 4, let digit = text[position].hexDigitValue,
                isHex || digit < 10
            {
                value = value * (isHex ? 16 : 10) + Int(digit)
                position += 1
            }
            guard position > digits, value <= 255, !isNegative || value <= 128 else { return (bytes, token) }
            bytes.append(UInt8(truncatingIfNeeded: isNegative ? -value : value))
            guard let next = skipSeparator(text, from: position) else { return (bytes, position) }
            position = next
        }
        return (bytes, position)
    }

    /// The beginning of the next number; nil if the list ends.
    private static func skipSeparator(_ text: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        let limit = min(text.count, start + 64)
        while position < limit {
            let byte = text[position]
            if byte.isASCIIDigit || byte == UInt8(ascii: "-") { return position > start ? position : nil }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "[") {
                guard let next = skipIndex(text, from: position) else { return nil }
                position = next
            } else if byte.isWhiteSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
                || byte == UInt8(ascii: ")")
            {
                position += 1
            } else if text.hasText("(byte)", at: position) {
                position += 6
            } else if text.hasText("int(", at: position) {
                position += 4
            } else if text.hasText(".toByte()", at: position) {
                position += 9
            } else if text.hasText("u8", at: position) {
                position += 2
            } else if text.hasText("\\n", at: position) {
                position += 2
            } else {
                return nil
            }
        }
        return nil
    }

    /// Skips `"12":`, `[12] =>`, `[12]=>`.
    private static func skipIndex(_ text: Span<UInt8>, from start: Int) -> Int? {
        var position = start + 1
        while position < text.count, text[position].isASCIIDigit { position += 1 }
        guard position > start + 1, position < text.count,
            text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "]")
        else { return nil }
        position += 1
        while position < text.count,
            text[position] == 0x20 || text[position] == UInt8(ascii: ":") || text[position] == UInt8(ascii: "=")
                || text[position] == UInt8(ascii: ">") || text[position] == 0x0A
        {
            position += 1
        }
        return position
    }
}
