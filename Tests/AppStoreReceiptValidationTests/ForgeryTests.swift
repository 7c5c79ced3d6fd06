import AppStoreReceipt
import AppStoreReceiptValidation
import OracleSupport
import ReceiptForge
import Testing

/// Every way to forge a receipt that the rows of ``Forgery`` know, each with its one right reason.
@Suite struct ForgeryTests {
    @Test(arguments: Forgery.all)
    func isRejected(forgery: Forgery) throws {
        // Without the change the receipt is valid, so that the change is all that is wrong with it.
        var scenario = Scenario()
        try forgery.base(&scenario)
        let valid = try scenario.make()
        #expect(try valid.verdict().rejection == nil)
        #expect(valid.libcrypto().isOK)

        try forgery.edit(&scenario)
        let forged = try scenario.make()
        let rejection = try #require(try forged.verdict().rejection)
        #expect(rejection.reason == forgery.reason, "\(rejection)")
        // The second time, whatever chains are good come from the cache.
        #expect(try forged.verdict().rejection == rejection)
        #expect(forged.libcrypto().isOK == (forgery.stricter != nil), "\(forged.libcrypto().failure ?? "verified")")

        let examination = try forged.validator.examine(forged.receipt, asOf: forged.date)
        #expect(examination.verdict.rejection == rejection)
        #expect(examination.checks.map(\.name) == checkNames)
        let failed = examination.checks.filter { $0.outcome == .failed }
        #expect(failed.first?.detail == rejection.message)
        #expect(Set(failed.dropFirst().map(\.name)) == forgery.alsoFails)
        #expect(failed.allSatisfy { !$0.detail.isEmpty })
    }

    @Test func everyReasonHasARow() {
        // The first two are for transaction receipts only, the others for signed JSON and App Attest receipts; their tests
        // have them.
        let given = Set(
            Forgery.all.map(\.reason) + [
                .purchaseDateMissing, .environmentNotSigned, .signingDateMissing, .malformedSignature,
                .unreadableAttribute, .innerRejected, .innerMismatch, .appIdentifierMismatch, .accountTokenMismatch,
                .attestedAppMismatch, .attestedKeyMismatch, .attestedReceiptTypeMismatch,
            ])
        let missing = Rejection.Reason.all.filter { !given.contains($0) }
        #expect(missing.isEmpty)
        #expect(Set(Rejection.Reason.all).count == Rejection.Reason.all.count)
        #expect(Set(Forgery.all.map(\.name)).count == Forgery.all.count)
    }

    /// What a server does about a rejection hangs on its category.
    @Test func categories() {
        for forgery in Forgery.all {
            let isPolicy = Forgery.policies.contains { $0.name == forgery.name }
            #expect((forgery.reason.category == .notAuthentic) == !isPolicy, "\(forgery.reason)")
        }
        let now = Set(Rejection.Reason.all.filter { $0.category == .notAcceptableNow })
        #expect(
            now == [
                .sha1NotAccepted, .unreadableAttribute, .receiptExpired, .receiptTooOld, .dateMissing,
                .createdInTheFuture,
            ])
        #expect(Rejection.Reason(rawValue: "of a later version").category == .notAuthentic)
    }

    /// Forgeries that are not even decoded.
    static let undecodable: [(name: String, damage: [Damage], code: ReceiptDecodingError.Code)] = [
        ("a second creation date", [.duplicate(.attributeOfType(12)), .sign()], .duplicateAttribute),
        ("a second bundle identifier", [.duplicate(.attributeOfType(2)), .sign()], .duplicateAttribute),
        ("an octet behind it", [.append([0])], .trailingBytes),
        ("a second receipt behind it", [Damage("twice") { $0.bytes + $0.bytes }], .trailingBytes),
        ("an octet behind the payload", [.add(.null, to: .content), .sign()], .trailingBytes),
        ("an octet behind the signer", [.add(.null, to: .signer(0))], .trailingBytes),
        ("the content left out", [.remove(.inside(.encapsulatedContent, [1]))], .missingContent),
    ]

    @Test(arguments: undecodable.indices)
    func isNotDecoded(index: Int) throws {
        let row = Self.undecodable[index]
        let bytes = try ForgedReceipt().signed().damaged(row.damage).bytes
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes) }
        #expect(error?.code == row.code, "\(row.name)")
    }
}
