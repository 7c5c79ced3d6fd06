internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX
import Synchronization

/// A signer profile under a policy: its roots and direct signers with their keys, its intermediates, and what is
/// remembered of chains.
final class SignerRoute: Sendable {
    struct Trusted: Sendable {
        let certificate: DecodedCertificate
        let key: PublicKey
    }

    /// An intermediate certificate that is known beforehand. It is not trusted: it has to lead up to a root.
    struct Intermediate: Sendable {
        let bytes: [UInt8]
        let subject: ArraySlice<UInt8>

        /// Nil when it cannot be decoded, so that it issues nothing.
        init?(_ bytes: [UInt8]) {
            // The error is of no use: what cannot be read is left out, and a signer it issued finds no intermediate.
            guard let outline = try? bytes.span.readCertificateOutline(0..<bytes.count) else { return nil }
            self.bytes = bytes
            subject = bytes[outline.subject]
        }
    }

    let profile: SignerProfile
    let libcrypto: Libcrypto
    /// What may issue an intermediate.
    let roots: [Trusted]
    /// What may sign by itself, and issues nothing.
    let directSigners: [Trusted]
    /// Those of the policy, then those that are built in.
    let intermediates: [Intermediate]
    let builtInIntermediates: [Intermediate]
    let toleratedExtensions: Set<String>
    let cache: ChainCache
    private let verified: VerifiedIntermediates

    init(
        _ profile: SignerProfile, _ policy: ValidationPolicy, intermediates: [[UInt8]], _ libcrypto: Libcrypto,
        capacity: Int
    ) throws(LibcryptoError) {
        self.profile = profile
        self.libcrypto = libcrypto
        // Either type of trusted certificate has a usable key, or it could not have been made: that there is none now is
        // no fault of the certificate's, and to go on without it would be one of ours.
        func trusted(_ certificate: DecodedCertificate) throws(LibcryptoError) -> Trusted {
            guard let key = try certificate.publicKey(libcrypto) else {
                throw LibcryptoError(function: "EVP_PKEY_fromdata", errors: ["no key of a trusted certificate"])
            }
            return Trusted(certificate: certificate, key: key)
        }
        var roots: [Trusted] = []
        for root in policy.roots where profile.accepts(root) { roots.append(try trusted(root.decoded)) }
        self.roots = roots
        var signers: [Trusted] = []
        for signer in policy.directSigners where signer.decoded.keyKind.map(profile.signerKeys.contains) == true {
            signers.append(try trusted(signer.decoded))
        }
        directSigners = signers
        self.intermediates = intermediates.compactMap(Intermediate.init)
        builtInIntermediates = profile.builtInIntermediates.compactMap(Intermediate.init)
        toleratedExtensions = policy.toleratedCriticalExtensions
        cache = ChainCache(capacity: capacity)
        verified = VerifiedIntermediates(capacity: capacity)
    }

    /// Whether signers are the old purchase receipt certificates.
    var isForPurchaseReceipts: Bool { profile == .purchaseReceipt }

    /// Whether a certificate is one of those that the policy trusts.
    func trusts(_ certificate: Span<UInt8>) -> Bool {
        roots.contains { $0.certificate.consists(of: certificate) }
            || directSigners.contains { $0.certificate.consists(of: certificate) }
    }

    /// Whether an intermediate is signed by a root that it names; remembered, since a P-384 signature takes half a
    /// millisecond and leaves change every year or two under the same intermediate.
    func isSigned(_ intermediate: DecodedCertificate, by root: Trusted) throws(LibcryptoError) -> Bool {
        if verified.contains(intermediate.bytes, root.certificate.bytes) { return true }
        guard try isSigned(intermediate, by: root.certificate, root.key) else { return false }
        verified.insert(intermediate.bytes, root.certificate.bytes)
        return true
    }

    func isSigned(
        _ certificate: DecodedCertificate, by issuer: DecodedCertificate, _ key: PublicKey
    ) throws(LibcryptoError) -> Bool {
        guard certificate.namesKey(of: issuer) else { return false }
        guard let scheme = SignatureScheme(certificate.fields.signatureAlgorithm),
            profile.certificateSchemes.contains(scheme)
        else { return false }
        let span = certificate.bytes.span
        let digest = try libcrypto.digest(scheme.digest, span.extracting(certificate.fields.tbsCertificate))
        return try key.isSignature(span.extracting(certificate.fields.signature), of: digest, scheme)
    }
}

/// Which intermediates a root has been found to have signed: exact bytes of both, and nothing else about them.
private final class VerifiedIntermediates: Sendable {
    private struct Pair: Sendable {
        let intermediate: [UInt8]
        let root: [UInt8]
    }

    private let capacity: Int
    private let pairs = Mutex<[Pair]>([])

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ intermediate: [UInt8], _ root: [UInt8]) -> Bool {
        // Compared outside the lock.
        pairs.withLock { $0 }.contains { $0.intermediate == intermediate && $0.root == root }
    }

    func insert(_ intermediate: [UInt8], _ root: [UInt8]) {
        guard capacity > 0 else { return }
        pairs.withLock { pairs in
            if pairs.count >= capacity { pairs.removeFirst() }
            pairs.append(Pair(intermediate: intermediate, root: root))
        }
    }
}

/// One route for each profile.
struct SignerRoutes: Sendable {
    private let routes: [SignerRoute]
    private let purchaseReceipts: SignerRoute

    init(_ policy: ValidationPolicy, _ libcrypto: Libcrypto, capacity: Int) throws(LibcryptoError) {
        var pinned: [[UInt8]] = []
        var others: [[UInt8]] = []
        for intermediate in policy.intermediates {
            // An authority of receipts stays one, pinned or not: it may have the name of another.
            let isMarked = Self.isPurchaseReceiptAuthority(intermediate)
            let fingerprint = try CertificateFingerprint(of: intermediate)
            let isPinned =
                isMarked && policy.transactionReceipts.purchaseReceiptAuthorities.contains(fingerprint)
            if isPinned { pinned.append(intermediate) } else { others.append(intermediate) }
        }
        var routes: [SignerRoute] = []
        for profile in SignerProfile.all where profile != .purchaseReceipt {
            routes.append(
                try SignerRoute(profile, policy, intermediates: others, libcrypto, capacity: capacity))
        }
        self.routes = routes
        purchaseReceipts = try SignerRoute(
            .purchaseReceipt, policy, intermediates: pinned, libcrypto, capacity: capacity)
    }

    /// The route of a kind.
    func route(for kind: DocumentKind) -> SignerRoute {
        let profile = kind.profile
        return routes.first { $0.profile == profile } ?? purchaseReceipts
    }

    /// The route of the old purchase receipt certificates, where the policy pins an authority of a signer's issuer's name.
    func pinnedRoute(for kind: DocumentKind, issuer: ArraySlice<UInt8>) -> SignerRoute? {
        guard kind == .transactionReceipt else { return nil }
        return purchaseReceipts.intermediates.contains { $0.subject == issuer } ? purchaseReceipts : nil
    }

    /// Whether a certificate carries the marker of the authorities of purchase receipt certificates.
    private static func isPurchaseReceiptAuthority(_ bytes: [UInt8]) -> Bool {
        // One that cannot be decoded carries no marker.
        let certificate = try? DecodedCertificate(bytes, limits: .default)
        return certificate?.has(SignerProfile.purchaseReceipt.intermediateMarker) == true
    }
}
