//! Where a message comes from, as far as its record and those before it say.

use super::Lane;

/// The origin of a message. All texts are decoded; what is empty is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The model that wrote it, or that was asked to.
    pub model: Vec<u8>,
    /// When it was written.
    pub time: Option<Time>,
    /// The session of the program that it was written in.
    pub session: Vec<u8>,
    /// The folder that the program worked in.
    pub project: Vec<u8>,
    /// The branch of that folder.
    pub branch: Vec<u8>,
    /// What the program calls the session. Only the next message has it.
    pub title: Vec<u8>,
    /// What it has cost, in US dollars, as a number in JSON.
    pub cost: Vec<u8>,
    /// Identifies it among the messages of all files: programs copy the messages of a session that they go on with.
    pub id: Vec<u8>,
    /// What the agent is known by that writes or reads it, if it works for another one: its identifier, or only that it does.
    pub chain: Vec<u8>,
    /// The call that this agent works for, if the record says that.
    pub call: Vec<u8>,
}

/// What something has cost, beside what origins of messages say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost<'a> {
    /// The lane of the message that has cost it, as far as the record says.
    pub lane: Option<Lane>,
    /// US dollars, as a number in JSON.
    pub dollars: &'a [u8],
    /// It is what all of the session has cost so far.
    pub total: bool,
}

/// A point in time: seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub i64);

/// The seconds of a day.
const DAY: i64 = 86_400;

impl Time {
    /// The time in a JSON value: a string by RFC 3339, or a number of seconds, milliseconds, microseconds or nanoseconds
    /// since 1970, which differ by their size. A string without an offset is in UTC.
    pub fn parse(value: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(value).ok()?;
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(text) => Self::of_text(text),
            None => Self::of_number(text),
        }
    }

    fn of_number(text: &str) -> Option<Self> {
        let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
        let number: i64 = whole.parse().ok().filter(|n| *n > 0)?;
        let unit = match number {
            0..100_000_000_000 => 1,
            100_000_000_000..100_000_000_000_000 => 1_000,
            100_000_000_000_000..100_000_000_000_000_000 => 1_000_000,
            _ => 1_000_000_000,
        };
        Some(Self(number / unit))
    }

    fn of_text(text: &str) -> Option<Self> {
        let (date, rest) = (text.get(..10)?, text.get(10..)?);
        let mut parts = date.split('-').map(digits);
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && date.as_bytes()[4] == b'-';
        let midnight = is_date.then(|| days(year, month, day) * DAY)?;
        let Some(clock) = rest.strip_prefix(['T', 't', ' ']) else {
            return rest.is_empty().then_some(Self(midnight));
        };
        let end = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(end);
        let seconds = seconds(clock)?;
        let offset = match zone.as_bytes().first() {
            Some(b'+') => seconds_of_zone(&zone[1..])?,
            Some(b'-') => -seconds_of_zone(&zone[1..])?,
            _ => 0,
        };
        Some(Self(midnight + seconds - offset))
    }

    /// Its day, `YYYY-MM-DD`, where clocks are `offset` seconds ahead of UTC.
    pub fn day(self, offset: i64) -> String {
        let (year, month, day) = date(self.0.saturating_add(offset).div_euclid(DAY));
        format!("{year:04}-{month:02}-{day:02}")
    }
}

impl std::fmt::Display for Time {
    /// In UTC, by RFC 3339.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.rem_euclid(DAY);
        write!(f, "{}T{:02}:{:02}:{:02}Z", self.day(0), seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The seconds of a time of day: `HH:MM`, `HH:MM:SS`, or with a fraction, which is left out.
fn seconds(clock: &str) -> Option<i64> {
    let clock = clock.split(['.', ',']).next().unwrap_or_default().trim_end();
    let mut parts = clock.split(':').map(digits);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    (hour < 25 && minute < 60 && second < 61).then_some((hour * 60 + minute) * 60 + second)
}

/// The seconds of an offset: `HH:MM`, `HHMM` or `HH`.
fn seconds_of_zone(zone: &str) -> Option<i64> {
    let (hours, minutes) = match zone.split_once(':') {
        Some(parts) => parts,
        None => zone.split_at_checked(2)?,
    };
    Some(digits(hours)? * 3600 + if minutes.is_empty() { 0 } else { digits(minutes)? * 60 })
}

/// The days from 1970-01-01 to a date of the Gregorian calendar, whose years begin in March here, so that the day that
/// only some years have is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let (era, month) = (year.div_euclid(400), (month + 9) % 12);
    let of_era = year.rem_euclid(400);
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The date of a day, counted from 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month < 3), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (value, want) in [
            (r#""2026-03-02T08:00:01Z""#, "2026-03-02T08:00:01Z"),
            (r#""2026-03-02t08:00:01.9z""#, "2026-03-02T08:00:01Z"),
            (r#""2026-03-02T08:00:01.123456789+02:00""#, "2026-03-02T06:00:01Z"),
            (r#""2026-01-01T00:30:00+0100""#, "2025-12-31T23:30:00Z"),
            (r#""2025-12-31T23:30:00-01""#, "2026-01-01T00:30:00Z"),
            (r#""2024-02-29 23:59""#, "2024-02-29T23:59:00Z"),
            (r#""2000-02-29""#, "2000-02-29T00:00:00Z"),
            (r#""1969-12-31T23:59:59Z""#, "1969-12-31T23:59:59Z"),
            ("1700000000", "2023-11-14T22:13:20Z"),
            ("1700000000.75", "2023-11-14T22:13:20Z"),
            ("1700000000123", "2023-11-14T22:13:20Z"),
            ("1700000000123456", "2023-11-14T22:13:20Z"),
            ("1700000000123456789", "2023-11-14T22:13:20Z"),
        ] {
            assert_eq!(Time::parse(value.as_bytes()).map(|time| time.to_string()).as_deref(), Some(want), "{value}");
        }
        for value in
            [r#""""#, r#""yesterday""#, r#""2026-13-01""#, r#""2026-03-02T8""#, r#""2026/03/02""#, "0", "null", "{}"]
        {
            assert_eq!(Time::parse(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn days_of_other_places() {
        let time = Time::parse(br#""2026-03-01T23:30:00Z""#).unwrap();
        for (offset, want) in [(0, "2026-03-01"), (1800, "2026-03-02"), (-86_400, "2026-02-28"), (1799, "2026-03-01")] {
            assert_eq!(time.day(offset), want, "{offset}");
        }
    }

    #[test]
    fn each_day_has_its_date() {
        for day in (-1_000_000..1_000_000).step_by(7) {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
    }
}
