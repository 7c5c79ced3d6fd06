internal import AppStoreReceipt
internal import ReceiptASN1

/// Whether the authentic document is one that can be relied on in every part, and the checks of single kinds.
extension CheckTable {
    /// After the signature, so that on the day on which Apple changes a form operators learn that Apple signed it.
    static let readable = CheckDefinition(
        .readable, "Everything documented could be read, or is tolerated.", reasons: [.unreadableAttribute],
        .notAcceptableNow,
        passed: { proceedings in
            let statements = proceedings.statements
            return statements.unreadable.isEmpty && statements.unreadableAttributes.isEmpty
                ? "everything documented could be read" : "what could not be read is tolerated"
        },
        problem: { proceedings in
            let tolerated = proceedings.policy.toleratedUnreadable
            let attributes = proceedings.statements.unreadableAttributes
            if let attribute = attributes.first(where: { !tolerated.contains($0.name) }) {
                return Rejection(
                    .unreadableAttribute,
                    "the \(words: proceedings.words.document) has an attribute in a form never seen: \(attribute.sentence)"
                )
            }
            let unreadable = proceedings.statements.unreadable.filter { !tolerated.contains($0) }
            guard !unreadable.isEmpty else { return nil }
            return Rejection(
                .unreadableAttribute,
                "the \(words: proceedings.words.document) has \(.list(.objectIdentifier, unreadable)) in a form never seen"
            )
        })

    /// Each inner document is signed by itself: the outer signature says nothing of it.
    static let inner = CheckDefinition(
        .inner, "What is signed inside a notification is authentic, and agrees with it.",
        reasons: [.innerRejected, .innerMismatch], needs: [.signerInfo] + pathNames + [.validationTime],
        scope: .notifications,
        passed: { proceedings in
            let count = (proceedings.document as? SignedNotification)?.inner.count ?? 0
            return count == 0 ? "nothing is signed inside" : "\(.count(count)) inside, authentic and in agreement"
        },
        problem: { (proceedings) throws(LibcryptoError) in
            guard let notification = proceedings.document as? SignedNotification else { return nil }
            for document in notification.inner {
                guard let rejection = try authenticity(of: document, proceedings) else { continue }
                return Rejection(
                    .innerRejected,
                    "the \(words: type(of: document).kind.words.document) inside is rejected: \(words: "\(rejection.reason)"), \(words: rejection.message)"
                )
            }
            return notification.disagreement.map {
                Rejection(.innerMismatch, "the \(words: $0) is not what the notification says")
            }
        })

    /// Why a document inside another is not authentic. What is expected is asked of the outer one.
    private static func authenticity<Document: SignedDocument>(
        of document: Document, _ outer: Proceedings
    ) throws(LibcryptoError) -> Rejection? {
        var proceedings = Proceedings(outer.core, document, outer.date, .firstFailure)
        try proceedings.judgeAuthenticity()
        if let rejection = proceedings.run.rejection { return rejection }
        return proceedings.isSignatureVerified
            ? nil : Rejection(.signatureMismatch, "the document was not verified")
    }

    static let appIdentifier = CheckDefinition(
        .appIdentifier, "In production it is for one of the expected numbers of the App Store.",
        reasons: [.appIdentifierMismatch], .notExpected,
        isAsked: {
            $0.policy.appAppleIDs != nil && $0.statements.hasAppAppleID
                && $0.statements.environment != .sandbox && $0.statements.environment != .xcode
        },
        notAsked: { proceedings in
            guard proceedings.policy.appAppleIDs != nil else { return "not asked for" }
            return proceedings.statements.hasAppAppleID
                ? "outside production it is not compared" : "\(words: proceedings.words.kind) has none"
        },
        passed: { "the \(words: $0.words.document) is for an expected app of the App Store" },
        problem: { proceedings in
            guard let expected = proceedings.policy.appAppleIDs else { return nil }
            let found = proceedings.statements.appAppleID
            if let found, expected.contains(found) { return nil }
            let wanted = expected.sorted().map { "\($0)" }
            return Rejection(
                .appIdentifierMismatch,
                "the \(words: proceedings.words.document) is for App Store number \(.quoted(.bundleIdentifier, found.map { "\($0)" })), expected is \(.list(.bundleIdentifier, wanted))"
            )
        })

    static let accountToken = CheckDefinition(
        .accountToken, "The transaction is of one of the expected accounts.", reasons: [.accountTokenMismatch],
        .notExpected, isAsked: { $0.policy.accountTokens != nil },
        passed: { "the \(words: $0.words.document) is of an expected account" },
        problem: { proceedings in
            guard let expected = proceedings.policy.accountTokens else { return nil }
            let found = proceedings.statements.accountToken?.lowercased()
            if let found, expected.contains(where: { $0.lowercased().isExactly(found) }) { return nil }
            return Rejection(
                .accountTokenMismatch,
                found == nil
                    ? "the \(words: proceedings.words.document) names no account"
                    : "the \(words: proceedings.words.document) is of another account")
        })

    static let attestedApp = CheckDefinition(
        .attestedApp, "The attested app is one of those expected.", reasons: [.attestedAppMismatch], .notExpected,
        scope: .attestations, isAsked: { $0.policy.appAttest.appIDs != nil },
        passed: { _ in "the receipt is for an expected App ID" },
        problem: { proceedings in
            guard let expected = proceedings.policy.appAttest.appIDs else { return nil }
            let found = proceedings.statements.attestation?.appID
            if let found, expected.contains(where: { $0.isExactly(found) }) { return nil }
            return Rejection(
                .attestedAppMismatch,
                "the receipt is for App ID \(.quoted(.bundleIdentifier, found)), expected is \(.list(.bundleIdentifier, Array(expected)))"
            )
        })

    static let attestedKey = CheckDefinition(
        .attestedKey, "The attested key is one of those expected.", reasons: [.attestedKeyMismatch], .notExpected,
        scope: .attestations, isAsked: { $0.policy.appAttest.keyIdentifiers != nil },
        passed: { _ in "the receipt is for an expected key" },
        problem: { (proceedings) throws(LibcryptoError) in
            guard let expected = proceedings.policy.appAttest.keyIdentifiers else { return nil }
            guard let point = proceedings.statements.attestation?.point else {
                return Rejection(unchecked: .attestedKeyMismatch, "the receipt names no key that can be read")
            }
            let found = try proceedings.libcrypto.digest(.sha256, point.span).base64
            guard !expected.contains(where: { $0.isExactly(found) }) else { return nil }
            return Rejection(.attestedKeyMismatch, "the receipt is for another key")
        })

    static let attestedReceiptType = CheckDefinition(
        .attestedReceiptType, "The receipt comes from where it is expected to.",
        reasons: [.attestedReceiptTypeMismatch], .notExpected, scope: .attestations,
        isAsked: { $0.policy.appAttest.receiptTypes != nil }, passed: { _ in "the receipt is of an expected type" },
        problem: { proceedings in
            guard let expected = proceedings.policy.appAttest.receiptTypes else { return nil }
            let found = proceedings.statements.attestation?.receiptType
            if let found, expected.contains(found) { return nil }
            return Rejection(
                .attestedReceiptTypeMismatch,
                "the receipt is of type \(.quoted(.environment, found?.rawValue)), expected is \(.list(.environment, expected.map(\.rawValue)))"
            )
        })
}

extension Proceedings {
    /// Everything that shows who signed and that all of it can be relied on, and nothing that the policy expects.
    fileprivate mutating func judgeAuthenticity() throws(LibcryptoError) {
        try perform(CheckTable.opening)
        if !run.isStopped { try judgePaths() }
        try perform([CheckTable.environmentVouchedFor, CheckTable.sha1, CheckTable.readable])
    }
}

extension [UInt8] {
    /// Base64, padded (RFC 4648 section 4).
    package var base64: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        var index = 0
        while index < count {
            let left = Swift.min(3, count - index)
            var word: UInt32 = 0
            for offset in 0..<3 { word = word << 8 | (offset < left ? UInt32(self[index + offset]) : 0) }
            for place in 0..<4 {
                text.append(
                    place <= left ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UnreadableAttribute {
    /// Which attribute, what is wrong with it, and its octets.
    var sentence: Sentence {
        let octets = ReportedValue(.decodingError, .text(hex(attribute.rawValue.prefix(24))))
        return "type \(words: "\(attribute.type.rawValue)"), \(.error(error)), octets \(octets)"
    }
}
