import ReceiptForge

/// Who signed, what, and how.
extension Recipe {
    static func signature(_ group: inout VectorGroup) throws {
        let plain = try message()
        try mismatches(&group, plain)
        try algorithms(&group, plain)
        try signedAttributes(&group, plain)
        try signers(&group, plain)
    }

    private static func mismatches(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        let value = Place.inside(.attributeOfType(3), [2])
        let version = try value.offset(in: plain.bytes) + 4
        let signature = try plain.element(.signature(0)).encodedContent
        let other = try ForgedReceipt(bundleID: "com.example.other").signed(by: plain.chain)
        let rows: [(String, String, [Damage])] = [
            ("content-bit", "One bit of the app's version was flipped.", [.flip(byte: version)]),
            (
                "signature-first-bit", "One bit of the signature was flipped.",
                [
                    .flip(byte: try Place.signature(0).offset(in: plain.bytes) + 4, bit: 0)
                ]
            ),
            ("signature-last-bit", "The other end of it.", [.flip(byte: -1)]),
            ("signature-zeros", "A signature of zeros.", [.replaceSignature([UInt8](repeating: 0, count: 256))]),
            (
                "signature-one", "A signature of the number one.",
                [
                    .replaceSignature([UInt8](repeating: 0, count: 255) + [1])
                ]
            ),
            (
                "signature-ff", "A signature larger than the modulus.",
                [
                    .replaceSignature([UInt8](repeating: 0xFF, count: 256))
                ]
            ),
            ("signature-empty", "No octets.", [.replaceSignature([])]),
            ("signature-short", "Its first octet is missing.", [.replaceSignature(Array(signature.dropFirst()))]),
            ("signature-long", "A needless zero before it.", [.replaceSignature([0] + signature)]),
            ("signature-tail", "An octet behind it.", [.replaceSignature(signature + [0])]),
            (
                "signature-of-another-receipt", "The signature of another receipt by the same signer.",
                [
                    try .replaceSignature(other.element(.signature(0)).encodedContent)
                ]
            ),
            (
                "signed-by-another-key", "Well formed, by a key that is not the leaf's.",
                [.sign(with: TestKeys.rsa2048(9))]
            ),
            ("signed-by-the-intermediate", "By the key of the intermediate.", [.sign(with: TestKeys.rsa2048(1))]),
            (
                "attribute-added", "An attribute more than was signed.",
                [
                    .add(ForgedAttribute(99, .octets([])).node, to: .payload)
                ]
            ),
            ("attribute-removed", "An attribute less.", [.remove(.attributeOfType(19))]),
            ("attributes-reordered", "The same attributes in another order.", [.reverse(.payload)]),
        ]
        for (name, comment, damage) in rows {
            group.rejected(name, "signature-mismatch", openssl: "fail", comment, try plain.damaged(damage).bytes)
        }
        for flaw in SignatureAlgorithm.PaddingFlaw.allCases where flaw != .none {
            let name = flaw.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            group.rejected(
                "padding-\(name)", "signature-mismatch", openssl: "fail",
                "The key is right; the block it signed is not as PKCS #1 v1.5 wants it.",
                try message { $0.signers[0].algorithm.scheme = .pkcs1(.sha256, flaw: flaw) }.bytes)
        }
        let exponent3 = try Root.standard.chain { $0.leaf?.key = TestKeys.rsa2048Exponent3 }
        group.rejected(
            "bleichenbacher", "signature-mismatch", openssl: "fail",
            "Public exponent 3 and octets behind the DigestInfo: what lax verifiers of 2006 accepted.",
            try receipt().signed(by: exponent3) { template in
                template.signers[0].algorithm.scheme = .pkcs1(.sha256, flaw: .trailingGarbage)
            }.bytes)
        group.valid("exponent-three", "A leaf with the public exponent 3.", try receipt().signed(by: exponent3).bytes)
    }

    private static func algorithms(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        group.valid("sha-1", "SHA-1 throughout, as until 2023.", try message(.sha1).bytes, root: .sha1)
        group.rejected(
            "sha-1-refused", "sha1-not-accepted", openssl: "ok", "The same, and a policy that does not take SHA-1.",
            try message(.sha1).bytes, root: .sha1, (.sha1, "refused"))
        group.valid(
            "sha-256-where-sha-1-is-refused", "Its root is signed with SHA-1, on which nothing depends.", plain.bytes,
            root: .standard, (.sha1, "refused"))
        for (name, digest) in [("sha-1", DigestAlgorithm.sha1), ("sha-256", .sha256)] {
            let combined = try message { template in
                template.signers[0].digest = digest
                template.signers[0].algorithm = .rsa(digest)
            }
            group.valid("combined-name-\(name)", "The algorithm's name has the digest in it.", combined.bytes)
        }
        for digest in [DigestAlgorithm.md5, .sha384, .sha512] {
            let message = try message { template in
                template.signers[0].digest = digest
                template.signers[0].algorithm = .rsaEncryption(digest)
            }
            group.rejected(
                "digest-\(digest.rawValue.lowercased())", "unsupported-digest-algorithm", openssl: "ok",
                "No receipt uses this digest.", message.bytes)
        }
        let wrongName = try message { $0.signers[0].algorithm.identifier = SignatureAlgorithm.sha1WithRSA.identifier }
        group.rejected(
            "combined-name-of-another-digest", "unsupported-signature-algorithm", openssl: "ok",
            "sha1WithRSAEncryption over a SHA-256 digest.", wrongName.bytes)
        group.rejected(
            "rsa-pss", "unsupported-signature-algorithm", openssl: "ok", "RSASSA-PSS.",
            try message { $0.signers[0].algorithm = .rsaPSS(.sha256) }.bytes, root: .standard)
        group.rejected(
            "named-pss", "unsupported-signature-algorithm", openssl: "fail", "PKCS #1 v1.5 under the name of PSS.",
            try message { template in
                template.signers[0].algorithm.identifier = SignatureAlgorithm.rsaPSS(.sha256).identifier
            }.bytes)
        let ec = try Root.standard.chain { $0.leaf?.key = TestKeys.ec256 }
        group.rejected(
            "ecdsa", "unsupported-signature-algorithm", openssl: "ok", "A leaf with an EC key, and ECDSA.",
            try receipt().signed(by: ec) { $0.signers[0].algorithm = .ecdsa(.sha256) }.bytes, root: .standard,
            (.alsoFails, "public-keys"))
        let noParameters = BERNode.sequence([.oid(DigestAlgorithm.sha256.arcs)])
        group.valid(
            "digest-without-null", "The digest's parameters are absent, which RFC 5754 prefers.",
            try message { template in
                template.digestAlgorithms = [noParameters]
                template.signers[0].digestIdentifier = noParameters
            }.bytes)
        group.rejected(
            "digest-with-parameters", "unsupported-digest-algorithm", openssl: "ok", "Parameters that SHA-256 has not.",
            try message { template in
                template.signers[0].digestIdentifier = .sequence([.oid(DigestAlgorithm.sha256.arcs), .octetString([1])])
            }.bytes)
        group.rejected(
            "rsa-with-parameters", "unsupported-signature-algorithm", openssl: "ok", "Parameters that RSA has not.",
            try message { template in
                template.signers[0].algorithm.identifier = .sequence([
                    .oid([1, 2, 840, 113549, 1, 1, 1]), .octetString([1]),
                ])
            }.bytes)
        group.rejected(
            "digest-not-listed", "digest-algorithm-not-listed", openssl: "fail", "The container lists SHA-1 only.",
            try message { $0.digestAlgorithms = [DigestAlgorithm.sha1.identifier] }.bytes)
        group.rejected(
            "no-digests", "digest-algorithm-not-listed", openssl: "fail", "The container lists none.",
            try message { $0.digestAlgorithms = [] }.bytes)
        for (name, openssl, other) in [
            ("unknown-digest-listed", "fail", BERNode.sequence([.oid([1, 2, 840, 113549, 1, 7, 2])])),
            ("md5-listed", "ok", DigestAlgorithm.md5.identifier),
        ] {
            group.rejected(
                name, "unsupported-digest-algorithm", openssl: openssl,
                "The container lists another digest besides, which nothing uses.",
                try message { $0.digestAlgorithms = [other, DigestAlgorithm.sha256.identifier] }.bytes)
        }
        group.valid(
            "two-digests", "The container lists one more.",
            try message { $0.digestAlgorithms = [DigestAlgorithm.sha1.identifier, DigestAlgorithm.sha256.identifier] }
                .bytes)
    }

    private static func signedAttributes(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        typealias Attributes = SignerTemplate.SignedAttributes
        func with(_ edit: (inout Attributes) -> Void, _ more: (inout SignerTemplate) -> Void = { _ in }) throws
            -> ForgedMessage
        {
            try message { template in
                var attributes = Attributes()
                edit(&attributes)
                template.signers[0].signedAttributes = attributes
                more(&template.signers[0])
            }
        }
        let digestOctets = try DigestAlgorithm.sha256.digest(plain.payload)
        group.valid("attributes", "Signed attributes, which no known receipt has.", try with { _ in }.bytes)
        group.valid(
            "attributes-with-time", "With a signing time.", try with { $0.signingTime = "2025-06-01T12:00:00Z" }.bytes)
        group.valid(
            "attributes-unknown", "With an attribute of another kind.",
            try with { $0.extra = [.sequence([.oid([1, 2, 840, 113635, 100, 9, 1]), .set([.utf8String("x")])])] }.bytes)
        group.rejected(
            "attributes-without-digest", "message-digest-missing", openssl: "fail", "No message digest among them.",
            try with { $0.hasMessageDigest = false }.bytes)
        group.rejected(
            "attributes-of-another-content", "message-digest-mismatch", openssl: "fail", "Another content's digest.",
            try with { $0.messageDigest = [UInt8](repeating: 7, count: 32) }.bytes)
        group.rejected(
            "attributes-with-short-digest", "message-digest-mismatch", openssl: "fail",
            "The digest's first octets only.",
            try with { $0.messageDigest = Array(digestOctets.prefix(16)) }.bytes)
        group.rejected(
            "attributes-without-type", "content-type-mismatch", openssl: "fail", "No content type among them.",
            try with { $0.contentType = nil }.bytes)
        group.rejected(
            "attributes-of-another-type", "content-type-mismatch", openssl: "ok", "Another content type.",
            try with { $0.contentType = [1, 2, 840, 113549, 1, 7, 3] }.bytes)
        let digest = BERNode.sequence([
            .oid([1, 2, 840, 113549, 1, 9, 4]), .set([.octetString(digestOctets)]),
        ])
        group.rejected(
            "attributes-with-two-digests", "malformed-signed-attributes", openssl: "fail", "The message digest twice.",
            try with { $0.extra = [digest] }.bytes, root: .standard, (.cause, "invalid-extension"))
        group.rejected(
            "attributes-signed-as-content", "signature-mismatch", openssl: "fail",
            "The signature is over the content, as if there were no attributes.",
            try with({ _ in }, { $0.signedBytes = plain.payload }).bytes)
        let attributes = try with { _ in }.element(.inside(.signer(0), [3]))
        group.rejected(
            "attributes-signed-as-tagged", "signature-mismatch", openssl: "fail",
            "The signature is over the attributes with the tag they are sent with.",
            try with({ _ in }, { $0.signedBytes = attributes.encoded }).bytes)
        // The attributes of a signed message, passed off as a content that was signed without any.
        var asContent = attributes
        asContent.tag = BERNode.set([]).tag
        let swapped = try with { _ in }.damaged(
            .replace(.content, with: .octetString(asContent.encoded)), .remove(.inside(.signer(0), [3])))
        group.undecodable(
            "attributes-as-content", "unexpected-tag", at: try Place.payload.offset(in: swapped.bytes) + 4,
            openssl: "ok", "Signed attributes in the place of the content: the signature fits.", swapped.bytes)
        group.valid(
            "unsigned-attributes", "Unsigned attributes, which say nothing.",
            try message { template in
                template.signers[0].unsignedAttributes = [
                    .sequence([.oid([1, 2, 840, 113635, 100, 9, 1]), .set([.utf8String("x")])])
                ]
            }.bytes)
    }

    private static func signers(_ group: inout VectorGroup, _ plain: ForgedMessage) throws {
        group.rejected(
            "no-signer", "signer-info-missing", openssl: "fail", "Nobody signed.",
            try plain.damaged(.remove(.signer(0))).bytes)
        group.rejected(
            "two-signers", "multiple-signer-infos", openssl: "ok", "The same signer twice.",
            try plain.damaged(.duplicate(.signer(0))).bytes)
        let keyIdentifier = try DigestAlgorithm.sha1.digest(
            Array(plain.chain.leaf.key.publicKeyInfo().children[1].encodedContent.dropFirst()))
        group.rejected(
            "key-identifier", "unsupported-signer-identifier", openssl: "ok", "The signer is named by its key.",
            try message { template in
                template.version = 3
                template.signers[0].version = 3
                template.signers[0].identifier = .subjectKeyIdentifier(keyIdentifier)
            }.bytes, root: .standard)
        let issuer = plain.chain.leaf.issuer
        func named(_ issuer: BERNode, _ serial: BERNode) throws -> [UInt8] {
            try message { $0.signers[0].identifier = .issuerAndSerial(issuer: issuer, serial: serial) }.bytes
        }
        group.rejected(
            "another-serial", "signer-certificate-missing", openssl: "fail",
            "The leaf's issuer, another serial number.",
            try named(issuer.node, .integer(0x9999)))
        group.rejected(
            "another-issuer", "signer-certificate-missing", openssl: "fail",
            "The leaf's serial number, another issuer.",
            try named(plain.chain.root.subject.node, plain.chain.leaf.template.serial))
        var printable = issuer
        printable.parts = issuer.parts.map { $0.map(\.printable) }
        group.rejected(
            "issuer-in-another-string-type", "signer-certificate-missing", openssl: "ok",
            "The same name, other string types: names are compared by their bytes.",
            try named(printable.node, plain.chain.leaf.template.serial))
        group.valid(
            "signer-version-three", "A version of SignerInfo that belongs to key identifiers.",
            try message { $0.signers[0].version = 3 }.bytes)
    }
}

extension Damage {
    static func replaceSignature(_ bytes: [UInt8]) -> Damage { .replace(.signature(0), with: .octetString(bytes)) }
}
