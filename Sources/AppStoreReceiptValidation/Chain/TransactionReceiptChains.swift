internal import AppStoreReceipt
internal import ReceiptPKIX

/// The chains under which a policy accepts transaction receipts.
///
/// Two profiles, told apart by the authority that the policy pins and by nothing in the receipt: that of app receipts, and
/// that of the purchase receipt certificates. Each has a cache of its own, so that a chain that was found good under one
/// is never taken as good under the other.
struct TransactionReceiptChains: Sendable {
    private let receipts: Route
    private let purchaseReceipts: Route

    /// Builder, cache and intermediates of a profile.
    struct Route: Sendable {
        let builder: ChainBuilder
        let cache: ChainCache
        let intermediates: [Intermediate]
        let isPurchaseReceipt: Bool

        func candidates(issuer: ArraySlice<UInt8>) -> [[UInt8]] {
            intermediates.filter { $0.subject == issuer }.map(\.bytes)
        }
    }

    /// An intermediate certificate and its name, DER.
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

        /// Whether a certificate carries the marker of the authorities of purchase receipt certificates.
        static func isPurchaseReceiptAuthority(_ bytes: [UInt8]) -> Bool {
            // One that cannot be decoded carries no marker.
            let certificate = try? DecodedCertificate(bytes, limits: .default)
            return certificate?.has(ChainProfile.purchaseReceipt.intermediateMarker) == true
        }
    }

    init(
        _ policy: ValidationPolicy, _ builder: ChainBuilder, _ cache: ChainCache, capacity: Int
    ) throws(LibcryptoError) {
        let own = policy.transactionReceipts
        var pinned: [[UInt8]] = []
        var others: [[UInt8]] = AppleIntermediates.all
        for intermediate in own.intermediates {
            // An authority of receipts stays one, pinned or not: it may have the name of another.
            let isMarked = Intermediate.isPurchaseReceiptAuthority(intermediate)
            let fingerprint = try CertificateFingerprint(of: intermediate)
            let isAuthority = isMarked && own.purchaseReceiptAuthorities.contains(fingerprint)
            if isAuthority { pinned.append(intermediate) } else { others.append(intermediate) }
        }
        receipts = Route(
            builder: builder, cache: cache, intermediates: others.compactMap(Intermediate.init),
            isPurchaseReceipt: false)
        purchaseReceipts = Route(
            builder: try ChainBuilder(builder.libcrypto, .purchaseReceipt, policy),
            cache: ChainCache(capacity: capacity), intermediates: pinned.compactMap(Intermediate.init),
            isPurchaseReceipt: true)
    }

    /// The route for a signer: by way of a pinned authority when one has the issuer's name.
    func route(signer: [UInt8]) -> (route: Route, candidates: [[UInt8]]) {
        // The builder decodes the signer again and says what is wrong with it.
        guard let outline = try? signer.span.readCertificateOutline(0..<signer.count) else { return (receipts, []) }
        let issuer = signer[outline.issuer]
        let pinned = purchaseReceipts.candidates(issuer: issuer)
        return pinned.isEmpty ? (receipts, receipts.candidates(issuer: issuer)) : (purchaseReceipts, pinned)
    }
}

extension ChainProfile {
    /// Purchase receipt certificates under Apple iTunes Store Certification Authority, 2009 to 2016 (observed).
    static let purchaseReceipt = ChainProfile(
        signerMarker: .applePurchaseReceiptSigning, intermediateMarker: .appleITunesStoreIntermediate)
}
