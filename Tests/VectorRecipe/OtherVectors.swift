import ReceiptForge

/// Large receipts, and CMS messages that are no receipts.
extension Recipe {
    static func large(_ group: inout VectorGroup) throws {
        let purchases = (0..<1_000).map { number in
            ForgedPurchase.autoRenewable("com.example.pro").transaction(String(2_000_000_000_000_000 + number))
        }
        let receipt = receipt { $0.purchases = purchases }
        let chain = try Root.standard.chain()
        group.valid("thousand-purchases", "A subscriber of many years.", try receipt.signed(by: chain).bytes)
        let xcode = try ForgedReceipt(environment: .xcode).signed(by: Root.xcode.chain()) { template in
            template.encoding = .indefinite(pieces: 1)
        }
        group.valid("pieces-of-one-octet", "A content of several hundred pieces.", xcode.bytes, root: .xcode)
        let many = Recipe.receipt { receipt in
            receipt.extraAttributes = (0..<2_000).map { ForgedAttribute(10_000 + $0, .octets([])) }
        }
        group.valid("two-thousand-attributes", "Attributes that nobody knows.", try many.signed(by: chain).bytes)
    }

    static func otherCMS(_ group: inout VectorGroup) throws {
        let chain = try Root.standard.chain()
        let plain = try message()
        let types: [(String, UInt)] = [("data", 1), ("enveloped", 3), ("digested", 5), ("encrypted", 6)]
        for (name, last) in types {
            group.undecodable(
                name, "not-signed-data", at: try Place.contentType.offset(in: plain.bytes), openssl: "fail",
                "Another content type in ContentInfo.",
                try plain.damaged(.replace(.contentType, with: .oid([1, 2, 840, 113549, 1, 7, last]))).bytes)
        }
        let contents: [(String, [UInt8], String)] = [
            ("text", Array("hello\n".utf8), "A signed text."),
            (
                "provisioning-profile", Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8),
                "A property list, as in a provisioning profile."
            ),
            ("json", Array("{\"a\":1}".utf8), "Signed JSON."),
            ("der", BERNode.sequence([.integer(1)]).encoded, "A SEQUENCE."),
        ]
        for (name, content, comment) in contents {
            let signed = try ForgedMessage.signing(content, by: chain)
            group.undecodable(
                "signed-\(name)", "not-a-receipt", at: try Place.content.offset(in: signed.bytes) + 2, openssl: "ok",
                comment, signed.bytes)
        }
        let stamp = try ForgedMessage.signing(plain.payload, by: chain) { template in
            template.version = 3
            template.encapsulatedContentType = [1, 2, 840, 113549, 1, 9, 16, 1, 4]
            template.signers[0].signedAttributes = .init()
            template.signers[0].signedAttributes?.contentType = [1, 2, 840, 113549, 1, 9, 16, 1, 4]
        }
        group.undecodable(
            "time-stamp", "not-a-receipt", at: try Place.payload.offset(in: stamp.bytes), openssl: "ok",
            "A receipt's payload under the content type of a time stamp.", stamp.bytes)
        let certificatesOnly = try ForgedMessage.signing([], by: chain) { template in
            template.hasContent = false
            template.digestAlgorithms = []
            template.signers = []
        }
        group.undecodable(
            "certificates-only", "missing-content",
            at: try Place.encapsulatedContent.offset(in: certificatesOnly.bytes) + 13, openssl: "fail",
            "A .p7b file of certificates.", certificatesOnly.bytes)
        group.undecodable(
            "a-certificate", "unexpected-tag", at: 4, openssl: "fail", "A bare certificate.", chain.leaf.der)
        group.undecodable(
            "a-private-key", "unexpected-tag", at: 4, openssl: "fail", "A private key.", TestKeys.rsa2048(0).pkcs8)
        // App Attest receipts: the same grammar, ECDSA, BER in two pieces, another chain and no root.
        let attest = try ForgedPKI(.standard(seed: 1)) { template in
            template.root.key = TestKeys.ec384
            template.root.signatureAlgorithm = .ecdsa(.sha384)
            template.intermediate?.key = TestKeys.ec384
            template.intermediate?.signatureAlgorithm = .ecdsa(.sha384)
            template.leaf?.key = TestKeys.ec256
            template.leaf?.signatureAlgorithm = .ecdsa(.sha384)
        }
        let attested = try receipt { receipt in
            receipt.style = .xcode
            receipt.overrides[0] = []
        }.signed(by: attest) { template in
            template.encoding = .indefinite(pieces: 1_000)
            template.certificates = Array(attest.certificates.prefix(2))
            template.signers[0].algorithm = .ecdsa(.sha256)
        }
        group.rejected(
            "app-attest", "unsupported-signature-algorithm", openssl: "fail",
            "A receipt of App Attest: receipts of apps are signed with RSA.", attested.bytes, root: .standard,
            (.alsoFails, "anchor certificate-algorithms public-keys intermediate-signature"))
    }
}
