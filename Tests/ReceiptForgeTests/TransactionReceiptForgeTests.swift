import AppStoreReceipt
import OracleSupport
import ReceiptForge
import Testing

/// Forged transaction receipts are built like genuine ones: libcrypto verifies them, and the decoder reads them back.
struct TransactionReceiptForgeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String { "version \(receipt.version), \(chain)" }
        var chain: String
        var receipt: ForgedTransactionReceipt
        var template: ChainTemplate
        var digest: String
    }

    static let rows = [
        Row(chain: "purchase receipts", receipt: .init(version: 2), template: .purchaseReceipts(), digest: "SHA1"),
        Row(
            chain: "G1", receipt: .init(version: 3, purchaseInfo: .subscription, envelope: ["pod": "17"]),
            template: .generation(.g1), digest: "SHA1"),
        Row(chain: "wide", receipt: .init(version: 4), template: .standard(), digest: "SHA256"),
    ]

    /// The date of every template's purchase: 2016-03-15T12:00:00Z.
    static let date: Int64 = 1_458_043_200

    @Test(arguments: rows)
    func oracleVerifies(row: Row) throws {
        let pki = try ForgedPKI(row.template)
        let forged = try row.receipt.signed(by: pki)
        let intermediate = try #require(pki.intermediate?.der)
        let chain = Oracle.verifyCertificate(
            forged.certificate, intermediates: [intermediate], roots: pki.anchors, at: Self.date,
            options: .checkSelfSigned)
        #expect(chain.isOK, "\(chain)")
        let signed = [row.receipt.version] + forged.purchaseInfo
        #expect(
            Oracle.verifySignature(
                forged.signature, over: signed, certificate: forged.certificate, digest: row.digest
            ).isOK)
        for other in [forged.purchaseInfo, [row.receipt.version ^ 1] + forged.purchaseInfo, signed + [10]] {
            #expect(
                !Oracle.verifySignature(
                    forged.signature, over: other, certificate: forged.certificate, digest: row.digest
                ).isOK)
        }
    }

    @Test(arguments: rows)
    func decoderReadsBack(row: Row) throws {
        let forged = try row.receipt.signed(by: ForgedPKI(row.template))
        for signed in [
            try SignedTransactionReceipt(decoding: forged.bytes),
            try SignedTransactionReceipt(transport: forged.text(.wrapped(columns: 64), .quoted)),
        ] {
            let receipt = signed.unverifiedReceipt
            #expect(Array(signed.payload) == forged.purchaseInfo)
            #expect(signed.signatureVersion == Int(row.receipt.version))
            #expect(receipt.entries.map(\.key) == row.receipt.purchaseInfo.entries.map(\.key))
            #expect(receipt.entries.map(\.value) == row.receipt.purchaseInfo.entries.map(\.value))
            #expect(receipt.purchaseDate.map { $0.millisecondsSince1970 / 1000 } == Self.date)
            #expect(signed.unsignedEnvelope.environment == row.receipt.envelope["environment"])
        }
    }

    /// The twins of the templates' dates agree, as genuine ones do.
    @Test(arguments: [ForgedPropertyList.consumable, .subscription])
    func twinsAgree(list: ForgedPropertyList) throws {
        var formatted = list
        formatted.entries.removeAll { $0.key.hasSuffix("-ms") || $0.key == "expires-date" }
        let exact = try TransactionReceipt(unsignedPurchaseInfo: Array(list.text.utf8))
        let twin = try TransactionReceipt(unsignedPurchaseInfo: Array(formatted.text.utf8))
        for date in [\TransactionReceipt.purchaseDate, \.originalPurchaseDate, \.expiresDate] {
            #expect(
                exact[keyPath: date].map { $0.millisecondsSince1970 / 1000 }
                    == twin[keyPath: date].map { $0.millisecondsSince1970 / 1000 })
        }
    }

    @Test func propertyListsEscapeWhatTheyMust() throws {
        let list: ForgedPropertyList = ["product-id": "\"\\\n\té你😀\u{7F}", "k": "{}=;/*//"]
        #expect(list.text.utf8.allSatisfy { $0 < 0x7F })
        let receipt = try TransactionReceipt(unsignedPurchaseInfo: Array(list.text.utf8))
        #expect(receipt.productID == list["product-id"] && receipt["k"] == list["k"])
    }

    @Test func listsAreEditedInPlace() {
        var list: ForgedPropertyList = ["a": "1", "b": "2"]
        list["a"] = "3"
        list["c"] = "4"
        list["b"] = nil
        list["d"] = nil
        #expect(list == ["a": "3", "c": "4"])
    }

    @Test func partsCanBeDamaged() throws {
        let good = try ForgedTransactionReceipt().signed(by: ForgedPKI(.sha1()))
        let damages: [(ReceiptDecodingError.Code, (inout ForgedTransactionReceipt.Signed) -> Void)] = [
            (.trailingBytes, { $0.trailer = [0] }),
            (.trailingBytes, { $0.certificateLength = 10 }),
            (.truncated, { $0.certificateLength = 5_000 }),
            (.unknownSignatureVersion, { $0.version = 5 }),
            (.signatureIsText, { $0.blobOverride = Array("company_signature".utf8) }),
            (.propertyListDuplicateKey, { $0.envelope.entries.append(.init(key: "signature", value: "Ag==")) }),
            (.propertyListSyntax, { $0.purchaseInfo = Array("{\"bid\"}".utf8) }),
        ]
        for (code, damage) in damages {
            var damaged = good
            damage(&damaged)
            let error = try #require(throws: ReceiptDecodingError.self) {
                try SignedTransactionReceipt(decoding: damaged.bytes)
            }
            #expect(error.code == code)
        }
    }
}
