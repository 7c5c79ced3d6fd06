/// Identifier and length octets of one element (X.690 8.1.2, 8.1.3), read as they stand.
///
/// This is the one reader of headers. DER, BER, the measuring of what a text may hold, and the tree that shows damaged
/// bytes ask of what it read what each of them needs: ``Swift/Span/readElement(_:_:)`` has a short cut before it.
///
/// Success means that every octet of the header is there. It does not mean that the content is, nor that the header is
/// as short as DER wants it (``isMinimal``).
package struct ElementHeader: Hashable, Sendable {
    /// The first identifier octet: class, constructed bit, and a tag number below 31 or all ones.
    package let identifier: UInt8
    /// The tag number, up to 2^32 - 1.
    package let number: UInt32
    /// Octets of identifier and length together.
    package let length: Int
    /// Octets of content as the length says, whether or not they are there; nil for the indefinite form.
    package let contentLength: Int?
    /// Whether identifier and length use no more octets than DER allows (X.690 8.1.2.4.2 c, 10.1).
    package let isMinimal: Bool

    package enum TagClass: UInt8, Sendable {
        case universal, application, context, `private`
    }

    package var tagClass: TagClass { TagClass(rawValue: identifier >> 6) ?? .private }
    package var isConstructed: Bool { identifier & 0x20 != 0 }
    /// The tag when its number is below 31, which is all that receipts and certificates have.
    package var tag: Tag? { identifier & 0x1F == 0x1F ? nil : Tag(identifier: identifier) }
    package var isEndOfContents: Bool { identifier == 0 && contentLength == 0 }

    /// Whether the tag is universal and of a number, primitive or constructed.
    package func isUniversal(_ number: UInt32) -> Bool { tagClass == .universal && self.number == number }

    /// Why no header could be read.
    package enum Fault: Error, Hashable {
        case truncated
        case tagNumberTooLarge
        case lengthTooLarge(octets: Int)
        case reservedLength
        case indefinitePrimitive

        package var message: String {
            switch self {
            case .truncated: "the header is cut off"
            case .tagNumberTooLarge: "the tag number is above 2^32 - 1"
            case .lengthTooLarge(let octets): "a length of \(octets) octets does not fit 63 bits"
            case .reservedLength: "the length begins with ff, which is reserved"
            case .indefinitePrimitive: "a primitive element cannot have an indefinite length"
            }
        }
    }

    /// Reads the header at `start`, looking at no octet at or after `end`, which may not be behind the span's end.
    package init(at start: Int, in span: Span<UInt8>, end: Int) throws(Fault) {
        var position = start
        func next() throws(Fault) -> UInt8 {
            guard position < end else { throw .truncated }
            defer { position += 1 }
            return span[position]
        }
        let identifier = try next()
        var isMinimal = true
        var number = UInt32(identifier & 0x1F)
        if number == 0x1F {
            // X.690 8.1.2.4: seven bits an octet, the last one without the highest bit.
            number = 0
            var octet: UInt8
            repeat {
                octet = try next()
                if number == 0, octet == 0x80 { isMinimal = false }
                guard number <= UInt32.max >> 7 else { throw .tagNumberTooLarge }
                number = number << 7 | UInt32(octet & 0x7F)
            } while octet & 0x80 != 0
            if number < 0x1F { isMinimal = false }
        }
        let first = try next()
        switch first {
        case 0..<0x80: contentLength = Int(first)
        case 0x80:
            // X.690 8.1.3.2: only what is constructed can end by an end-of-contents.
            guard identifier & 0x20 != 0 else { throw .indefinitePrimitive }
            contentLength = nil
        case 0xFF: throw .reservedLength
        default:
            let octets = Int(first & 0x7F)
            var value = 0
            for index in 0..<octets {
                let octet = try next()
                if index == 0, octet == 0 { isMinimal = false }
                guard value <= Int.max >> 8 else { throw .lengthTooLarge(octets: octets) }
                value = value << 8 | Int(octet)
            }
            if value < 0x80 { isMinimal = false }
            contentLength = value
        }
        self.identifier = identifier
        self.number = number
        self.isMinimal = isMinimal
        length = position - start
    }
}

/// Which encodings are taken: the one of DER, or any of BER.
package enum EncodingRules: Sendable { case der, ber }

extension Span where Element == UInt8 {
    /// The header at a cursor, of an element that lies inside its region, in an encoding that the rules allow.
    ///
    /// Throws for a tag number of 31 and more, for a length of 2^32 and more, and for one that runs past the region.
    package func readHeader(
        _ cursor: Cursor, _ rules: EncodingRules, _ field: StaticString
    ) throws(ReceiptDecodingError) -> ElementHeader {
        let start = cursor.position
        guard cursor.limit - start >= 2 else { throw .fault(.truncated, start, field) }
        guard self[start] & 0x1F != 0x1F else { throw .fault(.unsupportedTag, start, field) }
        let header: ElementHeader
        do throws(ElementHeader.Fault) {
            header = try ElementHeader(at: start, in: self, end: cursor.limit)
        } catch {
            throw .header(error, start, field)
        }
        guard rules == .ber || header.isMinimal else { throw .fault(.nonMinimalLength, start + 1, field) }
        guard let length = header.contentLength else {
            guard rules == .ber else { throw .fault(.indefiniteLength, start + 1, field) }
            return header
        }
        guard UInt64(length) <= UInt32.max else {
            throw .header(.lengthTooLarge(octets: header.length - 2), start, field)
        }
        let available = cursor.limit - start - header.length
        guard length <= available else {
            throw .fault(
                .truncated, start, field, detail: "length \(length), but only \(available) bytes are left")
        }
        return header
    }
}

extension ReceiptDecodingError {
    @inline(never)
    fileprivate static func header(
        _ fault: ElementHeader.Fault, _ start: Int, _ field: StaticString
    ) -> ReceiptDecodingError {
        switch fault {
        case .truncated: .fault(.truncated, start, field)
        case .tagNumberTooLarge: .fault(.unsupportedTag, start, field)
        case .lengthTooLarge(let octets):
            .fault(.lengthTooLarge, start + 1, field, detail: "the length has \(octets) octets")
        case .reservedLength: .fault(.reservedLength, start + 1, field)
        case .indefinitePrimitive: .fault(.indefiniteLength, start + 1, field)
        }
    }
}
