//! The recorded moves of a seat, step by step, each with its public moment and the player's objections.

use app::AppError;
use app::recorder::LateInput;
use app::text::RulingText;
use app::views::{Beat, move_text, spoken_line, spoken_words};
use axum::extract::Form;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use record::History;
use record::body::Mode;
use record::words::row_words;
use record::words::sentence;
use serde::Deserialize;
use store::SubmitId;

use super::player::Player;
use super::provenance::Provenance;
use super::question::fresh;
use super::seat_page::{self, FormState};
use web_http::Problem;

#[derive(Debug)]
pub(super) struct RecordedMove {
    pub(super) step: u32,
    pub(super) round: String,
    pub(super) words: String,
    pub(super) sent: String,
    pub(super) by: Option<&'static str>,
    pub(super) address: String,
    /// The player's objections, and the result of each.
    pub(super) objections: Vec<(String, &'static str)>,
    pub(super) form: Option<String>,
    /// The refused objection and the reason.
    pub(super) refused: Option<(String, String)>,
}

impl RecordedMove {
    /// True if the notation says more than the words: "Grow. grow" is the same twice.
    pub(super) fn notation_says_more(&self) -> bool {
        let words = self.words.trim_end_matches('.');
        self.sent != "-" && !words.eq_ignore_ascii_case(self.sent.trim())
    }
}

#[derive(Clone, Debug)]
pub(super) struct RefusedObjection {
    step: u32,
    text: String,
    why: String,
}

pub(super) fn recorded_moves(
    player: &Player,
    history: &History,
    late: &[LateInput],
    refused: Option<&RefusedObjection>,
) -> Vec<RecordedMove> {
    let (seat, shown) = (player.chair.seat, player.access.view(history));
    let mut recorded_moves = Vec::new();
    for row in history.rows() {
        for step in &row.steps {
            let Some(sent) = shown.seat_line(step, seat) else { continue };
            let text = move_text(&shown, step, history.before(step.number), seat.into());
            let read = history.before(step.number).and_then(|before| before.read(seat, &step.what, sent).ok());
            let words = read.map(|read| spoken_words(history, &read.words).unwrap_or_else(|| sentence(&read.words)));
            let words = words.map(|words| shown.name_in(&words));
            let words = words.or_else(|| text.and_then(|text| text.placeholder)).unwrap_or_default();
            let of_step = |one: &&record::Objection| (one.seat, one.step) == (seat, step.number);
            let mine: Vec<_> = history.objections.iter().filter(of_step).collect();
            let waits = mine.iter().any(|one| one.answered.is_none());
            let object = history.opened.mode != Mode::Imported && !waits;
            recorded_moves.push(RecordedMove {
                step: step.number,
                round: row_words(&row.label),
                words,
                sent: spoken_line(history, sent).unwrap_or_else(|| sent.to_owned()),
                by: Provenance::of(&shown, late, step, seat).words(),
                address: Beat::After.address(history.match_id, &row.label),
                objections: mine.iter().map(|one| (one.text.or("(withdrawn)").to_owned(), fate(one))).collect(),
                form: object.then(|| fresh(&player.app, player.chair)),
                refused: refused.filter(|one| one.step == step.number).map(|one| (one.text.clone(), one.why.clone())),
            });
        }
    }
    recorded_moves.reverse();
    recorded_moves
}

const fn fate(objection: &record::Objection) -> &'static str {
    if objection.answered.is_some() { "answered by the umpire" } else { "waits for the umpire's ruling" }
}

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    form: String,
    #[serde(default)]
    step: String,
    #[serde(default)]
    text: String,
}

pub(super) async fn object(player: Player, Form(fields): Form<Fields>) -> Result<Response, Problem> {
    let ids = fields.form.parse::<SubmitId>().ok().zip(fields.step.parse::<u32>().ok());
    let Some((form, step)) = ids else {
        let why = "This form came without the hidden fields it was made with. Open the page again.";
        return Err(Problem::refused(why).back(seat_page::address(&player.slug, player.chair.seat), "Open the page"));
    };
    let why = match RulingText::optional(&fields.text) {
        Err(long) => long.to_string(),
        Ok(_) => match player.app.submissions.object(player.chair, form, step, &fields.text).await {
            Ok(_) => {
                let home = seat_page::address(&player.slug, player.chair.seat);
                return Ok(Redirect::to(&format!("{home}#step-{step}")).into_response());
            }
            Err(AppError::Refused(why)) => sentence(&why.to_string()),
            Err(error) => return Err(error.into()),
        },
    };
    let refused = Some(RefusedObjection { step, text: fields.text, why });
    seat_page::render(&player, FormState { status: StatusCode::UNPROCESSABLE_ENTITY, refused, ..FormState::default() })
        .await
}
