import Foundation

/// Receipt-like bytes and the ways in which their text gets damaged.
enum TransportSample {
    /// A ContentInfo with signedData whose length is exactly as wanted, of at least 142 bytes. The rest is noise.
    static func cms(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed)
        let header: [UInt8] = count < 260 ? [0x30, 0x81] : [0x30, 0x82]
        let length = count - header.count - (count < 260 ? 1 : 2)
        var bytes = header + (count < 260 ? [UInt8(length)] : [UInt8(length >> 8), UInt8(length & 0xFF)])
        bytes += [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        while bytes.count < count { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        return bytes
    }

    /// The same in indefinite length, as Xcode makes it: three levels, the innermost an OCTET STRING of noise.
    static func ber(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed)
        var bytes: [UInt8] = [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        bytes += [0xA0, 0x80, 0x24, 0x80, 0x04, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        return bytes + [0, 0, 0, 0, 0, 0]
    }

    static let propertyList = Array(
        """
        {
        \t"signature" = "Ahhq0naqhm5r/0ICnbOaU8ByPK6DckfljtB03geHxvM2lEcVGj+cU3YgXftFFBgiEbDu4ghaqUXT";
        \t"purchase-info" = "ewoJInRyYW5zYWN0aW9uLWlkIiA9ICIxIjsKfQ==";
        \t"pod" = "100";
        \t"signing-status" = "0";
        }
        """.utf8)

    /// A JWS by its form: a header, a payload and 64 bytes.
    static let jws = [
        Array(#"{"alg":"ES256","x5c":["MIIB","MIIB","MIIB"]}"#.utf8),
        Array((#"{"bundleId":""# + String(repeating: "com.example.", count: 40) + #""}"#).utf8),
        (0..<64).map { UInt8($0 * 37 & 0xFF) },
    ].map { urlSafe(base64($0)).replacingOccurrences(of: "=", with: "") }.joined(separator: ".")

    /// A chunked HTTP body (RFC 9112 section 7.1).
    static func chunked(_ text: String, _ size: Int) -> String {
        let bytes = Array(text.utf8)
        var chunks = stride(from: 0, to: bytes.count, by: size).map { start in
            let chunk = bytes[start..<min(start + size, bytes.count)]
            return String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self) + "\r\n"
        }
        chunks.append("0\r\n\r\n")
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.joined()
    }

    /// Lines of 16 bytes behind an offset in octal, as `od` prints them.
    static func dump(_ data: Data, _ show: (UInt8) -> String) -> String {
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count, by: 16).map { start in
            let offset = String(start, radix: 8)
            return String(repeating: "0", count: 7 - offset.count) + offset
                + bytes[start..<min(start + 16, bytes.count)].map(show).joined() + "\n"
        }.joined()
    }

    /// As `od -c` does.
    static func characterDump(_ data: Data) -> String {
        let escapes: [UInt8: String] = [
            0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r",
        ]
        return dump(data) { byte in
            let plain =
                0x20..<0x7F ~= byte
                ? String(UnicodeScalar(byte)) : String(String(Int(byte) + 512, radix: 8).dropFirst())
            let text = escapes[byte] ?? plain
            return String(repeating: " ", count: 4 - text.count) + text
        }
    }

    /// Everything a text goes through, by name. Each must be undone.
    static let damage: [(name: String, apply: @Sendable (String) -> [UInt8])] = [
        ("none", { utf8($0) }),
        ("wrapped at 64, LF", { utf8(wrap($0, 64, "\n")) }),
        ("wrapped at 76, CRLF", { utf8(wrap($0, 76, "\r\n")) }),
        ("wrapped at 61, CR", { utf8(wrap($0, 61, "\r")) }),
        ("wrapped at 1, LF", { utf8(wrap($0, 1, "\n")) }),
        ("wrapped at 60, literal \\n", { utf8(wrap($0, 60, "\\n")) }),
        ("wrapped at 64, literal \\r\\n", { utf8(wrap($0, 64, "\\r\\n")) }),
        ("wrapped at 64, double-escaped", { utf8(wrap($0, 64, "\\\\n")) }),
        ("wrapped at 64, blanks", { utf8(wrap($0, 64, " ")) }),
        ("wrapped at 76, tab", { utf8(wrap($0, 76, "\n\t")) }),
        ("wrapped at 76, shell", { utf8(wrap($0, 76, "\\\n")) }),
        ("wrapped at 76, %0A", { utf8(wrap($0, 76, "%0D%0A")) }),
        ("wrapped at 76, no-break space", { utf8(wrap($0, 76, "\u{A0}")) }),
        ("wrapped at 76, quoted-printable", { utf8(quotedPrintable($0)) }),
        ("surrounded by white space", { utf8(" \t\r\n" + $0 + "\n\n \t") }),
        ("double quotes", { utf8("\"\($0)\"") }),
        ("single quotes and comma", { utf8("'\($0)',\n") }),
        ("typographic quotes", { utf8("\u{201C}\($0)\u{201D}") }),
        ("back-ticks and semicolon", { utf8("`\($0)`;") }),
        ("escaped quotes", { utf8("\\\"\($0)\\\"") }),
        ("Python bytes", { utf8("b'\($0)'") }),
        ("Swift optional", { utf8("Optional(\"\($0)\")") }),
        ("JSON slashes", { utf8($0.replacingOccurrences(of: "/", with: "\\/")) }),
        ("JSON slashes, twice", { utf8($0.replacingOccurrences(of: "/", with: "\\\\\\/")) }),
        (
            "JSON numbers",
            { utf8($0.replacingOccurrences(of: "=", with: "\\u003d").replacingOccurrences(of: "+", with: "\\u002B")) }
        ),
        ("percent", { utf8(percent($0)) }),
        (
            "percent, lower case",
            {
                utf8(
                    percent($0).replacingOccurrences(of: "%2B", with: "%2b").replacingOccurrences(
                        of: "%2F", with: "%2f"))
            }
        ),
        ("percent, twice", { utf8(percent(percent($0))) }),
        ("percent, three times", { utf8(percent(percent(percent($0)))) }),
        (
            "HTML",
            {
                utf8(
                    $0.replacingOccurrences(of: "+", with: "&#43;").replacingOccurrences(of: "/", with: "&#x2F;")
                        .replacingOccurrences(of: "=", with: "&#x3D;"))
            }
        ),
        ("plus to blank", { utf8($0.replacingOccurrences(of: "+", with: " ")) }),
        ("plus to %20", { utf8($0.replacingOccurrences(of: "+", with: "%20")) }),
        ("plus to blank, wrapped", { utf8(wrap($0.replacingOccurrences(of: "+", with: " "), 64, "\n")) }),
        ("plus to blank, wrapped with CRLF", { utf8(wrap($0.replacingOccurrences(of: "+", with: " "), 76, "\r\n")) }),
        ("plus to blank, wrapped with blanks", { utf8(wrap($0.replacingOccurrences(of: "+", with: " "), 64, " ")) }),
        ("plus to blank, trimmed line ends", { utf8(wrap($0, 64, " \n")) }),
        ("base64url", { utf8(urlSafe($0)) }),
        ("base64url, no padding", { utf8(urlSafe($0).replacingOccurrences(of: "=", with: "")) }),
        (
            "base64url, wrapped, no padding",
            { utf8(wrap(urlSafe($0).replacingOccurrences(of: "=", with: ""), 64, "\n")) }
        ),
        ("no padding", { utf8($0.replacingOccurrences(of: "=", with: "")) }),
        ("excess padding", { utf8($0 + "==") }),
        ("data URI", { utf8("data:application/octet-stream;base64,\($0)") }),
        ("data URI in quotes", { utf8("\"DATA:;base64,\($0)\"") }),
        ("PEM", { utf8("-----BEGIN PKCS7-----\n\(wrap($0, 64, "\n"))\n-----END PKCS7-----\n") }),
        ("PEM, one line", { utf8("-----BEGIN CMS----- \($0) -----END CMS-----") }),
        ("PEM, no end line", { utf8("-----BEGIN PKCS7-----\n\(wrap($0, 64, "\n"))\n") }),
        ("PEM, end line cut", { utf8("-----BEGIN PKCS7-----\r\n\(wrap($0, 64, "\r\n"))\r\n-----EN") }),
        ("PEM, no begin line", { utf8("\(wrap($0, 64, "\n"))\n-----END PKCS7-----") }),
        ("PEM, hyphens lost", { utf8("--BEGIN PKCS7--\n\(wrap($0, 64, "\n"))\n--END PKCS7--") }),
        ("byte order mark", { utf8("\u{FEFF}" + $0) }),
        ("UTF-16LE with mark", { utf16("\u{FEFF}" + $0, bigEndian: false) }),
        ("UTF-16BE with mark", { utf16("\u{FEFF}" + $0, bigEndian: true) }),
        ("UTF-16LE", { utf16($0, bigEndian: false) }),
        ("UTF-16BE, wrapped", { utf16(wrap($0, 64, "\r\n"), bigEndian: true) }),
        ("UTF-16LE, quotes", { utf16("\u{201C}\($0)\u{201D}\n", bigEndian: false) }),
        ("base64", { utf8(base64(utf8($0))) }),
        ("base64, wrapped inside and outside", { utf8(wrap(base64(utf8(wrap($0, 64, "\n"))), 76, "\r\n")) }),
        ("base64 of base64", { utf8(base64(utf8(base64(utf8($0))))) }),
        ("base64 of PEM", { utf8(base64(utf8("-----BEGIN PKCS7-----\n\($0)\n-----END PKCS7-----\n"))) }),
        ("base64, plus to blank", { utf8(base64(utf8($0)).replacingOccurrences(of: "+", with: " ")) }),
        ("base64 of plus to blank", { utf8(base64(utf8($0.replacingOccurrences(of: "+", with: " ")))) }),
        ("pieces with padding", { utf8(pieces($0)) }),
        ("zero at the end", { utf8($0 + "\0") }),
        ("literal \\n at the end", { utf8($0 + "\\n") }),
        ("JSON slashes in percent", { utf8(percent($0.replacingOccurrences(of: "/", with: "\\/"))) }),
        ("JSON slashes in percent, twice", { utf8(percent(percent($0.replacingOccurrences(of: "/", with: "\\/")))) }),
        ("literal \\n in percent", { utf8(percent(wrap($0, 60, "\\n"))) }),
        ("JSON in percent", { utf8(percent("\"" + $0 + "\"")) }),
    ]

    /// Forms that are not base64.
    static let forms: [(name: String, apply: @Sendable ([UInt8]) -> [UInt8])] = [
        ("raw", { $0 }),
        ("raw, newline after", { $0 + [0x0A] }),
        ("raw, zeros after", { $0 + [0, 0, 0, 0] }),
        ("hex", { utf8(hex($0, "##", "")) }),
        ("hex, upper case", { utf8(hex($0, "##", "", upper: true)) }),
        ("hex, blanks", { utf8(hex($0, "##", " ")) }),
        ("hex, colons", { utf8(hex($0, "##", ":", upper: true)) }),
        ("hex, 0x once", { utf8("0x" + hex($0, "##", "")) }),
        ("hex, 0x each", { utf8(hex($0, "0x##", ", ")) }),
        ("hex, \\x each", { utf8("b'" + hex($0, "\\x##", "") + "'") }),
        ("hex, NSData", { utf8("<" + wrap(hex($0, "##", ""), 8, " ") + ">") }),
        ("base64 of trailing newline", { utf8(base64($0 + [0x0A])) }),
        ("base64 of trailing zeros", { utf8(base64($0 + [0, 0])) }),
        ("base64 of hex", { utf8(base64(utf8(hex($0, "##", "")))) }),
    ]

    static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func urlSafe(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }

    static func wrap(_ text: String, _ width: Int, _ separator: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: width) {
            if start > 0 { result += separator.utf8 }
            result += bytes[start..<min(start + width, bytes.count)]
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func quotedPrintable(_ text: String) -> String {
        wrap(text, 73, "\n").replacingOccurrences(of: "=", with: "=3D").replacingOccurrences(of: "\n", with: "=\r\n")
    }

    static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The bytes encoded in pieces of 100, each padded by itself.
    static func pieces(_ text: String) -> String {
        let bytes = Array(Data(base64Encoded: text) ?? Data())
        return stride(from: 0, to: bytes.count, by: 100)
            .map { base64(Array(bytes[$0..<min($0 + 100, bytes.count)])) }.joined(separator: "\n")
    }

    /// Two digits for each byte in place of `##`.
    static func hex(_ bytes: [UInt8], _ pattern: String, _ separator: String, upper: Bool = false) -> String {
        let digits = Array((upper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        let prefix = Array(pattern.utf8.dropLast(2))
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index > 0 { result += separator.utf8 }
            result += prefix
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A generator that gives the same numbers in each run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
