/// A date and time of day in the proleptic Gregorian calendar, without a time zone.
@usableFromInline
package struct CivilTime: Hashable, Sendable {
    @usableFromInline package var year: Int
    @usableFromInline package var month: Int
    @usableFromInline package var day: Int
    @usableFromInline package var hour: Int
    @usableFromInline package var minute: Int
    @usableFromInline package var second: Int

    /// Nil unless the fields name a real day (year 0 to 9999) and a time from 00:00:00 to 23:59:59.
    ///
    /// Leap seconds are refused: RFC 5280 and Apple's dates have none, and POSIX time cannot express them.
    @inlinable
    package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The civil time of a number of seconds since 1970-01-01T00:00:00, by the inverse of the formula below.
    package init(secondsSince1970 seconds: Int64) {
        // In 64 bits also where Int has 32.
        var days = seconds / 86_400
        var rest = Int(seconds % 86_400)
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = Int(clamping: yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// Seconds since 1970-01-01T00:00:00, counting this as UTC.
    ///
    /// The days come from the usual closed formula: years that begin in March put the leap day last.
    @inlinable
    package var secondsSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// More characters than ``write(to:at:separator:)`` ever writes.
    package static let maximumLength = 40

    /// Writes `YYYY-MM-DD`, a separator, and `hh:mm:ss` behind an index, and gives that of the end.
    ///
    /// Digit by digit: an archive has hundreds of thousands of dates. A year outside 0 to 9999 has a sign or more digits.
    package func write(to text: inout MutableSpan<UInt8>, at start: Int, separator: UInt8 = UInt8(ascii: "T")) -> Int {
        var end = start
        func put(_ byte: UInt8, _ text: inout MutableSpan<UInt8>) {
            text[end] = byte
            end += 1
        }
        func twoDigits(_ number: Int, _ text: inout MutableSpan<UInt8>) {
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10), &text)
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10), &text)
        }
        if (0...9_999).contains(year) {
            twoDigits(year / 100, &text)
            twoDigits(year % 100, &text)
        } else {
            for digit in padded(year, 4).utf8 { put(digit, &text) }
        }
        put(UInt8(ascii: "-"), &text)
        twoDigits(month, &text)
        put(UInt8(ascii: "-"), &text)
        twoDigits(day, &text)
        put(separator, &text)
        twoDigits(hour, &text)
        put(UInt8(ascii: ":"), &text)
        twoDigits(minute, &text)
        put(UInt8(ascii: ":"), &text)
        twoDigits(second, &text)
        return end
    }

    /// The same as text, with something behind it.
    package func text(separator: UInt8 = UInt8(ascii: "T"), behind: String = "") -> String {
        var text = [UInt8](repeating: 0, count: Self.maximumLength)
        var span = text.mutableSpan
        let end = write(to: &span, at: 0, separator: separator)
        return String(decoding: text[..<end], as: UTF8.self) + behind
    }

    @inlinable
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Span where Element == UInt8 {
    /// The number that two decimal digits write, or nil.
    @inlinable @inline(__always)
    package func twoDigits(_ index: Int) -> Int? {
        let tens = self[index] &- 0x30
        let ones = self[index + 1] &- 0x30
        guard tens <= 9, ones <= 9 else { return nil }
        return Int(tens) * 10 + Int(ones)
    }
}

/// A number in decimal, with zeros in front to fill a width.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
}
