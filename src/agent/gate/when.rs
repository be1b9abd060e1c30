//! Days as people say them, read against the day they were said on: "last week", "since March 2020",
//! "지난주", "3일 전부터".
//!
//! What stands for a stretch of days begins with its first one. A date that only could be meant is
//! none: what is not said is not known.

use std::ops::Range;

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use crate::types::Granularity;

/// A day that was found in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    pub day: NaiveDate,
    pub granularity: Granularity,
    /// The bytes of the sentence that say it.
    pub place: Range<usize>,
}

/// Where a stretch of time begins, and how exactly.
type Start = (NaiveDate, Granularity);

/// The first day that a sentence names, as of the day it was said.
#[must_use]
pub fn when(sentence: &str, said: NaiveDate) -> Option<When> {
    english(sentence, said).or_else(|| korean(sentence, said))
}

struct Word<'a> {
    /// Lower case, without marks around it.
    text: String,
    place: Range<usize>,
    raw: &'a str,
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for raw in sentence.split_whitespace() {
        let start = at + sentence[at..].find(raw).expect("a word is in its sentence");
        at = start + raw.len();
        let text = raw.trim_matches(|mark: char| !mark.is_alphanumeric()).to_ascii_lowercase();
        found.push(Word { text, place: start..at, raw });
    }
    found
}

fn english(sentence: &str, said: NaiveDate) -> Option<When> {
    let words = words(sentence);
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    (0..words.len()).find_map(|first| {
        let ((day, granularity), count) = phrase(&texts[first..], said)?;
        let last = &words[first + count - 1];
        let marks = last.raw.len() - last.raw.trim_end_matches(['.', ',', '!', ';']).len();
        let place = words[first].place.start..last.place.end - marks;
        Some(When { day, granularity, place })
    })
}

/// A day at the front of some words, and how many of them say it.
fn phrase(words: &[&str], said: NaiveDate) -> Option<(Start, usize)> {
    let day = |day| (day, Granularity::Day);
    match words {
        ["today", ..] => Some((day(said), 1)),
        ["yesterday", ..] => Some((day(before(said, 1)?), 1)),
        ["tomorrow", ..] => Some((day(said.checked_add_days(Days::new(1))?), 1)),
        ["since" | "from" | "on" | "in" | "as", ..] => {
            let skip = if words[0] == "as" { 2 } else { 1 };
            let rest = words.get(skip..)?;
            let (start, count) = phrase(rest, said).or_else(|| date(rest, words[0], said))?;
            Some((start, skip + count))
        }
        [which @ ("last" | "this" | "next"), unit, ..] => {
            let steps = ["last", "this", "next"].iter().position(|word| word == which)?;
            let steps = i32::try_from(steps).ok()? - 1;
            let start = stretch(unit, steps, said).or_else(|| weekday(unit, steps, said))?;
            Some((start, 2))
        }
        [count, unit, "ago", ..] => Some((ago(unit, number(count)?, said)?, 3)),
        [iso, ..] => Some((iso_date(iso)?, 1)),
        [] => None,
    }
}

fn before(day: NaiveDate, days: u64) -> Option<NaiveDate> {
    day.checked_sub_days(Days::new(days))
}

fn moved(day: NaiveDate, months: i32) -> Option<NaiveDate> {
    let count = Months::new(months.unsigned_abs());
    if months < 0 { day.checked_sub_months(count) } else { day.checked_add_months(count) }
}

/// The week, month or year so many steps from the one of a day.
fn stretch(unit: &str, steps: i32, said: NaiveDate) -> Option<Start> {
    match unit {
        "week" => {
            let monday = said.week(Weekday::Mon).first_day();
            let days = chrono::Duration::days(7 * i64::from(steps));
            Some((monday.checked_add_signed(days)?, Granularity::Day))
        }
        "month" => Some((moved(said.with_day(1)?, steps)?, Granularity::Month)),
        "year" => Some((year(said.year() + steps)?, Granularity::Year)),
        _ => None,
    }
}

fn year(year: i32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, 1, 1)
}

/// The last or next day of a name, never the day itself.
fn weekday(name: &str, steps: i32, said: NaiveDate) -> Option<Start> {
    let wanted: Weekday = name.parse().ok()?;
    let days = i64::from(said.weekday().days_since(wanted));
    let back = if days == 0 { 7 } else { days };
    let days = match steps {
        -1 => -back,
        1 => 7 - days,
        _ => return None,
    };
    Some((said.checked_add_signed(chrono::Duration::days(days))?, Granularity::Day))
}

fn ago(unit: &str, count: u32, said: NaiveDate) -> Option<Start> {
    let months = |count: u32| i32::try_from(count).ok().map(|count| -count);
    match unit.trim_end_matches('s') {
        "day" | "일" => Some((before(said, count.into())?, Granularity::Day)),
        "week" | "주" | "주일" => Some((before(said, 7 * u64::from(count))?, Granularity::Day)),
        "month" | "달" | "개월" => Some((moved(said, months(count)?)?, Granularity::Month)),
        "year" | "년" => {
            let start = moved(said, months(count.checked_mul(12)?)?)?;
            Some((start, Granularity::Year))
        }
        _ => None,
    }
}

fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if let "a" | "an" = word {
        return Some(1);
    }
    let place = WORDS.iter().position(|name| *name == word);
    place.and_then(|place| u32::try_from(place).ok()).or_else(|| word.parse().ok())
}

fn month(word: &str) -> Option<u32> {
    // "may" and "mar" are words, too, but not after a preposition.
    word.parse::<chrono::Month>().ok().map(|month| month.number_from_month())
}

/// A date after a preposition: a year, a month with or without its year, a day of a month.
fn date(words: &[&str], preposition: &str, said: NaiveDate) -> Option<(Start, usize)> {
    let of_year = |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let year_at = |place: usize| words.get(place).filter(|word| of_year(word))?.parse::<i32>().ok();
    if let Some(found) = year_at(0) {
        return Some(((year(found)?, Granularity::Year), 1));
    }
    if preposition != "in"
        && let Some(start) = words.first().and_then(|name| weekday(name, -1, said))
    {
        return (preposition == "since").then_some((start, 1));
    }
    let month = month(words.first()?)?;
    let numeral = |word: &&str| {
        word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).parse::<u32>().ok()
    };
    let day = words.get(1).filter(|word| !of_year(word)).and_then(numeral);
    let day = day.filter(|day| (1..=31).contains(day));
    let after = 1 + usize::from(day.is_some());
    let said_year = year_at(after);
    let count = after + usize::from(said_year.is_some());
    let in_year = |year| NaiveDate::from_ymd_opt(year, month, day.unwrap_or(1));
    let granularity = if day.is_some() { Granularity::Day } else { Granularity::Month };
    let found = match said_year {
        Some(year) => in_year(year)?,
        // The last one there was.
        None => in_year(said.year()).filter(|day| *day <= said).or(in_year(said.year() - 1))?,
    };
    Some(((found, granularity), count))
}

fn iso_date(word: &str) -> Option<Start> {
    let day = word.parse::<NaiveDate>().ok().filter(|_| word.len() == 10)?;
    Some((day, Granularity::Day))
}

/// Words that stand for a stretch, with its unit and how many steps it is away.
const KOREAN: [(&str, &str, i32); 22] = [
    ("지난주", "week", -1),
    ("지난 주", "week", -1),
    ("저번 주", "week", -1),
    ("저번주", "week", -1),
    ("이번 주", "week", 0),
    ("이번주", "week", 0),
    ("다음 주", "week", 1),
    ("다음주", "week", 1),
    ("지난달", "month", -1),
    ("지난 달", "month", -1),
    ("저번 달", "month", -1),
    ("이번 달", "month", 0),
    ("이번달", "month", 0),
    ("다음 달", "month", 1),
    ("다음달", "month", 1),
    ("재작년", "year", -2),
    ("작년", "year", -1),
    ("지난해", "year", -1),
    ("올해", "year", 0),
    ("내년", "year", 1),
    ("금년", "year", 0),
    ("전년", "year", -1),
];

const KOREAN_DAYS: [(&str, i64); 5] =
    [("오늘", 0), ("그저께", -2), ("그제", -2), ("어제", -1), ("내일", 1)];

fn korean(sentence: &str, said: NaiveDate) -> Option<When> {
    let fixed = KOREAN.iter().filter_map(|(word, unit, steps)| {
        let at = sentence.find(word)?;
        Some((at..at + word.len(), stretch(unit, *steps, said)?))
    });
    let days = KOREAN_DAYS.iter().filter_map(|(word, days)| {
        let at = sentence.find(word)?;
        let day = said.checked_add_signed(chrono::Duration::days(*days))?;
        Some((at..at + word.len(), (day, Granularity::Day)))
    });
    let counted = sentence.char_indices().filter_map(|(at, mark)| {
        let is_first = !sentence[..at].ends_with(|mark: char| mark.is_ascii_digit());
        (mark.is_ascii_digit() && is_first)
            .then(|| counted(&sentence[at..], said))?
            .map(|(start, length)| (at..at + length, start))
    });
    let (mut place, (day, granularity)) =
        fixed.chain(days).chain(counted).min_by_key(|(place, _)| place.start)?;
    let rest = &sentence[place.end..];
    if rest.starts_with("까지") {
        return None;
    }
    let particle = ["부터", "에는", "에"].iter().find(|particle| rest.starts_with(**particle));
    place.end += particle.map_or(0, |particle| particle.len());
    Some(When { day, granularity, place })
}

/// "3일 전", "2021년", "2021년 3월", "2021년 3월 5일" at the front of a text, and its bytes.
fn counted(text: &str, said: NaiveDate) -> Option<(Start, usize)> {
    let (count, rest) = digits(text)?;
    for unit in ["주일", "일", "주", "달", "개월", "년"] {
        let Some(rest) = rest.strip_prefix(unit) else { continue };
        if let Some(after) = rest.trim_start().strip_prefix('전') {
            return Some((ago(unit, count, said)?, text.len() - after.len()));
        }
    }
    let rest = rest.strip_prefix('년').filter(|_| (1_000..10_000).contains(&count))?;
    let of_year = i32::try_from(count).ok()?;
    let in_month = || {
        let (month, rest) = digits(rest.trim_start())?;
        Some((month, rest.strip_prefix('월')?))
    };
    let Some((month, rest)) = in_month() else {
        return Some(((year(of_year)?, Granularity::Year), text.len() - rest.len()));
    };
    let on_day = || {
        let (day, rest) = digits(rest.trim_start())?;
        Some((day, rest.strip_prefix('일')?))
    };
    let (day, granularity, rest) = match on_day() {
        Some((day, rest)) => (day, Granularity::Day, rest),
        None => (1, Granularity::Month, rest),
    };
    let start = NaiveDate::from_ymd_opt(of_year, month, day)?;
    Some(((start, granularity), text.len() - rest.len()))
}

fn digits(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|mark: char| !mark.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Wednesday.
    const SAID: NaiveDate = NaiveDate::from_ymd_opt(2023, 5, 24).expect("a day");

    #[test]
    fn days_are_read_against_the_day_they_were_said_on() {
        for (sentence, day, place) in [
            ("I moved last week.", "2023-05-15", "last week"),
            ("I moved to Busan yesterday", "2023-05-23", "yesterday"),
            ("Since March 2020 I live in Seoul.", "2020-03-01", "Since March 2020"),
            ("I joined on March 5, 2021.", "2021-03-05", "on March 5, 2021"),
            ("I have lived here since 2019", "2019-01-01", "since 2019"),
            ("We left in June", "2022-06-01", "in June"),
            ("We left in May", "2023-05-01", "in May"),
            ("He quit three months ago", "2023-02-24", "three months ago"),
            ("It began 2021-03-05.", "2021-03-05", "2021-03-05"),
            ("I am away since Monday", "2023-05-22", "since Monday"),
            ("She starts next month", "2023-06-01", "next month"),
            ("지난주에 부산으로 이사했어요.", "2023-05-15", "지난주에"),
            ("2021년 3월부터 서울에 살아요", "2021-03-01", "2021년 3월부터"),
            ("2021년 3월 5일에 입사했습니다", "2021-03-05", "2021년 3월 5일에"),
            ("3일 전부터 아파요", "2023-05-21", "3일 전부터"),
            ("작년에 이직했어요", "2022-01-01", "작년에"),
            ("어제 정했습니다", "2023-05-23", "어제"),
        ] {
            let found = when(sentence, SAID).unwrap_or_else(|| panic!("{sentence}"));
            assert_eq!(found.day.to_string(), day, "{sentence}");
            assert_eq!(&sentence[found.place], place, "{sentence}");
        }
    }

    #[test]
    fn what_names_no_day_has_none() {
        for sentence in [
            "I live in Seoul.",
            "It happened 100,000 years before.",
            "We may go in the morning",
            "금요일까지 보내 주세요",
            "이번 주까지 끝내야 합니다",
            "팀이 5명입니다",
            "999999999999 years ago",
            "",
        ] {
            assert_eq!(when(sentence, SAID), None, "{sentence}");
        }
    }
}
