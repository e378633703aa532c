//! Questions, forms, effects, figures and panels in a line or two each.

use std::collections::BTreeSet;

use engine::{
    Ask, CardFace, CardGroup, Cell, Choice, Closes, Colour, Effect, Field, Figure, Form, Mark, Opens, Panel, Party,
    Seat, Shape, Sign, To, Word,
};

fn whose(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!(" {seat}"))
}

pub(crate) fn form(form: &Form) -> String {
    match form {
        Form::Words { choices, least, most } => {
            let words: Vec<String> = choices.iter().filter(|one| one.barred.is_none()).map(choice).collect();
            let mut out = format!("{least} to {most} of {}", words.join(" "));
            let rule = |one: &Choice| one.barred.as_ref().map(|why| why.rule.unwrap_or("no rule"));
            let rules: BTreeSet<&str> = choices.iter().filter_map(rule).collect();
            for barring in rules {
                let barred = choices.iter().filter(|one| rule(one) == Some(barring)).map(choice);
                out += &format!("; barred by {barring}: {}", barred.collect::<Vec<_>>().join(" "));
            }
            out
        }
        Form::Line { hint, example, .. } => format!("{hint}, as in {example}"),
    }
}

fn choice(choice: &Choice) -> String {
    let mut out = choice.word.replace(' ', "_");
    if choice.copies != 1 {
        out += &format!("*{}", choice.copies);
    }
    if !choice.targets.is_empty() {
        let words: Vec<&str> = choice.targets.iter().map(|(word, _)| *word).collect();
        out += &format!(":({})", words.join("|"));
    }
    if let Some((least, most)) = choice.amounts {
        out += &format!("({least}..{most})");
    }
    out
}

pub(crate) fn figures(figures: &[Figure]) -> String {
    let one = |figure: &Figure| format!("{}{} {}", figure.label, whose(figure.seat), figure.value);
    figures.iter().map(one).collect::<Vec<_>>().join(", ")
}

pub(crate) fn panel(panel: &Panel) -> String {
    match panel {
        Panel::Lamps { title, seat, lamps } => {
            let lit =
                lamps.iter().map(|lamp| if lamp.lit { format!("[{}]", lamp.letters) } else { lamp.letters.into() });
            format!("{title} {seat}: {}", lit.collect::<Vec<String>>().join(" "))
        }
        Panel::Notice { title, seat, text } => format!("{title}{}: {text}", whose(*seat)),
        Panel::Cards { title, seat, groups, .. } => {
            let groups: Vec<String> = groups.iter().map(group).collect();
            format!("{title}{}: {}", whose(*seat), groups.join("; "))
        }
        Panel::Grid { title, columns, rows, current } => {
            let mut out = format!("{title}{}: {}", if *current { " (current)" } else { "" }, columns.join(" "));
            for (name, cells) in rows {
                let cells: Vec<String> = cells.iter().map(cell).collect();
                out += &format!("\n  {name} {}", cells.join(" "));
            }
            out
        }
        Panel::Track { title, said } => {
            let said: Vec<String> = said.iter().map(|(seat, what)| format!("{seat} {what}")).collect();
            format!("{title}: {}", said.join(", "))
        }
    }
}

fn group(group: &CardGroup) -> String {
    let mut words: Vec<String> = Vec::new();
    if !group.label.is_empty() {
        words.push(format!("{} ", group.label));
    }
    words.extend(group.cards.iter().map(tile));
    words.extend((0..group.empty).map(|_| "_".to_owned()));
    words.join(" ")
}

fn tile(tile: &CardFace) -> String {
    format!("{}{}", tile.card, mark(tile.mark))
}

const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::None => "",
        Mark::New => "!",
        Mark::Gone => "x",
        Mark::Hidden => "~",
        Mark::Perhaps => "?",
    }
}

/// A cell: its front in notation, then its back if it is shown.
fn cell(cell: &Cell) -> String {
    let front = match cell.sign {
        Sign::Shape(colour, shape) => {
            let colour = match colour {
                Colour::Cyan => 'c',
                Colour::Pink => 'p',
                Colour::Grey => 'g',
            };
            let shape = match shape {
                Shape::Circle => 'o',
                Shape::Triangle => 't',
                Shape::Square => 's',
            };
            format!("{colour}{shape}")
        }
        other => format!("{other:?}"),
    };
    let up = if cell.up { "^" } else { "" };
    let back = format!("{}{up}{}", cell.face, mark(cell.mark));
    if back.is_empty() { front } else { format!("{front}={back}") }
}

/// A question, without its form.
pub(crate) fn ask(ask: &Ask) -> String {
    let whom = match ask.to {
        To::Both => "both",
        To::One(seat) => seat.word(),
        To::Host => "host",
    };
    let late = |field: &&Field| field.opens == Opens::WhenItActs;
    let fields = if ask.fields.len() > 6 {
        format!("{} fields, {} open later", ask.fields.len(), ask.fields.iter().filter(late).count())
    } else {
        let name = |field| if late(&field) { format!("{} (later)", field.name) } else { field.name.to_string() };
        ask.fields.iter().map(name).collect::<Vec<String>>().join(", ")
    };
    let closes = match ask.closes {
        Closes::AtDeadline => "deadline",
        Closes::FirstValid => "first valid",
    };
    let optional = if ask.optional { ", optional" } else { "" };
    let clock = ask.clock_seconds;
    format!("{whom} {}: {} [{fields}; {clock} s, {closes}{optional}; {}]", ask.what, ask.prompt, ask.default)
}

/// An effect, with its rule at the end.
pub(crate) fn effect(effect: &Effect) -> String {
    let seat = effect.seat.map_or("--", Seat::word);
    format!("{seat} {} {}: {} ({})", effect.subject, effect.fate.word(), effect.text, effect.rule)
}

/// Fields, each with its party; of many, the first and the last.
pub(crate) fn fields(list: &[(Party, Word)]) -> String {
    match list {
        [(party, first), .., (_, last)] if list.len() > 6 => {
            format!("{} fields of {party}, {first} to {last}", list.len())
        }
        list => list.iter().map(|(party, name)| format!("{party} {name}")).collect::<Vec<_>>().join(", "),
    }
}

/// The first line that differs.
pub(crate) fn difference(stands: &str, comes: &str) -> Option<String> {
    let lines = stands.lines().map(Some).chain(std::iter::repeat(None));
    let both = (1..).zip(lines.zip(comes.lines().map(Some).chain([None])));
    let (line, (stands, comes)) = both.into_iter().find(|(_, (stands, comes))| stands != comes)?;
    Some(format!("line {line}\n  stands: {}\n  comes:  {}", stands.unwrap_or("nothing"), comes.unwrap_or("nothing")))
}
