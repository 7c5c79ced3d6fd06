import ReceiptJSON
import ReceiptReport

/// What is wrong with a policy, in a sentence.
struct PolicyError: Error {
    let message: String
}

/// The members of a policy in JSON, each of the type that is asked for or an error that names it.
struct PolicyReader {
    private let text: [UInt8]
    private let document: JSONDocument

    /// Lists of identifiers may be long; everything else in a policy is small.
    static let byteLimit = 16 << 20
    private static let limits = JSONLimits(bytes: byteLimit, depth: 4, members: 100_000, values: .max)

    init(_ text: [UInt8]) throws(PolicyError) {
        self.text = text
        do throws(JSONError) {
            document = try JSONDocument(text.span, limits: Self.limits)
        } catch {
            throw PolicyError(message: "the policy is not JSON: \(error.code.rawValue) at offset \(error.offset)")
        }
        guard document.root.kind == .object else { throw PolicyError(message: "the policy is not a JSON object") }
    }

    /// The members in the order of the text. The reader of JSON refuses a name that stands twice.
    var members: [(name: String, value: JSONValue)] {
        document.members(of: document.root).map { ($0.name.text(in: text.span), $0.value) }
    }

    func string(_ value: JSONValue, _ name: String) throws(PolicyError) -> String {
        guard let string = value.string(in: text.span) else { throw wrongType(name, "a string") }
        return string
    }

    func strings(_ value: JSONValue, _ name: String) throws(PolicyError) -> [String] {
        guard value.kind == .array else { throw wrongType(name, "an array of strings") }
        var strings: [String] = []
        for element in document.elements(of: value) {
            guard let string = element.string(in: text.span) else { throw wrongType(name, "an array of strings") }
            strings.append(string)
        }
        return strings
    }

    func bool(_ value: JSONValue, _ name: String) throws(PolicyError) -> Bool {
        guard let bool = value.bool else { throw wrongType(name, "true or false") }
        return bool
    }

    func wholeNumber(_ value: JSONValue, _ name: String) throws(PolicyError) -> Int64 {
        guard let number = value.int64(in: text.span), number >= 0 else {
            throw wrongType(name, "a whole number of 0 or more")
        }
        return number
    }

    /// The DER of every certificate in an array of texts, each PEM or base64.
    func certificates(_ value: JSONValue, _ name: String) throws(PolicyError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        for (index, string) in try strings(value, name).enumerated() {
            let text = Array(string.utf8)
            var found = pemCertificates(text)
            if found.isEmpty, let der = base64Certificate(text) { found = [der] }
            if found.isEmpty {
                throw PolicyError(message: "\(name)[\(index)] holds no certificate, neither PEM nor base64 of DER")
            }
            certificates += found
        }
        return certificates
    }

    private func wrongType(_ name: String, _ type: String) -> PolicyError {
        PolicyError(message: "\(name) must be \(type)")
    }

    /// Base64 of something that begins as a certificate does.
    private func base64Certificate(_ text: [UInt8]) -> [UInt8]? {
        let isBase64 = text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x20,
                0x0A, 0x0D:
                true
            default: false
            }
        }
        guard isBase64 else { return nil }
        let bytes = lenientBase64(text)
        return bytes.first == 0x30 ? bytes : nil
    }
}
