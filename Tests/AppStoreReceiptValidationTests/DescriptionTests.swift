import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// What is printed or interpolated into a log is a line, however much a document holds.
@Suite struct DescriptionTests {
    private static func described() throws -> [(name: String, text: String)] {
        var texts: [(name: String, text: String)] = []
        func add(_ name: String, _ value: Any) { texts.append((name, String(describing: value))) }
        let pki = try ForgedPKI()
        var forged = ForgedReceipt()
        forged.purchases = (1...200).map { ForgedPurchase.autoRenewable("com.example.pro").transaction("\($0)") }
        let receipt = try SignedReceipt(decoding: try forged.signed(by: pki).bytes)
        let validator = try ReceiptValidator(policy: ValidationPolicy(trusting: [pki.root.der]))
        add("SignedReceipt", receipt)
        add("Receipt", receipt.unverifiedReceipt)
        add("attributes", receipt.unverifiedReceipt.attributes)
        add("attribute", try #require(receipt.unverifiedReceipt.attributes.first(.inApp)))
        add("purchase", try #require(receipt.unverifiedReceipt.inApp.first))
        add("subscription", try #require(receipt.unverifiedReceipt.subscriptions.first))
        add("valid", try validator.validate(receipt))
        add("examination", try validator.examine(receipt))
        add("rejected", try ReceiptValidator(policy: ValidationPolicy()).validate(receipt))
        for payload in [ForgedPayload.transaction(), .renewalInfo(), .appTransaction(), .notification()] {
            let jws = try ForgedJWS(payload)
            let signed = try AnySignedDocument(SignedJSON(Array(try jws.text().utf8).span))
            add("any \(signed.kind)", signed)
            switch signed {
            case .transaction(let one):
                add("transaction", one)
                add("its model", one.unverifiedTransaction)
            case .renewalInfo(let one):
                add("renewal info", one)
                add("its model", one.unverifiedRenewalInfo)
            case .appTransaction(let one): add("app transaction", one)
            case .notification(let one):
                add("notification", one)
                add("its model", one.unverifiedNotification)
            default: break
            }
        }
        let long = String(repeating: "x\u{1B}", count: 10_000)
        forged.purchases = [ForgedPurchase.autoRenewable(long)]
        forged.bundleID = long
        let hostile = try SignedReceipt(decoding: try forged.signed(by: pki).bytes).unverifiedReceipt
        add("hostile", hostile)
        add("hostile purchase", try #require(hostile.inApp.first))
        add("hostile subscription", try #require(hostile.subscriptions.first))
        return texts
    }

    @Test func everythingIsShort() throws {
        for (name, text) in try Self.described() {
            #expect(!text.isEmpty && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(name)")
            #expect(text.utf8.count <= (name.hasPrefix("hostile") ? 2_500 : 440), "\(name): \(text.prefix(200))")
        }
    }
}
