/// Looks for receipts and JWS inside other text: JSON, logs, forms, XML, dumps, mails, whatever people paste.
///
/// It goes over the text once and stops only at the few ways in which a receipt can begin; the receipt's own length
/// gives its end. What was looked at closely is passed over afterwards, so that the work stays proportional to the text.
/// The structure of the text around (JSON, a form) is read for telling where a receipt was found, never for finding it.
struct ReceiptSearch {
    /// One thing that was found whole.
    struct Found {
        var decoded: DecodedTransport
        /// Where it begins in the text.
        var start: Int
        var end: Int
        var rank: Int
    }

    /// The whole receipt that counts: the one under the best known name, the first of those.
    private(set) var winner: Found?
    /// How many whole receipts there are.
    private(set) var count = 0
    /// The first thing that begins like a receipt and is not whole, with what is wrong.
    private(set) var damaged: TransportFault?
    /// How many bytes were looked at; each counts as often as it was.
    private(set) var work = 0

    /// Whether the search was ended before all that looks like a beginning was looked at.
    private(set) var isIncomplete = false

    let layer: Int
    private var position = 0
    private let tried: Tried?

    /// Base64 that was decoded as a whole without success, and what was wrong. It is not decoded again, which would take
    /// twice as long with each layer.
    struct Tried {
        var range: Range<Int>
        var fault: TransportFault
    }

    init(_ text: Span<UInt8>, layer: Int, tried: Tried? = nil) {
        self.layer = layer
        self.tried = tried
        // Closer looks are bounded by three readings of the text, whatever the text does to provoke more.
        let budget = 2 * text.count + 4096
        while position < text.count {
            guard Self.isBeginning[Int(text[position])] else {
                position += 1
                continue
            }
            let start = position
            position += 1
            guard mayBegin(text, at: start) else { continue }
            guard work < budget else {
                isIncomplete = true
                break
            }
            guard let attempt = attempt(text, at: start) else { continue }
            work += attempt.work
            position = max(attempt.end, position)
            take(attempt, text, at: start)
        }
        work += text.count
    }

    private mutating func take(_ attempt: Attempt, _ text: Span<UInt8>, at start: Int) {
        switch attempt.outcome {
        case .nothing: break
        case .damaged(var fault):
            guard damaged == nil else { return }
            fault.found = FoundPlace(path: nil, offset: start)
            damaged = fault
        case .found(let decoded):
            count += 1 + decoded.also
            let rank = KnownName.rank(text, before: start) * 2 + (decoded.content?.isReceipt == true ? 0 : 1)
            if winner.map({ rank < $0.rank }) ?? true {
                winner = Found(decoded: decoded, start: start, end: attempt.end, rank: rank)
            }
        }
    }

    /// What a closer look at one place has come to.
    struct Attempt {
        enum Outcome {
            case nothing
            case found(DecodedTransport)
            case damaged(TransportFault)
        }
        var outcome: Outcome
        /// Where the search goes on.
        var end: Int
        /// How many bytes were looked at, as often as they were.
        var work: Int

        init(_ outcome: Outcome, end: Int, work: Int) {
            self.outcome = outcome
            self.end = end
            self.work = work
        }
    }

    private static let isBeginning: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "MeTZ304678{\\%1".utf8 { table[Int(byte)] = true }
        return table
    }()

    /// Whether a closer look is due at an offset.
    private func mayBegin(_ text: Span<UInt8>, at start: Int) -> Bool {
        switch text[start] {
        case UInt8(ascii: "M"): text.hasText("MI", at: start) && EncodedElement.begins(text, at: start)
        case UInt8(ascii: "e"):
            (text.hasText("ey", at: start) || text.hasText("ew", at: start)) && text.beginsWord(at: start)
        case UInt8(ascii: "T"): text.hasText("TUl", at: start) && text.beginsWord(at: start)
        case UInt8(ascii: "Z"):
            (text.hasText("ZXd", at: start) || text.hasText("ZXl", at: start)) && text.beginsWord(at: start)
        case UInt8(ascii: "{"), UInt8(ascii: "%"): EmbeddedPropertyList.begins(text, at: start)
        default: PrintedBytes.mayBegin(text, at: start)
        }
    }

    /// The closer look, where ``mayBegin(_:at:)`` says that one is due.
    private func attempt(_ text: Span<UInt8>, at start: Int) -> Attempt? {
        switch text[start] {
        case UInt8(ascii: "M"): EncodedElement.read(text, at: start, layer: layer)
        case UInt8(ascii: "e"): jwsOrText(text, at: start)
        case UInt8(ascii: "T"), UInt8(ascii: "Z"): EncodedText.read(text, at: start, layer: layer, tried: tried)
        case UInt8(ascii: "{"), UInt8(ascii: "%"): EmbeddedPropertyList.read(text, at: start)
        case UInt8(ascii: "0") where text[start + 1] >= 0x80:
            RawElement.read(text, at: start) ?? StringLiteral.read(text, at: start)
        default: PrintedBytes.read(text, at: start, layer: layer)
        }
    }

    /// What begins with base64 of a brace.
    private func jwsOrText(_ text: Span<UInt8>, at start: Int) -> Attempt? {
        let jws = JWSInText.read(text, at: start)
        if let jws, case .found = jws.outcome { return jws }
        guard var attempt = EncodedText.read(text, at: start, layer: layer, tried: tried) else { return jws }
        attempt.work += jws?.work ?? 0
        return attempt
    }
}

extension ContentKind {
    /// Whether this is a receipt of either kind rather than a JWS or something else.
    var isReceipt: Bool { self == .cms || self == .transactionReceipt }
}

/// The names under which receipts and JWS are usually handed over, in the order in which they count.
enum KnownName {
    private static let names: [StaticString] = [
        "receipt-data", "latest_receipt", "Payload", "transactionReceipt", "appStoreReceipt", "serverVerificationData",
        "fetch_token", "signedPayload", "jwsRepresentation", "signedTransactionInfo", "receipt", "receiptData",
        "receipt_data", "purchaseToken", "signedRenewalInfo", "appTransactionInfo",
    ]

    /// The place in the list of the name that stands directly before a value; the list's length if there is none.
    static func rank(_ text: Span<UInt8>, before start: Int) -> Int {
        var end = start
        let floor = max(0, start - 48)
        while end > floor, !(text[end - 1].isASCIIAlphanumeric) { end -= 1 }
        // `%22%3A%22` and the like end in letters or digits of their own.
        while end - 3 > floor, text[end - 3] == UInt8(ascii: "%"), text[end - 1].hexDigitValue != nil {
            end -= 3
        }
        for (rank, name) in names.enumerated() {
            let length = name.utf8CodeUnitCount
            guard end - length >= 0, text.hasText(name, at: end - length) else { continue }
            if end - length == 0 || !text[end - length - 1].isNameCharacter { return rank }
        }
        return names.count
    }
}

extension UInt8 {
    /// A letter, a digit, `_` or `-`.
    var isNameCharacter: Bool { isASCIIAlphanumeric || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") }
}

extension Span where Element == UInt8 {
    /// Where the letters, digits, `_` and `-` from an offset on end, at a limit at the latest.
    func endOfName(from start: Int, to limit: Int) -> Int {
        var position = start
        while position < limit, self[position].isNameCharacter { position += 1 }
        return position
    }

    /// Whether a word may begin at an offset: no letter or digit stands before it, but for those of an escape.
    func beginsWord(at offset: Int) -> Bool {
        guard offset > 0 else { return true }
        let before = self[offset - 1]
        guard before.isASCIIAlphanumeric else { return true }
        if offset > 1, self[offset - 2] == UInt8(ascii: "\\") { return true }
        if offset > 2, self[offset - 3] == UInt8(ascii: "%"), before.hexDigitValue != nil { return true }
        if offset > 5, self[offset - 5] == UInt8(ascii: "u"), self[offset - 6] == UInt8(ascii: "\\") { return true }
        // nginx writes `\x22` for a quotation mark; encoded twice for a URL, it is `%2522`.
        if offset > 3, hasText("\\x", at: offset - 4), before.hexDigitValue != nil { return true }
        if offset > 4, hasText("%25", at: offset - 5), before.hexDigitValue != nil { return true }
        // An ANSI sequence ends in "m".
        return before == UInt8(ascii: "m") && followsANSISequence(at: offset)
    }

    private func followsANSISequence(at offset: Int) -> Bool {
        var position = offset - 2
        while position >= 0, offset - position < 12, self[position].isASCIIDigit || self[position] == UInt8(ascii: ";")
        {
            position -= 1
        }
        return position >= 0 && self[position] == UInt8(ascii: "[")
    }
}
