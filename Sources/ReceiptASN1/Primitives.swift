/// Readers of primitive types. Each reads one DER element and throws unless its content is in canonical form.
extension Span where Element == UInt8 {
    /// Reads an INTEGER of at most 64 bits with sign (X.690 8.3).
    @inlinable @inline(__always)
    package func readInteger(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int64 {
        let content = try readIntegerContent(&cursor, field)
        return try integer(content, field)
    }

    /// The value of an INTEGER's content octets, of which there is at least one.
    @inlinable @inline(__always)
    func integer(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int64 {
        var value = Int64(Int8(bitPattern: self[content.position]))
        guard content.count > 1 else { return value }
        guard content.count <= 8 else { throw .fault(.integerTooLarge, content.position, field) }
        for index in content.position + 1..<content.limit { value = value << 8 | Int64(self[index]) }
        return value
    }

    /// Reads the one INTEGER that fills a region.
    @inlinable @inline(__always)
    package func readOnlyInteger(_ region: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int64 {
        let content = try readOnly(.integer, region, field)
        try checkInteger(content, field)
        return try integer(content, field)
    }

    /// Reads an INTEGER of any size and returns its content octets: two's complement, big-endian, minimal.
    @inlinable @inline(__always)
    package func readIntegerContent(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> Cursor {
        let content = try read(.integer, &cursor, field)
        try checkInteger(content, field)
        return content
    }

    /// Throws unless content octets are a minimal INTEGER.
    @inlinable @inline(__always)
    func checkInteger(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        guard content.count >= 1 else { throw .fault(.invalidInteger, content.position, field) }
        if content.count >= 2 {
            // X.690 8.3.2: the first nine bits are neither all ones nor all zeros.
            let first = self[content.position]
            let isSecondNegative = self[content.position + 1] & 0x80 != 0
            guard !(first == 0 && !isSecondNegative), !(first == 0xFF && isSecondNegative) else {
                throw .fault(.invalidInteger, content.position, field)
            }
        }
    }

    /// Reads an INTEGER that must not be negative and returns its magnitude, big-endian without leading zeros.
    package func readUnsignedIntegerContent(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> Cursor {
        var content = try readIntegerContent(&cursor, field)
        guard self[content.position] & 0x80 == 0 else { throw .fault(.invalidInteger, content.position, field) }
        if self[content.position] == 0, content.count > 1 { content.position += 1 }
        return content
    }

    /// Reads a BOOLEAN; DER knows only 00 and FF (X.690 11.1).
    package func readBoolean(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Bool {
        let content = try read(.boolean, &cursor, field)
        guard content.count == 1 else { throw .fault(.invalidBoolean, content.position, field) }
        switch self[content.position] {
        case 0x00: return false
        case 0xFF: return true
        default: throw .fault(.invalidBoolean, content.position, field)
        }
    }

    /// Reads a NULL.
    package func readNull(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        try end(try read(.null, &cursor, field), field)
    }

    /// Checks an element where any type may stand, as far as its tag says what its content must be.
    ///
    /// Universal types are primitive or constructed as X.690 has them, and those with a form of their own are in it. What
    /// is inside a SEQUENCE or a SET is not looked at.
    package func checkAny(_ element: ReceiptASN1.Element, _ field: StaticString) throws(ReceiptDecodingError) {
        guard element.tag.identifier & 0xC0 == 0 else { return }
        var cursor = Cursor(element.range)
        switch element.tag {
        case .sequence, .set: return
        case .boolean: _ = try readBoolean(&cursor, field)
        case .integer: _ = try readIntegerContent(&cursor, field)
        case .bitString: _ = try readBitString(&cursor, field)
        case .null: try readNull(&cursor, field)
        case .objectIdentifier: _ = try readObjectIdentifier(&cursor, field)
        case .utf8String: _ = try readUTF8String(&cursor, field)
        case .bmpString where element.content.count % 2 == 1:
            throw .fault(.invalidBMPString, element.content.position, field)
        case .octetString, .numericString, .printableString, .teletexString, .ia5String, .utcTime, .generalizedTime,
            .bmpString:
            return
        default: throw .fault(.unsupportedTag, element.start, field, detail: "found \(element.tag)")
        }
    }

    /// Reads a BIT STRING (X.690 8.6, 11.2) and returns its octets and how many bits of the last are unused (zero).
    ///
    /// `tag` is that of an implicitly tagged one.
    package func readBitString(
        _ cursor: inout Cursor, tag: Tag = .bitString, _ field: StaticString
    ) throws(ReceiptDecodingError) -> (octets: Cursor, unusedBits: Int) {
        let content = try read(tag, &cursor, field)
        guard content.count >= 1 else { throw .fault(.invalidBitString, content.position, field) }
        let unused = Int(self[content.position])
        let octets = Cursor(content.position + 1, content.limit)
        guard unused <= 7, unused == 0 || !octets.isAtEnd,
            unused == 0 || self[octets.limit - 1] & (1 << unused - 1) == 0
        else { throw .fault(.invalidBitString, content.position, field) }
        return (octets, unused)
    }

    /// Reads a UTF8String; the text is validated.
    @inlinable
    package func readUTF8String(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> String {
        try utf8(try read(.utf8String, &cursor, field), field)
    }

    /// Reads an IA5String, that is ASCII.
    @inlinable
    package func readIA5String(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> String {
        try ia5(try read(.ia5String, &cursor, field), field)
    }

    /// Throws unless a region is UTF-8 text.
    package func checkUTF8(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        if isASCII(content.range) { return }
        do {
            _ = try UTF8Span(validating: extracting(content.range))
        } catch {
            throw .fault(.invalidUTF8, content.position + error.byteOffsets.lowerBound, field)
        }
    }

    /// Throws unless a region is ASCII text.
    package func checkIA5(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        guard isASCII(content.range) else { throw .fault(.invalidIA5String, content.position, field) }
    }

    private func isASCII(_ range: Range<Int>) -> Bool {
        var bits: UInt8 = 0
        for index in range { bits |= self[index] }
        return bits < 0x80
    }

    /// A region as UTF-8 text.
    @inlinable
    package func utf8(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> String {
        do {
            return String(copying: try UTF8Span(validating: extracting(content.range)))
        } catch {
            throw .fault(.invalidUTF8, content.position + error.byteOffsets.lowerBound, field)
        }
    }

    /// A region as ASCII text.
    @inlinable
    package func ia5(_ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> String {
        for index in content.range where self[index] >= 0x80 { throw .fault(.invalidIA5String, index, field) }
        return try utf8(content, field)
    }

    /// Reads a `Time` of RFC 5280 4.1.2.5, UTCTime or GeneralizedTime, as seconds since 1970.
    ///
    /// Both must be in the one form that RFC 5280 allows: to the second, in UTC, ending in `Z`.
    package func readTime(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int64 {
        let element = try readElement(&cursor, field)
        guard element.tag == .utcTime || element.tag == .generalizedTime else {
            throw .mismatch(element.tag, element.start, expected: .utcTime, field)
        }
        return try time(element.tag, element.content, field).secondsSince1970
    }

    /// The content octets of a `Time` as a date, which is in UTC.
    package func time(_ tag: Tag, _ content: Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> CivilTime {
        var position = content.position
        let year: Int?
        switch (tag, content.count) {
        case (.utcTime, 13):
            // RFC 5280 4.1.2.5.1: 50 and above is 19YY.
            year = twoDigits(position).map { $0 >= 50 ? 1900 + $0 : 2000 + $0 }
            position += 2
        case (.generalizedTime, 15):
            if let century = twoDigits(position), let rest = twoDigits(position + 2) {
                year = century * 100 + rest
            } else {
                year = nil
            }
            position += 4
        default: throw .fault(.invalidTime, content.position, field)
        }
        guard let year, let month = twoDigits(position), let day = twoDigits(position + 2),
            let hour = twoDigits(position + 4), let minute = twoDigits(position + 6),
            let second = twoDigits(position + 8), self[position + 10] == UInt8(ascii: "Z"),
            let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { throw .fault(.invalidTime, content.position, field) }
        return time
    }
}
