internal import ReceiptASN1

/// What a policy says about iOS 6-style transaction receipts in particular. All of it is off by default.
public struct TransactionReceiptPolicy: Hashable, Sendable {
    /// The certificate authorities whose purchase receipt certificates count.
    ///
    /// Until 2016 transaction receipts (version 2) were signed by certificates with keys of 1,024 bits, which carry another
    /// marker than receipts do now (1.2.840.113635.100.6.5.1). None of them is valid any more, and the key is within
    /// reach of a determined attacker: accept them for archives, not for purchases of today. The authority is pinned by
    /// its fingerprint, and its certificate has to be among ``ValidationPolicy/intermediates`` and to carry the marker
    /// 1.2.840.113635.100.6.2.2; pinning any other changes nothing:
    ///
    /// ```swift
    /// policy.intermediates = [appleITunesStoreCA]
    /// policy.transactionReceipts.purchaseReceiptAuthorities = [.appleITunesStoreCA]
    /// ```
    public var purchaseReceiptAuthorities: Set<CertificateFingerprint> = []

    /// Whether an environment that nobody signed meets ``ValidationPolicy/environments``.
    ///
    /// A transaction receipt states its environment outside the signature: a sandbox receipt, for which nobody paid, looks
    /// like one of production once that line is taken away. So a policy that expects an environment rejects transaction
    /// receipts (``Rejection/Reason/environmentNotSigned``), except sandbox receipts where the sandbox is expected. With
    /// true, the statement is believed unless the transaction's number, which is signed, says sandbox (observed, undocumented).
    public var acceptsUnsignedEnvironment = false

    public init() {}
}

/// The SHA-256 of a certificate's DER: what identifies one certificate among all.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let sha256: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    public init?(sha256: [UInt8]) {
        guard sha256.count == 32 else { return nil }
        self.sha256 = sha256
    }

    private init(known sha256: [UInt8]) { self.sha256 = sha256 }

    /// The fingerprint of a certificate.
    ///
    /// - Throws: ``LibcryptoError`` when libcrypto fails.
    public init(of certificate: [UInt8]) throws(LibcryptoError) {
        sha256 = try Libcrypto.shared().digest(.sha256, certificate.span)
    }

    /// Hexadecimal.
    public var description: String { hex(sha256) }

    /// Apple iTunes Store Certification Authority, serial number 1A, 2009-05-19 to 2016-05-18:
    /// `447ad65484610f20fdc33804c8597a1e208fbe4ef9c5653485cc7d3df730c016`.
    public static let appleITunesStoreCA = CertificateFingerprint(known: [
        0x44, 0x7A, 0xD6, 0x54, 0x84, 0x61, 0x0F, 0x20, 0xFD, 0xC3, 0x38, 0x04, 0xC8, 0x59, 0x7A, 0x1E, 0x20, 0x8F,
        0xBE,
        0x4E, 0xF9, 0xC5, 0x65, 0x34, 0x85, 0xCC, 0x7D, 0x3D, 0xF7, 0x30, 0xC0, 0x16,
    ])
}
