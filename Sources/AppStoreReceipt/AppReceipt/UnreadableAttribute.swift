/// An attribute that Apple documents, in a form that it has never had: its property is nil, and here is what it holds.
///
/// The signature is over the octets as they stand, so such a receipt can be genuine; validation says so, and rejects it
/// with `unreadable-attribute` unless the policy tolerates the attribute. Observed, undocumented attributes are never
/// here: nobody has promised their form.
public struct UnreadableAttribute: Hashable, Sendable {
    /// The attribute with its octets. Of type 17, a whole purchase, which is then missing in ``Receipt/inApp``.
    public let attribute: ReceiptAttribute
    /// The index in ``Receipt/inApp`` of the purchase that has the attribute; nil for the receipt's own.
    public let purchaseIndex: Int?
    /// What is wrong with the octets. Its offset is into the attribute's ``ReceiptAttribute/rawValue``; its field is the
    /// attribute's, for example `in_app[3].purchase_date`.
    public let error: ReceiptDecodingError
}

extension UnreadableAttribute {
    /// The name by which a policy tolerates it.
    package var name: String { attribute.type.name ?? "\(attribute.type.rawValue)" }
}

extension UnreadableAttribute: CustomStringConvertible {
    /// One line: the attribute, its type, what is wrong, and the first octets.
    public var description: String {
        let octets = attribute.rawValue
        let shown = hex(octets.prefix(24)) + (octets.count > 24 ? "\u{2026} (\(octets.count) bytes)" : "")
        return "\(error.field) (\(attribute.type.rawValue)): \(error.code)"
            + (error.detail.map { ", \($0)" } ?? "") + ", octets \(shown)"
    }
}

/// The unreadable attributes met so far.
struct UnreadableTally {
    /// Kept of each type: all say the same, and hostile input may have a million. The octets of the rest are in
    /// ``Receipt/attributes``.
    static let maximumOfOneType = 16

    private(set) var attributes: [UnreadableAttribute] = []
    private var counts: [Int: Int] = [:]

    mutating func note(
        _ record: AttributeRecord, of purchaseIndex: Int?, _ bytes: [UInt8], _ error: ReceiptDecodingError
    ) {
        let type = ReceiptAttributeType(rawValue: record.type)
        counts[record.type, default: 0] += 1
        guard counts[record.type, default: 0] <= Self.maximumOfOneType else { return }
        var error = error
        let own = type.known?.key ?? "value"
        error.field = purchaseIndex.map { "in_app[\($0)].\(own)" } ?? own
        let octets = bytes[record.value.range]
        error.offset = max(0, error.offset - record.value.position)
        if error.code == .invalidDate { error.detail = Self.quoted(octets.dropFirst(error.offset)) }
        attributes.append(
            UnreadableAttribute(
                attribute: ReceiptAttribute(type: type, version: record.version, rawValue: octets),
                purchaseIndex: purchaseIndex, error: error))
    }

    /// Forgets those of a purchase that turned out to be unreadable as a whole.
    mutating func forget(purchaseIndex: Int) { attributes.removeAll { $0.purchaseIndex == purchaseIndex } }

    /// The text goes into a message: only printable ASCII, and not much of it.
    private static func quoted(_ date: ArraySlice<UInt8>) -> String {
        let text = date.prefix(40).map {
            (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "\\x" + String($0, radix: 16)
        }
        return "'\(text.joined())' is not an RFC 3339 date"
    }
}
