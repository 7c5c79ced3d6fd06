import ReceiptForge

/// Receipts of Xcode's StoreKit Testing, of volume purchases, and with refunds.
extension Recipe {
    static func xcode(_ group: inout VectorGroup) throws {
        let receipt = xcodeReceipt()
        let chain = try Root.xcode.chain()
        let plain = try receipt.signed(by: chain)
        group.valid("one-piece", "As Xcode writes it.", plain.bytes, root: .xcode)
        group.valid(
            "pieces", "The content in pieces of 1,000 octets and less.",
            try receipt.signed(by: chain) { $0.encoding = .indefinite(pieces: 100) }.bytes, root: .xcode)
        group.valid("der", "The same as DER.", try receipt.signed(by: chain) { $0.encoding = .der }.bytes, root: .xcode)
        group.valid(
            "rsa-encryption", "Named rsaEncryption, as one of ten does.",
            try receipt.signed(by: chain) { $0.signers[0].algorithm = .rsaEncryption(.sha256) }.bytes, root: .xcode)
        group.valid("environment", "A policy for development.", plain.bytes, root: .xcode, (.environment, "xcode"))
        group.rejected(
            "environment-production", "environment-mismatch", openssl: "ok", "A policy for production.", plain.bytes,
            root: .xcode, (.environment, "production"))
        var dated = receipt
        dated.creationDate = "2020-09-01T16:58:49+0300"
        dated.expirationDate = "4001-01-01T03:00:00+0300"
        group.valid(
            "offsets-without-colon", "Dates as Xcode wrote them in 2020.", try dated.signed(by: chain).bytes,
            root: .xcode)
        group.rejected(
            "under-the-app-stores-root", "self-signed-signer", openssl: "fail", "Under the policy for the App Store.",
            plain.bytes, root: .standard)
        group.rejected(
            "under-apples-root", "self-signed-signer", openssl: "fail", "Under the policy for real receipts.",
            plain.bytes,
            root: nil)
        group.rejected(
            "another-certificate", "self-signed-signer", openssl: "fail",
            "Signed by the Xcode of somebody else, whose certificate nobody trusts.",
            try receipt.signed(by: Root.otherXcode.chain()).bytes, root: .xcode)
        group.rejected(
            "content-bit", "signature-mismatch", openssl: "fail", "One bit of the product's name was flipped.",
            try plain.damaged(.flip(byte: plain.bytes.firstIndex(of: UInt8(ascii: "p")) ?? 0)).bytes, root: .xcode)
        for type in ["Production", "ProductionSandbox"] {
            var claims = receipt
            claims.environment = .init(rawValue: type)
            group.rejected(
                "claims-\(type.lowercased())", "environment-not-vouched-for", openssl: "ok",
                "Xcode's certificate, whose key everybody has, under a receipt that claims the App Store.",
                try claims.signed(by: chain).bytes, root: .xcode)
        }
        // Whoever holds the key of an Xcode issues himself what looks like the App Store's chain.
        let intermediate = try ChainTemplate.standard().intermediate?.issue(under: chain.root) ?? chain.root
        let leaf = try ChainTemplate.standard().leaf?.issue(under: intermediate) ?? chain.root
        let issued = ForgedPKI(root: chain.root, intermediate: intermediate, leaf: leaf, digest: .sha256)
        for (name, made) in [("production", self.receipt()), ("xcode", receipt)] {
            group.rejected(
                "issues-a-chain-\(name)", "untrusted-root", openssl: "ok",
                "Xcode's certificate issued an intermediate with the App Store's marker; both are trusted.",
                try made.signed(by: issued).bytes, root: .standard, (.root, "xcode"),
                (.alsoFails, "intermediate-signature"))
        }
        let short = ForgedPKI(root: chain.root, intermediate: nil, leaf: leaf, digest: .sha256)
        group.rejected(
            "issues-a-leaf", "intermediate-missing", openssl: "fail",
            "A receipt signed by what Xcode's certificate issued, without what is in between.",
            try self.receipt().signed(by: short).bytes, root: .standard, (.root, "xcode"))
        group.rejected(
            "app-store-claims-xcode", "environment-not-vouched-for", openssl: "ok",
            "The App Store's chain under a receipt that claims to be Xcode's.",
            try self.receipt { $0.environment = .xcode }.signed(by: Root.standard.chain()).bytes, root: .standard)
        group.rejected(
            "expired", "certificate-expired", openssl: "fail", "Created after the certificate's end.",
            try with(receipt) { $0.creationDate = "2041-01-01T00:00:00Z" }.signed(by: chain).bytes, root: .xcode)
        group.valid(
            "no-purchases", "Without purchases.", try with(receipt) { $0.purchases = [] }.signed(by: chain).bytes,
            root: .xcode)
    }

    static func xcodeReceipt() -> ForgedReceipt {
        var receipt = ForgedReceipt(environment: .xcode)
        receipt.creationDate = "2023-10-19T01:45:40Z"
        receipt.purchases = [
            .autoRenewable("pass.premium", purchaseDate: "2023-10-19T01:45:36Z", expiresDate: "2023-11-19T01:45:36Z")
                .inIntroOffer(),
            .consumable("com.example.coins", quantity: 2, purchaseDate: "2023-10-18T01:45:36Z"),
        ]
        return receipt
    }

    private static func with(_ receipt: ForgedReceipt, _ edit: (inout ForgedReceipt) -> Void) -> ForgedReceipt {
        var receipt = receipt
        edit(&receipt)
        return receipt
    }

    // MARK: - Volume purchases

    static func vpp(_ group: inout VectorGroup) throws {
        let chain = try Root.standard.chain()
        let production = try ForgedReceipt(environment: .productionVPP).signed(by: chain).bytes
        let sandbox = try ForgedReceipt(environment: .sandboxVPP).signed(by: chain).bytes
        group.valid("production", "An app that a school bought.", production)
        group.valid("sandbox", "The same in the sandbox.", sandbox)
        group.valid(
            "production-counts", "It counts as production.", production, root: .standard, (.environment, "production"))
        group.valid(
            "before-its-end", "A second before it expires.", production, root: .standard, (.now, "2026-06-01T11:59:59Z")
        )
        group.rejected(
            "at-its-end", "receipt-expired", openssl: "ok", "The instant it expires.", production, root: .standard,
            (.now, "2026-06-01T12:00:00Z"))
        group.rejected(
            "after-its-end", "receipt-expired", openssl: "ok", "A year later.", production, root: .standard,
            (.now, "2027-06-01T12:00:00Z"))
        group.valid(
            "without-end", "A volume purchase that never expires.",
            try with(ForgedReceipt(environment: .productionVPP)) { $0.expirationDate = nil }.signed(by: chain).bytes,
            root: .standard, (.now, "2027-06-01T12:00:00Z"))
        group.valid(
            "with-an-empty-end", "The same, with an empty date.",
            try with(ForgedReceipt(environment: .productionVPP)) { $0.expirationDate = "" }.signed(by: chain).bytes,
            root: .standard, (.now, "2027-06-01T12:00:00Z"))
    }

    // MARK: - Refunds

    static func refunds(_ group: inout VectorGroup) throws {
        let date = "2025-02-01T09:00:00Z"
        let pro = ForgedPurchase.autoRenewable("com.example.pro")
        let rows: [(String, String, [ForgedPurchase])] = [
            ("consumable", "Refunded for another reason.", [.consumable("com.example.coins").refunded(at: date)]),
            (
                "issue-with-the-app", "Refunded for an issue with the app.",
                [
                    .nonConsumable("com.example.unlock").refunded(at: date, reason: 1)
                ]
            ),
            ("subscription", "A period that was paid back.", [pro.refunded(at: date)]),
            ("without-reason", "No reason, as before 2018.", [pro.refunded(at: date, reason: nil)]),
            ("reason-two", "A reason that nobody has documented.", [pro.refunded(at: date, reason: 2)]),
            ("family", "A shared purchase that was withdrawn.", [pro.familyShared().refunded(at: date)]),
            (
                "one-of-three-periods", "The middle period of three.",
                [
                    pro.transaction("1"),
                    pro.transaction("2").renewing("1", purchasedAt: "2025-01-15T10:00:00Z").refunded(at: date),
                    pro.transaction("3").renewing("1", purchasedAt: "2025-01-15T10:00:00Z"),
                ]
            ),
            (
                "before-the-purchase", "Refunded before it was bought, which no receipt can explain.",
                [
                    pro.refunded(at: "2020-01-01T00:00:00Z")
                ]
            ),
            (
                "every-offer",
                "A trial, an introductory price, a promotional offer and a shared purchase, side by side.",
                [
                    pro.inTrial(), pro.inIntroOffer(), pro.withPromotionalOffer("spring"), pro.familyShared(),
                ]
            ),
        ]
        for (name, comment, purchases) in rows {
            group.valid(name, comment, try signed { $0.purchases = purchases })
        }
    }
}
