internal import ReceiptASN1

/// A readable form of a Name (RFC 5280 section 4.1.2.4). For people only: names are compared by their bytes.
extension Span where Element == UInt8 {
    /// For example `CN=Apple Root CA, OU=Apple Certification Authority, O=Apple Inc., C=US`, the most specific first.
    ///
    /// Total: what cannot be read as text is shown in hexadecimal, and a malformed name up to its fault. Of a name that
    /// is too long to be one, the first parts are shown, and the first octets of a long value.
    /// Text is not escaped; an application that prints it must do so.
    package func readableName(_ name: Range<Int>) -> String {
        nameAttributes(name).reversed().map { "\($0.type)=\($0.value)" }.joined(separator: ", ")
    }

    /// The most specific common name of a Name, or nil.
    package func commonName(_ name: Range<Int>) -> String? {
        nameAttributes(name).last { $0.type == "CN" }?.value
    }

    private func nameAttributes(_ name: Range<Int>) -> [(type: String, value: String)] {
        var attributes: [(type: String, value: String)] = []
        do throws(ReceiptDecodingError) {
            var outer = Cursor(name)
            var sequence = try read(.sequence, &outer, "Name")
            while !sequence.isAtEnd {
                var set = try read(.set, &sequence, "RelativeDistinguishedName")
                while !set.isAtEnd {
                    guard attributes.count < 64 else { return attributes }
                    var pair = try read(.sequence, &set, "AttributeTypeAndValue")
                    let type = try readObjectIdentifier(&pair, "AttributeTypeAndValue.type")
                    let value = try readElement(&pair, "AttributeTypeAndValue.value")
                    attributes.append((type.shortName ?? "\(type)", readableText(value)))
                }
            }
        } catch {
            attributes.append(("?", "malformed"))
        }
        return attributes
    }

    /// A string type as text; anything else, and text that is not valid, in hexadecimal.
    private func readableText(_ element: ReceiptASN1.Element) -> String {
        // The longest that X.520 allows has 32,768 characters, but nobody reads them.
        guard element.content.count <= 1_024 else {
            let first = bytes(element.content.position..<element.content.position + 16)
            return "#" + hex(first) + "\u{2026}"
        }
        let bytes = bytes(element.content.range)
        let text: String?
        switch element.tag {
        case .utf8String, .printableString, .ia5String: text = String(validating: bytes, as: UTF8.self)
        // Nearly everybody writes Latin-1 into a TeletexString.
        case .teletexString: text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .bmpString where bytes.count % 2 == 0:
            let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            text = String(validating: units, as: UTF16.self)
        default: text = nil
        }
        return text ?? "#" + hex(bytes)
    }
}
