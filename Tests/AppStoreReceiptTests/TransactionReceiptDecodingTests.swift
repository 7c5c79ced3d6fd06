import AppStoreReceiptFoundation
import TestSupport
import Testing

@testable import AppStoreReceipt

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The outer text, the signature blob and the typed values.
struct TransactionReceiptDecodingTests {
    // MARK: - Texts to start from

    static let purchaseInfo = """
        {
        \t"original-purchase-date-pst" = "2012-12-01 23:15:54 America/Los_Angeles";
        \t"purchase-date-ms" = "1354432554123";
        \t"unique-identifier" = "0000b0092818";
        \t"unique-vendor-identifier" = "5C275B5A-3E66-4026-9523-845B225755FC";
        \t"original-transaction-id" = "1000000059632385";
        \t"expires-date" = "1354436154000";
        \t"transaction-id" = "1000000059632386";
        \t"web-order-line-item-id" = "9223372036854775807";
        \t"bvrs" = "7";
        \t"item-id" = "580193937";
        \t"app-item-id" = "5801939370";
        \t"version-external-identifier" = "0";
        \t"expires-date-formatted" = "2012-12-02 08:15:54 Etc/GMT";
        \t"product-id" = "com.example.pro";
        \t"purchase-date" = "2012-12-02 07:15:54 Etc/GMT";
        \t"original-purchase-date" = "2012-12-02 07:15:54 Etc/GMT";
        \t"cancellation-date" = "";
        \t"is-trial-period" = "false";
        \t"is-in-intro-offer-period" = "true";
        \t"bid" = "com.example.app";
        \t"quantity" = "1";
        \t"x-new" = "kept";
        }
        """

    static func blob(version: UInt8, signature: Int, certificate: [UInt8] = [0x30, 0]) -> [UInt8] {
        let count = UInt32(certificate.count)
        return [version] + [UInt8](repeating: 0xAA, count: signature)
            + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + certificate
    }

    static func text(
        signature: [UInt8] = blob(version: 2, signature: 128), purchaseInfo: String = purchaseInfo,
        rest: String = "\"environment\" = \"Sandbox\"; \"pod\" = \"100\"; \"signing-status\" = \"0\";"
    ) -> [UInt8] {
        let (signature, info) = (Data(signature).base64EncodedString(), Data(purchaseInfo.utf8).base64EncodedString())
        return Array("{ \"signature\" = \"\(signature)\"; \"purchase-info\" = \"\(info)\"; \(rest) }".utf8)
    }

    // MARK: - Values

    @Test func decodesEveryKey() throws {
        let signed = try SignedTransactionReceipt(decoding: Self.text())
        let receipt = signed.unverifiedReceipt
        #expect(receipt.productID == "com.example.pro")
        #expect(receipt.transactionID == "1000000059632386")
        #expect(receipt.originalTransactionID == "1000000059632385")
        #expect(receipt.purchaseDate?.millisecondsSince1970 == 1_354_432_554_123)
        #expect(receipt.originalPurchaseDate?.millisecondsSince1970 == 1_354_432_554_000)
        #expect(receipt.expiresDate?.millisecondsSince1970 == 1_354_436_154_000)
        #expect(receipt.cancellationDate == nil && receipt.cancellationReason == nil)
        #expect(receipt.quantity == 1)
        #expect(receipt.bundleID == "com.example.app" && receipt.applicationVersion == "7")
        #expect(receipt.itemID == 580_193_937 && receipt.appItemID == 5_801_939_370)
        #expect(receipt.versionExternalIdentifier == 0 && receipt.webOrderLineItemID == .max)
        #expect(receipt.uniqueIdentifier == "0000b0092818")
        #expect(receipt.uniqueVendorIdentifier == "5C275B5A-3E66-4026-9523-845B225755FC")
        #expect(receipt.isTrialPeriod == false && receipt.isInIntroOfferPeriod == true)
        #expect(receipt.entries.count == 22)
        #expect(receipt.entries.last == .init(key: "x-new", value: "kept"))
        #expect(receipt["purchase-date"] == "2012-12-02 07:15:54 Etc/GMT")
        let envelope = signed.unsignedEnvelope
        #expect(envelope.environment == "Sandbox" && envelope.pod == "100" && envelope.signingStatus == "0")
        #expect(envelope.entries.map(\.key) == ["signature", "purchase-info", "environment", "pod", "signing-status"])
        #expect(signed.signatureVersion == 2)
        #expect(Array(signed.payload) == Array(Self.purchaseInfo.utf8))
        #expect(signed.signedBytes == [2] + Array(Self.purchaseInfo.utf8))
        #expect(try SignedTransactionReceipt(decoding: Data(Self.text())).signedBytes == signed.signedBytes)
    }

    /// `-ms` wins over its twin, and the `Etc/GMT` form is read where there is no `-ms`; every other form throws.
    @Test(arguments: [
        (#""purchase-date-ms"="1000"; "purchase-date"="2012-12-02 07:15:54 Etc/GMT";"#, Int64(1000)),
        (#""purchase-date-ms"="1000"; "purchase-date"="no date";"#, 1000),
        (#""purchase-date-ms"=""; "purchase-date"="2012-12-02 07:15:54 Etc/GMT";"#, 1_354_432_554_000),
        (#""purchase-date"="2012-12-02 07:15:54 Etc/GMT";"#, 1_354_432_554_000),
        (#""purchase-date"="2012-02-29 00:00:00 Etc/GMT";"#, 1_330_473_600_000),
        (#""purchase-date-ms"="0";"#, 0),
        (#""purchase-date-ms"="253402300799999";"#, 253_402_300_799_999),
        (#""purchase-date-ms"="253402300800000";"#, nil),
        (#""purchase-date-ms"="9223372036854775808";"#, nil),
        (#""purchase-date-ms"="-1";"#, nil),
        (#""purchase-date-ms"="+1";"#, nil),
        (#""purchase-date-ms"="1e3"; "purchase-date"="2012-12-02 07:15:54 Etc/GMT";"#, nil),
        (#""purchase-date"="2012-12-02 07:15:54 Etc/UTC";"#, nil),
        (#""purchase-date"="2012-12-02 07:15:54";"#, nil),
        (#""purchase-date"="2012-12-02T07:15:54 Etc/GMT";"#, nil),
        (#""purchase-date"="2012-12-02  7:15:54 Etc/GMT";"#, nil),
        (#""purchase-date"="2012-13-02 07:15:54 Etc/GMT";"#, nil),
        (#""purchase-date"="2013-02-29 07:15:54 Etc/GMT";"#, nil),
        (#""purchase-date"="0012-12-02 07:15:54 America/Los_Angeles";"#, nil),
    ])
    func dates(text: String, milliseconds: Int64?) throws {
        let bytes = Array("{\(text)}".utf8)
        if let milliseconds {
            #expect(
                try TransactionReceipt(unsignedPurchaseInfo: bytes).purchaseDate?.millisecondsSince1970 == milliseconds)
        } else {
            let error = try #require(throws: ReceiptDecodingError.self) {
                try TransactionReceipt(unsignedPurchaseInfo: bytes)
            }
            #expect(error.code == .malformedPurchaseInfoValue && error.field.hasPrefix("purchase-info.purchase-date"))
        }
    }

    @Test(arguments: [
        #""quantity"="one";"#, #""quantity"="-1";"#, #""quantity"="1.0";"#, #""quantity"="9223372036854775808";"#,
        #""item-id"="1 ";"#, #""is-trial-period"="yes";"#, #""is-trial-period"="TRUE";"#,
        #""expires-date"="2012-12-02 07:15:54 Etc/GMT";"#,
    ])
    func malformedValues(text: String) throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try SignedTransactionReceipt(decoding: Self.text(purchaseInfo: "{\(text)}"))
        }
        #expect(error.code == .malformedPurchaseInfoValue)
        #expect(error.field.hasPrefix("purchase-info."))
    }

    // MARK: - The signature blob

    @Test(arguments: [(UInt8(2), 128), (3, 256), (4, 256)])
    func signatureVersions(version: UInt8, length: Int) throws {
        let certificate = [UInt8](repeating: 7, count: 300)
        let blob = Self.blob(version: version, signature: length, certificate: certificate)
        let signed = try SignedTransactionReceipt(decoding: Self.text(signature: blob))
        #expect(signed.signature.version == version)
        #expect(signed.signature.signature == [UInt8](repeating: 0xAA, count: length))
        #expect(signed.signature.certificate == certificate)
        #expect(signed.signedBytes.first == version)
    }

    /// Every shorter blob is cut short, and every longer one has something left over.
    @Test(arguments: [(UInt8(2), 128), (3, 256), (4, 256)])
    func signatureLengths(version: UInt8, length: Int) throws {
        let blob = Self.blob(version: version, signature: length, certificate: [1, 2, 3, 4, 5])
        for count in 0..<blob.count {
            let error = try #require(throws: ReceiptDecodingError.self) {
                try TransactionSignature(Array(blob.prefix(count)))
            }
            #expect(error.code == .truncated && error.offset == count)
        }
        let error = try #require(throws: ReceiptDecodingError.self) { try TransactionSignature(blob + [0]) }
        #expect(error.code == .trailingBytes && error.offset == blob.count)
    }

    struct Blob: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let code: ReceiptDecodingError.Code

        init(_ name: String, _ bytes: [UInt8], _ code: ReceiptDecodingError.Code) {
            (testDescription, self.bytes, self.code) = (name, bytes, code)
        }
    }

    @Test(arguments: [
        Blob("placeholder", Array("company_signature".utf8), .signatureIsText),
        Blob("long text", [UInt8](repeating: 0x78, count: 400), .signatureIsText),
        Blob("version 0", blob(version: 0, signature: 128), .unknownSignatureVersion),
        Blob("version 1", blob(version: 1, signature: 128), .unknownSignatureVersion),
        Blob("version 5", blob(version: 5, signature: 256), .unknownSignatureVersion),
        Blob("version 255", blob(version: 255, signature: 256), .unknownSignatureVersion),
        Blob("length of 2^32 - 1", [2] + [UInt8](repeating: 0xFF, count: 400), .truncated),
        Blob("empty", [], .truncated),
    ])
    func damagedSignatures(blob: Blob) throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try SignedTransactionReceipt(decoding: Self.text(signature: blob.bytes))
        }
        #expect(error.code == blob.code)
        #expect(error.detail?.utf8.count ?? 0 < 120)
    }

    // MARK: - The text

    @Test(arguments: [
        (purchaseInfo, ReceiptDecodingError.Code.purchaseInfo),
        (#"{"status" = "0";}"#, .notATransactionReceipt),
        ("{}", .notATransactionReceipt),
        (#"{"signature" = "Ag==";}"#, .missingPurchaseInfo),
        (#"{"purchase-info" = "e30=";}"#, .missingSignature),
        (#"{"signature" = "Ag="; "purchase-info" = "e30=";}"#, .missingPadding),
        (#"{"signature" = "Ag==="; "purchase-info" = "e30=";}"#, .misplacedPadding),
        (#"{"signature" = "=Ag="; "purchase-info" = "e30=";}"#, .misplacedPadding),
        (#"{"signature" = "Ag==Ag=="; "purchase-info" = "e30=";}"#, .misplacedPadding),
        (#"{"signature" = "Ah=="; "purchase-info" = "e30=";}"#, .nonZeroTrailingBits),
        (#"{"signature" = "A"; "purchase-info" = "e30=";}"#, .missingPadding),
        (#"{"signature" = "Ag-_"; "purchase-info" = "e30=";}"#, .invalidCharacter),
        (#"{"signature" = "Ag=="; "purchase-info" = "e30=";}"#, .truncated),
        (#"{"signature" = {}; "purchase-info" = "e30=";}"#, .propertyListNotAString),
    ])
    func damagedTexts(text: String, code: ReceiptDecodingError.Code) throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try SignedTransactionReceipt(decoding: Array(text.utf8))
        }
        #expect(error.code == code)
    }

    /// The offset of a fault inside a value is where its base64 stands in the text.
    @Test func offsetsPointIntoTheText() throws {
        let text = Self.text(purchaseInfo: #"{"quantity" = "x";}"#)
        let error = try #require(throws: ReceiptDecodingError.self) { try SignedTransactionReceipt(decoding: text) }
        let before = try #require(String(decoding: text, as: UTF8.self).split(separator: "eyJxdW").first)
        #expect(error.offset == before.utf8.count + 20)  // Byte 15, the x, is in the sixth group of four.
    }

    /// Lines that an archive wrapped inside the values change nothing that is signed.
    @Test func wrappedValuesDecode() throws {
        let wrapped = String(decoding: Self.text(), as: UTF8.self).enumerated()
            .map { $0.offset % 76 == 75 ? "\($0.element)\r\n" : String($0.element) }.joined()
        let list = try? SignedTransactionReceipt(decoding: Array(wrapped.utf8))
        #expect(list?.signedBytes == [2] + Array(Self.purchaseInfo.utf8))
    }

    /// A fault in base64 is found where it stands, white space counted.
    @Test func offsetsCountWhiteSpace() throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try SignedTransactionReceipt(decoding: Array("{signature = \"Ag\n\n*=\"; purchase-info = e30;}".utf8))
        }
        #expect(error.code == .invalidCharacter && error.field == "signature" && error.offset == 18)
    }

    // MARK: - Transport

    @Test(arguments: [
        "base64", "bare", "wrapped", "CRLF", "spaces for plus", "base64url", "unpadded", "twice", "quoted", "escaped",
        "BOM",
    ])
    func transport(form: String) throws {
        // A length that needs padding, and bytes that need + and / in base64.
        let text = Self.text(rest: "\"pod\" = \"1~~~>>>???>>?\"; ")
        let base64 = Data(text).base64EncodedString()
        #expect(base64.contains("+") && base64.contains("/"))
        let input =
            switch form {
            case "bare": String(decoding: text, as: UTF8.self) + "\n"
            case "wrapped": Data(text).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
            case "CRLF": Data(text).base64EncodedString(options: .lineLength64Characters)
            case "spaces for plus": String(base64.map { $0 == "+" ? " " : $0 })
            case "base64url": String(base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
            case "unpadded": String(base64.filter { $0 != "=" })
            case "twice": Data(base64.utf8).base64EncodedString()
            case "quoted": "\"\(base64)\""
            case "escaped": base64.split(separator: "/").joined(separator: "\\/")
            case "BOM": "\u{FEFF}\(base64)"
            default: base64
            }
        #expect(try SignedTransactionReceipt(transport: input).unverifiedReceipt.bundleID == "com.example.app")
        if form == "base64" {
            #expect(try SignedTransactionReceipt(transport: input, mode: .exact).unsignedEnvelope.pod != nil)
        }
    }

    @Test func transportNamesWhatIsNoTransactionReceipt() throws {
        for (input, code) in [
            (Data(Self.purchaseInfo.utf8).base64EncodedString(), ReceiptDecodingError.Code.purchaseInfo),
            ("MAsGCSqGSIb3DQEHAg==", .notATransactionReceipt), ("MAMCAQA=", .notATransactionReceipt), ("", .empty),
        ] {
            let error = try #require(throws: ReceiptDecodingError.self) {
                try SignedTransactionReceipt(transport: input)
            }
            #expect(error.code == code)
        }
    }

    @Test(arguments: Corpus.paths("receipts", suffix: ".b64").filter { $0.contains("/ios6") })
    func corpusTransport(path: String) throws {
        let plist =
            path.split(separator: ".", omittingEmptySubsequences: false).dropLast(2).joined(separator: ".") + ".plist"
        let receipt = try SignedTransactionReceipt(decoding: Corpus.bytes(plist))
        #expect(try SignedTransactionReceipt(transport: Corpus.bytes(path)).signedBytes == receipt.signedBytes)
    }

    // MARK: - Every prefix, every corpus file

    @Test func everyPrefixThrows() {
        let text = Self.text()
        for count in 0..<text.count {
            #expect(throws: ReceiptDecodingError.self) {
                try SignedTransactionReceipt(decoding: Array(text.prefix(count)))
            }
        }
        let info = Array(Self.purchaseInfo.utf8)
        for count in 0..<info.count {
            #expect(throws: ReceiptDecodingError.self) {
                try TransactionReceipt(unsignedPurchaseInfo: Array(info.prefix(count)))
            }
        }
    }

    /// No single changed byte makes the decoder trap; most make it throw.
    @Test func everyChangedByteDecodesOrThrows() {
        let text = Self.text()
        for index in text.indices {
            for value: UInt8 in [0, 0x22, 0x3B, 0x5C, 0x7B, 0xFF] {
                var damaged = text
                damaged[index] = value
                _ = try? SignedTransactionReceipt(decoding: damaged)
            }
        }
    }

    @Test(arguments: Corpus.paths("receipts", suffix: ".plist"))
    func corpus(path: String) throws {
        let bytes = try Corpus.bytes(path)
        let name = try #require(path.split(separator: "/").last?.dropLast(6))
        let row = try #require(try Self.indexRow(named: String(name)))
        guard row.kind == "ios6" else {
            let error = try #require(throws: ReceiptDecodingError.self) {
                try SignedTransactionReceipt(decoding: bytes)
            }
            #expect(error.code == (row.kind == "ios6-inner" ? .purchaseInfo : .signatureIsText))
            if row.kind == "ios6-inner" {
                #expect(throws: Never.self) { try TransactionReceipt(unsignedPurchaseInfo: bytes) }
            }
            return
        }
        let signed = try SignedTransactionReceipt(decoding: bytes)
        let receipt = signed.unverifiedReceipt
        #expect(receipt.bundleID == row.bundle)
        #expect("v\(signed.signatureVersion)" == row.version)
        #expect(receipt["purchase-date"] == row.created)
        #expect(signed.unsignedEnvelope.environment == row.environment)
        // Twins agree to the second in every genuine receipt.
        let second = receipt.entries.filter { !$0.key.hasSuffix("-ms") && $0.key != "expires-date" }
        let twin = try TransactionReceipt(unsignedPurchaseInfo: Self.list(second))
        for date in [\TransactionReceipt.purchaseDate, \.originalPurchaseDate, \.expiresDate] {
            #expect(
                twin[keyPath: date].map { $0.millisecondsSince1970 / 1000 }
                    == receipt[keyPath: date].map { $0.millisecondsSince1970 / 1000 })
        }
        #expect(receipt.productID != nil && receipt.transactionID != nil && receipt.quantity == 1)
    }

    static func list(_ entries: [TransactionReceipt.Entry]) -> [UInt8] {
        Array("{\(entries.map { "\"\($0.key)\" = \"\($0.value)\";" }.joined())}".utf8)
    }

    static func indexRow(
        named name: String
    ) throws -> (kind: String, version: String, environment: String, bundle: String, created: String)? {
        let index = try Corpus.bytes((Corpus.directory ?? "") + "/index.tsv")
        for line in String(decoding: index, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.first == name, cells.count > 16 else { continue }
            let version = cells[5].split(separator: "-").last.map(String.init) ?? ""
            return (cells[3], version, cells[14], cells[15], cells[16])
        }
        return nil
    }
}
