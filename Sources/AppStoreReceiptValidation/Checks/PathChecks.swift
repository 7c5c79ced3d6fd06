internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// The path from a signer's certificate to a root: a closed profile, nothing longer or shorter.
extension CheckTable {
    /// A check of both certificates below the root. Of a signer that is trusted directly nothing but its own use is checked.
    private static func pathCheck(
        _ name: Check.Name, _ summary: String, reasons: [Rejection.Reason],
        needs: [Check.Name] = [.signerCertificate, .intermediateCertificate], lacking: Sentence = "there is no chain",
        passed:
            @escaping @Sendable (Proceedings, _ signer: DecodedCertificate, _ intermediate: DecodedCertificate) ->
            Sentence,
        problem:
            @escaping @Sendable (
                inout Proceedings, _ signer: DecodedCertificate, _ intermediate: DecodedCertificate
            ) throws(LibcryptoError) -> Rejection?
    ) -> CheckDefinition {
        CheckDefinition(
            name, summary, reasons: reasons, needs: needs, lacking: lacking, isAsked: { !$0.path.isDirect },
            notAsked: { _ in "the signer is trusted directly" },
            passed: { proceedings in
                guard let signer = proceedings.path.signer, let intermediate = proceedings.path.intermediate else {
                    return ""
                }
                return passed(proceedings, signer, intermediate)
            },
            problem: { (proceedings) throws(LibcryptoError) in
                guard let signer = proceedings.path.signer, let intermediate = proceedings.path.intermediate else {
                    return Rejection(.intermediateMissing, "there is no intermediate certificate")
                }
                return try problem(&proceedings, signer, intermediate)
            })
    }

    static let signerCertificate = CheckDefinition(
        .signerCertificate, "The signer's certificate is at hand, and decodes.",
        reasons: [.signerCertificateMissing, .malformedCertificate], needs: [.signerInfo],
        lacking: "the signer's certificate is not known",
        passed: { "signed by \(.certificate($0.path.signer?.name ?? ""))" },
        problem: { proceedings in
            guard let bytes = proceedings.path.signerBytes else {
                return Rejection(
                    .signerCertificateMissing, "the certificate that the signer names is not in the container")
            }
            return decode(bytes, "signer's", proceedings.signing.limits, into: &proceedings.path.signer)
        })

    static let intermediateCertificate = CheckDefinition(
        .intermediateCertificate, "The certificate of the signer's issuer is at hand, decodes, and is not the root.",
        reasons: [.pathTooShort, .selfSignedSigner, .intermediateMissing, .malformedCertificate],
        needs: [.signerInfo, .signerCertificate], lacking: "there is no intermediate certificate",
        isAsked: { !$0.path.isDirect }, notAsked: { _ in "the signer is trusted directly" },
        passed: { proceedings in
            guard let signer = proceedings.path.signer else { return "" }
            let issuer = signer.bytes.span.commonName(signer.fields.issuer) ?? "an intermediate"
            return "issued by \(.certificate(issuer)), whose certificate is at hand"
        },
        problem: { proceedings in
            guard let signer = proceedings.path.signer else { return nil }
            // Not of one that issued itself: every Xcode's certificate has the name of every other's.
            if !signer.isSelfIssued, proceedings.route.roots.contains(where: { signer.isIssued(by: $0.certificate) }) {
                return Rejection(
                    .pathTooShort,
                    "the root itself issued \(.certificate(signer.name)); there must be an intermediate between them")
            }
            guard let bytes = proceedings.path.intermediateBytes else {
                guard !signer.isSelfIssued else {
                    let hint: Sentence =
                        signer.name == "StoreKit" ? " (the test certificate of Xcode's StoreKit Testing)" : ""
                    return Rejection(
                        .selfSignedSigner,
                        "signed by \(.certificate(signer.name)), a self-signed certificate that is not trusted\(hint)")
                }
                let issuer = signer.bytes.span.readableName(signer.fields.issuer)
                return Rejection(
                    .intermediateMissing, "the certificate of the signer's issuer, \(.certificate(issuer)), is missing")
            }
            return decode(bytes, "intermediate", proceedings.signing.limits, into: &proceedings.path.intermediate)
        })

    static let basicConstraints = pathCheck(
        .basicConstraints, "The intermediate is a certificate authority.",
        reasons: [.notACertificateAuthority, .pathTooLong, .malformedCertificate],
        passed: { _, _, intermediate in "\(.certificate(intermediate.name)) is a certificate authority" },
        problem: { _, signer, intermediate in
            CertificateRules.constraintsProblem(signer)
                ?? CertificateRules.authorityProblem(intermediate, pathLength: 0)
        })

    static let keyUsage = CheckDefinition(
        .keyUsage, "The keys may be used for what they were used for.", reasons: [.keyUsage, .malformedCertificate],
        needs: [.signerCertificate, .intermediateCertificate], lacking: "there is no chain",
        passed: { $0.path.isDirect ? "the key may sign" : "the keys may be used for this" },
        problem: { proceedings in
            guard let signer = proceedings.path.signer else { return nil }
            return CertificateRules.signerUsageProblem(signer)
                ?? proceedings.path.intermediate.flatMap(CertificateRules.issuerUsageProblem)
        })

    static let anchor = CheckDefinition(
        .anchor, "The intermediate's issuer is a trusted root that may issue it, or the signer is trusted directly.",
        reasons: [.untrustedRoot, .pathTooLong, .notACertificateAuthority, .keyUsage],
        needs: [.signerCertificate, .intermediateCertificate], lacking: "there is no chain",
        passed: { proceedings in
            if proceedings.path.isDirect {
                return "\(.certificate(proceedings.path.signer?.name ?? "")) is itself a trusted certificate"
            }
            return "leads up to \(.certificate(proceedings.path.issuers.first?.certificate.name ?? ""))"
        },
        problem: { proceedings in
            guard let signer = proceedings.path.signer else { return nil }
            if let key = proceedings.path.directKey {
                if !proceedings.run.isRejected {
                    proceedings.chain = CertificateChain(
                        signer: signer, intermediate: nil, anchor: signer, signerKey: key)
                }
                return nil
            }
            guard let intermediate = proceedings.path.intermediate else { return nil }
            proceedings.path.issuers = proceedings.route.roots.filter { intermediate.isIssued(by: $0.certificate) }
            return CertificateRules.rootProblem(
                intermediate, proceedings.path.issuers.map(\.certificate), proceedings.route.directSigners,
                proceedings.signing.certificates)
        })

    static let certificateAlgorithms = pathCheck(
        .certificateAlgorithms, "Each certificate names one signature algorithm, and one of the profile.",
        reasons: [.algorithmMismatch, .unsupportedSignatureAlgorithm],
        passed: { _, signer, intermediate in
            let names = [signer, intermediate].map { $0.fields.signatureAlgorithm.algorithm.algorithmName }
            return "signed with \(.algorithm(names[0])) and \(.algorithm(names[1]))"
        },
        problem: { proceedings, signer, intermediate in
            CertificateRules.algorithmProblem(signer, proceedings.route.profile)
                ?? CertificateRules.algorithmProblem(intermediate, proceedings.route.profile)
        })

    static let publicKeys = pathCheck(
        .publicKeys, "The keys are of the kinds and sizes of the profile.", reasons: [.unsupportedPublicKey],
        lacking: "there is no chain",
        passed: { proceedings, _, _ in "\(words: proceedings.route.profile.keyNames) keys of acceptable size" },
        problem: { (proceedings, signer, intermediate) throws(LibcryptoError) in
            let profile = proceedings.route.profile
            if let problem = CertificateRules.keyProblem(signer, profile.signerKeys)
                ?? CertificateRules.keyProblem(intermediate, profile.intermediateKeys)
            {
                return problem
            }
            let libcrypto = proceedings.libcrypto
            for (certificate, key) in [(signer, \CertificatePath.signerKey), (intermediate, \.intermediateKey)] {
                guard let made = try certificate.publicKey(libcrypto) else {
                    return Rejection(
                        .unsupportedPublicKey,
                        "\(.certificate(certificate.name)) cannot be used: its key is not a point on its curve")
                }
                proceedings.path[keyPath: key] = made
            }
            return nil
        })

    static let criticalExtensions = pathCheck(
        .criticalExtensions, "Critical extensions are known, and all that are known have their form.",
        reasons: [.unknownCriticalExtension, .keyUsage, .malformedCertificate],
        passed: { _, _, _ in "no unknown critical extension" },
        problem: { proceedings, signer, intermediate in
            let route = proceedings.route
            return CertificateRules.extensionProblem(signer, route)
                ?? CertificateRules.extensionProblem(intermediate, route)
        })

    static let signerMarker = pathCheck(
        .signerMarker, "The signer's certificate carries Apple's marker for this purpose.",
        reasons: [.signerMarkerMissing],
        passed: { proceedings, signer, _ in
            "\(.certificate(signer.name)) carries \(.identifier("\(proceedings.route.profile.signerMarker)"))"
        },
        problem: { proceedings, signer, _ in
            let profile = proceedings.route.profile
            guard !signer.has(profile.signerMarker) else { return nil }
            return Rejection(
                .signerMarkerMissing,
                "\(.certificate(signer.name)) is not a certificate for signing \(words: profile.documents): it lacks \(.identifier("\(profile.signerMarker)"))"
            )
        })

    static let intermediateMarker = pathCheck(
        .intermediateMarker, "The intermediate carries Apple's marker for this purpose.",
        reasons: [.intermediateMarkerMissing],
        passed: { proceedings, _, intermediate in
            "\(.certificate(intermediate.name)) carries \(.identifier("\(proceedings.route.profile.intermediateMarker)"))"
        },
        problem: { proceedings, _, intermediate in
            let marker = proceedings.route.profile.intermediateMarker
            guard !intermediate.has(marker) else { return nil }
            return Rejection(
                .intermediateMarkerMissing, "\(.certificate(intermediate.name)) lacks \(.identifier("\(marker)"))")
        })

    // The two signatures come from the root down, so that no key is used before it is vouched for.

    static let intermediateSignature = pathCheck(
        .intermediateSignature, "The root signed the intermediate.", reasons: [.intermediateSignatureMismatch],
        lacking: "the intermediate's key is not vouched for",
        passed: { proceedings, _, intermediate in
            "\(.certificate(intermediate.name)) is signed by \(.certificate(proceedings.path.root?.name ?? ""))"
        },
        problem: { (proceedings, _, intermediate) throws(LibcryptoError) in
            let time = proceedings.time
            var root: DecodedCertificate?
            // Of roots with one name and key, as after a renewal, the one counts that is valid at the time.
            for issuer in proceedings.path.issuers where try proceedings.route.isSigned(intermediate, by: issuer) {
                let isTimely = time.map(issuer.certificate.isValid(at:)) ?? false
                if root == nil || isTimely { root = issuer.certificate }
                if isTimely { break }
            }
            proceedings.path.root = root
            guard root == nil else { return nil }
            if let other = proceedings.path.issuers.first(where: { !intermediate.namesKey(of: $0.certificate) }) {
                return CertificateRules.identifierProblem(
                    .intermediateSignatureMismatch, intermediate, other.certificate)
            }
            let name = proceedings.path.issuers.first?.certificate.name ?? "a root"
            return Rejection(
                .intermediateSignatureMismatch,
                "\(.certificate(intermediate.name)) names \(.certificate(name)) as its issuer but is not signed by it")
        })

    static let signerSignature = pathCheck(
        .signerSignature, "The intermediate signed the signer's certificate.", reasons: [.signerSignatureMismatch],
        needs: [.signerCertificate, .intermediateCertificate, .publicKeys, .intermediateSignature],
        passed: { _, signer, intermediate in
            "\(.certificate(signer.name)) is signed by \(.certificate(intermediate.name))"
        },
        problem: { (proceedings, signer, intermediate) throws(LibcryptoError) in
            guard let key = proceedings.path.intermediateKey, let signerKey = proceedings.path.signerKey,
                let root = proceedings.path.root, try proceedings.route.isSigned(signer, by: intermediate, key)
            else {
                if !signer.namesKey(of: intermediate) {
                    return CertificateRules.identifierProblem(.signerSignatureMismatch, signer, intermediate)
                }
                return Rejection(
                    .signerSignatureMismatch,
                    "\(.certificate(signer.name)) is not signed by \(.certificate(intermediate.name))")
            }
            if !proceedings.run.isRejected {
                proceedings.chain = CertificateChain(
                    signer: signer, intermediate: intermediate, anchor: root, signerKey: signerKey,
                    hasOtherAnchors: proceedings.path.issuers.count > 1)
            }
            return nil
        })

    private static func decode(
        _ bytes: ArraySlice<UInt8>, _ which: String, _ limits: DecodingLimits,
        into certificate: inout DecodedCertificate?
    ) -> Rejection? {
        do throws(ReceiptDecodingError) {
            certificate = try DecodedCertificate(Array(bytes), limits: limits)
            return nil
        } catch {
            return Rejection(
                .malformedCertificate, "the \(words: which) certificate cannot be decoded: \(.error(error))")
        }
    }
}
