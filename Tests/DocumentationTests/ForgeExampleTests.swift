// README: forge
import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

@Test func aTrialIsGranted() throws {
    var receipt = ForgedReceipt(bundleID: "com.example.app")
    receipt.purchases = [.autoRenewable("com.example.pro").inTrial(), .consumable("com.example.coins")]
    let forged = try receipt.signed()

    var policy = ValidationPolicy.appStore(bundleIdentifiers: ["com.example.app"])
    policy.roots = try forged.anchors.map { try TrustAnchor(certificate: $0) }
    let validator = try ReceiptValidator(policy: policy)
    let validated = try validator.validate(SignedReceipt(transport: forged.base64)).validated

    #expect(validated?.receipt.purchases(productID: "com.example.pro").first?.isTrialPeriod == true)
}
// README: end
