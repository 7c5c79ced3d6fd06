internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// Who signed, how, and as of when.
extension CheckTable {
    static let signerInfo = CheckDefinition(
        .signerInfo, "There is one signer, named by issuer and serial number.",
        reasons: [.signerInfoMissing, .multipleSignerInfos, .unsupportedSignerIdentifier],
        lacking: "there is no signer", scope: .cms, passed: { _ in "one signer" },
        problem: { proceedings in
            guard case .cms(let signedData, _) = proceedings.signing.form else { return nil }
            let infos = signedData.signerInfos
            guard let info = infos.first else { return Rejection(.signerInfoMissing, "nobody signed the content") }
            guard infos.count == 1 else {
                return Rejection(
                    .multipleSignerInfos,
                    "there are \(.count(infos.count)) signers; a \(words: proceedings.words.document) has one")
            }
            guard case .issuerAndSerialNumber = info.identifier else {
                return Rejection(
                    .unsupportedSignerIdentifier,
                    "the signer is named by a key identifier; receipts name it by issuer and serial number")
            }
            return nil
        })

    static let digestAlgorithm = CheckDefinition(
        .digestAlgorithm, "The content is digested with an algorithm of the profile, which the container lists.",
        reasons: [.unsupportedDigestAlgorithm, .digestAlgorithmNotListed], needs: [.signerInfo],
        lacking: "the digest algorithm is not known", scope: .cms,
        passed: { "\(.algorithm($0.digestAlgorithm?.name ?? ""))" },
        problem: { proceedings in
            guard case .cms(let signedData, _) = proceedings.signing.form, let info = signedData.signerInfos.first
            else {
                return nil
            }
            let algorithm = info.digestAlgorithm
            guard let digest = DigestAlgorithm(algorithm), proceedings.route.profile.accepts(digest) else {
                return Rejection(
                    .unsupportedDigestAlgorithm,
                    "the content is digested with \(.algorithm(algorithm.algorithm.algorithmName)); receipts use \(words: proceedings.route.profile.digestNames)"
                )
            }
            proceedings.digestAlgorithm = digest
            // RFC 5652 5.1: a verifier may fail when it is not in the list; OpenSSL does.
            guard signedData.digestAlgorithms.contains(where: { $0.algorithm == algorithm.algorithm }) else {
                return Rejection(
                    .digestAlgorithmNotListed,
                    "the signer uses \(.algorithm(digest.name)), which the container does not list")
            }
            // Nothing depends on the others of the list, but OpenSSL refuses a container that lists one it does not know.
            for other in signedData.digestAlgorithms {
                guard let listed = DigestAlgorithm(other), proceedings.route.profile.accepts(listed) else {
                    return Rejection(
                        .unsupportedDigestAlgorithm,
                        "the container lists \(.algorithm(other.algorithm.algorithmName)) as a digest; receipts use \(words: proceedings.route.profile.digestNames)"
                    )
                }
            }
            return nil
        })

    static let signatureAlgorithm = CheckDefinition(
        .signatureAlgorithm, "The signature is of a scheme of the profile.", reasons: [.unsupportedSignatureAlgorithm],
        needs: [.signerInfo, .digestAlgorithm], lacking: "the signature algorithm is not accepted",
        passed: { "\(.algorithm($0.scheme?.name ?? ""))" },
        problem: { proceedings in
            let found: SignatureScheme?
            switch proceedings.signing.form {
            case .cms(let signedData, _):
                guard let info = signedData.signerInfos.first else { return nil }
                found = DigestAlgorithm(info.digestAlgorithm).flatMap {
                    SignatureScheme(info.signatureAlgorithm, digest: $0)
                }
            case .plain(let signature):
                found = SignatureScheme(signature.algorithm)
                proceedings.digestAlgorithm = found?.digest
            }
            guard let scheme = found, proceedings.route.profile.documentSchemes.contains(scheme) else {
                let profile = proceedings.route.profile
                let name = algorithmName(proceedings.signing.form, found)
                return Rejection(
                    .unsupportedSignatureAlgorithm,
                    "the signature is \(.algorithm(name)); \(words: profile.documents) are signed with \(words: profile.schemes)"
                )
            }
            proceedings.scheme = scheme
            return nil
        })

    private static func algorithmName(_ form: DocumentSigning.Form, _ scheme: SignatureScheme?) -> String {
        switch form {
        case .cms(let signedData, _):
            guard let info = signedData.signerInfos.first else { return "" }
            return
                "\(info.signatureAlgorithm.algorithm.algorithmName) over \(info.digestAlgorithm.algorithm.algorithmName)"
        case .plain(let signature):
            if case .other(let name) = signature.algorithm { return name }
            return scheme?.name ?? "another algorithm"
        }
    }

    static let validationTime = CheckDefinition(
        .validationTime,
        "There is a time at which the certificates must be valid: the document's own, or the caller's.",
        reasons: [.creationDateMissing, .purchaseDateMissing, .signingDateMissing],
        lacking: "there is no time to check it at", isAsked: { !$0.isTimeUnreadable },
        notAsked: { "the \(words: $0.words.date) cannot be read" },
        passed: { proceedings in
            guard let time = proceedings.time else { return "" }
            if case .at = proceedings.policy.validationTime { return "\(.date(time)), as asked for" }
            return "\(.date(time)), \(words: proceedings.words.moment)"
        },
        problem: { proceedings in
            if let unreadable = proceedings.unreadableDate {
                // It says when it was signed, but in a form that nobody has seen: the caller's date has to do.
                guard case .at(let asked) = proceedings.policy.validationTime else {
                    let words = proceedings.words
                    return Rejection(
                        words.missingDate,
                        "the \(words: words.date) cannot be read (\(unreadable.sentence)), so there is no time at which to check the certificates"
                    )
                }
                proceedings.time = asked
                return nil
            }
            // Demanded in any case: one that does not say when it was signed is none of Apple's.
            guard let own = proceedings.statements.signingDate else {
                let words = proceedings.words
                return Rejection(
                    words.missingDate,
                    "the \(words: words.document) has no \(words: words.date), so there is no time at which to check its certificates"
                )
            }
            if case .at(let asked) = proceedings.policy.validationTime {
                proceedings.time = asked
            } else {
                proceedings.time = own
            }
            return nil
        })
}

extension Proceedings {
    /// The date of signing, if it is stated in a form that nobody has seen.
    var unreadableDate: UnreadableAttribute? {
        statements.unreadableAttributes.first { $0.attribute.type == .receiptCreationDate }
    }

    /// Whether there is no time because the date of signing cannot be read. Then everything is checked but the
    /// certificates' validity, so that operators learn whether Apple signed it, and `readable` rejects it. Where that
    /// attribute is tolerated nothing would, so there it counts as missing.
    var isTimeUnreadable: Bool {
        guard case .receiptCreation = policy.validationTime, let date = unreadableDate else { return false }
        return !policy.toleratedUnreadable.contains(date.name)
    }
}
