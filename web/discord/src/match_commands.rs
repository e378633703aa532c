//! `/match`: the acts of an umpire from a channel. Every act is the same as on the console, with an id derived from the
//! command's.

use std::str::FromStr;
use std::sync::Arc;

use app::account::player::SeatRef;
use app::account::{Snowflake, chat};
use app::discord::{self, Body, Channel, Message, Webhook, bout, newest_entry, plain, questions};
use app::likeness::seen;
use app::new_match::{ClocksWord, DrawsWord, Items, MatchFields, ModeWord, Names};
use app::umpire_act::{NewExtension, NewPause, NewRuling, OnHead, UmpireWord};
use app::views::HeadJson;
use app::{Scope, UmpireAct};
use axum::http::Method;
use engine::{Seat, Verdict};
use ledger::{MatchId, Seq};
use record::{History, OpenDecision};
use serde_json::json;

use super::command_context::CommandContext;
use super::interaction::User;
use super::invitation;
use super::refusal::Refusal;

/// The author name of posts.
const POSTER: &str = "Matchbook";

pub(super) async fn run(context: &CommandContext, what: &str) -> Result<Message, Refusal> {
    context.umpire().await?;
    match what {
        "open" => open(context).await,
        "here" => here(context).await,
        "leave" => leave(context).await,
        "seat" => seat(context).await,
        "invite" => invitation::invite(context).await,
        "ready" => invitation::ask_ready(context).await,
        "resolve" => resolve(context).await,
        "resume" | "pause" | "extend" => clock(context, what).await,
        "rule" => rule(context).await,
        "say" => say(context).await,
        _ => Err(Refusal::Unknown),
    }
}

pub(super) fn player<'c>(context: &'c CommandContext, option: &str) -> Result<(&'c User, &'c str), Refusal> {
    let (user, name) = context.interaction.account(option).ok_or(Refusal::Incomplete)?;
    if user.bot { Err(Refusal::Bot) } else { Ok((user, name)) }
}

fn listed(context: &CommandContext, option: &str) -> Vec<String> {
    let text = context.interaction.text(option).unwrap_or_default();
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn set_option(set: &str) -> Result<(String, String), Refusal> {
    let read = set.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let (name, value) = read.ok_or_else(|| {
        Refusal::Sentence(format!("An option is written as its name, = and its value; `{}` is none.", plain(set)))
    })?;
    Ok((name.to_owned(), value.to_owned()))
}

async fn open(context: &CommandContext) -> Result<Message, Refusal> {
    let ruleset = context.interaction.text("rules").ok_or(Refusal::Incomplete)?.to_owned();
    let ((one, one_name), (two, two_name)) = (player(context, "first")?, player(context, "second")?);
    if one.id == two.id {
        return Err(Refusal::BothSeats);
    }
    let text = |option: &str| context.interaction.text(option).map(str::to_owned);
    // Nobody typed the name of an account here, so it is taken as it is seen.
    let name = |option, account| text(option).unwrap_or_else(|| seen(account));
    let fields = MatchFields {
        ruleset,
        players: Names { p1: name("first-name", one_name), p2: name("second-name", two_name) },
        game: None,
        options: listed(context, "options").iter().map(|set| set_option(set)).collect::<Result<_, _>>()?,
        dmo: text("dmo").and_then(|seat| seat.parse::<Seat>().ok()).map(Into::into),
        items: Items { p1: listed(context, "first-items"), p2: listed(context, "second-items") },
        event: text("event"),
        date: Some(context.sent().to_utc().format("%Y-%m-%d").to_string()),
        mode: ModeWord::Live,
        clocks: match context.interaction.text("clocks") {
            Some("posted") => ClocksWord::Posted,
            Some("at-once") => ClocksWord::AtOnce,
            _ => ClocksWord::Off,
        },
        draws: if context.interaction.text("draws") == Some("umpire") { DrawsWord::Umpire } else { DrawsWord::Host },
        wait: context.interaction.number("wait").map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
        // Nobody calls an answer final in a chat.
        ..MatchFields::default()
    };
    let new = fields.parse(context.app.public_log.network().hash)?;
    // The permission to post here is checked first, because an opened match cannot be removed.
    let webhook = webhook(context).await?;
    let match_id = context.app.commands.open_match(Scope::Record, &context.act().await?, &new).await?;
    for (seat, user) in [(Seat::P1, one), (Seat::P2, two)] {
        seat_account(context, SeatRef { match_id, seat }, user.id).await?;
    }
    follow(context, match_id, Seq(0), &webhook).await?;
    let history = context.app.matches.history(match_id).await?;
    Ok(Message::private(format!(
        "{} plays {}. Both can `/submit` at once. You run it from here, or from its console: {}",
        plain(history.name(Seat::P1)),
        plain(history.name(Seat::P2)),
        context.console_link(match_id)
    )))
}

async fn here(context: &CommandContext) -> Result<Message, Refusal> {
    let match_id = context.named_or_here().await?;
    let webhook = webhook(context).await?;
    let history = context.app.matches.history(match_id).await?;
    follow(context, match_id, history.head.next, &webhook).await?;
    let (bout, link) = (bout(&history), context.match_link(match_id));
    Ok(Message::open(format!("This channel follows {bout}: {link}\n{}", newest_entry(history.head))))
}

async fn leave(context: &CommandContext) -> Result<Message, Refusal> {
    match discord::leave(context.app.pool(), context.place()?.0).await? {
        true => Ok(Message::private("This channel follows no match any more. The match goes on.")),
        false => Err(Refusal::NoMatchHere),
    }
}

async fn seat(context: &CommandContext) -> Result<Message, Refusal> {
    let match_id = context.named_or_here().await?;
    let history = context.own_live(match_id).await?;
    let seat =
        context.interaction.text("seat").and_then(|seat| Seat::from_str(seat).ok()).ok_or(Refusal::Incomplete)?;
    let (user, account) = player(context, "player")?;
    if chat::seat_in(context.app.pool(), user.id, match_id).await?.is_some_and(|other| other != seat) {
        return Err(Refusal::BothSeats);
    }
    seat_account(context, SeatRef { match_id, seat }, user.id).await?;
    Ok(Message::private(format!("{} plays as {} from now on.", plain(account), plain(history.name(seat)))))
}

/// A seat is taken by a private link, which can be revoked on the console like any other.
async fn seat_account(context: &CommandContext, chair: SeatRef, user: Snowflake) -> Result<(), Refusal> {
    if chat::seat_in(context.app.pool(), user, chair.match_id).await? == Some(chair.seat) {
        return Ok(());
    }
    let token = context.app.seats.make_link(&context.act().await?.by, chair).await?;
    context.app.seats.follow_from_chat(user, &token).await?;
    Ok(())
}

async fn resolve(context: &CommandContext) -> Result<Message, Refusal> {
    let history = context.own_live(context.named_or_here().await?).await?;
    // The command is not for questions asked after it: delivered twice, it closes only one decision.
    let open = history.open.iter().rfind(|open| open.at <= context.sent());
    let open =
        open.ok_or_else(|| Refusal::Sentence("No question was open when you sent this; nothing was done.".into()))?;
    let act = context.act().await?;
    let closed = context.app.recorder.close_now(&act, history.match_id, &open.asked.decision).await?;
    Ok(Message::private(format!(
        "Closed. The last entry is {}; the result is posted where the match is followed.",
        closed.head.next.0.saturating_sub(1)
    )))
}

async fn clock(context: &CommandContext, what: &str) -> Result<Message, Refusal> {
    let history = context.own_live(context.named_or_here().await?).await?;
    let head = HeadJson::of(history.head);
    let reason = context.interaction.text("reason").unwrap_or_default().to_owned();
    let act = match what {
        "resume" => UmpireAct::RunClocks(OnHead { head }),
        "pause" => UmpireAct::PauseClocks(NewPause { head, reason }),
        _ => {
            let seconds = context.interaction.number("seconds").and_then(|seconds| u32::try_from(seconds).ok());
            let seconds = seconds.ok_or(Refusal::Incomplete)?;
            let runs = |open: &&OpenDecision| {
                history.clock(&open.asked.decision).is_some_and(|clock| clock.deadline().is_some())
            };
            let open = history.open.iter().rfind(runs);
            let open =
                open.ok_or_else(|| Refusal::Sentence("No clock runs, so there is none to add to.".to_owned()))?;
            UmpireAct::ExtendClock(NewExtension { head, decision: open.asked.decision.clone(), seconds, reason })
        }
    };
    let history = perform(context, &history, &act).await?;
    Ok(Message::private(format!("Done.\n{}", questions(&history).join("\n"))))
}

async fn rule(context: &CommandContext) -> Result<Message, Refusal> {
    let history = context.app.recorder.settle(context.named_or_here().await?).await?;
    let text = context.interaction.text("text").ok_or(Refusal::Empty)?.to_owned();
    let clause = context.interaction.text("clause").map(str::to_owned);
    let result = context.interaction.text("result").map(|word| Verdict::read(word).ok_or(Refusal::Incomplete));
    let result = result.transpose()?.map(Into::into);
    let ruling = NewRuling { head: HeadJson::of(history.head), text, clause, result };
    perform(context, &history, &UmpireAct::Rule(ruling)).await?;
    Ok(Message::private("Recorded as a ruling."))
}

async fn say(context: &CommandContext) -> Result<Message, Refusal> {
    let history = context.app.recorder.settle(context.named_or_here().await?).await?;
    let text = context.interaction.text("text").ok_or(Refusal::Empty)?.to_owned();
    let word = UmpireWord { head: HeadJson::of(history.head), text };
    let history = perform(context, &history, &UmpireAct::Announce(word)).await?;
    Ok(Message::private(format!("Said.\n{}", questions(&history).join("\n"))))
}

async fn perform(context: &CommandContext, history: &History, act: &UmpireAct) -> Result<Arc<History>, Refusal> {
    let done = context.app.commands.perform(&context.act().await?, history.match_id, act).await;
    done.map_err(|error| Refusal::from(error).named(history))
}

async fn webhook(context: &CommandContext) -> Result<Webhook, Refusal> {
    let (channel, parent) = context.place()?;
    let parent = parent.unwrap_or(channel);
    if let Some(webhook) = discord::webhook_in(&context.app, parent).await? {
        return Ok(webhook);
    }
    let token = context.discord.token.as_ref().ok_or(Refusal::NoToken)?;
    let path = format!("/channels/{parent}/webhooks");
    let made = context
        .discord
        .rest
        .ask_patiently(Method::POST, &path, Some(token), || Body::Json(json!({ "name": POSTER })))
        .await?;
    let field = |name: &str| made.body.get(name).and_then(serde_json::Value::as_str);
    let webhook = field("id").and_then(|id| id.parse().ok()).zip(field("token"));
    let (id, token) = webhook.ok_or(Refusal::Incomplete)?;
    // It becomes part of an address later.
    if !token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
        return Err(Refusal::Incomplete);
    }
    Ok(Webhook { id, token: token.to_owned(), parent })
}

async fn follow(context: &CommandContext, match_id: MatchId, next: Seq, webhook: &Webhook) -> Result<(), Refusal> {
    let (channel, _) = context.place()?;
    let channel = Channel { id: channel, match_id, site: context.site.clone(), next, failure: None };
    Ok(discord::follow(&context.app, &channel, webhook, &context.umpire().await?.id).await?)
}
