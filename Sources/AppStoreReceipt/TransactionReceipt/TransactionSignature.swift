/// The `signature` of a transaction receipt, taken apart. Observed, undocumented:
///
/// ```
/// version     1 byte: 2, 3 or 4
/// signature   RSA PKCS#1 v1.5, 128 bytes in version 2, 256 in versions 3 and 4
/// length      of the certificate, 4 bytes, big-endian
/// certificate DER of the leaf; the intermediate is not in the blob
/// ```
///
/// What is signed is the version byte followed by the decoded purchase-info, with SHA-1 in versions 2 and 3 and SHA-256 in
/// version 4. Success says that the lengths agree; nothing of the signature or the certificate has been looked at.
package struct TransactionSignature: Sendable, Equatable {
    package let version: UInt8
    package let signature: [UInt8]
    package let certificate: [UInt8]

    /// Takes a blob apart.
    ///
    /// - Throws: an error whose offset counts in the blob.
    package init(_ blob: [UInt8]) throws(ReceiptDecodingError) {
        guard let version = blob.first else { throw Self.truncated(blob, needed: 1) }
        guard let length = Self.signatureLength(version: version) else {
            if let text = Self.text(blob) {
                throw ReceiptDecodingError(.signatureIsText, at: 0, in: "signature", detail: text)
            }
            throw ReceiptDecodingError(
                .unknownSignatureVersion, at: 0, in: "signature.version", detail: "version \(version)")
        }
        let start = 1 + length + 4
        guard blob.count >= start else { throw Self.truncated(blob, needed: start) }
        let certificateLength = blob[(1 + length)..<start].reduce(0) { $0 << 8 | Int($1) }
        guard certificateLength <= blob.count - start else {
            throw Self.truncated(blob, needed: start + certificateLength)
        }
        guard certificateLength == blob.count - start else {
            throw ReceiptDecodingError(
                .trailingBytes, at: start + certificateLength, in: "signature",
                detail: "\(blob.count - start - certificateLength) bytes after the certificate")
        }
        self.version = version
        signature = Array(blob[1..<(1 + length)])
        certificate = Array(blob[start...])
    }

    /// The signature's length in bytes in a version of the blob, or nil when the version is unknown.
    package static func signatureLength(version: UInt8) -> Int? {
        switch version {
        case 2: 128
        case 3, 4: 256
        default: nil
        }
    }

    private static func truncated(_ blob: [UInt8], needed: Int) -> ReceiptDecodingError {
        ReceiptDecodingError(
            .truncated, at: blob.count, in: "signature",
            detail: "\(blob.count) bytes, at least \(needed) needed")
    }

    /// The blob as it reads when it is printable ASCII, in full up to 40 characters.
    private static func text(_ blob: [UInt8]) -> String? {
        guard blob.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        let shown = String(decoding: blob.prefix(40), as: UTF8.self)
        return blob.count > 40 ? "it reads \(shown)… (\(blob.count) characters)" : "it reads \(shown)"
    }
}
