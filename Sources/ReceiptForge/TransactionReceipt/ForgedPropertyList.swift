/// A dictionary of strings as old-style property list text, written the way Apple's servers write it.
public struct ForgedPropertyList: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// In the order of the text. Keys may repeat, for receipts that are to be refused.
    public var entries: [Entry]

    public init(entries: [Entry]) {
        self.entries = entries
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        entries = elements.map { Entry(key: $0.0, value: $0.1) }
    }

    /// The first value of a key. Setting one replaces it in place or appends it; setting nil removes the key.
    public subscript(key: String) -> String? {
        get { entries.first { $0.key == key }?.value }
        set {
            let index = entries.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (nil, let value?): entries.append(Entry(key: key, value: value))
            case (_?, nil): entries.removeAll { $0.key == key }
            case (nil, nil): break
            }
        }
    }

    /// One entry a line, keys and values quoted, a tab before each; what is not plain ASCII is escaped.
    public var text: String {
        let lines = entries.map { "\t\(Self.quoted($0.key)) = \(Self.quoted($0.value));\n" }
        return "{\n\(lines.joined())}"
    }

    private static func quoted(_ text: String) -> String {
        let units = text.utf16.map { unit in
            switch unit {
            case 0x22: "\\\""
            case 0x5C: "\\\\"
            case 0x0A: "\\n"
            case 0x20..<0x7F: String(decoding: [unit], as: UTF16.self)
            default: "\\U" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
            }
        }
        return "\"\(units.joined())\""
    }
}

extension ForgedPropertyList {
    /// The purchase-info of a consumable bought in the sandbox, with the keys and twins of genuine ones.
    public static var consumable: ForgedPropertyList {
        [
            "original-purchase-date-pst": "2016-03-15 05:00:00 America/Los_Angeles",
            "unique-identifier": "0123456789abcdef0123456789abcdef01234567",
            "original-transaction-id": "1000000200000001",
            "bvrs": "1.2.3",
            "transaction-id": "1000000200000001",
            "quantity": "1",
            "original-purchase-date-ms": "1458043200500",
            "unique-vendor-identifier": "01234567-89AB-4CDE-8F01-23456789ABCD",
            "product-id": "com.example.coins",
            "item-id": "1000000001",
            "bid": "com.example.app",
            "purchase-date-ms": "1458043200500",
            "purchase-date": "2016-03-15 12:00:00 Etc/GMT",
            "purchase-date-pst": "2016-03-15 05:00:00 America/Los_Angeles",
            "original-purchase-date": "2016-03-15 12:00:00 Etc/GMT",
        ]
    }

    /// The purchase-info of a subscription's second month, in production.
    public static var subscription: ForgedPropertyList {
        [
            "original-purchase-date-pst": "2016-02-15 04:00:00 America/Los_Angeles",
            "purchase-date-ms": "1458043200000",
            "unique-identifier": "0123456789abcdef0123456789abcdef01234567",
            "original-transaction-id": "170000200000001",
            "expires-date": "1460721600000",
            "app-item-id": "1000000000",
            "transaction-id": "170000200000002",
            "quantity": "1",
            "original-purchase-date-ms": "1455537600000",
            "version-external-identifier": "800000001",
            "unique-vendor-identifier": "01234567-89AB-4CDE-8F01-23456789ABCD",
            "web-order-line-item-id": "170000030000001",
            "item-id": "1000000002",
            "expires-date-formatted": "2016-04-15 12:00:00 Etc/GMT",
            "purchase-date": "2016-03-15 12:00:00 Etc/GMT",
            "product-id": "com.example.monthly",
            "expires-date-formatted-pst": "2016-04-15 05:00:00 America/Los_Angeles",
            "original-purchase-date": "2016-02-15 12:00:00 Etc/GMT",
            "purchase-date-pst": "2016-03-15 05:00:00 America/Los_Angeles",
            "bid": "com.example.app",
            "bvrs": "1.2.3",
        ]
    }
}
