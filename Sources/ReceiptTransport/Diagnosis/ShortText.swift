/// What a text of a line or two is: no value, a path, a placeholder, a number, an error.
extension TextDiagnosis {
    static func short(_ text: Span<UInt8>, _ range: Range<Int>) -> Diagnosis? {
        guard range.count <= 300 else { return nil }
        var word = String(decoding: text.copy(range), as: UTF8.self)
        while let first = word.first, "\"'`".contains(first), word.count > 1 { word.removeFirst() }
        while let last = word.last, "\"'`;,".contains(last) { word.removeLast() }
        let lower = word.lowercased()
        if let words = lower.isEmpty ? "nothing" : Self.words[lower] {
            return Diagnosis(
                "no-value", "the client had no receipt: \(words) was turned into text",
                "check on the device that the receipt exists (appStoreReceiptURL), and refresh it if it does not")
        }
        if lower == "thisisfakereceiptdata" { return .unityFakeStore }
        if lower.hasPrefix("[object ") || lower.hasPrefix("promise {") || lower.hasPrefix("[promise") {
            return Diagnosis(
                "object-as-text", "a JavaScript object was turned into text instead of its value",
                "send the member that holds the receipt; await promises, and encode bytes in base64")
        }
        if lower.hasPrefix("system.") || lower.hasPrefix("[b@") || lower.hasPrefix("<memory at")
            || lower.hasPrefix("#<")
            || lower.hasPrefix("resource id #") || lower == "array" || lower.hasPrefix("<_io.")
            || lower.hasPrefix("java.")
            || lower.hasPrefix("kotlin.") || lower.hasPrefix("instance of") || lower.hasPrefix("<nsdata")
            || lower.hasPrefix("arraybuffer")
        {
            return Diagnosis(
                "object-as-text", "an object's name was turned into text instead of its bytes",
                "send base64 of the bytes, not what the language prints of the object that holds them")
        }
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            return Diagnosis("url", "the address of a web page, not a receipt", "send the receipt itself in base64")
        }
        if isPath(lower) {
            return Diagnosis(
                "file-path", "the path of a file, not its content",
                "read the file at that path on the device, and send base64 of its bytes")
        }
        if isPlaceholder(lower) {
            return Diagnosis(
                "placeholder", "a placeholder from an example or a template that was never filled in",
                "put the receipt in its place")
        }
        return identifier(word) ?? encrypted(word) ?? errorMessage(lower)
    }

    private static let words: [String: String] = {
        var words: [String: String] = [:]
        for word in [
            "undefined", "null", "(null)", "<null>", "nil", "none", "nan", "false", "true", "optional(nil)", "nsnull",
            "n/a",
            "nullptr", "void", "empty", "()", "\"\"", "{}", "[]", "undefinedundefined", "(nil)", "no receipt",
            "missing",
        ] {
            words[word] = word
        }
        return words
    }()

    private static func isPath(_ text: String) -> Bool {
        if text.hasPrefix("file:") || text.hasPrefix("/var/") || text.hasPrefix("/private/")
            || text.hasPrefix("/users/")
            || text.hasPrefix("content://") || text.hasPrefix("~/")
        {
            return true
        }
        let bytes = Array(text.utf8)
        if bytes.count > 3, bytes[1] == UInt8(ascii: ":"),
            bytes[2] == UInt8(ascii: "\\") || bytes[2] == UInt8(ascii: "/")
        {
            return true
        }
        let hasEnd =
            text.hasSuffix("receipt") || text.hasSuffix(".p7b") || text.hasSuffix(".txt") || text.hasSuffix(".b64")
            || text.hasSuffix(".der") || text.hasSuffix(".bin")
        return hasEnd && text.contains("/") && !text.contains(" ")
    }

    private static func isPlaceholder(_ text: String) -> Bool {
        if text.hasPrefix("{{") || text.hasPrefix("${") || text.hasPrefix("<%") || text == "%@" || text == "%s" {
            return true
        }
        guard !text.contains("{"), !text.contains("\"") else { return false }
        if text.hasPrefix("<"), text.hasSuffix(">"), !text.contains("/"), text.contains("receipt") { return true }
        return [
            "your_receipt", "your-receipt", "your receipt", "base64_receipt", "receipt_data_here",
            "base64 encoded receipt",
            "base64-encoded receipt", "test_receipt", "dummy",
        ].contains { text.contains($0) } && text.count < 80
    }

    private static func identifier(_ text: String) -> Diagnosis? {
        let bytes = Array(text.utf8)
        let digits = bytes.count { $0.isASCIIDigit }
        if digits == bytes.count, let status = Int(text), StatusNumber.isKnown(status) {
            return StatusNumber.diagnosis(status)
        }
        if digits == bytes.count, digits > 0 {
            return Diagnosis(
                "transaction-identifier",
                ForeignContent.number(digits: digits),
                "ask the App Store Server API about a transaction identifier, or send the receipt: the long text that begins with MII"
            )
        }
        let hexDigits = bytes.count { $0.hexDigitValue != nil }
        if hexDigits == 32, bytes.count == 36 {
            return Diagnosis(
                "identifier", "a UUID, such as a device identifier or an account token, not a receipt",
                "send the receipt: the long text that begins with MII")
        }
        if hexDigits == bytes.count, [32, 40, 64].contains(bytes.count) {
            return Diagnosis(
                "identifier",
                "\(bytes.count) hexadecimal digits, such as a hash, a shared secret or a push token, not a receipt",
                "send the receipt: the long text that begins with MII; keep shared secrets to yourself")
        }
        if !text.contains(" "), text.split(separator: ".").count >= 3,
            bytes.allSatisfy({ $0.isNameCharacter || $0 == 0x2E }),
            text.hasPrefix("com.") || text.hasPrefix("org.") || text.hasPrefix("net.") || text.hasPrefix("io.")
                || text.hasPrefix("de.") || text.hasPrefix("app.")
        {
            return Diagnosis(
                "product-identifier", "the identifier of a product or an app, not a receipt",
                "send the receipt: the long text that begins with MII")
        }
        if text.contains(".AO-J1O") {
            return Diagnosis(
                "google-play-purchase", "the purchase token of a purchase in Google Play, not of the App Store",
                "verify it with the Google Play Developer API; it holds nothing of Apple's")
        }
        if text.hasPrefix("GPA.") {
            return Diagnosis(
                "google-play-purchase", "the order number of a purchase in Google Play, not of the App Store",
                "verify it with the Google Play Developer API; it holds nothing of Apple's")
        }
        return nil
    }

    /// What programs say when something went wrong. A status of verifyReceipt in it tells most.
    private static func errorMessage(_ text: String) -> Diagnosis? {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }
        if text.contains("status") || text.contains("verif") || text.contains("code"),
            let status = numbers.lazy.compactMap({ Int($0) }).first(where: StatusNumber.isKnown)
        {
            return StatusNumber.diagnosis(status)
        }
        let words = ["skerrordomain", "error domain=", "nserror", "exception", "traceback", "storekiterror"]
        guard words.contains(where: { text.contains($0) }) || text.hasPrefix("error") else { return nil }
        return Diagnosis(
            "error-message", "the message of an error, which came instead of a receipt",
            "mend that error first; on the device, refresh the receipt (SKReceiptRefreshRequest) if there is none")
    }

    private static func encrypted(_ text: String) -> Diagnosis? {
        if !text.isEmpty, text.allSatisfy({ $0 == "." }) {
            return Diagnosis(
                "empty-token", "a token whose parts are all empty",
                "send the whole JWS: three parts with points between them")
        }
        return nil
    }
}
