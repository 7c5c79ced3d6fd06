/// What happens to receipts between a device and a server, as users of receipt libraries report it.
public enum TextForm: Hashable, Sendable {
    /// Lines of some columns, as `base64` (76) and PEM (64) write them.
    case wrapped(columns: Int, newline: String = "\n")
    /// Lines whose ends are the two characters `\n`.
    case literalNewlines(columns: Int)
    /// `/` written as `\/`, as some JSON encoders do.
    case escapedSlashes
    /// `+`, `/`, `=` and `%` percent-encoded.
    case percentEncoded
    /// `+` turned into a space, by form decoding.
    case plusAsSpace
    /// The URL-safe alphabet.
    case base64URL
    /// Without the final `=`.
    case unpadded
    /// `-----BEGIN …-----` armour.
    case pem(String)
    /// `data:…;base64,`.
    case dataURI
    /// In double quotes.
    case quoted
    /// After a byte order mark.
    case byteOrderMark
    /// Spaces and line ends around it.
    case surroundedBySpace
    /// Encoded once more.
    case base64Again
    /// The bytes in hexadecimal, in place of base64.
    case hexadecimal
    /// Cut after some characters.
    case cut(at: Int)
    /// Put into something: `$` stands for the text.
    case inside(String)

    func applied(toBase64 text: String, of bytes: [UInt8]) -> String {
        switch self {
        case .wrapped(let columns, let newline): Self.wrap(text, columns, newline)
        case .literalNewlines(let columns): Self.wrap(text, columns, "\\n")
        case .escapedSlashes: Self.replace(text, ["/": "\\/"])
        case .percentEncoded: Self.replace(text, ["+": "%2B", "/": "%2F", "=": "%3D", "%": "%25"])
        case .plusAsSpace: Self.replace(text, ["+": " "])
        case .base64URL: Self.replace(text, ["+": "-", "/": "_"])
        case .unpadded: String(text.prefix(text.reversed().drop { $0 == "=" }.count))
        case .pem(let label): "-----BEGIN \(label)-----\n\(Self.wrap(text, 64, "\n"))-----END \(label)-----\n"
        case .dataURI: "data:application/octet-stream;base64,\(text)"
        case .quoted: "\"\(text)\""
        case .byteOrderMark: "\u{FEFF}\(text)"
        case .surroundedBySpace: " \t\(text) \r\n"
        case .base64Again: Base64.encode(Array(text.utf8))
        case .hexadecimal: Self.hexadecimal(bytes)
        case .cut(let count): String(text.prefix(count))
        case .inside(let frame): Self.replace(frame, ["$": text])
        }
    }

    private static func wrap(_ text: String, _ columns: Int, _ newline: String) -> String {
        var output = ""
        var rest = text.utf8[...]
        while !rest.isEmpty {
            output += String(decoding: rest.prefix(max(1, columns)), as: UTF8.self) + newline
            rest = rest.dropFirst(max(1, columns))
        }
        return output
    }

    private static func replace(_ text: String, _ replacements: [Character: String]) -> String {
        var output = ""
        for character in text { output += replacements[character] ?? String(character) }
        return output
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
