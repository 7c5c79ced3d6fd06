/// An ASN.1 identifier octet (X.690 8.1.2): class, constructed bit and a tag number below 31.
///
/// The constructed bit is part of the tag, so that a reader asking for a primitive OCTET STRING is never
/// given a constructed one. Tag numbers of 31 and more take several octets; no receipt or certificate
/// has one, and the reader refuses them.
@usableFromInline
package struct Tag: Hashable, Sendable {
    @usableFromInline package let identifier: UInt8

    @inlinable @inline(__always)
    package init(identifier: UInt8) { self.identifier = identifier }

    @inlinable package static var boolean: Tag { Tag(identifier: 0x01) }
    @inlinable package static var integer: Tag { Tag(identifier: 0x02) }
    @inlinable package static var bitString: Tag { Tag(identifier: 0x03) }
    @inlinable package static var octetString: Tag { Tag(identifier: 0x04) }
    @inlinable package static var null: Tag { Tag(identifier: 0x05) }
    @inlinable package static var objectIdentifier: Tag { Tag(identifier: 0x06) }
    @inlinable package static var utf8String: Tag { Tag(identifier: 0x0C) }
    @inlinable package static var numericString: Tag { Tag(identifier: 0x12) }
    @inlinable package static var printableString: Tag { Tag(identifier: 0x13) }
    @inlinable package static var teletexString: Tag { Tag(identifier: 0x14) }
    @inlinable package static var ia5String: Tag { Tag(identifier: 0x16) }
    @inlinable package static var utcTime: Tag { Tag(identifier: 0x17) }
    @inlinable package static var generalizedTime: Tag { Tag(identifier: 0x18) }
    @inlinable package static var bmpString: Tag { Tag(identifier: 0x1E) }
    @inlinable package static var sequence: Tag { Tag(identifier: 0x30) }
    @inlinable package static var set: Tag { Tag(identifier: 0x31) }
    @inlinable package static var constructedOctetString: Tag { Tag(identifier: 0x24) }

    /// A context-specific tag; `number` is below 31.
    @inlinable @inline(__always)
    package static func context(_ number: UInt8, constructed: Bool) -> Tag {
        Tag(identifier: (constructed ? 0xA0 : 0x80) | number)
    }

    @inlinable package var isConstructed: Bool { identifier & 0x20 != 0 }
}

extension Tag: CustomStringConvertible {
    /// For example `SEQUENCE`, `[0] constructed` or `tag 0x5A`.
    @usableFromInline package var description: String {
        let constructed = isConstructed
        let number = Int(identifier & 0x1F)
        switch identifier >> 6 {
        case 0:
            let name = Self.universalNames[number]
            let isNaturallyConstructed = number == 16 || number == 17
            return constructed == isNaturallyConstructed ? name : "\(constructed ? "constructed" : "primitive") \(name)"
        case 2: return constructed ? "[\(number)] constructed" : "[\(number)]"
        default: return "tag 0x" + String(identifier, radix: 16, uppercase: true)
        }
    }

    /// X.680 table 1, by tag number.
    package static let universalNames = [
        "end-of-contents", "BOOLEAN", "INTEGER", "BIT STRING", "OCTET STRING", "NULL", "OBJECT IDENTIFIER",
        "ObjectDescriptor", "EXTERNAL", "REAL", "ENUMERATED", "EMBEDDED PDV", "UTF8String", "RELATIVE-OID",
        "TIME", "universal 15", "SEQUENCE", "SET", "NumericString", "PrintableString", "TeletexString",
        "VideotexString", "IA5String", "UTCTime", "GeneralizedTime", "GraphicString", "VisibleString",
        "GeneralString", "UniversalString", "CHARACTER STRING", "BMPString", "universal 31",
    ]
}
