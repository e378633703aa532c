//! What an umpire can do to a match: as a form of the console, as a call of the API, and as a command at Discord.

use engine::games::declared::{Audience, Declaration, Owner};
use engine::{BySeat, Seat, SplitMix64, Stream};
use ledger::{DecisionId, Moment};
use record::{History, OpenDecision};
use reqwest::Method;
use serde_json::{Value, json};

use crate::discord::arena::{ADA, BO, text, who};

/// An act, in as many ways as there are.
#[derive(Debug, Default)]
pub(super) struct Deed {
    /// The end of the console's address, and the fields of the form besides its id, the head and the question.
    pub(super) page: Option<(&'static str, Vec<(&'static str, String)>)>,
    /// The method, the end of the match's address, and the body besides the head.
    pub(super) api: Option<(Method, String, Value)>,
    /// The subcommand of `/match`, its options, and a word of the answer to one that was done.
    pub(super) chat: Option<(&'static str, Vec<Value>, &'static str)>,
}

/// The acts of umpires with their weights.
pub(super) const DEEDS: [(&str, u64); 36] = [
    ("announce", 10),
    ("record", 14),
    ("type", 8),
    ("type late", 8),
    ("close", 12),
    ("draw", 8),
    ("draw by hand", 2),
    ("read", 1),
    ("run", 6),
    ("pause", 4),
    ("extend", 8),
    ("rule", 3),
    ("decide a result", 2),
    ("end early", 2),
    ("warn", 2),
    ("note", 2),
    ("private note", 1),
    ("typing", 2),
    ("hand", 2),
    ("answer", 4),
    ("admit", 8),
    ("leave out", 6),
    ("strike", 4),
    ("correct", 5),
    ("shares", 8),
    ("list without", 1),
    ("without round", 1),
    ("end", 5),
    ("link", 6),
    ("revoke", 2),
    ("helper", 2),
    ("commentator", 1),
    ("comment", 2),
    ("recording", 2),
    ("seat", 8),
    ("withdraw", 1),
];

const REASON: &str = "So the umpires agreed";

/// A choice among some.
pub(super) fn one_of<'l, T>(dice: &mut SplitMix64, list: &'l [T]) -> Option<&'l T> {
    list.get(usize::try_from(dice.below(list.len() as u64)).unwrap_or(0))
}

pub(super) fn one_in(dice: &mut SplitMix64, many: u64) -> bool {
    dice.below(many) == 0
}

pub(super) fn seat(dice: &mut SplitMix64) -> Seat {
    if one_in(dice, 2) { Seat::P1 } else { Seat::P2 }
}

/// An act with one of these weights.
pub(super) fn weighed(dice: &mut SplitMix64) -> &'static str {
    let mut left = dice.below(DEEDS.iter().map(|(_, weight)| weight).sum());
    for (name, weight) in DEEDS {
        if left < weight {
            return name;
        }
        left -= weight;
    }
    "note"
}

/// A legal answer of a seat, or sometimes something else.
pub(super) fn answer(dice: &mut SplitMix64, history: &History, open: &OpenDecision, seat: Seat) -> String {
    match dice.below(12) {
        0 => "-".to_owned(),
        1 => "nonsense".to_owned(),
        _ if open.asked.what == record::share::SHARE => format!("share {}", dice.word()),
        2 if history.ruleset().is_text(&open.asked.what) => "\"p1:  a. b\"".to_owned(),
        _ => history.duel().sample(seat, &open.asked.what, dice).unwrap_or_else(|| "-".to_owned()),
    }
}

fn asks(open: &OpenDecision, seat: Seat) -> bool {
    open.asked.seats.iter().any(|asked| asked.0 == seat)
}

/// What an umpire could say in a declared game, and shorter words in case it does not fit: a counter, a draw, a sentence,
/// what comes next.
fn word(dice: &mut SplitMix64, game: &Declaration) -> Vec<String> {
    let whose =
        |dice: &mut SplitMix64, owner| if owner == Owner::Each { format!(" {}", seat(dice)) } else { String::new() };
    let counter =
        one_of(dice, &game.counters).map(|counter| format!("{}{} by 1; ", counter.name, whose(dice, counter.owner)));
    let set = one_of(dice, &game.sets).filter(|_| one_in(dice, 2));
    let drawn = set.map(|set| match one_of(dice, &game.hands).filter(|_| !one_in(dice, 3)) {
        Some(hand) => {
            let to = if hand.owner == Owner::Each {
                *one_of(dice, &["p1", "p2", "each"]).unwrap_or(&"each")
            } else {
                "shared"
            };
            format!("deal {} 1 to {to} in {}; ", set.name, hand.name)
        }
        None => format!("draw {} 1; ", set.name),
    });
    let Some(ask) = one_of(dice, &game.asks) else { return Vec::new() };
    let to = if ask.to == Audience::Both { "both" } else { seat(dice).word() };
    let next = format!("next {} {to}", ask.name);
    let then = match dice.below(12) {
        0 => "over p1 \"so it is\"".to_owned(),
        1 => "\"more:  comes\"".to_owned(),
        2..=4 => "again".to_owned(),
        _ => next.clone(),
    };
    let (counter, drawn) = (counter.unwrap_or_default(), drawn.unwrap_or_default());
    vec![format!("{counter}{drawn}{then}"), format!("{counter}{then}"), then, next, "over undecided".to_owned()]
}

impl Deed {
    /// By the console and the API.
    fn both(page: &'static str, fields: Vec<(&'static str, String)>, api: &str, body: Value) -> Self {
        Self { page: Some((page, fields)), api: Some((Method::POST, api.to_owned(), body)), chat: None }
    }

    fn page(page: &'static str, fields: Vec<(&'static str, String)>) -> Self {
        Self { page: Some((page, fields)), ..Self::default() }
    }

    fn or_chat(self, sub: &'static str, options: Vec<Value>, says: &'static str) -> Self {
        Self { chat: Some((sub, options, says)), ..self }
    }

    /// An act about an open question; none if nothing is asked.
    #[expect(clippy::too_many_lines, reason = "one row for each act")]
    pub(super) fn of_question(name: &str, dice: &mut SplitMix64, history: &History, now: Moment) -> Option<Self> {
        if name == "draw" || name == "draw by hand" {
            return Some(Self::of_draw(name, dice, history));
        }
        let open = one_of(dice, &history.open)?;
        let (decision, whose) = (open.asked.decision.to_string(), seat(dice));
        let lines = BySeat::from_fn(|seat| asks(open, seat).then(|| answer(dice, history, open, seat)));
        let sent = (name == "type late" || one_in(dice, 3)).then(|| {
            let (from, to) = (open.at.micros(), now.micros());
            let back = i64::try_from(dice.below(u64::try_from(to - from).unwrap_or(0) + 1)).unwrap_or(0);
            Moment::from_micros(if name == "type late" { to } else { to - back }).unwrap_or(now)
        });
        let clock = sent.map(|at| at.to_string().get(11..19).unwrap_or_default().to_owned());
        let at = sent.map(|at| at.to_string());
        let mut fields = vec![("decision", decision.clone())];
        for (seat, line) in lines.each() {
            fields.extend(line.clone().map(|line| (seat.word(), line)));
        }
        Some(match name {
            "record" => {
                let moves: serde_json::Map<String, Value> = lines
                    .each()
                    .into_iter()
                    .filter_map(|(seat, line)| Some((seat.word().to_owned(), json!(line.as_ref()?))))
                    .collect();
                Self::both("record", fields, "moves", json!({ "decision": decision, "moves": moves }))
            }
            "type" | "type late" => {
                let line = lines[whose].clone().unwrap_or_else(|| "-".to_owned());
                let mut body = json!({ "decision": decision, "seat": whose.word(), "text": line });
                let mut fields = vec![("decision", decision), (whose.word(), line)];
                if let Some((at, clock)) = at.zip(clock) {
                    body["sent_at"] = json!(at);
                    fields.push((if whose == Seat::P1 { "sent-p1" } else { "sent-p2" }, clock));
                }
                Self::both("type", fields, "typed", body)
            }
            "close" => {
                fields.push(("sure", "yes".to_owned()));
                Self::both("close", fields, "close", json!({ "decision": decision })).or_chat(
                    "resolve",
                    Vec::new(),
                    "Closed.",
                )
            }
            "extend" => {
                let seconds = dice.below(90) + 1;
                let fields = vec![
                    ("act", "extend".into()),
                    ("decision", decision.clone()),
                    ("seconds", seconds.to_string()),
                    ("reason", REASON.into()),
                ];
                let body = json!({ "head": null, "decision": decision, "seconds": seconds, "reason": REASON });
                let options = vec![json!({ "type": 4, "name": "seconds", "value": seconds }), text("reason", REASON)];
                Self::both("clock", fields, "clock/extend", body).or_chat("extend", options, "Done.")
            }
            "admit" => Self::admission(&open.asked.decision, whose),
            _ => {
                let line = lines[whose].clone().unwrap_or_default();
                Self::both("read", fields, "read", json!({ "decision": decision, "seat": whose.word(), "text": line }))
            }
        })
    }

    /// The umpire's word in a declared game; none where it is not due.
    pub(super) fn of_word(dice: &mut SplitMix64, history: &History) -> Option<Self> {
        let game = history.ruleset().declaration()?;
        if !history.duel().asks().is_empty() || history.outcome().is_over() {
            return None;
        }
        let said = word(dice, game)
            .into_iter()
            .find(|said| history.duel().clone().play(&format!("umpire: says {said}"), None).is_ok())?;
        let body = json!({ "head": null, "text": said });
        Some(Self::both("announce", vec![("line", said.clone())], "word", body).or_chat(
            "say",
            vec![text("text", &said)],
            "Said.",
        ))
    }

    fn of_draw(name: &str, dice: &mut SplitMix64, history: &History) -> Self {
        let early = one_in(dice, 2);
        if name == "draw by hand" {
            return Self::page("draw", vec![("decision", "host".to_owned())]);
        }
        let line = history.duel().draw(dice).unwrap_or_else(|| "nothing".to_owned());
        let typed = !history.host_draws();
        let mut fields = if typed {
            vec![("decision", "host".to_owned()), ("host", line.clone())]
        } else {
            vec![("keyed", "yes".to_owned())]
        };
        fields.push(("early", if early { "yes" } else { "" }.to_owned()));
        let mut body = json!({ "head": null, "early": early });
        if typed {
            body["text"] = json!(line);
        }
        Self::both("record", fields, "draw", body)
    }

    /// An act about steps: rulings on them, objections to them, comments.
    pub(super) fn of_steps(name: &str, dice: &mut SplitMix64, history: &History) -> Option<Self> {
        let why = ("text", REASON.to_owned());
        if name == "answer" {
            let entry = history.open_objections().next().map_or(0, |one| one.entry.0);
            let body = json!({ "head": null, "objection": entry, "text": REASON });
            return Some(Self::both("answer", vec![("objection", entry.to_string()), why], "objections/answers", body));
        }
        let step = one_of(dice, &history.steps)?;
        let number = step.number;
        Some(match name {
            "strike" => {
                let fields = vec![("from", number.to_string()), ("reason", REASON.to_owned())];
                Self::both("strike", fields, "strikes", json!({ "head": null, "from": number, "reason": REASON }))
            }
            "comment" => {
                let place = format!("{}:{}", number, step.entry.0);
                let fields = vec![("row", number.to_string()), ("beat", "after".into()), ("place", place), why];
                Self::page("comments", fields)
            }
            _ => {
                let before = history.before(number)?;
                let mut fields = vec![("do", "correct".to_owned()), ("step", number.to_string())];
                let mut body = json!({ "head": null, "step": number, "moves": {}, "reason": REASON });
                for seat in Seat::BOTH {
                    let new = before.sample(seat, &step.what, dice).filter(|_| !one_in(dice, 4));
                    if let Some(new) = new.filter(|_| step.moves[seat].is_some()) {
                        fields.push((seat.word(), new.clone()));
                        body["moves"][seat.word()] = json!(new);
                    }
                }
                if let Some(draw) = before.draw(dice).filter(|_| step.moves == BySeat::default()) {
                    fields.push(("host", draw.clone()));
                    body["draw"] = json!(draw);
                }
                let line = step.text.as_deref().unwrap_or_default();
                if let Some(said) = line.strip_prefix("umpire: says ") {
                    let other = history.ruleset().declaration().and_then(|game| word(dice, game).into_iter().next());
                    let said = other.filter(|_| one_in(dice, 2)).unwrap_or_else(|| format!("\"as it was\"; {said}"));
                    fields.push(("said", said.clone()));
                    body["said"] = json!(said);
                }
                fields.push(("reason", REASON.to_owned()));
                Self::both("correct", fields, "corrections", body)
            }
        })
    }

    pub(super) fn admission(decision: &DecisionId, seat: Seat) -> Self {
        let fields = vec![("decision", decision.to_string()), ("seat", seat.word().into()), ("text", REASON.into())];
        let body = json!({ "head": null, "decision": decision, "seat": seat.word(), "text": REASON });
        Self::both("admit", fields, "late/admissions", body)
    }

    pub(super) fn link(seat: Seat) -> Self {
        Self::both("links", vec![("seat", seat.word().into())], "links", json!({ "seat": seat.word() }))
    }

    /// A late move is left out.
    pub(super) fn of_late(form: &str) -> Self {
        Self::page("leave-out", vec![("late", form.to_owned())])
    }

    /// Any other act. `others` are the ids of the umpires, and `link` is the name of a link.
    #[expect(clippy::too_many_lines, reason = "one row for each act")]
    pub(super) fn of_match(name: &str, dice: &mut SplitMix64, others: &[&str], link: Option<&str>) -> Self {
        let (whose, why) = (seat(dice), || ("text", REASON.to_owned()));
        let to = one_of(dice, others).map_or_else(String::new, |to| (*to).to_owned());
        let head = || json!({ "head": null });
        let said = || json!({ "head": null, "text": REASON });
        match name {
            "run" => Self::both("clock", vec![("act", "run".into())], "clock/run", head()).or_chat(
                "resume",
                Vec::new(),
                "Done.",
            ),
            "pause" => {
                let fields = vec![("act", "pause".into()), ("reason", REASON.into())];
                let body = json!({ "head": null, "reason": REASON });
                Self::both("clock", fields, "clock/pause", body).or_chat("pause", vec![text("reason", REASON)], "Done.")
            }
            "rule" => Self::both("rule", vec![why()], "rulings", said()).or_chat(
                "rule",
                vec![text("text", REASON)],
                "Recorded as a ruling.",
            ),
            "decide a result" => {
                let result = *one_of(dice, &["p1", "p2", "undecided", "void"]).unwrap_or(&"void");
                let body = json!({ "head": null, "text": REASON, "result": result });
                Self::both("rule", vec![why(), ("result", result.into())], "rulings", body).or_chat(
                    "rule",
                    vec![text("text", REASON), text("result", result)],
                    "Recorded as a ruling.",
                )
            }
            "end early" => {
                let words = ["walkover-p1", "walkover-both", "forfeit-p2", "forfeit-both", "annulled"];
                let decided = *one_of(dice, &words).unwrap_or(&"annulled");
                Self::page("decide", vec![("decided", decided.into()), why()])
            }
            "warn" => {
                let body = json!({ "head": null, "seat": whose.word(), "text": REASON });
                Self::both("warn", vec![("seat", whose.word().into()), why()], "warnings", body)
            }
            "note" => Self::both("note", vec![why()], "notes", said()),
            "private note" => Self::both("private-note", vec![why()], "private-notes", json!({ "text": REASON })),
            "typing" => Self::both("go-on-recorded", vec![why()], "recorded", said()),
            "hand" => {
                let body = json!({ "head": null, "to": to, "text": REASON });
                Self::both("hand", vec![("to", to), why()], "handover", body)
            }
            "shares" => Self::both("shares", vec![why()], "shares", said()),
            "list without" => {
                let body = json!({ "head": null, "seat": whose.word() });
                Self::both("list-without", vec![("seat", whose.word().into())], "shares/without", body)
            }
            "without round" => Self::both("without-round", vec![why()], "without-round", said()),
            "end" => Self::both("end", Vec::new(), "end", head()),
            "link" => Self::link(whose),
            "revoke" => {
                let name = link.unwrap_or("none");
                Self {
                    page: Some(("links", vec![("revoke", name.into())])),
                    api: Some((Method::DELETE, format!("links/{name}"), Value::Null)),
                    chat: None,
                }
            }
            "helper" => {
                let field = *one_of(dice, &["helper", "dismiss"]).unwrap_or(&"helper");
                Self::page("links", vec![(field, to)])
            }
            "seat" => Self::default().or_chat(
                "seat",
                vec![text("seat", whose.word()), who("player", if whose == Seat::P1 { ADA } else { BO })],
                "from now on",
            ),
            "recording" => Self::page("recordings", vec![("recording", "https://video.example/watch?v=1".into())]),
            "withdraw" => Self::page("withdraw", vec![("word", "0:names.p1".into()), ("asked", "yes".into())]),
            _ => {
                let field = *one_of(dice, &["commentator", "dismiss-commentator"]).unwrap_or(&"commentator");
                Self::page("links", vec![(field, to)])
            }
        }
    }
}
