//! The pages of the game.

use std::sync::Arc;

use app::App;
use app::views::{VisibleMatch, match_address};
use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use engine::{Seat, Sight};
use record::History;
use record::words::result_sentence;
use serde::Deserialize;

use super::QuestionPermits;
use super::guesses::{Guess, by_chance_tenths, read};
use super::question::Question;
use page::{Board, EffectList, Frame, SeatName, page};
use web_http::visitor::Visitor;
use web_http::{ErrorKind, Problem, Segments, site};

#[derive(Debug, Default, Deserialize)]
pub(super) struct Parameters {
    #[serde(default)]
    g: String,
}

#[derive(Template)]
#[template(path = "guess/choose.html")]
struct ChoosePage {
    frame: Frame,
    address: String,
    title: String,
    game: String,
    /// Each player, the address of the game, and true if it has a question. How many would tell how long the match is.
    players: Vec<(SeatName, String, bool)>,
}

#[derive(Template)]
#[template(path = "guess/show.html")]
struct GuessPage {
    frame: Frame,
    address: String,
    title: String,
    game: String,
    player: SeatName,
    marks: Vec<bool>,
    number: usize,
    last: Option<Reveal>,
    next: Option<NextQuestion>,
    end: Option<End>,
}

struct Reveal {
    row: String,
    right: bool,
    played: String,
    guessed: String,
    effects: EffectList,
}

struct NextQuestion {
    row: String,
    board: Board,
    choices: Vec<(String, String)>,
}

struct End {
    by_chance: String,
    result: String,
    share: String,
}

pub(super) async fn choose(
    State(app): State<Arc<App>>,
    Extension(permits): Extension<Arc<QuestionPermits>>,
    visitor: Visitor,
    Segments(slug): Segments<String>,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await?;
    let draw = move || {
        let visible = finished(&history)?;
        let players = Seat::BOTH.map(|seat| {
            let asked = !Question::all(&visible, seat).is_empty();
            (SeatName::of(&history)[seat].clone(), address_of(&history, seat, ""), asked)
        });
        let title = title(&history);
        unlisted(page(&ChoosePage {
            frame: Frame { umpire: visitor.name(), ..frame(&history, &title) },
            address: match_address(history.match_id),
            game: history.ruleset().card().name(),
            title,
            players: players.into(),
        }))
    };
    permits.draw(draw).await
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(permits): Extension<Arc<QuestionPermits>>,
    visitor: Visitor,
    Segments((slug, seat)): Segments<(String, String)>,
    Query(parameters): Query<Parameters>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await?;
    let begin = format!("{}/guess", match_address(history.match_id));
    let seat = Seat::BOTH.into_iter().find(|known| known.word() == seat).ok_or_else(|| {
        Problem::not_found("The moves to guess are those of p1 or of p2.").back(begin.clone(), "Choose a player")
    })?;
    let site = site(&request);
    let draw = move || {
        let visible = finished(&history)?;
        let questions = Question::all(&visible, seat);
        let guesses = read(&parameters.g, &questions).ok_or_else(|| {
            Problem::of(ErrorKind::BadParameter, "These guesses do not fit the questions of this match.")
                .back(begin, "Begin again")
        })?;
        let guess_page = GuessPage::of(&visible, seat, &questions, &guesses, &parameters.g, &site);
        unlisted(page(&GuessPage { frame: Frame { umpire: visitor.name(), ..guess_page.frame }, ..guess_page }))
    };
    permits.draw(draw).await
}

impl GuessPage {
    fn of(
        visible: &VisibleMatch<'_>,
        seat: Seat,
        questions: &[Question<'_>],
        guesses: &[Guess<'_, '_>],
        digits: &str,
        site: &str,
    ) -> Self {
        let history = visible.history;
        let marks: Vec<bool> = guesses.iter().map(Guess::is_right).collect();
        let title = title(history);
        let player = SeatName::of(history)[seat].clone();
        let next = questions.get(guesses.len()).map(|question| NextQuestion::of(history, seat, question, digits));
        let end = next.is_none().then(|| {
            let tenths = by_chance_tenths(questions);
            End {
                by_chance: format!("{}.{}", tenths / 10, tenths % 10),
                result: result_sentence(history.outcome(), history.both_names()),
                share: share(&marks, &player.name, &title, &format!("{site}{}", address_of(history, seat, ""))),
            }
        });
        Self {
            frame: frame(history, &title),
            address: match_address(history.match_id),
            game: history.ruleset().card().name(),
            title,
            player: SeatName { winner: false, ..player },
            marks,
            number: questions.len(),
            last: guesses.last().map(|guess| Reveal::of(visible, guess)),
            next,
            end,
        }
    }

    fn right(&self) -> usize {
        self.marks.iter().filter(|right| **right).count()
    }
}

impl Reveal {
    fn of(visible: &VisibleMatch<'_>, guess: &Guess<'_, '_>) -> Self {
        let question = guess.question;
        let choice = |at: usize| question.choices.get(at).cloned().unwrap_or_default();
        Self {
            row: question.row.clone(),
            right: guess.is_right(),
            played: choice(question.right),
            guessed: choice(guess.chosen),
            effects: EffectList::of(visible, [question.step]).explained(visible),
        }
    }
}

impl NextQuestion {
    /// The board shows what everybody knew: who guesses is a spectator.
    fn of(history: &History, seat: Seat, question: &Question<'_>, digits: &str) -> Self {
        let choices = question.choices.iter().enumerate();
        let choices = choices.map(|(n, words)| (words.clone(), address_of(history, seat, &format!("{digits}{n}"))));
        let board = Board::of(&VisibleMatch::public(history), "The table", question.before, None);
        Self { row: question.row.clone(), board: board.parted().0, choices: choices.collect() }
    }
}

fn address_of(history: &History, seat: Seat, digits: &str) -> String {
    let begin = format!("{}/guess/{}", match_address(history.match_id), seat.word());
    if digits.is_empty() { begin } else { format!("{begin}?g={digits}") }
}

/// A text without spoilers: the rate, a square for each tenth, and the address at which others begin. The number of guesses
/// would tell how long the match is.
fn share(marks: &[bool], player: &str, title: &str, address: &str) -> String {
    let right = marks.iter().filter(|right| **right).count();
    // A round figure says that all were right only if they were.
    let most = |of: usize| if right < marks.len() { of - 1 } else { of };
    let part = |of: usize| (right * of + marks.len() / 2).checked_div(marks.len()).unwrap_or(0).min(most(of));
    let (rate, tenths) = (part(100), part(10));
    let squares: String = (0..10).map(|tenth| if tenth < tenths { '\u{1f7e9}' } else { '\u{2b1c}' }).collect();
    format!("I guessed {rate} % of {player}\u{2019}s moves in {title}.\n{squares}\n{address}")
}

fn finished(history: &History) -> Result<VisibleMatch<'_>, Problem> {
    let visible = VisibleMatch::with_sight(history, Sight::Everything).filter(|_| history.is_ended());
    visible.ok_or_else(|| {
        Problem::of(ErrorKind::MatchRuns, "This match still runs. Its moves can be guessed once its result is entered.")
            .back(match_address(history.match_id), "Go to the match")
    })
}

fn title(history: &History) -> String {
    let names = history.both_names();
    format!("{} \u{2013} {}", names.p1, names.p2)
}

fn frame(history: &History, title: &str) -> Frame {
    Frame::titled(format!("Guess the move: {title}"))
        .about(history.match_id)
        .in_section("archive")
        .described(format!("Guess what was played in {title}, move by move, before it is shown."))
}

fn unlisted(response: Result<Response, Problem>) -> Result<Response, Problem> {
    let mut response = response?;
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_full_if_every_guess_was_right() {
        let shared = |right: usize, of: usize| {
            let marks: Vec<bool> = (0..of).map(|n| n < right).collect();
            let said = share(&marks, "Ada", "a match", "address");
            (said.matches('\u{1f7e9}').count(), said.split(' ').nth(2).map(str::to_owned))
        };
        for (right, of, squares, rate) in [
            (20, 20, 10, "100"),
            (19, 20, 9, "95"),
            (399, 400, 9, "99"),
            (1, 2, 5, "50"),
            (0, 7, 0, "0"),
            (0, 0, 0, "0"),
        ] {
            assert_eq!(shared(right, of), (squares, Some(rate.to_owned())), "{right} of {of}");
        }
    }
}
