import ReceiptForge

/// What a server expects of an authentic receipt.
extension Recipe {
    static func policy(_ group: inout VectorGroup) throws {
        let receipt = receipt { receipt in
            receipt.purchases = [
                .autoRenewable("com.example.pro").transaction("2000000975283124"),
                .consumable("com.example.coins").transaction("2000000975283125"),
            ]
        }
        let plain = try receipt.signed(by: Root.standard.chain()).bytes
        try identities(&group, plain)
        try environments(&group)
        try devices(&group)
        try ages(&group, plain)
    }

    private static func identities(_ group: inout VectorGroup, _ plain: [UInt8]) throws {
        let rows: [(String, Vector.Key, String, String?)] = [
            ("bundle-id", .bundleID, "com.example.app", nil),
            ("bundle-id-of-another-app", .bundleID, "com.example.other", "bundle-identifier-mismatch"),
            ("bundle-id-in-capitals", .bundleID, "com.example.App", "bundle-identifier-mismatch"),
            ("bundle-id-prefix", .bundleID, "com.example", "bundle-identifier-mismatch"),
            ("app-version", .appVersion, "1.2.3", nil),
            ("app-version-of-another-build", .appVersion, "1.2.4", "application-version-mismatch"),
            ("app-version-prefix", .appVersion, "1.2", "application-version-mismatch"),
            ("product", .productID, "com.example.pro", nil),
            ("product-that-was-not-bought", .productID, "com.example.lifetime", "product-missing"),
            ("transaction", .transactionID, "2000000975283125", nil),
            ("transaction-of-another-receipt", .transactionID, "2000000975283126", "transaction-missing"),
        ]
        for (name, key, value, reason) in rows {
            if let reason {
                group.rejected(
                    name, reason, openssl: "ok", "Authentic, and not the one that was asked for.", plain,
                    root: .standard, (key, value))
            } else {
                group.valid(name, "The one that was asked for.", plain, root: .standard, (key, value))
            }
        }
        group.valid(
            "one-of-two-bundle-ids", "A server of two apps.", plain, root: .standard, (.bundleID, "com.example.other"),
            (.bundleID, "com.example.app"))
        group.rejected(
            "one-of-two-products", "product-missing", openssl: "ok", "Both were asked for, one was bought.", plain,
            root: .standard, (.productID, "com.example.pro"), (.productID, "com.example.lifetime"))
        group.rejected(
            "bundle-id-missing", "bundle-identifier-mismatch", openssl: "ok", "The receipt names no app.",
            try signed { $0.bundleID = nil }, root: .standard, (.bundleID, "com.example.app"))
        group.rejected(
            "product-in-an-empty-receipt", "product-missing", openssl: "ok",
            "No purchases, which is no error by itself.",
            try signed { _ in }, root: .standard, (.productID, "com.example.pro"))
        // An expected purchase must count. The period ends on 2025-07-01; who knows no date cannot know that it has.
        let period = try signed {
            $0.purchases = [
                .autoRenewable(
                    "com.example.pro", purchaseDate: "2025-06-01T10:00:00Z", expiresDate: "2025-07-01T10:00:00Z"
                ).transaction("2000000975283124")
            ]
        }
        for (name, key, value) in [
            ("product", Vector.Key.productID, "com.example.pro"), ("transaction", .transactionID, "2000000975283124"),
        ] {
            group.valid(
                "\(name)-before-its-end", "The period runs.", period, root: .standard, (key, value),
                (.now, "2025-07-01T09:59:59Z"))
            group.valid("\(name)-without-a-date", "No date was given.", period, root: .standard, (key, value))
            group.rejected(
                "\(name)-at-its-end", "\(name)-missing", openssl: "ok", "The period has ended.", period,
                root: .standard, (key, value), (.now, "2025-07-01T10:00:00Z"))
            group.rejected(
                "\(name)-cancelled", "\(name)-missing", openssl: "ok", "The purchase was taken back.",
                try signed {
                    $0.purchases = [
                        .consumable("com.example.pro").transaction("2000000975283124").refunded(
                            at: "2025-02-01T09:00:00Z")
                    ]
                }, root: .standard, (key, value))
        }
        group.valid(
            "everything", "All expectations at once.", plain, root: .standard, (.bundleID, "com.example.app"),
            (.environment, "production"), (.appVersion, "1.2.3"), (.productID, "com.example.pro"),
            (.transactionID, "2000000975283124"))
    }

    private static func environments(_ group: inout VectorGroup) throws {
        let types: [(String, ForgedReceipt.Environment?, String)] = [
            ("production", .production, "production"), ("sandbox", .sandbox, "sandbox"),
            ("production-vpp", .productionVPP, "production"), ("sandbox-vpp", .sandboxVPP, "sandbox"),
        ]
        for (name, type, expected) in types {
            let bytes = try signed { receipt in receipt.environment = type }
            group.valid(
                "environment-\(name)", "The environment that was asked for.", bytes, root: .standard,
                (.environment, expected))
            group.rejected(
                "environment-\(name)-for-another", "environment-mismatch", openssl: "ok", "The other one.", bytes,
                root: .standard, (.environment, expected == "production" ? "sandbox" : "production"))
        }
        for (name, type) in [("unknown", "Staging"), ("in-capitals", "PRODUCTION"), ("empty", "")] {
            group.rejected(
                "environment-\(name)", "environment-mismatch", openssl: "ok", "A word that stands for no environment.",
                try signed { $0.environment = .init(rawValue: type) }, root: .standard, (.environment, "production"),
                (.environment, "sandbox"), (.environment, "xcode"))
        }
        group.rejected(
            "environment-absent", "environment-mismatch", openssl: "ok", "No word at all.",
            try signed { $0.environment = nil }, root: .standard, (.environment, "production"))
        group.valid(
            "environment-not-asked-for", "Without an expectation any word will do.",
            try signed { $0.environment = .init(rawValue: "Staging") })
    }

    private static func devices(_ group: inout VectorGroup) throws {
        let receipt = receipt()
        let bytes = try receipt.signed(by: Root.standard.chain()).bytes
        let device = receipt.deviceID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let other = String(device.reversed())
        group.valid("device", "The device that was asked for.", bytes, root: .standard, (.deviceID, device))
        group.rejected(
            "device-of-another", "device-mismatch", openssl: "ok", "Another device.", bytes, root: .standard,
            (.deviceID, other))
        group.valid(
            "device-of-several", "One of the candidates.", bytes, root: .standard, (.deviceID, other),
            (.deviceID, device))
        group.valid(
            "device-mac", "A MAC address, as on macOS.", try signed { $0.deviceID = [0x3C, 0x22, 0xFB, 1, 2, 3] },
            root: .standard, (.deviceID, "3c22fb010203"))
        group.rejected(
            "device-hash-cut", "device-mismatch", openssl: "ok", "A hash of ten bytes.",
            try signed { $0.deviceHash = [UInt8](repeating: 1, count: 10) }, root: .standard,
            (.deviceID, device))
        group.rejected(
            "device-hash-missing", "device-mismatch", openssl: "ok", "No hash.",
            try signed { $0.overrides[5] = [] }, root: .standard, (.deviceID, device))
        group.rejected(
            "opaque-value-missing", "device-mismatch", openssl: "ok", "Nothing to salt the hash.",
            try signed { $0.overrides[4] = [] }, root: .standard, (.deviceID, device))
    }

    private static func ages(_ group: inout VectorGroup, _ plain: [UInt8]) throws {
        // Created at 2025-06-01T12:00:00Z.
        let rows: [(String, String, String?, String)] = [
            ("age", "2025-06-02T11:59:59Z", nil, "Younger than a day."),
            ("age-of-a-day", "2025-06-02T12:00:00Z", nil, "A day to the second."),
            ("age-above-a-day", "2025-06-02T12:00:01Z", "receipt-too-old", "A second more."),
            ("age-of-years", "2027-06-02T12:00:00Z", "receipt-too-old", "Years."),
            ("from-the-future", "2025-06-01T11:00:00Z", "created-in-the-future", "Created an hour from now."),
            ("from-the-near-future", "2025-06-01T11:58:00Z", nil, "Created in two minutes: clocks differ."),
        ]
        for (name, now, reason, comment) in rows {
            if let reason {
                group.rejected(
                    name, reason, openssl: "ok", comment, plain, root: .standard, (.maximumAge, "86400"), (.now, now))
            } else {
                group.valid(name, comment, plain, root: .standard, (.maximumAge, "86400"), (.now, now))
            }
        }
        group.rejected(
            "age-at-no-date", "date-missing", openssl: "ok", "A maximum age, and no date to measure it at.", plain,
            root: .standard, (.maximumAge, "86400"))
    }
}
