//! Facts for the umpire beside the game: the owner of the match, the players who are ready, warnings, private notes,
//! and the state of the log.

use app::Scope;
use app::account::player::{self, SeatRef};
use engine::Seat;
use ledger::{Moment, Seq};
use record::History;
use record::body::LinkAct;

use super::activity::Umpires;
use super::match_context::MatchContext;
use page::When;
use web_http::Problem;

#[derive(Debug)]
pub(super) struct MatchFacts {
    /// The owner of the match, if that is another umpire, whom this one helps.
    pub(super) others: Option<String>,
    /// Whether each seat's page is open now.
    pub(super) presence: [Presence; 2],
    pub(super) alarms: Vec<(String, Seq)>,
    pub(super) warned: Vec<(String, usize)>,
    pub(super) notes: Vec<PrivateNote>,
    /// The umpires who can take over the match: pseudonym and name.
    pub(super) successors: Vec<(String, String)>,
    pub(super) log: String,
}

#[derive(Debug)]
pub(super) enum Presence {
    Unlinked,
    Invited,
    Here,
    Away,
    /// The player pressed "ready", and whether the page is open.
    Ready(When, bool),
}

impl Presence {
    /// True if the page is open now, what else there is to say, and since when.
    pub(super) fn place(&self) -> (bool, &'static str, Option<When>) {
        match self {
            Self::Unlinked => (false, "no link yet", None),
            Self::Invited => (false, "link not opened yet", None),
            Self::Here => (true, "here", None),
            Self::Away => (false, "page not open now", None),
            Self::Ready(since, true) => (true, "here, ready since", Some(since.clone())),
            Self::Ready(since, false) => (false, "page not open now, ready since", Some(since.clone())),
        }
    }
}

#[derive(Debug)]
pub(super) struct PrivateNote {
    pub(super) at: When,
    pub(super) who: String,
    pub(super) text: String,
}

impl MatchFacts {
    pub(super) async fn of(context: &MatchContext, history: &History, umpires: &Umpires) -> Result<Self, Problem> {
        let app = &context.app;
        let at = app.system().now();
        let clock = |moment| When::second_on(moment, at);
        let warnings = history.warnings();
        let warned = Seat::BOTH.map(|seat| (history.name(seat).to_owned(), warnings[seat]));
        let notes = app.umpires.notes(history, &context.umpire.by()).await?.into_iter().rev().map(|note| PrivateNote {
            at: clock(Moment::from_micros(note.at.timestamp_micros()).unwrap_or(Moment::MAX)),
            who: umpires.name(&app::by_umpire(&note.umpire)),
            text: note.text,
        });
        let now = history.umpire_now();
        let all = app::account::active_umpires(app.pool(), app.system()).await.map_err(app::AppError::from_account)?;
        // Whose match it is not only takes it.
        let (me, own) = (&context.umpire.0.id, *now == context.umpire.by());
        let others = all.into_iter().filter(|umpire| (umpire.id == *me) != own);
        Ok(Self {
            others: (*now != context.umpire.by()).then(|| umpires.name(now)),
            presence: presence(context, history, at).await?,
            alarms: alarms(history),
            warned: warned.into_iter().filter(|(_, times)| *times > 0).collect(),
            notes: notes.collect(),
            successors: others.map(|umpire| (umpire.id, umpire.name)).collect(),
            log: log(context).await?,
        })
    }
}

fn alarms(history: &History) -> Vec<(String, Seq)> {
    let played = history.steps.last().map(|step| step.entry);
    let newest = |seat: &Seat| {
        let mut used =
            history.links.iter().filter(|link| link.linked.seat.0 == *seat && link.linked.act != LinkAct::Made);
        let newest = used.next_back().filter(|link| history.has_several_senders(*seat) && Some(link.entry) > played)?;
        Some((history.name(*seat).to_owned(), newest.entry))
    };
    Seat::BOTH.iter().filter_map(newest).collect()
}

pub(super) async fn presence(context: &MatchContext, history: &History, now: Moment) -> Result<[Presence; 2], Problem> {
    let ready = context.app.seats.ready_times(context.match_id).await?;
    let links = player::links(context.app.pool(), context.match_id).await.map_err(|error| Problem::broken(&error))?;
    // A player in a chat, or a program, has no browser: the record says that it followed the newest link.
    let newest = |seat: Seat| history.links.iter().rfind(|link| link.linked.seat.0 == seat);
    let followed = |seat: Seat| newest(seat).is_some_and(|link| link.linked.act == LinkAct::Followed);
    let linked = |seat: Seat| links.iter().any(|link| link.seat == seat);
    let used = |seat: Seat| links.iter().any(|link| link.seat == seat && (link.followed || followed(seat)));
    let open = |seat: Seat| context.app.seats.is_here(SeatRef { match_id: context.match_id, seat });
    Ok(Seat::BOTH.map(|seat| match ready[seat] {
        Some(at) if history.steps.is_empty() => Presence::Ready(When::second_on(at, now), open(seat)),
        _ if open(seat) => Presence::Here,
        _ if used(seat) => Presence::Away,
        _ if linked(seat) => Presence::Invited,
        _ => Presence::Unlinked,
    }))
}

async fn log(context: &MatchContext) -> Result<String, Problem> {
    if Scope::of(context.match_id) == Scope::Practice {
        return Ok("Practice: nothing of this match is in the log.".to_owned());
    }
    let Some(signed) = context.app.signer().latest() else {
        return Ok("The log is not signed yet.".to_owned());
    };
    let witnessed = context.app.public_log.policy_status(&signed).await?;
    let witnessed = witnessed.map(|witnessed| format!(", {witnessed}")).unwrap_or_default();
    Ok(format!("The signed log has {} entries{witnessed}.", signed.size.0))
}
