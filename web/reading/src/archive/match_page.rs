//! A match: its heading, its score sheet, and the notes and changes by people.

use app::archive::VALUE_MAX_CHARS;
use app::views::{
    Beat, BeforeStrike, Highlights, VisibleMatch, match_address, rules_address, umpires_in_turn, visible_scene,
};
use app::{App, AppError, is_practice, slug};
use askama::Template;
use axum::response::Response;
use engine::{BySeat, Seat, Word};
use record::words::{result_sentence, row_words, sentence};
use record::{CommittedText, Correction, History, Mode, Objection, SheetRow, StepSource};
use store::NotedList;

use super::comments::MatchComments;
use super::embed::{FRAME_SIZE, iframe};
use super::history_problem;
use super::known_result;
use super::last_table::last_table;
use super::page_cache::{PageCache, PageSource};
use super::picture::AnimatedPicture;
use super::recordings::RecordingList;
use super::spoiler_free::SpoilerFree;
use super::view_request::ViewRequest;
use page::{
    Board, Frame, Graph, HighlightList, Link, LostNotice, Preview, Qr, QuestionList, RoundNotice, SeatName, Sheet,
    Urls, VerdictBadge, WaitCost, WaitNotice, When, archive_of, bout_names, event_address, event_data,
    head_to_head_address, player_address,
};
use web_http::{Problem, Spoilers, ViewParams, fresh, site};

const SHORT_ENTRIES_MAX: u32 = 300;

#[derive(Template)]
#[template(path = "archive/match.html")]
pub(super) struct MatchPage {
    frame: Frame,
    preview: Preview,
    /// The match for search engines; none of practice, which they must not find.
    data: Option<String>,
    address: String,
    game: String,
    event: Option<(String, String)>,
    date: Option<When>,
    names: BySeat<SeatName>,
    players: Vec<(String, String)>,
    head_to_head: Option<String>,
    score: Option<(i32, i32)>,
    score_unit: Word,
    result: String,
    highlights: Option<HighlightList>,
    badge: VerdictBadge,
    log_status: Option<String>,
    grade: &'static str,
    ruleset: (String, String),
    facts: Vec<(&'static str, String)>,
    source: Option<Source>,
    tags: Vec<Tag>,
    entries: u32,
    head: String,
    opened: When,
    lost: Option<LostNotice>,
    sealed: Option<WaitNotice>,
    awaits: Option<RoundNotice>,
    /// Submissions that the database had lost, and when they came back: none before their decision is closed.
    restored: LostSubmissions,
    /// Submissions that a journal has and the record has not, and when that was found.
    missing: LostSubmissions,
    questions: Option<QuestionList>,
    board: Option<Board>,
    last: Option<Board>,
    waits: bool,
    first: Option<String>,
    sheet: Sheet,
    graph: Option<Graph>,
    /// The other counters of a declared game.
    other_graphs: Vec<(Word, Graph)>,
    objections: Vec<ObjectionLink>,
    corrections: Vec<CorrectedLines>,
    /// The number of comments, and the moments that have some.
    comments: Option<(usize, Vec<Link>)>,
    recordings: RecordingList,
    qr: Option<Qr>,
    site: String,
    animated: AnimatedPicture,
    embed: String,
    spoiler_free: String,
}

#[derive(Default)]
struct LostSubmissions {
    /// Each decision, and when that was noted.
    all: Vec<(String, When)>,
    part: Option<String>,
}

struct Tag {
    name: String,
    value: String,
    archive: Option<String>,
}

enum Source {
    Address(String),
    Words(String),
}

struct ObjectionLink {
    link: Link,
    answered: bool,
}

struct CorrectedLines {
    title: String,
    lines: Vec<(String, String)>,
}

pub(super) async fn match_page(
    app: &App,
    slug: &str,
    cache: &PageCache,
    request: &ViewRequest,
) -> Result<Response, Problem> {
    let names = app.umpires.names();
    let (history, version, _turn) = match app.matches.versioned(slug).await {
        Err(AppError::NoMatch) => return known_result::page(app, slug, request).await,
        read => read.map_err(|error| history_problem(slug, error))?,
    };
    let (params, umpire, site) = (request.params, request.visitor.name(), site(&request.headers));
    let anybody = umpire.is_none();
    params.visible(&history).map_err(|problem| problem.back(match_address(history.match_id), "Go to the match"))?;
    let (verdict, words) = app.checks.verdict(&history).await?;
    let source = PageSource { history: history.clone(), version, names, check: Some((verdict, words.clone())) };
    let known = || cache.match_page(&source, params, &site).filter(|_| anybody);
    if let Some(answer) = known() {
        return Ok(fresh(&request.headers, history.head.leaf, answer));
    }
    let badge = VerdictBadge::of(verdict, &words, Some(format!("{}/verify", match_address(history.match_id))))
        .of_declared(history.ruleset().declaration().is_some());
    let status = match app.signer().latest() {
        Some(latest) => app.public_log.policy_status(&latest).await?,
        None => None,
    };
    let lost = LostNotice::now(app, &history).await?;
    let sealed = WaitNotice::now(app, &history).await?;
    let awaits = RoundNotice::now(app, &history);
    let restored = LostSubmissions::of(app.restored(history.match_id).await?);
    let missing = LostSubmissions::of(app.missing(history.match_id).await?);
    let comments = MatchComments::of(app, &history, request.visitor.umpire.as_ref(), params).await?;
    // Witnessed entries cannot change; others may change under the same head. What waits changes by itself.
    let lasting = sealed.is_none() && awaits.is_none() && status.as_ref().is_none_or(|status| status.met);
    let log_status = status.map(|status| status.to_string());
    let (drawn, here) = (source.clone(), site.clone());
    let draw = move || {
        let visible = params.visible(&drawn.history)?.with_umpire_names(&drawn.names);
        let urls = Urls::of(drawn.history.match_id, params);
        let html = if params.spoilers.hidden() {
            SpoilerFree::of(&visible, umpire, params, &here).render()
        } else {
            MatchPage {
                log_status,
                lost,
                sealed,
                awaits,
                restored,
                missing,
                comments: comments.links(&drawn.history, &urls),
                recordings: comments.recordings.of_whole(&urls, &drawn.history.rows()),
                ..MatchPage::of(&visible, umpire, badge, params, &here)
            }
            .render()
        };
        html.map_err(|error| Problem::broken(&error))
    };
    let long = history.head.next.0 > SHORT_ENTRIES_MAX;
    let answer = cache.draw(long, known, draw).await?;
    if anybody && lasting {
        cache.put_match_page(&source, params, &site, &answer);
    }
    Ok(fresh(&request.headers, history.head.leaf, answer))
}

pub(super) fn title(history: &History) -> String {
    format!("{} \u{2013} {}", history.name(Seat::P1), history.name(Seat::P2))
}

fn between(names: &[&str]) -> Option<String> {
    let [p1, p2] = names else { return None };
    Some(head_to_head_address(p1, p2))
}

impl MatchPage {
    #[expect(clippy::too_many_lines, reason = "each part of the page is named once")]
    pub(super) fn of(
        visible: &VisibleMatch<'_>,
        umpire: Option<String>,
        badge: VerdictBadge,
        params: ViewParams,
        site: &str,
    ) -> Self {
        let history = visible.history;
        let (urls, rows) = (Urls::of(history.match_id, params), history.rows());
        let (address, ruleset) = (match_address(history.match_id), history.ruleset());
        let (result, title) = (result(history), title(history));
        let description = format!("{title}. {result} {}.", ruleset.card().name());
        let scene = visible_scene(visible);
        let preview = Preview::of(site, &address, &title, &description, &scene, history.head.leaf);
        let preview = preview.with_params(params);
        let frame = Frame::titled(title.clone()).about(history.match_id).in_section("archive").described(description);
        // Practice is not on a player's page.
        let (over, listed) = (history.outcome().is_over(), !is_practice(&slug(history.match_id)));
        let first = rows.first().map(|row| urls.moment(&row.label, Beat::Before));
        let embed = iframe(&format!("{site}/embed{address}"), &title, FRAME_SIZE);
        let seats = Seat::BOTH.into_iter().filter(|_| listed);
        let (graph, highlights) = course(visible, &rows, &urls);
        let player_names: Vec<&str> = seats.filter_map(|seat| history.names[seat].text()).collect();
        Self {
            frame: Frame { umpire, ..frame },
            preview,
            data: listed.then(|| event_data(history, &title, site, &address)),
            game: ruleset.card().name(),
            event: event(history),
            date: history.opened.date.as_deref().map(When::written),
            names: bout_names(history),
            players: player_names.iter().map(|name| ((*name).to_owned(), player_address(name))).collect(),
            head_to_head: between(&player_names),
            score: history.duel().score().map(|score| (score.p1, score.p2)),
            score_unit: ruleset.score_unit().many,
            result,
            highlights,
            badge,
            log_status: None,
            grade: grade(history),
            ruleset: (rules_address(history), ruleset.card().name()),
            facts: facts(visible),
            source: history.source.as_ref().map(source),
            tags: history.tags.iter().filter_map(CommittedText::text).filter_map(|tag| Tag::of(tag, listed)).collect(),
            entries: history.head.next.0,
            head: history.head.leaf.to_string(),
            opened: When::minute(history.opened_at),
            lost: None,
            sealed: None,
            awaits: None,
            restored: LostSubmissions::default(),
            missing: LostSubmissions::default(),
            questions: questions(visible),
            board: (!over).then(|| Board::of(visible, "Now", history.duel(), None)),
            last: over.then(|| last_table(visible)).flatten(),
            waits: over && !history.is_ended(),
            first,
            sheet: Sheet::of(visible, &urls),
            other_graphs: graph
                .as_ref()
                .filter(|_| ruleset.declaration().is_some())
                .map(Graph::others)
                .unwrap_or_default(),
            graph,
            objections: objections(history, &rows, &urls),
            corrections: corrections(visible, &urls),
            comments: None,
            recordings: RecordingList::default(),
            qr: if site.is_empty() { None } else { Qr::of(&format!("{site}{address}/verify")) },
            site: site.to_owned(),
            animated: AnimatedPicture::of(format!("{address}.gif"), &title, &scene),
            embed,
            spoiler_free: urls.with_params(params.with_spoilers(Spoilers::Hidden)).page(),
            address,
        }
    }
}

/// The graph with what stood out on it; of a match too short for one, what stood out as a list.
fn course(visible: &VisibleMatch<'_>, rows: &[SheetRow<'_>], urls: &Urls) -> (Option<Graph>, Option<HighlightList>) {
    let (history, found) = (visible.history, Highlights::of(visible.history));
    let (names, ruleset) = (history.both_names(), history.ruleset());
    match Graph::of(visible, rows, urls, Beat::After, None) {
        Some(graph) => (Some(graph.with_notes(&found, names, ruleset)), None),
        None => (None, HighlightList::of(&found, names, ruleset, urls)),
    }
}

impl LostSubmissions {
    fn of(list: NotedList) -> Self {
        let part = list.part();
        let all = list.newest.into_iter().map(|noted| (noted.decision.to_string(), When::minute(noted.at)));
        Self { all: all.collect(), part }
    }
}

impl Tag {
    /// A tag from the record. A value that is too long for a filter gets no link, and practice is on no list.
    fn of(tag: &str, listed: bool) -> Option<Self> {
        let (name, value) = tag.split_once(' ')?;
        let archive = (listed && tag.chars().count() <= VALUE_MAX_CHARS).then(|| archive_of(&[("tag", tag)]));
        Some(Self { name: name.to_owned(), value: value.to_owned(), archive })
    }
}

/// The open questions. What comes after a step that cannot be replayed is not known.
fn questions(visible: &VisibleMatch<'_>) -> Option<QuestionList> {
    let asks = !visible.history.outcome().is_over() && visible.history.closed_at.is_none();
    asks.then(|| QuestionList::now(visible)).filter(|list| !list.questions.is_empty())
}

fn event(history: &History) -> Option<(String, String)> {
    let event = history.event.as_ref().and_then(CommittedText::text)?;
    Some((event.to_owned(), event_address(event)))
}

fn result(history: &History) -> String {
    let rounds = history.rows().last().map_or(0, |row| row.round);
    match (history.outcome().is_over(), rounds) {
        (true, _) => {
            let result = result_sentence(history.outcome(), history.both_names());
            history.ending_ruling().map_or_else(|| result.clone(), |why| format!("{result} {}", sentence(why)))
        }
        (false, 0) => "In progress: no round has been played yet.".to_owned(),
        (false, round) => format!("In progress: round {}.", history.duel().coming_round().unwrap_or(round).max(round)),
    }
}

fn grade(history: &History) -> &'static str {
    match history.opened.mode {
        Mode::Imported => "Added after the match. The moves follow the rules; everything else is as the source says.",
        Mode::Live => "Played live. The check page says of each move who sealed it, and whether it was signed.",
        Mode::Recorded if !history.strikes.is_empty() => {
            "The umpire typed these moves, and corrected some later. Only the players can confirm these moves."
        }
        Mode::Recorded => "Entered by the umpire. Only the players can confirm these moves.",
    }
}

pub(super) fn terms(visible: &VisibleMatch<'_>) -> Vec<(&'static str, String)> {
    let history = visible.history;
    // The umpire of an imported match may be known to its source only.
    let umpire = if history.opened.mode == Mode::Imported { "Entered by" } else { "Umpire" };
    let mut facts = vec![(umpire, umpires_in_turn(visible))];
    if let Some(dmo) = history.setup.dmo {
        facts.push(("DMO", history.name(dmo).to_owned()));
    }
    for (seat, items) in history.setup.items.each() {
        if !items.is_empty() {
            let items: Vec<String> = items.iter().map(|item| item.replace('-', " ")).collect();
            facts.push(("Items", format!("{}: {}", history.name(seat), items.join(", "))));
        }
    }
    facts
}

fn facts(visible: &VisibleMatch<'_>) -> Vec<(&'static str, String)> {
    let (history, mut facts) = (visible.history, terms(visible));
    let rounds = history.rows().last().map_or(0, |row| row.round);
    let (corrected, struck): (Vec<_>, Vec<_>) =
        history.strikes.iter().partition(|strike| strike.correction == Correction::First);
    let mut words = rounds.to_string();
    let struck: usize = struck.iter().map(|strike| strike.struck.len()).sum();
    for (count, word) in [(struck, "struck"), (corrected.len(), "corrected")] {
        if count > 0 {
            words.push_str(&format!(", {count} {word}"));
        }
    }
    facts.push(("Rounds", words));
    let gone: Vec<&str> =
        Seat::BOTH.into_iter().filter(|seat| history.names[*seat].text().is_none()).map(Seat::word).collect();
    match gone.as_slice() {
        [] => {}
        [seat] => facts.push(("Names", format!("the name of seat {} was withdrawn", seat.trim_start_matches('p')))),
        _ => facts.push(("Names", "both were withdrawn".to_owned())),
    }
    facts.extend(WaitCost::of_match(history).map(|words| ("Witnesses", words)));
    if history.host_draws() {
        let words = "by Matchbook, from random input of the players and the host; the host knows draws in advance";
        facts.push(("Draws", words.to_owned()));
    } else if history.steps.iter().any(|step| matches!(step.source, StepSource::Drawn { .. })) {
        facts.push(("Draws", "drawn elsewhere and typed in by the umpire".to_owned()));
    }
    facts
}

fn source(text: &CommittedText) -> Source {
    match text {
        CommittedText::Withdrawn => Source::Words("withdrawn".to_owned()),
        CommittedText::Text(text) if is_address(text) => Source::Address(text.clone()),
        CommittedText::Text(text) => Source::Words(text.clone()),
    }
}

fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// The players' objections. What they object to was struck where no row has its step: then the score sheet tells it.
fn objections(history: &History, rows: &[SheetRow<'_>], urls: &Urls) -> Vec<ObjectionLink> {
    let mut all: Vec<&Objection> = history.objections.iter().collect();
    all.sort_by_key(|objection| objection.answered.is_some());
    let link = |objection: &Objection| {
        let name = history.name(objection.seat);
        let row = rows.iter().find(|row| row.steps.iter().any(|step| step.number == objection.step));
        match row {
            Some(row) => {
                let round = row_words(&row.label).to_lowercase();
                urls.link(&row.label, Beat::After, format!("{name} objects to {round}"))
            }
            None => Link {
                address: format!("{}#sheet-title", urls.page()),
                words: format!("{name} objected to a round that was struck"),
            },
        }
    };
    all.into_iter()
        .map(|objection| ObjectionLink { link: link(objection), answered: objection.answered.is_some() })
        .collect()
}

fn corrections(visible: &VisibleMatch<'_>, urls: &Urls) -> Vec<CorrectedLines> {
    let corrected = visible.history.strikes.iter().filter(|strike| strike.correction == Correction::First);
    let corrected = corrected.filter(|strike| strike.struck.len() > 1).map(|strike| {
        let round = strike.struck.first().map_or(0, |step| step.row.round);
        let (earlier, urls) = (BeforeStrike::of(visible.history, strike), urls.struck(strike.entry));
        let rows = earlier.rows();
        let lines = rows.iter().flat_map(|row| row.steps.iter().map(move |step| (row, *step)));
        let lines =
            lines.map(|(row, step)| (visible.line(step).to_owned(), urls.moment(&row.label, Beat::After))).collect();
        CorrectedLines { title: format!("From round {round} on, before the correction"), lines }
    });
    corrected.collect()
}

#[cfg(test)]
mod tests {
    use super::{Tag, is_address};

    #[test]
    fn a_tag_leads_to_the_matches_that_have_it() {
        let tag = |tag: &str, listed| Tag::of(tag, listed).unwrap().archive;
        assert_eq!(tag("Season 4 & 5", true).as_deref(), Some("/archive?tag=Season%204%20%26%205"));
        assert_eq!((tag("Season 4", false), tag(&format!("Season {}", "4".repeat(200)), true)), (None, None));
    }

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert!(is_address("https://example.org/thread?id=4#p2"));
        assert!(!is_address("javascript:alert(1)") && !is_address("https://"));
        assert!(!is_address("https://example.org and more") && !is_address("a thread on https://example.org"));
    }
}
