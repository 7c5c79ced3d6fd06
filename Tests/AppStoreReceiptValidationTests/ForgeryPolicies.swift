import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

// MARK: - Time

extension Forgery {
    static let times: [Forgery] = [
        Forgery(
            "no creation date", .creationDateMissing,
            stricter: "libcrypto is given a time; we take it from the receipt"
        ) { $0.receipt.creationDate = nil },
        Forgery("an empty creation date", .creationDateMissing, stricter: "as above") { $0.receipt.creationDate = "" },
        Forgery(
            "no creation date, though a time is given", .creationDateMissing, stricter: "as above",
            base: { $0.policy = { $0.validationTime = .at(Self.at(Scenario.creation)) } },
            { $0.receipt.creationDate = nil }),
        Forgery("a leaf that had expired", .certificateExpired) { $0.template.leaf?.notAfter = "2025-06-01T11:59:59Z" },
        // RFC 5280 counts the last second; libcrypto up to 3.6 does not, and we are never more lenient.
        Forgery("a leaf in its last second", .certificateExpired) {
            $0.template.leaf?.notAfter = "2025-06-01T12:00:00Z"
        },
        Forgery("a leaf that was not valid yet", .certificateNotYetValid) {
            $0.template.leaf?.notBefore = "2025-06-01T12:00:01Z"
        },
        Forgery("an intermediate that had expired", .certificateExpired) {
            $0.template.intermediate?.notAfter = "2025-06-01T11:59:59Z"
        },
        Forgery("an intermediate that was not valid yet", .certificateNotYetValid) {
            $0.template.intermediate?.notBefore = "2025-06-01T12:00:01Z"
        },
        Forgery("a root that had expired", .certificateExpired) { $0.template.root.notAfter = "2025-06-01T11:59:59Z" },
        Forgery("a root that was not valid yet", .certificateNotYetValid) {
            $0.template.root.notBefore = "2025-06-01T12:00:01Z"
        },
        Forgery("expired at the time asked for", .certificateExpired, stricter: "asked for another time") {
            $0.template.leaf?.notAfter = "2026-01-01T00:00:00Z"
            $0.policy = { $0.validationTime = .at(Self.at(1_767_225_600)) }
        },
        Forgery("not valid yet at the time asked for", .certificateNotYetValid, stricter: "asked for another time") {
            $0.policy = { $0.validationTime = .at(Self.at(0)) }
        },
        Forgery("a time beyond all calendars", .certificateExpired, stricter: "asked for another time") {
            $0.policy = { $0.validationTime = .at(ReceiptDate(millisecondsSince1970: .max)) }
        },
        Forgery("a time before all calendars", .certificateNotYetValid, stricter: "asked for another time") {
            $0.policy = { $0.validationTime = .at(ReceiptDate(millisecondsSince1970: .min)) }
        },
    ]

    static func at(_ seconds: Int64) -> ReceiptDate { ReceiptDate(millisecondsSince1970: seconds * 1_000) }
}

// MARK: - Environment

extension Forgery {
    static let environments: [Forgery] = [
        // Everybody has the key of Xcode's certificate. Whoever trusts it for tests must not thereby trust it for money.
        xcode(claiming: .production), xcode(claiming: .sandbox), xcode(claiming: .productionVPP),
        xcode(claiming: .init(rawValue: "xcode")), xcode(claiming: nil),
        Forgery(
            "an App Store receipt of type Xcode", .environmentNotVouchedFor, stricter: "libcrypto reads no receipts"
        ) { $0.receipt.environment = .xcode },
    ]

    private static func xcode(claiming environment: ForgedReceipt.Environment?) -> Forgery {
        Forgery(
            "an Xcode receipt of type \(environment?.rawValue ?? "none")", .environmentNotVouchedFor,
            stricter: "libcrypto reads no receipts", base: { $0.useXcode() },
            { $0.receipt.environment = environment })
    }
}

// MARK: - Policy

extension Forgery {
    private static let policyOnly = "libcrypto has no such policy"

    static let policies: [Forgery] = [
        Forgery(
            "SHA-1 refused", .sha1NotAccepted, stricter: policyOnly, base: { $0.template = .sha1() },
            { $0.policy = { $0.acceptsSHA1 = false } }),
        Forgery(
            "SHA-1 on the leaf refused", .sha1NotAccepted, stricter: policyOnly,
            base: { $0.policy = { $0.acceptsSHA1 = false } }, { $0.template.leaf?.signatureAlgorithm = .sha1WithRSA }),
        Forgery(
            "SHA-1 on the intermediate refused", .sha1NotAccepted, stricter: policyOnly,
            base: { $0.policy = { $0.acceptsSHA1 = false } },
            { $0.template.intermediate?.signatureAlgorithm = .sha1WithRSA }),
        Forgery(
            "SHA-1 over the content refused", .sha1NotAccepted, stricter: policyOnly,
            base: { $0.policy = { $0.acceptsSHA1 = false } }, { $0.template.digest = .sha1 }),

        Forgery(
            "a volume purchase that has expired", .receiptExpired, stricter: policyOnly,
            base: {
                $0.receipt = ForgedReceipt(environment: .productionVPP)
                $0.date = Self.at(Scenario.creation)
            }, { $0.receipt.expirationDate = "2025-06-01T12:00:00Z" }),
        Forgery(
            "too old", .receiptTooOld, stricter: policyOnly,
            base: {
                $0.policy = { $0.maximumAge = .seconds(60) }
                $0.date = Self.at(Scenario.creation + 60)
            }, { $0.date = ReceiptDate(millisecondsSince1970: (Scenario.creation + 60) * 1_000 + 1) }),
        Forgery(
            "an age without a date", .dateMissing, stricter: policyOnly,
            base: {
                $0.policy = { $0.maximumAge = .seconds(60) }
                $0.date = Self.at(Scenario.creation)
            }, { $0.date = nil }),
        Forgery(
            "from the future", .createdInTheFuture, stricter: policyOnly,
            base: {
                // A clock may be behind by five minutes.
                $0.policy = { $0.maximumAge = .seconds(60) }
                $0.date = Self.at(Scenario.creation - 300)
            }, { $0.date = ReceiptDate(millisecondsSince1970: (Scenario.creation - 300) * 1_000 - 1) }),
        Forgery(
            "from a future beyond reckoning", .createdInTheFuture, stricter: policyOnly,
            base: {
                $0.policy = { $0.maximumAge = .seconds(60) }
                $0.date = Self.at(Scenario.creation)
            }, { $0.date = ReceiptDate(millisecondsSince1970: .min) }),

        environment(.sandbox, [.production]), environment(.sandboxVPP, [.production, .xcode]),
        environment(.production, [.sandbox]), environment(.productionVPP, []), environment(nil, [.production]),
        environment(.init(rawValue: "production"), [.production, .sandbox, .xcode]),
        environment(.init(rawValue: "Production "), [.production, .sandbox, .xcode]),
        environment(.init(rawValue: ""), [.production, .sandbox, .xcode]),
        Forgery(
            "Xcode where the App Store is expected", .environmentMismatch, stricter: policyOnly,
            base: { $0.useXcode() }, { $0.policy = { $0.environments = [.production, .sandbox] } }),

        bundle("com.example.app", ["com.example.other"]), bundle("com.example.app", []),
        bundle("com.example.app", ["com.example.App"]), bundle("com.example.app", ["com.example.app "]),
        bundle(nil, ["com.example.app"]), bundle("", ["", "com.example.app"]),
        // Two ways to write one letter: equal as Swift strings, but not the same identifier.
        bundle("com.example.caf\u{E9}", ["com.example.cafe\u{301}"]),
        Forgery(
            "another version", .applicationVersionMismatch, stricter: policyOnly,
            base: { $0.policy = { $0.applicationVersions = ["1.2.3"] } }, { $0.receipt.applicationVersion = "1.2.4" }),
        Forgery(
            "no version", .applicationVersionMismatch, stricter: policyOnly,
            base: { $0.policy = { $0.applicationVersions = ["1.2.3"] } }, { $0.receipt.applicationVersion = nil }),

        product([.consumable("com.example.other")]), product([]),
        Forgery("a product that only looks the same", .productMissing, stricter: policyOnly) {
            $0.receipt.purchases = [.consumable("caf\u{E9}")]
            $0.policy = { $0.productIdentifiers = ["cafe\u{301}"] }
        },
        product([.consumable("com.example.coins").with { $0.productID = nil }]),
        Forgery("one of two products missing", .productMissing, stricter: policyOnly) {
            $0.receipt.purchases = [.consumable("a")]
            $0.policy = { $0.productIdentifiers = ["a", "b"] }
        },
        Forgery("nothing that a product could be", .productMissing, stricter: policyOnly) {
            $0.receipt.purchases = [.consumable("a")]
            $0.policy = { $0.productIdentifiers = [] }
        },
        Forgery("no such transaction", .transactionMissing, stricter: policyOnly) {
            $0.receipt.purchases = [.consumable("a").with { $0.transactionID = "1" }]
            $0.policy = { $0.transactionIdentifiers = ["2"] }
        },
        Forgery("only the original transaction", .transactionMissing, stricter: policyOnly) {
            $0.receipt.purchases = [
                .consumable("a").with {
                    $0.transactionID = "1"
                    $0.originalTransactionID = "2"
                }
            ]
            $0.policy = { $0.transactionIdentifiers = ["2"] }
        },

        device("another device") { $0.policy = { $0.deviceIdentifiers = [DeviceIdentifier(bytes: [1, 2, 3])] } },
        device("none of several") {
            $0.policy = { $0.deviceIdentifiers = [DeviceIdentifier(bytes: []), DeviceIdentifier(bytes: [1])] }
        },
        device("no candidate") { $0.policy = { $0.deviceIdentifiers = [] } },
        device("no opaque value") { $0.receipt.opaqueValue = nil },
        device("no bundle identifier") { $0.receipt.bundleID = nil },
        device("an empty hash") { $0.receipt.deviceHash = [] },
        device("a hash cut short") { $0.receipt.deviceHash = Array(try $0.receipt.computedDeviceHash().dropLast()) },
        device("a hash over the bundle identifier without its tag and length") {
            $0.receipt.deviceHash = try ReceiptForge.DigestAlgorithm.sha1.digest(
                $0.receipt.deviceID + ($0.receipt.opaqueValue ?? []) + Array("com.example.app".utf8))
        },
    ]

    private static func environment(
        _ type: ForgedReceipt.Environment?, _ expected: Set<ReceiptEnvironment>
    ) -> Forgery {
        Forgery(
            "type \(type?.rawValue ?? "none") among \(expected.map(\.rawValue).sorted())", .environmentMismatch,
            stricter: policyOnly, base: { $0.receipt.environment = type },
            { $0.policy = { $0.environments = expected } })
    }

    private static func bundle(_ identifier: String?, _ expected: Set<String>) -> Forgery {
        Forgery(
            "bundle \(identifier ?? "none") among \(expected.sorted())", .bundleIdentifierMismatch,
            stricter: policyOnly, base: { $0.receipt.bundleID = identifier },
            { $0.policy = { $0.bundleIdentifiers = expected } })
    }

    private static func product(_ purchases: [ForgedPurchase]) -> Forgery {
        Forgery(
            "product among \(purchases.map { $0.productID ?? "none" })", .productMissing, stricter: policyOnly,
            base: {
                $0.receipt.purchases = [.consumable("com.example.coins"), .consumable("com.example.other")]
                $0.policy = { $0.productIdentifiers = ["com.example.coins"] }
            }, { $0.receipt.purchases = purchases })
    }

    private static func device(
        _ name: String, _ edit: @escaping @Sendable (inout Scenario) throws -> Void
    ) -> Forgery {
        Forgery(
            "device: \(name)", .deviceMismatch, stricter: policyOnly,
            base: { scenario in
                let device = DeviceIdentifier(bytes: scenario.receipt.deviceID)
                scenario.policy = { $0.deviceIdentifiers = [DeviceIdentifier(bytes: [0]), device] }
            }, edit)
    }
}

extension ForgedPurchase {
    func with(_ edit: (inout ForgedPurchase) -> Void) -> ForgedPurchase {
        var copy = self
        edit(&copy)
        return copy
    }
}
