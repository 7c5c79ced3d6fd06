internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// The certificates of one path that may be meant, and what is made of them on the way.
struct CertificatePath {
    /// DER; nil when there is none.
    var signerBytes: ArraySlice<UInt8>?
    var intermediateBytes: ArraySlice<UInt8>?
    /// The key of a signer that is trusted directly.
    var directKey: PublicKey?

    var signer: DecodedCertificate?
    var intermediate: DecodedCertificate?
    /// The roots that have the name of the intermediate's issuer.
    var issuers: [SignerRoute.Trusted] = []
    var signerKey: PublicKey?
    var intermediateKey: PublicKey?
    var root: DecodedCertificate?

    var isDirect: Bool { directKey != nil }
}

/// A few things, nearly always one: no memory is taken for the first.
private struct Few {
    var first: ArraySlice<UInt8>?
    var others: [ArraySlice<UInt8>] = []

    var isOne: Bool { first != nil && others.isEmpty }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if first == nil { first = bytes } else { others.append(bytes) }
    }

    /// In an order that is that of the bytes and not of the container.
    var ordered: [ArraySlice<UInt8>] {
        guard let first else { return [] }
        guard !others.isEmpty else { return [first] }
        var all: [ArraySlice<UInt8>] = []
        for bytes in ([first] + others).sorted(by: { $0.lexicographicallyPrecedes($1) }) where bytes != all.last {
            all.append(bytes)
        }
        return all
    }
}

extension Proceedings {
    /// Whether its certificates are read as everybody's are. Else a known chain says nothing of this document's, and this
    /// one's nothing of others'.
    private var hasUsualLimits: Bool { signing.limits.extensions == DecodingLimits.default.extensions }

    /// Finds the path from a signer to a root by which the signature holds.
    ///
    /// Wherever the certificates are, and whatever else has their names: every signer that may be meant is tried with every
    /// intermediate that may be. Taken is the first that passes everything; if none does, the outcomes are those of the one
    /// that came furthest. A cache may know a pair that has passed before; it changes nothing but the time it takes.
    mutating func judgePaths() throws(LibcryptoError) {
        let (signers, intermediates) = candidates()
        if !run.isRejected, hasUsualLimits, signers.isOne, intermediates.isOne, let signer = signers.first,
            let intermediate = intermediates.first,
            let known = route.cache.chain(signer: signer.span, intermediate: intermediate.span, at: time),
            run.mode == .firstFailure || !known.outcomes.isEmpty
        {
            chain = known
            run.repeatOutcomes(of: known)
            return try perform(CheckTable.proof)
        }
        let paths = paths(signers, intermediates)
        // For all of them at once.
        if paths.count > 1 { _ = try digestContent() }
        var furthest: Proceedings?
        for path in paths {
            var attempt = self
            attempt.path = path
            attempt.run = run.attempt()
            try attempt.tryPath()
            if !attempt.run.isRejected {
                furthest = attempt
                break
            }
            if attempt.run.passedCount > furthest?.run.passedCount ?? -1 { furthest = attempt }
        }
        guard let furthest else { return }
        let before = run
        self = furthest
        run = before
        run.take(furthest.run)
    }

    private mutating func tryPath() throws(LibcryptoError) {
        if let signer = path.signerBytes, let intermediate = path.intermediateBytes, !path.isDirect,
            hasUsualLimits,
            let known = route.cache.chain(signer: signer.span, intermediate: intermediate.span, at: time),
            run.mode == .firstFailure || !known.outcomes.isEmpty
        {
            chain = known
            run.repeatOutcomes(of: known)
        } else {
            try perform(CheckTable.path)
            if hasUsualLimits, let found = chain { route.cache.insert(found.keeping(run.checks)) }
        }
        try perform(CheckTable.proof)
    }

    /// The certificates that may be the signer's, and those that may have issued it: with its issuer's name as subject.
    ///
    /// A certificate that cannot be read is neither. Sets the route of the signer that is meant.
    private mutating func candidates() -> (signers: Few, intermediates: Few) {
        var signers = Few()
        var intermediates = Few()
        let issuer: ArraySlice<UInt8>
        switch signing.form {
        case .cms(let signedData, let der):
            guard case .issuerAndSerialNumber(let name, let serialNumber)? = signedData.signerInfos.first?.identifier
            else {
                return (signers, intermediates)
            }
            let span = der.span
            for range in signedData.certificates {
                // One that cannot be read is neither; the check of the container refuses it.
                guard let outline = try? span.readCertificateOutline(range) else { continue }
                if span.equals(outline.serialNumber, serialNumber), span.equals(outline.issuer, name) {
                    signers.append(der[range])
                }
                if span.equals(outline.subject, name) { intermediates.append(der[range]) }
            }
            issuer = der[name]
        case .plain(let signature):
            guard let signer = signature.certificates.first else { return (signers, intermediates) }
            signers.append(signer)
            // The check of the signer's certificate says what is wrong with one that cannot be read.
            guard let outline = signer.outline else { return (signers, intermediates) }
            issuer = outline.issuer
            for certificate in signature.certificates.dropFirst() where certificate.outline?.subject == issuer {
                intermediates.append(certificate)
            }
        }
        if let pinned = core.routes.pinnedRoute(for: kind, issuer: issuer) { route = pinned }
        for known in route.intermediates where known.subject == issuer { intermediates.append(known.bytes[...]) }
        if kind.carriesNoIntermediate {
            for known in route.builtInIntermediates where known.subject == issuer {
                intermediates.append(known.bytes[...])
            }
        }
        return (signers, intermediates)
    }

    private func paths(_ signers: Few, _ intermediates: Few) -> [CertificatePath] {
        var paths: [CertificatePath] = []
        for signer in signers.ordered {
            let trusted = route.directSigners.first { $0.certificate.consists(of: signer.span) }
            if let trusted {
                paths.append(CertificatePath(signerBytes: signer, directKey: trusted.key))
                continue
            }
            let issuers = intermediates.ordered.filter { $0 != signer }
            for issuer in issuers { paths.append(CertificatePath(signerBytes: signer, intermediateBytes: issuer)) }
            if issuers.isEmpty { paths.append(CertificatePath(signerBytes: signer)) }
        }
        return paths.isEmpty ? [CertificatePath()] : paths
    }
}

extension ArraySlice<UInt8> {
    /// A certificate's names; nil when it cannot be read.
    var outline: (issuer: ArraySlice<UInt8>, subject: ArraySlice<UInt8>)? {
        // The check of the signer's certificate, or of the container, says what is wrong with it.
        guard let outline = try? span.readCertificateOutline(0..<count) else { return nil }
        let start = startIndex
        return (
            self[start + outline.issuer.lowerBound..<start + outline.issuer.upperBound],
            self[start + outline.subject.lowerBound..<start + outline.subject.upperBound]
        )
    }
}
