internal import AppStoreReceipt

/// Whether the chain may vouch for such a document, and whether the authentic document is the one that was asked for.
extension CheckTable {
    /// Xcode's certificate, whose key anybody with Xcode can use, must not vouch for purchases in the App Store; and
    /// what the document says of itself must not choose whom to trust.
    static let environmentVouchedFor = CheckDefinition(
        .environmentVouchedFor, "The signer signs for the environment that the document claims.",
        reasons: [.environmentNotVouchedFor], needs: [.signerInfo] + pathNames + [.validationTime],
        passed: { proceedings in
            let statements = proceedings.statements
            guard statements.environmentProof == .signed else { return "the signer signs for the App Store" }
            guard let word = statements.environmentWord else { return "no environment is claimed" }
            return "the signer signs for \(.environment(word))"
        },
        problem: { proceedings in
            guard let chain = proceedings.chain else {
                return Rejection(.environmentNotVouchedFor, "there is no chain that could vouch for an environment")
            }
            let isXcode = proceedings.statements.environment == .xcode
            guard chain.isDirectlyTrusted != isXcode else { return nil }
            return isXcode
                ? Rejection(
                    .environmentNotVouchedFor,
                    "the \(words: proceedings.words.document) claims to come from Xcode, but is signed for the App Store"
                )
                : Rejection(
                    .environmentNotVouchedFor,
                    "the signer, \(.certificate(chain.signer.name)), is trusted for receipts of type Xcode only")
        })

    static let sha1 = CheckDefinition(
        .sha1, "SHA-1 is not used, or accepted.", reasons: [.sha1NotAccepted], .notAcceptableNow,
        needs: [.signerInfo] + pathNames + [.validationTime],
        passed: { proceedings in
            let isUsed = proceedings.chain.map(proceedings.usesSHA1) ?? false
            return isUsed ? "SHA-1 is used, and accepted" : "SHA-1 is not used"
        },
        problem: { proceedings in
            guard !proceedings.policy.acceptsSHA1, proceedings.chain.map(proceedings.usesSHA1) ?? true else {
                return nil
            }
            return Rejection(.sha1NotAccepted, "a signature uses SHA-1, which this policy does not accept")
        })

    static let expectations = [
        inner, environment, bundleIdentifier, appIdentifier, applicationVersion, accountToken, device, attestedApp,
        attestedKey, attestedReceiptType, products, transactions, expiration, age,
    ]

    static let environment = CheckDefinition(
        .environment, "The environment is one of those expected, and signed.",
        reasons: [.environmentMismatch, .environmentNotSigned], .notExpected,
        isAsked: { $0.policy.environments != nil },
        passed: { proceedings in
            let statements = proceedings.statements
            guard statements.environmentProof != .signed else { return "the receipt's environment is as expected" }
            let stated: Sentence =
                statements.environmentWord.map { "stated as '\(.environment($0))'" } ?? "not stated, as in production"
            return statements.environmentProof == .signedNumberOfSandbox
                ? "\(stated) outside the signature, and the signed transaction number is one of the sandbox"
                : "\(stated), outside the signature"
        },
        problem: { proceedings in
            guard let expected = proceedings.policy.environments else { return nil }
            let statements = proceedings.statements
            let document = proceedings.words.document
            guard let found = statements.environment, expected.contains(found) else {
                let wanted = Sentence.list(.environment, expected.map(\.rawValue))
                // A signed type says more than the environment that it stands for; an unsigned word may say less.
                let isSigned = statements.environmentProof == .signed
                let word =
                    isSigned
                    ? statements.environmentWord : statements.environment?.rawValue ?? statements.environmentWord
                return Rejection(
                    .environmentMismatch,
                    "the \(words: document) is of \(words: isSigned ? "type" : "environment") \(.quoted(.environment, word)), expected is \(wanted)"
                )
            }
            // What is stated outside the signature can only speak against a receipt, unless the caller wants to believe it.
            // The signed transaction number can show the sandbox; nothing signed can show production.
            guard statements.environmentProof == .none,
                !proceedings.policy.transactionReceipts.acceptsUnsignedEnvironment
            else { return nil }
            return Rejection(
                unchecked: .environmentNotSigned,
                "\(words: proceedings.words.kind) states its environment outside the signature, where anybody can change it"
            )
        })

    static let bundleIdentifier = CheckDefinition(
        .bundleIdentifier, "It is for one of the expected apps.", reasons: [.bundleIdentifierMismatch], .notExpected,
        isAsked: { $0.policy.bundleIdentifiers != nil },
        passed: { "the \(words: $0.words.document) is for an expected app" },
        problem: { proceedings in
            proceedings.mismatch(
                .bundleIdentifierMismatch, "app", .bundleIdentifier, proceedings.statements.bundleID,
                proceedings.policy.bundleIdentifiers)
        })

    static let applicationVersion = CheckDefinition(
        .applicationVersion, "It is for one of the expected versions of the app.",
        reasons: [.applicationVersionMismatch], .notExpected, isAsked: { $0.policy.applicationVersions != nil },
        passed: { "the \(words: $0.words.document) is for an expected version" },
        problem: { proceedings in
            proceedings.mismatch(
                .applicationVersionMismatch, "app version", .applicationVersion,
                proceedings.statements.applicationVersion,
                proceedings.policy.applicationVersions)
        })

    static let device = CheckDefinition(
        .device, "It was made for one of the expected devices.", reasons: [.deviceMismatch], .notExpected,
        isAsked: { $0.policy.deviceIdentifiers != nil },
        passed: { "\(words: $0.words.device) \(.device($0.device?.description ?? ""))" },
        problem: { (proceedings) throws(LibcryptoError) in
            guard let candidates = proceedings.policy.deviceIdentifiers else { return nil }
            let document = proceedings.words.document
            switch proceedings.document.statedDevice.proof {
            case .none:
                return Rejection(
                    unchecked: .deviceMismatch, "the \(words: document) lacks what ties it to a device")
            case .sha1(let hash, let suffix):
                for candidate in candidates {
                    let input = candidate.bytes + suffix
                    if try proceedings.libcrypto.digest(.sha1, input.span) == hash {
                        proceedings.device = candidate
                        return nil
                    }
                }
            case .sha384(let verification, let nonce):
                for candidate in candidates {
                    guard let uuid = candidate.uuidText else { continue }
                    let input = Array((nonce.lowercased() + uuid).utf8)
                    if try proceedings.libcrypto.digest(.sha384, input.span).base64 == verification {
                        proceedings.device = candidate
                        return nil
                    }
                }
            case .identifiers(let texts):
                let own = texts.compactMap(DeviceIdentifier.init(_:))
                guard !own.isEmpty else {
                    return Rejection(
                        unchecked: .deviceMismatch, "the \(words: document) lacks what ties it to a device")
                }
                proceedings.device = candidates.first { candidate in own.contains { $0.bytes == candidate.bytes } }
                if proceedings.device != nil { return nil }
            }
            return candidates.count == 1
                ? Rejection(.deviceMismatch, "the \(words: document) was made for another device")
                : Rejection(
                    .deviceMismatch,
                    "the \(words: document) was made for none of the \(.count(candidates.count)) devices")
        })

    static let products = CheckDefinition(
        .products, "Every expected product is among the purchases, and counts.", reasons: [.productMissing],
        .notExpected, isAsked: { $0.policy.productIdentifiers != nil },
        passed: { "every expected product is \(words: $0.words.purchases)" },
        problem: { proceedings in
            proceedings.missing(
                .productMissing, "purchase of product", .productIdentifier, proceedings.policy.productIdentifiers,
                \.productID)
        })

    static let transactions = CheckDefinition(
        .transactions, "Every expected transaction is among the purchases, and counts.", reasons: [.transactionMissing],
        .notExpected, isAsked: { $0.policy.transactionIdentifiers != nil },
        passed: { "every expected transaction is \(words: $0.words.purchases)" },
        problem: { proceedings in
            proceedings.missing(
                .transactionMissing, "purchase with transaction", .transactionIdentifier,
                proceedings.policy.transactionIdentifiers, \.transactionID)
        })

    /// expiration_date, which only volume purchases have. At that instant the receipt has expired.
    static let expiration = CheckDefinition(
        .expiration, "It has not expired at the date that was given.", reasons: [.receiptExpired], .notAcceptableNow,
        isAsked: { $0.statements.expiration != nil && $0.date != nil },
        notAsked: { proceedings in
            if proceedings.statements.expiration != nil { return "no date was given" }
            return proceedings.kind == .appReceipt
                ? "the receipt has no expiration date"
                : "\(words: proceedings.words.kind) has no expiration date"
        },
        passed: { "the \(words: $0.words.document) expires at \(.date($0.statements.expiration))" },
        problem: { proceedings in
            guard let date = proceedings.date, let expiration = proceedings.statements.expiration, date >= expiration
            else {
                return nil
            }
            return Rejection(
                .receiptExpired, "the \(words: proceedings.words.document) expired at \(.date(expiration))")
        })

    /// How far the clock of the server that passes a date may be behind Apple's.
    private static let clockTolerance: Int64 = 5 * 60 * 1_000

    static let age = CheckDefinition(
        .age, "It is not older than the policy's maximum, and not from the future.",
        reasons: [.dateMissing, .createdInTheFuture, .receiptTooOld], .notAcceptableNow,
        isAsked: { $0.policy.maximumAge != nil },
        passed: { proceedings in
            let maximum = proceedings.policy.maximumAge.map { "\($0)" } ?? ""
            return "the \(words: proceedings.words.document) is not older than \(.duration(maximum))"
        },
        problem: { proceedings in
            guard let maximum = proceedings.policy.maximumAge else { return nil }
            let words = proceedings.words
            guard let date = proceedings.date else {
                return Rejection(
                    unchecked: .dateMissing, "a maximum age is set, but no date was given to measure it at")
            }
            guard let creation = proceedings.statements.signingDate else {
                return Rejection(words.missingDate, "the \(words: words.document) has no \(words: words.date)")
            }
            let (age, isOverflow) = date.millisecondsSince1970.subtractingReportingOverflow(
                creation.millisecondsSince1970)
            guard !isOverflow, age >= -clockTolerance else {
                return Rejection(
                    .createdInTheFuture,
                    "the \(words: words.document) was created at \(.date(creation)), after \(.date(date))")
            }
            guard Duration.milliseconds(age) > maximum else { return nil }
            return Rejection(
                .receiptTooOld,
                "the \(words: words.document) was created at \(.date(creation)), too long before \(.date(date))")
        })
}

extension Proceedings {
    fileprivate func mismatch(
        _ reason: Rejection.Reason, _ what: String, _ kind: ReportedValue.Kind, _ found: String?,
        _ expected: Set<String>?
    ) -> Rejection? {
        guard let expected else { return nil }
        if let found, expected.contains(where: { $0.isExactly(found) }) { return nil }
        return Rejection(
            reason,
            "the \(words: words.document) is for \(words: what) \(.quoted(kind, found)), expected is \(.list(kind, Array(expected)))"
        )
    }

    fileprivate func missing(
        _ reason: Rejection.Reason, _ what: String, _ kind: ReportedValue.Kind, _ expected: Set<String>?,
        _ identifier: (StatedPurchases.Purchase) -> String?
    ) -> Rejection? {
        guard let expected else { return nil }
        guard !expected.isEmpty else {
            return Rejection(reason, "nothing was expected that a \(words: what) could be")
        }
        let found = document.statedPurchases.purchases
        let mayBePresentOnly = policy.acceptsPurchasesThatDoNotCount
        var missing: [String] = []
        var uncounted: [String] = []
        for wanted in expected {
            let present = found.filter { identifier($0)?.isExactly(wanted) == true }
            if present.isEmpty {
                missing.append(wanted)
            } else if !mayBePresentOnly, !present.contains(where: { $0.counts(at: date) }) {
                uncounted.append(wanted)
            }
        }
        if !missing.isEmpty {
            return Rejection(reason, "there is no \(words: what) \(.list(kind, missing))")
        }
        guard !uncounted.isEmpty else { return nil }
        return Rejection(
            reason,
            "the \(words: what) \(.list(kind, uncounted)) does not count: it was cancelled, or its period has ended")
    }
}

extension ReportedValue {
    static func environment(_ word: String) -> Self { Self(.environment, .text(word), .found) }
    static func device(_ text: String) -> Self { Self(.deviceIdentifier, .text(text), .found) }
    static func duration(_ text: String) -> Self { Self(.duration, .text(text), .expected) }
    static func date(_ date: ReceiptDate?) -> Self {
        date.map { Self(.date, .date($0)) } ?? Self(.date, .text("no date"))
    }
}

extension Sentence {
    static func quoted(_ kind: ReportedValue.Kind, _ text: String?) -> Sentence {
        guard let text else { return "(none)" }
        return "'\(ReportedValue(kind, .text(text), .found))'"
    }

    static func list(_ kind: ReportedValue.Kind, _ texts: [String]) -> Sentence {
        guard !texts.isEmpty else { return "nothing" }
        return .joined(texts.sorted().map { "'\(ReportedValue(kind, .text($0), .expected))'" }, " or ")
    }
}

extension String {
    /// Whether two identifiers are the same bytes. As Swift strings, two that only look the same are equal.
    func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
