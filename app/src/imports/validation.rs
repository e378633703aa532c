//! Checks of names, dates and tags of a match of the past.

use chrono::Days;
use engine::Seat;
use ledger::Moment;
use record::limits::{TEXT_MAX_CHARS, too_long};
use record::write::Import;

use crate::day::parse_partial_day;
use crate::text::{check_distinct, check_event, check_player};

const TAGS_MAX: usize = 100;

#[must_use]
pub fn invalid(import: &Import, now: Moment) -> Option<String> {
    let new = import.new_match();
    let (event, date) = (new.event.as_deref().unwrap_or_default(), new.date.as_deref().unwrap_or_default());
    let (p1, p2) = (new.names[Seat::P1].as_str(), new.names[Seat::P2].as_str());
    let named = [("P1", p1), ("P2", p2), ("Event", event)];
    let tags = import.tags().iter().map(|tag| (tag.split(' ').next().unwrap_or_default(), tag.as_str()));
    let all: Vec<(&str, &str)> = named.into_iter().chain([("Date", date)]).chain(tags).collect();
    if let Some((tag, _)) = all.iter().find(|(_, text)| text.contains(unreadable)) {
        return Some(format!("{tag}: There is a sign in it that nobody can read."));
    }
    let checked = [("P1", check_player(p1)), ("P2", check_player(p2)), ("Event", check_event(named[2].1))];
    if let Some(why) = checked.into_iter().find_map(|(tag, checked)| Some(format!("{tag}: {}", checked.err()?))) {
        return Some(why);
    }
    if let Err(same) = check_distinct(p1, p2) {
        return Some(format!("P2: {same}"));
    }
    let long = |(tag, text): &(&str, &str), most| Some(format!("{tag}: {}", too_long(text, most)?));
    if let Some(why) = check_date(date, now) {
        return Some(format!("Date: {why}"));
    }
    if import.tags().len() > TAGS_MAX {
        return Some(format!("There are {} other tags; {TAGS_MAX} are the most.", import.tags().len()));
    }
    all.iter().find_map(|tag| long(tag, TEXT_MAX_CHARS))
}

/// Marks that change the direction of writing would also affect the text beside them.
pub(crate) fn unreadable(sign: char) -> bool {
    sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What is wrong with a date, as a sentence. None may be known.
pub(crate) fn check_date(date: &str, now: Moment) -> Option<String> {
    let day = parse_partial_day(date);
    if !date.is_empty() && day.is_none() {
        return Some(format!(
            "\u{201c}{}\u{201d} is no date. Write year, month and day, such as 2021-05-01; the year alone will do, and \
             so will year and month.",
            date.chars().take(40).collect::<String>()
        ));
    }
    // In some time zones it is tomorrow already.
    let today = now.to_utc().date_naive();
    let is_to_come = day > today.checked_add_days(Days::new(1));
    is_to_come.then(|| format!("{date} is still to come: by this server\u{2019}s clock it is {today}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(tags: &str) -> Option<String> {
        let named = |name: &str, value: &str| {
            if tags.contains(&format!("[{name} ")) { String::new() } else { format!("[{name} \"{value}\"]\n") }
        };
        let head = format!(
            "[DMN \"1\"]\n[Ruleset \"three-card/simply-genius\"]\n{}{}",
            named("P1", "Ada"),
            named("P2", "Ben")
        );
        let text = format!("{head}{tags}\n[DMO \"p1\"]\n\numpire: result p1 gone\n");
        let import = Import::read(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        invalid(&import, "2026-11-20T20:00:00.000000Z".parse().unwrap())
    }

    #[test]
    fn each_invalid_tag_has_a_sentence() {
        for fine in [
            "[Date \"2021-05-01\"]",
            "[Date \"2021-05\"]",
            "[Date \"2021\"]",
            "[Date \"\"]",
            "[Date \"2026-11-21\"]",
            "[Date \"2026\"]",
            "[Event \"Spring…\"]",
            "[P1 \"Mr. X\"]",
            "[Season \"4\"]",
        ] {
            assert_eq!(why(fine), None, "{fine}");
        }
        for (wrong, said) in [
            ("[Date \"-50000-1-1\"]", "Date: “-50000-1-1” is no date"),
            ("[Date \"2099-02-30\"]", "Date: “2099-02-30” is no date"),
            ("[Date \"1.5.2021\"]", "Date: “1.5.2021” is no date"),
            ("[Date \"2020\0\"]", "Date: There is a sign"),
            ("[Date \"2026-11-22\"]", "Date: 2026-11-22 is still to come: by this server’s clock it is 2026-11-20."),
            ("[Date \"2027\"]", "Date: 2027 is still to come"),
            ("[Date \"9999-12\"]", "Date: 9999-12 is still to come"),
            ("[P1 \"   \"]", "P1: Both players need a name."),
            ("[P2 \"\u{a0}\"]", "P2: Both players need a name."),
            ("[P1 \"A\0\"]", "P1: There is a sign"),
            ("[Season \"\u{7}\"]", "Season: There is a sign"),
            ("[P1 \"\u{202e}Ada\"]", "P1: There is a sign"),
            ("[P1 \"..\"]", "P1: A name of points"),
            ("[Event \".\"]", "Event: A name of points"),
            ("[P1 \"ben\"]", "P2: Both seats have the same name"),
            ("[P1 \"B\u{435}n\"]", "P2: Both names look the same"),
            ("[P1 \"Ben\u{200b}\"]", "P1: This name has a character that nobody can see (U+200B)"),
            ("[P1 \"\u{ad}\"]", "P1: Both players need a name."),
            ("[Event \"Cup\u{fe0f}\"]", "Event: This name has a character"),
        ] {
            assert!(why(wrong).is_some_and(|why| why.starts_with(said)), "{wrong}: {:?}", why(wrong));
        }
        let long = format!("[Season \"{}\"]", "x".repeat(1001));
        assert!(why(&long).is_some_and(|why| why.starts_with("Season: This has")));
        let many: Vec<String> = (0..101).map(|n| format!("[T{n} \"x\"]")).collect();
        assert!(why(&many.join("\n")).is_some_and(|why| why.starts_with("There are 101 other tags")));
    }
}
