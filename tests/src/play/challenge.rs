//! Challenges: the first one from either seat counts, and nothing replaces it.

use anyhow::{Context, Result, ensure};
use app::account::player::SeatRef;
use app::submissions::{Answer, PlayerSubmission, SubmissionRefusal};
use engine::Seat;
use ledger::{Kind, SubmitId};
use record::OpenDecision;
use record::body::SeatWord;
use reqwest::StatusCode;

use super::signed::Script;
use super::table::{Table, full_access};

const CHALLENGES: &str = "thwart-13/dm-colosseum-2";

fn of(open: &[OpenDecision], seat: Seat) -> Option<&OpenDecision> {
    open.iter().find(|open| open.asked.what == "challenge" && open.asked.seats == [SeatWord(seat)])
}

#[tokio::test]
async fn the_first_challenge_that_came_stands() -> Result<()> {
    for first in Seat::BOTH {
        let table = Table::laid(CHALLENGES, true).await?;
        // Paused, so that both arrive before anything closes.
        table.clock("pause", &[]).await?;
        let history = table.history().await?;
        for (n, seat) in [first, first.other()].into_iter().enumerate() {
            let open = of(&history.open, seat).context("a challenge is possible")?;
            table.passes(1);
            let sent = PlayerSubmission {
                access: full_access(SeatRef { match_id: history.match_id, seat }),
                decision: open.asked.decision.clone(),
                submit: SubmitId([n as u8 + 1; 16]),
                came: table.site.app.system().now(),
                answer: Answer::Text("challenge".to_owned()),
                signed: None,
                is_final: false,
            };
            table.site.app.submissions.submit(&history, sent).await?;
        }
        table.settles().await;
        assert_eq!(table.of_kind(Kind::Resolved).await?, 0, "a clock that is stopped closes nothing");
        table.clock("run", &[]).await?;
        table
            .until(&format!("recorded the move of {}: challenge", if first == Seat::P1 { "Ada" } else { "Bo" }))
            .await?;
        table.settles().await;
        assert_eq!(table.of_kind(Kind::Resolved).await?, 1, "the other is void");
    }
    Ok(())
}

/// A close that is refused takes no question away and enters no key: either would fail the match later.
#[tokio::test]
async fn a_challenge_that_nobody_made_is_not_closed() -> Result<()> {
    let table = Table::laid(CHALLENGES, true).await?;
    Script::registered(&table).await?;
    let history = table.history().await?;
    let open = of(&history.open, Seat::P2).context("a challenge is possible")?;
    let refused = table.act("close", &[("decision", open.asked.decision.as_str()), ("sure", "yes")]).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("it closes by itself with the question beside it")?;
    assert_eq!(table.history().await?.head, history.head, "a refused act enters nothing");
    table.clock("pause", &[]).await?;
    table.clock("run", &[]).await?;
    table.p2.sends(open.asked.decision.as_str(), &table.fresh("challenge"), "challenge").await?.is(StatusCode::OK)?;
    table.until("recorded the move of Bo: challenge").await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn of_two_answers_of_a_seat_at_once_the_first_counts() -> Result<()> {
    let table = Table::laid(CHALLENGES, true).await?;
    let app = &table.site.app;
    let history = table.history().await?;
    let open = of(&history.open, Seat::P2).context("a challenge is possible")?;
    let sent = |n: u8| PlayerSubmission {
        access: full_access(SeatRef { match_id: history.match_id, seat: Seat::P2 }),
        decision: open.asked.decision.clone(),
        submit: SubmitId([n; 16]),
        came: app.system().now(),
        answer: Answer::Text("challenge".to_owned()),
        signed: None,
        is_final: false,
    };
    let both = tokio::join!(app.submissions.submit(&history, sent(1)), app.submissions.submit(&history, sent(2)));
    let stored = [&both.0, &both.1].into_iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(stored, 1, "one of them is acknowledged");
    for refused in [both.0, both.1].into_iter().filter_map(Result::err) {
        // Whether it finds the other answer, or the question already closed by it, is chance.
        let known = [SubmissionRefusal::Answered, SubmissionRefusal::ClosedFirst, SubmissionRefusal::Late];
        ensure!(known.iter().any(|known| known.to_string() == refused.to_string()), "{refused}");
    }
    table.until("recorded the move of Bo: challenge").await?;
    let history = table.history().await?;
    assert_eq!(history.seals.len(), 1);
    Ok(())
}
