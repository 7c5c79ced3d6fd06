import OracleSupport
import ReceiptForge
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Forged receipts are good CMS: libcrypto verifies them under the forged root at their date, and under no other.
struct ForgedReceiptTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var receipt: ForgedReceipt
        var chain: ChainTemplate?

        init(_ name: String, _ receipt: ForgedReceipt, chain: ChainTemplate? = nil) {
            testDescription = name
            self.receipt = receipt
            self.chain = chain
        }

        init(purchase name: String, _ purchase: ForgedPurchase) {
            self.init(name, ForgedReceipt(environment: .sandbox))
            receipt.purchases = [purchase]
        }
    }

    static let rows: [Row] = {
        let subscription = ForgedPurchase.autoRenewable("com.example.pro")
        var rows = [
            Row("production", ForgedReceipt()),
            Row("sandbox", ForgedReceipt(environment: .sandbox)),
            Row("VPP", ForgedReceipt(environment: .productionVPP)),
            Row("VPP sandbox", ForgedReceipt(environment: .sandboxVPP)),
            Row("Xcode", ForgedReceipt(environment: .xcode)),
            Row("SHA-1", ForgedReceipt(), chain: .sha1()),
            Row("another seed", ForgedReceipt(seed: 7), chain: .standard(seed: 7)),
            Row(purchase: "consumable", .consumable("com.example.coins", quantity: 3)),
            Row(purchase: "non-consumable", .nonConsumable("com.example.unlock")),
            Row(purchase: "non-renewing", .nonRenewing("com.example.season")),
            Row(purchase: "auto-renewable", subscription),
            Row(purchase: "trial", subscription.inTrial()),
            Row(purchase: "intro offer", subscription.inIntroOffer()),
            Row(purchase: "promotional offer", subscription.withPromotionalOffer("spring")),
            Row(purchase: "refund", subscription.refunded(at: "2025-02-01T00:00:00Z", reason: 1)),
            Row(purchase: "family", subscription.familyShared()),
        ]
        for generation in CertificateGeneration.all {
            var receipt = ForgedReceipt()
            receipt.creationDate = generation.period.notBefore
            rows.append(Row(generation.name, receipt, chain: .generation(generation)))
        }
        return rows
    }()

    @Test(arguments: rows)
    func oracleVerifies(row: Row) throws {
        let message = try row.receipt.signed(by: row.chain.map { try ForgedPKI($0) })
        let date = try #require(row.receipt.creationDate)
        let at = Int64(try Date(date, strategy: .iso8601).timeIntervalSince1970)
        for options: Oracle.Options in [[], .checkSelfSigned] {
            let answer = Oracle.verifyCMS(message.bytes, roots: message.anchors, at: at, options: options)
            #expect(answer == .ok(message.payload))
            #expect(Oracle.verifyPKCS7(message.bytes, roots: message.anchors, at: at, options: options).isOK)
        }
        let other = try ForgedPKI(.standard(seed: 3))
        #expect(!Oracle.verifyCMS(message.bytes, roots: other.anchors, at: at).isOK)
        #expect(!Oracle.verifyCMS(message.bytes, roots: message.anchors, at: 2_600_000_000).isOK)
        #expect(try BERNode(parsing: message.bytes).encoded == message.bytes)
        #expect(try row.receipt.signed(by: row.chain.map { try ForgedPKI($0) }) == message)
    }

    @Test func attributesStandInGenuineOrder() throws {
        // As in genuine sandbox receipts: DER's order, which is by size first.
        let payload = try ForgedReceipt(environment: .sandbox).payload()
        let types = payload.children.compactMap { $0.children.first?.encodedContent.first }
        #expect(types == [8, 20, 1, 11, 15, 16, 25, 10, 14, 13, 19, 9, 3, 4, 2, 0, 5, 12, 18, 7, 6])
        let purchase = ForgedPurchase.nonConsumable("com.example.unlock").node(number: 0, style: .appStore)
        #expect(purchase.children.map { $0.children[0] }.prefix(3) == [.integer(1708), .integer(1709), .integer(1712)])
    }

    @Test func deviceHash() throws {
        let receipt = ForgedReceipt(bundleID: "com.example.app")
        let bundle: [UInt8] = [0x0C, 15] + Array("com.example.app".utf8)
        let input = receipt.deviceID + (receipt.opaqueValue ?? []) + bundle
        #expect(try receipt.computedDeviceHash() == Oracle.digest("SHA1", input))
    }

    @Test func overridesReplaceRepeatAndRemove() throws {
        var receipt = ForgedReceipt()
        receipt.overrides[2] = []
        receipt.overrides[12] = [
            ForgedAttribute(12, .ia5String("yesterday")), ForgedAttribute(12, .ia5String("tomorrow")),
        ]
        receipt.overrides[99] = [ForgedAttribute(99, version: 7, .octets([1, 2, 3]))]
        let types = try receipt.attributes().compactMap { $0.node.children.first?.encodedContent.first }
        #expect(!types.contains(2))
        #expect(types.filter { $0 == 12 }.count == 2)
        #expect(types.last == 99)
        receipt.overrides[99] = [ForgedAttribute(node: .integer(1))]
        #expect(try receipt.attributes().last?.node == .integer(1))
    }

    @Test func tenThousandPurchases() throws {
        var receipt = ForgedReceipt()
        receipt.purchases = (0..<10_000).map { .consumable("com.example.coins.\($0)") }
        let message = try receipt.signed()
        #expect(message.bytes.count > 3_000_000)
        #expect(Oracle.verifyCMS(message.bytes, roots: message.anchors, at: 1_750_000_000) == .ok(message.payload))
    }

    /// The same bytes on every machine: what the recipes of the vectors rely on.
    @Test func bytesArePinned() throws {
        let hash = { (bytes: [UInt8]) in
            Oracle.digest("SHA256", bytes).prefix(4).map { String($0, radix: 16) }.joined(separator: " ")
        }
        var receipt = ForgedReceipt()
        receipt.purchases = [.consumable("com.example.coins")]
        let production = hash(try receipt.signed().bytes)
        #expect(production == "a4 4b 65 ac")
        let xcode = hash(try ForgedReceipt(environment: .xcode).signed().bytes)
        #expect(xcode == "8f 30 dd 25")
    }
}
