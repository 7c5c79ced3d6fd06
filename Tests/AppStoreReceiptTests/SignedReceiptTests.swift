import AppStoreReceipt
import Foundation
import ReceiptForge
import TestSupport
import Testing

/// Whole receipts: cut short, damaged, at their limits, and long ones.
@Suite struct SignedReceiptTests {
    /// Genuine receipts, and forged ones of every encoding.
    static let samples: [(name: String, bytes: [UInt8])] = {
        var samples: [(String, [UInt8])] = []
        for environment in [ForgedReceipt.Environment.production, .xcode] {
            var receipt = ForgedReceipt(environment: environment)
            receipt.purchases = [.autoRenewable("com.example.pro"), .consumable("com.example.coins")]
            for encoding in [MessageTemplate.Encoding.der, .indefinite(pieces: nil), .indefinite(pieces: 50)] {
                let message = try? receipt.signed { $0.encoding = encoding }
                samples.append(("forged \(environment.rawValue) \(encoding)", message?.bytes ?? []))
            }
        }
        let genuine = Corpus.paths("receipts", suffix: ".der").filter {
            ["/sandbox-", "/mas-", "/xcode-"].contains(where: $0.contains)
        }
        return samples + genuine.map { ($0, (try? Corpus.bytes($0)) ?? []) }
    }()

    @Test(arguments: samples.indices)
    func everyPrefixThrows(index: Int) throws {
        let (name, bytes) = Self.samples[index]
        _ = try SignedReceipt(decoding: bytes)
        // All of the first bytes and the last ones; in between, of long receipts, some.
        let step = max(1, bytes.count / 2_000)
        for count in 0..<bytes.count where count < 600 || bytes.count - count < 600 || count % step == 0 {
            do throws(ReceiptDecodingError) {
                _ = try SignedReceipt(decoding: Array(bytes[..<count]))
                Issue.record("\(name): the first \(count) bytes are taken")
            } catch {
                if error.offset < 0 || error.offset > count { Issue.record("\(name): \(error) in \(count) bytes") }
            }
        }
        #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes + [0]) }
        #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes + bytes) }
    }

    /// A walk from one damage to the next: never a trap, offsets inside the input, and whatever is decoded can be looked at.
    @Test(arguments: samples.indices)
    func randomWalk(index: Int) {
        let original = Self.samples[index].bytes
        guard original.count < 20_000 else { return }
        var random = ForgeRandom(seed: UInt64(index))
        var bytes = original
        var decoded = 0
        for step in 0..<400 {
            if step % 20 == 0 { bytes = original }
            guard !bytes.isEmpty else { continue }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: bytes[place] = [0, 0x80, 0xFF, 0x30, 0x31, 0x24, 0x02].randomElement(using: &random) ?? 0
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(bytes[place], at: place)
            case 4: bytes[place] &+= 1
            default: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            do throws(ReceiptDecodingError) {
                let receipt = try SignedReceipt(decoding: bytes)
                decoded += 1
                Self.lookAt(receipt)
            } catch {
                if error.offset < 0 || error.offset > bytes.count { Issue.record("\(error)") }
            }
        }
        #expect(decoded > 0)
    }

    private static func lookAt(_ receipt: SignedReceipt) {
        let unverified = receipt.unverifiedReceipt
        var count = receipt.payload.count
        for attribute in unverified.attributes { count += "\(attribute.value)".utf8.count }
        for purchase in unverified.purchasesLatestFirst {
            for attribute in purchase.attributes { count += "\(attribute.value)".utf8.count }
        }
        withExtendedLifetime(count) {}
    }

    // MARK: - Limits

    static let limits: [(name: String, at: DecodingLimits, above: DecodingLimits, code: ReceiptDecodingError.Code)] = [
        ("attributes", DecodingLimits(attributes: 13), DecodingLimits(attributes: 12), .tooManyAttributes),
        (
            "attributes of a purchase", DecodingLimits(purchaseAttributes: 12), DecodingLimits(purchaseAttributes: 11),
            .tooManyAttributes
        ),
        ("certificates", DecodingLimits(certificates: 3), DecodingLimits(certificates: 2), .tooManyCertificates),
        ("signers", DecodingLimits(signerInfos: 1), DecodingLimits(signerInfos: 0), .tooManySignerInfos),
    ]

    /// As many as are allowed, and one more.
    @Test(arguments: limits.indices)
    func limit(index: Int) throws {
        let row = Self.limits[index]
        let attributes = (0..<12).map { ForgedAttribute(100 + $0, .octets([])).node }
        let purchase = BERNode.set((0..<12).map { ForgedAttribute(1_800 + $0, .octets([])).node })
        let payload = BERNode.set(attributes + [ForgedAttribute(17, .element(purchase)).node])
        let bytes = try ForgedMessage.signing(payload.encoded, by: try ForgedPKI()).bytes
        _ = try SignedReceipt(decoding: bytes, limits: row.at)
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes, limits: row.above) }
        #expect(error?.code == row.code, "\(row.name)")
    }

    @Test func bytesLimit() throws {
        let bytes = try ForgedReceipt().signed().bytes
        _ = try SignedReceipt(decoding: bytes, limits: DecodingLimits(bytes: bytes.count))
        let error = #expect(throws: ReceiptDecodingError.self) {
            try SignedReceipt(decoding: bytes, limits: DecodingLimits(bytes: bytes.count - 1))
        }
        #expect(error?.code == .inputTooLong)
    }

    // MARK: - Other blobs, and the payload

    static let otherPayloads: [(name: String, payload: [UInt8], code: ReceiptDecodingError.Code)] = [
        ("nothing", [], .notAReceipt),
        ("text", Array("hello".utf8), .notAReceipt),
        ("a SEQUENCE", hex("30 00"), .notAReceipt),
        ("a property list", Array("<?xml version=\"1.0\"?><plist/>".utf8), .notAReceipt),
        ("a SET that is cut", hex("31 05"), .truncated),
        ("a SET and an octet", hex("31 00 05"), .trailingBytes),
        ("a SET of NULL", hex("31 02 05 00"), .unexpectedTag),
        ("an attribute without a value", hex("31 08 30 06 02 01 00 02 01 01"), .missingElement),
        ("an attribute with more", hex("31 0C 30 0A 02 01 63 02 01 01 04 00 05 00"), .trailingBytes),
        ("a type of 2^63", hex("31 12 30 10 02 09 00 80 00 00 00 00 00 00 00 02 01 01 04 00"), .integerTooLarge),
        ("indefinite inside", hex("31 80 00 00"), .indefiniteLength),
    ]

    @Test(arguments: otherPayloads.indices)
    func otherPayload(index: Int) throws {
        let row = Self.otherPayloads[index]
        let bytes = try ForgedMessage.signing(row.payload, by: try ForgedPKI()).bytes
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes) }
        #expect(error?.code == row.code, "\(row.name)")
    }

    @Test func theContentTypeIsData() throws {
        let bytes = try ForgedReceipt().signed { $0.encapsulatedContentType = [1, 2, 840, 113549, 1, 9, 16, 1, 4] }
            .bytes
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: bytes) }
        #expect(error?.code == .notAReceipt)
        #expect(error?.detail == "content type 1.2.840.113549.1.9.16.1.4")
    }

    @Test func thePayloadIsWhatWasSigned() throws {
        for encoding in [MessageTemplate.Encoding.der, .indefinite(pieces: nil), .indefinite(pieces: 1)] {
            let message = try ForgedReceipt().signed { $0.encoding = encoding }
            #expect(Array(try SignedReceipt(decoding: message.bytes).payload) == message.payload)
        }
    }

    /// Seconds that this thread has computed, whatever else the machine does.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Ten times the purchases, about ten times the work: the least of several runs, where quadratic work makes a hundred.
    @Test func workIsLinear() throws {
        let bytes = try [1_000, 10_000].map { count in
            var receipt = ForgedReceipt()
            receipt.purchases = (0..<count).map { .consumable("com.example.coins.\($0)") }
            return try receipt.signed().bytes
        }
        let times = try bytes.map { bytes in
            try (0..<5).map { _ in
                let start = Self.processorTime()
                let receipt = try SignedReceipt(decoding: bytes)
                #expect(receipt.unverifiedReceipt.inApp.count > 999)
                return Self.processorTime() - start
            }.min() ?? 0
        }
        #expect(times[1] < times[0] * 40, "\(times)")
    }
}
