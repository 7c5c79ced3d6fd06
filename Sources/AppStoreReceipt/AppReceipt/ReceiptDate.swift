/// An instant as receipts write it, to the millisecond.
///
/// Receipts hold dates as RFC 3339 text. This type needs neither a locale nor a calendar, so that the same
/// receipt gives the same instant on every host.
public struct ReceiptDate: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, negative before.
    public var millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    public static func < (lhs: ReceiptDate, rhs: ReceiptDate) -> Bool {
        lhs.millisecondsSince1970 < rhs.millisecondsSince1970
    }

    /// Whole seconds since 1970, rounded down.
    package var secondsSince1970: Int64 {
        // Division rounds towards zero; a fraction before 1970 must round down like any other.
        let (quotient, remainder) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension ReceiptDate {
    /// The instant that a text names, or nil if it is not a date in the form receipts use.
    ///
    /// The form is that of RFC 3339 section 5.6: `2013-08-01T07:00:00Z`, whose `T` and `Z` may be lower-case.
    /// Fractions of a second (App Store receipts of 2020 have three digits) are cut to milliseconds; an offset
    /// may lack its colon, as Xcode wrote it in 2020 and 2021 (`+0300`). Leap seconds are refused.
    public init?(rfc3339 text: some StringProtocol) {
        self.init(Array(text.utf8).span, 0..<text.utf8.count)
    }

    /// The same for a region of a buffer.
    @inline(__always)
    package init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let text = text.extracting(range)
        if let seconds = Self.secondsInUsualForm(text) {
            millisecondsSince1970 = seconds * 1_000
            return
        }
        guard text.count >= 20,
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] | 0x20 == UInt8(ascii: "t"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let century = text.twoDigits(0), let yearOfCentury = text.twoDigits(2), let month = text.twoDigits(5),
            let day = text.twoDigits(8), let hour = text.twoDigits(11), let minute = text.twoDigits(14),
            let second = text.twoDigits(17),
            let time = CivilTime(
                year: century * 100 + yearOfCentury, month: month, day: day, hour: hour, minute: minute,
                second: second),
            let rest = Self.fractionAndOffset(text)
        else { return nil }
        millisecondsSince1970 = (time.secondsSince1970 - rest.offset) * 1_000 + rest.milliseconds
    }

    /// The seconds since 1970 of `YYYY-MM-DDThh:mm:ssZ`, the form of nearly all dates, eight characters at a time. Nil for
    /// any other form, and for what is no date.
    @inline(__always)
    private static func secondsInUsualForm(_ text: Span<UInt8>) -> Int64? {
        guard text.count == 20 else { return nil }
        let raw = unsafe text.bytes
        // In bounds, and any eight or four bytes are an integer. XOR with the form leaves the digits' values, and zero
        // for the signs between them.
        let date =
            unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
            ^ 0x2D30_302D_3030_3030
        let time =
            unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
            ^ 0x3030_3A30_3054_3030
        let end =
            unsafe UInt32(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self))
            ^ 0x5A30_303A
        // 0x76 takes a digit above 9 to the highest bit of its byte, and 0x7F a sign above 0; what has that bit before,
        // and may carry into the next byte, is refused too.
        guard (date | (date &+ 0x7F76_767F_7676_7676)) & 0x8080_8080_8080_8080 == 0,
            (time | (time &+ 0x7676_7F76_767F_7676)) & 0x8080_8080_8080_8080 == 0,
            (end | (end &+ 0x7F76_767F)) & 0x8080_8080 == 0
        else { return nil }
        func twoDigits(_ digits: UInt64, _ shift: UInt64) -> Int {
            Int(truncatingIfNeeded: (digits &>> shift & 0xF) &* 10 &+ (digits &>> (shift &+ 8) & 0xF))
        }
        return CivilTime(
            year: twoDigits(date, 0) &* 100 &+ twoDigits(date, 16), month: twoDigits(date, 40),
            day: twoDigits(time, 0), hour: twoDigits(time, 24), minute: twoDigits(time, 48),
            second: twoDigits(UInt64(end), 8))?.secondsSince1970
    }

    /// What follows the seconds: milliseconds, and seconds east of UTC. Few receipts have anything but `Z` there.
    @inline(never)
    private static func fractionAndOffset(_ text: Span<UInt8>) -> (milliseconds: Int64, offset: Int64)? {
        var position = 19
        var milliseconds: Int64 = 0
        if text[position] == UInt8(ascii: ".") {
            guard let fraction = Self.fraction(text, position + 1..<text.count) else { return nil }
            milliseconds = fraction.milliseconds
            position = fraction.end
        }
        guard let offset = Self.offset(text, position..<text.count) else { return nil }
        return (milliseconds, offset)
    }

    /// One to nine digits after the point, as milliseconds, and where they end.
    private static func fraction(_ text: Span<UInt8>, _ range: Range<Int>) -> (milliseconds: Int64, end: Int)? {
        var value: Int64 = 0
        var position = range.lowerBound
        while position < range.upperBound, case let digit = text[position] &- 0x30, digit <= 9 {
            let index = position - range.lowerBound
            guard index < 9 else { return nil }
            if index < 3 { value = value * 10 + Int64(digit) }
            position += 1
        }
        switch position - range.lowerBound {
        case 0: return nil
        case 1: value *= 100
        case 2: value *= 10
        default: break
        }
        return (value, position)
    }

    /// `Z`, `z`, `+hh:mm` or `+hhmm` to the end of the range, as seconds east of UTC.
    private static func offset(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard let first = range.first else { return nil }
        if text[first] | 0x20 == UInt8(ascii: "z") { return range.count == 1 ? 0 : nil }
        let sign: Int64
        switch text[first] {
        case UInt8(ascii: "+"): sign = 1
        case UInt8(ascii: "-"): sign = -1
        default: return nil
        }
        let hasColon = range.count == 6 && text[first + 3] == UInt8(ascii: ":")
        guard range.count == 5 || hasColon, let hours = text.twoDigits(first + 1), hours <= 23,
            let minutes = text.twoDigits(first + (hasColon ? 4 : 3)), minutes <= 59
        else { return nil }
        return sign * Int64(hours * 3_600 + minutes * 60)
    }
}

extension ReceiptDate: CustomStringConvertible {
    /// RFC 3339 in UTC: `2013-08-01T07:00:00Z`, with milliseconds only when there are any.
    public var description: String {
        var text = [UInt8](repeating: 0, count: Self.maximumLength)
        var span = text.mutableSpan
        let end = write(to: &span, at: 0)
        return String(decoding: text[..<end], as: UTF8.self)
    }

    /// More characters than a ``description`` ever has.
    package static var maximumLength: Int { CivilTime.maximumLength + 5 }

    /// Writes ``description`` behind an index, and gives that of the end.
    package func write(to text: inout MutableSpan<UInt8>, at start: Int) -> Int {
        var end = CivilTime(secondsSince1970: secondsSince1970).write(to: &text, at: start)
        // Not by subtracting: the first seconds that 64 bits hold begin before the first millisecond.
        let remainder = Int(millisecondsSince1970 % 1_000)
        if remainder != 0 {
            text[end] = UInt8(ascii: ".")
            for digit in padded(remainder < 0 ? remainder + 1_000 : remainder, 3).utf8 {
                end += 1
                text[end] = digit
            }
            end += 1
        }
        text[end] = UInt8(ascii: "Z")
        return end + 1
    }
}
