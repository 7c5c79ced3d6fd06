package import AppStoreReceipt
internal import ReceiptASN1
package import ReceiptJSON

/// Dates as text, written digit by digit: an archive has hundreds of thousands of them.
extension ReceiptDate {
    /// What ``description`` says.
    package func appendRFC3339(to text: inout [UInt8]) {
        let seconds = secondsSince1970
        CivilTime(secondsSince1970: seconds).append(to: &text, separator: UInt8(ascii: "T"))
        let milliseconds = Int(millisecondsSince1970 - seconds * 1_000)
        if milliseconds != 0 {
            text.append(UInt8(ascii: "."))
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100))
            text.appendTwoDigits(milliseconds % 100)
        }
        text.append(UInt8(ascii: "Z"))
    }

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

extension CivilTime {
    fileprivate func append(to text: inout [UInt8], separator: UInt8) {
        if (0...9_999).contains(year) {
            text.appendTwoDigits(year / 100)
            text.appendTwoDigits(year % 100)
        } else {
            text.append(contentsOf: padded(year, 4).utf8)
        }
        for (mark, value) in [(UInt8(ascii: "-"), month), (UInt8(ascii: "-"), day), (separator, hour)] {
            text.append(mark)
            text.appendTwoDigits(value)
        }
        for value in [minute, second] {
            text.append(UInt8(ascii: ":"))
            text.appendTwoDigits(value)
        }
    }
}

extension [UInt8] {
    /// A number from 0 to 99.
    fileprivate mutating func appendTwoDigits(_ number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
