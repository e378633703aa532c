//! The laws of the table, whatever it says in detail.

use super::Cells;
use super::callers::{CALLERS, is_program};
use super::routes::Row;

/// The addresses of forms that name what they are about: without the name, nobody is refused it.
const NAMED_IN_THE_FORM: [&str; 1] = ["/umpire/plan/drop"];

/// The answers of one row, by caller.
struct Answers<'c>(&'c Cells);

impl Answers<'_> {
    fn of(&self, caller: &str) -> &str {
        let at = CALLERS.iter().position(|known| *known == caller);
        at.and_then(|at| self.0.get(at)).map_or("", String::as_str)
    }

    /// True if this caller may: what is refused for its content or for the state of the match is not refused for rights.
    fn may(&self, caller: &str) -> bool {
        !["401", "403", "404", "410", "away"].contains(&self.of(caller))
    }

    /// True if the first may nothing that the second may not.
    fn at_most(&self, first: &str, second: &str) -> bool {
        !self.may(first) || self.may(second)
    }

    fn same(&self, first: &str, second: &str) -> bool {
        self.of(first) == self.of(second)
    }
}

/// The laws that a row breaks.
pub(super) fn broken(row: &Row, cells: &Cells) -> Vec<String> {
    let answers = Answers(cells);
    let all = [closed_accounts(&answers), players(row, &answers), umpires(row, &answers), programs(row, &answers)];
    let broken = all.into_iter().flatten().filter(|(holds, _)| !holds);
    broken.map(|(_, law)| format!("{row}: {law}")).collect()
}

type Laws = Vec<(bool, &'static str)>;

fn closed_accounts(answers: &Answers<'_>) -> Laws {
    vec![
        (answers.same("stopped", "nobody"), "a closed account has no more rights than nobody"),
        (answers.at_most("stopped token", "nobody"), "a token of a closed account has no more rights than nobody"),
    ]
}

fn players(row: &Row, answers: &Answers<'_>) -> Laws {
    let path = &row.route.path;
    let seat = path.starts_with("/play/m/") || path.starts_with("/api/v1/seat");
    vec![
        (answers.at_most("other player", "nobody"), "a player has no rights in another match"),
        (answers.at_most("opponent", "nobody"), "a player has no rights in the other seat"),
        (
            !seat || ["umpire", "helper", "admin", "umpire token"].iter().all(|caller| !acts(row, answers, caller)),
            "nobody acts for a seat but its player",
        ),
        (!seat || !row.route.is_api() || !answers.may("nobody"), "a seat is its player's"),
    ]
}

fn acts(row: &Row, answers: &Answers<'_>, caller: &str) -> bool {
    row.route.method != "get" && answers.may(caller)
}

fn umpires(row: &Row, answers: &Answers<'_>) -> Laws {
    let path = row.route.path.as_str();
    let private = ["/umpire", "/account", "/withdraw/"].iter().any(|begins| path.starts_with(begins));
    let of_match = row.route.is_of_a_match();
    vec![
        (answers.same("demoted", "other umpire"), "who was an admin has the rights of an umpire"),
        (!private || !answers.may("nobody"), "nobody may who is not signed in"),
        (answers.at_most("helper", "umpire"), "a helper does at most what the umpire may"),
        (
            of_match || path == "/withdraw/players/{name}" || answers.same("helper", "other umpire"),
            "a helper has rights in that match alone, and in a name that is in no other",
        ),
        (
            path.ends_with("/comments") || answers.same("commentator", "other umpire"),
            "a commentator writes comments, and has no other rights",
        ),
        (
            !path.starts_with("/umpire/m/") || answers.same("admin", "other umpire"),
            "the match of another umpire is no admin's either",
        ),
        (
            !path.starts_with("/umpire/m/")
                || path.ends_with("/hand") && row.act.is_none()
                || !answers.may("other umpire"),
            "an umpire does nothing in another's match but take it over",
        ),
    ]
}

fn programs(row: &Row, answers: &Answers<'_>) -> Laws {
    let (api, path) = (row.route.is_api(), row.route.path.as_str());
    let cookies = CALLERS.iter().filter(|caller| !is_program(caller));
    let of_match = api && row.route.is_of_a_match();
    let takes_over = path.ends_with("/handover") && row.act.is_none();
    vec![
        (
            api || CALLERS.iter().filter(|caller| is_program(caller)).all(|program| answers.same(program, "nobody")),
            "no page knows a token",
        ),
        (!api || cookies.into_iter().all(|caller| answers.same(caller, "nobody")), "no program is known by a cookie"),
        (row.route.reads() || answers.at_most("read token", "nobody"), "a token of the scope read changes nothing"),
        (answers.at_most("read token", "umpire token"), "the scope read is part of the scope umpire"),
        (answers.at_most("helper token", "umpire token"), "a helper's program does at most what the umpire's may"),
        (of_match || answers.same("helper token", "other token"), "a helper's program has rights in that match alone"),
        (
            !of_match || takes_over || answers.at_most("other token", "nobody"),
            "another umpire's program does nothing in a match but take it over, and reads what everybody reads",
        ),
        (
            !of_match
                || answers.same("other token", "admin token") && answers.same("other token", "admin's umpire token"),
            "the match of another umpire is no admin's program's either",
        ),
        (answers.at_most("admin's umpire token", "admin token"), "the scope umpire is part of the scope admin"),
    ]
}

/// The callers who have no rights here, whatever they send.
pub(super) fn refused(row: &Row, cells: &Cells) -> Vec<&'static str> {
    let has_content =
        row.route.method != "get" && row.act.is_none() && !NAMED_IN_THE_FORM.contains(&row.route.path.as_str());
    let refused = CALLERS.iter().zip(cells).filter(|(_, cell)| ["401", "403", "404"].contains(&cell.as_str()));
    refused.map(|(caller, _)| *caller).filter(|_| has_content).collect()
}

/// The law of bad requests: whoever has no rights is told so before anybody looks at what they sent.
pub(super) fn of_bad_requests(row: &Row, cells: &Cells, refused: &[&str], bad: &Cells) -> Vec<String> {
    let answers = Answers(cells);
    let turned = refused.iter().zip(bad).filter(|(caller, bad)| answers.of(caller) != bad.as_str());
    turned.map(|(caller, bad)| format!("{row}: {caller} is answered {bad} to nothing, and refused otherwise")).collect()
}
