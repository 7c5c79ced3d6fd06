/// A region of a buffer still to be read: from `position` up to, not including, `limit`.
///
/// A cursor is two integers and owns no bytes; the buffer travels beside it as a `Span`. That keeps the
/// reader free of reference counting, and every access is still checked against the buffer.
@usableFromInline
package struct Cursor: Hashable, Sendable {
    @usableFromInline package var position: Int
    @usableFromInline package let limit: Int

    @inlinable @inline(__always)
    package init(_ position: Int, _ limit: Int) {
        self.position = position
        self.limit = limit
    }

    @inlinable @inline(__always)
    package init(_ range: Range<Int>) { self.init(range.lowerBound, range.upperBound) }

    @inlinable package var isAtEnd: Bool { position >= limit }
    @inlinable package var count: Int { limit - position }
    @inlinable package var range: Range<Int> { position..<max(position, limit) }
}

/// One element as read: its tag and where its parts lie in the buffer.
@usableFromInline
package struct Element: Hashable, Sendable {
    @usableFromInline package let tag: Tag
    /// Offset of the identifier octet.
    @usableFromInline package let start: Int
    /// The content octets.
    @usableFromInline package let content: Cursor

    @inlinable @inline(__always)
    package init(tag: Tag, start: Int, content: Cursor) {
        self.tag = tag
        self.start = start
        self.content = content
    }

    /// The whole element, identifier and length octets included.
    @inlinable package var range: Range<Int> { start..<content.limit }
}

extension Span where Element == UInt8 {
    /// Reads the next DER element, whatever its tag.
    ///
    /// On success the element lies wholly inside the cursor's region, its length is definite and minimal
    /// (X.690 8.1.3, 10.1), and the cursor stands behind it. Its content is not looked at.
    @inlinable @inline(__always)
    package func readElement(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> ReceiptASN1.Element {
        let start = cursor.position
        guard cursor.limit - start >= 2 else {
            throw cursor.isAtEnd ? .fault(.missingElement, start, field) : .fault(.truncated, start, field)
        }
        let identifier = self[start]
        let end = start + 2 + Int(self[start + 1])
        // A tag in one octet and a short length that stays inside: nearly always. For the rest, errors too, there is
        // one reader, out of line, which leaves this one small where it is inlined.
        guard identifier & 0x1F != 0x1F, self[start + 1] < 0x80, end <= cursor.limit else {
            return try readElementInFull(&cursor, field)
        }
        cursor.position = end
        return ReceiptASN1.Element(
            tag: Tag(identifier: identifier), start: start, content: Cursor(start + 2, end))
    }

    @usableFromInline @inline(never)
    func readElementInFull(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> ReceiptASN1.Element {
        let start = cursor.position
        let header = try readHeader(cursor, .der, field)
        let content = start + header.length
        // DER's are never indefinite, as the header's reader has made sure.
        cursor.position = content + (header.contentLength ?? 0)
        return ReceiptASN1.Element(
            tag: Tag(identifier: header.identifier), start: start, content: Cursor(content, cursor.position))
    }

    /// Reads the one element that fills a region and has the given tag, and returns its content.
    @inlinable @inline(__always)
    package func readOnly(
        _ tag: Tag, _ region: Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> Cursor {
        let start = region.position
        let length = region.limit - start - 2
        // A short length that reaches to the end: nearly always. For the rest, errors too, there is one reader.
        if length >= 0, length < 0x80, self[start] == tag.identifier, self[start + 1] == UInt8(length) {
            return Cursor(start + 2, region.limit)
        }
        return try readOnlyInFull(tag, region, field)
    }

    @usableFromInline @inline(never)
    func readOnlyInFull(
        _ tag: Tag, _ region: Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> Cursor {
        var region = region
        let content = try read(tag, &region, field)
        try end(region, field)
        return content
    }

    /// Reads the next DER element, which must have the given tag, and returns its content.
    @inlinable @inline(__always)
    package func read(
        _ tag: Tag, _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> Cursor {
        let element = try readElement(&cursor, field)
        guard element.tag == tag else { throw .mismatch(element.tag, element.start, expected: tag, field) }
        return element.content
    }

    /// Whether the next element has the given tag; false at the end.
    @inlinable @inline(__always)
    package func isNext(_ tag: Tag, _ cursor: Cursor) -> Bool {
        !cursor.isAtEnd && self[cursor.position] == tag.identifier
    }

    /// Throws unless the cursor's region has been read to its end.
    @inlinable @inline(__always)
    package func end(_ cursor: Cursor, _ field: StaticString) throws(ReceiptDecodingError) {
        guard cursor.isAtEnd else { throw .leftOver(self, cursor, field) }
    }

    /// Whether two regions hold the same bytes.
    package func equals(_ range: Range<Int>, _ other: Range<Int>) -> Bool {
        extracting(range).hasSameBytes(as: extracting(other))
    }

    /// Whether two spans hold the same bytes, compared eight, and in long ones 64, at a time.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        let count = count
        guard count == other.count else { return false }
        let mine = unsafe bytes
        let theirs = unsafe other.bytes
        // Each load is in bounds: both spans have `count` bytes, and as many are left as are loaded.
        func difference(_ offset: Int) -> UInt64 {
            unsafe mine.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
                ^ theirs.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        }
        func wideDifference(_ offset: Int) -> SIMD2<UInt64> {
            unsafe mine.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
                ^ theirs.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
        }
        var offset = 0
        // Without a branch in between: what is long and of one length is nearly always the same.
        var differences = SIMD2<UInt64>.zero
        while count - offset >= 64 {
            differences |= wideDifference(offset) | wideDifference(offset &+ 16)
            differences |= wideDifference(offset &+ 32) | wideDifference(offset &+ 48)
            offset &+= 64
        }
        guard differences == .zero else { return false }
        while count - offset >= 8 {
            guard difference(offset) == 0 else { return false }
            offset &+= 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// A copy of a region.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        // The buffer is not used after the call.
        unsafe extracting(range).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}

/// The failing paths, kept out of line so that the reader stays small where it is inlined.
extension ReceiptDecodingError {
    @usableFromInline @inline(never)
    package static func fault(_ code: Code, _ offset: Int, _ field: StaticString) -> ReceiptDecodingError {
        ReceiptDecodingError(code, at: offset, in: field.description)
    }

    @usableFromInline @inline(never)
    package static func fault(
        _ code: Code, _ offset: Int, _ field: StaticString, detail: String
    ) -> ReceiptDecodingError {
        ReceiptDecodingError(code, at: offset, in: field.description, detail: detail)
    }

    @usableFromInline @inline(never)
    static func mismatch(_ tag: Tag, _ offset: Int, expected: Tag, _ field: StaticString) -> ReceiptDecodingError {
        // Two zero octets are named for what they are: a parser that takes them for an element is how
        // malformed BER slips through.
        let code: Code = tag.identifier == 0 ? .unexpectedEndOfContents : .unexpectedTag
        return fault(code, offset, field, detail: "found \(tag), expected \(expected)")
    }

    @usableFromInline @inline(never)
    static func leftOver(_ span: Span<UInt8>, _ cursor: Cursor, _ field: StaticString) -> ReceiptDecodingError {
        let isEndOfContents =
            cursor.count >= 2 && span[cursor.position] == 0 && span[cursor.position + 1] == 0
        return fault(
            isEndOfContents ? .unexpectedEndOfContents : .trailingBytes, cursor.position, field,
            detail: cursor.count == 1 ? "1 byte is left over" : "\(cursor.count) bytes are left over")
    }
}
