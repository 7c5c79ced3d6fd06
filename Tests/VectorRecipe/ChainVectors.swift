import ReceiptForge

/// Which certificates there are, in which order, and where they lead.
extension Recipe {
    static func chain(_ group: inout VectorGroup) throws {
        try order(&group)
        try missing(&group)
        try foreign(&group)
        try length(&group)
    }

    private static func order(_ group: inout VectorGroup) throws {
        let certificates = try Root.standard.chain().certificates
        let names = ["leaf", "intermediate", "root"]
        for (a, b, c) in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)] {
            group.valid(
                "order-\(names[a])-\(names[b])-\(names[c])", "The signer is found by its name, not by its place.",
                try message { $0.certificates = [certificates[a], certificates[b], certificates[c]] }.bytes)
        }
        group.valid(
            "no-root", "The root need not be there: it is trusted already.",
            try message { $0.certificates = Array(certificates.prefix(2)) }.bytes)
        let other = try Root.other.chain()
        group.valid(
            "another-chain-beside", "The certificates of another chain are there too, before those that count.",
            try message { $0.certificates = other.certificates + certificates }.bytes)
        group.valid(
            "another-root-inside",
            "Another root in the place of the own: what is trusted does not come from the message.",
            try message { $0.certificates = Array(certificates.prefix(2)) + [other.root.der] }.bytes)
        group.valid(
            "a-bit-of-the-root-flipped", "One bit of the root's signature inside the message: nobody looks at it.",
            try message().damaged(.flipLast(of: .certificate(2))).bytes)
        group.valid(
            "certificates-twice", "Each certificate twice.",
            try message { $0.certificates = certificates + certificates }.bytes)
        // An intermediate of the same name whose key did not sign the leaf stands before the one whose key did.
        let impostor = try Root.standard.chain { $0.intermediate?.key = TestKeys.rsa2048(8) }
        group.valid(
            "two-intermediates-of-one-name", "The first of the two did not issue the leaf.",
            try message { template in
                template.certificates = [certificates[0], impostor.intermediate?.der ?? [], certificates[1]]
            }.bytes, root: .standard)
        // The same authority, certified anew under the same name and key.
        let expired = try Root.standard.chain { $0.intermediate?.notAfter = "2025-01-01T00:00:00Z" }
        let old = expired.intermediate?.der ?? []
        group.valid(
            "renewed-intermediate-after-the-expired", "The first of two intermediates with one key has expired.",
            try message { $0.certificates = [certificates[0], old, certificates[1], certificates[2]] }.bytes)
        group.valid(
            "renewed-intermediate-before-the-expired", "The second of two intermediates with one key has expired.",
            try message { $0.certificates = [certificates[0], certificates[1], old, certificates[2]] }.bytes)
    }

    private static func missing(_ group: inout VectorGroup) throws {
        let certificates = try Root.standard.chain().certificates
        let rows: [(String, String, [[UInt8]]?, String)] = [
            ("no-certificates-field", "signer-certificate-missing", nil, "The field is not there."),
            ("no-certificates", "signer-certificate-missing", [], "The field is empty."),
            ("no-leaf", "signer-certificate-missing", Array(certificates.dropFirst()), "The signer's is not there."),
            ("only-the-root", "signer-certificate-missing", [certificates[2]], "Only the root is there."),
            (
                "no-intermediate", "intermediate-missing", [certificates[0], certificates[2]],
                "The leaf's issuer is not there."
            ),
            ("only-the-leaf", "intermediate-missing", [certificates[0]], "Nothing but the leaf."),
        ]
        for (name, reason, list, comment) in rows {
            group.rejected(name, reason, openssl: "fail", comment, try message { $0.certificates = list }.bytes)
        }
        group.rejected(
            "leaf-is-no-certificate", "signer-certificate-missing", openssl: "fail",
            "An empty SEQUENCE in the place of the leaf.",
            try message { $0.certificates = [BERNode.sequence([]).encoded] + certificates.dropFirst() }.bytes,
            root: .standard, (.alsoFails, "container"))
    }

    private static func foreign(_ group: inout VectorGroup) throws {
        group.rejected(
            "another-root", "untrusted-root", openssl: "fail", "A whole chain that leads to another root.",
            try message(.other).bytes, root: .standard, (.alsoFails, "intermediate-signature"))
        group.rejected(
            "forged-for-apple", "untrusted-root", openssl: "fail",
            "The forge's own chain under the policy for real receipts.", try message().bytes, root: nil,
            (.alsoFails, "intermediate-signature"))
        let apple = try receipt { $0.creationDate = "2020-06-01T12:00:00Z" }.signed(by: Root.history.chain())
        group.rejected(
            "names-of-apple", "intermediate-signature-mismatch", openssl: "fail",
            "Every name as in Apple's chain, under Apple's root: the keys are the forge's.", apple.bytes, root: nil)
        group.rejected(
            "root-of-the-same-name", "intermediate-signature-mismatch", openssl: "fail",
            "The root has the name of the trusted one, and another key.", try message(.impostor).bytes)
        let wrongIssuer = try Root.standard.chain { $0.intermediate?.signingKey = TestKeys.rsa2048(8) }
        group.rejected(
            "intermediate-signed-by-another", "intermediate-signature-mismatch", openssl: "fail",
            "The intermediate names the root; another key signed it.", try receipt().signed(by: wrongIssuer).bytes)
        group.rejected(
            "leaf-signed-by-another", "signer-signature-mismatch", openssl: "fail",
            "The leaf names the intermediate; another key signed it.",
            try chained { $0.leaf?.signingKey = TestKeys.rsa2048(8) })
        group.rejected(
            "leaf-signed-by-the-root", "signer-signature-mismatch", openssl: "fail",
            "The leaf names the intermediate; the root's key signed it.",
            try chained { $0.leaf?.signingKey = TestKeys.rsa2048(0) })
        let plain = try message()
        let leafEnd = try plain.damaged(.flipLast(of: .certificate(0)))
        group.rejected(
            "leaf-signature-bit", "signer-signature-mismatch", openssl: "fail", "One bit of the leaf's signature.",
            leafEnd.bytes)
        group.rejected(
            "intermediate-signature-bit", "intermediate-signature-mismatch", openssl: "fail",
            "One bit of the intermediate's.", try plain.damaged(.flipLast(of: .certificate(1))).bytes)
        group.rejected(
            "leaf-lengthened", "signer-signature-mismatch", openssl: "fail",
            "The leaf's notAfter was moved after signing.",
            try plain.damaged(.replace(.inside(.certificate(0), [0, 4, 1]), with: .utcTime("491231235900Z"))).bytes)
        for flaw in [SignatureAlgorithm.PaddingFlaw.trailingGarbage, .parametersAbsent, .bareDigest] {
            let name = flaw.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            group.rejected(
                "leaf-padding-\(name)", "signer-signature-mismatch", openssl: "fail",
                "The right key, over a block that is not as PKCS #1 v1.5 wants it.",
                try chained { $0.leaf?.signatureAlgorithm.scheme = .pkcs1(.sha256, flaw: flaw) })
        }
        let root = try Root.standard.chain().root
        let selfSigned = try ForgedPKI(.standard(seed: 3)) { template in
            guard let leaf = template.leaf else { return }
            template.leaf?.issuer = leaf.subject
            template.leaf?.signingKey = leaf.key
        }
        group.rejected(
            "self-signed", "self-signed-signer", openssl: "fail", "A leaf that signed itself, and carries the marker.",
            try receipt().signed(by: selfSigned) { $0.certificates = [selfSigned.leaf.der, root.der] }.bytes)
    }

    private static func length(_ group: inout VectorGroup) throws {
        let standard = try Root.standard.chain()
        let direct = try ChainTemplate.standard().leaf?.issue(under: standard.root)
        let short = ForgedPKI(root: standard.root, intermediate: nil, leaf: direct ?? standard.leaf, digest: .sha256)
        group.rejected(
            "leaf-under-the-root", "path-too-short", openssl: "ok", "The root itself issued the leaf.",
            try receipt().signed(by: short).bytes)
        // Root, upper, lower, leaf.
        var upperTemplate = ChainTemplate.standard(seed: 2).intermediate
        upperTemplate?.basicConstraints?.pathLength = nil
        let upper = try upperTemplate?.issue(under: standard.root) ?? standard.root
        var lowerTemplate = ChainTemplate.standard().intermediate
        lowerTemplate?.subject.parts[1] = [.organizationalUnit("G0 lower")]
        let lower = try lowerTemplate?.issue(under: upper) ?? upper
        let leaf = try ChainTemplate.standard().leaf?.issue(under: lower) ?? standard.leaf
        let long = ForgedPKI(root: standard.root, intermediate: lower, leaf: leaf, digest: .sha256)
        group.rejected(
            "two-intermediates", "path-too-long", openssl: "ok", "One certificate more between leaf and root.",
            try receipt().signed(by: long) { template in
                template.certificates = [leaf.der, lower.der, upper.der, standard.root.der]
            }.bytes, root: .standard, (.alsoFails, "intermediate-signature"))
        group.rejected(
            "root-forbids-intermediates", "path-too-long", openssl: "fail", "The root has the path length 0.",
            try message(.pathLengthZero).bytes, root: .pathLengthZero)
        // The leaf's key issues another leaf.
        let below = try ChainTemplate.standard(seed: 2).leaf?.issue(under: standard.leaf) ?? standard.leaf
        let misused = ForgedPKI(root: standard.root, intermediate: standard.leaf, leaf: below, digest: .sha256)
        group.rejected(
            "leaf-issues-a-leaf", "not-a-certificate-authority", openssl: "fail",
            "Whoever has a leaf's key issues another: the classic failure to check basicConstraints.",
            try receipt().signed(by: misused) { template in
                template.certificates = [
                    below.der, standard.leaf.der, standard.intermediate?.der ?? [], standard.root.der,
                ]
            }.bytes, root: .standard, (.alsoFails, "key-usage anchor intermediate-marker intermediate-signature"))
    }
}

extension Damage {
    /// Flips a bit of the last byte of an element.
    static func flipLast(of place: Place) -> Damage {
        edit(place, "flip last byte") { node throws(ForgeError) in
            var bytes = node.encoded
            bytes[bytes.count - 1] ^= 1
            node = .verbatim(bytes)
        }
    }
}
