internal import AppStoreReceipt
internal import ReceiptASN1
internal import ReceiptPKIX

/// Who signs documents of some kinds, and how: everything by which the chain of one is told from that of another.
///
/// A value: a kind of document is given a signer by a row in ``DocumentKind/profile``, and a new signer by a profile here.
/// Each profile has caches of its own, so that a chain that was found good under one is never taken as good under another.
/// The profile is chosen by the kind that the caller asked for and the policy, and by nothing in the document.
package struct SignerProfile: Sendable, Equatable {
    package let name: String
    /// With which schemes documents may be signed, and with which certificates.
    let documentSchemes: [SignatureScheme]
    let certificateSchemes: [SignatureScheme]
    let signerKeys: [KeyKind]
    let intermediateKeys: [KeyKind]
    let rootKeys: [KeyKind]
    /// The extensions that mark signer and intermediate as Apple's for this purpose.
    let signerMarker: ObjectIdentifier
    let intermediateMarker: ObjectIdentifier
    /// The built-in roots that count here. Of those that a caller passes, all do whose keys are of a kind above.
    let appleRoots: [TrustAnchor]
    /// Intermediates for documents that carry none.
    let builtInIntermediates: [[UInt8]]
    /// What the rejections call what is signed so, and what they say it is signed with.
    let documents: String
    let schemes: String

    package static func == (lhs: SignerProfile, rhs: SignerProfile) -> Bool { lhs.name == rhs.name }

    /// Whether documents may be digested with it.
    func accepts(_ digest: DigestAlgorithm) -> Bool { documentSchemes.contains { $0.digest == digest } }

    var digestNames: String { documentSchemes.map(\.digest.name).sorted().joined(separator: " or ") }
    var keyNames: String {
        signerKeys == intermediateKeys
            ? signerKeys.map(\.name).joined(separator: " or ")
            : (signerKeys + intermediateKeys).map(\.name).joined(separator: " and ")
    }

    /// Whether a root issues intermediates of this profile.
    func accepts(_ root: TrustAnchor) -> Bool {
        guard let kind = root.decoded.keyKind, rootKeys.contains(kind) else { return false }
        return appleRoots.contains(root) || !TrustAnchor.apple.contains(root)
    }
}

extension SignerProfile {
    private static let rsaSchemes: [SignatureScheme] = [.rsaPKCS1(.sha256), .rsaPKCS1(.sha1)]

    /// App Store receipts: the markers of Apple's receipt validation guide, on every chain since November 2010.
    package static let appReceipt = SignerProfile(
        name: "app-receipt", documentSchemes: rsaSchemes, certificateSchemes: rsaSchemes, signerKeys: [.rsa],
        intermediateKeys: [.rsa], rootKeys: [.rsa], signerMarker: .appleReceiptSigning,
        intermediateMarker: .appleWWDRIntermediate, appleRoots: [.appleRootCA],
        builtInIntermediates: [
            AppleCertificates.appleWWDRCAG1, AppleCertificates.appleWWDRCAG7, AppleCertificates.appleWWDRCAG8,
            AppleCertificates.appleWWDRCAG5,
        ], documents: "App Store receipts", schemes: "RSA PKCS#1 v1.5")

    /// Purchase receipt certificates under Apple iTunes Store Certification Authority, 2009 to 2016 (observed). Its
    /// intermediates are those that the policy pins.
    package static let purchaseReceipt = SignerProfile(
        name: "purchase-receipt", documentSchemes: rsaSchemes, certificateSchemes: rsaSchemes, signerKeys: [.rsa],
        intermediateKeys: [.rsa], rootKeys: [.rsa], signerMarker: .applePurchaseReceiptSigning,
        intermediateMarker: .appleITunesStoreIntermediate, appleRoots: [.appleRootCA], builtInIntermediates: [],
        documents: "transaction receipts", schemes: "RSA PKCS#1 v1.5")

    /// Compact JWS of StoreKit 2 and the App Store Server API and Notifications: ES256 by a leaf under WWDR G6. Apple Pay's
    /// and App Attest's branches lead up to the same root, so that the markers are needed here too (observed since 2021).
    package static let jws = SignerProfile(
        name: "jws", documentSchemes: [.es256], certificateSchemes: [.ecdsa(.sha384)],
        signerKeys: [.elliptic(.p256)], intermediateKeys: [.elliptic(.p384)], rootKeys: [.elliptic(.p384)],
        signerMarker: .appleReceiptSigning, intermediateMarker: .appleWWDRIntermediate, appleRoots: [.appleRootCAG3],
        builtInIntermediates: [], documents: "StoreKit's JWS", schemes: "ES256")

    /// Receipts of App Attest, under Apple Application Integration CA 5 - G1 (observed since 2020).
    package static let appAttest = SignerProfile(
        name: "app-attest", documentSchemes: [.ecdsa(.sha256)],
        certificateSchemes: [.ecdsa(.sha256), .ecdsa(.sha384)], signerKeys: [.elliptic(.p256)],
        intermediateKeys: [.elliptic(.p256)], rootKeys: [.elliptic(.p384)], signerMarker: .appleAppAttestSigning,
        intermediateMarker: .appleApplicationIntegration, appleRoots: [.appleRootCAG3], builtInIntermediates: [],
        documents: "App Attest receipts", schemes: "ECDSA with SHA-256")

    package static let all: [SignerProfile] = [.appReceipt, .purchaseReceipt, .jws, .appAttest]
}
