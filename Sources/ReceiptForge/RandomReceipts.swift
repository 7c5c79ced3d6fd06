import AppStoreReceipt

/// Receipts of all kinds for property tests: well-formed, with extreme numbers, odd strings, absent attributes, unknown
/// ones, dates in every form that receipts have.
extension ForgedReceipt {
    /// A random receipt. The same generator state gives the same receipt: print the seed of a test that fails.
    public static func random(using random: inout some RandomNumberGenerator) -> ForgedReceipt {
        let environments: [Environment] = [.production, .sandbox, .productionVPP, .sandboxVPP, .xcode]
        let environment = environments.randomElement(using: &random) ?? .production
        var receipt = ForgedReceipt(environment: environment, seed: random.next())
        receipt.bundleID = random.maybe { $0.text() }
        receipt.applicationVersion = random.maybe { $0.text() }
        receipt.appItemID = random.maybe { $0.number() }
        receipt.undocumentedDate = random.maybe { $0.date() }
        receipt.creationDate = random.maybe { $0.date() }
        receipt.downloadID = random.maybe { $0.number() }
        receipt.versionExternalIdentifier = random.maybe { $0.number() }
        receipt.developerID = random.maybe { $0.number() }
        receipt.originalPurchaseDate = random.maybe { $0.date() }
        receipt.originalApplicationVersion = random.maybe { $0.text() }
        receipt.expirationDate = random.maybe { $0.date() }
        receipt.organizationName = random.maybe { $0.text() }
        receipt.preorderDate = random.maybe { $0.date() }
        receipt.platform = random.maybe { $0.number() }
        receipt.opaqueValue = random.maybe { random in
            (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        while Bool.random(using: &random) {
            receipt.purchases.append(.random(using: &random))
        }
        if Bool.random(using: &random) {
            let type = Int.random(in: 100...1_000_000, using: &random)
            receipt.extraAttributes = [ForgedAttribute(type, version: 3, .octets([0x0C, 0x7F, 1]))]
        }
        return receipt
    }
}

extension ForgedPurchase {
    /// A random purchase.
    public static func random(using random: inout some RandomNumberGenerator) -> ForgedPurchase {
        var purchase = ForgedPurchase(productID: random.text())
        purchase.quantity = random.maybe { $0.number() }
        purchase.transactionID = random.maybe { $0.text() }
        purchase.originalTransactionID = random.maybe { $0.text() }
        purchase.purchaseDate = random.maybe { $0.date() }
        purchase.originalPurchaseDate = random.maybe { $0.date() }
        purchase.productType = random.maybe { InAppPurchase.ProductType(rawValue: $0.number()) }
        purchase.expiresDate = random.maybe { $0.date() }
        purchase.itemID = random.maybe { $0.number() }
        purchase.webOrderLineItemID = random.maybe { $0.number() }
        purchase.cancellationDate = random.maybe { $0.date() }
        purchase.cancellationReason = random.maybe { $0.number() }
        purchase.isTrialPeriod = random.maybe { Bool.random(using: &$0) }
        purchase.isInIntroOfferPeriod = random.maybe { Bool.random(using: &$0) }
        purchase.promotionalOfferID = random.maybe { $0.text() }
        purchase.ownership = random.maybe { InAppPurchase.OwnershipType(rawValue: $0.number()) }
        return purchase
    }
}

extension RandomNumberGenerator {
    /// nil one time in four.
    fileprivate mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        next() % 4 == 0 ? nil : make(&self)
    }

    /// Numbers of every size and sign, the boundaries of their encodings among them.
    fileprivate mutating func number() -> Int64 {
        let boundaries: [Int64] = [0, 1, -1, 127, 128, -128, -129, 255, 256, 1 << 32, 1 << 53, .max, .min]
        let shift = next() % 64
        return next() % 4 == 0
            ? boundaries.randomElement(using: &self) ?? 0 : Int64(truncatingIfNeeded: next() >> shift)
    }

    /// Empty, short, long, and not only ASCII.
    fileprivate mutating func text() -> String {
        let pieces = ["", "com.example.app", "1.0", "Ünïcödé", "🛒", "\u{0}", "\u{202E}", "\"<&>\"", "line\nline"]
        let piece = pieces.randomElement(using: &self) ?? ""
        return next() % 8 == 0 ? String(repeating: piece, count: Int(next() % 40)) : piece
    }

    /// Dates in the forms of receipts; one in eight is empty.
    fileprivate mutating func date() -> String {
        let seconds = Int64.random(in: -2_000_000_000...70_000_000_000, using: &self)
        let date = ReceiptDate(millisecondsSince1970: seconds * 1_000).description
        switch next() % 8 {
        case 0: return ""
        case 1: return date.dropLast() + ".\(100 + next() % 900)Z"
        case 2: return date.dropLast() + "+0300"
        case 3: return date.dropLast() + "-07:00"
        default: return date
        }
    }
}
