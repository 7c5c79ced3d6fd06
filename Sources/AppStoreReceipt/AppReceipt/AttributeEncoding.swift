internal import ReceiptPKIX

extension ReceiptAttribute {
    /// How the octets of a value are encoded, and where in them what they say is, without a copy of it.
    package enum Encoding {
        case utf8String(Range<Int>)
        case ia5String(Range<Int>)
        case integer(Int64)
        case set(Range<Int>)
        /// Not exactly one valid element of those types, or of a type that never is one.
        case raw
        case empty

        package init(_ value: Span<UInt8>, of type: Int) {
            do throws(ReceiptDecodingError) {
                self = try Self.read(value, type)
            } catch {
                self = .raw
            }
        }

        private static func read(_ span: Span<UInt8>, _ type: Int) throws(ReceiptDecodingError) -> Self {
            guard !span.isEmpty else { return .empty }
            guard !KnownAttribute.opaqueTypes.contains(type) else { return .raw }
            var cursor = Cursor(0, span.count)
            let element = try span.readElement(&cursor, "value")
            try span.end(cursor, "value")
            switch element.tag {
            case .utf8String:
                try span.checkUTF8(element.content, "value")
                return .utf8String(element.content.range)
            case .ia5String:
                try span.checkIA5(element.content, "value")
                return .ia5String(element.content.range)
            case .integer:
                cursor = Cursor(0, span.count)
                return .integer(try span.readInteger(&cursor, "value"))
            case .set where ReceiptAttributeType(rawValue: type) == .inApp:
                guard ReceiptAttributes.isWellFormed(span.extracting(element.content.range)) else { return .raw }
                return .set(element.content.range)
            default: return .raw
            }
        }
    }
}
