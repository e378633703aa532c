//! The controls for answering a question: one template for each kind of form, and none for a single game.
//!
//! Their values become a line of notation ([`compose`]), which is read like any typed line. So there is one
//! way to submit, whichever way somebody answers, and no script is needed.

use askama::Template;
use engine::{BySeat, CardFace, CardGroup, Choice, Form, Panel, Places, Sign, View, name_seats};

use super::barred_words;
use super::icon::Icon;

/// Longer lists are shown as small tiles.
const LIST_MAX: usize = 12;
/// Up to this many things get a choice of place each; with more, the places are filled in by writing.
const SORT_MAX: usize = 16;

/// The fields of a form, as submitted.
pub(crate) type Fields = [(String, String)];

/// The controls of a question.
#[derive(Debug, Template)]
#[template(path = "page/controls.html")]
pub(crate) struct Controls {
    /// The prefix of its parts' ids.
    id: String,
    /// The prefix of its field names, for a form with the controls of several questions.
    prefix: String,
    kind: Kind,
}

/// The kind of control.
#[derive(Debug)]
enum Kind {
    /// One of a list.
    One(Vec<Pick>),
    /// One of a long list.
    Tiles(Vec<Pick>),
    /// Several of a list.
    Several { rows: Vec<Pick>, amount: String },
    /// One thing for each place.
    Order(Vec<Slot>),
    /// Each thing to one of several places.
    Sort { things: Vec<Thing>, slots: Vec<Slot>, nothing: &'static str, summed: bool },
    /// Places that are filled in by writing.
    Filled { slots: Vec<Slot>, things: String },
}

/// Something to pick.
#[derive(Debug)]
struct Pick {
    /// The value in the line.
    value: String,
    label: String,
    hint: String,
    /// The reason why it would not count.
    barred: Option<String>,
    /// The smallest and largest number that goes with it.
    amounts: Option<(u32, u32)>,
    amount: String,
    picked: bool,
    face: Option<(String, Icon)>,
    /// The variants, if it can be picked in several ways: the value in the line, the words, and true for the one
    /// picked.
    variants: Vec<(String, String, bool)>,
}

/// Something to place.
#[derive(Debug)]
struct Thing {
    word: String,
    label: String,
    worth: u32,
    face: Option<(String, Icon)>,
    /// Its current place.
    slot: Option<usize>,
}

impl Thing {
    fn is_in(&self, slot: &usize) -> bool {
        self.slot == Some(*slot)
    }
}

/// A place for things.
#[derive(Debug)]
struct Slot {
    label: String,
    /// The number of things due, in words.
    due: String,
    /// The things that are there and stay.
    held: String,
    written: String,
    /// The things that may be placed there.
    options: Vec<(String, String, bool)>,
}

impl Controls {
    /// The controls of a form, filled with the submitted values; none if the form accepts only a line. `view` is the
    /// state as this reader may see it: cards look here as they look there.
    pub(crate) fn of(
        id: &str,
        form: &Form,
        view: &View,
        names: BySeat<&str>,
        nothing: bool,
        sent: &Fields,
    ) -> Option<Self> {
        let kind = match form {
            Form::Words { choices, most: 1, .. } => one(choices, view, names, sent),
            Form::Words { choices, least, most } => several(choices, (*least, *most), names, nothing, sent),
            Form::Line { places: Some(places), .. } => placing(places, view, sent),
            Form::Line { places: None, .. } => return None,
        };
        Some(Self { id: id.to_owned(), prefix: String::new(), kind })
    }

    /// The same with a prefix on each field name, so that two sets of controls fit in one form.
    pub(crate) fn prefixed(self, prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), ..self }
    }
}

fn all<'s>(sent: &'s Fields, name: &str) -> impl Iterator<Item = &'s str> {
    sent.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

fn first<'s>(sent: &'s Fields, name: &str) -> &'s str {
    all(sent, name).next().unwrap_or("")
}

fn pick(choice: &Choice, value: String, label: String, names: BySeat<&str>, sent: &Fields) -> Pick {
    Pick {
        hint: name_seats(&choice.hint, names),
        barred: choice.barred.as_ref().map(|why| name_seats(&barred_words(&[choice.label], &why.expected), names)),
        amounts: choice.amounts,
        amount: first(sent, &format!("amount-{}", choice.word)).to_owned(),
        picked: all(sent, "pick").any(|picked| picked == value),
        face: None,
        variants: Vec::new(),
        value,
        label,
    }
}

fn one(choices: &[Choice], view: &View, names: BySeat<&str>, sent: &Fields) -> Kind {
    let mut picks = Vec::new();
    for choice in choices {
        if choice.targets.is_empty() {
            let face = face(view, choice.word);
            let plain = pick(choice, choice.word.to_owned(), choice.label.to_owned(), names, sent);
            picks.push(Pick { face, ..plain });
        }
        for (word, label) in &choice.targets {
            let value = format!("{}:{word}", choice.word);
            picks.push(pick(choice, value, format!("{}, {label}", record::words::capital(choice.label)), names, sent));
        }
    }
    if choices.len() > LIST_MAX { Kind::Tiles(picks) } else { Kind::One(picks) }
}

fn several(choices: &[Choice], (least, most): (u8, u8), names: BySeat<&str>, nothing: bool, sent: &Fields) -> Kind {
    let row = |choice: &Choice| {
        let plain = pick(choice, choice.word.to_owned(), choice.label.to_owned(), names, sent);
        let mut variants = Vec::new();
        for copies in 1..=usize::from(choice.copies) {
            let times = if copies > 1 { "twice, " } else { "" };
            let mut variant = |word: String, label: &str| {
                let value = vec![word; copies].join(" ");
                let picked = all(sent, "pick").any(|picked| picked == value);
                variants.push((value, format!("{times}{label}"), picked));
            };
            if choice.targets.is_empty() {
                variant(choice.word.to_owned(), if copies > 1 { "that is doubled" } else { "once" });
            }
            for (target, label) in &choice.targets {
                variant(format!("{}:{target}", choice.word), &format!("naming {label}"));
            }
        }
        let single = variants.len() == 1;
        Pick { variants: if single { Vec::new() } else { variants }, ..plain }
    };
    let mut rows: Vec<Pick> = choices.iter().map(row).collect();
    if nothing {
        let value = "nothing".to_owned();
        rows.push(Pick {
            label: "Nothing".to_owned(),
            hint: "on purpose, alone".to_owned(),
            barred: None,
            amounts: None,
            amount: String::new(),
            picked: all(sent, "pick").any(|picked| picked == value),
            face: None,
            variants: Vec::new(),
            value,
        });
    }
    let amount = match (least, most) {
        (least, most) if least == most => format!("Choose {most}"),
        (0, most) => format!("Choose up to {most}"),
        (least, most) => format!("Choose {least} to {most}"),
    };
    Kind::Several { rows, amount }
}

fn placing(places: &Places, view: &View, sent: &Fields) -> Kind {
    let lies = placed_words(places, sent);
    let thing = |thing: &engine::Thing| Thing {
        face: face(view, &thing.word),
        slot: lies.iter().position(|slot| slot.contains(&thing.word.as_str())),
        word: thing.word.clone(),
        label: thing.label.clone(),
        worth: thing.worth,
    };
    let loose = || places.things.iter().filter(|thing| thing.lies.is_none());
    let slot = |(at, slot): (usize, &engine::Slot)| {
        let held: Vec<&str> =
            places.things.iter().filter(|thing| thing.lies == Some(at)).map(|thing| thing.label.as_str()).collect();
        let here = lies.get(at).map(Vec::as_slice).unwrap_or_default();
        let option =
            |thing: &engine::Thing| (thing.word.clone(), thing.label.clone(), here.contains(&thing.word.as_str()));
        Slot {
            label: slot.label.clone(),
            due: due(slot),
            held: held.join(", "),
            written: here.join(" "),
            options: loose().map(option).collect(),
        }
    };
    let slots: Vec<Slot> = places.places.iter().enumerate().map(slot).collect();
    match places.places.as_slice() {
        // A place for exactly n things becomes n controls for one thing each: then nobody can choose too many.
        [only] if only.least == only.most && usize::from(only.most) <= SORT_MAX => {
            let here = lies.first().cloned().unwrap_or_default();
            let single = |n: u8| {
                let chosen = here.get(usize::from(n)).copied();
                let option =
                    |thing: &engine::Thing| (thing.word.clone(), thing.label.clone(), chosen == Some(&thing.word));
                let label = if only.most > 1 { format!("{}, card {}", only.label, n + 1) } else { only.label.clone() };
                let (due, held, written) = (String::new(), String::new(), String::new());
                Slot { label, due, held, written, options: loose().map(option).collect() }
            };
            Kind::Order((0..only.most).map(single).collect())
        }
        many if many.iter().all(|slot| slot.most == 1) && places.things.len() <= SORT_MAX => Kind::Order(slots),
        _ if places.things.len() <= SORT_MAX => {
            let things: Vec<Thing> = loose().map(thing).collect();
            let summed = things.iter().any(|thing| thing.worth > 0);
            Kind::Sort { things, slots, nothing: places.nothing, summed }
        }
        _ => Kind::Filled { slots, things: loose().map(|thing| thing.word.as_str()).collect::<Vec<_>>().join(" ") },
    }
}

fn due(slot: &engine::Slot) -> String {
    match (slot.least, slot.most) {
        (0, 0) => "full".to_owned(),
        (1, 1) => "one card".to_owned(),
        (least, most) if least == most => format!("{most} cards"),
        (0, most) => format!("up to {most} cards"),
        (least, most) => format!("{least} to {most} cards"),
    }
}

/// The card named by this word, as this reader's state shows it.
fn face(view: &View, word: &str) -> Option<(String, Icon)> {
    let groups = view.panels.iter().filter_map(|panel| match panel {
        Panel::Cards { groups, .. } => Some(groups.as_slice()),
        _ => None,
    });
    let found =
        |group: &CardGroup| group.cards.iter().find(|tile| tile.card == word && tile.sign != Sign::Back).cloned();
    let tile: CardFace = groups.flatten().find_map(found)?;
    Some((tile.face, Icon(tile.sign)))
}

/// The words in each place, according to these fields.
fn placed_words<'s>(places: &'s Places, sent: &'s Fields) -> Vec<Vec<&'s str>> {
    let written = |at: usize| {
        let words = sent.iter().filter(move |(name, _)| name.strip_prefix("at-") == Some(at.to_string().as_str()));
        words.flat_map(|(_, value)| value.split([' ', ',', ';', '\t'])).filter(|word| !word.is_empty()).collect()
    };
    let mut laid: Vec<Vec<&str>> = (0..places.places.len()).map(written).collect();
    if let [only] = laid.as_mut_slice() {
        let spread = (1..places.things.len()).flat_map(|n| all(sent, &format!("at-{n}")).collect::<Vec<_>>());
        only.extend(spread);
    }
    for thing in &places.things {
        let at = first(sent, &format!("in-{}", thing.word)).parse::<usize>();
        if let Some(slot) = at.ok().and_then(|at| laid.get_mut(at)) {
            slot.push(&thing.word);
        }
    }
    laid
}

/// The line composed from the fields of a form; none if the fields are empty.
pub(crate) fn compose(form: &Form, sent: &Fields) -> Option<String> {
    let picked: Vec<String> = all(sent, "pick")
        .map(|word| match first(sent, &format!("amount-{word}")) {
            "" => word.to_owned(),
            amount => format!("{word} {amount}"),
        })
        .collect();
    match form {
        Form::Line { places: Some(places), .. } => {
            let laid = placed_words(places, sent);
            let empty = laid.iter().all(Vec::is_empty);
            if empty && picked.is_empty() { None } else { Some(places.line(&laid)) }
        }
        _ if picked.is_empty() => None,
        // A number is included if the word takes one, even if it was left out: then the rules report its absence.
        Form::Words { .. } => Some(picked.join(" ")),
        Form::Line { places: None, .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use engine::{Duel, Seat, Setup, Sight};

    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn devils(script: &[&str]) -> Duel {
        let setup =
            Setup { ruleset: "devils-deal/blooming-genius".to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
        let mut duel = Duel::open(&setup).unwrap();
        for line in script {
            duel.play(line, None).unwrap();
        }
        duel
    }

    const DEALT: [&str; 2] = ["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p2: start p1"];

    fn says(duel: &Duel, seat: Seat, what: &str, pairs: &[(&str, &str)]) -> Option<String> {
        compose(&duel.form(seat, what).unwrap(), &fields(pairs))
    }

    #[test]
    fn picked_values_become_a_line() {
        let duel =
            Duel::open(&Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() }).unwrap();
        let says = |pairs: &[(&str, &str)]| says(&duel, Seat::P1, "round", pairs);
        assert_eq!(says(&[("pick", "score"), ("pick", "block:claim")]).as_deref(), Some("score block:claim"));
        assert_eq!(says(&[("pick", ""), ("pick", "nothing")]).as_deref(), Some("nothing"));
        assert_eq!(says(&[("pick", " "), ("other", "score")]), None);
    }

    #[test]
    fn a_division_can_be_made_card_by_card() {
        let offered = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
        let duel = devils(&[DEALT[0], DEALT[1], "p1: refill", offered]);
        let laid = [("in-R2", "0"), ("in-G5", "0"), ("in-R7", "1"), ("in-B6", "6"), ("in-G1", "6"), ("in-B9", "")];
        let line = says(&duel, Seat::P1, "divide", &laid).unwrap();
        assert_eq!(line, "divide G5 R2 | R7 | aside B6 G1");
        assert!(duel.read(Seat::P1, "divide", &line).is_ok());
        assert_eq!(says(&duel, Seat::P1, "divide", &[("pick", "divide none")]).as_deref(), Some("divide none"));
        assert_eq!(says(&duel, Seat::P1, "divide", &[]), None);
    }

    #[test]
    fn two_cards_are_put_in_an_order_and_a_bet_has_its_number() {
        let mut duel = devils(&[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"]);
        assert_eq!(says(&duel, Seat::P2, "private", &[("at-1", "R1"), ("at-0", "G2")]).as_deref(), Some("G2 R1"));
        duel.play("G5 R2 / B3 R8", None).unwrap();
        let bet = [("pick", "raise"), ("amount-raise", "3"), ("amount-call", "")];
        assert_eq!(says(&duel, Seat::P1, "bet", &bet).as_deref(), Some("raise 3"));
        assert_eq!(says(&duel, Seat::P1, "bet", &[("pick", "fold"), ("amount-raise", "3")]).as_deref(), Some("fold"));
    }

    #[test]
    fn every_kind_keeps_the_values_sent() {
        let names = BySeat { p1: "Ada", p2: "Bo <b>" };
        let drawn = |duel: &Duel, seat: Seat, what: &str, pairs: &[(&str, &str)]| {
            let (form, view) = (duel.form(seat, what).unwrap(), duel.view(Sight::Seat(seat)));
            Controls::of("d1", &form, &view, names, true, &fields(pairs)).unwrap().to_string()
        };
        let trick =
            Duel::open(&Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() }).unwrap();
        let page = drawn(&trick, Seat::P1, "round", &[("pick", "grow"), ("pick", "block:steal")]);
        assert!(page.contains(r#"value="grow" checked"#), "{page}");
        assert!(page.contains(r#"<option value="block:steal" selected>"#), "{page}");
        let devils = devils(&[DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5"]);
        let page = drawn(&devils, Seat::P1, "private", &[("at-0", "B7")]);
        assert!(page.contains(r#"<option value="B7" selected>blue 7"#), "{page}");
        assert!(!page.contains("R8"), "the other seat's cards are none of these: {page}");
    }
}
