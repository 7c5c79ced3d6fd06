import ReceiptForge

/// Signed JSON of StoreKit 2 and the App Store Server API: transactions, renewal info, app transactions, notifications.
extension Recipe {
    static func signedJSON(_ group: inout VectorGroup) throws {
        let jws = try ForgedJWS(.transaction())
        for (name, payload) in [
            ("transaction", ForgedPayload.transaction()), ("renewal-info", .renewalInfo()),
            ("app-transaction", .appTransaction()), ("notification", .notification("TEST")),
        ] {
            group.signed(name, "valid", "As Apple's.", try ForgedJWS(payload).text())
            group.signed(
                "\(name)-negated-s", "valid", "ECDSA has two signatures of one hash.",
                try ForgedJWS(payload).text(.negatedS))
        }
        // A signature in its other form is among those above.
        for damage in JWSDamage.allCases where damage != .negatedS {
            guard let (expect, comment, openssl) = damages[damage] else { throw VectorError("no row for \(damage)") }
            group.signed(
                fileName("\(damage)"), expect, comment, try jws.text(damage),
                damage == .signedDateAsText ? [(.alsoFails, "readable")] : [], openssl: openssl ?? "ok")
        }
        try signedJSONChains(&group)
        try signedJSONExpectations(&group)
        try signedJSONContents(&group)
        try signedJSONOfOthers(&group)
    }

    /// What each damage comes to; what OpenSSL says of signature and chain where they can be read: `ok` unless stated.
    private static let damages: [JWSDamage: (String, String, String?)] = [
        .spaceBefore: ("valid", "White space around is not part of it.", nil),
        .lineFeedBehind: ("valid", "White space around is not part of it.", nil),
        .extraSegment: ("undecodable/jws-segments", "Four parts.", nil),
        .missingSegment: ("undecodable/jws-segments", "Two parts.", nil),
        .emptySignature: ("undecodable/jws-segments", "No signature.", nil),
        .padded: ("undecodable/misplaced-padding", "RFC 7515 section 2: without padding.", nil),
        .standardAlphabet: ("undecodable/invalid-character", "RFC 7515 section 2: the URL-safe alphabet.", nil),
        .nonCanonicalBits: ("undecodable/non-zero-trailing-bits", "One text for one signature.", nil),
        .noAlgorithm: ("undecodable/jws-algorithm", "No alg.", nil),
        .algorithmNone: ("undecodable/jws-algorithm", "Unsecured.", nil),
        .algorithmLowerCase: ("undecodable/jws-algorithm", "Names are case-sensitive.", nil),
        .algorithmHS256: ("undecodable/jws-algorithm", "The public key as a secret.", nil),
        .algorithmES384: ("undecodable/jws-algorithm", "Another algorithm of the same family.", nil),
        .algorithmTwice: ("undecodable/json-duplicate-name", "Two readers could take different ones.", nil),
        .criticalHeader: ("undecodable/jws-critical-header", "An extension that must be understood.", nil),
        .unencodedPayload: ("undecodable/jws-unencoded-payload", "RFC 7797.", nil),
        .noCertificates: ("undecodable/jws-certificates", "No x5c.", nil),
        .twoCertificates: ("undecodable/jws-certificates", "Without the root.", nil),
        .fourCertificates: ("undecodable/jws-certificates", "One too many.", nil),
        .certificatesReversed: ("rejected/self-signed-signer", "The root first.", "fail"),
        .certificateBase64URL: ("undecodable/jws-certificate-encoding", "x5c is plain base64.", nil),
        .certificateNotPadded: ("undecodable/jws-certificate-encoding", "x5c is padded.", nil),
        .foreignRoot: ("rejected/untrusted-root", "The third is not the root of the chain.", nil),
        .damagedRoot: ("rejected/untrusted-root", "The third is no certificate.", nil),
        .duplicateName: ("undecodable/json-duplicate-name", "Two readers could take different ones.", nil),
        .escapedDuplicateName: ("undecodable/json-duplicate-name", "The same name, escaped.", nil),
        .byteOrderMark: ("undecodable/json-byte-order-mark", "RFC 8259 section 8.1.", nil),
        .trailingComma: ("undecodable/json-trailing-comma", "No JSON.", nil),
        .loneSurrogate: ("undecodable/json-lone-surrogate", "Half a character.", nil),
        .invalidUTF8: ("undecodable/json-invalid-utf8", "A byte that UTF-8 never has.", nil),
        .controlCharacter: ("undecodable/json-control-character", "RFC 8259 section 7: to be escaped.", nil),
        .notANumber: ("undecodable/json-invalid-number", "NaN is none.", nil),
        .array: ("undecodable/json-not-an-object", "An array around it.", nil),
        .tooDeep: ("undecodable/json-nested-too-deeply", "17 levels.", nil),
        .tooManyMembers: ("undecodable/json-too-many-members", "More than 256.", nil),
        .noSignedDate: ("rejected/signing-date-missing", "No time at which the certificates must be valid.", nil),
        .signedDateAsText: ("rejected/signing-date-missing", "A string for a number.", nil),
        .signedDateNull: ("rejected/signing-date-missing", "null for a number.", nil),
        .derSignature: ("undecodable/jws-signature-length", "RFC 7518 section 3.4: r and s, 32 octets each.", nil),
        .shortSignature: ("undecodable/jws-signature-length", "63 octets.", nil),
        .zeroR: ("rejected/malformed-signature", "r is zero.", "fail"),
        .zeroS: ("rejected/malformed-signature", "s is zero.", "fail"),
        .orderAsR: ("rejected/malformed-signature", "r is the order of the curve.", "fail"),
        .orderAsS: ("rejected/malformed-signature", "s is the order of the curve.", "fail"),
        .flippedSignature: ("rejected/signature-mismatch", "One bit of s.", "fail"),
        .swapped: ("rejected/signature-mismatch", "s and r.", "fail"),
        .otherKey: ("rejected/signature-mismatch", "Signed with another key.", "fail"),
    ]

    /// `algorithmHS256` is the file `algorithm-hs256`.
    private static func fileName(_ name: String) -> String {
        var result = ""
        var wasUpper = true
        for character in name {
            if character.isUppercase, !wasUpper { result += "-" }
            wasUpper = character.isUppercase || character.isNumber
            result += character.lowercased()
        }
        return result
    }

    private static func signedJSONChains(_ group: inout VectorGroup) throws {
        let rows: [(String, String, String, String, (inout ChainTemplate) -> Void)] = [
            (
                "leaf-on-p-384", "unsupported-public-key", "fail", "ES256 is on P-256.",
                { $0.leaf?.key = TestKeys.ec384Third }
            ),
            ("leaf-rsa", "unsupported-public-key", "fail", "An RSA key.", { $0.leaf?.key = TestKeys.rsa2048(0) }),
            (
                "intermediate-on-p-256", "unsupported-public-key", "ok", "Apple's are on P-384.",
                { $0.intermediate?.key = TestKeys.ec256Other }
            ),
            ("leaf-unmarked", "signer-marker-missing", "ok", "An ordinary certificate.", { $0.leaf?.markers = [] }),
            (
                "leaf-of-app-attest", "signer-marker-missing", "ok", "The marker of another purpose.",
                { $0.leaf?.markers = [ChainTemplate.appAttestLeafMarker] }
            ),
            (
                "intermediate-unmarked", "intermediate-marker-missing", "ok", "An ordinary authority.",
                { $0.intermediate?.markers = [] }
            ),
            (
                "leaf-by-another", "signer-signature-mismatch", "fail", "Not signed by the intermediate.",
                { $0.leaf?.signingKey = TestKeys.ec384 }
            ),
            (
                "intermediate-by-another", "intermediate-signature-mismatch", "fail", "Not signed by the root.",
                { $0.intermediate?.signingKey = TestKeys.ec384Third }
            ),
            (
                "leaf-ended", "certificate-expired", "fail", "A day before signedDate.",
                { $0.leaf?.notAfter = "2025-09-30T00:00:00Z" }
            ),
            (
                "leaf-not-begun", "certificate-not-yet-valid", "fail", "A day after signedDate.",
                { $0.leaf?.notBefore = "2025-10-02T00:00:00Z" }
            ),
            (
                "no-authority", "not-a-certificate-authority", "fail", "basicConstraints says so.",
                { $0.intermediate?.basicConstraints = .init(isCA: false) }
            ),
        ]
        for (name, reason, openssl, comment, edit) in rows {
            var jws = try ForgedJWS(.transaction(), by: ForgedPKI(.jws(), editing: edit))
            // Where the certificate's key cannot sign ES256, another one has.
            jws.key = TestKeys.ec256
            group.signed("chain-\(name)", "rejected/\(reason)", comment, try jws.text(), openssl: openssl)
        }
        group.signed(
            "chain-apple", "rejected/untrusted-root", "Under Apple's roots alone.",
            try ForgedJWS(.transaction()).text(), root: nil, [(.alsoFails, "intermediate-signature")],
            openssl: "fail")
        let xcode = try ForgedPKI(.xcodeJWS())
        group.signed(
            "xcode", "valid", "Xcode's certificate, passed by the caller.",
            try ForgedJWS(.transaction(environment: "Xcode"), by: xcode).text(), root: .xcodeJWS)
        group.signed(
            "xcode-as-production", "rejected/environment-not-vouched-for", "Xcode vouches for Xcode only.",
            try ForgedJWS(.transaction(), by: xcode).text(), root: .xcodeJWS)
    }

    private static func signedJSONExpectations(_ group: inout VectorGroup) throws {
        let token = "5f0d8f6e-1f5c-4c6e-8f62-0f7b0a6e3c11"
        let transaction = try ForgedJWS(.transaction().with(["appAccountToken": ForgedPayload.text(token)])).text()
        let rows: [(String, String, Vector.Key, String)] = [
            ("bundle-id", "valid", .bundleID, "com.example.app"),
            ("bundle-id-case", "rejected/bundle-identifier-mismatch", .bundleID, "com.example.App"),
            ("environment", "valid", .environment, "production"),
            ("environment-other", "rejected/environment-mismatch", .environment, "sandbox"),
            ("product", "valid", .productID, "com.example.pro"),
            ("product-other", "rejected/product-missing", .productID, "com.example.max"),
            ("transaction-other", "rejected/transaction-missing", .transactionID, "2"),
            ("account", "valid", .accountToken, token.uppercased()),
            ("account-other", "rejected/account-token-mismatch", .accountToken, "5f0d8f6e-1f5c-4c6e-8f62-0f7b0a6e3c12"),
        ]
        for (name, expect, key, value) in rows {
            group.signed("expects-\(name)", expect, "What a policy may ask.", transaction, [(key, value)])
        }
        for (name, environment, number, expect) in [
            ("app", "Production", "1470168868", "valid"), ("app-other", "Production", "1", nil),
            ("app-unstated", "Production", nil, nil), ("app-sandbox", "Sandbox", nil, "valid"),
        ] as [(String, String, String?, String?)] {
            group.signed(
                "expects-\(name)", expect ?? "rejected/app-identifier-mismatch", "Asked in production only.",
                try ForgedJWS(.appTransaction(environment: environment).with(["appAppleId": number])).text(),
                [(.appAppleID, "1470168868")])
        }
        group.signed(
            "unreadable", "rejected/unreadable-attribute", "A string for a number, signed all the same.",
            try ForgedJWS(.transaction().with(["price": "\"1990\""])).text())
    }

    /// Notifications: what is signed inside must be authentic, and agree.
    private static func signedJSONContents(_ group: inout VectorGroup) throws {
        var foreign = ChainTemplate.jws()
        foreign.root.key = TestKeys.ec384Third
        let other = try ForgedPKI(foreign)
        let transaction = ForgedPayload.transaction()
        let rows: [(String, String, String, ForgedPayload, ForgedPayload, ForgedPKI?, [JWSDamage])] = [
            ("whole", "valid", "A transaction and renewal info.", transaction, .renewalInfo(), nil, []),
            ("forged", "rejected/inner-rejected", "Signed under another root.", transaction, .renewalInfo(), other, []),
            (
                "flipped", "rejected/inner-rejected", "A damaged signature.", transaction, .renewalInfo(), nil,
                [.flippedSignature]
            ),
            (
                "malformed", "undecodable/jws-algorithm", "Unsecured inside.", transaction, .renewalInfo(), nil,
                [.algorithmNone]
            ),
            (
                "other-app", "rejected/inner-mismatch", "Of another app.", .transaction(bundleID: "com.example.b"),
                .renewalInfo(), nil, []
            ),
            (
                "other-environment", "rejected/inner-mismatch", "From the sandbox.",
                .transaction(environment: "Sandbox"), .renewalInfo(), nil, []
            ),
            (
                "other-subscription", "rejected/inner-mismatch", "Of another subscription.", transaction,
                .renewalInfo().with(["originalTransactionId": "\"1\""]), nil, []
            ),
        ]
        for (name, expect, comment, inside, renewal, chain, damage) in rows {
            let notification = try ForgedJWS(
                .notification(data: [
                    .init("signedTransactionInfo", ForgedPayload.text(try ForgedJWS(inside, by: chain).text(damage))),
                    .init("signedRenewalInfo", ForgedPayload.text(try ForgedJWS(renewal).text())),
                ]))
            group.signed("inside-\(name)", expect, comment, try notification.text())
        }
        group.signed(
            "inside-nothing", "undecodable/notification-content", "Neither data nor a summary.",
            try ForgedJWS(.notification("TEST").with(["data": nil])).text())
    }

    /// What looks like a JWS of Apple's and is none, or is of no kind that is known.
    private static func signedJSONOfOthers(_ group: inout VectorGroup) throws {
        func text(_ header: String, _ payload: String) -> String {
            [Array(header.utf8), Array(payload.utf8), [UInt8](repeating: 7, count: 64)].map(ForgedJWS.base64URL)
                .joined(separator: ".")
        }
        let huawei = Base64Text.encode(Array("0 Huawei CBG".utf8) + [UInt8](repeating: 48, count: 588))
        let rows = [
            ("other-kind", "wrong-kind", try ForgedJWS(bytes: Array("{\"signedDate\":1759302518835}".utf8)).text()),
            (
                "other-developer", "developer-signed-jws",
                text(#"{"alg":"ES256","kid":"ABC","typ":"JWT"}"#, #"{"iss":"a"}"#)
            ),
            (
                "other-sign-in", "sign-in-with-apple",
                text(#"{"alg":"RS256","kid":"ABC"}"#, #"{"iss":"https://appleid.apple.com"}"#)
            ),
            (
                "other-huawei", "huawei-jws",
                text(#"{"alg":"ES256","x5c":["\#(huawei)","\#(huawei)","\#(huawei)"]}"#, #"{"orderId":"1"}"#)
            ),
            (
                "other-external-purchase", "external-purchase-token",
                ForgedJWS.base64URL(Array(#"{"externalPurchaseId":"SANDBOX_1","tokenCreationDate":1}"#.utf8))
            ),
        ]
        for (name, code, text) in rows {
            group.signed(name, "undecodable/\(code)", "Named for what it is.", text)
        }
    }

    // MARK: - App Attest

    static func appAttest(_ group: inout VectorGroup) throws {
        let pki = try Root.appAttest.chain()
        let attestation = ForgedAttestation(attesting: pki.leaf.der)
        let bytes = try attestation.signed(by: pki).bytes
        func add(_ name: String, _ expect: String, _ comment: String, _ bytes: [UInt8], _ openssl: String = "ok") {
            group.add(name, expect, openssl: openssl, comment, bytes, root: .appAttest)
        }
        add("attest", "valid", "As Apple's.", bytes)
        var of = attestation
        of.receiptType = "RECEIPT"
        of.others[17] = [Array("3".utf8)]
        add("receipt", "valid", "With a risk metric.", try of.signed(by: pki).bytes)
        of.others[17] = [Array("three".utf8)]
        add(
            "unreadable-metric", "rejected/unreadable-attribute", "A risk metric that is no number.",
            try of.signed(by: pki).bytes)
        of = attestation
        of.creationTime = nil
        add(
            "no-creation-time", "rejected/creation-date-missing", "No time for the certificates.",
            try of.signed(by: pki).bytes)
        var flipped = bytes
        flipped[flipped.count - 1] ^= 1
        add("flipped", "rejected/signature-mismatch", "The last bit of s.", flipped, "fail")
        let chains: [(String, String, String, (inout ChainTemplate) -> Void)] = [
            ("leaf-unmarked", "signer-marker-missing", "An ordinary certificate.", { $0.leaf?.markers = [] }),
            (
                "leaf-of-receipts", "signer-marker-missing", "The marker of receipts.",
                { $0.leaf?.markers = [ChainTemplate.leafMarker] }
            ),
            (
                "intermediate-unmarked", "intermediate-marker-missing", "An ordinary authority.",
                { $0.intermediate?.markers = [] }
            ),
        ]
        for (name, reason, comment, edit) in chains {
            let other = try Root.appAttest.chain(editing: edit)
            add("chain-\(name)", "rejected/\(reason)", comment, try attestation.signed(by: other).bytes)
        }
        let expectations: [(String, String, Vector.Key, String)] = [
            ("app", "valid", .attestedApp, "ABCDE12345.com.example.app"),
            ("app-other", "rejected/attested-app-mismatch", .attestedApp, "ABCDE12345.com.example"),
            ("bundle-id", "valid", .bundleID, "com.example.app"),
            (
                "key-other", "rejected/attested-key-mismatch", .attestedKey,
                "SC86LZmoFbL/KxWfezr7ihgEdLHK8ZrDbTwMtAkBCbM="
            ),
            ("type", "valid", .attestedType, "ATTEST"),
            ("type-other", "rejected/attested-receipt-type-mismatch", .attestedType, "RECEIPT"),
            ("environment-other", "rejected/environment-mismatch", .environment, "sandbox"),
        ]
        for (name, expect, key, value) in expectations {
            group.add(
                "expects-\(name)", expect, openssl: "ok", "What a policy may ask.", bytes, root: .appAttest,
                [(key, value)])
        }
    }
}

extension VectorGroup {
    /// A case of signed JSON.
    fileprivate mutating func signed(
        _ name: String, _ expect: String, _ comment: String, _ text: String, root: Root? = .jws,
        _ more: [(Vector.Key, String)] = [], openssl: String = "ok"
    ) {
        // What cannot be decoded is not shown to OpenSSL.
        let openssl = expect.hasPrefix("undecodable") ? "fail" : openssl
        add(name, expect, openssl: openssl, comment, Array(text.utf8), root: root, more)
    }
}
