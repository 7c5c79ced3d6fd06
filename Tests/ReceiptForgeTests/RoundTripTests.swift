import AppStoreReceipt
import ReceiptForge
import Testing

/// What the builder was given is what the decoder reads: 10,000 random receipts.
struct RoundTripTests {
    static let seed = UInt64.random(in: 0...UInt64.max)

    @Test(arguments: 0..<10)
    func randomReceiptsComeBack(slice: Int) throws {
        var random = ForgeRandom(seed: Self.seed &+ UInt64(slice))
        let chains = [try ForgedPKI(), try ForgedPKI(.xcode())]
        for number in 0..<1_000 {
            let receipt = ForgedReceipt.random(using: &random)
            let chain = receipt.style == .xcode ? chains[1] : chains[0]
            // The decoder does not look at the signature.
            let message = try receipt.signed(by: chain) { template in
                template.signers[0].algorithm.scheme = .verbatim([UInt8](repeating: 0, count: 256))
                if Bool.random(using: &random) { template.encoding = .indefinite(pieces: number % 200 + 20) }
            }
            let read = try SignedReceipt(decoding: message.bytes)
            guard Array(read.payload) == message.payload, matches(read.unverifiedReceipt, receipt) else {
                Issue.record("seed \(Self.seed &+ UInt64(slice)), receipt \(number): \(receipt)")
                return
            }
        }
    }

    /// Whether every property came back. Empty strings and dates are absent to the decoder.
    private func matches(_ read: Receipt, _ made: ForgedReceipt) -> Bool {
        read.receiptType == made.environment?.rawValue && read.appItemID == made.appItemID
            && read.bundleID == text(made.bundleID) && read.applicationVersion == text(made.applicationVersion)
            && read.opaqueValue == made.opaqueValue && read.sha1Hash == (try? made.computedDeviceHash())
            && read.attributes.first(.init(rawValue: 6)).map { Array($0.rawValue) } == made.unknownBlobs.first
            && read.attributes.first(.init(rawValue: 8))?.value == made.undocumentedDate.map { .ia5String($0) }
            && read.ageRating == made.ageRating
            && read.receiptCreationDate == date(made.creationDate) && read.downloadID == made.downloadID
            && read.versionExternalIdentifier == made.versionExternalIdentifier
            && read.developerID == made.developerID && read.originalPurchaseDate == date(made.originalPurchaseDate)
            && read.originalApplicationVersion == text(made.originalApplicationVersion)
            && read.expirationDate == date(made.expirationDate) && read.organizationName == text(made.organizationName)
            && read.preorderDate == date(made.preorderDate) && read.platform == made.platform
            && made.extraAttributes.allSatisfy { extra in
                read.attributes.contains { .integer($0.type.rawValue) == extra.node.children.first && $0.version == 3 }
            }
            && sameElements(read.inApp, made.purchases, made.style)
    }

    /// The App Store's order is that of the encodings, so purchases are matched as sets.
    private func sameElements(
        _ read: [InAppPurchase], _ made: [ForgedPurchase], _ style: ForgedReceipt.Style
    ) -> Bool {
        var rest = Array(made.enumerated())
        for purchase in read {
            guard let index = rest.firstIndex(where: { matches(purchase, $1, $0, style) }) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }

    private func matches(
        _ read: InAppPurchase, _ made: ForgedPurchase, _ number: Int, _ style: ForgedReceipt.Style
    ) -> Bool {
        let common =
            read.quantity == made.quantity && read.productID == text(made.productID)
            && read.purchaseDate == date(made.purchaseDate) && read.expiresDate == date(made.expiresDate)
            && read.cancellationDate == date(made.cancellationDate)
            && read.cancellationReason == made.cancellationReason
            && read.isInIntroOfferPeriod == made.isInIntroOfferPeriod
            && read.promotionalOfferID == text(made.promotionalOfferID)
        guard style == .appStore else {
            return common && read.transactionID == text(made.transactionID ?? String(number))
                && read.originalTransactionID == text(made.originalTransactionID)
                && read.originalPurchaseDate == date(made.originalPurchaseDate)
        }
        let transaction = made.transactionID ?? String(2_000_000_000_000_001 + number)
        return common && read.transactionID == text(transaction)
            && read.originalTransactionID == text(made.originalTransactionID ?? transaction)
            && read.originalPurchaseDate == date(made.originalPurchaseDate ?? made.purchaseDate)
            && read.productType == made.productType && read.itemID == made.itemID
            && read.webOrderLineItemID == (made.webOrderLineItemID == 0 ? nil : made.webOrderLineItemID)
            && read.isTrialPeriod == made.isTrialPeriod && read.inAppOwnershipType == made.ownership
    }

    private func text(_ text: String?) -> String? { text == "" ? nil : text }

    private func date(_ text: String?) -> ReceiptDate? { text.flatMap { ReceiptDate(rfc3339: $0) } }
}
