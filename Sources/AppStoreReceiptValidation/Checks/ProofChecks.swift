internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// What a path is good for: its time, what lies beside it, and the signature itself.
extension CheckTable {
    /// Both ends belong to the validity by RFC 5280 4.1.2.5. The last second is left out here, as OpenSSL leaves it
    /// out up to 3.6, so that we never accept what it rejects.
    static let validity = CheckDefinition(
        .validity, "Every certificate was valid at the time; the last second of a validity is left out.",
        reasons: [.certificateExpired, .certificateNotYetValid], needs: [.signerInfo] + pathNames + [.validationTime],
        isAsked: { !$0.isTimeUnreadable }, notAsked: { "the \(words: $0.words.date) cannot be read" },
        passed: { proceedings in
            guard let time = proceedings.time else { return "" }
            return "every certificate was valid at \(.date(time))"
        },
        problem: { proceedings in
            guard let chain = proceedings.chain, let time = proceedings.time else {
                return Rejection(.certificateExpired, "there is no chain that could be valid")
            }
            guard !chain.isValid(at: time) else { return nil }
            let seconds = time.secondsSince1970
            for certificate in chain.certificates {
                let fields = certificate.fields
                if seconds < fields.notBefore {
                    let start = ReceiptDate(millisecondsSince1970: fields.notBefore * 1_000)
                    return Rejection(
                        .certificateNotYetValid,
                        "\(.certificate(certificate.name)) is valid from \(.date(start)), after \(.date(time))")
                }
                if seconds >= fields.notAfter {
                    let end = ReceiptDate(millisecondsSince1970: fields.notAfter * 1_000)
                    return Rejection(
                        .certificateExpired,
                        "\(.certificate(certificate.name)) was valid until \(.date(end)), before \(.date(time))")
                }
            }
            return Rejection(.certificateExpired, "the certificates were never valid together")
        })

    /// Nobody signs these parts and nothing depends on them, but a container with malformed parts is none that Apple made,
    /// and OpenSSL refuses it as well. Certificates of the chain, and trusted ones, need no second look.
    static let container = CheckDefinition(
        .container, "Beside the chain there is nothing malformed, and there are no revocation lists.",
        reasons: [.revocationListsPresent, .malformedCertificate, .untrustedRoot], needs: [.signerInfo],
        scope: .containers,
        passed: { _ in "nothing malformed is beside the chain" },
        problem: { proceedings in
            if case .cms(let signedData, let der) = proceedings.signing.form {
                if signedData.hasCRLs {
                    return Rejection(.revocationListsPresent, "there are revocation lists; receipts have none")
                }
                for range in signedData.certificates {
                    if let problem = proceedings.strayProblem(der.span, range) { return problem }
                }
                return nil
            }
            // x5c ends in the root (RFC 7515 4.1.6: each certifies the one before); all of Apple's do.
            if let chain = proceedings.chain, chain.intermediate != nil,
                proceedings.signing.certificates.count > 1, let last = proceedings.signing.certificates.last,
                !chain.anchor.consists(of: last.span)
            {
                return Rejection(
                    .untrustedRoot, "the last certificate beside the signer's is not the root of its chain")
            }
            for certificate in proceedings.signing.certificates {
                if let problem = proceedings.strayProblem(certificate.span, 0..<certificate.count) { return problem }
            }
            return nil
        })

    static let signedAttributes = CheckDefinition(
        .signedAttributes, "Signed attributes, where there are any, name the content's type and digest.",
        reasons: [
            .malformedSignedAttributes, .contentTypeMismatch, .messageDigestMissing, .messageDigestMismatch,
        ], needs: [.signerInfo, .digestAlgorithm], lacking: "the signed attributes do not fit", scope: .cms,
        isAsked: { $0.signerInfo?.signedAttributes != nil },
        notAsked: { _ in "there are none; the signature is over the content" },
        passed: { _ in "they name the content's type and digest" },
        problem: { (proceedings) throws(LibcryptoError) in
            guard case .cms(let signedData, let der) = proceedings.signing.form,
                let range = signedData.signerInfos.first?.signedAttributes
            else { return nil }
            let digest = try proceedings.digestContent()
            do throws(ReceiptDecodingError) {
                let attributes = try der.span.readSignedAttributes(range)
                guard attributes.contentType == signedData.contentType else {
                    return Rejection(.contentTypeMismatch, "the signed content type is not that of the content")
                }
                guard let messageDigest = attributes.messageDigest else {
                    return Rejection(.messageDigestMissing, "the signed attributes hold no message digest")
                }
                guard der[messageDigest].elementsEqual(digest) else {
                    return Rejection(
                        .messageDigestMismatch, "the content is not the one that was signed: its digest differs")
                }
                return nil
            } catch {
                return Rejection(
                    .malformedSignedAttributes, "the signed attributes cannot be decoded: \(.error(error))")
            }
        })

    static let signature = CheckDefinition(
        .signature, "The signer's key signed the content, or the signed attributes that name its digest.",
        reasons: [.signatureMismatch, .malformedSignature],
        needs: [.signerInfo, .digestAlgorithm, .signatureAlgorithm] + pathNames,
        passed: { proceedings in
            "\(.certificate(proceedings.chain?.signerName ?? "")) signed this \(words: proceedings.words.signed)"
        },
        problem: { (proceedings) throws(LibcryptoError) in
            guard let chain = proceedings.chain, let scheme = proceedings.scheme else {
                return Rejection(.signatureMismatch, "there is no key to check the signature with")
            }
            let digest = try proceedings.digestSigned(scheme)
            let isRight: Bool
            switch proceedings.signing.form {
            case .cms(let signedData, let der):
                guard let info = signedData.signerInfos.first else { return nil }
                isRight = try chain.signerKey.isSignature(der.span.extracting(info.signature), of: digest, scheme)
            case .plain(let signature):
                isRight = try chain.signerKey.isSignature(signature.signature.span, of: digest, scheme)
            }
            proceedings.isSignatureVerified = isRight
            if !isRight, let problem = proceedings.signatureProblem(chain.signerKey, scheme) {
                return Rejection(.malformedSignature, "no key made this: \(words: problem.description)")
            }
            guard !isRight else { return nil }
            return Rejection(
                .signatureMismatch,
                "the signature does not fit the \(words: proceedings.words.signed): one of them was changed after \(.certificate(chain.signer.name)) signed, or another key signed"
            )
        })
}

extension Proceedings {
    /// Why the signature can be one of no key at all.
    fileprivate func signatureProblem(_ key: PublicKey, _ scheme: SignatureScheme) -> ECDSASignature.Problem? {
        switch signing.form {
        case .cms(let signedData, let der):
            signedData.signerInfos.first.flatMap { key.problem(der.span.extracting($0.signature), scheme) }
        case .plain(let signature): key.problem(signature.signature.span, scheme)
        }
    }

    /// The digest of the content, once.
    mutating func digestContent() throws(LibcryptoError) -> [UInt8] {
        if let contentDigest { return contentDigest }
        guard let algorithm = digestAlgorithm else { return [] }
        let digest: [UInt8]
        switch signing.form {
        case .cms(let signedData, let der):
            digest = try libcrypto.digest(algorithm, der.span.extracting(signedData.content))
        case .plain(let signature): digest = try libcrypto.digest(algorithm, signature.signed.span)
        }
        contentDigest = digest
        return digest
    }

    /// SHA-256 of the content of a container, if that is what its signer digested, and the checks came so far.
    var payloadSHA256: [UInt8]? {
        guard case .cms = signing.form, digestAlgorithm == .sha256 else { return nil }
        return contentDigest
    }

    /// The digest that the signature is over.
    fileprivate mutating func digestSigned(_ scheme: SignatureScheme) throws(LibcryptoError) -> [UInt8] {
        guard case .cms(let signedData, let der) = signing.form,
            let range = signedData.signerInfos.first?.signedAttributes
        else { return try digestContent() }
        // RFC 5652 5.4: what is signed is the encoding as a SET OF, not as the [0] that it is sent as.
        var attributes = Array(der[range])
        attributes[0] = 0x31
        return try libcrypto.digest(scheme.digest, attributes.span)
    }

    /// What is wrong with a certificate that nobody needs.
    fileprivate func strayProblem(_ span: Span<UInt8>, _ range: Range<Int>) -> Rejection? {
        let certificate = span.extracting(range)
        if chain?.contains(certificate) == true || route.trusts(certificate) { return nil }
        do throws(ReceiptDecodingError) {
            _ = try span.readCertificate(range, limits: signing.limits)
            return nil
        } catch {
            return Rejection(
                .malformedCertificate, "a certificate in the container cannot be decoded: \(.error(error))")
        }
    }
}
