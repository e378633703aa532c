//! The page of a check.

use std::sync::Arc;

use app::archive::report_filter;
use app::views::{Beat, match_address};
use app::{App, AppError};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use engine::Seat;
use record::verify::{Detail, Finding, Grade, Report, Status, Verdict};
use record::{Bundle, History, Rule};

use super::by_hand::ByHand;
use super::entries::{EntryGroup, groups};
use page::assets;
use page::{Frame, VerdictBadge};
use web_http::visitor::Visitor;
use web_http::{Answer, Problem, Segments, fresh, site};

#[derive(Template)]
#[template(path = "verify/check.html")]
struct Check {
    frame: Frame,
    site: String,
    address: String,
    slug: String,
    title: String,
    stamp: VerdictBadge,
    /// The verdict in a sentence for everybody.
    verdict: String,
    meaning: &'static str,
    findings: Vec<FindingRow>,
    /// The finding that is open: the first that is not plainly right.
    open: Option<u8>,
    entries: usize,
    groups: Vec<EntryGroup>,
    by_hand: ByHand,
    module_kb: usize,
    rounds: String,
    policy: String,
    head: String,
}

struct FindingRow {
    number: u8,
    title: &'static str,
    question: &'static str,
    verdict: &'static str,
    word: &'static str,
    summary: String,
    rules: Vec<Rule>,
    places: Vec<Place>,
}

struct Place {
    rule: Rule,
    text: String,
    expected: Option<String>,
    found: Option<String>,
    entry: Option<u32>,
    round: Option<(String, String)>,
    wrong: bool,
}

pub(super) async fn check(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(slug): Segments<String>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let _turn = app.matches.turn_to_read().await;
    let match_id = app.matches.match_of(&slug).await?;
    let (bundle, report) = app.checks.check(match_id).await?;
    // A match that cannot be read can still be checked; that is when a check matters most.
    let history = match app.matches.history(match_id).await {
        Ok(history) => Some(history),
        Err(AppError::Unreadable(_) | AppError::Escrow(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let policy = app.public_log.policy_text();
    let page =
        Check { policy, site: site(&request), ..Check::of(&slug, &bundle, &report, history.as_deref(), &visitor) };
    let html = page.render().map_err(|error| Problem::broken(&error))?;
    let mut response = fresh(&request, bundle.head.leaf, Answer::page(html));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// The usual policy, plus WebAssembly, which only this page may run.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

fn labels(history: &History) -> String {
    history.rows().into_iter().map(|row| row.label).collect::<Vec<_>>().join(" ")
}

impl Check {
    fn is_open(&self, number: &u8) -> bool {
        self.open == Some(*number)
    }

    fn is_wrong(&self) -> bool {
        self.groups.iter().any(EntryGroup::wrong)
    }

    fn of(slug: &str, bundle: &Bundle, report: &Report, history: Option<&History>, visitor: &Visitor) -> Self {
        let title = history.map_or_else(
            || format!("match {slug}"),
            |history| format!("{} \u{2013} {}", history.name(Seat::P1), history.name(Seat::P2)),
        );
        let stamp = VerdictBadge::of(report_filter(report), &report.words(history), None)
            .of_declared(matches!(report.verdict, Verdict::Verified { declared: true, .. }));
        let frame = Frame::titled(format!("Check: {title}")).about(bundle.match_id).in_section("archive").described(
            format!("What the stored entries of {title} say, in eight findings that any browser can check again."),
        );
        Self {
            frame: Frame { umpire: visitor.name(), ..frame },
            site: String::new(),
            address: match_address(bundle.match_id),
            slug: slug.to_owned(),
            title,
            stamp,
            verdict: verdict(report),
            meaning: meaning(report),
            open: open(report),
            findings: report.findings.iter().map(|finding| found(finding, history)).collect(),
            entries: bundle.lines.len(),
            groups: groups(bundle, report, history),
            by_hand: ByHand::of(bundle, history, slug),
            module_kb: assets::VERIFIER.len().div_ceil(1000),
            rounds: history.map(labels).unwrap_or_default(),
            policy: String::new(),
            head: bundle.head.leaf.to_string(),
        }
    }
}

/// What a lay person asks, in the order of the findings.
const QUESTIONS: [&str; 8] = [
    "Is anything missing?",
    "Could the site have swapped it later?",
    "Was a move changed after the other was known?",
    "Were the moves in time?",
    "Were the draws fair?",
    "Were the rules kept?",
    "What did people change?",
    "What can no record show?",
];

/// The verdict in one sentence of a few parts: complete, unchanged, by the rules, and what people changed.
fn verdict(report: &Report) -> String {
    let first = match report.verdict {
        Verdict::Verified { .. } | Verdict::NotYet { .. } if !report.is_accepted() => {
            "This match fits together, but is not shown to be in the log."
        }
        Verdict::Verified { ended: false, declared: true, .. } => "So far, this match is unchanged.",
        Verdict::Verified { ended: false, .. } => "So far, this match is unchanged and by the rules.",
        Verdict::Verified { grade: Grade::Imported, declared: true, .. } => {
            "The answers are of the kinds that were declared; this record cannot show more."
        }
        Verdict::Verified { declared: true, .. } => {
            "This match is complete and unchanged; its outcomes are the umpire’s word."
        }
        Verdict::Verified { grade: Grade::Imported, .. } => "The rules were kept; this record cannot show more.",
        Verdict::Verified { .. } => "This match is complete, unchanged and by the rules.",
        Verdict::NotYet { .. } => "So far, all that can be checked fits together.",
        Verdict::CannotCheck { .. } => "This program cannot check this match.",
        Verdict::Practice => "This is practice: it fits together, and is no record.",
        Verdict::Failed { .. } => "Something does not fit.",
    };
    let (changed, failed) = match &report.verdict {
        Verdict::Verified { interventions, .. } => (interventions.total(), None),
        Verdict::Failed { .. } => (0, report.findings.iter().find(|finding| finding.status == Status::Failed)),
        _ => (0, None),
    };
    let failed = failed.and_then(|finding| QUESTIONS.get(usize::from(finding.number).saturating_sub(1)));
    match (changed, failed) {
        (_, Some(question)) => format!("{first} {question}"),
        (0, None) => first.to_owned(),
        (1, None) => format!("{first} The umpire intervened once, openly."),
        (n, None) => format!("{first} The umpire intervened {n} times, openly."),
    }
}

/// The first finding that failed, or else the first that is not plainly right.
fn open(report: &Report) -> Option<u8> {
    let first = |of: fn(&Finding) -> bool| report.findings.iter().find(|finding| of(finding));
    let open =
        first(|finding| finding.status == Status::Failed).or_else(|| first(|finding| finding.status != Status::Holds));
    open.map(|finding| finding.number)
}

const fn meaning(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Verified { .. } | Verdict::NotYet { .. } if !report.is_accepted() => {
            "The entries fit together. That they are in the log, and that its witnesses saw them as they should, is not shown: finding 2 says why."
        }
        Verdict::Verified { ended: true, declared: true, .. } => {
            "The answers were checked, and nothing contradicts. What became of them no rules decided: the umpire said it, and the record keeps each word."
        }
        Verdict::Verified { ended: false, .. } => {
            "Up to here, nothing contradicts. The match still runs, or this copy stops before its end."
        }
        Verdict::Verified { grade: Grade::Imported, .. } => {
            "The moves follow the rules. Who played them, when, and in secret or not, this record does not show: it was entered after the match was over."
        }
        Verdict::Verified { .. } => "All that can be checked was checked, and nothing contradicts.",
        Verdict::NotYet { .. } => "What can be checked fits together. Some values stay sealed until the match ends.",
        Verdict::CannotCheck { .. } => {
            "This program does not know what this record was written by. That is no sign of a fault."
        }
        Verdict::Practice => {
            "The entries fit together, as they would in a record. Nothing outside this site vouches for them."
        }
        Verdict::Failed { .. } => {
            "Something does not fit. Below is what it is, where it is, and what it leaves untouched."
        }
    }
}

fn found(finding: &Finding, history: Option<&History>) -> FindingRow {
    let verdict = match finding.status {
        Status::Holds => "verified",
        Status::Reported => "rulings",
        Status::NotYet => "pending",
        Status::NotShown => "unknown",
        Status::Failed => "failed",
    };
    FindingRow {
        number: finding.number,
        title: finding.title,
        question: QUESTIONS.get(usize::from(finding.number).saturating_sub(1)).copied().unwrap_or(finding.title),
        verdict,
        word: finding.status.word(),
        summary: finding.summary.clone(),
        rules: finding.rules.clone(),
        places: finding.details.iter().map(|detail| place(detail, history)).collect(),
    }
}

fn place(detail: &Detail, history: Option<&History>) -> Place {
    let round = detail.round.map(|round| round.to_string()).and_then(|label| {
        let history = history?;
        history.rows().iter().any(|row| row.label == label).then(|| {
            let address = Beat::After.address(history.match_id, &label);
            (label, address)
        })
    });
    Place {
        rule: detail.rule,
        text: detail.text.clone(),
        expected: detail.expected.clone(),
        found: detail.found.clone(),
        entry: detail.entry.map(|entry| entry.0),
        round,
        wrong: detail.wrong,
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use engine::{BySeat, Verdict};
    use record::verify::verify;

    use super::*;
    use crate::played::Book as Played;

    const NO_ITEMS: BySeat<&[&str]> = BySeat { p1: &[], p2: &[] };

    fn check_of(played: &Played) -> Check {
        let bundle = played.bundle();
        Check::of("0123456789", &bundle, &verify(&bundle), Some(&played.history()), &Visitor::default())
    }

    fn puzzler() -> Played {
        let mut played = Played::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
        played.plays("score block:claim / grow block:steal");
        played.plays("steal / claim");
        played
    }

    #[test]
    fn what_is_sealed_is_not_on_the_page() {
        let played = puzzler();
        let page = check_of(&played).render().unwrap();
        // This bundle has no proof of a log.
        let stamp = "Not shown to be in the log; otherwise not yet checkable: values are sealed until the end";
        assert!(page.contains(stamp), "{page}");
        for ((_, field), secret) in &played.secrets {
            let open = field.as_str() == "move" || secret.value == "-";
            assert_eq!(page.contains(&secret.key.to_hex()), open, "{field}: {}", secret.value);
        }
        assert!(!page.contains("block:claim") && !page.contains("block:steal"));
    }

    #[test]
    fn entries_stand_with_the_round_that_they_made() {
        let mut played = puzzler();
        played.corrects(1, Some("score grow"), None);
        played.plays("score / score");
        played.rules("conceded", Some(Verdict::Won(Seat::P1)));
        played.ends();
        let check = check_of(&played);
        let titles: Vec<&str> = check.groups.iter().map(|group| group.title.as_str()).collect();
        let expected = ["The opening", "Round 1", "Round 2", "Round 3", "A strike", "Round 3", "A ruling", "The end"];
        assert_eq!(titles, expected, "{titles:?}");
        let stored: usize = check.groups.iter().map(|group| group.entries.len()).sum();
        assert_eq!(stored, played.lines.len());
    }

    #[test]
    fn a_record_that_cannot_be_read_is_still_checked() {
        let mut bundle = puzzler().bundle();
        bundle.lines[0].truncate(40);
        let page = Check::of("0123456789", &bundle, &verify(&bundle), None, &Visitor::default()).render().unwrap();
        assert!(page.contains("Failed at entry 0") && page.contains("something is wrong here"), "{page}");
        assert!(page.contains("Not readable") && page.contains("id=\"e0\""));
    }

    #[test]
    fn what_is_to_be_done_by_hand_can_be() {
        let played = puzzler();
        let seal = check_of(&played).by_hand.seal.unwrap();
        let shell = Command::new("sh").args(["-c", &seal.command]).stderr(Stdio::null()).output().unwrap();
        let printed = String::from_utf8(shell.stdout).unwrap();
        // Machines without openssl print nothing.
        assert!(printed.is_empty() || printed.contains(&seal.commitment), "{}: {printed}", seal.command);
    }
}
