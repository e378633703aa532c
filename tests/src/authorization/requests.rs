//! What a caller sends: nothing that can be read, or what the form of a page and the API's document ask for, so that nothing
//! but rights or the state of the match refuses it.

use app::views::HeadJson;
use record::History;
use serde_json::{Value, json};

use super::objects::Objects;
use super::routes::Row;
use crate::api::sample;
use crate::play::table::RULESET;

/// How well a request is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Nothing,
    Everything,
}

/// What a sender has to know: the match, an umpire who can take it over, and names of what is there.
pub(super) struct Facts<'f> {
    pub(super) history: Option<&'f History>,
    pub(super) form: String,
    pub(super) to: &'f str,
    pub(super) objects: &'f Objects,
}

/// A field, and what is typed or chosen there. Braces stand for what is there now.
type Field = (&'static str, &'static str);

/// Rights that depend on what a request asks for: the method and the address, the act, and its own fields.
pub(super) const ACTS: [(&str, &str, &str, &[Field]); 7] = [
    ("post", "/umpire/m/{slug}/hand", "to somebody else", &[("to", "{bystander}"), TEXT]),
    ("post", "/umpire/m/{slug}/links", "name a helper", &[("helper", "{bystander}")]),
    ("post", "/umpire/m/{slug}/links", "dismiss a helper", &[("dismiss", "{helper}")]),
    ("post", "/umpire/m/{slug}/links", "name a commentator", &[("commentator", "{bystander}")]),
    ("post", "/umpire/m/{slug}/links", "dismiss a commentator", &[("dismiss-commentator", "{commentator}")]),
    ("post", "/umpire/open", "as planned", &[("plan", "{plan}"), ("ruleset", RULESET), ("p1", "Eve"), ("p2", "Fay")]),
    ("post", "/api/v1/matches/{slug}/handover", "to somebody else", &[("to", "{bystander}")]),
];

const TEXT: Field = ("text", "So be it");

impl Facts<'_> {
    /// The entry of the objection that waits for an answer.
    fn objection(&self) -> u32 {
        self.history.and_then(|history| history.open_objections().next()).map_or(0, |one| one.entry.0)
    }

    /// What stands for a value in braces.
    fn value(&self, value: &str) -> String {
        let first = self.history.and_then(|history| history.steps.first());
        match value {
            "{to}" => self.to.to_owned(),
            "{bystander}" => self.objects.bystander.clone(),
            "{helper}" => self.objects.officials.helper.id.clone(),
            "{commentator}" => self.objects.officials.commentator.id.clone(),
            "{plan}" => self.objects.plan.clone(),
            "{place}" => first.map_or_else(String::new, |step| format!("{}:{}", step.number, step.entry.0)),
            "{objection}" => self.objection().to_string(),
            "{new name}" => format!("Umpire {}", self.form),
            value => value.to_owned(),
        }
    }

    fn decision(&self) -> String {
        let open = self.history.and_then(|history| history.open.first());
        open.map_or_else(|| "d1".to_owned(), |open| open.asked.decision.to_string())
    }
}

/// The body of a request to the API: the document's example, about what is there now.
pub(super) fn body(document: &Value, row: &Row, facts: &Facts<'_>) -> Value {
    let route = &row.route;
    let sent = &document["paths"][&route.path][&route.method]["requestBody"]["content"]["application/json"];
    let mut body = match sent.get("example") {
        Some(example) => example.clone(),
        None => sample(document, &sent["schema"]),
    };
    let now = [
        ("head", facts.history.map_or(Value::Null, |history| json!(HeadJson::of(history.head)))),
        ("decision", json!(facts.decision())),
        ("objection", json!(facts.objection())),
        ("to", json!(facts.to)),
    ];
    for (name, value) in now {
        if body.get(name).is_some() {
            body[name] = value;
        }
    }
    for (name, value) in of_act(row).into_iter().flatten() {
        body[*name] = json!(facts.value(value));
    }
    body
}

/// The fields of a form, as its page would send them.
pub(super) fn fields(row: &Row, facts: &Facts<'_>) -> Vec<(&'static str, String)> {
    let head = facts.history.map(|history| format!("{}:{}", history.head.next.0, history.head.leaf));
    let hidden = [
        ("form", facts.form.clone()),
        ("submit", facts.form.clone()),
        ("head", head.unwrap_or_default()),
        ("decision", facts.decision()),
    ];
    let own = of_act(row).unwrap_or_else(|| own_fields(&row.route.path));
    // The first of a name counts.
    own.iter().map(|(name, value)| (*name, facts.value(value))).chain(hidden).collect()
}

fn of_act(row: &Row) -> Option<&'static [Field]> {
    let known = ACTS
        .iter()
        .find(|(method, path, act, _)| row.act == Some(act) && row.route.path == *path && row.route.method == *method);
    known.map(|known| known.3)
}

/// What is typed or chosen in the form at an address.
fn own_fields(path: &str) -> &'static [Field] {
    let act = path.strip_prefix("/umpire/m/{slug}/").or_else(|| path.strip_prefix("/play/m/{slug}/{seat}/"));
    match act.unwrap_or(path) {
        "read" | "type" | "record" | "close" => &[("p1", "grow"), ("p2", "score"), ("move", "grow")],
        "clock" => &[("act", "run")],
        "draw" => &[("decision", "host"), ("host", "none")],
        "decide" => &[("decided", "annulled"), TEXT],
        "hand" => &[("to", "{to}"), TEXT],
        "answer" => &[("objection", "{objection}"), TEXT],
        "links" => &[("seat", "p1")],
        "strike" => &[("from", "1"), ("reason", "It was typed twice")],
        "correct" => &[("do", "correct"), ("step", "1"), ("p1", "score"), ("reason", "It was mistyped")],
        "submit" => &[("move", "grow")],
        "object" => &[("step", "1"), TEXT],
        "/m/{slug}/comments" => &[("row", "1"), ("beat", "after"), ("place", "{place}"), TEXT],
        "/withdraw/m/{slug}" => &[("word", "0:names.p1"), ("asked", "yes")],
        "/withdraw/players/{name}" => &[("asked", "yes")],
        "/events/{name}/edit" => &[("do", "rows")],
        "/umpire/open" => &[("ruleset", RULESET), ("p1", "Eve"), ("p2", "Fay"), ("live", "on")],
        "/umpire/plan/drop" => &[("plan", "{plan}")],
        "/umpire/discord" => &[("what", "code")],
        "/umpire/webhooks" => &[("address", "https://example.com/"), ("match.ended", "on")],
        "/umpire/webhooks/{id}" => &[("do", "remove")],
        "/join/players/{name}" => &[("join", "Bo"), ("reason", "One player")],
        "/account/name" => &[("public", "{new name}")],
        "/account/tokens" => &[("name", "a program"), ("scope", "read")],
        "/account/umpires" => &[("do", "add"), ("name", "Uwe")],
        _ => &[TEXT, ("seat", "p1")],
    }
}
