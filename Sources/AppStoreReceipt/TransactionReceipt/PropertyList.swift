/// One dictionary of strings in the old-style (NeXTSTEP) property list dialect, its entries in order.
///
/// ```
/// list   = space "{" space *(string space "=" space string space ";" space) "}" space
/// string = %x22 *(character / escape) %x22  /  1*(letter / digit / "_" / "$" / "/" / ":" / "." / "-")
/// escape = "\" ( %x22 / "\" / "a" / "b" / "f" / "n" / "r" / "t" / "v" / 1*3octal / "U" 4hex )
/// ```
///
/// This is what transaction receipts use, and no more than that: dictionaries inside, arrays, data, comments and repeated
/// keys are refused by name. Genuine receipts only ever quote; the unquoted form is how the system prints such a
/// dictionary, and therefore how people paste it. Octal escapes stop at `\177`: above that the dialect means the NeXTSTEP
/// character set, which no receipt needs.
package struct PropertyList: Sendable {
    package struct Entry: Sendable {
        package var key: String
        package var value: String
        /// Where the value begins in the text; the first byte after the quote when it is quoted.
        package var valueOffset: Int
    }

    package let entries: [Entry]

    /// Reads one dictionary that fills the bytes, with nothing but white space around it.
    ///
    /// - Parameter field: the name under which errors are reported.
    package init(
        _ bytes: Span<UInt8>, field: String, limits: PropertyListLimits = PropertyListLimits()
    ) throws(ReceiptDecodingError) {
        guard bytes.count <= limits.bytes else {
            throw ReceiptDecodingError(
                .inputTooLong, at: limits.bytes, in: field, detail: "\(bytes.count) bytes, at most \(limits.bytes)")
        }
        var reader = PropertyListReader(field: field, limits: limits)
        try reader.skipSpace(bytes)
        try reader.expect(UInt8(ascii: "{"), in: bytes)
        try reader.skipSpace(bytes)
        var entries: [Entry] = []
        var keys: Set<String> = []
        entries.reserveCapacity(24)
        keys.reserveCapacity(24)
        while !reader.takes(UInt8(ascii: "}"), in: bytes) {
            guard entries.count < limits.entries else {
                throw reader.failure(.propertyListLimit, "more than \(limits.entries) entries")
            }
            let start = reader.position
            let key = try reader.string(bytes, limit: limits.keyBytes).text
            guard keys.insert(key).inserted else {
                reader.key = key
                throw reader.failure(.propertyListDuplicateKey, nil, at: start)
            }
            reader.key = key
            try reader.skipSpace(bytes)
            try reader.expect(UInt8(ascii: "="), in: bytes)
            try reader.skipSpace(bytes)
            let (value, offset) = try reader.string(bytes, limit: limits.valueBytes)
            try reader.skipSpace(bytes)
            try reader.expect(UInt8(ascii: ";"), in: bytes)
            try reader.skipSpace(bytes)
            reader.key = nil
            entries.append(Entry(key: key, value: value, valueOffset: offset))
        }
        try reader.skipSpace(bytes)
        guard reader.position == bytes.count else {
            throw reader.failure(.trailingBytes, "\(bytes.count - reader.position) bytes after the closing brace")
        }
        self.entries = entries
    }

    package subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// How much a property list may hold. Applied before anything is allocated.
package struct PropertyListLimits: Sendable {
    /// ``DecodingLimits/propertyListBytes``.
    package var bytes: Int
    /// ``DecodingLimits/propertyListEntries``.
    package var entries: Int
    /// Of one key. The longest genuine one, `original-purchase-date-pst`, has 26.
    package var keyBytes = 128
    /// Of one value. The longest genuine one, the signature of version 3 in base64, has 2,228.
    package var valueBytes = 32_768

    package init(_ limits: DecodingLimits = .default) {
        bytes = limits.propertyListBytes
        entries = limits.propertyListEntries
    }
}

/// A position in the text, and what is being read there.
private struct PropertyListReader {
    var position = 0
    /// The key whose value is being read.
    var key: String?
    let field: String
    let limits: PropertyListLimits

    init(field: String, limits: PropertyListLimits) {
        self.field = field
        self.limits = limits
    }

    func failure(_ code: ReceiptDecodingError.Code, _ detail: String?, at offset: Int? = nil) -> ReceiptDecodingError {
        ReceiptDecodingError(code, at: offset ?? position, in: fieldName, detail: detail)
    }

    /// `field.key` when the key is a plain word, so that hostile text never becomes part of a message.
    private var fieldName: String {
        guard let key else { return field }
        let isPlain = !key.isEmpty && key.utf8.count <= 64 && key.utf8.allSatisfy(isUnquoted)
        return isPlain ? "\(field).\(key)" : "\(field).(key)"
    }

    func peek(_ bytes: Span<UInt8>, _ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    mutating func skipSpace(_ bytes: Span<UInt8>) throws(ReceiptDecodingError) {
        while let byte = peek(bytes), isSpace(byte) { position += 1 }
        if peek(bytes) == UInt8(ascii: "/"), let next = peek(bytes, 1),
            next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
        {
            throw failure(.propertyListComment, nil)
        }
    }

    mutating func takes(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == byte else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8, in bytes: Span<UInt8>) throws(ReceiptDecodingError) {
        guard !takes(byte, in: bytes) else { return }
        let wanted = Character(Unicode.Scalar(byte))
        throw peek(bytes) == nil
            ? failure(.truncated, "expected \(wanted)")
            : failure(.propertyListSyntax, "expected \(wanted)")
    }

    /// A quoted or unquoted string, and where its text begins.
    mutating func string(
        _ bytes: Span<UInt8>, limit: Int
    ) throws(ReceiptDecodingError) -> (text: String, offset: Int) {
        guard let first = peek(bytes) else { throw failure(.truncated, "expected a string") }
        if first == UInt8(ascii: "\"") {
            position += 1
            let offset = position
            return (try quoted(bytes, limit: limit), offset)
        }
        guard isUnquoted(first) else {
            let opens = first == UInt8(ascii: "{") || first == UInt8(ascii: "(") || first == UInt8(ascii: "<")
            throw opens
                ? failure(.propertyListNotAString, "a dictionary, an array or data")
                : failure(.propertyListSyntax, "expected a string")
        }
        let offset = position
        while let byte = peek(bytes), isUnquoted(byte) {
            position += 1
            guard position - offset <= limit else {
                throw failure(.propertyListLimit, "a string of more than \(limit) bytes", at: offset)
            }
        }
        // All of them are ASCII.
        return (validText(bytes.extracting(offset..<position)) ?? "", offset)
    }

    /// The rest of a quoted string, up to and over its closing quote.
    private mutating func quoted(_ bytes: Span<UInt8>, limit: Int) throws(ReceiptDecodingError) -> String {
        let offset = position
        // What stands before the last escape, unescaped.
        var text: [UInt8] = []
        while true {
            let plain = bytes.extracting(position..<endOfPlainText(bytes, room: limit - text.count))
            position += plain.count
            guard let byte = peek(bytes) else { throw failure(.truncated, "the closing quote is missing") }
            if byte == UInt8(ascii: "\"") {
                position += 1
                let string = text.isEmpty ? validText(plain) : String(validating: text + array(plain), as: UTF8.self)
                guard let string else { throw failure(.invalidUTF8, nil, at: offset) }
                return string
            }
            text += array(plain)
            guard text.count < limit else {
                throw failure(.propertyListLimit, "a string of more than \(limit) bytes", at: offset)
            }
            guard byte == UInt8(ascii: "\\") else {
                throw failure(.propertyListSyntax, "a control character in a string")
            }
            try escape(bytes, into: &text)
        }
    }

    /// Where the next byte of a string is that does not stand for itself, or where there is no room for more.
    private func endOfPlainText(_ bytes: Span<UInt8>, room: Int) -> Int {
        let limit = bytes.count - position > room ? position + max(room, 0) : bytes.count
        var end = position
        while end < limit {
            let byte = bytes[end]
            let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
            guard isPlain || isSpace(byte) else { break }
            end += 1
        }
        return end
    }

    /// One escape, from its backslash on.
    private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(ReceiptDecodingError) {
        let start = position
        position += 1
        guard let byte = peek(bytes) else { throw failure(.truncated, "an escape is cut short") }
        if byte == UInt8(ascii: "U") {
            text.append(contentsOf: String(try unicodeEscape(bytes, from: start)).utf8)
            return
        }
        if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) {
            text.append(try octalEscape(bytes, from: start))
            return
        }
        guard let index = escapes.names.firstIndex(of: byte) else {
            throw failure(.propertyListEscape, nil, at: start)
        }
        position += 1
        text.append(escapes.meanings[index])
    }

    /// One to three octal digits, up to `\177`.
    private mutating func octalEscape(_ bytes: Span<UInt8>, from start: Int) throws(ReceiptDecodingError) -> UInt8 {
        var value = 0
        for _ in 0..<3 {
            guard let digit = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { break }
            value = value << 3 | Int(digit & 7)
            position += 1
        }
        guard (1...0x7F).contains(value) else {
            throw failure(.propertyListEscape, "an octal escape outside \\1 to \\177", at: start)
        }
        return UInt8(value)
    }

    /// `U` and four hexadecimal digits: one UTF-16 code unit, or the first of a surrogate pair that must be whole.
    private mutating func unicodeEscape(
        _ bytes: Span<UInt8>, from start: Int
    ) throws(ReceiptDecodingError) -> Unicode.Scalar {
        let unit = try codeUnit(bytes, from: start)
        if let scalar = Unicode.Scalar(unit), unit != 0 { return scalar }
        guard (0xD800..<0xDC00).contains(unit), takes(UInt8(ascii: "\\"), in: bytes) else {
            throw failure(.propertyListEscape, "a lone surrogate or a zero", at: start)
        }
        let low = try codeUnit(bytes, from: start)
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw failure(.propertyListEscape, "a lone surrogate", at: start) }
        return scalar
    }

    private mutating func codeUnit(_ bytes: Span<UInt8>, from start: Int) throws(ReceiptDecodingError) -> UInt32 {
        guard takes(UInt8(ascii: "U"), in: bytes) else {
            throw failure(.propertyListEscape, "a lone surrogate", at: start)
        }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(bytes) else { throw failure(.truncated, "an escape is cut short") }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure(.propertyListEscape, "expected four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

private let escapes = (names: [UInt8]("\"\\abfnrtv".utf8), meanings: [UInt8]("\"\\\u{7}\u{8}\u{C}\n\r\t\u{B}".utf8))

/// The text of some bytes, or nil if they are not UTF-8.
private func validText(_ bytes: Span<UInt8>) -> String? {
    // A quoted string that is not UTF-8 becomes an error with its offset; unquoted ones are ASCII.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
}

private func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

/// White space between the pieces of a property list.
func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

private func isUnquoted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-")...UInt8(ascii: ":"): true  // - . / 0 to 9 :
    case UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
}
