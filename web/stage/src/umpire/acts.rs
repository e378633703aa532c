//! The forms of the console that send an act: each is read into one, and all are performed and answered in one way.

use app::UmpireAct;
use app::text::{Purpose, RulingText};
use app::umpire_act::{
    Admission, Explanation, NewExtension, NewPause, NewRemark, NewRuling, NewWarning, ObjectionAnswer, OnHead,
    Succession, UmpireWord,
};
use axum::response::Response;
use engine::Verdict;
use ledger::DecisionId;

use super::act_form::{ActForm, Again, AnybodysForm, Confirmation, Refusal, answer};
use super::announce;
use super::early_end;
use super::question::TypedLines;
use web_http::Problem;

fn read(form: &ActForm) -> Result<UmpireAct, Refusal> {
    let (head, text, clause) = (form.head(), form.text("text").to_owned(), form.clause());
    Ok(match form.name.as_str() {
        "rule" => {
            let result = verdict(form.text("result"))?.map(Into::into);
            UmpireAct::Rule(NewRuling { head, text, clause, result })
        }
        "decide" => early_end::read(form)?,
        "note" => UmpireAct::Note(NewRemark { head, text }),
        "warn" => UmpireAct::Warn(NewWarning { head, seat: form.seat("Say who is warned.")?.into(), text, clause }),
        "admit" => {
            let (decision, seat) = (form.decision()?, form.seat("Say whose move counts.")?.into());
            UmpireAct::Admit(Admission { head, decision, seat, text, clause })
        }
        "answer" => {
            let objection = form.text("objection").parse();
            let objection = objection.map_err(|_| "This form does not say which objection it answers.")?;
            UmpireAct::AnswerObjection(ObjectionAnswer { head, objection, text, clause })
        }
        "announce" => UmpireAct::Announce(UmpireWord { head, text: announce::line(form)? }),
        "go-on-recorded" => UmpireAct::GoOnRecorded(Explanation { head, text, clause }),
        "without-round" => UmpireAct::DrawWithoutRound(Explanation { head, text, clause }),
        "shares" => UmpireAct::BeginShares(Explanation { head, text, clause }),
        "hand" => {
            let to = form.text("to").parse().map_err(|_| "Say whose match it becomes.")?;
            UmpireAct::Hand(Succession { head, to, text })
        }
        "end" => UmpireAct::End(OnHead { head }),
        _ => clock(form)?,
    })
}

fn clock(form: &ActForm) -> Result<UmpireAct, Refusal> {
    let (head, reason) = (form.head(), form.text("reason").to_owned());
    match form.text("act") {
        "run" => Ok(UmpireAct::RunClocks(OnHead { head })),
        "pause" => Ok(UmpireAct::PauseClocks(NewPause { head, reason })),
        "extend" => {
            let given = form.text("decision").parse::<DecisionId>().ok().zip(form.text("seconds").parse().ok());
            let (decision, seconds) = given.ok_or("Say how many seconds are given.")?;
            Ok(UmpireAct::ExtendClock(NewExtension { head, decision, seconds, reason }))
        }
        _ => Err("Press one of the buttons.".into()),
    }
}

/// The result that a ruling decides; none if the match goes on.
fn verdict(word: &str) -> Result<Option<Verdict>, Refusal> {
    if word.is_empty() {
        return Ok(None);
    }
    let unknown = "A ruling decides for a player, leaves undecided, voids, or lets the match go on.";
    Verdict::read(word).map(Some).ok_or(unknown.into())
}

/// The word that confirms an act, and the form that a refused one is shown in.
fn shown(name: &str) -> (Confirmation, Again) {
    match name {
        "rule" => ("ruled", Again::Form("ruled")),
        "decide" => ("ruled", Again::Form("decided")),
        "note" => ("noted", Again::Form("noted")),
        "announce" => ("", Again::Form("announced")),
        "warn" => ("warned", Again::Form("warned")),
        "admit" => ("admitted", Again::Form("admitted")),
        "go-on-recorded" => ("recorded", Again::Form("recorded")),
        "without-round" => ("without-round", Again::Form("without-round")),
        "shares" => ("shares", Again::Form("shares")),
        "hand" => ("handed", Again::Form("handed")),
        "answer" => ("ruled", Again::Notice(TypedLines::default())),
        "end" => ("ended", Again::Notice(TypedLines::default())),
        _ => ("", Again::Notice(TypedLines::default())),
    }
}

const fn label(act: &UmpireAct) -> &'static str {
    match act {
        UmpireAct::Rule(_) | UmpireAct::AnswerObjection(_) => "The ruling",
        UmpireAct::Note(_) => "The remark",
        UmpireAct::PauseClocks(_) | UmpireAct::ExtendClock(_) => "The reason",
        _ => "What you wrote",
    }
}

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let (confirmation, again) = shown(&form.name);
    let act = read(&form);
    let copies = act.as_ref().map(|act| vec![(label(act).to_owned(), act.text().to_owned())]).unwrap_or_default();
    let done = match act {
        Ok(act) => form.perform(&act, confirmation).await,
        Err(refusal) => Err(refusal),
    };
    answer(done, form, again, copies).await
}

/// The same for a match that may be another umpire's.
pub(super) async fn send_of_anybody(AnybodysForm(form): AnybodysForm) -> Result<Response, Problem> {
    send(form).await
}

pub(super) async fn keep_private_note(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let text = RulingText::required(Purpose::Note, form.text("text"))?.as_str();
        form.context.app.umpires.keep_note(&form.context.history, &form.act, text).await?;
        Ok("kept")
    };
    let copies = form.copy("What you wrote", "text");
    answer(done.await, form, Again::Form("kept"), copies).await
}
