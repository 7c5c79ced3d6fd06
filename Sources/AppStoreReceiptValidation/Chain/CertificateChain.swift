package import AppStoreReceipt
internal import ReceiptPKIX

/// A path from a signer to an anchor on which everything holds but, so far, the time.
///
/// Either signer, intermediate and anchor, or a signer that is an anchor itself. A class, so that taking one out of the
/// cache costs one reference count.
package final class CertificateChain: Sendable {
    package let signer: DecodedCertificate
    package let intermediate: DecodedCertificate?
    package let anchor: DecodedCertificate
    package let signerKey: RSAPublicKey
    /// What the checks of the path said, where they were kept: they say the same of the same certificates.
    let outcomes: [Check]
    /// Whether other anchors have the name of this one, so that at another time the path may end elsewhere.
    let hasOtherAnchors: Bool

    /// The signer first.
    package let certificates: [DecodedCertificate]
    /// The seconds since 1970 at which every certificate is valid.
    let validity: Range<Int64>

    /// Whether a signature on the path is made with SHA-1. The anchor's own does not count: nobody relies on it.
    package let usesSHA1: Bool

    init(
        signer: DecodedCertificate, intermediate: DecodedCertificate?, anchor: DecodedCertificate,
        signerKey: RSAPublicKey, hasOtherAnchors: Bool = false, outcomes: [Check] = []
    ) {
        self.signer = signer
        self.intermediate = intermediate
        self.anchor = anchor
        self.signerKey = signerKey
        self.hasOtherAnchors = hasOtherAnchors
        self.outcomes = outcomes
        certificates = intermediate.map { [signer, $0, anchor] } ?? [signer]
        validity = certificates.reduce(Int64.min..<Int64.max) { $0.clamped(to: $1.validity) }
        usesSHA1 = certificates.dropLast().contains {
            $0.fields.signatureAlgorithm.algorithm == .sha1WithRSAEncryption
        }
    }

    package var isDirectlyTrusted: Bool { intermediate == nil }

    /// The same chain, which knows what its checks said.
    func keeping(_ outcomes: [Check]) -> CertificateChain {
        CertificateChain(
            signer: signer, intermediate: intermediate, anchor: anchor, signerKey: signerKey,
            hasOtherAnchors: hasOtherAnchors, outcomes: outcomes)
    }

    /// Whether every certificate is valid at a time; true without a time.
    func isValid(at time: ReceiptDate?) -> Bool { validity.contains(time) }
}

/// What marks certificates as made for one purpose.
package struct ChainProfile: Hashable, Sendable {
    package let signerMarker: ObjectIdentifier
    package let intermediateMarker: ObjectIdentifier

    /// App Store receipts: the markers of Apple's receipt validation guide, on every chain since November 2010.
    package static let appStoreReceipt = ChainProfile(
        signerMarker: .appleReceiptSigning, intermediateMarker: .appleWWDRIntermediate)
}

/// Builds and checks chains: a closed profile, nothing longer or shorter.
package struct ChainBuilder: Sendable {
    let libcrypto: Libcrypto
    let profile: ChainProfile
    /// What may issue an intermediate.
    let anchors: [(anchor: DecodedCertificate, key: RSAPublicKey)]
    /// What may sign by itself, and issues nothing.
    let directSigners: [(certificate: DecodedCertificate, key: RSAPublicKey)]
    let limits: DecodingLimits

    init(
        _ libcrypto: Libcrypto, _ profile: ChainProfile, _ policy: ValidationPolicy, limits: DecodingLimits = .default
    ) throws(LibcryptoError) {
        self.libcrypto = libcrypto
        self.profile = profile
        self.limits = limits
        // Either type has a usable key, or it could not have been made.
        var anchors: [(anchor: DecodedCertificate, key: RSAPublicKey)] = []
        for root in policy.roots {
            if let key = try root.decoded.publicKey(libcrypto) { anchors.append((root.decoded, key)) }
        }
        self.anchors = anchors
        var signers: [(certificate: DecodedCertificate, key: RSAPublicKey)] = []
        for signer in policy.directSigners {
            if let key = try signer.decoded.publicKey(libcrypto) { signers.append((signer.decoded, key)) }
        }
        directSigners = signers
    }

    /// Whether a certificate is one of those that the policy trusts.
    func trusts(_ certificate: Span<UInt8>) -> Bool {
        anchors.contains { $0.anchor.consists(of: certificate) }
            || directSigners.contains { $0.certificate.consists(of: certificate) }
    }

    /// The names of the checks that come after the signer's certificate was decoded.
    private static let pathChecks: [Check.Name] = [
        .intermediateCertificate, .basicConstraints, .keyUsage, .anchor, .certificateAlgorithms, .publicKeys,
        .criticalExtensions, .signerMarker, .intermediateMarker, .intermediateSignature, .signerSignature,
    ]

    /// All names, in order; for saying that none was run.
    static let allChecks: [Check.Name] = [.signerCertificate] + pathChecks

    /// Checks the path from a signer, given as DER, through one of the candidates to an anchor.
    ///
    /// Candidates are tried in order. Taken is the first that passes everything and is valid at the time, else the first
    /// that passes everything; if none does, the outcomes are those of the one that came furthest. The cache may know a
    /// pair that has passed before, and what its checks said; it changes nothing but the time it takes. `others` are all
    /// certificates at hand, for naming what is wrong.
    func chain(
        signer signerBytes: [UInt8], candidates: [[UInt8]], others: [[UInt8]], at time: ReceiptDate?,
        _ cache: ChainCache, _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        var decoded: DecodedCertificate?
        let isDecoded = try run.check(.signerCertificate, "signed by \(decoded?.name ?? "")") {
            () throws(LibcryptoError) in
            decode(signerBytes, "signer's", into: &decoded)
        }
        guard isDecoded, let signer = decoded else {
            run.skip(Self.pathChecks, "the signer's certificate is not known")
            return nil
        }
        if let trusted = directSigners.first(where: { $0.certificate.bytes == signerBytes }) {
            return try directChain(signer, trusted.key, &run)
        }
        let matching = candidates.filter { $0 != signerBytes }
        let isFound = try run.check(
            .intermediateCertificate,
            "issued by \(signer.bytes.span.commonName(signer.fields.issuer) ?? "an intermediate"), whose certificate is at hand"
        ) {
            missingIntermediate(signer, matching)
        }
        guard isFound else {
            run.skip(Array(Self.pathChecks.dropFirst()), "there is no intermediate certificate")
            return nil
        }
        var untimely: (chain: CertificateChain, run: CheckRun)?
        var furthest: CheckRun?
        for candidate in matching {
            var attempt = run.attempt()
            let known = cache.chain(signer: signerBytes.span, intermediate: candidate.span, at: time)
            let chain: CertificateChain?
            if let known, attempt.repeatOutcomes(known.outcomes) {
                chain = known
            } else {
                chain = try path(signer, candidate, others, at: time, &attempt)?.keeping(attempt.checks)
            }
            guard let chain else {
                if attempt.passedCount > furthest?.passedCount ?? -1 { furthest = attempt }
                continue
            }
            if chain.isValid(at: time) {
                run.take(attempt)
                return chain
            }
            if untimely == nil { untimely = (chain, attempt) }
        }
        if let untimely {
            run.take(untimely.run)
            return untimely.chain
        }
        if let furthest { run.take(furthest) }
        return nil
    }

    /// A signer that the caller trusts by itself: only its own use is checked.
    private func directChain(
        _ signer: DecodedCertificate, _ key: RSAPublicKey, _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        let reason = "the signer is trusted directly"
        run.skip([.intermediateCertificate, .basicConstraints], reason)
        let isAllowed = try run.check(.keyUsage, "the key may sign") { Self.signerUsageProblem(signer) }
        try run.check(.anchor, "\(signer.name) is itself a trusted certificate") { nil }
        run.skip(Array(Self.pathChecks.drop { $0 != .anchor }.dropFirst()), reason)
        return isAllowed ? CertificateChain(signer: signer, intermediate: nil, anchor: signer, signerKey: key) : nil
    }

    private func missingIntermediate(_ signer: DecodedCertificate, _ candidates: [[UInt8]]) -> Rejection? {
        // Not of one that issued itself: every Xcode's certificate has the name of every other's.
        if !signer.isSelfIssued, anchors.contains(where: { signer.isIssued(by: $0.anchor) }) {
            return Rejection(
                .pathTooShort, "the root itself issued \(signer.name); there must be an intermediate between them")
        }
        if candidates.isEmpty {
            guard !signer.isSelfIssued else {
                return Rejection(
                    .selfSignedSigner,
                    "signed by \(signer.name), a self-signed certificate that is not trusted"
                        + (signer.name == "StoreKit" ? " (the test certificate of Xcode's StoreKit Testing)" : ""))
            }
            let issuer = signer.bytes.span.readableName(signer.fields.issuer)
            return Rejection(.intermediateMissing, "the certificate of the signer's issuer, \(issuer), is missing")
        }
        return nil
    }

    /// Everything about one path but whether it is valid at the time, which only chooses between anchors of one name.
    private func path(
        _ signer: DecodedCertificate, _ intermediateBytes: [UInt8], _ others: [[UInt8]], at time: ReceiptDate?,
        _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        var decoded: DecodedCertificate?
        let failure = decode(intermediateBytes, "intermediate", into: &decoded)
        guard let intermediate = decoded else {
            try run.check(.basicConstraints, "") { failure }
            run.skip(Array(Self.pathChecks.dropFirst(2)), "the intermediate certificate cannot be decoded")
            return nil
        }
        try run.check(.basicConstraints, "\(intermediate.name) is a certificate authority") {
            Self.constraintsProblem(signer) ?? Self.authorityProblem(intermediate, pathLength: 0)
        }
        try run.check(.keyUsage, "the keys may be used for this") {
            Self.signerUsageProblem(signer) ?? Self.issuerUsageProblem(intermediate)
        }
        let issuers = anchors.filter { intermediate.isIssued(by: $0.anchor) }
        try run.check(.anchor, "leads up to \(issuers.first?.anchor.name ?? "")") {
            anchorProblem(intermediate, issuers.map(\.anchor), others)
        }
        let pair = [signer, intermediate]
        try run.check(.certificateAlgorithms, "signed with \(Self.algorithmNames(pair))") {
            pair.lazy.compactMap(Self.algorithmProblem).first
        }
        try run.check(.publicKeys, "RSA keys of acceptable size") {
            pair.lazy.compactMap { certificate in
                certificate.keyProblem.map {
                    Rejection(.unsupportedPublicKey, "\(certificate.name) cannot be used: \($0)")
                }
            }.first
        }
        try run.check(.criticalExtensions, "no unknown critical extension") {
            pair.lazy.compactMap { self.extensionProblem($0) }.first
        }
        try run.check(.signerMarker, "\(signer.name) carries \(profile.signerMarker)") {
            signer.has(profile.signerMarker)
                ? nil
                : Rejection(
                    .signerMarkerMissing,
                    "\(signer.name) is not a certificate for signing App Store receipts: it lacks \(profile.signerMarker)"
                )
        }
        try run.check(.intermediateMarker, "\(intermediate.name) carries \(profile.intermediateMarker)") {
            intermediate.has(profile.intermediateMarker)
                ? nil
                : Rejection(
                    .intermediateMarkerMissing, "\(intermediate.name) lacks \(profile.intermediateMarker)")
        }
        return try signatures(signer, intermediate, issuers, at: time, &run)
    }

    /// The two signatures of the path, from the anchor down, so that no key is used before it is vouched for.
    private func signatures(
        _ signer: DecodedCertificate, _ intermediate: DecodedCertificate,
        _ issuers: [(anchor: DecodedCertificate, key: RSAPublicKey)], at time: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        var anchor: DecodedCertificate?
        let isIntermediateSigned = try run.check(
            .intermediateSignature, "\(intermediate.name) is signed by \(anchor?.name ?? "")"
        ) { () throws(LibcryptoError) in
            for issuer in issuers where try isSigned(intermediate, by: issuer.anchor, issuer.key) {
                if anchor == nil || issuer.anchor.isValid(at: time) { anchor = issuer.anchor }
                if anchor?.isValid(at: time) == true { break }
            }
            guard anchor == nil else { return nil }
            return Rejection(
                .intermediateSignatureMismatch,
                "\(intermediate.name) names \(issuers.first?.anchor.name ?? "an anchor") as its issuer but is not signed by it"
            )
        }
        guard isIntermediateSigned, let anchor, let intermediateKey = try intermediate.publicKey(libcrypto) else {
            run.skip([.signerSignature], "the intermediate's key is not vouched for")
            return nil
        }
        try run.check(.signerSignature, "\(signer.name) is signed by \(intermediate.name)") {
            () throws(LibcryptoError) in
            try isSigned(signer, by: intermediate, intermediateKey)
                ? nil
                : Rejection(.signerSignatureMismatch, "\(signer.name) is not signed by \(intermediate.name)")
        }
        guard run.rejection == nil, let signerKey = try signer.publicKey(libcrypto) else { return nil }
        return CertificateChain(
            signer: signer, intermediate: intermediate, anchor: anchor, signerKey: signerKey,
            hasOtherAnchors: issuers.count > 1)
    }

    private func isSigned(
        _ certificate: DecodedCertificate, by issuer: DecodedCertificate, _ key: RSAPublicKey
    ) throws(LibcryptoError) -> Bool {
        guard certificate.namesKey(of: issuer) else { return false }
        guard let algorithm = Self.digest(certificate.fields.signatureAlgorithm) else { return false }
        let span = certificate.bytes.span
        let digest = try libcrypto.digest(algorithm, span.extracting(certificate.fields.tbsCertificate))
        return try key.isSignature(span.extracting(certificate.fields.signature), of: digest, algorithm)
    }

    private func decode(
        _ bytes: [UInt8], _ which: String, into certificate: inout DecodedCertificate?
    ) -> Rejection? {
        do throws(ReceiptDecodingError) {
            certificate = try DecodedCertificate(bytes, limits: limits)
            return nil
        } catch {
            return Rejection(.malformedCertificate, "the \(which) certificate cannot be decoded: \(error)")
        }
    }
}
