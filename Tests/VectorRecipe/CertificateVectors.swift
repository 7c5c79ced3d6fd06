import ReceiptForge

/// What leaf and intermediate say of themselves.
extension Recipe {
    static func certificates(_ group: inout VectorGroup) throws {
        try constraints(&group)
        try usage(&group)
        try markers(&group)
        try algorithmsOfCertificates(&group)
        try keys(&group)
        try malformedCertificates(&group)
    }

    private static func constraints(_ group: inout VectorGroup) throws {
        typealias Constraints = CertificateTemplate.BasicConstraints
        for (name, value) in [("no-authority", Constraints(isCA: false)), ("without-constraints", nil)] {
            group.rejected(
                "intermediate-\(name)", "not-a-certificate-authority", openssl: "fail",
                "The intermediate does not say that it is an authority.",
                try chained { $0.intermediate?.basicConstraints = value })
        }
        for length in [nil, 0, 5] as [Int?] {
            group.valid(
                "path-length-\(length.map(String.init) ?? "none")", "A path length that allows for the leaf.",
                try chained { $0.intermediate?.basicConstraints?.pathLength = length })
        }
        group.valid(
            "constraints-not-critical", "Basic constraints that are not critical.",
            try chained { $0.intermediate?.basicConstraints?.isCritical = false })
        group.valid(
            "leaf-without-constraints", "A leaf without basic constraints.",
            try chained { $0.leaf?.basicConstraints = nil })
        group.valid(
            "leaf-is-an-authority", "A leaf that says it is an authority, and signs no certificate.",
            try chained { $0.leaf?.basicConstraints = .init(isCA: true) })
        group.rejected(
            "path-length-negative", "malformed-certificate", openssl: "fail", "A path length below 0.",
            try chained { $0.intermediate?.basicConstraints?.pathLength = -1 }, root: .standard,
            (.cause, "invalid-extension"))
    }

    private static func usage(_ group: inout VectorGroup) throws {
        typealias Usage = CertificateTemplate.KeyUsage
        group.rejected(
            "intermediate-may-not-sign-certificates", "key-usage", openssl: "fail",
            "The intermediate's key is for signing content and lists only.",
            try chained { $0.intermediate?.keyUsage = Usage([0, 6]) })
        group.rejected(
            "leaf-may-not-sign", "key-usage", openssl: "ok", "The leaf's key is for encryption.",
            try chained { $0.leaf?.keyUsage = Usage([2, 3]) })
        group.valid(
            "leaf-non-repudiation", "Content commitment allows signing too.",
            try chained { $0.leaf?.keyUsage = Usage([1]) })
        group.valid(
            "no-key-usage", "No key usage forbids nothing.",
            try chained { template in
                template.leaf?.keyUsage = nil
                template.intermediate?.keyUsage = nil
            })
        group.valid(
            "key-usage-not-critical", "A key usage that is not critical.",
            try chained { $0.intermediate?.keyUsage?.isCritical = false })
        group.valid(
            "intermediate-with-digital-signature", "As Apple's intermediates were until 2023.",
            try chained { $0.intermediate?.keyUsage = Usage([0, 5, 6]) })
    }

    private static func markers(_ group: inout VectorGroup) throws {
        group.rejected(
            "no-leaf-marker", "signer-marker-missing", openssl: "ok",
            "The chain is right, the leaf is not one for receipts: any developer's certificate leads to the same root.",
            try chained { $0.leaf?.markers = [] })
        group.rejected(
            "developer-certificate", "signer-marker-missing", openssl: "ok",
            "The marker of a developer's certificate in its place.",
            try chained { $0.leaf?.markers = [[1, 2, 840, 113635, 100, 6, 1, 2]] })
        group.rejected(
            "marker-with-one-arc-more", "signer-marker-missing", openssl: "ok",
            "A marker that begins like the right one.",
            try chained { $0.leaf?.markers = [ChainTemplate.leafMarker + [1]] })
        group.rejected(
            "no-intermediate-marker", "intermediate-marker-missing", openssl: "ok", "The intermediate is not WWDR.",
            try chained { $0.intermediate?.markers = [] })
        group.rejected(
            "leaf-marker-on-the-intermediate", "intermediate-marker-missing", openssl: "ok",
            "The leaf's marker on the intermediate.",
            try chained { $0.intermediate?.markers = [ChainTemplate.leafMarker] })
        group.valid(
            "two-markers", "Another marker beside the right one.",
            try chained { template in
                template.leaf?.markers = [[1, 2, 840, 113635, 100, 6, 1, 2], ChainTemplate.leafMarker]
            })
        let unknown = CertificateExtension([1, 2, 840, 113635, 100, 6, 99], critical: true, .null)
        group.rejected(
            "unknown-critical-on-leaf", "unknown-critical-extension", openssl: "fail",
            "A critical extension nobody knows.",
            try chained { $0.leaf?.extraExtensions = [unknown] })
        group.rejected(
            "unknown-critical-on-intermediate", "unknown-critical-extension", openssl: "fail", "The same above.",
            try chained { $0.intermediate?.extraExtensions = [unknown] })
        for which in ["leaf", "intermediate"] {
            for (name, purpose) in [("code", 3), ("any-and-server", 0), ("unknown", 999)] as [(String, UInt)] {
                let arcs: [UInt] = purpose == 0 ? [2, 5, 29, 37, 0] : [1, 3, 6, 1, 5, 5, 7, 3, purpose]
                let usage = CertificateExtension(
                    [2, 5, 29, 37], critical: true,
                    .sequence([.oid(arcs)] + (purpose == 0 ? [.oid([1, 3, 6, 1, 5, 5, 7, 3, 1])] : [])))
                group.valid(
                    "extended-key-usage-critical-\(name)-\(which)", "Limited to usages that do not exclude receipts.",
                    try chained {
                        if which == "leaf" { $0.leaf?.extraExtensions = [usage] }
                        if which == "intermediate" { $0.intermediate?.extraExtensions = [usage] }
                    })
            }
            let servers = CertificateExtension(
                [2, 5, 29, 37], critical: true,
                .sequence([.oid([1, 3, 6, 1, 5, 5, 7, 3, 1]), .oid([1, 3, 6, 1, 5, 5, 7, 3, 2])]))
            group.rejected(
                "extended-key-usage-critical-servers-\(which)", "key-usage", openssl: "ok",
                "Limited to servers and clients: not for receipts.",
                try chained {
                    if which == "leaf" { $0.leaf?.extraExtensions = [servers] }
                    if which == "intermediate" { $0.intermediate?.extraExtensions = [servers] }
                })
        }
        let name = BERNode.sequence([.set([.sequence([.oid([2, 5, 4, 3]), .utf8String("Apple Root CA")])])])
        let rows: [(String, [UInt], BERNode, isRight: Bool)] = [
            (
                "crl-points-directory-name", [2, 5, 29, 31],
                .sequence([.sequence([.explicit(0, .explicit(0, .explicit(4, name)))])]), true
            ),
            ("crl-points-of-integers", [2, 5, 29, 31], .sequence([.integer(5)]), false),
            ("alternative-name-directory", [2, 5, 29, 17], .sequence([.explicit(4, name)]), true),
            ("alternative-name-of-integers", [2, 5, 29, 17], .sequence([.integer(5)]), false),
            ("issuer-alternative-name-of-integers", [2, 5, 29, 18], .sequence([.integer(5)]), false),
            ("extended-key-usage-of-integers", [2, 5, 29, 37], .sequence([.integer(5)]), false),
        ]
        for (title, identifier, value, isRight) in rows {
            let one = CertificateExtension(identifier, critical: false, value)
            let bytes = try chained { $0.leaf?.extraExtensions = [one] }
            if isRight {
                group.valid(title, "An extension of its type that restricts nothing.", bytes)
            } else {
                group.rejected(
                    // OpenSSL never reads an issuer's alternative names.
                    title, "malformed-certificate", openssl: identifier.last == 18 ? "ok" : "fail",
                    "Well-formed, and not of the extension's type.",
                    bytes, root: .standard)
            }
        }
        var harmless = unknown
        harmless.isCritical = false
        group.valid(
            "unknown-not-critical", "The same extension, not critical.",
            try chained { $0.leaf?.extraExtensions = [harmless] })
        let policies = CertificateExtension(
            [2, 5, 29, 32], critical: true, .sequence([.sequence([.oid([1, 2, 840, 113635, 100, 5, 6, 1])])]))
        group.valid(
            "policies-critical", "Critical policies restrict nothing here.",
            try chained { $0.leaf?.extraExtensions = [policies] })
        let foreign = [UInt8](repeating: 1, count: 20)
        group.rejected(
            "key-identifier-of-another", "signer-signature-mismatch", openssl: "fail",
            "The leaf names another key of its issuer; the signature is right.",
            try chained { $0.leaf?.authorityKeyIdentifier = .bytes(foreign) })
        group.rejected(
            "key-identifier-of-another-root", "intermediate-signature-mismatch", openssl: "fail",
            "The intermediate names another key of the root's.",
            try chained { $0.intermediate?.authorityKeyIdentifier = .bytes(foreign) })
        group.rejected(
            "key-identifier-malformed", "signer-signature-mismatch", openssl: "fail",
            "A number for the leaf's own key.",
            try chained { template in
                template.leaf?.subjectKeyIdentifier = .absent
                template.leaf?.extraExtensions = [CertificateExtension([2, 5, 29, 14], .integer(1))]
            })
        group.valid(
            "no-key-identifiers", "No key identifiers at all.",
            try chained { template in
                template.leaf?.authorityKeyIdentifier = .absent
                template.intermediate?.authorityKeyIdentifier = .absent
                template.intermediate?.subjectKeyIdentifier = .absent
            })
    }

    private static func algorithmsOfCertificates(_ group: inout VectorGroup) throws {
        group.rejected(
            "algorithm-inside-differs", "algorithm-mismatch", openssl: "fail", "SHA-1 inside, SHA-256 outside.",
            try chained { $0.leaf?.innerAlgorithm = SignatureAlgorithm.sha1WithRSA.identifier })
        group.rejected(
            "parameters-inside-differ", "algorithm-mismatch", openssl: "fail", "NULL outside, nothing inside.",
            try chained { $0.leaf?.innerAlgorithm = .sequence([.oid([1, 2, 840, 113549, 1, 1, 11])]) })
        for digest in [DigestAlgorithm.md5, .sha384, .sha512] {
            group.rejected(
                "leaf-\(digest.rawValue.lowercased())", "unsupported-signature-algorithm", openssl: "ok",
                "The leaf is signed with a digest that Apple's are not.",
                try chained { $0.leaf?.signatureAlgorithm = .rsa(digest) }, root: .standard,
                (.alsoFails, "signer-signature"))
        }
        group.rejected(
            "leaf-pss", "unsupported-signature-algorithm", openssl: "ok", "The leaf is signed with RSASSA-PSS.",
            try chained { $0.leaf?.signatureAlgorithm = .rsaPSS(.sha256) }, root: .standard,
            (.alsoFails, "signer-signature"))
        group.valid(
            "leaf-sha-1", "The leaf is signed with SHA-1, the content with SHA-256.",
            try chained { $0.leaf?.signatureAlgorithm = .sha1WithRSA })
        group.rejected(
            "leaf-sha-1-refused", "sha1-not-accepted", openssl: "ok",
            "The same, and a policy that does not take SHA-1.",
            try chained { $0.leaf?.signatureAlgorithm = .sha1WithRSA }, root: .standard, (.sha1, "refused"))
    }

    private static func keys(_ group: inout VectorGroup) throws {
        let good: [(String, ForgedKey)] = [
            ("1024", TestKeys.rsa1024), ("2047", TestKeys.rsa2047), ("3072", TestKeys.rsa3072),
            ("4096", TestKeys.rsa4096),
        ]
        for (name, key) in good {
            group.valid("leaf-of-\(name)-bits", "A key within the bounds.", try chained { $0.leaf?.key = key })
        }
        let bad: [(String, ForgedKey, String)] = [
            ("512", TestKeys.rsa512, "Too short."), ("8192", TestKeys.rsa8192, "Too long."),
        ]
        for (name, key, comment) in bad {
            group.rejected(
                "leaf-of-\(name)-bits", "unsupported-public-key", openssl: "ok", comment,
                try chained { $0.leaf?.key = key })
            group.rejected(
                "intermediate-of-\(name)-bits", "unsupported-public-key", openssl: "ok", comment,
                try chained { $0.intermediate?.key = key })
        }
        let ec = try receipt().signed(by: try Root.standard.chain { $0.leaf?.key = TestKeys.ec256 }) { template in
            template.signers[0].algorithm.scheme = .verbatim([UInt8](repeating: 1, count: 256))
        }
        group.rejected("leaf-with-ec-key", "unsupported-public-key", openssl: "fail", "An EC key.", ec.bytes)
        let numbers = try TestKeys.rsa2048(2).rsaPublicNumbers() ?? ([], [])
        let exponents: [(String, [UInt8], String)] = [
            ("one", [1], "With it, everything is its own signature."), ("two", [2], "An even exponent."),
            ("of-33-bits", [1, 0, 0, 0, 1], "Longer than any in use."),
        ]
        for (name, exponent, comment) in exponents {
            group.rejected(
                "exponent-\(name)", "unsupported-public-key", openssl: "fail", comment,
                try chained { template in
                    template.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(
                        modulus: numbers.modulus, exponent: exponent)
                })
        }
        var even = numbers.modulus
        even[even.count - 1] &= 0xFE
        group.rejected(
            "modulus-even", "unsupported-public-key", openssl: "fail", "A modulus that is divisible by two.",
            try chained { $0.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(modulus: even, exponent: [1, 0, 1]) })
        group.rejected(
            "modulus-of-16384-bits", "unsupported-public-key", openssl: "fail",
            "A modulus that would keep a server busy.",
            try chained { template in
                let modulus = [UInt8](repeating: 0xFF, count: 2_048)
                template.leaf?.publicKeyInfo = ForgedKey.rsaPublicKeyInfo(modulus: modulus, exponent: [1, 0, 1])
            })
    }

    private static func malformedCertificates(_ group: inout VectorGroup) throws {
        func issued(
            _ edit: (inout CertificateTemplate) -> Void = { _ in }, tbs: (inout BERNode) -> Void = { _ in }
        ) throws -> [UInt8] {
            let standard = try Root.standard.chain()
            var template = standard.leaf.template
            edit(&template)
            let leaf = try template.issue(under: standard.intermediate, editing: tbs)
            return try receipt().signed(
                by: ForgedPKI(root: standard.root, intermediate: standard.intermediate, leaf: leaf, digest: .sha256)
            ).bytes
        }
        let boolean = BERNode(.init(.universal, 1), .bytes([1]))
        let rows: [(String, String, String, [UInt8], String)] = [
            (
                "name-of-half-a-character", "invalid-bmpstring", "fail",
                try issued { template in
                    let odd = BERNode(.init(.universal, 30), .bytes([0, 0x41, 0]))
                    template.subject.parts.append([.init([2, 5, 4, 5], odd)])
                }, "A BMPString of three octets in the name."
            ),
            ("version-four", "unsupported-version", "ok", try issued { $0.version = 4 }, "X.509 version 4."),
            (
                "version-one-written", "encoded-default", "ok",
                try issued(tbs: { tbs in
                    tbs[[0, 0]] = .integer(0)
                }), "The default version, written out."
            ),
            (
                "time-without-seconds", "invalid-time", "fail",
                try issued { $0.notAfter = .init(node: .utcTime("4912312359Z")) },
                "A time as RFC 5280 forbids it."
            ),
            (
                "time-with-offset", "invalid-time", "fail",
                try issued { $0.notAfter = .init(node: .utcTime("491231235959+0000")) },
                "A time with an offset."
            ),
            (
                "extension-twice", "duplicate-extension", "ok",
                try issued { template in
                    template.extraExtensions = [CertificateExtension(ChainTemplate.leafMarker, .null)]
                }, "The marker twice."
            ),
            (
                "critical-false-written", "encoded-default", "ok",
                try issued(tbs: { tbs in
                    tbs[[7, 0, 1]].children.insert(.boolean(false), at: 1)
                }), "critical FALSE, written out."
            ),
            (
                "critical-is-01", "invalid-boolean", "ok",
                try issued(tbs: { tbs in
                    tbs[[7, 0, 0, 1]] = boolean
                }), "TRUE as 01."
            ),
            (
                "signature-with-unused-bits", "invalid-bit-string", "fail",
                try message().damaged(
                    .edit(.inside(.certificate(0), [2])) { node in
                        var bytes = node.encodedContent
                        bytes[0] = 8
                        node.content = .bytes(bytes)
                    }
                ).bytes, "A BIT STRING with eight unused bits."
            ),
            (
                "extensions-33", "too-many-extensions", "ok",
                try issued { template in
                    template.extraExtensions = (0..<33).map {
                        CertificateExtension([1, 3, 6, 1, 4, 1, 99_999, $0], .null)
                    }
                }, "More extensions than the limit."
            ),
            (
                "modulus-negative", "invalid-integer", "fail",
                try issued { template in
                    let key = BERNode.sequence([
                        .integer(octets: [UInt8](repeating: 0x81, count: 256)), .integer(65_537),
                    ])
                    template.publicKeyInfo = .sequence([
                        SignatureAlgorithm.rsaEncryption(.sha256).identifier, .bitString(key.encoded),
                    ])
                }, "A modulus without its sign octet."
            ),
            (
                "tail-in-the-key", "trailing-bytes", "fail",
                try issued { template in
                    let numbers = (try? TestKeys.rsa2048(2).rsaPublicNumbers()) ?? nil
                    let key = BERNode.sequence([
                        .integer(magnitude: numbers?.modulus ?? []), .integer(65_537), .integer(1),
                    ])
                    template.publicKeyInfo = .sequence([
                        SignatureAlgorithm.rsaEncryption(.sha256).identifier, .bitString(key.encoded),
                    ])
                }, "A third number in the key."
            ),
        ]
        for (name, cause, openssl, bytes, comment) in rows {
            group.rejected(
                "leaf-\(name)", "malformed-certificate", openssl: openssl, comment, bytes, root: .standard,
                (.cause, cause), (.alsoFails, "container"))
        }
        group.valid(
            "generalized-time", "A time of this decade as GeneralizedTime, against RFC 5280's advice.",
            try issued { $0.notBefore = .init(node: .generalizedTime("20200101000000Z")) })
        for (name, serial) in [
            ("zero", BERNode.integer(0)), ("negative", .integer(-5)),
            ("of-25-octets", .integer(magnitude: [UInt8](repeating: 0x7A, count: 25))),
        ] {
            group.valid(
                "serial-\(name)", "Serial numbers that RFC 5280 does not want, and CAs have issued.",
                try issued { $0.serial = serial })
        }
        group.rejected(
            "leaf-version-one", "signer-marker-missing", openssl: "ok", "An X.509 v1 leaf, without extensions.",
            try issued { template in
                template.version = 1
                template.basicConstraints = nil
                template.keyUsage = nil
                template.subjectKeyIdentifier = .absent
                template.authorityKeyIdentifier = .absent
                template.markers = []
            })
    }
}
