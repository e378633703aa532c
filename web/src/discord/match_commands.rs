//! `/match`: the acts of an umpire from a channel. Every act is the same as on the console, with an id derived from the
//! command's.

use std::str::FromStr;

use app::Scope;
use app::account::player::{self, SeatRef};
use app::account::{Snowflake, chat};
use app::discord::{self, Body, Channel, Message, Webhook, bout, newest_entry, plain, questions};
use app::text::RulingText;
use axum::http::Method;
use engine::{BySeat, Seat, Setup, Verdict};
use ledger::{MatchId, Seq};
use record::OpenDecision;
use record::body::DrawSource;
use record::limits::{NAME_MAX_CHARS, too_long};
use record::write::{Clocks, NewMatch, Pace};
use serde_json::json;

use super::command_context::Call;
use super::interaction::User;
use super::refusal::Refused;

/// The author name of posts.
const POSTER: &str = "Matchbook";

/// `/match`.
pub(super) async fn call(call: &Call, what: &str) -> Result<Message, Refused> {
    call.umpire().await?;
    match what {
        "open" => open(call).await,
        "here" => here(call).await,
        "leave" => leave(call).await,
        "seat" => seat(call).await,
        "resolve" => resolve(call).await,
        "resume" | "pause" | "extend" => clock(call, what).await,
        "rule" => rule(call).await,
        _ => Err(Refused::Unknown),
    }
}

fn name(call: &Call, option: &str, account: &str) -> Result<String, Refused> {
    let name = call.interaction.text(option).unwrap_or(account).trim();
    let long = too_long(name, NAME_MAX_CHARS);
    long.map_or_else(|| Ok(name.to_owned()), |long| Err(Refused::Said(long)))
}

fn player<'c>(call: &'c Call, option: &str) -> Result<(&'c User, &'c str), Refused> {
    let (user, name) = call.interaction.account(option).ok_or(Refused::Incomplete)?;
    if user.bot { Err(Refused::Bot) } else { Ok((user, name)) }
}

/// The words of an option, in the order in which they were typed.
fn listed(call: &Call, option: &str) -> Vec<String> {
    let text = call.interaction.text(option).unwrap_or_default();
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// A changed option of the rules.
fn set_option(set: &str) -> Result<(String, String), Refused> {
    let read = set.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = read.ok_or_else(|| {
        Refused::Said(format!("An option is written as its name, = and its value; `{}` is none.", plain(set)))
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

/// `/match open`: opens a live match between two accounts, seats both, and makes the channel follow it.
async fn open(call: &Call) -> Result<Message, Refused> {
    let ruleset = call.interaction.text("rules").ok_or(Refused::Incomplete)?.to_owned();
    let ((one, one_name), (two, two_name)) = (player(call, "first")?, player(call, "second")?);
    if one.id == two.id {
        return Err(Refused::BothSeats);
    }
    let names = BySeat { p1: name(call, "first-name", one_name)?, p2: name(call, "second-name", two_name)? };
    let event = call.interaction.text("event").map(str::to_owned);
    let dmo = call.interaction.text("dmo").and_then(|seat| seat.parse().ok());
    let date = call.sent().to_utc().format("%Y-%m-%d").to_string();
    let items = BySeat { p1: listed(call, "first-items"), p2: listed(call, "second-items") };
    let options = listed(call, "options").iter().map(|set| set_option(set)).collect::<Result<_, _>>()?;
    let typed = call.interaction.text("draws") == Some("umpire");
    let new = NewMatch {
        setup: Setup { ruleset, options, dmo, items },
        names,
        event,
        date: Some(date),
        pace: Pace::Live {
            clocks: match call.interaction.text("clocks") {
                Some("posted") => Clocks::Posted,
                Some("at-once") => Clocks::AtOnce,
                _ => Clocks::Off,
            },
        },
        draws: (!typed).then_some(DrawSource::Host),
        ..NewMatch::default()
    };
    // The permission to post here is checked first, because an opened match cannot be removed.
    let webhook = webhook(call).await?;
    let match_id = call.app.commands.open_match(Scope::Record, &call.act().await?, &new).await?;
    for (seat, user) in [(Seat::P1, one), (Seat::P2, two)] {
        seat_account(call, SeatRef { match_id, seat }, user.id).await?;
    }
    follow(call, match_id, Seq(0), &webhook).await?;
    let history = call.app.matches.history(match_id).await?;
    Ok(Message::private(format!(
        "{} plays {}. Both can `/submit` at once. You run it from here, or from its console: {}",
        plain(history.name(Seat::P1)),
        plain(history.name(Seat::P2)),
        call.console_link(match_id)
    )))
}

/// `/match here`: makes the channel follow a match from now on.
async fn here(call: &Call) -> Result<Message, Refused> {
    let match_id = call.named_or_here().await?;
    let webhook = webhook(call).await?;
    let history = call.app.matches.history(match_id).await?;
    follow(call, match_id, history.head.next, &webhook).await?;
    let (bout, link) = (bout(&history), call.match_link(match_id));
    Ok(Message::open(format!("This channel follows {bout}: {link}\n{}", newest_entry(history.head))))
}

/// `/match leave`.
async fn leave(call: &Call) -> Result<Message, Refused> {
    match discord::leave(call.app.pool(), call.place()?.0).await? {
        true => Ok(Message::private("This channel follows no match any more. The match goes on.")),
        false => Err(Refused::NoMatchHere),
    }
}

/// `/match seat`: gives a seat to an account, instead of the previous one.
async fn seat(call: &Call) -> Result<Message, Refused> {
    let match_id = call.named_or_here().await?;
    let history = call.live(match_id).await?;
    let seat = call.interaction.text("seat").and_then(|seat| Seat::from_str(seat).ok()).ok_or(Refused::Incomplete)?;
    let (user, account) = player(call, "player")?;
    if chat::seat_in(call.app.pool(), user.id, match_id).await?.is_some_and(|other| other != seat) {
        return Err(Refused::BothSeats);
    }
    seat_account(call, SeatRef { match_id, seat }, user.id).await?;
    Ok(Message::private(format!("{} plays as {} from now on.", plain(account), plain(history.name(seat)))))
}

/// A seat is taken by a private link, which can be revoked on the console like any other.
async fn seat_account(call: &Call, chair: SeatRef, user: Snowflake) -> Result<(), Refused> {
    let (pool, system) = (call.app.pool(), call.app.system());
    if chat::seat_in(pool, user, chair.match_id).await? == Some(chair.seat) {
        return Ok(());
    }
    let token = player::make_link(pool, system, chair).await?;
    chat::sit(pool, system, user, &token).await?;
    Ok(())
}

/// `/match resolve`: closes the open question, with the answers up to now.
async fn resolve(call: &Call) -> Result<Message, Refused> {
    let history = call.live(call.named_or_here().await?).await?;
    // The command is not for questions asked after it: delivered twice, it closes only one decision.
    let open = history.open.iter().rfind(|open| open.at <= call.sent());
    let open =
        open.ok_or_else(|| Refused::Said("No question was open when you sent this; nothing was done.".into()))?;
    let act = call.act().await?;
    let closed = call.app.recorder.close_now(&act, history.match_id, &open.asked.decision).await?;
    Ok(Message::private(format!(
        "Closed. The record stands at entry {}; what came of it is posted where the match is followed.",
        closed.head.next.0.saturating_sub(1)
    )))
}

/// `/match resume`, `pause` and `extend`.
async fn clock(call: &Call, what: &str) -> Result<Message, Refused> {
    let history = call.live(call.named_or_here().await?).await?;
    let (act, match_id, seen) = (call.act().await?, history.match_id, history.head);
    let reason = RulingText::optional(call.interaction.text("reason").unwrap_or_default())?.as_str();
    let done = match what {
        "resume" => call.app.commands.run_clocks(&act, match_id, seen).await,
        "pause" => call.app.commands.pause_clocks(&act, match_id, seen, reason).await,
        _ => {
            let seconds = call.interaction.number("seconds").and_then(|seconds| u32::try_from(seconds).ok());
            let seconds = seconds.ok_or(Refused::Incomplete)?;
            let runs = |open: &&OpenDecision| {
                history.clock(&open.asked.decision).is_some_and(|clock| clock.deadline().is_some())
            };
            let open = history.open.iter().rfind(runs);
            let open = open.ok_or_else(|| Refused::Said("No clock runs, so there is none to add to.".to_owned()))?;
            call.app.commands.extend_clock(&act, match_id, seen, &open.asked.decision, seconds, reason).await
        }
    };
    let history = done.map_err(|error| Refused::from(error).named(&history))?;
    Ok(Message::private(format!("Done.\n{}", questions(&history).join("\n"))))
}

/// `/match rule`: a ruling, with a result if it decides one.
async fn rule(call: &Call) -> Result<Message, Refused> {
    let match_id = call.named_or_here().await?;
    let text = call.interaction.text("text").ok_or(Refused::Empty)?;
    RulingText::optional(text)?;
    let history = call.app.recorder.settle(match_id).await?;
    let clause = call.interaction.text("clause");
    if let Some(clause) = clause {
        let ruleset = engine::ruleset(&history.opened.ruleset).map_err(|_| Refused::Incomplete)?;
        if app::views::RuleLink::written(ruleset, clause).address.is_none() {
            return Err(Refused::Said(format!("These rules have no clause {}.", plain(clause))));
        }
    }
    let verdict = call.interaction.text("result").map(|word| Verdict::read(word).ok_or(Refused::Incomplete));
    let verdict = verdict.transpose()?;
    let ruled = call.app.commands.rule(&call.act().await?, match_id, history.head, clause, text, verdict).await;
    ruled.map_err(|error| Refused::from(error).named(&history))?;
    Ok(Message::private("Ruled. It stands in the record, with its place."))
}

/// The webhook of the command's channel, created if there is none.
async fn webhook(call: &Call) -> Result<Webhook, Refused> {
    let (channel, parent) = call.place()?;
    let parent = parent.unwrap_or(channel);
    if let Some(webhook) = discord::webhook_in(&call.app, parent).await? {
        return Ok(webhook);
    }
    let token = call.discord.token.as_ref().ok_or(Refused::NoToken)?;
    let path = format!("/channels/{parent}/webhooks");
    let made = call
        .discord
        .rest
        .ask_patiently(Method::POST, &path, Some(token), || Body::Json(json!({ "name": POSTER })))
        .await?;
    let field = |name: &str| made.body.get(name).and_then(serde_json::Value::as_str);
    let webhook = field("id").and_then(|id| id.parse().ok()).zip(field("token"));
    let (id, token) = webhook.ok_or(Refused::Incomplete)?;
    // It becomes part of an address later.
    if !token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
        return Err(Refused::Incomplete);
    }
    Ok(Webhook { id, token: token.to_owned(), parent })
}

async fn follow(call: &Call, match_id: MatchId, next: Seq, webhook: &Webhook) -> Result<(), Refused> {
    let (channel, _) = call.place()?;
    let channel = Channel { id: channel, match_id, site: call.site.clone(), next, failure: None };
    Ok(discord::follow(&call.app, &channel, webhook, &call.umpire().await?.id).await?)
}
