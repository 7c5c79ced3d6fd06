/// The bytes that some input stands for, and how they were found. What users see of it is `TransportDecoding`.
package struct DecodedTransport: Sendable {
    package var bytes: [UInt8]
    package var form: WrittenForm
    package var tally: RepairTally
    /// What the bytes are, as far as their first and last bytes tell; nil if that is unknown.
    package var content: ContentKind?
    /// Where in other text it was found; nil if the input is nothing but the receipt.
    package var found: FoundPlace?
    /// How many others are in the text.
    package var also = 0

    package init(bytes: [UInt8], form: WrittenForm, tally: RepairTally = RepairTally(), content: ContentKind?) {
        self.bytes = bytes
        self.form = form
        self.tally = tally
        self.content = content
    }

    /// Decodes as `TransportMode.tolerant` does.
    package static func tolerant(_ input: Span<UInt8>, maximumLength: Int) throws(TransportFault) -> DecodedTransport {
        try checkLength(input.count, maximumLength)
        return try TolerantTransport.decode(input, layer: 1)
    }

    /// The same for an array; one that already holds exactly a receipt is passed on without a copy.
    package static func tolerant(_ input: [UInt8], maximumLength: Int) throws(TransportFault) -> DecodedTransport {
        if input.count <= maximumLength, let content = ContentGuess.wholeElement(input.span) {
            return DecodedTransport(bytes: input, form: .der, content: content)
        }
        return try tolerant(input.span, maximumLength: maximumLength)
    }

    /// Decodes as `TransportMode.exact` does.
    package static func exact(_ input: Span<UInt8>, maximumLength: Int) throws(TransportFault) -> DecodedTransport {
        try checkLength(input.count, maximumLength)
        return try ExactTransport.decode(input)
    }

    private static func checkLength(_ count: Int, _ maximumLength: Int) throws(TransportFault) {
        guard count > maximumLength else { return }
        throw TransportFault(
            .inputTooLong, at: maximumLength, in: "input",
            detail: "\(count) bytes, and at most \(maximumLength) are accepted")
    }
}

/// A place in a text.
package struct FoundPlace: Hashable, Sendable {
    /// The names on the way to it, such as `transaction.appStoreReceipt`; nil where nothing has a name.
    package var path: String?
    /// Byte offset of its first character.
    package var offset: Int

    package init(path: String?, offset: Int) {
        self.path = path
        self.offset = offset
    }

    func moved(_ transform: (Int) -> Int) -> FoundPlace { FoundPlace(path: path, offset: transform(offset)) }
}

/// The form in which a receipt was handed over: the raw values of `TransportForm`.
package enum WrittenForm: String, CaseIterable, Sendable {
    case der
    case base64
    case base64URL = "base64url"
    case base64OfBase64 = "base64-of-base64"
    case pem
    case dataURI = "data-uri"
    case hex
    case propertyList = "property-list"
    case printedBytes = "printed-bytes"
    case hexDump = "hex-dump"
    case stringLiteral = "string-literal"
    case jws
}

/// What decoded bytes are: the raw values of `TransportContent`.
package enum ContentKind: String, CaseIterable, Sendable {
    case cms
    case asn1
    case transactionReceipt = "transaction-receipt"
    case purchaseInfo = "purchase-info"
    case jws
}
