//! One ruleset: its clauses, its rulings, its differences from its parent ruleset, and its options.

use std::sync::Arc;

use app::archive::{Count, Filter};
use app::views::ruleset_address;
use app::{App, COMMON_CLAUSES};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use engine::{Clause, Ruleset, RulesetCard, RulingNote};

use super::ruleset_test_cases::deciding;
use super::test_case_table::{self, Case, Verdict};
use page::{Frame, archive_of, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "rules/ruleset.html")]
struct RulesetPage {
    frame: Frame,
    card: &'static RulesetCard,
    parent: Option<Parent>,
    common: Vec<ClauseView>,
    clauses: Vec<ClauseView>,
    conformance: String,
    cases: usize,
    options: Vec<OptionRow>,
    archive: String,
    matches: Count,
    items: String,
}

struct ClauseView {
    number: &'static str,
    title: &'static str,
    text: String,
    ruling: Option<RulingNote>,
    cases: usize,
    deciding: Vec<&'static Case>,
}

impl ClauseView {
    fn of(clause: Clause, cases: &[(&'static Case, Verdict)]) -> Self {
        let about = |(case, verdict): &&(&'static Case, Verdict)| {
            !matches!(verdict, Verdict::Not(_)) && case.rules.iter().any(|rule| rule == clause.number)
        };
        Self {
            number: clause.number,
            title: clause.title,
            cases: cases.iter().filter(about).count(),
            deciding: clause.ruling.as_ref().map_or_else(Vec::new, |ruling| deciding(cases, ruling.issue)),
            text: clause.text,
            ruling: clause.ruling,
        }
    }
}

struct Parent {
    card: &'static RulesetCard,
    address: String,
    differences: Vec<Difference>,
}

#[derive(Debug, PartialEq, Eq)]
struct Difference {
    number: &'static str,
    title: &'static str,
    theirs: Option<String>,
    ours: Option<String>,
}

/// An option's name, its value here, and the parent's value if that differs.
type OptionRow = (&'static str, &'static str, Option<&'static str>);

pub(super) async fn text(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, ruleset)): Segments<(String, String)>,
) -> Result<Response, Problem> {
    let ruleset = engine::ruleset(&format!("{game}/{ruleset}"))
        .map_err(|_| Problem::not_found("There is no ruleset of this name.").back("/rules", "See every ruleset"))?;
    let card = ruleset.card();
    let parent = card.parent.and_then(|parent| engine::ruleset(parent).ok());
    let filter = Filter { ruleset: Some(card.id.to_owned()), ..Filter::default() };
    let matches = app.archive().count(&filter).await?;
    let cases = test_case_table::of(card.id);
    let frame = Frame::titled(format!("{}, {}", card.title, card.hosting)).in_section("rules").described(card.about);
    page(&RulesetPage {
        frame: Frame { umpire: visitor.name(), ..frame },
        card,
        parent: parent.map(|parent| Parent {
            card: parent.card(),
            address: ruleset_address(parent.card().id),
            differences: differences(&parent.clauses(), &ruleset.clauses()),
        }),
        common: COMMON_CLAUSES.map(|clause| ClauseView::of(clause.clause(), &cases)).into(),
        clauses: ruleset.clauses().into_iter().map(|clause| ClauseView::of(clause, &cases)).collect(),
        conformance: format!("{}/conformance", ruleset_address(card.id)),
        cases: cases.iter().filter(|(_, verdict)| !matches!(verdict, Verdict::Not(_))).count(),
        options: options(ruleset, parent),
        archive: archive_of(&[("ruleset", card.id)]),
        matches,
        items: card.items.iter().map(|item| item.replace('-', " ")).collect::<Vec<_>>().join(", "),
    })
}

fn differences(theirs: &[Clause], ours: &[Clause]) -> Vec<Difference> {
    let text = |clauses: &[Clause], number| {
        clauses.iter().find(|clause| clause.number == number).map(|clause| clause.text.clone())
    };
    let difference = |clause: &Clause| Difference {
        number: clause.number,
        title: clause.title,
        theirs: text(theirs, clause.number),
        ours: text(ours, clause.number),
    };
    let only_theirs = theirs.iter().filter(|clause| text(ours, clause.number).is_none());
    let all = ours.iter().chain(only_theirs).map(difference);
    all.filter(|difference| difference.theirs != difference.ours).collect()
}

fn options(ruleset: &dyn Ruleset, parent: Option<&dyn Ruleset>) -> Vec<OptionRow> {
    let theirs = parent.map(|parent| parent.options()).unwrap_or_default();
    let option = |(name, value): (&'static str, &'static str)| {
        let other = theirs.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        (name, value, other.filter(|other| *other != value))
    };
    ruleset.options().into_iter().map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(number: &'static str, text: &str) -> Clause {
        Clause { number, title: "Title", word: "", text: text.to_owned(), ruling: None }
    }

    #[test]
    fn new_changed_and_removed_clauses_are_differences() {
        let theirs = [clause("1.1", "a"), clause("1.2", "b"), clause("1.4", "d")];
        let ours = [clause("1.1", "a"), clause("1.2", "B"), clause("1.3", "c")];
        let told: Vec<_> = differences(&theirs, &ours)
            .into_iter()
            .map(|difference| (difference.number, difference.theirs, difference.ours))
            .collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(told, [("1.2", text("b"), text("B")), ("1.3", None, text("c")), ("1.4", text("d"), None)]);
    }

    #[test]
    fn every_ruleset_differs_from_its_parent() {
        for ruleset in engine::rulesets() {
            let Some(parent) = ruleset.card().parent.and_then(|parent| engine::ruleset(parent).ok()) else { continue };
            assert!(!differences(&parent.clauses(), &ruleset.clauses()).is_empty(), "{}", ruleset.card().id);
            assert!(options(ruleset, Some(parent)).iter().any(|(_, _, other)| other.is_some()));
        }
    }
}
