//! Rulings that end a match before the rules do, with fixed wording: a walkover, a forfeit, an annulment.

use app::UmpireAct;
use app::text::{Purpose, RulingText};
use app::umpire_act::NewRuling;
use engine::{BySeat, Seat, Verdict};
use record::limits::too_long;
use record::words::capital;

use super::act_form::{ActForm, Refusal};

const ADDED_MAX_CHARS: usize = 900;

pub(super) fn choices(names: BySeat<&str>) -> Vec<(&'static str, String)> {
    let BySeat { p1, p2 } = names;
    vec![
        ("walkover-p1", format!("Walkover: {p1} did not come; {p2} wins")),
        ("walkover-p2", format!("Walkover: {p2} did not come; {p1} wins")),
        ("walkover-both", "Neither came: the match is void".to_owned()),
        ("forfeit-p1", format!("Forfeit: {p1} gives up or is out; {p2} wins")),
        ("forfeit-p2", format!("Forfeit: {p2} gives up or is out; {p1} wins")),
        ("forfeit-both", "Double forfeit: nobody wins".to_owned()),
        ("annulled", "Annulment: the match does not count".to_owned()),
    ]
}

fn decided(word: &str, names: BySeat<&str>) -> Option<(Verdict, String)> {
    let (kind, who) = word.split_once('-').unwrap_or((word, ""));
    let seat = who.parse::<Seat>().ok();
    Some(match (kind, seat) {
        ("walkover", Some(absent)) => {
            (Verdict::Won(absent.other()), format!("Walkover: {} did not come.", names[absent]))
        }
        ("forfeit", Some(out)) => (Verdict::Won(out.other()), format!("{} forfeits.", names[out])),
        // A double forfeit was a match, so it is undecided; where neither came there was none, so it is void.
        ("walkover", None) if who == "both" => (Verdict::Void, "Walkover: neither player came.".to_owned()),
        ("forfeit", None) if who == "both" => (Verdict::Undecided, "Double forfeit: both players forfeit.".to_owned()),
        ("annulled", None) if who.is_empty() => (Verdict::Void, "Annulled.".to_owned()),
        _ => return None,
    })
}

/// The ruling: its fixed words, and what the umpire adds as a sentence of its own. What an umpire types although the fixed
/// words say it is said once.
fn ruling(words: &str, added: &str) -> String {
    let added = capital(added.trim());
    let (fixed, typed) = (words.trim_end_matches('.').to_lowercase(), added.trim_end_matches('.').to_lowercase());
    if typed.is_empty() || fixed.split(": ").any(|part| part == typed) {
        return words.to_owned();
    }
    let begins_with_it = typed.strip_prefix(&fixed).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    if begins_with_it { added } else { format!("{words} {added}") }
}

pub(super) fn read(form: &ActForm) -> Result<UmpireAct, Refusal> {
    let (word, added) = (form.text("decided"), form.text("text"));
    // A walkover needs no reason.
    if word == "annulled" || word.starts_with("forfeit") {
        RulingText::required(Purpose::Reason, added)?;
    }
    if let Some(long) = too_long(added, ADDED_MAX_CHARS) {
        return Err(Refusal::Input(long));
    }
    let decided = decided(word, form.context.history.both_names());
    let (verdict, words) = decided.ok_or("Say why the match ends.")?;
    let (text, result) = (ruling(&words, added), Some(verdict.into()));
    Ok(UmpireAct::Rule(NewRuling { head: form.head(), text, clause: form.clause(), result }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_a_sentence_and_the_fixed_words_are_said_once() {
        let forfeit = "Bo forfeits.";
        for (words, added, said) in [
            (forfeit, "", forfeit),
            (forfeit, " left the call ", "Bo forfeits. Left the call"),
            (forfeit, "Bo left.", "Bo forfeits. Bo left."),
            (forfeit, "bo forfeits", forfeit),
            (forfeit, "Bo forfeits: no time left", "Bo forfeits: no time left"),
            (forfeit, "Bo forfeitsomething", "Bo forfeits. Bo forfeitsomething"),
            ("Walkover: Bo did not come.", "Bo did not come", "Walkover: Bo did not come."),
        ] {
            assert_eq!(ruling(words, added), said);
        }
    }

    #[test]
    fn every_choice_is_decided_and_nothing_else() {
        let names = BySeat { p1: "Ada", p2: "Bo" };
        let verdicts: Vec<_> = choices(names)
            .into_iter()
            .map(|(word, _)| decided(word, names).map(|(verdict, _)| verdict.word()))
            .collect();
        assert_eq!(
            verdicts,
            [Some("p2"), Some("p1"), Some("void"), Some("p2"), Some("p1"), Some("undecided"), Some("void")]
        );
        for word in ["", "walkover", "walkover-p3", "forfeit-", "annulled-p1", "void"] {
            assert_eq!(decided(word, names), None, "{word}");
        }
    }
}
