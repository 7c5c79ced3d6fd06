/// A string as it may be shown on a terminal: on one line, and unable to do anything but be read.
///
/// Strings inside a receipt are chosen by whoever made it. Control characters (escape sequences begin
/// with one), invisible characters, line separators and the bidirectional controls that reorder what is
/// read are written as `\n`, `\t`, `\r`, `\\`, or `\u{…}`. Everything else stays, whatever its script.
func escapedForTerminal(_ text: some StringProtocol) -> String {
    var utf8 = text.utf8.makeIterator()
    var isPlain = true
    while let byte = utf8.next() {
        if byte < 0x20 || byte >= 0x7F || byte == 0x5C {
            isPlain = false
            break
        }
    }
    if isPlain { return String(text) }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": result += #"\\"#
        case "\n": result += #"\n"#
        case "\r": result += #"\r"#
        case "\t": result += #"\t"#
        case _ where isUnsafeOnTerminal(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// A message of the library's or the tool's own that may quote input: like ``escapedForTerminal(_:)``, but a backslash,
/// which such messages use to name escapes, stays as it is.
func escapedMessage(_ message: String) -> String {
    message.split(separator: "\\", omittingEmptySubsequences: false).map { escapedForTerminal($0) }.joined(
        separator: "\\")
}

/// Bytes that ought to be UTF-8, as they may be shown on a terminal: bytes that are not become `\xNN`.
func escapedForTerminal(utf8 bytes: ArraySlice<UInt8>) -> String {
    var result = ""
    var rest = bytes
    while !rest.isEmpty {
        var decoder = UTF8()
        var valid = rest.startIndex
        var iterator = rest.makeIterator()
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): valid += UTF8.width(scalar)
            case .emptyInput, .error: break decoding
            }
        }
        result += escapedForTerminal(String(decoding: rest[rest.startIndex..<valid], as: UTF8.self))
        if valid < rest.endIndex {
            result += #"\x"# + hex(rest[valid...valid])
            valid += 1
        }
        rest = rest[valid...]
    }
    return result
}

/// Characters that move the cursor, hide, or reorder what a reader sees.
func isUnsafeOnTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true  // C0, delete, C1
    case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0: true  // invisible letters and marks
    case 0x180B...0x180F: true  // Mongolian selectors and vowel separator
    case 0x200B...0x200F, 0x2028...0x202E: true  // zero width, marks, separators, embeddings, overrides
    case 0x2060...0x206F: true  // word joiner, isolates, deprecated format characters
    case 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: true  // variation selectors, byte order mark, interlinear
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true  // format controls, tags
    case _ where scalar.value & 0xFFFE == 0xFFFE: true  // noncharacters
    default: false
    }
}

private let hexDigits: [UInt8] = Array("0123456789abcdef".utf8)

/// Bytes as lower-case hexadecimal digits.
func hex(_ bytes: some Collection<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        digits.append(hexDigits[Int(byte >> 4)])
        digits.append(hexDigits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
}
