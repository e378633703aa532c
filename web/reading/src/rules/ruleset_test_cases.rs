//! The cases of one ruleset: questions that a referee may get, and the tests' results, clause by clause.

use app::COMMON_CLAUSES;
use app::views::{RuleLink, ruleset_address};
use askama::Template;
use axum::response::Response;
use engine::{Ruleset, RulesetCard};

use super::test_case_table::{self, Case, Verdict};
use page::{Frame, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "rules/ruleset_test_cases.html")]
struct Conformance {
    frame: Frame,
    card: &'static RulesetCard,
    ruleset: String,
    passed: usize,
    failed: usize,
    not: usize,
    clauses: Vec<Clause>,
    issues: Vec<Issue>,
}

impl Conformance {
    fn is_open_here(&self, issue: &str) -> bool {
        self.issues.iter().any(|open| open.number == issue)
    }
}

struct Clause {
    number: &'static str,
    title: &'static str,
    rule: RuleLink,
    cases: Vec<Row>,
    also: Vec<&'static Case>,
}

struct Row {
    case: &'static Case,
    verdict: Verdict,
    rules: Vec<RuleLink>,
}

struct Issue {
    number: &'static str,
    question: &'static str,
    rule: RuleLink,
    option: Option<&'static str>,
    cases: Vec<&'static Case>,
}

pub(super) async fn conformance(
    visitor: Visitor,
    Segments((game, ruleset)): Segments<(String, String)>,
) -> Result<Response, Problem> {
    let ruleset = engine::ruleset(&format!("{game}/{ruleset}"))
        .map_err(|_| Problem::not_found("There is no ruleset of this name.").back("/rules", "See every ruleset"))?;
    page(&Conformance::of(ruleset, visitor.name()))
}

impl Conformance {
    fn of(ruleset: &'static dyn Ruleset, umpire: Option<String>) -> Self {
        let card = ruleset.card();
        let all = test_case_table::of(card.id);
        let count = |wanted: fn(&Verdict) -> bool| all.iter().filter(|(_, verdict)| wanted(verdict)).count();
        let frame = Frame::titled(format!("Test cases of {}, {}", card.title, card.hosting))
            .in_section("rules")
            .described("What a referee could be asked about this ruleset, and what the program answers.");
        Self {
            frame: Frame { umpire, ..frame },
            card,
            ruleset: ruleset_address(card.id),
            passed: count(|verdict| *verdict == Verdict::Passed),
            failed: count(|verdict| *verdict == Verdict::Failed),
            not: count(|verdict| matches!(verdict, Verdict::Not(_))),
            clauses: clauses(ruleset, &all),
            issues: issues(ruleset, &all),
        }
    }
}

fn clauses(ruleset: &'static dyn Ruleset, all: &[(&'static Case, Verdict)]) -> Vec<Clause> {
    let own = ruleset.clauses();
    let common = COMMON_CLAUSES.iter().map(|clause| (clause.number, clause.title));
    let named: Vec<_> = common.chain(own.iter().map(|clause| (clause.number, clause.title))).collect();
    let of = |number: &str| {
        let about = all.iter().filter(|(case, _)| case.rules.first().is_some_and(|rule| rule == number));
        let row = |(case, verdict): &(&'static Case, Verdict)| Row {
            case,
            verdict: *verdict,
            rules: case.rules.iter().map(|rule| RuleLink::written(ruleset, rule)).collect(),
        };
        about.map(row).collect::<Vec<_>>()
    };
    let also = |number: &str| {
        let here = all.iter().filter(|(_, verdict)| !matches!(verdict, Verdict::Not(_))).map(|(case, _)| *case);
        here.filter(|case| case.rules.iter().skip(1).any(|rule| rule == number)).collect()
    };
    let clause = |(number, title)| Clause {
        number,
        title,
        rule: RuleLink::written(ruleset, number),
        cases: of(number),
        also: also(number),
    };
    let mut clauses: Vec<Clause> = named.into_iter().map(clause).collect();
    // Clauses that only related rulesets have: their cases do not apply here, and give the reason.
    let is_elsewhere = |case: &&(&'static Case, Verdict)| {
        let rule = case.0.rules.first();
        rule.is_some_and(|rule| !clauses.iter().any(|clause| clause.number == rule))
    };
    let rest: Vec<Row> = all
        .iter()
        .filter(is_elsewhere)
        .map(|(case, verdict)| Row { case, verdict: *verdict, rules: Vec::new() })
        .collect();
    clauses.retain(|clause| !clause.cases.is_empty() || !clause.also.is_empty());
    if !rest.is_empty() {
        let rule = RuleLink { number: String::new(), address: None };
        clauses.push(Clause {
            number: "elsewhere",
            title: "Rules of other hostings",
            rule,
            cases: rest,
            also: Vec::new(),
        });
    }
    clauses
}

fn issues(ruleset: &'static dyn Ruleset, all: &[(&'static Case, Verdict)]) -> Vec<Issue> {
    let ruled = ruleset.clauses().into_iter().filter_map(|clause| Some((clause.number, clause.ruling?)));
    ruled
        .map(|(number, ruling)| Issue {
            number: ruling.issue,
            question: ruling.question,
            rule: RuleLink::written(ruleset, number),
            option: ruling.option,
            cases: deciding(all, ruling.issue),
        })
        .collect()
}

pub(super) fn deciding(all: &[(&'static Case, Verdict)], issue: &str) -> Vec<&'static Case> {
    let here = all.iter().filter(|(_, verdict)| !matches!(verdict, Verdict::Not(_)));
    here.map(|(case, _)| *case).filter(|case| case.issues.iter().any(|number| number == issue)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_once_on_the_page_of_every_ruleset() {
        for ruleset in engine::rulesets() {
            let page = Conformance::of(ruleset, None);
            let rows: usize = page.clauses.iter().map(|clause| clause.cases.len()).sum();
            assert_eq!(rows, page.passed + page.failed + page.not, "{}", ruleset.card().id);
            assert_eq!(rows, test_case_table::of(ruleset.card().id).len(), "{}", ruleset.card().id);
            let html = page.render().unwrap();
            assert_eq!(html.matches("<details").count(), rows, "{}", ruleset.card().id);
        }
    }

    #[test]
    fn every_issue_is_decided() {
        for ruleset in engine::rulesets() {
            for issue in Conformance::of(ruleset, None).issues {
                assert!(!issue.cases.is_empty(), "{} in {}", issue.number, ruleset.card().id);
            }
        }
    }
}
