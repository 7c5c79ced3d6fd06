public import AppStoreReceipt

/// Something that a rejection or a check speaks of: which certificate, which time, what was found, what was expected.
///
/// What it is can be told from ``kind`` and ``role``, so that whoever writes it down can decide what may be shown.
public struct ReportedValue: Hashable, Sendable {
    public let kind: Kind
    public let role: Role
    public let content: Content

    public enum Content: Hashable, Sendable {
        /// Text as it stands in the document or the certificate: it may hold any characters.
        case text(String)
        case date(ReceiptDate)
        case number(Int)
        case error(ReceiptDecodingError)
    }

    /// What part it plays.
    public enum Role: String, Hashable, Sendable {
        case subject, found, expected
    }

    /// What kind of thing it is. Open: new ones may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Whose certificate: a common name, or a whole name.
        public static let certificate = Self(rawValue: "certificate")
        /// A dotted object identifier, of an extension or an attribute.
        public static let objectIdentifier = Self(rawValue: "object-identifier")
        /// A digest, signature or key algorithm.
        public static let algorithm = Self(rawValue: "algorithm")
        public static let date = Self(rawValue: "date")
        public static let duration = Self(rawValue: "duration")
        public static let count = Self(rawValue: "count")
        public static let environment = Self(rawValue: "environment")
        public static let bundleIdentifier = Self(rawValue: "bundle-identifier")
        public static let applicationVersion = Self(rawValue: "application-version")
        public static let productIdentifier = Self(rawValue: "product-identifier")
        public static let transactionIdentifier = Self(rawValue: "transaction-identifier")
        public static let deviceIdentifier = Self(rawValue: "device-identifier")
        /// An error of decoding, which may quote the input.
        public static let decodingError = Self(rawValue: "decoding-error")
    }

    /// The value as text: as it is, and so not fit for a terminal or a log.
    public var text: String {
        switch content {
        case .text(let text): text
        case .date(let date): date.description
        case .number(let number): String(number)
        case .error(let error): error.description
        }
    }

    /// The text with control and format characters written as `\u{…}`.
    package var shown: String { text.withoutControls }

    package init(_ kind: Kind, _ content: Content, _ role: Role = .subject) {
        self.kind = kind
        self.role = role
        self.content = content
    }

    package static func certificate(_ name: String) -> Self { Self(.certificate, .text(name)) }
    package static func date(_ date: ReceiptDate, _ role: Role = .subject) -> Self { Self(.date, .date(date), role) }
    package static func error(_ error: ReceiptDecodingError) -> Self { Self(.decodingError, .error(error)) }
    package static func count(_ count: Int) -> Self { Self(.count, .number(count), .found) }
    package static func algorithm(_ name: String) -> Self { Self(.algorithm, .text(name), .found) }
    package static func identifier(_ dotted: String) -> Self { Self(.objectIdentifier, .text(dotted)) }
}

/// A sentence that knows which of its words are values: literals are the library's own words, what is interpolated is not.
package struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Part: Hashable, Sendable {
        case words(String)
        case value(ReportedValue)
    }

    /// Most sentences are nothing but words, and need no memory of their own.
    private var first: Part?
    private var others: [Part] = []

    private init() {}
    package init(stringLiteral words: String) { first = .words(words) }
    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sentence }

    private mutating func append(_ part: Part) {
        if first == nil { first = part } else { others.append(part) }
    }

    /// Calls a closure with each part in order.
    package func visitParts(_ body: (Part) -> Void) {
        if let first { body(first) }
        for part in others { body(part) }
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sentence = Sentence()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) {
            if !words.isEmpty { sentence.append(.words(words)) }
        }

        package mutating func appendInterpolation(_ value: ReportedValue) { sentence.append(.value(value)) }

        package mutating func appendInterpolation(_ sentence: Sentence) {
            sentence.visitParts { self.sentence.append($0) }
        }

        /// Words of the library's own that a table holds.
        package mutating func appendInterpolation(words: String) { appendLiteral(words) }
    }

    package var values: [ReportedValue] {
        var values: [ReportedValue] = []
        visitParts { if case .value(let value) = $0 { values.append(value) } }
        return values
    }

    package func text(showing show: (ReportedValue) -> String = \.shown) -> String {
        var text = ""
        visitParts { part in
            switch part {
            case .words(let words): text += words
            case .value(let value): text += show(value)
            }
        }
        return text
    }

    /// Several, with words between them.
    package static func joined(_ sentences: [Sentence], _ words: String) -> Sentence {
        var joined = Sentence()
        for sentence in sentences {
            if joined.first != nil { joined.append(.words(words)) }
            sentence.visitParts { joined.append($0) }
        }
        return joined
    }
}

extension String {
    /// The text with the characters that move a cursor, hide or reorder written as `\u{…}`.
    package var withoutControls: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }), unicodeScalars.contains(where: \.isUnsafeOnTerminal)
        else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isUnsafeOnTerminal {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
