/// Reads a text into nodes, one pass from left to right.
///
/// The work is linear in the length of the text: each byte is looked at a fixed number of times, and the names of an
/// object, whose number is bounded, are compared only where a filter says that one may be there already.
struct JSONParser {
    var nodes: [JSONNode] = []
    private var position = 0
    private let limits: JSONLimits
    private let seed = JSONNames.seed
    /// How many values have begun.
    private var values = 0
    /// How many names have been compared with another.
    private var comparisons = 0

    init(_ limits: JSONLimits) { self.limits = limits }

    mutating func readText(_ text: Span<UInt8>) throws(JSONError) {
        try refuseOtherEncodings(text)
        skipSpace(text)
        try readValue(text, depth: 1)
        skipSpace(text)
        guard position == text.count else { throw JSONError(.trailingText, at: position) }
    }

    /// A byte order mark, and zero bytes beside the first character, which only UTF-16 and UTF-32 have.
    private func refuseOtherEncodings(_ text: Span<UInt8>) throws(JSONError) {
        guard text.count >= 2 else { return }
        switch (text[0], text[1]) {
        case (0xEF, 0xBB): throw JSONError(.byteOrderMark, at: 0)
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0): throw JSONError(.notUTF8, at: 0)
        default: break
        }
    }

    private mutating func readValue(_ text: Span<UInt8>, depth: Int) throws(JSONError) {
        guard position < text.count else { throw JSONError(.truncated, at: position) }
        guard values < limits.values else { throw JSONError(.tooManyMembers, at: position) }
        values += 1
        switch text[position] {
        case UInt8(ascii: "\""): try readString(text, .string)
        case UInt8(ascii: "{"): try readObject(text, depth)
        case UInt8(ascii: "["): try readArray(text, depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber(text)
        case UInt8(ascii: "t"): try readWord("true", .true, text)
        case UInt8(ascii: "f"): try readWord("false", .false, text)
        case UInt8(ascii: "n"): try readWord("null", .null, text)
        case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "+"), UInt8(ascii: "."):
            throw JSONError(.invalidNumber, at: position)
        default: throw JSONError(.syntax, at: position)
        }
    }

    // MARK: - Containers

    private mutating func readObject(_ text: Span<UInt8>, _ depth: Int) throws(JSONError) {
        let container = try begin(.object, depth)
        var seen = NameFilter()
        var count = 0
        skipSpace(text)
        if isNext(UInt8(ascii: "}"), text) { return end(container) }
        while true {
            guard count < limits.members else { throw JSONError(.tooManyMembers, at: position) }
            count += 1
            guard position < text.count else { throw JSONError(.truncated, at: position) }
            guard text[position] == UInt8(ascii: "\"") else { throw JSONError(.syntax, at: position) }
            let name = nodes.count
            try readString(text, .name)
            let hash = nodes[name].hash(in: text, seed)
            if !limits.repeatsNames, seen.mayHold(hash) { try refuseDuplicate(text, of: name, hash, in: container) }
            seen.insert(hash)
            nodes[name].link = hash
            skipSpace(text)
            guard try isNextOrEnd(UInt8(ascii: ":"), text) else { throw JSONError(.syntax, at: position) }
            position += 1
            skipSpace(text)
            try readValue(text, depth: depth + 1)
            if try !readComma(text, before: UInt8(ascii: "}")) { return end(container) }
        }
    }

    private mutating func readArray(_ text: Span<UInt8>, _ depth: Int) throws(JSONError) {
        let container = try begin(.array, depth)
        var count = 0
        skipSpace(text)
        if isNext(UInt8(ascii: "]"), text) { return end(container) }
        while true {
            guard count < limits.members else { throw JSONError(.tooManyMembers, at: position) }
            count += 1
            try readValue(text, depth: depth + 1)
            if try !readComma(text, before: UInt8(ascii: "]")) { return end(container) }
        }
    }

    private mutating func begin(_ kind: JSONNode.Kind, _ depth: Int) throws(JSONError) -> Int {
        guard depth <= limits.depth else { throw JSONError(.nestedTooDeeply, at: position) }
        nodes.append(JSONNode(kind, position))
        position += 1
        return nodes.count - 1
    }

    /// Takes the closing bracket.
    private mutating func end(_ container: Int) {
        position += 1
        nodes[container].limit = UInt32(truncatingIfNeeded: position)
        nodes[container].link = UInt32(truncatingIfNeeded: nodes.count)
    }

    /// Whether a comma was taken; false before the closing bracket.
    private mutating func readComma(_ text: Span<UInt8>, before bracket: UInt8) throws(JSONError) -> Bool {
        skipSpace(text)
        if isNext(bracket, text) { return false }
        guard try isNextOrEnd(UInt8(ascii: ","), text) else { throw JSONError(.syntax, at: position) }
        let comma = position
        position += 1
        skipSpace(text)
        guard !isNext(bracket, text) else { throw JSONError(.trailingComma, at: comma) }
        return true
    }

    /// Throws if an earlier name of an object, whose last node so far is the name in question, is the same.
    private mutating func refuseDuplicate(
        _ text: Span<UInt8>, of name: Int, _ hash: UInt32, in container: Int
    ) throws(JSONError) {
        var index = container + 1
        while index < name {
            // Names are compared with all before them. Objects so large that this takes long are refused: 16 a byte.
            comparisons += 1
            guard comparisons <= max(65_536, 16 * text.count) else { throw JSONError(.tooManyMembers, at: position) }
            let earlier = nodes[index]
            if earlier.link == hash, earlier.isSameText(as: nodes[name], in: text) {
                throw JSONError(.duplicateName, at: nodes[name].range.lowerBound - 1)
            }
            let value = nodes[index + 1]
            index = value.kind == .object || value.kind == .array ? Int(value.link) : index + 2
        }
    }

    // MARK: - Strings, numbers, words

    /// Reads a string from its quotation mark on; all that is in it is checked.
    private mutating func readString(_ text: Span<UInt8>, _ kind: JSONNode.Kind) throws(JSONError) {
        var node = JSONNode(kind, position + 1)
        position += 1
        while true {
            position = text.endOfPlainText(from: position)
            guard position < text.count else { throw JSONError(.truncated, at: position) }
            switch text[position] {
            case UInt8(ascii: "\""):
                node.limit = UInt32(truncatingIfNeeded: position)
                nodes.append(node)
                position += 1
                return
            case UInt8(ascii: "\\"):
                node.isEscaped = true
                position = try text.readEscape(at: position).end
            case 0..<0x20: throw JSONError(.controlCharacter, at: position)
            default:
                guard let end = text.endOfScalar(at: position) else { throw JSONError(.invalidUTF8, at: position) }
                position = end
            }
        }
    }

    /// Section 6: an optional minus, an integer without leading zeros, an optional fraction, an optional exponent.
    private mutating func readNumber(_ text: Span<UInt8>) throws(JSONError) {
        var node = JSONNode(.number, position)
        if text[position] == UInt8(ascii: "-") { position += 1 }
        let isZero = isNext(UInt8(ascii: "0"), text)
        let integer = try readDigits(text)
        guard integer == 1 || !isZero else { throw JSONError(.invalidNumber, at: position - integer) }
        if isNext(UInt8(ascii: "."), text) {
            position += 1
            _ = try readDigits(text)
        }
        if isNext(UInt8(ascii: "e"), text) || isNext(UInt8(ascii: "E"), text) {
            position += 1
            if isNext(UInt8(ascii: "+"), text) || isNext(UInt8(ascii: "-"), text) { position += 1 }
            _ = try readDigits(text)
        }
        node.limit = UInt32(truncatingIfNeeded: position)
        nodes.append(node)
    }

    /// One digit or more, and how many.
    private mutating func readDigits(_ text: Span<UInt8>) throws(JSONError) -> Int {
        let start = position
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else {
            throw JSONError(position < text.count ? .invalidNumber : .truncated, at: position)
        }
        return position - start
    }

    private mutating func readWord(
        _ word: StaticString, _ kind: JSONNode.Kind, _ text: Span<UInt8>
    ) throws(JSONError) {
        var node = JSONNode(kind, position)
        for index in 0..<word.utf8CodeUnitCount {
            guard position < text.count else { throw JSONError(.truncated, at: position) }
            // The word's own bytes, inside its length.
            guard text[position] == (unsafe word.utf8Start[index]) else { throw JSONError(.syntax, at: position) }
            position += 1
        }
        node.limit = UInt32(truncatingIfNeeded: position)
        nodes.append(node)
    }

    // MARK: - Characters

    @inline(__always)
    private func isNext(_ character: UInt8, _ text: Span<UInt8>) -> Bool {
        position < text.count && text[position] == character
    }

    /// The same, where the text must not end.
    @inline(__always)
    private func isNextOrEnd(_ character: UInt8, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        guard position < text.count else { throw JSONError(.truncated, at: position) }
        return text[position] == character
    }

    @inline(__always)
    private mutating func skipSpace(_ text: Span<UInt8>) {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}

/// Which names an object may have already, as 1,024 bits indexed by their hashes.
///
/// With no bit set the name is new. With 256 names, the most an object has by default, every eighth name at most is
/// compared with those before it; hashes are seeded, so that nobody can choose names that share a bit.
private struct NameFilter {
    private var bits = InlineArray<16, UInt64>(repeating: 0)

    @inline(__always)
    func mayHold(_ hash: UInt32) -> Bool { bits[Int(hash >> 6 & 15)] >> UInt64(hash & 63) & 1 == 1 }

    @inline(__always)
    mutating func insert(_ hash: UInt32) { bits[Int(hash >> 6 & 15)] |= 1 << UInt64(hash & 63) }
}
