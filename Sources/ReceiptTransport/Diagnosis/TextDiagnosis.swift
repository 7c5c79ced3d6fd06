/// Says what text is that holds no receipt.
enum TextDiagnosis {
    static func diagnose(_ text: Span<UInt8>) -> Diagnosis? {
        let range = text.trimmedRange
        guard !range.isEmpty else { return nil }
        if let diagnosis = damagedReceipt(text, range) { return diagnosis }
        if let diagnosis = short(text, range) { return diagnosis }
        switch text[range.lowerBound] {
        case UInt8(ascii: "<"): if let markup = markup(text, range) { return markup }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let printed = printed(text, range) { return printed }
            if text.range(of: "\":", in: range) != nil || text.range(of: "\" :", in: range) != nil || range.count <= 2 {
                return range.count <= 2 ? nothing : JSONDiagnosis(text, range).diagnosis
            }
        default: break
        }
        return pem(text, range) ?? printed(text, range) ?? token(text, range)
    }

    private static let nothing = Diagnosis(
        "no-value", "an empty value: the client had no receipt",
        "check on the device that the receipt exists (appStoreReceiptURL), and refresh it if it does not")

    // MARK: What is left of a receipt

    /// The object identifier of signedData in base64, by its place in a group, and in other states.
    private static func damagedReceipt(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 200)
        let anchors: [StaticString] = ["KoZIhvcNAQcC", "qGSIb3DQEHAq", "iG9w0BBwK"]
        for anchor in anchors {
            guard let found = text.range(of: anchor, in: head) else { continue }
            let before = found.lowerBound - range.lowerBound
            if before < 11, text[range.lowerBound] != UInt8(ascii: "M") || before < 6 {
                let missing =
                    text.hasText("IIL", at: range.lowerBound) || text[range.lowerBound] == UInt8(ascii: "I") ? 1 : 0
                return Diagnosis(
                    "head-lost",
                    missing == 1
                        ? "the first character of a receipt is missing: base64 of one begins with MII"
                        : "the first characters of a receipt are missing: base64 of one begins with MII",
                    "send the whole text; look at how its first characters get lost, such as by a cut substring")
            }
        }
        let changed: [StaticString] = ["kozihvcnaqcc", "qgsib3dqehaq", "ewojinnpz25hdhvyzsi"]
        for anchor in changed {
            guard let found = text.range(of: anchor, in: head, ignoringCase: true) else { continue }
            let isLower = !hasLetter(text, found, upper: true)
            let isUpper = !hasLetter(text, found, upper: false)
            if isLower || isUpper {
                return Diagnosis(
                    "case-changed",
                    "base64 of a receipt whose letters were all made \(isLower ? "lower" : "upper") case, which cannot be undone",
                    "send the text unchanged: in base64 upper and lower case letters mean different things")
            }
        }
        // 2A 86 48 86 F7 0D 01 07 02 without its bytes above 127, or with something else for them.
        let dropped: [StaticString] = [
            "BgkqSA0BBw", "YJKkgNAQc", "GCSpIDQEH", "Bgkq77+9SO+/ve+/vQ0BBw", "Bgkq/1I/Pw0BBw", "BgkqP0g/Pw0BBw",
            "YJKj9IPz8NAQc", "GCSo/SD8/DQEH",
        ]
        for anchor in dropped where text.range(of: anchor, in: head) != nil {
            return Diagnosis(
                "binary-as-text",
                "base64 of a receipt that had been read as text, which lost its bytes above 127: it cannot be undone",
                "send base64 of the receipt's bytes; never turn the bytes into a string first")
        }
        // "Apple Worldwide", "Apple Inc." in the certificates, which are the last 6 KB of a receipt, without a beginning.
        let middle: [StaticString] = ["QXBwbGUg", "FwcGxlI", "BcHBsZS"]
        let tail = max(range.lowerBound, range.upperBound - 16_384)..<range.upperBound
        if range.count > 400, text[range.lowerBound] != UInt8(ascii: "M"),
            middle.contains(where: { text.range(of: $0, in: tail) != nil }), isMostlyBase64(text, range)
        {
            return Diagnosis(
                "head-lost", "base64 from the middle of something that Apple signed: its beginning is missing",
                "send the whole text, which begins with MII for a receipt")
        }
        return nil
    }

    private static func hasLetter(_ text: Span<UInt8>, _ range: Range<Int>, upper: Bool) -> Bool {
        for offset in range {
            let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[offset]
            let isLower = UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[offset]
            if upper ? isUpper : isLower { return true }
        }
        return false
    }

    private static func isMostlyBase64(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for offset in range {
            let byte = text[offset]
            guard
                byte.isNameCharacter || byte.isWhiteSpace || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                    || byte == UInt8(ascii: "=")
            else { return false }
        }
        return true
    }

    // MARK: Markup, PEM

    private static func markup(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        if let buffer = printed(text, range) { return buffer }
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 2048)
        if text.range(of: "windows/2012/store/receipt", in: head) != nil {
            return Diagnosis(
                "microsoft-receipt", "a receipt of the Microsoft Store, not of the App Store",
                "verify it with Microsoft's certificate; it holds nothing of Apple's")
        }
        if text.range(of: "<plist", in: head, ignoringCase: true) != nil {
            if text.range(of: "PayloadContent", in: range) != nil || text.range(of: "PayloadType", in: range) != nil {
                return Diagnosis(
                    "configuration-profile", "a configuration profile (.mobileconfig), not a receipt",
                    "send the receipt of the app, which begins with MII in base64")
            }
            if text.range(of: "ProvisionedDevices", in: range) != nil
                || text.range(of: "<key>Entitlements", in: range) != nil
                || text.range(of: "TeamIdentifier", in: range) != nil
            {
                return Diagnosis(
                    "provisioning-profile", "the property list of a provisioning profile, not a receipt",
                    "send the receipt of the app, which begins with MII in base64")
            }
            return Diagnosis(
                "xml-property-list", "an XML property list that holds no receipt",
                "send the receipt itself; in a property list it would stand in <data> or <string>")
        }
        for tag: StaticString in ["<!doctype html", "<html", "<head", "<body", "<title", "<h1", "<center"]
        where text.range(of: tag, in: head, ignoringCase: true) != nil {
            return Diagnosis(
                "html", "a web page: a server or proxy answered with one instead of a receipt",
                "look at the address and the status of the request that should have given the receipt")
        }
        return Diagnosis(
            "xml", "XML or other markup that holds no receipt", "send the receipt itself in base64")
    }

    /// What a PEM text is by its label, if that is of something else than a receipt.
    static func pem(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        guard let begin = text.range(of: "-----BEGIN ", in: range) else { return nil }
        let label = begin.upperBound..<min(range.upperBound, begin.upperBound + 40)
        if text.range(of: "PRIVATE KEY", in: label) != nil { return .privateKey }
        if text.range(of: "CERTIFICATE REQUEST", in: label) != nil { return BinaryDiagnosis.request }
        if text.range(of: "CERTIFICATE", in: label) != nil {
            return Diagnosis(
                "certificate", "a certificate in PEM, not a receipt",
                "pass certificates with --root or --intermediate; the receipt is a text of its own")
        }
        if text.range(of: "PUBLIC KEY", in: label) != nil { return BinaryDiagnosis.publicKey }
        return nil
    }

    // MARK: What programs print, tokens

    private static func printed(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 64)
        if text.range(of: "<Buffer", in: head) != nil {
            return Diagnosis(
                "abbreviated-bytes", "what Node prints of a Buffer, which leaves out most of it",
                "send buffer.toString('base64') instead")
        }
        if text.hasText("{length", at: range.lowerBound) || text.hasText("{ length", at: range.lowerBound) {
            return Diagnosis(
                "abbreviated-bytes", "what NSData prints of itself, which leaves out the middle",
                "send base64EncodedString() of the data instead")
        }
        if text.range(of: "Uint8Array", in: head) != nil || text.range(of: "ArrayBuffer", in: head) != nil {
            return Diagnosis(
                "abbreviated-bytes", "what JavaScript prints of a byte array, which leaves out most of it",
                "send base64 of the bytes instead")
        }
        if range.count < 40, text.hasText(" bytes", at: range.upperBound - 6) {
            return Diagnosis(
                "data-description", "what Swift prints for a Data: its length, without the bytes",
                "send data.base64EncodedString() instead")
        }
        return nil
    }

    /// A JWS that is not whole, or a token of somebody else's.
    private static func token(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        guard text.hasText("eyJ", at: range.lowerBound) else { return nil }
        var points = 0
        for offset in range where text[offset] == UInt8(ascii: ".") { points += 1 }
        switch points {
        case 4:
            return Diagnosis(
                "encrypted-token", "an encrypted token (JWE) of five parts, which Apple does not use here",
                "send the JWS of three parts that StoreKit 2 or the App Store Server API gives")
        case 0, 1:
            return Diagnosis(
                "jws-cut",
                "a JWS that is cut off: it has three parts with points between them, and \(points + 1) \(points == 0 ? "is" : "are") here",
                "send the whole text; it ends in a signature of 86 characters")
        default:
            return Diagnosis(
                "jws-damaged", "a JSON Web Signature that is damaged or cut off",
                "send the whole text as it came: three parts of base64url with points between them")
        }
    }
}
