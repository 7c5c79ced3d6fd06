/// What an input that gives no receipt most likely is, and what to do next. Users see it as `TransportDiagnosis`.
package struct Diagnosis: Hashable, Sendable {
    /// A stable word such as `google-play-purchase`.
    package var kind: String
    /// What it most likely is, and why.
    package var summary: String
    /// What to do next, in one line.
    package var advice: String

    package init(_ kind: String, _ summary: String, _ advice: String) {
        self.kind = kind
        self.summary = summary
        self.advice = advice
    }
}

/// Damage of base64, told by the length that the receipt itself declares.
enum EncodedDamage {
    /// Lengths at which columns, cells, lines and buffers cut a text.
    private static let limits: [(count: Int, name: String)] = [
        (255, "a column VARCHAR(255)"), (256, "a column of 256 characters"), (500, "a column of 500 characters"),
        (512, "a buffer of 512 bytes"), (1000, "a column of 1,000 characters"), (1024, "a buffer of 1,024 bytes"),
        (2000, "a column VARCHAR2(2000)"), (2048, "a limit of 2,048 characters, as URLs have"),
        (4000, "a column of 4,000 characters"), (4095, "a terminal, which takes 4,095 characters a line"),
        (4096, "a buffer of 4,096 bytes"), (5000, "a field of 5,000 characters"), (8000, "a column VARCHAR(8000)"),
        (8190, "a server's limit for request lines"), (8192, "a buffer of 8,192 bytes"),
        (10_000, "a field of 10,000 characters"), (16_383, "a column of 16,383 characters"),
        (16_384, "a log that cuts lines at 16 KiB"), (32_000, "a field of 32,000 characters"),
        (32_767, "a cell of Excel, which holds 32,767 characters"), (32_768, "a buffer of 32 KiB"),
        (65_535, "a column TEXT of MySQL, which holds 65,535 bytes"), (65_536, "a buffer of 64 KiB"),
        (1_048_576, "a limit of 1 MiB"),
    ]

    static func limit(_ count: Int) -> String? { limits.first { $0.count == count }?.name }

    static func diagnose(_ text: Span<UInt8>, _ scan: Base64Scan, length: Int?, got: Int) -> Diagnosis {
        let start = scan.range.lowerBound
        let end = scan.refused ?? scan.position
        if text.isAbbreviated(at: end) {
            let missing = length.map { $0 - got } ?? 0
            return Diagnosis(
                "abbreviated",
                "a program abbreviated the receipt when it printed it"
                    + (missing > 0 ? "; \(grouped(missing)) bytes are missing" : ""),
                "send the whole text, not what a log or a console shows of it")
        }
        guard let length else { return cut(text.count, end - start, nil) }
        guard got < length else {
            return Diagnosis(
                "text-inside",
                "the text goes on where the receipt should end: something stands inside that is none of its own",
                "send the receipt alone, without what stands between its lines, such as sizes of chunks or line numbers"
            )
        }
        let missing = length - got
        let wanted = (length * 8 + 5) / 6
        let characters = (got * 8 + 5) / 6
        let lost = wanted - characters
        if let foreign = characterInside(text, end, start, lost) { return foreign }
        let isPadded = scan.endOfAlphabet < text.count && text[scan.endOfAlphabet] == UInt8(ascii: "=")
        let isClosed = scan.endOfAlphabet < text.count && isMark(text, scan.endOfAlphabet)
        // Of 64 characters one is a plus sign and one a slash.
        if characters > 1000 {
            var (plus, slash) = (0, 0)
            for offset in start..<end {
                if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { plus += 1 }
                if text[offset] == UInt8(ascii: "/") || text[offset] == UInt8(ascii: "_") { slash += 1 }
            }
            let isPlausible = lost * 64 > characters / 8 && lost * 64 < characters * 5
            let count = grouped(end - start)
            if plus == 0, slash > 0, scan.spaces == 0, isPlausible {
                return Diagnosis(
                    "plus-deleted",
                    "all + were deleted: there is no + in \(count) characters, and \(missing) bytes are missing",
                    "send the text unchanged: form decoding turns + into a blank, which something removed; percent-encode it"
                )
            }
            if slash == 0, plus > 0, isPlausible {
                return Diagnosis(
                    "slash-deleted",
                    "all / were deleted: there is no / in \(count) characters, and \(missing) bytes are missing",
                    "send the text unchanged: something removed its slashes")
            }
            if slash == 0, plus == 0, lost * 64 < characters * 8, lost * 64 > characters / 2 {
                return Diagnosis(
                    "marks-deleted",
                    "all + and / were deleted: there is none in \(count) characters, and \(missing) bytes are missing",
                    "send the text unchanged: something removed what is no letter or digit")
            }
        }
        // What was cut before it was quoted looks as if it were closed.
        let isCut = !isPadded && (limit(end - start) != nil || lost > characters)
        if isPadded || isClosed && !isCut, lost > 0 {
            let block = [64, 76, 100, 128, 256, 500, 512, 1000, 1024, 1460, 2048, 4096, 8192, 16_384].contains(lost)
            return Diagnosis(
                "lost-inside",
                block
                    ? "a block of \(grouped(lost)) characters is missing inside, not at the end"
                    : "\(grouped(lost)) \(lost == 1 ? "character is" : "characters are") missing inside, not at the end: \(isPadded ? "the padding is there" : "the text is closed behind it")",
                "send the receipt again: what was lost inside cannot be made up; look at how the text is joined from pieces"
            )
        }
        return cut(text.count, end - start, missing)
    }

    /// A character that is none of base64's, behind which goes on what seems to be missing at the end.
    private static func characterInside(
        _ text: Span<UInt8>, _ position: Int, _ start: Int, _ lost: Int
    ) -> Diagnosis? {
        guard position < text.count, position > start, lost > 40 else { return nil }
        let foreign = text[position]
        // These end a value, and what is behind them is another.
        let ends: [UInt8] = Array("\"'`<>()[]{}=&%\\".utf8)
        guard !foreign.isASCIIAlphanumeric, !foreign.isWhiteSpace, !ends.contains(foreign) else { return nil }
        var next = position
        while next < text.count, text[next] == foreign { next += 1 }
        guard !text.hasText("MI", at: next) else { return nil }
        var count = 0
        while next < text.count, count < lost {
            let byte = text[next]
            if byte.isNameCharacter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") {
                count += 1
            } else if byte != foreign, byte != 0x0A, byte != 0x0D {
                break
            }
            next += 1
        }
        guard count * 4 >= lost * 3 else { return nil }
        return Diagnosis(
            "character-inside",
            "\(characterName(in: text, at: position)) stands inside the receipt, behind \(grouped(position - start)) characters, where base64 has none",
            "send the text unchanged: something put it there, or put it in the place of another character")
    }

    private static func cut(_ whole: Int, _ characters: Int, _ missing: Int?) -> Diagnosis {
        let what =
            missing.map { $0 == 1 ? "its last byte is missing" : "its last \(grouped($0)) bytes are missing" }
            ?? "its end is missing"
        if let limit = limits.first(where: { $0.count == whole || $0.count == characters }) {
            return Diagnosis(
                "cut-off", "the text ends after \(grouped(limit.count)) characters: cut by \(limit.name); \(what)",
                "store and send the whole receipt: a receipt can have several hundred thousand characters")
        }
        return Diagnosis(
            "cut-off", "the receipt is cut off: \(what)",
            "send the whole text: columns, log lines, terminals and proxies cut long text")
    }

    /// Whether a mark stands at an offset that ends a value: what is missing is not at the end.
    private static func isMark(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        guard offset < text.count else { return false }
        return text[offset] == UInt8(ascii: "\"")
            || text[offset] == UInt8(ascii: "'")
            || text[offset] == UInt8(ascii: "<")
    }

    static func grouped(_ value: Int) -> String {
        var text = String(value)
        var position = text.count - 3
        while position > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: position))
            position -= 3
        }
        return text
    }
}

/// Damage of printed bytes.
enum PrintedDamage {
    static func diagnose(_ text: Span<UInt8>, at end: Int) -> Diagnosis {
        let rest = min(end, text.count)..<min(text.count, end + 40)
        let isShortened =
            text.range(of: "...", in: rest) != nil || text.range(of: "\u{2026}", in: rest) != nil
            || text.range(of: "more ", in: rest) != nil
        if isShortened {
            let isNode = text.range(of: "<Buffer", in: 0..<text.count) != nil
            return Diagnosis(
                "abbreviated-bytes",
                (isNode ? "what Node prints of a Buffer" : "printed bytes")
                    + ", abbreviated: most of the receipt is left out",
                isNode
                    ? "send buffer.toString('base64') instead"
                    : "send base64 of the bytes instead of what is printed of them")
        }
        return Diagnosis(
            "cut-off", "printed bytes of a receipt whose end is missing", "send base64 of all the bytes")
    }
}
