internal import ReceiptPKIX

/// One attribute of a receipt or of an in-app purchase, as it stands in the payload.
///
/// `ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`
/// (Apple's receipt validation guide).
public struct ReceiptAttribute: Hashable, Sendable {
    public let type: ReceiptAttributeType
    /// 1 everywhere but in type 4 of App Store receipts, which has 2 (observed).
    public let version: Int
    /// The octets of the value: for most types one DER element, identifier and length included.
    public let rawValue: ArraySlice<UInt8>

    /// What the octets say. Never fails: what cannot be read is ``Value/raw(_:)``.
    public var value: Value { Value(storage: storage) }

    private var storage: Value.Storage {
        switch Encoding(rawValue.span, of: type.rawValue) {
        case .utf8String(let text): .utf8String(String(decoding: rawValue[inside: text], as: UTF8.self))
        case .ia5String(let text): .ia5String(String(decoding: rawValue[inside: text], as: UTF8.self))
        case .integer(let value): .integer(value)
        case .set(let content): .set(ReceiptAttributes(rawValue[inside: content]))
        case .raw: .raw(rawValue)
        case .empty: .empty
        }
    }
}

extension ArraySlice {
    /// A part, told from the slice's own beginning.
    fileprivate subscript(inside range: Range<Int>) -> ArraySlice {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}

extension ReceiptAttribute {
    /// What the octets say, read without regard to what the type should hold. Open: encodings may be added.
    public struct Value: Hashable, Sendable {
        package enum Storage: Hashable, Sendable {
            case utf8String(String)
            case ia5String(String)
            case integer(Int64)
            case set(ReceiptAttributes)
            case raw(ArraySlice<UInt8>)
            case empty
        }

        package let storage: Storage

        public static func utf8String(_ text: String) -> Value { Value(storage: .utf8String(text)) }
        public static func ia5String(_ text: String) -> Value { Value(storage: .ia5String(text)) }
        public static func integer(_ number: Int64) -> Value { Value(storage: .integer(number)) }
        /// A SET: the attributes of an in-app purchase.
        public static func set(_ attributes: ReceiptAttributes) -> Value { Value(storage: .set(attributes)) }
        /// Octets that are not exactly one valid DER element of the types above, and those of types 4 to 7, which
        /// never are one.
        public static func raw(_ octets: ArraySlice<UInt8>) -> Value { Value(storage: .raw(octets)) }
        /// No octets at all.
        public static let empty = Value(storage: .empty)

        /// The text of a UTF8String or IA5String; nil for anything else.
        public var text: String? {
            switch storage {
            case .utf8String(let text), .ia5String(let text): text
            default: nil
            }
        }

        /// The number of an INTEGER; nil for anything else.
        public var integer: Int64? {
            if case .integer(let number) = storage { number } else { nil }
        }

        /// The attributes of an in-app purchase; nil for anything else.
        public var attributes: ReceiptAttributes? {
            if case .set(let attributes) = storage { attributes } else { nil }
        }
    }
}

/// The attributes of a receipt or of an in-app purchase, all of them, known or not, in the order of the payload.
///
/// The collection shares the receipt's bytes and reads an attribute when it is asked for; nothing is copied.
/// Counting the attributes takes time in proportion to their number.
public struct ReceiptAttributes: Collection, Hashable, Sendable {
    /// The content octets of the SET.
    package let content: ArraySlice<UInt8>

    /// `content` must have been found well-formed; what is not ends the collection early.
    init(_ content: ArraySlice<UInt8>) { self.content = content }

    public struct Index: Comparable, Hashable, Sendable {
        let offset: Int
        public static func < (lhs: Index, rhs: Index) -> Bool { lhs.offset < rhs.offset }
    }

    public var startIndex: Index { Index(offset: content.startIndex) }
    public var endIndex: Index { Index(offset: content.endIndex) }

    public func index(after index: Index) -> Index {
        guard let end = read(at: index)?.end else { return endIndex }
        return Index(offset: end)
    }

    public subscript(index: Index) -> ReceiptAttribute {
        guard let attribute = read(at: index)?.attribute else {
            // Only an index of another collection, or the end index, comes here.
            preconditionFailure("index out of range")
        }
        return attribute
    }

    /// The first attribute of a type, or nil.
    public func first(_ type: ReceiptAttributeType) -> ReceiptAttribute? { first { $0.type == type } }

    private func read(at index: Index) -> (attribute: ReceiptAttribute, end: Int)? {
        let span = content.span
        let start = content.startIndex
        var cursor = Cursor(index.offset - start, span.count)
        do throws(ReceiptDecodingError) {
            let record = try span.readAttribute(&cursor)
            let attribute = ReceiptAttribute(
                type: ReceiptAttributeType(rawValue: record.type), version: record.version,
                rawValue: content[start + record.value.position..<start + record.value.limit])
            return (attribute, start + cursor.position)
        } catch {
            return nil
        }
    }

    /// Every attribute in order, as numbers and octets: the collection would make a value of each.
    ///
    /// The content was found well-formed when the receipt was decoded; what is not ends the walk.
    package func visit(_ body: (_ type: Int, _ version: Int, _ value: Span<UInt8>) -> Void) {
        let span = content.span
        var cursor = Cursor(0, span.count)
        do throws(ReceiptDecodingError) {
            while !cursor.isAtEnd {
                // Types of purchases have two octets.
                let isShort = cursor.count > 3 && span[cursor.position + 3] == 1
                let record = try isShort ? span.readReceiptAttribute(&cursor) : span.readPurchaseAttribute(&cursor)
                body(record.type, record.version, span.extracting(record.value.range))
            }
        } catch {
            return
        }
    }

    /// The types that no public receipt has, each attribute's in order; nearly always none.
    ///
    /// - Parameter ofPurchase: Whether these are a purchase's: a known type in the wrong place is unknown there.
    package func unknownTypes(ofPurchase: Bool) -> [Int] {
        let known = ofPurchase ? KnownAttribute.types.ofPurchase : KnownAttribute.types.ofReceipt
        let first = ofPurchase ? 1_700 : 0
        var unknown: [Int] = []
        let span = content.span
        var cursor = Cursor(0, span.count)
        while !cursor.isAtEnd {
            // The content was found well-formed when the receipt was decoded; what is not ends the walk.
            guard
                let record = try? ofPurchase
                    ? span.readPurchaseAttribute(&cursor) : span.readReceiptAttribute(&cursor)
            else { break }
            let place = record.type &- first
            if place < 0 || place > 63 || known >> UInt64(place) & 1 == 0 { unknown.append(record.type) }
        }
        return unknown
    }

    static func isWellFormed(_ content: Span<UInt8>) -> Bool {
        var cursor = Cursor(0, content.count)
        do throws(ReceiptDecodingError) {
            while !cursor.isAtEnd { _ = try content.readAttribute(&cursor) }
            return true
        } catch {
            return false
        }
    }
}

/// One attribute as numbers and a region.
struct AttributeRecord {
    let type: Int
    let version: Int
    let value: Cursor

    /// Whether Apple has promised the form of the value.
    var isDocumented: Bool { ReceiptAttributeType(rawValue: type).known?.isDocumented == true }
}

extension Span where Element == UInt8 {
    /// Reads `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
    @inline(never)
    func readAttribute(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> AttributeRecord {
        var sequence = try read(.sequence, &cursor, "attribute")
        let type = try readNumber(&sequence, "attribute.type")
        let version = try readNumber(&sequence, "attribute.version")
        let value = try readOnly(.octetString, sequence, "attribute.value")
        return AttributeRecord(type: type, version: version, value: value)
    }

    private func readNumber(_ cursor: inout Cursor, _ field: StaticString) throws(ReceiptDecodingError) -> Int {
        let start = cursor.position
        guard let number = Int(exactly: try readInteger(&cursor, field)) else {
            throw .fault(.integerTooLarge, start, field)
        }
        return number
    }

    /// The same for a receipt's attributes, nearly all of which begin with the octets `30 ll 02 01 tt 02 01 vv 04 nn`:
    /// recognised as a whole they are read three times as fast. For anything else there is the one reader above.
    @inline(__always)
    func readReceiptAttribute(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> AttributeRecord {
        if cursor.limit - cursor.position >= 10 {
            let (head, tail) = attributeHead(cursor.position, tailOffset: 6)
            // The masks leave out what varies: lengths, type and version, but for their highest bits.
            if head & 0xFF80_FFFF_80FF_FF80 == 0x3000_0201_0002_0100, tail & 0xFF80 == 0x0400 {
                let record = usualAttribute(
                    &cursor, headerCount: 10, length: head >> 48 & 0xFF, type: head >> 24 & 0xFF, version: head & 0xFF,
                    count: UInt64(tail & 0xFF))
                if let record { return record }
            }
        }
        return try readAttribute(&cursor)
    }

    /// The same for a purchase's attributes, whose types have two octets: `30 ll 02 02 tt tt 02 01 vv 04 nn`.
    @inline(__always)
    func readPurchaseAttribute(_ cursor: inout Cursor) throws(ReceiptDecodingError) -> AttributeRecord {
        if cursor.limit - cursor.position >= 11 {
            let (head, tail) = attributeHead(cursor.position, tailOffset: 7)
            // A type below 0x80 has one octet.
            if head & 0xFF80_FFFF_8000_FFFF == 0x3000_0202_0000_0201, tail & 0x80_FF80 == 0x00_0400,
                head >> 16 & 0xFFFF >= 0x80
            {
                let record = usualAttribute(
                    &cursor, headerCount: 11, length: head >> 48 & 0xFF, type: head >> 16 & 0xFFFF,
                    version: UInt64(tail >> 16 & 0xFF), count: UInt64(tail & 0xFF))
                if let record { return record }
            }
        }
        return try readAttribute(&cursor)
    }

    /// The first eight octets of an attribute, and four behind them of which the first were read already.
    @inline(__always)
    private func attributeHead(_ start: Int, tailOffset: Int) -> (UInt64, UInt32) {
        // The loads are checked against the span's bounds; any eight or four bytes are an integer.
        let head = unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        let tail = unsafe UInt32(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start + tailOffset, as: UInt32.self))
        return (head, tail)
    }

    /// The attribute, if its value ends with the sequence, and that within the region.
    @inline(__always)
    private func usualAttribute(
        _ cursor: inout Cursor, headerCount: Int, length: UInt64, type: UInt64, version: UInt64, count: UInt64
    ) -> AttributeRecord? {
        let count = Int(truncatingIfNeeded: count)
        guard Int(truncatingIfNeeded: length) + 2 == headerCount + count,
            cursor.limit - cursor.position >= headerCount + count
        else { return nil }
        let start = cursor.position + headerCount
        cursor.position = start + count
        return AttributeRecord(
            type: Int(truncatingIfNeeded: type), version: Int(truncatingIfNeeded: version),
            value: Cursor(start, start + count))
    }
}
