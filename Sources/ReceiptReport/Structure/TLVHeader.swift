/// The identifier and length octets of one BER element (X.690 8.1.2, 8.1.3), read as they are.
struct TLVHeader {
    var tagClass: TagClass
    var isConstructed: Bool
    var number: UInt32
    /// Octets of identifier and length together.
    var length: Int
    /// Octets of content as the length says; nil for the indefinite form.
    var contentLength: Int?
    /// Whether identifier or length use more octets than DER allows.
    var isMinimal: Bool

    enum TagClass: UInt8 {
        case universal = 0
        case application = 1
        case context = 2
        case `private` = 3
    }

    /// Why no header could be read.
    enum Fault: Error {
        case truncated
        case tagNumberTooLarge
        case lengthTooLong(octets: Int)
        case reservedLength
        case indefinitePrimitive

        var message: String {
            switch self {
            case .truncated: "the header is cut off"
            case .tagNumberTooLarge: "the tag number is above 2^32 - 1"
            case .lengthTooLong(let octets): "a length of \(octets) octets does not fit 63 bits"
            case .reservedLength: "the length begins with ff, which is reserved"
            case .indefinitePrimitive: "a primitive element cannot have an indefinite length"
            }
        }
    }

    func isUniversal(_ number: UInt32) -> Bool { tagClass == .universal && self.number == number }

    var isEndOfContents: Bool { isUniversal(0) && !isConstructed && contentLength == 0 }

    /// Reads the header at `position`, looking at no byte at or after `end`.
    ///
    /// Invariant asked of the caller: `0 <= position <= end <= bytes.count`.
    init(at position: Int, in bytes: [UInt8], end: Int) throws(Fault) {
        var cursor = position
        guard cursor < end else { throw .truncated }
        let identifier = bytes[cursor]
        cursor += 1
        tagClass = TagClass(rawValue: identifier >> 6) ?? .private
        isConstructed = identifier & 0x20 != 0
        number = UInt32(identifier & 0x1F)
        isMinimal = true
        if number == 0x1F {
            var value: UInt32 = 0
            var isFirst = true
            while true {
                guard cursor < end else { throw .truncated }
                let octet = bytes[cursor]
                cursor += 1
                if isFirst && octet == 0x80 { isMinimal = false }
                isFirst = false
                guard value <= UInt32.max >> 7 else { throw .tagNumberTooLarge }
                value = value << 7 | UInt32(octet & 0x7F)
                if octet & 0x80 == 0 { break }
            }
            if value < 0x1F { isMinimal = false }
            number = value
        }
        guard cursor < end else { throw .truncated }
        let first = bytes[cursor]
        cursor += 1
        switch first {
        case 0..<0x80: contentLength = Int(first)
        case 0x80:
            guard isConstructed else { throw .indefinitePrimitive }
            contentLength = nil
        case 0xFF: throw .reservedLength
        default:
            let octets = Int(first & 0x7F)
            var value: UInt64 = 0
            for index in 0..<octets {
                guard cursor < end else { throw .truncated }
                if index == 0 && bytes[cursor] == 0 { isMinimal = false }
                guard value <= UInt64(Int.max) >> 8 else { throw .lengthTooLong(octets: octets) }
                value = value << 8 | UInt64(bytes[cursor])
                cursor += 1
            }
            guard let content = Int(exactly: value) else { throw .lengthTooLong(octets: octets) }
            if content < 0x80 { isMinimal = false }
            contentLength = content
        }
        length = cursor - position
    }
}

/// Universal tag numbers (X.680 8.6) that the tree treats by name.
enum UniversalTag {
    static let boolean: UInt32 = 1
    static let integer: UInt32 = 2
    static let bitString: UInt32 = 3
    static let octetString: UInt32 = 4
    static let null: UInt32 = 5
    static let objectIdentifier: UInt32 = 6
    static let enumerated: UInt32 = 10
    static let utf8String: UInt32 = 12
    static let sequence: UInt32 = 16
    static let set: UInt32 = 17
    static let utcTime: UInt32 = 23
    static let generalizedTime: UInt32 = 24
    static let bmpString: UInt32 = 30

    /// String types whose octets are ASCII, or nearly.
    static let asciiStrings: ClosedRange<UInt32> = 18...27

    static func name(_ number: UInt32) -> String? {
        let names = [
            "end-of-contents", "BOOLEAN", "INTEGER", "BIT STRING", "OCTET STRING", "NULL", "OBJECT IDENTIFIER",
            "ObjectDescriptor", "EXTERNAL", "REAL", "ENUMERATED", "EMBEDDED PDV", "UTF8String", "RELATIVE-OID",
            "TIME", nil, "SEQUENCE", "SET", "NumericString", "PrintableString", "T61String", "VideotexString",
            "IA5String", "UTCTime", "GeneralizedTime", "GraphicString", "VisibleString", "GeneralString",
            "UniversalString", "CHARACTER STRING", "BMPString",
        ]
        return Int(number) < names.count ? names[Int(number)] : nil
    }
}
