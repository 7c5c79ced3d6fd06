import ReceiptASN1
import ReceiptJSON

/// A string as it may be shown on a terminal: on one line, and unable to do anything but be read.
///
/// Strings inside a receipt are chosen by whoever made it. Control characters (escape sequences begin
/// with one), invisible characters, line separators and the bidirectional controls that reorder what is
/// read are written as `\n`, `\t`, `\r`, `\\`, or `\u{…}`. Everything else stays, whatever its script.
package func escapedForTerminal(_ text: some StringProtocol) -> String {
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
        case _ where scalar.isUnsafeOnTerminal: result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// A message of the library's or the tool's own that may quote input: like ``escapedForTerminal(_:)``, but a backslash,
/// which such messages use to name escapes, stays as it is.
package func escapedMessage(_ message: String) -> String {
    message.utf8.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
        .map { escapedForTerminal(Substring($0)) }.joined(separator: "\\")
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
