//! Matches of declared games: recorded step by step, checked after each, and still whole without their texts.

use engine::dmn::Replay;
use engine::dmn::quotes::texts;
use ledger::{Kind, SealKey};
use record::body::{Body, DrawSource};
use record::write::{Amendment, NewMatch, plan_correction};
use record::{CommittedText, StepSource, Text, TextPlace, Texts};

use crate::book::{Book, Fixture, shelf};
use crate::forger::{Seals, bodies, caught, forged};

fn opened(file: &Fixture, draws: Option<DrawSource>) -> (Book, Vec<String>) {
    let mut replay = Replay::open(&file.text).unwrap_or_else(|errors| panic!("{}: {errors:?}", file.name));
    let tags = replay.tags().clone();
    let book = Book::open(&NewMatch { setup: tags.setup, names: tags.names, draws, ..NewMatch::default() });
    let mut lines = Vec::new();
    while let Some(line) = replay.play(None) {
        lines.push(line.unwrap_or_else(|errors| panic!("{}: {errors:?}", file.name)).played.text);
    }
    (book, lines)
}

/// Nothing is wrong for whoever has the entries alone, and nothing that is sealed is in them.
fn holds(book: &Book, name: &str) {
    let public = book.public();
    assert!(public.faults.is_empty(), "{name}: {:?}", public.faults);
    assert!(!book.verdict().contains("failed"), "{name}: {}", book.verdict());
    let (seen, said) = (book.history(), book.said());
    assert!(seen.faults.is_empty() && seen.closed_at.is_none(), "{name}: {:?}", seen.faults);
    for ((entry, field), secret) in &book.secrets {
        let is_text = secret.value.starts_with('"');
        let is_open = public.is_open(*entry, field) && !is_text;
        assert_eq!(said.contains(&secret.key.to_hex()), is_open, "{name}: entry {entry}, {field}");
    }
    for text in seen.steps.iter().flat_map(|step| texts(step.text.as_deref().unwrap_or_default())) {
        assert!(!said.contains(text.trim_matches('"')), "{name}: {text} is in an entry");
    }
}

#[test]
fn every_match_of_the_shelf_is_recorded_and_checked_after_each_step() {
    for file in shelf() {
        let (mut book, lines) = opened(&file, None);
        for line in &lines {
            book.plays(line);
            holds(&book, &file.name);
        }
        let played: Vec<_> = book.history().steps.iter().map(|step| step.text.clone().unwrap()).collect();
        assert_eq!(played, lines, "{}", file.name);
        book.ends();
        holds(&book, &file.name);
        assert_eq!(book.verdict(), "verified (recorded by the umpire); outcomes by the umpire", "{}", file.name);
        let public = book.public();
        assert!(public.seals.iter().all(|seal| seal.opened_by.iter().all(Option::is_some)), "{}", file.name);
        assert_eq!(public.steps.iter().map(|step| step.text.clone().unwrap()).collect::<Vec<_>>(), lines);
        let said = public.steps.iter().filter(|step| step.source == StepSource::Announced).count();
        assert_eq!(book.of_kind(Kind::Announced).len(), said, "{}", file.name);
    }
}

#[test]
fn a_match_without_its_texts_folds_to_the_same_end() {
    for file in shelf() {
        let (mut book, lines) = opened(&file, None);
        lines.iter().for_each(|line| book.plays(line));
        book.ends();
        let whole = book.public();
        book.texts = Texts::new();
        let bare = book.public();
        assert!(bare.faults.is_empty(), "{}: {:?}", file.name, bare.faults);
        assert_eq!((bare.outcome(), bare.closed_at), (whole.outcome(), None), "{}", file.name);
        assert_eq!(bare.names.p1, CommittedText::Withdrawn);
        assert!(bare.setup.declared.as_ref().is_some_and(|game| game.words().is_empty()), "{}", file.name);
        let lines = bare.steps.iter().filter_map(|step| step.text.as_deref());
        assert_eq!(lines.flat_map(texts).count(), 0, "{}: no text is left", file.name);
        assert_eq!(book.verdict(), "verified (recorded by the umpire); outcomes by the umpire", "{}", file.name);
    }
}

#[test]
fn a_match_of_a_declared_game_is_a_file_that_reads() {
    for file in shelf() {
        let (mut book, lines) = opened(&file, None);
        lines.iter().for_each(|line| book.plays(line));
        book.ends();
        let text = record::dmn(&book.public());
        let past = Book::imported(&text);
        assert_eq!(
            past.verdict(),
            "imported; the answers fit the declaration; outcomes by the umpire",
            "{}",
            file.name
        );
        assert_eq!(record::dmn(&past.public()), text, "{}", file.name);
    }
}

#[test]
fn a_step_that_is_corrected_to_what_it_was_changes_nothing() {
    for file in shelf() {
        let (mut book, lines) = opened(&file, None);
        lines.iter().take(12).for_each(|line| book.plays(line));
        let before = book.history();
        for (number, line) in (1..).zip(lines.iter().take(6)) {
            book.corrects_line(number, line);
            holds(&book, &file.name);
        }
        let lines = |history: &record::History| history.steps.iter().map(|s| s.text.clone()).collect::<Vec<_>>();
        assert_eq!(lines(&book.history()), lines(&before), "{}", file.name);
    }
}

#[test]
fn the_umpires_word_is_corrected_and_what_follows_is_mended() {
    let file = shelf().into_iter().find(|file| file.name == "colour-wheel.dmn").unwrap();
    let (mut book, lines) = opened(&file, None);
    let at = lines.iter().position(|line| line.starts_with("umpire: says")).unwrap();
    lines.iter().take(at + 1).for_each(|line| book.plays(line));
    let said = lines[at].replace("umpire: says ", "umpire: says \"Read out wrongly\"; ");
    book.corrects_line(u32::try_from(at).unwrap() + 1, &said);
    holds(&book, &file.name);
    assert_eq!(book.public().steps[at].text.as_ref(), Some(&said));
}

/// The reason why a correction is not made.
fn refused(name: &str, step: u32, said: &str) -> String {
    let (history, amended) = (Book::of(name).history(), Amendment { said: Some(said), ..Amendment::default() });
    let plan = plan_correction(&history, step, amended);
    plan.map(|_| ()).expect_err("a correction that changes what followed").to_string()
}

#[test]
fn a_corrected_word_moves_no_draw_and_no_question_under_what_came_after_it() {
    let draw = "a draw of Matchbook's would be another one: strike back to here instead";
    let dealt = "says deal c 1 to p1 in t; deal c 1 to p2 in h; next go both";
    for other in [
        dealt.replace("p1 in t", "p1 in h"),
        dealt.replace("p2 in h", "p1 in h"),
        dealt.replace("says", "says shuffle c;"),
    ] {
        assert_eq!(refused("one dealt", 4, &other), draw, "{other}");
    }
    let asked = "a later step would answer another question: strike back to here instead";
    assert_eq!(refused("pots answered", 2, "says pot 3; next offer p1"), asked);
    let refused = refused("pots answered", 2, "says pot 3; next bid p2");
    assert!(refused.contains("step 3 would become illegal"), "{refused}");
}

#[test]
fn a_correction_changes_no_text_of_a_later_step() {
    let mut book = Book::of("an essay");
    for line in [r#"1. "a" / "b""#, "umpire: says again", r#"2. "c" / "d""#] {
        book.plays(line);
    }
    book.corrects(1, Some(r#""e""#), None);
    let other = Text { key: SealKey::new([9; 32]), text: r#""f""#.to_owned() };
    let place = TextPlace { origin: &book.origin, match_id: book.match_id, seq: book.of_kind(Kind::Struck)[0] };
    let commitment = place.commit(&"text-3-0".parse().unwrap(), &other).unwrap();
    book.texts.insert(commitment, other);
    let bundle = forged(&book, Seals::Kept, |entries| {
        for struck in bodies!(entries, Struck) {
            struck.steps[2].words = Some(vec![Some(commitment), None]);
        }
    });
    caught(&bundle, 7, "step 3 is kept as it was sent");
}
