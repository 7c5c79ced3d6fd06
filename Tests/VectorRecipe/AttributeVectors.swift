import ReceiptForge

/// The payload: attributes as they may be, and as they may not. All of it is well signed.
extension Recipe {
    static func attributes(_ group: inout VectorGroup) throws {
        try validAttributes(&group)
        try dates(&group)
        try malformedValues(&group)
        try malformedStructure(&group)
        try duplicates(&group)
        try purchases(&group)
    }

    /// A receipt in which attributes of one type stand in the place of the usual one.
    private static func with(_ type: Int, _ attributes: ForgedAttribute...) throws -> ForgedMessage {
        try receipt { $0.overrides[type] = attributes }.signed(by: Root.standard.chain())
    }

    private static func validAttributes(_ group: inout VectorGroup) throws {
        let rows: [(String, String, Int, [ForgedAttribute])] = [
            ("no-type", "Receipts of 2010 do not say where they come from.", 0, []),
            ("no-bundle-id", "Without a bundle identifier.", 2, []),
            ("empty-bundle-id", "An empty string says as little as none.", 2, [attribute(2, .utf8String(""))]),
            ("no-octets", "A value without octets.", 3, [ForgedAttribute(3, .octets([]))]),
            (
                "opaque-looks-like-der", "Types 4 to 7 are raw, whatever they look like.", 6,
                [ForgedAttribute(6, .octets([0x0C, 2, 0x41, 0x42]))]
            ),
            (
                "opaque-looks-like-bad-der", "The same, with bytes that no decoder could take.", 7,
                [ForgedAttribute(7, .octets([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]))]
            ),
            (
                "undocumented-date-is-none", "Type 8 is undocumented: what it holds is nobody's error.", 8,
                [attribute(8, .ia5String("once upon a time"))]
            ),
            ("undocumented-integer-is-text", "Type 9, the same.", 9, [attribute(9, .utf8String("P305"))]),
            ("undocumented-rating-is-utf8", "Type 10, the same.", 10, [attribute(10, .utf8String("4+"))]),
            (
                "undocumented-integer-too-large", "Type 13, the same.", 13,
                [attribute(13, .integer(octets: [UInt8](repeating: 0x7F, count: 9)))]
            ),
            ("app-item-id-above-32-bits", "Numbers above 2^32.", 1, [attribute(1, .integer(6_443_321_980))]),
            (
                "download-id-above-53-bits", "Numbers above 2^53, which JSON readers round.", 15,
                [attribute(15, .integer(9_007_199_254_740_993))]
            ),
            ("download-id-of-eight-octets", "The largest number of 64 bits.", 15, [attribute(15, .integer(Int64.max))]),
            ("negative-app-item-id", "A negative number.", 1, [attribute(1, .integer(-1))]),
            ("version-seven", "A version other than 1.", 3, [ForgedAttribute(3, version: 7, .utf8String("1.0"))]),
            (
                "unknown-types", "Types that nobody has documented, one of them twice, one negative.", 99,
                [
                    ForgedAttribute(99, .octets([1, 2, 3])), ForgedAttribute(99, .octets([])),
                    ForgedAttribute(-5, .utf8String("x")), ForgedAttribute(Int.max, .integer(1)),
                ]
            ),
            (
                "bidirectional-override", "A string that turns text around on a terminal.", 2,
                [attribute(2, .utf8String("com.example\u{202E}moc.live"))]
            ),
            (
                "control-characters", "NUL, escape sequences and line ends in a string.", 3,
                [attribute(3, .utf8String("1.0\u{0}\u{1B}[31m\r\n"))]
            ),
            (
                "long-string", "Ten thousand characters.", 19,
                [attribute(19, .utf8String(String(repeating: "9", count: 10_000)))]
            ),
        ]
        for (name, comment, type, attributes) in rows {
            group.valid(name, comment, try signed { $0.overrides[type] = attributes })
        }
    }

    private static func dates(_ group: inout VectorGroup) throws {
        let good: [(String, String)] = [
            ("fraction", "2020-03-25T16:46:40.123Z"), ("nine-digits", "2025-06-01T12:00:00.123456789Z"),
            ("offset", "2025-06-01T15:00:00+03:00"), ("offset-without-colon", "2025-06-01T15:00:00+0300"),
            ("west", "2025-06-01T05:00:00-0700"), ("leap-day", "2024-02-29T00:00:00Z"),
            ("lower-case", "2025-06-01t12:00:00z"), ("lower-case-fraction", "2025-06-01t12:00:00.5z"),
        ]
        for (name, date) in good {
            group.valid(
                "date-\(name)", "A creation date in a form that receipts have had, or RFC 3339 has.",
                try signed { $0.creationDate = date })
        }
        group.valid(
            "date-year-4001", "An expiration as Xcode writes it.",
            try signed { $0.expirationDate = "4001-01-01T00:00:00Z" })
        group.valid("date-empty", "An empty date is an absent one.", try signed { $0.originalPurchaseDate = "" })
        let bad: [(String, String)] = [
            ("no-zone", "2025-06-01T12:00:00"),
            ("hour-24", "2025-06-01T24:00:00Z"),
            ("february-30", "2025-02-30T12:00:00Z"), ("leap-day-of-2025", "2025-02-29T12:00:00Z"),
            ("leap-second", "2025-06-30T23:59:60Z"), ("month-13", "2025-13-01T12:00:00Z"),
            ("blank", "2025-06-01 12:00:00Z"),
            ("trailing", "2025-06-01T12:00:00Z "), ("epoch", "1748779200"), ("two-digit-year", "25-06-01T12:00:00Z"),
            ("etc-gmt", "2025-06-01 12:00:00 Etc/GMT"), ("no-fraction", "2025-06-01T12:00:00.Z"),
            ("not-ascii", "2025-06-01T12:00:00\u{FF3A}"),
        ]
        for (name, date) in bad {
            group.rejected(
                "date-\(name)", "unreadable-attribute", openssl: "ok", "A creation date that is none.",
                try signed { $0.creationDate = date }, root: .standard, (.cause, "invalid-date"))
        }
        group.rejected(
            "date-unreadable-but-given", "unreadable-attribute", openssl: "ok",
            "A creation date that is none, where the caller says as of when.",
            try signed { $0.creationDate = "2025-06-01 12:00:00Z" }, root: .standard, (.at, "2025-06-01T12:00:00Z"),
            (.cause, "invalid-date"))
    }

    private static func malformedValues(_ group: inout VectorGroup) throws {
        let rows: [(String, String, Int, BERNode, String)] = [
            ("bundle-id-not-utf8", "invalid-utf8", 2, .utf8(raw: [0x63, 0xFF]), "A byte that UTF-8 never has."),
            ("bundle-id-overlong", "invalid-utf8", 2, .utf8(raw: [0xC0, 0xAF]), "An overlong slash."),
            ("bundle-id-surrogate", "invalid-utf8", 2, .utf8(raw: [0xED, 0xA0, 0x80]), "A lone surrogate."),
            ("bundle-id-ia5", "unexpected-tag", 2, .ia5String("com.example.app"), "An IA5String for a UTF8String."),
            ("bundle-id-number", "unexpected-tag", 2, .integer(5), "A number for a string."),
            (
                "creation-date-utf8", "unexpected-tag", 12, .utf8String("2025-06-01T12:00:00Z"),
                "A UTF8String for an IA5String."
            ),
            (
                "creation-date-generalized", "unexpected-tag", 12, .generalizedTime("20250601120000Z"),
                "A GeneralizedTime."
            ),
            ("app-item-id-text", "unexpected-tag", 1, .utf8String("5"), "A string for a number."),
            ("app-item-id-empty", "invalid-integer", 1, .integer(octets: []), "A number without octets."),
            (
                "app-item-id-padded", "invalid-integer", 1, .integer(octets: [0, 5]),
                "A number with a needless zero."
            ),
            ("app-item-id-nine-octets", "integer-too-large", 1, .integer(UInt64.max), "A number above 2^63."),
            (
                "string-constructed", "unexpected-tag", 3,
                BERNode(.init(.universal, 12, constructed: true), .nodes([.utf8String("1")])), "A string in pieces."
            ),
        ]
        for (name, code, type, node, comment) in rows {
            let bytes = try with(type, attribute(type, node)).bytes
            group.rejected(
                name, "unreadable-attribute", openssl: "ok", comment, bytes, root: .standard, (.cause, code))
        }
        group.rejected(
            "value-of-two-elements", "unreadable-attribute", openssl: "ok", "A second element behind the string.",
            try with(3, ForgedAttribute(3, .octets(BERNode.utf8String("1").encoded + [5, 0]))).bytes, root: .standard,
            (.cause, "trailing-bytes"))
        group.rejected(
            "value-cut", "unreadable-attribute", openssl: "ok", "A string that claims more than its attribute holds.",
            try with(3, ForgedAttribute(3, .octets([0x0C, 9, 0x31]))).bytes, root: .standard, (.cause, "truncated"))
        let tampered = try with(3, attribute(3, .integer(5)))
        group.rejected(
            "unreadable-and-tampered", "signature-mismatch", openssl: "fail",
            "Who signed comes first: an attribute in a new form, and a signature that does not fit.",
            try tampered.damaged(
                .flip(byte: try Place.inside(.attributeOfType(3), [2]).offset(in: tampered.bytes) + 4)
            ).bytes, root: .standard, (.alsoFails, "readable"))
    }

    private static func malformedStructure(_ group: inout VectorGroup) throws {
        let plain = try message()
        let first = Place.attribute(0)
        let offset = try first.offset(in: plain.bytes)
        let nodes: [(String, String, BERNode, Int, String)] = [
            ("attribute-is-a-set", "unexpected-tag", .set([.integer(99), .integer(1), .octetString([])]), 0, "A SET."),
            ("attribute-is-empty", "missing-element", .sequence([]), 2, "A SEQUENCE of nothing."),
            ("attribute-without-value", "missing-element", .sequence([.integer(99), .integer(1)]), 8, "No value."),
            (
                "attribute-type-is-text", "unexpected-tag",
                .sequence([.utf8String("2"), .integer(1), .octetString([])]), 2, "A string for the type."
            ),
            (
                "attribute-value-is-text", "unexpected-tag",
                .sequence([.integer(99), .integer(1), .utf8String("x")]), 8, "A UTF8String for the OCTET STRING."
            ),
            (
                "attribute-of-four", "trailing-bytes",
                .sequence([.integer(99), .integer(1), .octetString([]), .null]), 10, "A fourth element."
            ),
            (
                "attribute-type-too-large", "integer-too-large",
                .sequence([.integer(UInt64.max), .integer(1), .octetString([])]), 4, "A type above 2^63."
            ),
        ]
        for (name, code, node, delta, comment) in nodes {
            group.undecodable(
                name, code, at: offset + delta, openssl: "ok", comment,
                try plain.damaged(.replace(first, with: node), .sign()).bytes)
        }
        let payload = try Place.payload.offset(in: plain.bytes)
        group.undecodable(
            "payload-is-a-sequence", "not-a-receipt", at: payload, openssl: "ok", "A SEQUENCE OF attributes.",
            try plain.damaged(.wrongTag(.payload, 0x30), .sign()).bytes)
        let chain = try Root.standard.chain()
        let empty = try ForgedMessage.signing([], by: chain).bytes
        group.undecodable(
            "payload-of-no-octets", "not-a-receipt", at: try Place.content.offset(in: empty) + 2, openssl: "ok",
            "Nothing was signed.", empty)
        group.undecodable(
            "payload-with-a-tail", "trailing-bytes", at: payload + plain.payload.count, openssl: "ok",
            "A byte behind the SET, inside what is signed.",
            try ForgedMessage.signing(plain.payload + [0x41], by: chain).bytes)
        group.rejected(
            "payload-of-no-attributes", "creation-date-missing", openssl: "ok", "An empty SET.",
            try ForgedMessage.signing([0x31, 0], by: chain).bytes)
        group.rejected(
            "no-creation-date", "creation-date-missing", openssl: "ok",
            "Nothing says when the certificates must have been valid.", try signed { $0.creationDate = nil })
        group.rejected(
            "empty-creation-date", "creation-date-missing", openssl: "ok", "The same, with an empty date.",
            try signed { $0.creationDate = "" })
        group.undecodable(
            "limit-attributes", "too-many-attributes", at: try Place.attribute(10).offset(in: plain.bytes),
            openssl: "ok", "More attributes than the caller takes.", plain.bytes, root: .standard,
            (.limit, "attributes=10"))
    }

    private static func duplicates(_ group: inout VectorGroup) throws {
        let values: [(Int, BERNode, BERNode)] = [
            (0, .utf8String("Production"), .utf8String("ProductionSandbox")), (1, .integer(1), .integer(2)),
            (2, .utf8String("com.example.app"), .utf8String("com.example.other")),
            (12, .ia5String("2025-06-01T12:00:00Z"), .ia5String("2025-07-01T12:00:00Z")),
        ]
        for (type, one, two) in values {
            let message = try with(type, attribute(type, one), attribute(type, two))
            let types = try message.element(.payload).children.map { $0.children.first }
            let second = types.lastIndex(of: .integer(type)) ?? 0
            group.undecodable(
                "type-\(type)-twice", "duplicate-attribute", at: try Place.attribute(second).offset(in: message.bytes),
                openssl: "ok", "Two values, of which two readers could take one each.", message.bytes)
        }
        let twice = try receipt { receipt in
            receipt.purchases = [
                .consumable("com.example.coins").with { purchase in
                    purchase.overrides[1702] = [
                        attribute(1702, .utf8String("com.example.coins")),
                        attribute(1702, .utf8String("com.example.gold")),
                    ]
                }
            ]
        }.signed(by: Root.standard.chain())
        let set = Place.inside(.attributeOfType(17), [2, 0])
        let types = try twice.element(set).children.map { $0.children.first }
        let second = types.lastIndex(of: .integer(1702)) ?? 0
        group.undecodable(
            "type-1702-twice", "duplicate-attribute",
            at: try Place.inside(.attributeOfType(17), [2, 0, second]).offset(in: twice.bytes), openssl: "ok",
            "Two products in one purchase.", twice.bytes)
    }

    private static func purchases(_ group: inout VectorGroup) throws {
        let coins = ForgedPurchase.consumable("com.example.coins")
        let rows: [(String, String, ForgedPurchase)] = [
            ("purchase-without-product", "A purchase of nothing known.", coins.with { $0.overrides[1702] = [] }),
            (
                "purchase-of-unknown-attributes", "Attributes nobody has documented, one of them twice.",
                coins.with {
                    $0.extraAttributes = [ForgedAttribute(1799, .octets([1])), ForgedAttribute(1799, .octets([2]))]
                }
            ),
            (
                "purchase-flag-two", "A flag that is neither 0 nor 1.",
                coins.with {
                    $0.overrides[1713] = [attribute(1713, .integer(2))]
                }
            ),
            (
                "purchase-ownership-two", "An ownership that nobody has documented.",
                coins.with { $0.ownership = .init(rawValue: 2) }
            ),
            (
                "purchase-product-type-is-text", "Type 1707 is undocumented: what it holds is nobody's error.",
                coins.with {
                    $0.overrides[1707] = [attribute(1707, .utf8String("consumable"))]
                }
            ),
            (
                "purchase-web-order-above-53-bits", "Numbers above 2^53.",
                coins.with {
                    $0.webOrderLineItemID = 9_007_199_254_740_993
                }
            ),
            ("purchase-quantity-negative", "A negative quantity.", coins.with { $0.quantity = -1 }),
        ]
        for (name, comment, purchase) in rows {
            group.valid(name, comment, try signed { $0.purchases = [purchase] })
        }
        group.valid(
            "purchases-of-every-kind", "One of each kind, in one receipt.",
            try signed { receipt in
                let pro = ForgedPurchase.autoRenewable("com.example.pro")
                receipt.purchases = [
                    coins, .nonConsumable("com.example.unlock"), .nonRenewing("com.example.season"), pro, pro.inTrial(),
                    pro.inIntroOffer(), pro.withPromotionalOffer("spring"), pro.familyShared(),
                ]
            })
        let values: [(String, BERNode)] = [
            ("purchase-is-a-sequence", .sequence([])), ("purchase-in-a-string", .octetString(wrapping: .set([]))),
            ("purchase-of-numbers", .set([.integer(1)])),
        ]
        for (name, node) in values {
            group.rejected(
                name, "unreadable-attribute", openssl: "ok", "Not a SET of attributes.",
                try with(17, attribute(17, node)).bytes, root: .standard, (.cause, "unexpected-tag"))
        }
        group.valid("purchase-of-no-attributes", "An empty SET.", try with(17, attribute(17, .set([]))).bytes)
        let undated = coins.with { $0.purchaseDate = "yesterday" }
        group.rejected(
            "purchase-date-is-none", "unreadable-attribute", openssl: "ok", "A purchase date that is none.",
            try signed { $0.purchases = [undated] }, root: .standard, (.cause, "invalid-date"))
        let crowded = coins.with { purchase in
            purchase.extraAttributes = (0..<240).map { ForgedAttribute(5_000 + $0, .octets([])) }
        }
        let full = try receipt { $0.purchases = [crowded] }.signed(by: Root.standard.chain())
        group.undecodable(
            "limit-purchase-attributes", "too-many-attributes",
            at: try Place.inside(.attributeOfType(17), [2, 0, 256]).offset(in: full.bytes), openssl: "ok",
            "A purchase with one attribute more than the limit.", full.bytes)
    }
}

extension BERNode {
    fileprivate static func utf8(raw bytes: [UInt8]) -> BERNode { BERNode(.init(.universal, 12), .bytes(bytes)) }
}
