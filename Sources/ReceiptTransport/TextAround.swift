/// What is done with an input that is not a receipt by itself: a receipt inside is looked for, and where there is none,
/// the input is named.
enum TextAround {
    static func decode(
        _ input: Span<UInt8>, _ fault: TransportFault, layer: Int, base64: Range<Int>?
    ) throws(TransportFault) -> DecodedTransport {
        // A receipt that ends too early by itself: what follows its end in its own bytes is no other text.
        guard fault.code != .encodedTooOften, fault.code != .empty || !input.isEmpty else { throw named(input, fault) }
        var tried = base64.map { ReceiptSearch.Tried(range: $0, fault: fault) }
        tried?.fault.found = nil
        let search = ReceiptSearch(input, layer: layer, tried: tried)
        if let winner = search.winner, fault.code != .trailingBytes || fault.field != "input" {
            return found(input, winner, count: search.count)
        }
        if let damaged = search.damaged, fault.isForeign, !search.isIncomplete {
            throw inside(input, damaged)
        }
        var fault = fault
        if fault.diagnosis == nil { fault.diagnosis = search.damaged?.diagnosis }
        if search.isIncomplete {
            // Nothing was looked for in the rest: to say that nothing is there would be untrue.
            var diagnosis =
                fault.diagnosis
                ?? Diagnosis(
                    "search-ended", "a text full of what begins like a receipt and is none",
                    "send the receipt alone")
            diagnosis.advice += "; the search was ended before the end of the text, and a receipt may be further on"
            fault.diagnosis = diagnosis
        }
        if fault.remains.isEmpty { fault.remains = search.damaged?.remains ?? [] }
        throw named(input, fault)
    }

    private static func found(
        _ input: Span<UInt8>, _ winner: ReceiptSearch.Found, count: Int
    ) -> DecodedTransport {
        var decoded = winner.decoded
        decoded.also = max(0, count - 1)
        if count == 1, isAlone(input, winner) {
            if !isPrinted(decoded) { noteMarks(input, winner, &decoded) }
            return decoded
        }
        var path = FoundPath.path(input, to: winner.start)
        if let inner = decoded.found?.path { path = path.map { $0 + "." + inner } ?? inner }
        if decoded.form == .printedBytes, let found = path, found.hasSuffix("[0]") { path = String(found.dropLast(3)) }
        decoded.found = FoundPlace(path: path, offset: winner.start)
        if let offset = BrokenJSON.offset(input) {
            decoded.tally.note(.brokenJSON, at: offset)
            let isAtPadding = offset == input.count && winner.end >= input.count && decoded.bytes.count % 3 != 0
            if isAtPadding, input[input.count - 1] != UInt8(ascii: "=") { decoded.tally.note(.formBody, at: offset) }
        }
        return decoded
    }

    /// Whether nothing but white space and marks stands around what was found, or what a language prints around bytes.
    private static func isAlone(_ input: Span<UInt8>, _ winner: ReceiptSearch.Found) -> Bool {
        var letters = 0
        for offset in 0..<winner.start where input[offset].isASCIIAlphanumeric { letters += 1 }
        var after = 0
        for offset in min(winner.end, input.count)..<input.count where input[offset].isASCIIAlphanumeric { after += 1 }
        return isPrinted(winner.decoded) ? letters <= 8 && after <= 20 : letters == 0 && after == 0
    }

    private static func isPrinted(_ decoded: DecodedTransport) -> Bool {
        switch decoded.form {
        case .printedBytes, .hexDump, .hex, .stringLiteral: true
        default: false
        }
    }

    /// Tells of what stands around something that is alone: white space, quotation marks, and other marks.
    private static func noteMarks(
        _ input: Span<UInt8>, _ winner: ReceiptSearch.Found, _ decoded: inout DecodedTransport
    ) {
        let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]
        for offset in 0..<input.count where !(winner.start..<winner.end).contains(offset) {
            let byte = input[offset]
            let kind: RepairKind =
                if byte.isWhiteSpace {
                    .surroundingWhiteSpace
                } else {
                    quotes.contains(byte) || offset < winner.start ? .quotes : .trailingPunctuation
                }
            decoded.tally.note(kind, at: offset)
        }
    }

    /// A damaged receipt inside other text.
    private static func inside(_ input: Span<UInt8>, _ damaged: TransportFault) -> TransportFault {
        var fault = damaged
        let start = damaged.found?.offset ?? 0
        let path = FoundPath.path(input, to: start)
        fault.found = FoundPlace(path: path, offset: start)
        if let offset = BrokenJSON.offset(input), offset >= input.count, let diagnosis = fault.diagnosis {
            let name = path.map { "inside \($0)" } ?? "inside the receipt"
            let missing = damaged.detail.map { " (\($0))" } ?? ""
            let limit = EncodedDamage.limit(input.count).map { ", cut by \($0)" } ?? ""
            fault.diagnosis = Diagnosis(
                "json-cut-off",
                "the JSON ends \(name) at \(EncodedDamage.grouped(input.count)) bytes\(limit): the end of the receipt is missing\(missing)",
                diagnosis.advice)
        }
        return fault
    }

    /// The codes of what the transport layer may have taken for damaged base64.
    private static let codes: [String: TransportFault.Code] = [
        "case-changed": .unknownContent, "head-lost": .unknownContent, "binary-as-text": .mangledBinary,
        "compressed": .compressed, "object-as-text": .plainText, "placeholder": .plainText, "no-value": .plainText,
        "private-key": .foreignBinary, "jws-cut": .jws, "jws-damaged": .jws, "encrypted-token": .jws,
    ]

    /// A fault with the best that can be said about the input.
    private static func named(_ input: Span<UInt8>, _ fault: TransportFault) -> TransportFault {
        var fault = fault
        if fault.diagnosis?.kind == "json", input.hasText("eyJ", at: 0) { fault.diagnosis = nil }
        // A label names what even a damaged body does not.
        if fault.code == .truncated, let label = TextDiagnosis.pem(input, 0..<min(input.count, 4096)) {
            fault.diagnosis = label
            fault.remains = []
            if let code = codes[label.kind] { fault.code = code }
            fault.detail = label.summary
        }
        guard fault.diagnosis == nil else { return fault }
        let text = UTF16Text(input)?.utf8
        fault.diagnosis =
            BinaryDiagnosis.diagnose(input) ?? text.map { TextDiagnosis.diagnose($0.span) }
            ?? TextDiagnosis.diagnose(input)
        guard let diagnosis = fault.diagnosis else { return fault }
        // What the form alone suggested is not to contradict what is known better.
        if fault.code != .empty, let code = codes[diagnosis.kind] {
            fault.code = code
            fault.offset = 0
            fault.field = "input"
        }
        if fault.isForeign { fault.detail = diagnosis.summary }
        return fault
    }
}

extension TransportFault {
    /// Whether the input was named as something that is no receipt, so that a damaged one inside is more to the point.
    fileprivate var isForeign: Bool {
        switch code {
        case .truncated, .invalidCharacter, .trailingBytes, .encodedTooOften, .empty: false
        default: true
        }
    }
}

/// Where JSON stops being JSON.
private enum BrokenJSON {
    /// The offset at which a text that opens like JSON is wrong; nil if it is not, or is no JSON at all.
    static func offset(_ text: Span<UInt8>) -> Int? {
        let start = text.skippingWhiteSpace(from: 0, to: text.count)
        guard start + 1 < text.count, text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") else {
            return nil
        }
        let next = text.skippingWhiteSpace(from: start + 1, to: text.count)
        guard next < text.count, text[next] == UInt8(ascii: "\"") || text[next] == UInt8(ascii: "{") else { return nil }
        var isInString = false
        var position = start
        var depth = 0
        var last: UInt8 = 0
        while position < text.count {
            let byte = text[position]
            if isInString {
                if byte == UInt8(ascii: "\\") { position += 1 }
                if byte == 0x0A || byte == 0x0D { return position }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                if last == UInt8(ascii: ",") { return position }
                depth -= 1
                if depth == 0 {
                    let rest = text.skippingWhiteSpace(from: position + 1, to: text.count)
                    return rest == text.count ? nil : rest
                }
            }
            if !byte.isWhiteSpace { last = byte }
            position += 1
        }
        return text.count
    }
}
