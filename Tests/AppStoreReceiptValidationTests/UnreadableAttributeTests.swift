import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// A documented attribute in a form never seen: who signed comes first, then that it cannot be read, then what was asked for.
@Suite struct UnreadableAttributeTests {
    static let types = KnownAttribute.table.values.filter { $0.isDocumented && !$0.isOpaque }.map(\.type.rawValue)
        .sorted()

    private static func receipt(unreadable type: Int) -> ForgedReceipt {
        var receipt = ForgedReceipt()
        receipt.purchases = [.autoRenewable("com.example.pro")]
        // NULL, which is a value of no attribute.
        let attribute = ForgedAttribute(type, .octets([5, 0]))
        if type < 1_700 {
            receipt.overrides[type] = [attribute]
        } else {
            receipt.purchases[0].overrides[type] = [attribute]
        }
        return receipt
    }

    @Test(arguments: types)
    func everyDocumentedType(type: Int) throws {
        #expect(Self.types.count == 26)
        let pki = try ForgedPKI()
        let forged = try Self.receipt(unreadable: type).signed(by: pki)
        let name = try #require(ReceiptAttributeType(rawValue: type).name)
        var policy = try ValidationPolicy(trusting: [pki.root.der])
        policy.validationTime = .at(try #require(ReceiptDate(rfc3339: "2025-06-01T12:00:00Z")))
        policy.bundleIdentifiers = ["com.example.none"]
        func reason(_ bytes: [UInt8]) throws -> Rejection.Reason? {
            try ReceiptValidator(policy: policy).validate(try SignedReceipt(decoding: bytes)).rejection?.reason
        }
        #expect(try reason(forged.bytes) == .unreadableAttribute)
        // Signed by nobody: that it cannot be read says nothing.
        var tampered = forged.bytes
        tampered[try Place.signature(0).offset(in: tampered) + 20] ^= 1
        #expect(try reason(tampered) == .signatureMismatch)
        // Tolerated: then what was asked for counts.
        policy.toleratedUnreadable = [name]
        #expect(try reason(forged.bytes) == .bundleIdentifierMismatch)
        #expect(try reason(tampered) == .signatureMismatch)
        policy.bundleIdentifiers = nil
        #expect(try reason(forged.bytes) == nil)
        policy.toleratedUnreadable = Set(Self.types.compactMap { ReceiptAttributeType(rawValue: $0).name })
            .subtracting([name])
        #expect(try reason(forged.bytes) == .unreadableAttribute)
    }

    /// Without a time nothing is valid, whatever is tolerated; who signed is found out all the same.
    @Test func unreadableDate() throws {
        let pki = try ForgedPKI()
        let forged = try Self.receipt(unreadable: 12).signed(by: pki)
        var policy = try ValidationPolicy(trusting: [pki.root.der])
        func reason(_ bytes: [UInt8]) throws -> Rejection.Reason? {
            let validator = try ReceiptValidator(policy: policy)
            let signed = try SignedReceipt(decoding: bytes)
            let verdict = try validator.validate(signed)
            #expect(try validator.examine(signed).verdict.rejection == verdict.rejection)
            return verdict.rejection?.reason
        }
        var tampered = forged.bytes
        tampered[try Place.signature(0).offset(in: tampered) + 20] ^= 1
        #expect(try reason(forged.bytes) == .unreadableAttribute)
        #expect(try reason(tampered) == .signatureMismatch)
        #expect(try reason(Self.receipt(unreadable: 12).signed().bytes) == .unreadableAttribute)
        policy.toleratedUnreadable = ["receipt_creation_date"]
        #expect(try reason(forged.bytes) == .creationDateMissing)
        #expect(try reason(tampered) == .creationDateMissing)
        policy = ValidationPolicy(authenticUnder: TrustAnchor.apple)
        #expect(try reason(forged.bytes) == .untrustedRoot)
    }

    /// An end that cannot be read is not taken for none.
    @Test(arguments: [ReceiptAttributeType.expiresDate, .cancellationDate])
    func unreadableEndsDoNotCount(type: ReceiptAttributeType) throws {
        let bytes = try Self.receipt(unreadable: type.rawValue).signed().bytes
        let receipt = try SignedReceipt(decoding: bytes).unverifiedReceipt
        let purchase = try #require(receipt.inApp.first)
        #expect(purchase.notCounting(at: nil) == .unreadable && !purchase.counts(at: nil))
        #expect(receipt.subscriptions.isEmpty)
    }
}
