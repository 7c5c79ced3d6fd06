import OracleSupport
import ReceiptForge
import Testing

/// Each algorithm and kind of key gives what libcrypto takes for good, and each flaw what it refuses.
struct SigningTests {
    static let keys: [(String, ForgedKey, SignatureAlgorithm)] =
        DigestAlgorithm.allCases.map { ($0.rawValue, TestKeys.rsa2048(1), .rsa($0)) }
        + DigestAlgorithm.allCases.filter { $0 != .md5 }.map { ("PSS \($0)", TestKeys.rsa2048(1), .rsaPSS($0)) }
        + [
            ("512", TestKeys.rsa512, .sha1WithRSA), ("1024", TestKeys.rsa1024, .sha256WithRSA),
            ("2047", TestKeys.rsa2047, .sha256WithRSA), ("3072", TestKeys.rsa3072, .sha256WithRSA),
            ("4096", TestKeys.rsa4096, .sha256WithRSA), ("8192", TestKeys.rsa8192, .sha256WithRSA),
            ("exponent 3", TestKeys.rsa2048Exponent3, .sha256WithRSA),
            ("P-256", TestKeys.ec256, .ecdsa(.sha256)), ("P-384", TestKeys.ec384, .ecdsa(.sha384)),
            ("P-384 SHA-512", TestKeys.ec384, .ecdsa(.sha512)), ("P-256 SHA-1", TestKeys.ec256, .ecdsa(.sha1)),
        ]

    /// The key as an intermediate's: it signs the leaf.
    @Test(arguments: keys)
    func certificateSignature(name: String, key: ForgedKey, algorithm: SignatureAlgorithm) throws {
        let chain = try ForgedPKI { chain in
            chain.intermediate?.key = key
            chain.leaf?.signatureAlgorithm = algorithm
        }
        let answer = verify(chain)
        #expect(answer == .ok([]), "\(name)")
        #expect(
            try ForgedPKI { chain in
                chain.intermediate?.key = key
                chain.leaf?.signatureAlgorithm = algorithm
            } == chain)
    }

    @Test(arguments: SignatureAlgorithm.PaddingFlaw.allCases)
    func paddingFlaw(flaw: SignatureAlgorithm.PaddingFlaw) throws {
        let chain = try ForgedPKI { $0.leaf?.signatureAlgorithm.scheme = .pkcs1(.sha256, flaw: flaw) }
        #expect(verify(chain).isOK == (flaw == .none))
    }

    @Test func generatedKeySigns() throws {
        let key = try ForgedKey.generateRSA(bits: 1024)
        #expect(verify(try ForgedPKI { $0.leaf?.key = key }).isOK)
        #expect(try key.rsaPublicNumbers()?.exponent == [1, 0, 1])
        #expect(try key.rsaPublicNumbers()?.modulus.count == 128)
    }

    @Test func aShortKeyIsRefused() throws {
        #expect(throws: ForgeError.self) { try TestKeys.rsa512.sign([], .pkcs1(.sha512)) }
        #expect(throws: ForgeError.self) { try ForgedKey(pkcs8: [1, 2, 3]).sign([], .pkcs1(.sha256)) }
        #expect(throws: ForgeError.self) { try TestKeys.rsa2048(0).sign([], .ecdsa(.sha256)) }
    }

    @Test func signedAttributes() throws {
        let message = try ForgedReceipt().signed { template in
            template.signers[0].signedAttributes = .init()
            template.signers[0].signedAttributes?.signingTime = "2025-06-01T12:00:00Z"
        }
        let roots = message.anchors
        #expect(Oracle.verifyCMS(message.bytes, roots: roots, at: 1_750_000_000) == .ok(message.payload))
        let wrong = try ForgedReceipt().signed { template in
            template.signers[0].signedAttributes = .init()
            template.signers[0].signedAttributes?.messageDigest = [UInt8](repeating: 0, count: 32)
        }
        #expect(!Oracle.verifyCMS(wrong.bytes, roots: roots, at: 1_750_000_000).isOK)
    }

    @Test func subjectKeyIdentifierAndSecondSigner() throws {
        let message = try ForgedReceipt().signed { template in
            let leaf = template.signers[0]
            template.version = 3
            template.signers.append(leaf)
            template.signers[1].version = 3
            let identifier = Oracle.digest("SHA1", Self.publicKeyBits(leaf.key))
            template.signers[1].identifier = .subjectKeyIdentifier(identifier)
        }
        let answer = Oracle.verifyCMS(message.bytes, roots: message.anchors, at: 1_750_000_000)
        #expect(answer == .ok(message.payload))
    }

    private static func publicKeyBits(_ key: ForgedKey) -> [UInt8] {
        guard let info = try? key.publicKeyInfo() else { return [] }
        return Array(info.children[1].encodedContent.dropFirst())
    }

    private func verify(_ chain: ForgedPKI) -> Oracle.Answer {
        Oracle.verifyCertificate(
            chain.leaf.der, intermediates: [chain.intermediate?.der ?? []], roots: chain.anchors, at: 1_750_000_000)
    }
}
