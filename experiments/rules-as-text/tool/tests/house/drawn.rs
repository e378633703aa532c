//! What the compiled engine says, as the texts say it.

use engine::{Ask, CardGroup, Cell, Colour, Effect, Figure, Mark, Outcome, Panel, Seat, Shape, Sign, To, View};
use rules_as_text::Data;

fn seat(seat: Option<Seat>) -> Data {
    seat.map_or(Data::None, |seat| Data::text(seat.word()))
}

pub(crate) fn asked(ask: &Ask) -> Data {
    let to = match ask.to {
        To::Both => "both",
        To::One(seat) => seat.word(),
        To::Host => "host",
    };
    Data::dict([
        ("to", Data::text(to)),
        ("what", Data::text(&ask.what)),
        ("prompt", Data::text(&ask.prompt)),
        ("clock", Data::Int(ask.clock_seconds.into())),
        ("default", Data::text(&ask.default)),
    ])
}

pub(crate) fn outcome(outcome: Outcome) -> Option<Data> {
    outcome.is_over().then(|| Data::dict([("winner", seat(outcome.winner())), ("why", Data::text(outcome.reason()))]))
}

pub(crate) fn effect(effect: &Effect) -> Data {
    Data::dict([
        ("seat", seat(effect.seat)),
        ("subject", Data::text(&effect.subject)),
        ("fate", Data::text(effect.fate.word())),
        ("rule", Data::text(effect.rule)),
        ("text", Data::text(&effect.text)),
    ])
}

fn figure(figure: &Figure) -> Data {
    Data::dict([
        ("name", Data::text(&figure.name)),
        ("label", Data::text(&figure.label)),
        ("seat", seat(figure.seat)),
        ("value", Data::Int(figure.value.into())),
    ])
}

fn mark(mark: Mark) -> Data {
    Data::text(match mark {
        Mark::None => "none",
        Mark::New => "new",
        Mark::Gone => "gone",
        Mark::Hidden => "hidden",
        Mark::Perhaps => "perhaps",
    })
}

fn cell(cell: &Cell) -> Data {
    let sign = match cell.sign {
        Sign::Shape(colour, shape) => {
            let colour = match colour {
                Colour::Cyan => "c",
                Colour::Pink => "p",
                Colour::Grey => "g",
            };
            let shape = match shape {
                Shape::Circle => "o",
                Shape::Triangle => "t",
                Shape::Square => "s",
            };
            [colour, shape].concat()
        }
        _ => String::new(),
    };
    Data::dict([
        ("sign", Data::text(&sign)),
        ("face", Data::text(&cell.face)),
        ("name", Data::text(&cell.name)),
        ("mark", mark(cell.mark)),
        ("up", Data::Bool(cell.up)),
    ])
}

fn group(group: &CardGroup) -> Data {
    let cards = group.cards.iter().map(|card| {
        Data::dict([
            ("card", Data::text(&card.card)),
            ("face", Data::text(&card.face)),
            ("name", Data::text(&card.name)),
            ("mark", mark(card.mark)),
        ])
    });
    Data::dict([
        ("label", Data::text(&group.label)),
        ("cards", Data::List(cards.collect())),
        ("empty", Data::Int(group.empty.into())),
    ])
}

fn panel(panel: &Panel) -> Data {
    match panel {
        Panel::Lamps { title, seat: whose, lamps } => {
            let lamps = lamps.iter().map(|lamp| {
                let (name, letters) = (Data::text(lamp.name), Data::text(lamp.letters));
                Data::dict([("name", name), ("letters", letters), ("lit", Data::Bool(lamp.lit))])
            });
            let lamps = Data::List(lamps.collect());
            Data::dict([
                ("kind", Data::text("lamps")),
                ("title", Data::text(title)),
                ("seat", seat(Some(*whose))),
                ("lamps", lamps),
            ])
        }
        Panel::Notice { title, seat: whose, text } => Data::dict([
            ("kind", Data::text("notice")),
            ("title", Data::text(title)),
            ("seat", seat(*whose)),
            ("text", Data::text(text)),
        ]),
        Panel::Cards { title, seat: whose, groups, .. } => Data::dict([
            ("kind", Data::text("cards")),
            ("title", Data::text(title)),
            ("seat", seat(*whose)),
            ("groups", Data::List(groups.iter().map(group).collect())),
        ]),
        Panel::Grid { title, rows, current, .. } => {
            let row = |(heading, cells): &(String, Vec<Cell>)| {
                Data::List(vec![Data::text(heading), Data::List(cells.iter().map(cell).collect())])
            };
            Data::dict([
                ("kind", Data::text("grid")),
                ("title", Data::text(title)),
                ("rows", Data::List(rows.iter().map(row).collect())),
                ("current", Data::Bool(*current)),
            ])
        }
        Panel::Track { .. } => Data::None,
    }
}

pub(crate) fn view(view: &View) -> (Data, Data) {
    let panels = view.panels.iter().map(panel).collect();
    (Data::List(view.figures.iter().map(figure).collect()), Data::List(panels))
}
