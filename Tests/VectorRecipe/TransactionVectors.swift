import ReceiptForge

/// iOS 6-style transaction receipts. The input is what an app sent: the property list, or its base64.
extension Recipe {
    static func transaction(_ group: inout VectorGroup) throws {
        try transactionVersions(&group)
        try transactionChains(&group)
        try transactionSignatures(&group)
        try transactionExpectations(&group)
        try transactionTexts(&group)
        try transactionValues(&group)
        try transactionBlobs(&group)
    }

    /// Certificates that stand in for those that a caller passes, by the name of their files.
    package static func intermediates() throws -> [(name: String, certificate: ForgedCertificate)] {
        try Intermediate.allCases.compactMap { name in
            try name.chain().intermediate.map { (name.rawValue, $0) }
        }
    }

    /// A chain whose intermediate is passed with a transaction receipt. All of them end in ``Root/sha1`` or, the first, in
    /// ``Root/standard``.
    enum Intermediate: String, CaseIterable {
        case standard
        case sha1
        case g1
        case purchaseReceipts = "purchase-receipts"
        case purchaseReceiptsUnmarked = "purchase-receipts-unmarked"
        case unmarked
        case notAuthority = "not-authority"
        case expired
        case namesake

        func chain(editing edit: (inout ChainTemplate) -> Void = { _ in }) throws -> ForgedPKI {
            var template: ChainTemplate =
                switch self {
                case .standard: .standard()
                case .g1: .generation(.g1)
                case .purchaseReceipts, .purchaseReceiptsUnmarked: .purchaseReceipts()
                default: .sha1()
                }
            switch self {
            case .purchaseReceiptsUnmarked, .unmarked: template.intermediate?.markers = []
            case .notAuthority: template.intermediate?.basicConstraints = .init(isCA: false)
            case .expired: template.intermediate?.notAfter = "2016-03-01T00:00:00Z"
            case .namesake: template.intermediate?.key = TestKeys.rsa2048(5)
            default: break
            }
            return try ForgedPKI(template, editing: edit)
        }

        var root: Root { self == .standard ? .standard : .sha1 }
    }

    /// A signed receipt.
    private static func signed(
        _ receipt: ForgedTransactionReceipt = .init(), _ chain: Intermediate = .sha1,
        editing edit: (inout ChainTemplate) -> Void = { _ in }
    ) throws -> [UInt8] {
        try receipt.signed(by: chain.chain(editing: edit)).bytes
    }

    /// A receipt that was changed after it was signed.
    private static func damaged(
        _ receipt: ForgedTransactionReceipt = .init(), _ chain: Intermediate = .sha1,
        _ change: (inout ForgedTransactionReceipt.Signed) -> Void
    ) throws -> [UInt8] {
        var signed = try receipt.signed(by: chain.chain())
        change(&signed)
        return signed.bytes
    }

    // MARK: - Valid in every version

    private static func transactionVersions(_ group: inout VectorGroup) throws {
        let pinned = (Vector.Key.authority, Intermediate.purchaseReceipts.rawValue)
        let archive = try ForgedTransactionReceipt(version: 2).signed(by: Intermediate.purchaseReceipts.chain())
        group.transaction(
            "version-2", "valid", "Of before 2016, under an authority that the policy pins.", archive.bytes,
            .purchaseReceipts, [pinned])
        group.transaction("version-3", "valid", "SHA-1.", try signed())
        group.transaction(
            "version-3-under-g1", "valid", "In the years of Apple's WWDR G1.", try signed(.init(), .g1), .g1)
        group.transaction(
            "version-4", "valid", "SHA-256, since 2025.", try signed(.init(version: 4), .standard), .standard)
        group.transaction(
            "version-4-sha-1-refused", "valid", "Nothing in it needs SHA-1.", try signed(.init(version: 4), .standard),
            .standard, [(.sha1, "refused")])
        group.transaction(
            "subscription", "valid", "With the keys that subscriptions have, from production.",
            try signed(.init(purchaseInfo: .subscription, envelope: ["pod": "17", "signing-status": "0"])))
        let forms: [(String, [TextForm], String)] = [
            ("base64", [], "As apps sent it to their servers."),
            ("base64-wrapped", [.wrapped(columns: 76, newline: "\r\n")], "In lines of 76 columns."),
            ("base64-twice", [.base64Again], "Encoded once too often."),
            ("base64-form-decoded", [.plusAsSpace, .quoted], "With blanks in the place of plus signs, in quotes."),
        ]
        let plain = try ForgedTransactionReceipt().signed(by: Intermediate.sha1.chain())
        for (name, forms, comment) in forms {
            group.transaction(name, "valid", comment, Array(plain.text(forms).utf8))
        }
    }

    // MARK: - Chains

    private static func transactionChains(_ group: inout VectorGroup) throws {
        let old = ForgedTransactionReceipt(version: 2)
        let pinned = (Vector.Key.authority, Intermediate.purchaseReceipts.rawValue)
        group.transaction(
            "version-2-not-pinned", "rejected/signer-marker-missing",
            "The authority of old purchase receipts counts only where a policy says so.",
            try signed(old, .purchaseReceipts), .purchaseReceipts, alsoFails: "intermediate-marker")
        group.transaction(
            "version-2-pinned-without-marker", "rejected/signer-marker-missing",
            "A pin turns no other certificate into such an authority.", try signed(old, .purchaseReceiptsUnmarked),
            .purchaseReceiptsUnmarked, [(.authority, Intermediate.purchaseReceiptsUnmarked.rawValue)],
            alsoFails: "intermediate-marker")
        group.transaction(
            "version-2-leaf-for-receipts", "rejected/signer-marker-missing",
            "The marker of receipts is none of purchase receipts.",
            try signed(old, .purchaseReceipts, editing: { $0.leaf?.markers = [ChainTemplate.leafMarker] }),
            .purchaseReceipts, [pinned])
        group.transaction(
            "purchase-receipt-leaf-elsewhere", "rejected/signer-marker-missing",
            "Nor the other way round.",
            try signed(editing: { $0.leaf?.markers = [ChainTemplate.purchaseReceiptMarker] }))
        group.transaction(
            "developers-leaf", "rejected/signer-marker-missing", "Any paid developer has one.",
            try signed(editing: { $0.leaf?.markers = [] }))
        group.transaction(
            "no-intermediate", "rejected/intermediate-missing", "The receipt does not carry it.", try signed(), nil)
        group.transaction(
            "unmarked-intermediate", "rejected/intermediate-marker-missing", "Another authority of the same root.",
            try signed(.init(), .unmarked), .unmarked)
        group.transaction(
            "intermediate-is-no-authority", "rejected/not-a-certificate-authority", "It may not issue certificates.",
            try signed(.init(), .notAuthority), .notAuthority, openssl: "fail")
        group.transaction(
            "intermediate-expired", "rejected/certificate-expired", "Two weeks before the purchase.",
            try signed(.init(), .expired), .expired, openssl: "fail")
        group.transaction(
            "intermediate-is-a-namesake", "rejected/signer-signature-mismatch",
            "One of the same name, as WWDR of 2008 and G1 are.", try signed(), .namesake, openssl: "fail")
        group.transaction(
            "namesake-beside-the-right-one", "valid", "The one that signed is found.", try signed(), .namesake,
            [(.intermediate, Intermediate.sha1.rawValue)])
        group.transaction(
            "leaf-expired", "rejected/certificate-expired", "In the very second of the purchase.",
            try signed(editing: { $0.leaf?.notAfter = "2016-03-15T12:00:00Z" }), openssl: "varies")
        group.transaction(
            "leaf-not-yet-valid", "rejected/certificate-not-yet-valid", "One second before it.",
            try signed(editing: { $0.leaf?.notBefore = "2016-03-15T12:00:01Z" }), openssl: "fail")
        group.transaction(
            "at-another-time", "rejected/certificate-expired", "Asked as of a date after its certificates.",
            try signed(.init(), .g1), .g1, [(.at, "2024-01-01T00:00:00Z")], openssl: "fail")
        group.transaction(
            "sha-1-refused", "rejected/sha1-not-accepted", "By the policy.", try signed(), .sha1, [(.sha1, "refused")])
        group.transaction(
            "leaf-is-no-certificate", "rejected/malformed-certificate", "An empty sequence in its place.",
            try damaged { $0.certificate = [0x30, 0] }, openssl: "fail")
    }

    // MARK: - Signatures

    private static func transactionSignatures(_ group: inout VectorGroup) throws {
        func mismatch(_ name: String, _ comment: String, _ input: [UInt8], _ chain: Intermediate = .sha1) {
            group.transaction(
                name, "rejected/signature-mismatch", comment, input, chain, openssl: "fail")
        }
        mismatch(
            "edited-product", "Another product than the one that was bought.",
            try damaged { $0.purchaseInfo.replace("com.example.coins".utf8, with: "com.example.gold!".utf8) })
        mismatch("white-space-added", "What is signed is bytes.", try damaged { $0.purchaseInfo.append(0x0A) })
        mismatch("signature-bit", "One bit of the signature.", try damaged { $0.signature[128] ^= 1 })
        mismatch(
            "signature-of-zeros", "Zero to any power is zero.",
            try damaged { $0.signature = [UInt8](repeating: 0, count: 256) })
        mismatch("version-3-as-4", "The version is signed.", try damaged { $0.version = 4 })
        mismatch(
            "version-4-as-3", "The other way round.", try damaged(.init(version: 4), .standard) { $0.version = 3 },
            .standard)
        var receipt = ForgedTransactionReceipt(version: 4)
        receipt.digest = .sha1
        mismatch("version-4-with-sha-1", "The version chooses the digest.", try signed(receipt, .standard), .standard)
        receipt = ForgedTransactionReceipt()
        receipt.digest = .sha256
        mismatch("version-3-with-sha-256", "The other way round.", try signed(receipt))
        receipt = ForgedTransactionReceipt()
        receipt.signedPrefix = []
        mismatch(
            "version-not-signed", "Without the version, the signature is over something else.", try signed(receipt))
        for flaw in SignatureAlgorithm.PaddingFlaw.allCases where flaw != .none {
            receipt = ForgedTransactionReceipt()
            receipt.flaw = flaw
            let name = flaw.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
            mismatch("padding-\(name)", "A flaw in the signature's padding.", try signed(receipt))
        }
    }

    // MARK: - Expectations

    private static func transactionExpectations(_ group: inout VectorGroup) throws {
        let production = ForgedTransactionReceipt(purchaseInfo: .subscription, envelope: ["pod": "17"])
        let input = try signed(production)
        let rows: [(String, String, [(Vector.Key, String)], String)] = [
            ("app", "valid", [(.bundleID, "com.example.app")], "The app that was expected."),
            ("another-app", "rejected/bundle-identifier-mismatch", [(.bundleID, "com.example.other")], "Another app."),
            ("app-version", "valid", [(.appVersion, "1.2.3")], "The version that was expected."),
            ("another-app-version", "rejected/application-version-mismatch", [(.appVersion, "1.2")], "Another one."),
            ("product", "valid", [(.productID, "com.example.monthly")], "The product that was expected."),
            ("another-product", "rejected/product-missing", [(.productID, "com.example.coins")], "Another one."),
            ("transaction-number", "valid", [(.transactionID, "170000200000002")], "The transaction asked for."),
            (
                "original-transaction-number", "rejected/transaction-missing", [(.transactionID, "170000200000001")],
                "Its first transaction is another receipt's."
            ),
            (
                "device-by-vendor", "valid", [(.deviceID, "0123456789AB4CDE8F0123456789ABCD")],
                "identifierForVendor stands in the receipt."
            ),
            (
                "device-by-identifier", "valid",
                [(.deviceID, "00"), (.deviceID, "0123456789abcdef0123456789abcdef01234567")],
                "So does the device's own identifier."
            ),
            ("another-device", "rejected/device-mismatch", [(.deviceID, "00")], "Another device."),
            ("young", "valid", [(.maximumAge, "3600"), (.now, "2016-03-15T13:00:00Z")], "An hour after the purchase."),
            (
                "old", "rejected/receipt-too-old", [(.maximumAge, "3600"), (.now, "2016-03-15T13:00:01Z")],
                "A second more."
            ),
            (
                "production-unsigned", "rejected/environment-not-signed", [(.environment, "production")],
                "Production is stated by silence, outside the signature."
            ),
            (
                "production-believed", "valid", [(.environment, "production"), (.unsignedEnvironment, "believed")],
                "The policy believes it."
            ),
            (
                "production-where-sandbox-is-expected", "rejected/environment-mismatch", [(.environment, "sandbox")],
                "What is stated can speak against it."
            ),
        ]
        for (name, expect, headers, comment) in rows {
            group.transaction(name, expect, comment, input, .sha1, headers)
        }
        var stripped = ForgedTransactionReceipt()
        stripped.envelope["environment"] = nil
        group.transaction(
            "sandbox-with-the-line-taken-away", "rejected/environment-mismatch",
            "Its signed number still says sandbox, whatever is believed.", try signed(stripped), .sha1,
            [(.environment, "production"), (.unsignedEnvironment, "believed")])
        group.transaction(
            "sandbox", "valid", "The signed number says so too.", try signed(), .sha1, [(.environment, "sandbox")])
        var claimed = production
        claimed.envelope["environment"] = "Xcode"
        group.transaction(
            "unknown-environment", "rejected/environment-mismatch", "A word that nobody knows.", try signed(claimed),
            .sha1, [(.environment, "production"), (.unsignedEnvironment, "believed")])
        var undated = ForgedTransactionReceipt()
        undated.purchaseInfo["purchase-date"] = nil
        undated.purchaseInfo["purchase-date-ms"] = nil
        group.transaction(
            "no-purchase-date", "rejected/purchase-date-missing", "There is no time to check the certificates at.",
            try signed(undated))
    }

    // MARK: - Texts

    private static func transactionTexts(_ group: inout VectorGroup) throws {
        let good = try ForgedTransactionReceipt().signed(by: Intermediate.sha1.chain())
        let list = good.list
        let flat = list.entries.map { "\"\($0.key)\"=\"\($0.value)\";" }.joined()
        let value = Array((list["signature"] ?? "").utf8)
        let valid: [(String, String, String)] = [
            ("one-line", "{\(flat)}", "Without white space."),
            ("surrounded-by-space", " \r\n{ \(flat) }\n\n", "With white space around."),
            (
                "unquoted", "{" + list.entries.map { "\($0.key) = \"\($0.value)\";" }.joined() + "}",
                "As the system prints a dictionary: words stand without quotes."
            ),
            (
                "escaped", "{" + flat.replacing("Sandbox", with: "S\\141ndb\\U006fx") + "}",
                "Octal and Unicode escapes."
            ),
            (
                "value-in-lines",
                "{"
                    + flat.replacing(
                        String(decoding: value, as: UTF8.self),
                        with: String(decoding: value.prefix(76), as: UTF8.self) + "\n"
                            + String(decoding: value.dropFirst(76), as: UTF8.self)) + "}",
                "Base64 inside that was broken into lines."
            ),
            ("unknown-keys", "{\(flat)\"x-new\"=\"1\";}", "A key that nobody knows."),
        ]
        for (name, text, comment) in valid { group.transaction(name, "valid", comment, Array(text.utf8)) }

        let end = flat.utf8.count + 1
        let faults: [(String, String, String, Int, String)] = [
            ("no-semicolon", "{\(flat)\"a\"=\"b\"}", "property-list-syntax", end + 7, "Every entry ends in one."),
            (
                "single-quotes", "{\(flat)'a'='b';}", "property-list-syntax", end,
                "There are no others than double quotes."
            ),
            ("comment", "{\(flat)/* */}", "property-list-comment", end, "No receipt has one."),
            (
                "dictionary-inside", "{\(flat)\"a\"={};}", "property-list-not-a-string", end + 4,
                "All values are strings."
            ),
            (
                "array-inside", "{\(flat)\"a\"=(\"b\");}", "property-list-not-a-string", end + 4,
                "All values are strings."
            ),
            (
                "unknown-escape", "{\(flat)\"a\"=\"\\x41\";}", "property-list-escape", end + 5,
                "There is no such escape."
            ),
            ("lone-surrogate", "{\(flat)\"a\"=\"\\Ud83d\";}", "property-list-escape", end + 5, "Half a character."),
            (
                "signature-twice", "{\(flat)\"signature\"=\"\";}", "property-list-duplicate-key", end,
                "Two readers could take different ones."
            ),
            (
                "too-many-keys", "{\(flat)" + (0..<60).map { "k\($0)=v;" }.joined() + "}", "property-list-limit",
                end + (0..<59).reduce(0) { $0 + "k\($1)=v;".utf8.count }, "More than 64."
            ),
            (
                "no-signature", "{\"purchase-info\"=\"e30=\";}", "missing-signature", 25, "Nothing to verify."
            ),
            (
                "no-purchase-info", "{\"signature\"=\"Ag==\";\"x\"=\"purchase-info\";}", "missing-purchase-info", 41,
                "Nothing that was signed."
            ),
            (
                "neither", "{\"a\"=\"purchase-info\";}", "not-a-transaction-receipt", 0,
                "A property list of something else."
            ),
            (
                "purchase-info-alone", ForgedPropertyList.consumable.text, "purchase-info", 0,
                "What is signed, without the signature."
            ),
        ]
        for (name, text, code, offset, comment) in faults {
            group.transaction(
                name, "undecodable/\(code)@\(offset)", comment, Array(text.utf8), openssl: "fail")
        }
    }

    // MARK: - Values

    private static func transactionValues(_ group: inout VectorGroup) throws {
        var disagreeing = ForgedTransactionReceipt()
        disagreeing.purchaseInfo["purchase-date"] = "1999-01-01 00:00:00 Etc/GMT"
        disagreeing.purchaseInfo["purchase-date-pst"] = "yesterday"
        group.transaction(
            "dates-disagree", "valid", "Milliseconds decide; all three forms are signed.", try signed(disagreeing))
        var formatted = ForgedTransactionReceipt()
        formatted.purchaseInfo["purchase-date-ms"] = nil
        group.transaction(
            "date-without-milliseconds", "valid", "Then the form with Etc/GMT decides.", try signed(formatted))
        let rows: [(String, String, String)] = [
            ("purchase-date-ms", "soon", "No number."), ("purchase-date-ms", "-1", "Before 1970."),
            ("purchase-date-ms", "253402300800000", "After the year 9999."), ("quantity", "1.0", "No whole number."),
            ("item-id", "9223372036854775808", "More than 64 bits hold."), ("is-trial-period", "yes", "No boolean."),
        ]
        for (number, (key, value, comment)) in rows.enumerated() {
            var receipt = ForgedTransactionReceipt()
            receipt.purchaseInfo.entries.removeAll { $0.key == key }
            receipt.purchaseInfo.entries.insert(.init(key: key, value: value), at: 0)
            // Its value begins after brace, line end, tab, the key in quotes, equals sign and quote.
            let inside = 3 + key.utf8.count + 2 + 3 + 1
            let input = try signed(receipt)
            let offset = try Recipe.offset(of: "purchase-info\" = \"", in: input, after: true) + inside / 3 * 4
            group.transaction(
                "value-\(number + 1)-\(key)", "undecodable/malformed-purchase-info-value@\(offset)", comment, input,
                openssl: "varies")
        }
    }

    // MARK: - The signature blob

    private static func transactionBlobs(_ group: inout VectorGroup) throws {
        let good = try ForgedTransactionReceipt().signed(by: Intermediate.sha1.chain())
        let rows: [(String, String, Int, (inout ForgedTransactionReceipt.Signed) -> Void, String)] = [
            (
                "placeholder", "signature-is-text", 0, { $0.blobOverride = Array("company_signature".utf8) },
                "A word in the place of the signature, as in documentation."
            ),
            ("version-1", "unknown-signature-version", 0, { $0.version = 1 }, "A version that nobody has seen."),
            ("version-5", "unknown-signature-version", 0, { $0.version = 5 }, "The next version, perhaps."),
            ("blob-empty", "truncated", 0, { $0.blobOverride = [] }, "No signature at all."),
            ("blob-cut", "truncated", 260, { $0.blobOverride = Array($0.blob.prefix(260)) }, "Ends in the length."),
            (
                "certificate-length-too-large", "truncated", good.blob.count, { $0.certificateLength = .max },
                "A length of 2^32 - 1."
            ),
            ("certificate-length-too-small", "trailing-bytes", 271, { $0.certificateLength = 10 }, "Ten bytes of it."),
            ("blob-with-trailer", "trailing-bytes", good.blob.count, { $0.trailer = [0] }, "A byte too many."),
        ]
        for (name, code, inside, change, comment) in rows {
            var changed = good
            change(&changed)
            let offset = try Recipe.offset(of: "signature\" = \"", in: changed.bytes, after: true) + inside / 3 * 4
            group.transaction(name, "undecodable/\(code)@\(offset)", comment, changed.bytes, openssl: "fail")
        }
        let base64: [(String, String, String, Int)] = [
            ("inner-base64-unpadded", "Ag", "missing-padding", 2), ("inner-base64-url", "Ag-_", "invalid-character", 2),
            ("inner-base64-bits", "Ah==", "non-zero-trailing-bits", 1),
            ("inner-base64-padding", "Ag==Ag==", "misplaced-padding", 2),
        ]
        for (name, value, code, inside) in base64 {
            var list = good.list
            list["signature"] = value
            let input = Array(list.text.utf8)
            let offset = try Recipe.offset(of: "signature\" = \"", in: input, after: true) + inside
            group.transaction(
                name, "undecodable/\(code)@\(offset)", "Base64 inside must be canonical.", input, openssl: "fail")
        }
        let damages: [(String, String, [(String, String)])] = [
            (
                "blanks-for-plus", "A form that was decoded but never encoded made blanks of the plus signs.",
                [("+", " ")]
            ),
            (
                "percent", "A form that was encoded and never decoded.",
                [("+", "%2B"), ("/", "%2F"), ("=", "%3D")]
            ),
            ("url-safe-unpadded", "The URL-safe alphabet, without padding.", [("+", "-"), ("/", "_"), ("=", "")]),
            ("escaped-slashes", "JSON's escapes, escaped again for the property list.", [("/", "\\/")]),
        ]
        for (name, comment, damage) in damages {
            var list = good.list
            for key in ["signature", "purchase-info"] {
                list[key] = damage.reduce(list[key] ?? "") { $0.replacing($1.0, with: $1.1) }
            }
            group.transaction("inner-base64-\(name)", "valid", comment, Array(list.text.utf8))
        }
    }

    private static func offset(of text: String, in bytes: [UInt8], after: Bool) throws -> Int {
        guard let range = bytes.firstRange(of: Array(text.utf8)) else { throw VectorError("there is no \(text)") }
        return after ? range.upperBound : range.lowerBound
    }
}

extension VectorGroup {
    /// A case of the group `transaction`.
    ///
    /// - Parameters:
    ///   - intermediate: the certificate that the caller passes; its chain's root is the one trusted.
    ///   - openssl: what `X509_verify_cert` and `EVP_DigestVerify` say together.
    fileprivate mutating func transaction(
        _ name: String, _ expect: String, _ comment: String, _ input: [UInt8],
        _ intermediate: Recipe.Intermediate? = .sha1, _ more: [(Vector.Key, String)] = [], openssl: String? = nil,
        alsoFails: String? = nil
    ) {
        var headers = intermediate.map { [(Vector.Key.intermediate, $0.rawValue)] } ?? []
        headers += more
        if let alsoFails { headers.append((.alsoFails, alsoFails)) }
        add(
            name, expect, openssl: openssl ?? (intermediate == nil ? "fail" : "ok"), comment, input,
            root: intermediate?.root ?? .sha1, headers)
    }
}
