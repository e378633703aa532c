//! What is told of a match that is known by its result, as it was typed, and as it is once it is checked.

use ledger::Moment;
use record::name_key;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{KnownResult, RecordingLink};
use crate::imports::{check_date, unreadable};
use crate::likeness::is_blank;
use crate::text::{NameError, check_distinct, check_event, check_player};
use crate::views::ruleset_name;

const SCORE_MAX: i32 = 1_000_000;

/// Everything as it was typed. What is not known is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultFields {
    /// A ruleset by its id or name, or any other game in words.
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Colour Wheel")]
    pub game: String,
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Ada")]
    pub p1: String,
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Bo")]
    pub p2: String,
    /// `p1`, `p2`, `undecided` or `void`; the winner's name is read as well.
    #[schema(min_length = 1, example = "p1")]
    pub result: String,
    /// Two numbers, the first player's first.
    #[serde(default)]
    #[schema(max_length = 40, example = "26-23")]
    pub score: String,
    /// A day, a month or a year.
    #[serde(default)]
    #[schema(max_length = 10, example = "2021-05")]
    pub date: String,
    #[serde(default)]
    #[schema(max_length = 80)]
    pub event: String,
    /// The address of a recording.
    #[serde(default)]
    #[schema(max_length = 1000, example = "https://video.example/watch?v=1")]
    pub recording: String,
}

/// The errors, each with the field that it is about.
pub type ResultErrors = Vec<(&'static str, String)>;

/// A result that can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedResult {
    pub ruleset: String,
    pub p1: String,
    pub p2: String,
    pub result: &'static str,
    pub score: Option<(i32, i32)>,
    pub date: Option<String>,
    pub event: Option<String>,
    pub recording: Option<RecordingLink>,
}

impl ResultFields {
    pub fn check(&self, now: Moment) -> Result<CheckedResult, ResultErrors> {
        let mut errors = ResultErrors::new();
        let mut failed = |field, why: String| errors.push((field, why));
        let [game, p1, p2, date, event] =
            [&self.game, &self.p1, &self.p2, &self.date, &self.event].map(|text| text.trim());
        for (field, name) in [("p1", p1), ("p2", p2)] {
            let _ = plain(name).and_then(check_player).map_err(|why| failed(field, why.to_string()));
        }
        let _ = check_distinct(p1, p2).map_err(|why| failed("p2", why.to_string()));
        let _ = plain(event).and_then(check_event).map_err(|why| failed("event", why.to_string()));
        let ruleset = game_named(game).map_err(|why| failed("game", why)).unwrap_or_default();
        if let Some(why) = check_date(date, now) {
            failed("date", why);
        }
        let result = read_result(&self.result, p1, p2).map_err(|why| failed("result", why)).unwrap_or_default();
        let score = read_score(&self.score).map_err(|why| failed("score", why)).unwrap_or_default();
        let recording = match self.recording.trim() {
            "" => None,
            address => RecordingLink::read(address).map_err(|why| failed("recording", why.to_string())).ok(),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let [p1, p2] = [p1, p2].map(str::to_owned);
        Ok(CheckedResult { ruleset, p1, p2, result, score, date: some(date), event: some(event), recording })
    }
}

impl CheckedResult {
    /// The result as it is written over another, or over none.
    pub(super) fn written(&self, over: &KnownResult) -> KnownResult {
        KnownResult {
            ruleset: self.ruleset.clone(),
            p1: Some(self.p1.clone()),
            p2: Some(self.p2.clone()),
            result: self.result.to_owned(),
            score_p1: self.score.map(|(p1, _)| p1),
            score_p2: self.score.map(|(_, p2)| p2),
            date: self.date.clone(),
            event: self.event.clone(),
            ..over.clone()
        }
    }
}

/// A score as it is typed.
#[must_use]
pub fn score_text(known: &KnownResult) -> String {
    known.score_p1.zip(known.score_p2).map(|(p1, p2)| format!("{p1}-{p2}")).unwrap_or_default()
}

fn plain(text: &str) -> Result<&str, NameError> {
    text.chars().find(|sign| unreadable(*sign)).map_or(Ok(text), |sign| Err(NameError::Unseen(sign)))
}

fn game_named(game: &str) -> Result<String, String> {
    let key = name_key(game);
    let mut known = engine::rulesets().map(|ruleset| ruleset.card().id);
    if let Some(id) = known.find(|id| *id == key || name_key(&ruleset_name(id)) == key) {
        return Ok(id.to_owned());
    }
    if is_blank(game) {
        return Err("Say which game it was. Any name in words will do.".to_owned());
    }
    plain(game).and_then(check_event).map(|()| game.to_owned()).map_err(|why| why.to_string())
}

fn read_result(text: &str, p1: &str, p2: &str) -> Result<&'static str, String> {
    let key = name_key(text);
    let named = |name: &str| !name.is_empty() && key == name_key(name);
    match key.as_str() {
        // The form's own words mean the same whatever somebody is called.
        "p1" => Ok("p1"),
        "p2" => Ok("p2"),
        "undecided" => Ok("undecided"),
        "void" => Ok("void"),
        _ if named(p1) => Ok("p1"),
        _ if named(p2) => Ok("p2"),
        "1" | "1-0" | "player 1" => Ok("p1"),
        "2" | "0-1" | "player 2" => Ok("p2"),
        "draw" | "drawn" | "tie" | "tied" | "no winner" => Ok("undecided"),
        "" => Err("Say who won; a draw is \u{201c}undecided\u{201d}.".to_owned()),
        _ => {
            let shown: String = text.trim().chars().take(40).collect();
            Err(format!("\u{201c}{shown}\u{201d} is no result. Write the winner\u{2019}s name, undecided or void."))
        }
    }
}

fn read_score(text: &str) -> Result<Option<(i32, i32)>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    // The first sign of a number may be a minus: so what parts them is looked for behind it.
    let at = text.char_indices().skip(1).find(|(_, sign)| matches!(sign, '-' | '\u{2013}' | ':' | '/'));
    let parts = at.and_then(|(at, sign)| Some((text.get(..at)?, text.get(at + sign.len_utf8()..)?)));
    let number = |part: &str| part.trim().replace('\u{2212}', "-").parse::<i32>().ok();
    let both = parts.and_then(|(p1, p2)| number(p1).zip(number(p2)));
    let fits = |n: i32| n.unsigned_abs() <= SCORE_MAX.unsigned_abs();
    both.filter(|(p1, p2)| fits(*p1) && fits(*p2)).map(Some).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("\u{201c}{shown}\u{201d} is no score. Write player 1\u{2019}s number first, such as 26-23.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        "2026-11-20T20:00:00.000000Z".parse().unwrap()
    }

    fn fields() -> ResultFields {
        let text = |text: &str| text.to_owned();
        ResultFields {
            game: text("Colour Wheel"),
            p1: text("Ada"),
            p2: text("Bo"),
            result: text("ADA"),
            ..ResultFields::default()
        }
    }

    #[test]
    fn four_fields_are_enough() {
        let checked = fields().check(now()).unwrap();
        assert_eq!((checked.result, checked.ruleset.as_str(), checked.date), ("p1", "Colour Wheel", None));
        let known = ResultFields { game: "five-card trick, DM colosseum 2".into(), ..fields() };
        let id = engine::rulesets().next().unwrap().card().id;
        let named = ResultFields { game: ruleset_name(id).to_uppercase(), ..known };
        assert_eq!(named.check(now()).unwrap().ruleset, id, "a ruleset by its name");
    }

    #[test]
    fn results_and_scores_are_read_as_people_write_them() {
        let result = |text: &str| read_result(text, "Ada", "Zoë").ok();
        assert_eq!(
            [result("zoe"), result("p1"), result("draw"), result("void")].map(Option::unwrap),
            ["p2", "p1", "undecided", "void"]
        );
        assert_eq!((result(""), result("Bo")), (None, None));
        assert_eq!(read_score("26 – 23"), Ok(Some((26, 23))));
        assert_eq!((read_score("-3--1"), read_score("-3:4")), (Ok(Some((-3, -1))), Ok(Some((-3, 4)))));
        assert!(["26", "a-b", "1-2-3", "9999999999-1", "-"].iter().all(|text| read_score(text).is_err()));
    }

    #[test]
    fn each_wrong_field_has_a_sentence() {
        let wrong = ResultFields {
            game: " ".into(),
            p1: "A\u{202e}da".into(),
            p2: String::new(),
            result: "nobody".into(),
            score: "x".into(),
            date: "2027".into(),
            event: "..".into(),
            recording: "javascript:alert(1)".into(),
        };
        let fields: Vec<_> = wrong.check(now()).unwrap_err().into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["p1", "p2", "event", "game", "date", "result", "score", "recording"]);
        let same = ResultFields { p2: "ada".into(), ..self::fields() }.check(now()).unwrap_err();
        assert_eq!(same.len(), 1, "{same:?}");
    }
}
