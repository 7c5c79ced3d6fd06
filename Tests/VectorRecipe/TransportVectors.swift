import ReceiptForge

/// The text that a receipt travels as, damaged in the ways users report.
extension Recipe {
    static func transport(_ group: inout VectorGroup) throws {
        // A receipt whose base64 holds "+" and "/" and ends in "=".
        let message = try receipt { $0.applicationVersion = "1.2.34" }.signed(by: Root.standard.chain())
        try repairable(&group, message)
        try named(&group, message)
        try beyondRepair(&group, message)
    }

    private struct Row {
        var name: String
        var forms: [TextForm]
        var exact: String
        var form: String
        var repairs: String
        var comment: String

        init(
            _ name: String, _ forms: [TextForm], exact: String, form: String = "base64", repairs: String,
            _ comment: String
        ) {
            self.name = name
            self.forms = forms
            self.exact = exact
            self.form = form
            self.repairs = repairs
            self.comment = comment
        }
    }

    private static func repairable(_ group: inout VectorGroup, _ message: ForgedMessage) throws {
        let plain = Array(message.base64.utf8)
        let at = { (character: Character) in plain.firstIndex(of: character.asciiValue ?? 0) ?? -1 }
        let end = plain.count
        func bad(_ code: String, _ offset: Int) -> String { "undecodable/\(code)@\(offset)" }
        let rows = [
            Row("base64", [], exact: "ok", repairs: "", "As Apple's endpoint wants it."),
            Row(
                "wrapped-64-lf", [.wrapped(columns: 64)], exact: bad("invalid-character", 64),
                repairs: "line-breaks surrounding-white-space", "PEM's line length."),
            Row(
                "wrapped-76-crlf", [.wrapped(columns: 76, newline: "\r\n")], exact: bad("invalid-character", 76),
                repairs: "line-breaks surrounding-white-space", "MIME's lines."),
            Row(
                "wrapped-76-cr", [.wrapped(columns: 76, newline: "\r")], exact: bad("invalid-character", 76),
                repairs: "line-breaks surrounding-white-space", "Carriage returns alone."),
            Row(
                "literal-newlines", [.literalNewlines(columns: 76)], exact: bad("invalid-character", 76),
                repairs: "literal-escapes", "A string literal's \\n that nobody unescaped."),
            Row(
                "escaped-slashes", [.escapedSlashes], exact: bad("invalid-character", at("/")),
                repairs: "escaped-slashes", "JSON's \\/ that nobody unescaped."),
            Row(
                "percent-encoded", [.percentEncoded], exact: bad("invalid-character", min(at("+"), at("/"))),
                repairs: "percent-encoding", "A form field that nobody decoded."),
            Row(
                "percent-encoded-twice", [.percentEncoded, .percentEncoded],
                exact: bad("invalid-character", min(at("+"), at("/"))), repairs: "double-percent-encoding",
                "A form field that was encoded twice and not decoded."),
            Row(
                "plus-as-space", [.plusAsSpace], exact: bad("invalid-character", at("+")), repairs: "spaces-for-plus",
                "A form field that was decoded without having been encoded."),
            Row(
                "base64url", [.base64URL], exact: bad("invalid-character", min(at("+"), at("/"))), form: "base64url",
                repairs: "base64url", "The URL-safe alphabet."),
            Row(
                "base64url-unpadded", [.base64URL, .unpadded],
                exact: bad("invalid-character", min(at("+"), at("/"))), form: "base64url",
                repairs: "base64url missing-padding", "The URL-safe alphabet without padding, as JWTs have it."),
            Row(
                "unpadded", [.unpadded], exact: bad("missing-padding", end - padding(plain)),
                repairs: "missing-padding",
                "Without the last characters."),
            Row(
                "padded-too-much", [.inside("$=")], exact: bad("misplaced-padding", end),
                repairs: "excess-padding", "One = too many."),
            Row(
                "pem-pkcs7", [.pem("PKCS7")], exact: bad("invalid-character", 0), form: "pem",
                repairs: "pem-armour surrounding-white-space line-breaks",
                "PEM armour."),
            Row(
                "pem-receipt", [.pem("RECEIPT")], exact: bad("invalid-character", 0), form: "pem",
                repairs: "pem-armour surrounding-white-space line-breaks", "PEM armour with a label of somebody's own."),
            Row(
                "pem-end-cut", [.pem("PKCS7"), .cut(at: message.text(.pem("PKCS7")).count - 10)],
                exact: bad("invalid-character", 0), form: "pem",
                repairs: "pem-armour surrounding-white-space line-breaks damaged-pem-armour",
                "PEM armour whose last line was lost in part."),
            Row(
                "data-uri", [.dataURI], exact: bad("invalid-character", 4), form: "data-uri", repairs: "data-uri",
                "A data URI."),
            Row(
                "quoted", [.quoted], exact: bad("invalid-character", 0), repairs: "quotes", "With its quotation marks."),
            Row(
                "quoted-single", [.inside("'$'")], exact: bad("invalid-character", 0), repairs: "quotes",
                "The other ones."),
            Row(
                "quoted-escaped", [.inside("\\\"$\\\"")], exact: bad("invalid-character", 0), repairs: "quotes",
                "With escaped quotation marks."),
            Row(
                "optional", [.inside("Optional(\"$\")")], exact: bad("invalid-character", 8), repairs: "quotes",
                "What Swift prints for an optional string."),
            Row(
                "trailing-comma", [.quoted, .inside("$,")], exact: bad("invalid-character", 0),
                repairs: "quotes trailing-punctuation",
                "Cut out of JSON with its comma."),
            Row(
                "byte-order-mark", [.byteOrderMark], exact: bad("invalid-character", 0), repairs: "byte-order-mark",
                "Out of a file with a byte order mark."),
            Row(
                "surrounded-by-space", [.surroundedBySpace], exact: bad("invalid-character", 0),
                repairs: "surrounding-white-space", "Blanks and line ends around it."),
            Row(
                "no-break-space", [.inside("\u{A0}$")], exact: bad("invalid-character", 0),
                repairs: "surrounding-white-space", "Out of a web page."),
            Row(
                "base64-of-base64", [.base64Again], exact: bad("encoded-too-often", 0), form: "base64-of-base64",
                repairs: "encoded-twice", "Encoded once more than needed."),
            Row("hexadecimal", [.hexadecimal], exact: "any", form: "hex", repairs: "", "Hexadecimal digits."),
            Row(
                "hexadecimal-nsdata", [.hexadecimal, .inside("<$>")], exact: "any", form: "hex",
                repairs: "hex-separators",
                "What an NSData printed until iOS 12, without its blanks."),
            Row(
                "json-string-wrapped", [.wrapped(columns: 64), .escapedSlashes, .quoted],
                exact: bad("invalid-character", 0),
                repairs: "quotes line-breaks escaped-slashes surrounding-white-space",
                "Several kinds of damage at once."),
            Row(
                "in-json", [.inside("{\"purchase\": {\"receipt\": \"$\"}, \"user\": 7}")],
                exact: "any", repairs: "", "Inside JSON, under a name of somebody's own."),
            Row(
                "in-json-in-json", [.inside("{\"body\": \"{\\\"receipt-data\\\": \\\"$\\\"}\"}")],
                exact: "any", repairs: "", "Inside JSON inside a string of JSON."),
            Row(
                "in-json-broken", [.inside("{\"receipt-data\": \"$\",}")], exact: "any",
                repairs: "broken-json", "Inside JSON with a comma too many."),
            Row(
                "in-form", [.percentEncoded, .inside("receipt-data=$&user=7")], exact: "any",
                repairs: "percent-encoding", "A field of a form."),
            Row(
                "in-log", [.inside("2026-01-01T00:00:00Z INFO receipt=$ product=a")], exact: "any", repairs: "",
                "A line of a log."),
            Row(
                "in-markup", [.inside("<r><receipt>$</receipt></r>")], exact: "any", repairs: "", "An element of XML."),
            Row("trailing-zero", [.inside("$\u{0}")], exact: "any", repairs: "trailing-zeros", "A C string's end."),
        ]
        for row in rows {
            let text = Array(message.text(row.forms).utf8)
            var more: [(Vector.Key, String)] = [(.input, "text"), (.form, row.form), (.repairs, row.repairs)]
            if row.exact != "any" { more.append((.exact, row.exact)) }
            group.add(row.name, "valid", openssl: "ok", row.comment, text, root: .standard, more)
        }
        group.add(
            "der", "valid", openssl: "ok", "The bytes themselves, not encoded.", message.bytes, root: .standard,
            [(.input, "text"), (.form, "der"), (.repairs, "")])
        // The bits of the last character that belong to no byte, set where they were zero.
        var bits = plain
        let last = end - padding(plain) - 1
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        bits[last] = alphabet[(alphabet.firstIndex(of: bits[last]) ?? 0) + 1]
        group.add(
            "trailing-bits", "valid", openssl: "ok", "Bits behind the last byte that are not zero.", bits,
            root: .standard,
            [(.input, "text"), (.exact, "ok"), (.repairs, "trailing-bits")])
        let utf16 = message.base64.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        group.add(
            "utf-16", "valid", openssl: "ok", "Two bytes a character.", utf16, root: .standard,
            [(.input, "text"), (.form, "base64"), (.repairs, "utf-16")])
    }

    private static func padding(_ text: [UInt8]) -> Int { text.reversed().prefix { $0 == 0x3D }.count }

    /// Things that arrive in a receipt's place, and are to be called by their names.
    private static func named(_ group: inout VectorGroup, _ message: ForgedMessage) throws {
        let rows: [(String, String, String, String)] = [
            ("empty", "empty", "", "Nothing."),
            ("only-quotes", "empty", "\"\"", "An empty string with its quotation marks."),
            (
                "jws", "jws", "eyJhbGciOiJFUzI1NiJ9.eyJidW5kbGVJZCI6ImNvbS5leGFtcGxlIn0.c2lnbmF0dXJl",
                "A signed transaction of StoreKit 2."
            ),
            (
                "verify-receipt-request", "verify-receipt-request", "{\"receipt-data\": \"\", \"password\": \"x\"}",
                "The body of a request without a receipt in it."
            ),
            (
                "verify-receipt-response", "verify-receipt-response",
                "{\"status\": 0, \"receipt\": {\"bundle_id\": \"com.example.app\"}}",
                "The answer of the endpoint."
            ),
            ("json", "json", "{\"error\": \"unauthorized\"}", "Some other JSON."),
            ("html", "html", "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "A proxy's error page."),
            ("xml", "xml", "<?xml version=\"1.0\"?><error/>", "Some XML."),
            (
                "xml-property-list", "xml-property-list", "<?xml version=\"1.0\"?><!DOCTYPE plist><plist></plist>",
                "A property list in XML."
            ),
            (
                "property-list", "property-list", "{ \"signature\" = \"AAAA\"",
                "An old-style property list that is cut off."
            ),
            ("transaction-identifier", "identifier", "2000000975283124", "A transaction's number."),
            ("uuid", "identifier", "7A1C3B5E-0000-4000-8000-0123456789AB", "A UUID."),
            ("data-description", "data-description", "4993 bytes", "What Swift prints for a Data."),
            (
                "nsdata-description", "data-description", "{length = 4993, bytes = 0x30821381 06092a86 ... 01020304 }",
                "What an NSData prints since iOS 13."
            ),
            ("plain-text", "plain-text", "the receipt is missing", "A sentence."),
        ]
        for (name, code, text, comment) in rows {
            group.add(
                "is-\(name)", "undecodable/\(code)@0", openssl: "fail", comment, Array(text.utf8), root: .standard,
                [(.input, "text")])
        }
        let binaries: [(String, String, [UInt8], String)] = [
            ("gzip", "compressed", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "Compressed."),
            ("png", "foreign-binary", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "A picture."),
            (
                "binary-property-list", "binary-property-list", Array("bplist00".utf8) + [0xD1, 1, 2],
                "A property list in binary."
            ),
            (
                "mangled", "mangled-binary",
                [0x30, 0xEF, 0xBF, 0xBD, 0x13, 0xEF, 0xBF, 0xBD, 6, 9],
                "A receipt's bytes that were read as UTF-8."
            ),
            (
                "unknown", "unknown-content",
                Array(Base64Text.encode([0xFE, 0xED, 0xFA, 0xCE] + ForgeRandom.octets(80)).utf8),
                "Bytes of no known kind."
            ),
        ]
        for (name, code, bytes, comment) in binaries {
            group.add(
                "is-\(name)", "undecodable/\(code)@0", openssl: "fail", comment, bytes, root: .standard,
                [(.input, "text")])
        }
        let transaction = try ForgedTransactionReceipt(version: 3).signed(by: Root.sha1.chain())
        group.add(
            "is-transaction-receipt", "undecodable/transaction-receipt@0", openssl: "fail",
            "An iOS 6-style receipt, which is no CMS message.", Array(transaction.base64.utf8), root: .standard,
            [(.input, "text")])
        let info = Array(ForgedTransactionReceipt(version: 3).purchaseInfo.text.utf8)
        group.add(
            "is-purchase-info", "undecodable/purchase-info@0", openssl: "fail",
            "The part of an iOS 6-style receipt that is signed, without the signature.", info, root: .standard,
            [(.input, "text")])
    }

    private static func beyondRepair(_ group: inout VectorGroup, _ message: ForgedMessage) throws {
        let text = message.base64
        let half = text.count / 8 * 4
        group.add(
            "cut-in-the-middle", "undecodable/truncated@\(half)", openssl: "fail",
            "Half of it, as a column of too few characters keeps it.", Array(text.prefix(half).utf8), root: .standard,
            [(.input, "text"), (.exact, "undecodable/truncated@\(half)")])
        let middle = text.index(text.startIndex, offsetBy: half)
        let broken = text[..<middle] + "*" + text[middle...]
        group.add(
            "foreign-character", "undecodable/invalid-character@\(half)", openssl: "fail",
            "A character that no damage puts there.", Array(broken.utf8), root: .standard,
            [(.input, "text"), (.exact, "undecodable/invalid-character@\(half)")])
        var often = text
        for _ in 0..<6 { often = Base64Text.encode(Array(often.utf8)) }
        group.add(
            "encoded-seven-times", "undecodable/encoded-too-often@0", openssl: "fail", "Too often to be an accident.",
            Array(often.utf8), root: .standard, [(.input, "text")])
        group.add(
            "two-receipts", "undecodable/trailing-bytes@\(trailingOffset(message) + 3)", openssl: "fail",
            "Two receipts, one behind the other.", Array(Base64Text.encode(message.bytes + message.bytes).utf8),
            root: .standard, [(.input, "text"), (.exact, "undecodable/trailing-bytes@\(trailingOffset(message))")])
    }

    /// The group of four characters in which the first byte behind the receipt is.
    private static func trailingOffset(_ message: ForgedMessage) -> Int { message.bytes.count / 3 * 4 }
}

extension ForgeRandom {
    fileprivate static func octets(_ count: Int) -> [UInt8] {
        var random = ForgeRandom(seed: 1)
        return random.bytes(count)
    }
}
