internal import AppStoreReceipt
internal import ReceiptASN1

/// Wall time in Los Angeles, which verifyReceipt's `_pst` keys show, daylight saving time included.
///
/// By arithmetic, so that neither a time zone database nor ICU is needed and every host answers the same. The rules are
/// those of the Uniform Time Act (1967), its amendments of 1974, 1975, 1986 (in force 1987) and the Energy Policy Act of
/// 2005 (in force 2007). Earlier dates, of which no purchase can be, are shown in standard time.
enum PacificTime {
    private static let standardOffset: Int64 = -8 * 3_600

    /// The civil time of an instant.
    static func civilTime(_ seconds: Int64) -> CivilTime {
        CivilTime(secondsSince1970: seconds + offset(at: seconds))
    }

    /// Seconds east of UTC at an instant.
    static func offset(at seconds: Int64) -> Int64 {
        let year = CivilTime(secondsSince1970: seconds + standardOffset).year
        guard let (start, end) = daylightSaving(year) else { return standardOffset }
        // Clocks change at 2:00 of the time that is in force: standard in spring, daylight in autumn.
        let isDaylight = seconds >= start + 10 * 3_600 && seconds < end + 9 * 3_600
        return isDaylight ? standardOffset + 3_600 : standardOffset
    }

    /// The days on which daylight saving time begins and ends, as seconds of their midnight in UTC.
    private static func daylightSaving(_ year: Int) -> (start: Int64, end: Int64)? {
        switch year {
        case 2007...: (sunday(2, year, 3), sunday(1, year, 11))
        case 1987...2006: (sunday(1, year, 4), lastSunday(year, 10))
        case 1975: (midnight(1975, 2, 23), lastSunday(year, 10))
        case 1974: (midnight(1974, 1, 6), lastSunday(year, 10))
        case 1967...1986: (lastSunday(year, 4), lastSunday(year, 10))
        default: nil
        }
    }

    private static func sunday(_ number: Int, _ year: Int, _ month: Int) -> Int64 {
        let first = midnight(year, month, 1)
        let daysToSunday = (7 - weekday(first)) % 7
        return first + Int64(daysToSunday + 7 * (number - 1)) * 86_400
    }

    private static func lastSunday(_ year: Int, _ month: Int) -> Int64 {
        let last = midnight(year, month, CivilTime.days(inMonth: month, of: year))
        return last - Int64(weekday(last)) * 86_400
    }

    /// 0 for Sunday. 1970-01-01 was a Thursday.
    private static func weekday(_ midnight: Int64) -> Int {
        let days = Int(midnight / 86_400) + 4
        return (days % 7 + 7) % 7
    }

    private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        // The days above exist in every year.
        CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)?.secondsSince1970 ?? 0
    }
}
