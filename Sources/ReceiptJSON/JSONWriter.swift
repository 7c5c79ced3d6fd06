/// Writes JSON (RFC 8259) into a buffer as it is produced.
///
/// The caller calls it in the order of the text. A wrong order (a value without its key, an end without its
/// begin) is a programming error and stops a debug build. Strings come from receipts, so characters that a
/// terminal would obey are escaped too; a reader gets back exactly the string that was given.
///
/// It has memory of its own and cannot be copied, so that putting a few bytes takes a comparison and no more.
@safe
package struct JSONWriter: ~Copyable {
    var memory: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var count = 0
    /// Whether each member is on a line of its own, indented by two spaces.
    package let isPretty: Bool
    private var depth = 0
    /// Whether the innermost open object or array has nothing yet, or a key has just been written.
    private var needsNoComma = true
    private var followsKey = false

    package init(pretty: Bool = false) {
        capacity = 4_096
        unsafe memory = .allocate(capacity: capacity)
        isPretty = pretty
    }

    deinit { unsafe memory.deallocate() }

    package var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Moves what was written into an array, in place of what is there.
    package mutating func move(to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: memory, count: count))
        count = 0
        needsNoComma = true
        // The longest answers' memory is not kept.
        if capacity > 4 << 20 {
            unsafe memory.deallocate()
            capacity = 4_096
            unsafe memory = .allocate(capacity: capacity)
        }
    }

    /// How many bytes were written.
    package var offset: Int { count }

    /// What was written from an offset on.
    package func bytes(from offset: Int) -> [UInt8] {
        let start = min(max(offset, 0), count)
        return unsafe Array(UnsafeBufferPointer(start: memory + start, count: count - start))
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    /// A member's name. Names are the tool's own words: plain ASCII that needs no escaping.
    package mutating func key(_ name: StaticString) {
        separate()
        let length = name.utf8CodeUnitCount
        let space = isPretty ? 1 : 0
        unsafe put(atMost: length + 4) { room in
            unsafe room[0] = UInt8(ascii: "\"")
            unsafe (room + 1).update(from: name.utf8Start, count: length)
            unsafe room[length + 1] = UInt8(ascii: "\"")
            unsafe room[length + 2] = UInt8(ascii: ":")
            unsafe room[length + 3] = UInt8(ascii: " ")
            return length + 3 + space
        }
        followsKey = true
    }

    /// A member's name that is not one of the tool's own words.
    package mutating func key(text name: String) {
        string(name)
        put(UInt8(ascii: ":"))
        if isPretty { put(UInt8(ascii: " ")) }
        followsKey = true
    }

    package mutating func string(_ value: String) {
        let text = value.utf8.span
        if text.isPlainASCII {
            plainString(text)
        } else {
            beginString()
            appendEscaped(value)
            endString()
        }
    }

    /// A string of valid UTF-8.
    package mutating func string(_ text: Span<UInt8>) {
        if text.isPlainASCII {
            plainString(text)
        } else {
            beginString()
            append(text)
            endString()
        }
    }

    @inline(__always)
    private mutating func plainString(_ text: Span<UInt8>) {
        separate()
        unsafe text.withUnsafeBufferPointer { text in
            unsafe put(atMost: text.count + 2) { room in
                unsafe room[0] = UInt8(ascii: "\"")
                if let start = text.baseAddress { unsafe (room + 1).update(from: start, count: text.count) }
                unsafe room[text.count + 1] = UInt8(ascii: "\"")
                return text.count + 2
            }
        }
    }

    /// A string that is written piece by piece, with ``append(_:)-(String)``.
    package mutating func beginString() {
        separate()
        put(UInt8(ascii: "\""))
    }

    package mutating func endString() { put(UInt8(ascii: "\"")) }

    /// Bytes as a string of lower-case hexadecimal digits.
    package mutating func hexString(_ value: Span<UInt8>) {
        beginString()
        append(hex: value)
        endString()
    }

    /// A string of printable ASCII without quotation marks and backslashes, which the closure writes from the beginning of
    /// a span, and tells how long it is.
    package mutating func plainString(atMost room: Int, _ write: (inout MutableSpan<UInt8>) -> Int) {
        beginString()
        reserve(room)
        // Initialized, so that a span may be over it.
        unsafe (memory + count).initialize(repeating: 0, count: room)
        var span = unsafe MutableSpan(_unsafeStart: memory + count, count: room)
        count += min(max(write(&span), 0), room)
        endString()
    }

    package mutating func integer(_ value: Int64) {
        separate()
        append(digits: value)
    }

    /// An integer as a string, for numbers that readers of JSON would pass through a double.
    package mutating func integerString(_ value: Int64) {
        beginString()
        append(digits: value)
        endString()
    }

    package mutating func bool(_ value: Bool) {
        separate()
        put(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        put("null")
    }

    /// A value that is JSON already, or its beginning; what is behind that is appended, and ``endVerbatim(_:)`` ends it.
    package mutating func verbatim(_ value: [UInt8]) {
        separate()
        unsafe value.withUnsafeBufferPointer { unsafe put($0) }
    }

    package mutating func endVerbatim(_ end: StaticString) { put(end) }

    /// Ends a whole text with a line feed.
    package mutating func endLine() {
        assert(depth == 0, "the text is not complete")
        put(UInt8(ascii: "\n"))
        needsNoComma = true
    }

    // MARK: - Members that may be absent

    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return member(name, word: "null") }
        let text = value.utf8.span
        guard !isPretty, text.isPlainASCII else {
            key(name)
            return string(value)
        }
        unsafe text.withUnsafeBufferPointer { unsafe putMember(name, $0, isQuoted: true) }
    }

    package mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return member(name, word: "null") }
        key(name)
        integer(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int?) { member(name, value.map { Int64($0) }) }

    package mutating func memberString(_ name: StaticString, _ value: Int64?) {
        guard let value else { return member(name, word: "null") }
        key(name)
        integerString(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool?) {
        member(name, word: value.map { $0 ? "true" : "false" } ?? "null")
    }

    private mutating func member(_ name: StaticString, word: StaticString) {
        let text = unsafe UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard isPretty else { return unsafe putMember(name, text, isQuoted: false) }
        key(name)
        followsKey = false
        unsafe put(text)
    }

    /// A whole member at once, on no line of its own.
    @inline(__always)
    private mutating func putMember(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>, isQuoted: Bool) {
        let length = name.utf8CodeUnitCount
        let comma = needsNoComma ? 0 : 1
        let mark = isQuoted ? 1 : 0
        unsafe put(atMost: length + value.count + 6) { room in
            unsafe room[0] = UInt8(ascii: ",")
            var at = unsafe room + comma
            unsafe at[0] = UInt8(ascii: "\"")
            unsafe (at + 1).update(from: name.utf8Start, count: length)
            unsafe at += length + 1
            unsafe at[0] = UInt8(ascii: "\"")
            unsafe at[1] = UInt8(ascii: ":")
            unsafe at[2] = UInt8(ascii: "\"")
            unsafe at += 2 + mark
            if let start = value.baseAddress { unsafe at.update(from: start, count: value.count) }
            unsafe at[value.count] = UInt8(ascii: "\"")
            return comma + length + 3 + 2 * mark + value.count
        }
        needsNoComma = false
    }

    // MARK: - Structure

    private mutating func begin(_ bracket: UInt8) {
        separate()
        put(bracket)
        depth += 1
        needsNoComma = true
    }

    private mutating func end(_ bracket: UInt8) {
        assert(depth > 0 && !followsKey, "an end without its begin, or a key without its value")
        depth -= 1
        if isPretty && !needsNoComma { breakLine() }
        put(bracket)
        needsNoComma = false
    }

    @inline(__always)
    private mutating func separate() {
        if followsKey {
            followsKey = false
        } else {
            if !needsNoComma { put(UInt8(ascii: ",")) }
            if isPretty && depth > 0 { breakLine() }
        }
        needsNoComma = false
    }

    private mutating func breakLine() {
        put(UInt8(ascii: "\n"))
        for _ in 0..<depth { put("  ") }
    }
}
