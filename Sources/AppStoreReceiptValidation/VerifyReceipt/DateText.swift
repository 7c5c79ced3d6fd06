package import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptJSON

/// Dates as verifyReceipt writes them beside the milliseconds.
extension ReceiptDate {
    /// For example `2013-08-01 07:00:00 Etc/GMT`.
    package var verifyReceiptGMT: String {
        Self.text(CivilTime(secondsSince1970: secondsSince1970), " Etc/GMT")
    }

    /// For example `2013-08-01 00:00:00 America/Los_Angeles`.
    package var verifyReceiptPST: String {
        Self.text(PacificTime.civilTime(secondsSince1970), " America/Los_Angeles")
    }

    private static func text(_ time: CivilTime, _ zone: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(48)
        time.append(to: &text, separator: UInt8(ascii: " "))
        text.append(contentsOf: zone.utf8)
        return String(decoding: text, as: UTF8.self)
    }
}

extension JSONWriter {
    /// A date in RFC 3339, UTC, or null.
    package mutating func date(_ name: StaticString, _ value: ReceiptDate?) {
        key(name)
        if let value { plainString { value.appendRFC3339(to: &$0) } } else { null() }
    }
}
