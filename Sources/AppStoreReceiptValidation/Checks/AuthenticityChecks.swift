internal import AppStoreReceipt
internal import ReceiptPKIX

/// The checks whether a receipt is genuine, in order.
extension ReceiptValidator {
    /// What was found out about a receipt that passed.
    struct Authenticity {
        let time: ReceiptDate
        let usesSHA1: Bool
    }

    func checkAuthenticity(
        _ receipt: SignedReceipt, _ run: inout CheckRun
    ) throws(LibcryptoError) -> Authenticity? {
        let infos = receipt.storage.signedData.signerInfos
        try run.check(.signerInfo, "one signer") { Self.signerInfoProblem(infos) }
        guard !run.isStopped, let info = infos.first else {
            run.skip([.digestAlgorithm, .signatureAlgorithm, .validationTime], "there is no signer")
            run.skip(ChainBuilder.allChecks, "there is no signer")
            run.skip(
                [.validity, .container, .signedAttributes, .signature, .environmentVouchedFor, .sha1],
                "there is no signer")
            return nil
        }
        try run.check(.digestAlgorithm, info.digestAlgorithm.algorithm.algorithmName) {
            Self.digestProblem(info, receipt.storage.signedData, receipt.der)
        }
        try run.check(.signatureAlgorithm, "RSA PKCS#1 v1.5") { Self.signatureAlgorithmProblem(info) }
        let time = validationTime(receipt)
        try run.check(.validationTime, time.map { "\($0), \(self.timeSource)" } ?? "") {
            time == nil
                ? Rejection(
                    .creationDateMissing,
                    "the receipt has no creation date, so there is no time at which to check its certificates") : nil
        }
        guard !run.isStopped else { return nil }
        let chain = try findChain(receipt, info, at: time, &run)
        guard !run.isStopped else { return nil }
        if let chain, let time {
            try run.check(.validity, "every certificate was valid at \(time)") { Self.validityProblem(chain, time) }
        } else {
            run.skip([.validity], chain == nil ? "there is no chain" : "there is no time to check it at")
        }
        try run.check(.container, "nothing malformed is beside the chain") { containerProblem(receipt, chain) }
        try checkSignature(receipt, info, chain, &run)
        return try checkUse(receipt, info, chain, time, &run)
    }

    private var timeSource: String {
        if case .receiptCreation = policy.validationTime { "when the receipt was created" } else { "as asked for" }
    }

    private func validationTime(_ receipt: SignedReceipt) -> ReceiptDate? {
        switch policy.validationTime {
        // Demanded in any case: a receipt that does not say when it was made is not one of Apple's.
        case .receiptCreation: receipt.unverifiedReceipt.receiptCreationDate
        case .at(let date): receipt.unverifiedReceipt.receiptCreationDate == nil ? nil : date
        }
    }

    private static func signerInfoProblem(_ infos: [SignerInfo]) -> Rejection? {
        switch infos.count {
        case 0: return Rejection(.signerInfoMissing, "nobody signed the content")
        case 1: break
        default: return Rejection(.multipleSignerInfos, "there are \(infos.count) signers; a receipt has one")
        }
        guard case .issuerAndSerialNumber = infos[0].identifier else {
            return Rejection(
                .unsupportedSignerIdentifier,
                "the signer is named by a key identifier; receipts name it by issuer and serial number")
        }
        return nil
    }

    private static func digestProblem(_ info: SignerInfo, _ signedData: SignedData, _ der: [UInt8]) -> Rejection? {
        let algorithm = info.digestAlgorithm
        guard digest(algorithm) != nil else {
            return Rejection(
                .unsupportedDigestAlgorithm,
                "the content is digested with \(algorithm.algorithm.algorithmName); receipts use SHA-1 or SHA-256")
        }
        // RFC 5652 5.1: a verifier may fail when it is not in the list; OpenSSL does.
        guard signedData.digestAlgorithms.contains(where: { $0.algorithm == algorithm.algorithm }) else {
            return Rejection(
                .digestAlgorithmNotListed,
                "the signer uses \(algorithm.algorithm.algorithmName), which the container does not list")
        }
        // Nothing depends on the others of the list, but OpenSSL refuses a container that lists one it does not know.
        if let other = signedData.digestAlgorithms.first(where: { digest($0) == nil }) {
            return Rejection(
                .unsupportedDigestAlgorithm,
                "the container lists \(other.algorithm.algorithmName) as a digest; receipts use SHA-1 or SHA-256")
        }
        return nil
    }

    static func digest(_ algorithm: AlgorithmIdentifier) -> DigestAlgorithm? {
        guard algorithm.parameters != .other else { return nil }
        switch algorithm.algorithm {
        case .sha1: return .sha1
        case .sha256: return .sha256
        default: return nil
        }
    }

    /// `rsaEncryption` (App Store), or the combined name that Xcode writes, which must fit the digest.
    private static func signatureAlgorithmProblem(_ info: SignerInfo) -> Rejection? {
        let algorithm = info.signatureAlgorithm.algorithm
        let isRSA: Bool
        switch algorithm {
        case .rsaEncryption: isRSA = true
        case .sha1WithRSAEncryption: isRSA = info.digestAlgorithm.algorithm == .sha1
        case .sha256WithRSAEncryption: isRSA = info.digestAlgorithm.algorithm == .sha256
        default: isRSA = false
        }
        guard isRSA, info.signatureAlgorithm.parameters != .other else {
            return Rejection(
                .unsupportedSignatureAlgorithm,
                "the signature is \(algorithm.algorithmName) over \(info.digestAlgorithm.algorithm.algorithmName); receipts are signed with RSA PKCS#1 v1.5"
            )
        }
        return nil
    }

    /// Both ends belong to the validity by RFC 5280 4.1.2.5. The last second is left out here, as OpenSSL leaves it
    /// out up to 3.6, so that we never accept what it rejects.
    static func validityProblem(_ chain: CertificateChain, _ time: ReceiptDate) -> Rejection? {
        guard !chain.isValid(at: time) else { return nil }
        let seconds = time.secondsSince1970
        for certificate in chain.certificates {
            let fields = certificate.fields
            if seconds < fields.notBefore {
                let start = ReceiptDate(millisecondsSince1970: fields.notBefore * 1_000)
                return Rejection(
                    .certificateNotYetValid, "\(certificate.name) is valid from \(start), after \(time)")
            }
            if seconds >= fields.notAfter {
                let end = ReceiptDate(millisecondsSince1970: fields.notAfter * 1_000)
                return Rejection(.certificateExpired, "\(certificate.name) was valid until \(end), before \(time)")
            }
        }
        return nil
    }

    /// The chain from the signer's certificate, wherever in the container it and the intermediate are.
    private func findChain(
        _ receipt: SignedReceipt, _ info: SignerInfo, at time: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> CertificateChain? {
        let der = receipt.der
        let (signer, candidates) = Self.certificates(of: info, in: receipt)
        guard let signer else {
            try run.check(.signerCertificate, "") {
                Rejection(.signerCertificateMissing, "the certificate that the signer names is not in the container")
            }
            run.skip(Array(ChainBuilder.allChecks.dropFirst()), "the signer's certificate is not known")
            return nil
        }
        if run.mode == .firstFailure, candidates.count == 1, let candidate = candidates.first,
            let known = cache.chain(
                signer: der.span.extracting(signer), intermediate: der.span.extracting(candidate), at: time)
        {
            return known
        }
        let chain = try builder.chain(
            signer: Array(der[signer]), candidates: candidates.map { Array(der[$0]) },
            others: receipt.storage.signedData.certificates.map { Array(der[$0]) }, at: time, cache, &run)
        if let chain { cache.insert(chain) }
        return chain
    }

    /// The first certificate that a SignerInfo names, and those that its issuer may be: with that name as subject.
    ///
    /// A certificate that cannot be read is neither.
    private static func certificates(
        of info: SignerInfo, in receipt: SignedReceipt
    ) -> (signer: Range<Int>?, candidates: [Range<Int>]) {
        guard case .issuerAndSerialNumber(let issuer, let serialNumber) = info.identifier else { return (nil, []) }
        let der = receipt.der
        let span = der.span
        var signer: Range<Int>?
        var candidates: [Range<Int>] = []
        for range in receipt.storage.signedData.certificates {
            do throws(ReceiptDecodingError) {
                let outline = try span.readCertificateOutline(range)
                if signer == nil, span.equals(outline.serialNumber, serialNumber), span.equals(outline.issuer, issuer) {
                    signer = range
                }
                if span.equals(outline.subject, issuer) { candidates.append(range) }
            } catch {
                continue
            }
        }
        return (signer, candidates)
    }

    /// What is wrong with the parts of the container that nothing else looks at, or nil.
    ///
    /// Nobody signs them and nothing depends on them, but a container with malformed parts is none that Apple made, and
    /// OpenSSL refuses it as well. Certificates of the chain, and anchors, need no second look.
    private func containerProblem(_ receipt: SignedReceipt, _ chain: CertificateChain?) -> Rejection? {
        if receipt.storage.signedData.hasCRLs {
            return Rejection(.revocationListsPresent, "there are revocation lists; receipts have none")
        }
        let der = receipt.der
        let span = der.span
        for range in receipt.storage.signedData.certificates {
            let certificate = span.extracting(range)
            if chain?.signer.consists(of: certificate) ?? false
                || chain?.intermediate?.consists(of: certificate) ?? false
                || chain?.anchor.consists(of: certificate) ?? false
                || builder.trusts(certificate)
            {
                continue
            }
            do throws(ReceiptDecodingError) {
                _ = try span.readCertificate(range, limits: .default)
            } catch {
                return Rejection(.malformedCertificate, "a certificate in the container cannot be decoded: \(error)")
            }
        }
        return nil
    }

    /// Whether this chain may vouch for such a receipt.
    private func checkUse(
        _ receipt: SignedReceipt, _ info: SignerInfo, _ chain: CertificateChain?, _ time: ReceiptDate?,
        _ run: inout CheckRun
    ) throws(LibcryptoError) -> Authenticity? {
        guard let chain, let time else {
            run.skip([.environmentVouchedFor, .sha1], "there is no chain")
            return nil
        }
        let type = receipt.unverifiedReceipt.receiptType
        try run.check(.environmentVouchedFor, type.map { "the signer signs for \($0)" } ?? "no environment is claimed")
        {
            Self.environmentProblem(receipt, chain)
        }
        let usesSHA1 = Self.digest(info.digestAlgorithm) == .sha1 || chain.usesSHA1
        try checkSHA1(usesSHA1, &run)
        return Authenticity(time: time, usesSHA1: usesSHA1)
    }

    func checkSHA1(_ usesSHA1: Bool, _ run: inout CheckRun) throws(LibcryptoError) {
        try run.check(.sha1, usesSHA1 ? "SHA-1 is used, and accepted" : "SHA-1 is not used") {
            usesSHA1 && !policy.acceptsSHA1
                ? Rejection(.sha1NotAccepted, "a signature uses SHA-1, which this policy does not accept")
                : nil
        }
    }

    /// Xcode's certificate, whose key anybody with Xcode can use, must not vouch for purchases in the App Store; and
    /// what the receipt says of itself must not choose whom to trust.
    private static func environmentProblem(_ receipt: SignedReceipt, _ chain: CertificateChain) -> Rejection? {
        let isXcode = receipt.unverifiedReceipt.environment == .xcode
        guard chain.isDirectlyTrusted != isXcode else { return nil }
        return Rejection(
            .environmentNotVouchedFor,
            isXcode
                ? "the receipt claims to come from Xcode, but is signed for the App Store"
                : "the signer, \(chain.signer.name), is trusted for receipts of type Xcode only")
    }
}
