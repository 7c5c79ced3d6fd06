/// A receipt that was found inside a JSON text: a request or response of verifyReceipt, a server notification,
/// or a line of `--lines`.
package struct Envelope: Equatable, Sendable {
    /// Where it was found.
    package var place: Place
    /// The member's string, as UTF-8.
    package var text: [UInt8]
    /// The outermost object's member `id`, when it is a string, a number, true or false.
    package var id: Identifier?

    package struct Place: Equatable, Sendable {
        /// The member that held it: `receipt-data`, or else `latest_receipt`.
        var member: String
        /// Where the member's string begins, behind its quotation mark.
        var offset: Int
    }

    package enum Identifier: Equatable, Sendable {
        case string(String)
        /// A number, true or false, as written.
        case literal([UInt8])
    }

    /// Looks for a receipt in a text that is one JSON object (RFC 8259); nil when it is not one or holds none.
    ///
    /// `receipt-data` is preferred to `latest_receipt`, the first occurrence to later ones, at any depth up to
    /// ``JSONReader/depthLimit``.
    package static func find(in bytes: Span<UInt8>) -> Envelope? {
        var reader = JSONReader()
        guard reader.readDocument(bytes), let content = reader.receiptData ?? reader.latestReceipt else { return nil }
        return Envelope(
            place: Place(
                member: reader.receiptData != nil ? "receipt-data" : "latest_receipt", offset: content.lowerBound),
            text: JSONReader.unescape(bytes, content), id: reader.id)
    }
}

/// Checks a JSON text from beginning to end in one pass and remembers where the few members are that matter.
///
/// It builds no tree: an answer of verifyReceipt can be megabytes of transactions around one receipt.
struct JSONReader {
    /// Deeper texts are refused, which bounds the recursion.
    static let depthLimit = 64

    /// The octets between the quotation marks.
    private(set) var receiptData: Range<Int>?
    private(set) var latestReceipt: Range<Int>?
    private(set) var id: Envelope.Identifier?

    private var position = 0

    private enum Member {
        case receiptData
        case latestReceipt
        case id
        case other
    }

    /// Whether the text is one JSON object and nothing else but white space.
    mutating func readDocument(_ bytes: Span<UInt8>) -> Bool {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        skipSpace(bytes)
        guard peek(bytes) == UInt8(ascii: "{"), readValue(bytes, .other, depth: 0) else { return false }
        skipSpace(bytes)
        return position == bytes.count
    }

    private mutating func readValue(_ bytes: Span<UInt8>, _ member: Member, depth: Int) -> Bool {
        guard depth < Self.depthLimit, let first = peek(bytes) else { return false }
        switch first {
        case UInt8(ascii: "{"): return readObject(bytes, depth: depth)
        case UInt8(ascii: "["): return readArray(bytes, depth: depth)
        case UInt8(ascii: "\""):
            guard let content = readString(bytes) else { return false }
            switch member {
            case .receiptData: receiptData = receiptData ?? content
            case .latestReceipt: latestReceipt = latestReceipt ?? content
            case .id where depth == 1 && id == nil:
                id = .string(String(decoding: Self.unescape(bytes, content), as: UTF8.self))
            default: break
            }
            return true
        default:
            let start = position
            guard readLiteral(bytes) else { return false }
            if member == .id, depth == 1, id == nil, first != UInt8(ascii: "n") {
                id = .literal(bytes.copy(start..<position))
            }
            return true
        }
    }

    private mutating func readObject(_ bytes: Span<UInt8>, depth: Int) -> Bool {
        position += 1
        skipSpace(bytes)
        if take(bytes, "}") { return true }
        while true {
            skipSpace(bytes)
            guard peek(bytes) == UInt8(ascii: "\""), let key = readString(bytes) else { return false }
            skipSpace(bytes)
            guard take(bytes, ":") else { return false }
            skipSpace(bytes)
            guard readValue(bytes, Self.member(bytes, key), depth: depth + 1) else { return false }
            skipSpace(bytes)
            if take(bytes, "}") { return true }
            guard take(bytes, ",") else { return false }
        }
    }

    private mutating func readArray(_ bytes: Span<UInt8>, depth: Int) -> Bool {
        position += 1
        skipSpace(bytes)
        if take(bytes, "]") { return true }
        while true {
            skipSpace(bytes)
            guard readValue(bytes, .other, depth: depth + 1) else { return false }
            skipSpace(bytes)
            if take(bytes, "]") { return true }
            guard take(bytes, ",") else { return false }
        }
    }

    /// The octets between quotation marks; leaves the position behind the closing one.
    private mutating func readString(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = position + 1
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return start..<index
            }
            guard byte >= 0x20 else { return nil }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private mutating func readLiteral(_ bytes: Span<UInt8>) -> Bool {
        for word in ["true", "false", "null"] as [StaticString] where matches(bytes, word) {
            position += word.utf8CodeUnitCount
            return true
        }
        // number = [ "-" ] int [ frac ] [ exp ], RFC 8259 section 6
        _ = take(bytes, "-")
        if !take(bytes, "0") { guard skipDigits(bytes) else { return false } }
        if take(bytes, ".") { guard skipDigits(bytes) else { return false } }
        if take(bytes, "e") || take(bytes, "E") {
            if !take(bytes, "+") { _ = take(bytes, "-") }
            guard skipDigits(bytes) else { return false }
        }
        return true
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Bool {
        let start = position
        while let byte = peek(bytes), (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while let byte = peek(bytes), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func peek(_ bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ bytes: Span<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard peek(bytes) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func matches(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard count <= bytes.count - position else { return false }
        return bytes.matches(position..<(position + count), word)
    }

    private static func member(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Member {
        if bytes.matches(key, "receipt-data") { return .receiptData }
        if bytes.matches(key, "latest_receipt") { return .latestReceipt }
        return bytes.matches(key, "id") ? .id : .other
    }

    /// A string's octets with its escapes undone; what is not a valid escape stays as it is.
    static func unescape(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < range.upperBound else {
                result.append(byte)
                continue
            }
            let escaped = bytes[index]
            index += 1
            switch escaped {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(escaped)
            case UInt8(ascii: "u"):
                guard let unit = bytes.fourHexDigits(at: index, end: range.upperBound) else {
                    result.append(contentsOf: [byte, escaped])
                    continue
                }
                index += 4
                var units = [unit]
                if UTF16.isLeadSurrogate(unit), index + 1 < range.upperBound, bytes[index] == UInt8(ascii: "\\"),
                    bytes[index + 1] == UInt8(ascii: "u"),
                    let trail = bytes.fourHexDigits(at: index + 2, end: range.upperBound), UTF16.isTrailSurrogate(trail)
                {
                    units.append(trail)
                    index += 6
                }
                // A surrogate without its partner becomes U+FFFD.
                result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            default: result.append(contentsOf: [byte, escaped])
            }
        }
        return result
    }
}

extension Span<UInt8> {
    fileprivate func copy(_ range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

    fileprivate func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in range where unsafe self[index] != word.utf8Start[index - range.lowerBound] { return false }
        return true
    }

    fileprivate func fourHexDigits(at index: Int, end: Int) -> UInt16? {
        guard index + 4 <= end else { return nil }
        var value: UInt16 = 0
        for position in index..<(index + 4) {
            guard let digit = Character(Unicode.Scalar(self[position])).hexDigitValue, self[position] < 0x80 else {
                return nil
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
