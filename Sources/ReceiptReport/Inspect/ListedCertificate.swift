import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptPKIX

/// A certificate of a container, as reports list it.
package enum ListedCertificate: Sendable {
    case readable(CertificateSummary)
    case unreadable(sha256: String, ReceiptDecodingError)

    package init(_ der: [UInt8]) throws(LibcryptoError) {
        let decoded: DecodedCertificate
        do throws(ReceiptDecodingError) {
            decoded = try DecodedCertificate(der, limits: .default)
        } catch {
            self = .unreadable(sha256: hex(try digest(der[...])), error)
            return
        }
        self = .readable(try CertificateSummary.listed(decoded))
    }

    package var sha256: String {
        switch self {
        case .readable(let summary): summary.sha256
        case .unreadable(let sha256, _): sha256
        }
    }

    package var summary: CertificateSummary? {
        if case .readable(let summary) = self { summary } else { nil }
    }
}
