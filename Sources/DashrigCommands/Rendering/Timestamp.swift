/// A moment as machines and people both read it.
enum Timestamp {
    /// `2026-11-29T13:05:59`, UTC, from CLOCK_REALTIME nanoseconds.
    static func text(realtime: UInt64) -> String {
        let seconds = realtime / 1_000_000_000
        let (year, month, day) = date(days: seconds / 86_400)
        let rest = seconds % 86_400
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    }

    /// The date so many days after 1970-01-01, by the Gregorian calendar's cycle of 400 years, which has 146,097 days;
    /// years begin in March, so that the leap day is the last.
    private static func date(days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let shifted = days + 719_468
        let cycle = shifted / 146_097
        let dayOfCycle = shifted % 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}
