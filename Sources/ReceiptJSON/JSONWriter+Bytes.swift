/// What strings and numbers are made of, and the memory that they go to.
extension JSONWriter {
    /// A piece of a string.
    package mutating func append(_ text: String) {
        if !appendIfPlain(text) { appendEscaped(text) }
    }

    /// A piece of a string, if it is one of printable ASCII that stands for itself.
    package mutating func appendIfPlain(_ text: String) -> Bool {
        let span = text.utf8.span
        guard span.isPlainASCII else { return false }
        unsafe span.withUnsafeBufferPointer { unsafe put($0) }
        return true
    }

    mutating func appendEscaped(_ value: String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": put(#"\""#)
            case "\\": put(#"\\"#)
            case "\n": put(#"\n"#)
            case "\r": put(#"\r"#)
            case "\t": put(#"\t"#)
            case _ where scalar.isUnsafeOnTerminal:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { appendUnicodeEscape(unit) }
            default:
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { put(byte) }
            }
        }
    }

    /// The same of UTF-8 that was found to be valid.
    package mutating func append(_ text: Span<UInt8>) {
        if text.isPlainASCII {
            unsafe text.withUnsafeBufferPointer { unsafe put($0) }
        } else {
            unsafe text.withUnsafeBufferPointer { appendEscaped(unsafe String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Lower-case hexadecimal digits.
    package mutating func append(hex value: Span<UInt8>) {
        unsafe put(atMost: 2 * value.count) { room in
            for index in value.indices {
                unsafe room[2 * index] = hexDigit(value[index] >> 4)
                unsafe room[2 * index + 1] = hexDigit(value[index] & 15)
            }
            return 2 * value.count
        }
    }

    private mutating func appendUnicodeEscape(_ unit: UInt16) {
        put(#"\u"#)
        for shift in [12, 8, 4, 0] { put(hexDigit(UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15)) }
    }

    @inline(__always)
    mutating func reserve(_ room: Int) {
        if capacity - count < room { grow(room) }
    }

    @inline(never)
    private mutating func grow(_ room: Int) {
        capacity = max(2 * capacity, count + room)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: memory, count: count)
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        reserve(1)
        unsafe memory[count] = byte
        count += 1
    }

    mutating func put(_ word: StaticString) {
        unsafe put(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func put(_ source: UnsafeBufferPointer<UInt8>) {
        unsafe put(atMost: source.count) { room in
            if let start = source.baseAddress { unsafe room.update(from: start, count: source.count) }
            return source.count
        }
    }

    /// Lets a closure write some bytes where there is room for them.
    @inline(__always)
    mutating func put(atMost room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(room)
        count += unsafe write(memory + count)
    }

    /// Decimal digits, written from the last.
    package mutating func append(digits value: Int64) {
        if value < 0 { put(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var length = 1
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        rest = value.magnitude
        unsafe put(atMost: length) { room in
            for place in stride(from: length - 1, through: 0, by: -1) {
                unsafe room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return length
        }
    }
}

@inline(__always)
private func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}
