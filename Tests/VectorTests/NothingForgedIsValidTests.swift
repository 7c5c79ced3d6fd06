import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptForge
import TestSupport
import Testing
import VectorRecipe

/// Under the default policy, which trusts Apple's root alone, nothing that the forge makes is valid.
struct NothingForgedIsValidTests {
    static func isValid(_ bytes: [UInt8]) throws -> Bool {
        guard let receipt = try? SignedReceipt(decoding: bytes) else { return false }
        let validator = try ReceiptValidator(policy: ValidationPolicy())
        if case .valid = try validator.validate(receipt) { return true }
        return false
    }

    /// The same for transaction receipts, with every intermediate at hand.
    @Test func transactionVectors() throws {
        var policy = ValidationPolicy()
        policy.intermediates = Array(VectorFiles.intermediates.values)
        for certificate in policy.intermediates {
            policy.transactionReceipts.purchaseReceiptAuthorities.insert(try CertificateFingerprint(of: certificate))
        }
        let validator = try ReceiptValidator(policy: policy)
        for vector in VectorFiles.transactions {
            guard let receipt = try? SignedTransactionReceipt(transport: vector.input) else { continue }
            #expect(try validator.validate(receipt).validated == nil, "\(vector.name)")
        }
    }

    @Test func vectors() throws {
        for vector in VectorFiles.all {
            let bytes = (try? TransportDecoding(vector.input))?.bytes ?? vector.input
            #expect(try !Self.isValid(bytes), "\(vector.group)/\(vector.name)")
        }
    }

    /// With Apple's own certificates inside, taken from a genuine receipt, and the forge's signature.
    @Test func underApplesCertificates() throws {
        let bytes = try Corpus.bytes(Corpus.fixtures + "/genuine/sandbox-2016.der")
        #expect(try Self.isValid(bytes), "the genuine one is")
        let genuine = try BERNode(parsing: bytes)
        let certificates = try genuine.reading(at: Place.certificates.path(in: genuine)).children
        let signer = try genuine.reading(at: Place.signer(0).path(in: genuine)).children
        let receipt = try genuine.reading(at: Place.payload.path(in: genuine))
        for payload in [receipt.encoded, try ForgedReceipt().payload().encoded] {
            for key in 0..<3 {
                let message = try ForgedMessage.signing(payload, by: ForgedPKI(.sha1())) { template in
                    template.certificates = certificates.map(\.encoded)
                    template.signers[0].identifier = .issuerAndSerial(
                        issuer: signer[1].children[0], serial: signer[1].children[1])
                    template.signers[0].key = TestKeys.rsa2048(key)
                }
                #expect(try !Self.isValid(message.bytes))
            }
        }
        // The genuine signature over another payload.
        let swapped = try ForgedMessage.signing(ForgedReceipt().payload().encoded, by: ForgedPKI(.sha1())) { template in
            template.certificates = certificates.map(\.encoded)
            template.signers[0].identifier = .issuerAndSerial(
                issuer: signer[1].children[0], serial: signer[1].children[1])
            template.signers[0].algorithm.scheme = .verbatim(signer.last?.encodedContent ?? [])
        }
        #expect(try !Self.isValid(swapped.bytes))
    }

    @Test func randomReceipts() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = ForgeRandom(seed: seed)
        let chains = [
            try ForgedPKI(), try ForgedPKI(.sha1()), try ForgedPKI(.xcode()),
            try ForgedPKI(.generation(.g1, organization: "Apple Inc.")),
        ]
        for number in 0..<40 {
            let message = try ForgedReceipt.random(using: &random).signed(by: chains[number % chains.count])
            #expect(try !Self.isValid(message.bytes), "seed \(seed), receipt \(number)")
        }
    }
}
