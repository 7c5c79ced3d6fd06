/// Writes JSON (RFC 8259) into a buffer as it is produced.
///
/// The caller calls it in the order of the text. A wrong order (a value without its key, an end without its
/// begin) is a programming error and stops a debug build. Strings come from receipts, so characters that a
/// terminal would obey are escaped too; a reader gets back exactly the string that was given.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether each member is on a line of its own, indented by two spaces.
    package let isPretty: Bool
    private var depth = 0
    /// Whether the innermost open object or array has nothing yet, or a key has just been written.
    private var needsNoComma = true
    private var followsKey = false

    package init(pretty: Bool = false) { isPretty = pretty }

    /// Forgets what was written and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsNoComma = true
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// A member's name. Names are the tool's own words: plain ASCII that needs no escaping.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// A member's name that is not one of the tool's own words.
    package mutating func key(text name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        appendEscaped(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Bytes as a string of lower-case hexadecimal digits.
    package mutating func hexString(_ value: ArraySlice<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in value {
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A string of printable ASCII without quotation marks and backslashes, which the closure appends.
    package mutating func plainString(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ value: Int64) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// An integer as a string, for numbers that readers of JSON would pass through a double.
    package mutating func integerString(_ value: Int64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: String(value).utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// A value that is JSON already.
    package mutating func verbatim(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
    }

    /// Ends a whole text with a line feed.
    package mutating func endLine() {
        assert(depth == 0, "the text is not complete")
        bytes.append(UInt8(ascii: "\n"))
        needsNoComma = true
    }

    // MARK: - Members that may be absent

    package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Int64?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Int?) { member(name, value.map { Int64($0) }) }

    package mutating func memberString(_ name: StaticString, _ value: Int64?) {
        key(name)
        if let value { integerString(value) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ value: Bool?) {
        key(name)
        if let value { bool(value) } else { null() }
    }

    // MARK: - Structure

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        needsNoComma = true
    }

    private mutating func end(_ bracket: UInt8) {
        assert(depth > 0 && !followsKey, "an end without its begin, or a key without its value")
        depth -= 1
        if isPretty && !needsNoComma { breakLine() }
        bytes.append(bracket)
        needsNoComma = false
    }

    private mutating func separate() {
        if followsKey {
            followsKey = false
        } else {
            if !needsNoComma { bytes.append(UInt8(ascii: ",")) }
            if isPretty && depth > 0 { breakLine() }
        }
        needsNoComma = false
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth {
            bytes.append(UInt8(ascii: " "))
            bytes.append(UInt8(ascii: " "))
        }
    }

    // MARK: - Strings

    private mutating func appendEscaped(_ value: String) {
        if value.utf8.span.isPlainASCII {
            bytes.append(contentsOf: value.utf8)
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": bytes.append(contentsOf: #"\""#.utf8)
            case "\\": bytes.append(contentsOf: #"\\"#.utf8)
            case "\n": bytes.append(contentsOf: #"\n"#.utf8)
            case "\r": bytes.append(contentsOf: #"\r"#.utf8)
            case "\t": bytes.append(contentsOf: #"\t"#.utf8)
            case _ where scalar.isUnsafeOnTerminal:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { appendUnicodeEscape(unit) }
            default:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    private mutating func appendUnicodeEscape(_ unit: UInt16) {
        bytes.append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] { bytes.append(hexDigit(UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15)) }
    }
}

@inline(__always)
private func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}

extension Span<UInt8> {
    /// Whether these are printable ASCII characters that JSON takes as they are.
    fileprivate var isPlainASCII: Bool {
        for index in indices {
            let byte = self[index]
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }
}
