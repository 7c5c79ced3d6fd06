package import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptJSON

/// Dates as verifyReceipt writes them beside the milliseconds.
extension ReceiptDate {
    /// For example `2013-08-01 07:00:00 Etc/GMT`.
    package var verifyReceiptGMT: String {
        CivilTime(secondsSince1970: secondsSince1970).text(separator: UInt8(ascii: " "), behind: " Etc/GMT")
    }

    /// For example `2013-08-01 00:00:00 America/Los_Angeles`.
    package var verifyReceiptPST: String {
        PacificTime.civilTime(secondsSince1970).text(separator: UInt8(ascii: " "), behind: " America/Los_Angeles")
    }
}

extension JSONWriter {
    /// A date in RFC 3339, UTC, or null.
    package mutating func date(_ name: StaticString, _ value: ReceiptDate?) {
        key(name)
        if let value { plainString(atMost: ReceiptDate.maximumLength) { value.write(to: &$0, at: 0) } } else { null() }
    }
}
