import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptJSON
import ReceiptPKIX

/// A certificate of a container, as reports list it.
package struct ListedCertificate: Sendable {
    let content: Content
    /// Its object in a report that hides nothing: thousands of receipts have the same few.
    let json: [UInt8]

    enum Content: Sendable {
        case readable(CertificateSummary)
        case unreadable(sha256: String, ReceiptDecodingError)
    }

    init(_ der: [UInt8]) throws(LibcryptoError) {
        content = try Content(der)
        var writer = JSONWriter()
        writer.write(content, .off)
        json = writer.bytes
    }

    package var sha256: String { content.sha256 }
    package var summary: CertificateSummary? { content.summary }
}

extension ListedCertificate.Content {
    fileprivate init(_ der: [UInt8]) throws(LibcryptoError) {
        let decoded: DecodedCertificate
        do throws(ReceiptDecodingError) {
            decoded = try DecodedCertificate(der, limits: .default)
        } catch {
            self = .unreadable(sha256: hex(try digest(der[...])), error)
            return
        }
        self = .readable(try CertificateSummary.listed(decoded))
    }

    var sha256: String {
        switch self {
        case .readable(let summary): summary.sha256
        case .unreadable(let sha256, _): sha256
        }
    }

    var summary: CertificateSummary? {
        if case .readable(let summary) = self { summary } else { nil }
    }
}
