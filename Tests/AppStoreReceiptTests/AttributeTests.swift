import AppStoreReceipt
import ReceiptForge
import TestSupport
import Testing

/// Attributes as they stand: all of them, in order, whatever is in them.
@Suite struct AttributeTests {
    /// Octets of a value, for a type that nobody knows, and what is said about them.
    static let values: [(octets: String, expected: String)] = [
        ("", "empty"),
        ("0C 00", "utf8 ''"),
        ("0C 03 61 C3 A9", "utf8 'aé'"),
        ("0C 02 C3 28", "raw"),
        ("16 01 61", "ia5 'a'"),
        ("16 01 E9", "raw"),
        ("02 01 FF", "integer -1"),
        ("02 08 7F FF FF FF FF FF FF FF", "integer 9223372036854775807"),
        ("02 09 00 80 00 00 00 00 00 00 00", "raw"),
        ("02 00", "raw"),
        ("02 02 00 01", "raw"),
        ("02 01 01 00", "raw"),
        ("0C 81 01 61", "raw"),
        ("0C 05 61", "raw"),
        ("0C", "raw"),
        ("30 80 00 00", "raw"),
        ("04 01 61", "raw"),
        // Only type 17 holds attributes.
        ("31 00", "raw"),
        ("01 01 FF", "raw"),
        ("FF FF FF", "raw"),
        ("00 00", "raw"),
    ]

    private static func describe(_ value: ReceiptAttribute.Value) -> String {
        switch value.storage {
        case .utf8String(let text): "utf8 '\(text)'"
        case .ia5String(let text): "ia5 '\(text)'"
        case .integer(let number): "integer \(number)"
        case .set(let attributes): "set of \(attributes.count)"
        case .raw: "raw"
        case .empty: "empty"
        }
    }

    private static func decode(_ receipt: ForgedReceipt) throws -> Receipt {
        try SignedReceipt(decoding: try receipt.signed().bytes).unverifiedReceipt
    }

    @Test(arguments: values.indices)
    func value(index: Int) throws {
        let (digits, expected) = Self.values[index]
        let octets = hex(digits)
        var receipt = ForgedReceipt()
        receipt.extraAttributes = [ForgedAttribute(12_345, version: 3, .octets(octets))]
        let attribute = try #require(try Self.decode(receipt).attributes.first(.init(rawValue: 12_345)))
        #expect(attribute.version == 3)
        #expect(Array(attribute.rawValue) == octets)
        #expect(Self.describe(attribute.value) == expected)
        if case .raw(let bytes) = attribute.value.storage { #expect(Array(bytes) == octets) }
    }

    /// Types 4 to 7 are bytes, also where they look like an element.
    @Test func rawTypes() throws {
        var receipt = ForgedReceipt()
        for type in 4...7 { receipt.overrides[type] = [ForgedAttribute(type, .octets(hex("0C 01 61")))] }
        let decoded = try Self.decode(receipt)
        for type in 4...7 {
            let attribute = try #require(decoded.attributes.first(.init(rawValue: type)))
            #expect(attribute.value == .raw(ArraySlice(hex("0C 01 61"))))
        }
        #expect(decoded.opaqueValue == hex("0C 01 61"))
        #expect(decoded.sha1Hash == hex("0C 01 61"))
    }

    /// Unknown types are kept with their version, repeated or not, in the order of the payload; negative and huge ones too.
    @Test func unknownTypesAreKept() throws {
        let types = [99, 7_000, 99, -1, Int.max, Int.min, 24, 24, 33, 1_700, 64, -1_700]
        var receipt = ForgedReceipt(environment: .xcode)
        receipt.extraAttributes = types.enumerated().map { number, type in
            ForgedAttribute(type, version: number, .octets([UInt8(number)]))
        }
        let decoded = try Self.decode(receipt)
        let kept = decoded.attributes.suffix(types.count)
        #expect(kept.map(\.type.rawValue) == types)
        #expect(kept.map(\.version) == Array(0..<types.count))
        #expect(kept.map { Array($0.rawValue) } == (0..<types.count).map { [UInt8($0)] })
        #expect(decoded.attributes.count == (try receipt.attributes().count))
        #expect(decoded.attributes.first(.init(rawValue: 99))?.version == 0)
        #expect(decoded.attributes.first(.init(rawValue: 98)) == nil)
    }

    @Test func purchasesHoldAttributes() throws {
        var purchase = ForgedPurchase.consumable("a")
        purchase.extraAttributes = [
            ForgedAttribute(1_799, version: 9, .integer(5)), ForgedAttribute(1_799, .octets([])),
        ]
        var receipt = ForgedReceipt()
        receipt.purchases = [purchase, .nonConsumable("b")]
        let decoded = try Self.decode(receipt)
        let outer = decoded.attributes.filter { $0.type == .inApp }
        #expect(outer.count == 2)
        for (attribute, inApp) in zip(outer, decoded.inApp) {
            #expect(attribute.value == .set(inApp.attributes))
        }
        let unknown = decoded.purchases(productID: "a")[0].attributes.filter { $0.type.rawValue == 1_799 }
        #expect(Set(unknown.map(\.value)) == [.integer(5), .empty])
        #expect(Set(unknown.map(\.version)) == [9, 1])
    }

    /// The collection's promises: indices, slices, equality.
    @Test func isACollection() throws {
        let attributes = try Self.decode(ForgedReceipt()).attributes
        let all = Array(attributes)
        #expect(attributes.indices.map { attributes[$0] } == all)
        #expect(attributes.dropFirst(3).map(\.type) == all.dropFirst(3).map(\.type))
        #expect(attributes.index(attributes.startIndex, offsetBy: all.count) == attributes.endIndex)
        #expect(attributes.isEmpty == false)
        #expect(Set([attributes, attributes]).count == 1)
        var empty = ForgedReceipt()
        empty.overrides = Dictionary(uniqueKeysWithValues: (0...25).map { ($0, []) })
        let none = try Self.decode(empty)
        #expect(none.attributes.isEmpty)
        #expect(none.attributes.startIndex == none.attributes.endIndex)
        #expect(none.inApp.isEmpty)
    }

    /// Every type with a name of its own is read into the property of that name.
    @Test func names() {
        let types = (0...64).map { $0 } + (1_700...1_764).map { $0 }
        let named = types.map(ReceiptAttributeType.init(rawValue:)).compactMap(\.name)
        #expect(Set(named).count == named.count - 1, "original_purchase_date is both 18 and 1706")
        #expect(ReceiptAttributeType.inApp.name == "in_app")
        #expect(ReceiptAttributeType(rawValue: 1_709).name == nil)
    }
}
