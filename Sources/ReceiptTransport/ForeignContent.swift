/// The name of something that is not a receipt, in a code for programs and a sentence for people.
struct ForeignContent {
    var code: TransportFault.Code
    var detail: String

    init(_ code: TransportFault.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    func error(at offset: Int) -> TransportFault {
        TransportFault(code, at: offset, in: "input", detail: detail)
    }

    var inBase64: ForeignContent { ForeignContent(code, "base64 of this: " + detail) }
}

extension ForeignContent {
    /// Names text that is no encoding of a receipt, if it is of a known kind.
    static func ofText(_ text: Span<UInt8>, _ range: Range<Int>) -> ForeignContent? {
        let start = text.skippingWhiteSpace(from: range.lowerBound, to: range.upperBound)
        guard start < range.upperBound else { return nil }
        let range = start..<range.upperBound
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return ofBraces(text, range)
        case UInt8(ascii: "<"): return ofMarkup(text, range)
        default: break
        }
        if text.hasText("eyJ", at: start), text.range(of: ".", in: range) != nil {
            return ForeignContent(
                .jws, "a JSON Web Signature, such as a signed transaction of StoreKit 2; it is not an app receipt")
        }
        return ofIdentifier(text, range)
    }

    private static func ofBraces(_ text: Span<UInt8>, _ range: Range<Int>) -> ForeignContent {
        if text.hasText("{length", at: range.lowerBound) {
            return ForeignContent(.dataDescription, "the printed description of an NSData, which leaves out the middle")
        }
        if PropertyListText.isDictionary(text, range) {
            return ForeignContent(
                .propertyList, "an old-style property list that is not a whole iOS 6-style receipt or purchase-info")
        }
        switch telltale(text, range) {
        case 0:
            return ForeignContent(
                .verifyReceiptRequest, "the JSON of a verifyReceipt request; its receipt-data is the receipt")
        case 1:
            return ForeignContent(
                .verifyReceiptResponse,
                "the JSON of a verifyReceipt answer; its latest_receipt, if there is one, is a receipt")
        case 2:
            return ForeignContent(
                .json, "JSON of the App Store Server API, which holds signed transactions and no app receipt")
        default: return ForeignContent(.json, "JSON, but neither a verifyReceipt request nor its answer")
        }
    }

    /// The first of some groups of names of which one stands in a text; the text is gone through once.
    private static func telltale(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let names: [(group: Int, text: StaticString)] = [
            (0, "receipt-data\""), (1, "latest_receipt\""), (1, "latest_receipt_info\""), (1, "status\""),
            (1, "receipt\""), (2, "signedPayload\""), (2, "signedTransactionInfo\""), (2, "signedTransactions\""),
        ]
        let text = text.extracting(range)
        var best: Int?
        for offset in 0..<text.count where text[offset] == UInt8(ascii: "\"") {
            for name in names where name.group < best ?? .max && text.hasText(name.text, at: offset + 1) {
                guard name.group > 0 else { return 0 }
                best = name.group
            }
        }
        return best
    }

    private static func ofMarkup(_ text: Span<UInt8>, _ range: Range<Int>) -> ForeignContent {
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 1024)
        if text.range(of: "<plist", in: head, ignoringCase: true) != nil
            || text.range(of: "<!DOCTYPE plist", in: head, ignoringCase: true) != nil
        {
            return ForeignContent(.xmlPropertyList, "a property list in XML")
        }
        for tag: StaticString in ["<!doctype html", "<html", "<head", "<body", "<title", "<h1", "<p>", "<center"]
        where text.range(of: tag, in: head, ignoringCase: true) != nil {
            return ForeignContent(.html, "an HTML page, such as the error message of a server or proxy")
        }
        return ForeignContent(.xml, "XML or other markup")
    }

    static func number(digits: Int) -> String {
        "a number of \(digits) \(digits == 1 ? "digit" : "digits"), such as a transaction identifier, not a receipt"
    }

    /// A number, a UUID, or what Swift prints for a `Data`.
    private static func ofIdentifier(_ text: Span<UInt8>, _ range: Range<Int>) -> ForeignContent? {
        guard range.count <= 48 else { return nil }
        var digits = 0
        var hexDigits = 0
        var hyphens = 0
        for offset in range {
            if text[offset].isASCIIDigit { digits += 1 }
            if text[offset].hexDigitValue != nil { hexDigits += 1 }
            if text[offset] == UInt8(ascii: "-") { hyphens += 1 }
        }
        if digits == range.count {
            return ForeignContent(.identifier, number(digits: digits))
        }
        if hexDigits == 32, hyphens == 4, range.count == 36 {
            return ForeignContent(.identifier, "a UUID, not a receipt")
        }
        if digits > 0, digits + 6 == range.count, text.hasText(" bytes", at: range.upperBound - 6) {
            return ForeignContent(.dataDescription, "what Swift prints for a Data: its length, without the bytes")
        }
        return nil
    }

    /// Names bytes that are not a receipt, if they are of a known kind.
    static func ofBytes(_ bytes: Span<UInt8>) -> ForeignContent? {
        ofSignature(bytes) ?? (bytes.isText ? ofText(bytes, 0..<bytes.count) : nil)
    }

    /// Names bytes by the signature of their format in the first few.
    static func ofSignature(_ bytes: Span<UInt8>) -> ForeignContent? {
        let first = bytes.count > 3 ? (bytes[0], bytes[1], bytes[2], bytes[3]) : (0, 0, 0, 0)
        switch first {
        case (0x1F, 0x8B, _, _): return ForeignContent(.compressed, "gzip-compressed data")
        case (0x50, 0x4B, 0x03, 0x04): return ForeignContent(.compressed, "a ZIP archive")
        case (0x42, 0x5A, 0x68, 0x31...0x39): return ForeignContent(.compressed, "bzip2-compressed data")
        case (0xFD, 0x37, 0x7A, 0x58): return ForeignContent(.compressed, "xz-compressed data")
        case (0x28, 0xB5, 0x2F, 0xFD): return ForeignContent(.compressed, "zstd-compressed data")
        case (0x89, 0x50, 0x4E, 0x47): return ForeignContent(.foreignBinary, "a PNG image")
        case (0xFF, 0xD8, 0xFF, _): return ForeignContent(.foreignBinary, "a JPEG image")
        case (0x25, 0x50, 0x44, 0x46): return ForeignContent(.foreignBinary, "a PDF document")
        case (0x47, 0x49, 0x46, 0x38): return ForeignContent(.foreignBinary, "a GIF image")
        case (0x53, 0x51, 0x4C, 0x69): return ForeignContent(.foreignBinary, "an SQLite database")
        case (0xCF, 0xFA, 0xED, 0xFE): return ForeignContent(.foreignBinary, "a program for Apple's systems")
        case (0x78, 0x01, _, _), (0x78, 0x9C, _, _), (0x78, 0xDA, _, _):
            return ForeignContent(.compressed, "what looks like zlib-compressed data")
        case (0x30, 0xEF, 0xBF, 0xBD), (0x30, 0xC2, 0x80...0x84, _):
            return ForeignContent(
                .mangledBinary, "the bytes of a receipt that were treated as text, which has destroyed some of them")
        default: break
        }
        if bytes.hasText("bplist", at: 0) { return ForeignContent(.binaryPropertyList, "a binary property list") }
        return nil
    }
}

extension ForeignContent {
    /// An error for an element that is longer than what is there.
    static func truncated(_ length: Int?, got count: Int, at offset: Int, in field: String) -> TransportFault {
        let detail =
            if let length {
                "outer length \(length) bytes, got \(count) (\(Int(Double(count) / Double(length) * 100)) %)"
            } else if count < 6 {
                "\(count) bytes, which is too few to tell how long the receipt is"
            } else {
                "outer element of indefinite length does not end within the \(count) bytes that are there"
            }
        return TransportFault(.truncated, at: offset, in: field, detail: detail)
    }

    /// An error for bytes after the end of the outermost element.
    static func trailing(
        _ bytes: Span<UInt8>, _ end: Int, at offset: Int, in field: String
    ) -> TransportFault {
        let extra = bytes.count - end
        return TransportFault(
            .trailingBytes, at: offset, in: field,
            detail:
                "the receipt ends after \(end) bytes, and \(extra) more \(extra == 1 ? "byte follows" : "bytes follow")"
        )
    }

    static func invalidCharacter(_ text: Span<UInt8>, _ offset: Int, in field: String) -> TransportFault {
        let hint =
            switch offset < text.count ? text[offset] : 0 {
            case UInt8(ascii: "-"), UInt8(ascii: "_"): ", which belongs to base64url"
            case UInt8(ascii: "%"): ", which may come from percent-encoding"
            case UInt8(ascii: "\\"): ", which may come from a string literal or JSON"
            case UInt8(ascii: " "): ", which may have been \"+\""
            case 0x0A, 0x0D: ", from line wrapping"
            default: ""
            }
        return TransportFault(
            .invalidCharacter, at: offset, in: field,
            detail: "\(characterName(in: text, at: offset))\(hint), is not in the \(field) alphabet")
    }
}
