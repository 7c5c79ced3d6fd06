import AppStoreReceipt
import ReceiptForge
import TestSupport
import Testing

/// From attributes to properties: what is right, absent, empty, repeated or encoded in another way.
@Suite struct ModelTests {
    private static func decode(_ receipt: ForgedReceipt) throws -> Receipt {
        try SignedReceipt(decoding: try receipt.signed().bytes).unverifiedReceipt
    }

    /// One attribute, alone in a receipt, as a property's text; nil when the property is nil.
    struct Property: Sendable {
        let type: Int
        let form: Form
        let read: @Sendable (Receipt) -> String?

        enum Form { case text, ascii, integer, date, raw }

        /// Documented ones must be encoded as they always are; others are nil when they are not.
        var isDocumented: Bool { ![10, 11, 23, 25].contains(type) }
        /// Not encoded by anybody's grammar.
        var isRaw: Bool { form == .raw }
    }

    static let properties: [Property] = [
        Property(type: 0, form: .text) { $0.receiptType },
        Property(type: 1, form: .integer) { $0.appItemID.map { "\($0)" } },
        Property(type: 2, form: .text) { $0.bundleID },
        Property(type: 3, form: .text) { $0.applicationVersion },
        Property(type: 4, form: .raw) { $0.opaqueValue.map(hexText) },
        Property(type: 5, form: .raw) { $0.sha1Hash.map(hexText) },
        Property(type: 10, form: .ascii) { $0.ageRating },
        Property(type: 11, form: .integer) { $0.developerID.map { "\($0)" } },
        Property(type: 12, form: .date) { $0.receiptCreationDate?.description },
        Property(type: 15, form: .integer) { $0.downloadID.map { "\($0)" } },
        Property(type: 16, form: .integer) { $0.versionExternalIdentifier.map { "\($0)" } },
        Property(type: 18, form: .date) { $0.originalPurchaseDate?.description },
        Property(type: 19, form: .text) { $0.originalApplicationVersion },
        Property(type: 21, form: .date) { $0.expirationDate?.description },
        Property(type: 23, form: .text) { $0.organizationName },
        Property(type: 25, form: .integer) { $0.platform.map { "\($0)" } },
        Property(type: 32, form: .date) { $0.preorderDate?.description },
    ]

    static let purchaseProperties: [Property] = [
        purchase(1_701, .integer) { $0.quantity.map { "\($0)" } },
        purchase(1_702, .text) { $0.productID },
        purchase(1_703, .text) { $0.transactionID },
        purchase(1_704, .date) { $0.purchaseDate?.description },
        purchase(1_705, .text) { $0.originalTransactionID },
        purchase(1_706, .date) { $0.originalPurchaseDate?.description },
        purchase(1_708, .date) { $0.expiresDate?.description },
        purchase(1_711, .integer) { $0.webOrderLineItemID.map { "\($0)" } },
        purchase(1_712, .date) { $0.cancellationDate?.description },
        purchase(1_720, .integer) { $0.cancellationReason.map { "\($0)" } },
        purchase(1_721, .text) { $0.promotionalOfferID },
        purchase(1_722, .integer) { $0.inAppOwnershipType.map { "\($0.rawValue)" } },
    ]

    private static func purchase(
        _ type: Int, _ form: Property.Form, _ read: @escaping @Sendable (InAppPurchase) -> String?
    ) -> Property {
        Property(type: type, form: form) { $0.inApp.first.flatMap(read) }
    }

    /// A receipt with nothing in it but one attribute, or a purchase with that.
    private static func only(_ type: Int, _ values: [ForgedAttribute.Value]) throws -> [UInt8] {
        let attributes = values.map { ForgedAttribute(type, $0).node }
        var payload = BERNode.set(attributes)
        if type > 1_000 { payload = .set([ForgedAttribute(17, .element(payload)).node]) }
        return try ForgedMessage.signing(payload.encoded, by: try ForgedPKI(.xcode())).bytes
    }

    private static let samples: [(Property.Form, ForgedAttribute.Value, String)] = [
        (.text, .utf8String("a\u{E9}"), "a\u{E9}"), (.ascii, .ia5String("4+"), "4+"),
        (.integer, .integer(.max), "\(Int64.max)"), (.date, .ia5String("2025-01-02T03:04:05Z"), "2025-01-02T03:04:05Z"),
        (.raw, .octets([1, 2, 3]), "010203"),
    ]

    @Test(arguments: (properties + purchaseProperties).indices)
    func property(index: Int) throws {
        let property = (Self.properties + Self.purchaseProperties)[index]
        let read = { (values: [ForgedAttribute.Value]) in
            property.read(try SignedReceipt(decoding: try Self.only(property.type, values)).unverifiedReceipt)
        }
        let sample = try #require(Self.samples.first { $0.0 == property.form })
        #expect(try read([sample.1]) == sample.2)
        // Absent and empty are nil: no octets, an empty string, an empty date.
        #expect(try read([]) == nil)
        #expect(try read([.octets([])]) == nil)
        switch property.form {
        case .text: #expect(try read([.utf8String("")]) == nil)
        case .ascii, .date: #expect(try read([.ia5String("")]) == nil)
        default: break
        }
        // Twice is malformed, also when both say the same.
        let twice = #expect(throws: ReceiptDecodingError.self) { try read([sample.1, sample.1]) }
        #expect(twice?.code == .duplicateAttribute)

        guard !property.isRaw else { return }
        // Encoded in another way: nil, and told with its octets for what is documented.
        let strange: [ForgedAttribute.Value] = [
            .octets(hex("02 00")), .octets(hex("02 09 00 FF FF FF FF FF FF FF FF")), .octets(hex("0C 02 C3 28")),
            .octets(hex("16 01 E9")), .octets(hex("0C 01")), .octets(hex("0C 01 61 00")), .octets(hex("02 01 01 00")),
            .octets(hex("30 00")), .octets(hex("0C 81 01 61")), .octets([0xFF]), .octets([0, 0]), .octets([0x16]),
        ]
        for value in strange {
            try Self.expectUnreadable(property, value)
        }
        for sample in Self.samples where sample.0 != property.form && sample.0 != .raw {
            // A date is an IA5String too, and the other way round only when it is a date.
            if property.form == .ascii, sample.0 == .date { continue }
            try Self.expectUnreadable(property, sample.1)
        }
    }

    private static func expectUnreadable(_ property: Property, _ value: ForgedAttribute.Value) throws {
        let receipt = try SignedReceipt(decoding: try only(property.type, [value])).unverifiedReceipt
        #expect(property.read(receipt) == nil)
        guard property.isDocumented else { return #expect(receipt.unreadableAttributes.isEmpty) }
        #expect(receipt.unreadableAttributes.count == 1)
        let unreadable = try #require(receipt.unreadableAttributes.first)
        let isOfPurchase = property.type > 1_000
        let attributes = isOfPurchase ? receipt.inApp[0].attributes : receipt.attributes
        #expect(unreadable.attribute == attributes.first && unreadable.purchaseIndex == (isOfPurchase ? 0 : nil))
        #expect((0...unreadable.attribute.rawValue.count).contains(unreadable.error.offset))
        let key = try #require(unreadable.attribute.type.name)
        #expect(unreadable.error.field == (isOfPurchase ? "in_app[0].\(key)" : key))
    }

    /// A purchase that is no SET of attributes is kept as a whole; the others are there, and their faults know them.
    @Test func unreadablePurchases() throws {
        let undated = ForgedAttribute(1_704, .ia5String("yesterday")).node
        let payload = BERNode.set(
            [
                ForgedAttribute(17, .element(.set([undated]))).node,
                ForgedAttribute(17, .element(.set([undated, .integer(1)]))).node,
                ForgedAttribute(17, .element(.sequence([]))).node,
                ForgedAttribute(17, .element(.set([ForgedAttribute(1_701, .integer(7)).node, undated]))).node,
            ])
        let bytes = try ForgedMessage.signing(payload.encoded, by: try ForgedPKI(.xcode())).bytes
        let receipt = try SignedReceipt(decoding: bytes).unverifiedReceipt
        #expect(receipt.inApp.map(\.quantity) == [nil, 7])
        let told = receipt.unreadableAttributes.map { "\($0.error.field) \($0.error.code) \($0.purchaseIndex ?? -1)" }
        #expect(
            told == [
                "in_app[0].purchase_date invalid-date 0", "in_app unexpected-tag -1", "in_app unexpected-tag -1",
                "in_app[1].purchase_date invalid-date 1",
            ])
        let first = try #require(receipt.unreadableAttributes.first)
        #expect(first.description.contains("in_app[0].purchase_date (1704): invalid-date, 'yesterday'"))
        #expect(first.description.hasSuffix("octets 1609796573746572646179"))
    }

    /// However many there are, a few of each type are kept.
    @Test func unreadableAttributesAreBounded() throws {
        let undated = ForgedAttribute(17, .element(.set([ForgedAttribute(1_704, .integer(1)).node]))).node
        let payload = BERNode.set(
            [BERNode](repeating: undated, count: 100) + [ForgedAttribute(1, .octets([0xFF])).node])
        let bytes = try ForgedMessage.signing(payload.encoded, by: try ForgedPKI(.xcode())).bytes
        let receipt = try SignedReceipt(decoding: bytes).unverifiedReceipt
        #expect(receipt.inApp.count == 100 && receipt.unreadableAttributes.count == 17)
        #expect(receipt.unreadableAttributes.last?.attribute.type == .appItemID)
    }

    /// Every type of the table but 17 may occur once, whether or not there is a property for it.
    @Test func everyKnownTypeOccursOnce() throws {
        #expect(KnownAttribute.table.count == 48)
        for known in KnownAttribute.table.values {
            let bytes = try Self.only(known.type.rawValue, [.octets([]), .octets([])])
            if known.mayRepeat {
                #expect(throws: Never.self, "\(known)") {
                    try SignedReceipt(decoding: try Self.only(17, [.octets([0x31, 0]), .octets([0x31, 0])]))
                }
            } else {
                let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes) }
                #expect(error?.code == .duplicateAttribute, "\(known)")
            }
        }
    }

    /// The table names the property that the decoder fills, in other letters, and the form of its value.
    @Test func tableSaysWhatTheDecoderDoes() throws {
        for known in KnownAttribute.table.values where known.encoding != .attributes {
            let sample: ForgedAttribute.Value? =
                switch known.encoding {
                case .utf8String: .utf8String("4")
                case .ia5String: .ia5String("4+")
                case .integer: .integer(4)
                case .date: .ia5String("2025-01-02T03:04:05Z")
                case .octets: .octets([4])
                case .attributes, .unknown: nil
                }
            guard let sample else { continue }
            let receipt = try SignedReceipt(decoding: try Self.only(known.type.rawValue, [sample])).unverifiedReceipt
            let mirror =
                known.isOfPurchase ? Mirror(reflecting: try #require(receipt.inApp.first)) : Mirror(reflecting: receipt)
            let filled = mirror.children.filter { child in
                let value = Mirror(reflecting: child.value)
                return value.displayStyle == .optional && value.children.count == 1
            }.compactMap(\.label)
            let words = known.key?.split(separator: "_").map(String.init) ?? []
            let name = words.enumerated().map { index, word in
                index == 0 ? word : word == "id" ? "ID" : word.prefix(1).uppercased() + word.dropFirst()
            }.joined()
            #expect(filled == (known.key == nil ? [] : [name]), "\(known)")
        }
    }

    /// The purchase's remaining properties have rules of their own.
    @Test func specialPurchaseProperties() throws {
        let read = { (type: Int, value: ForgedAttribute.Value) in
            try #require(try SignedReceipt(decoding: try Self.only(type, [value])).unverifiedReceipt.inApp.first)
        }
        // 0 says that there is none.
        #expect(try read(1_711, .integer(0)).webOrderLineItemID == nil)
        #expect(try read(1_711, .integer(-1)).webOrderLineItemID == -1)
        for (type, property) in [(1_713, \InAppPurchase.isTrialPeriod), (1_719, \InAppPurchase.isInIntroOfferPeriod)] {
            #expect(try read(type, .integer(0))[keyPath: property] == false)
            #expect(try read(type, .integer(1))[keyPath: property] == true)
            #expect(try read(type, .octets([]))[keyPath: property] == nil)
            #expect(try read(type, .utf8String("true"))[keyPath: property] == nil)
        }
        #expect(try read(1_707, .integer(3)).productType == .autoRenewableSubscription)
        #expect(try read(1_707, .integer(3)).productType?.name == "auto-renewable subscription")
        #expect(try read(1_707, .integer(77)).productType?.rawValue == 77)
        #expect(try read(1_707, .integer(77)).productType?.name == nil)
        #expect(try read(1_707, .utf8String("3")).productType == nil)
        #expect(try read(1_710, .integer(5)).itemID == 5)
        #expect(try read(1_710, .utf8String("5")).itemID == nil)
        #expect(try read(1_722, .integer(1)).inAppOwnershipType?.name == "FAMILY_SHARED")
        #expect(try read(1_722, .integer(9)).inAppOwnershipType?.name == nil)
        for type in [1_707, 1_709, 1_710, 1_713, 1_714, 1_718, 1_719] {
            let bytes = try Self.only(type, [.octets([]), .octets([])])
            let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes) }
            #expect(error?.code == .duplicateAttribute)
            #expect(error?.field == "in_app[0].attributes")
        }
    }

    static let environments: [(type: String?, environment: ReceiptEnvironment?)] = [
        ("Production", .production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox),
        ("ProductionVPPSandbox", .sandbox), ("Xcode", .xcode), (nil, nil), ("", nil), ("production", nil),
        ("Sandbox", nil), ("Production\0", nil), ("Xcode ", nil), ("ProductionSandbox2", nil),
    ]

    @Test(arguments: environments.indices)
    func environment(index: Int) throws {
        let row = Self.environments[index]
        var receipt = ForgedReceipt()
        receipt.environment = row.type.map { .init(rawValue: $0) }
        #expect(try Self.decode(receipt).environment == row.environment)
    }

    // MARK: - Purchases

    private static func purchases() throws -> Receipt {
        let make = { (id: String, original: String?, product: String, date: String?, expires: String) in
            var purchase = ForgedPurchase.autoRenewable(product)
            purchase.transactionID = id
            purchase.originalTransactionID = original
            if original == nil { purchase.overrides[1_705] = [] }
            purchase.purchaseDate = date
            purchase.expiresDate = expires
            return purchase
        }
        var receipt = ForgedReceipt()
        receipt.purchases = [
            make("2", "1", "pro", "2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z"),
            make("4", "4", "basic", "2025-01-15T00:00:00Z", ""),
            make("1", "1", "pro", "2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z"),
            make("5", nil, "pro", nil, ""),
            make("3", "1", "pro", "2025-02-01T00:00:00Z", "2025-04-01T00:00:00Z"),
            make("6", nil, "pro", "2025-01-10T00:00:00Z", "2025-01-11T00:00:00Z"),
        ]
        return try decode(receipt)
    }

    @Test func helpers() throws {
        let receipt = try Self.purchases()
        #expect(receipt.inApp.count == 6)
        #expect(receipt.purchase(transactionID: "3")?.expiresDate?.description == "2025-04-01T00:00:00Z")
        #expect(receipt.purchase(transactionID: "7") == nil)
        // The latest first; of two of one date the one that expires later; those without a date last.
        #expect(receipt.purchasesLatestFirst.map(\.transactionID) == ["3", "2", "4", "6", "1", "5"])
        #expect(receipt.purchases(productID: "pro").map(\.transactionID) == ["3", "2", "6", "1", "5"])
        #expect(receipt.purchases(productID: "none").isEmpty)
        #expect(receipt.purchases(originalTransactionID: "1").map(\.transactionID) == ["3", "2", "1"])
        // A transaction without an original is its own.
        #expect(receipt.purchases(originalTransactionID: "5").map(\.transactionID) == ["5"])
        #expect(receipt.purchases(originalTransactionID: "2").isEmpty)
    }

    /// Text of a receipt that goes into a message cannot move a terminal's cursor.
    @Test func messagesHoldPrintableTextOnly() throws {
        var receipt = ForgedReceipt()
        receipt.creationDate = "\u{1B}[31m" + String(repeating: "x", count: 100)
        receipt.overrides[2] = [ForgedAttribute(2, .utf8String("a\u{1B}\u{202E}b"))]
        let decoded = try Self.decode(receipt)
        let error = decoded.unreadableAttributes.first?.error
        #expect(error?.detail == "'\\x1b[31m" + String(repeating: "x", count: 35) + "' is not an RFC 3339 date")
        #expect(decoded.description.hasPrefix("a\\u{1B}\\u{202E}b "))
    }
}
