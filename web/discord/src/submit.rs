//! `/submit` and `/receipt`: a player's submissions, and the host's receipts.

use app::discord::{File, Message, due, plain};
use app::receipts::ReceiptFate;
use app::recorder::asks;
use app::slug;
use app::submissions::{Answer, PlayerSubmission};
use app::views::{LineReading, LineState, receipt_name, receipt_words, received_words};
use engine::{Ask, Seat, name_seats};
use ledger::Moment;
use record::body::Closing;
use record::limits::{MOVE_MAX_CHARS, too_long};
use record::{History, OpenDecision};

use super::command_context::CommandContext;
use super::refusal::Refusal;

pub(super) struct MatchedAnswer<'h> {
    pub(super) open: &'h OpenDecision,
    pub(super) prompt: String,
    pub(super) line: LineReading,
}

pub(super) fn questions(history: &History, seat: Seat) -> Vec<(Ask, &OpenDecision)> {
    let open = |ask: &Ask| {
        let mut open = history.open.iter();
        open.find(|open| open.puts(ask) && asks(open, seat) && open.sealed.is_empty())
    };
    let asked = history.asks().into_iter().filter(|_| !history.is_ended());
    asked.filter_map(|ask| open(&ask).map(|open| (ask, open))).collect()
}

pub(super) fn match_answer<'h>(
    history: &'h History,
    seat: Seat,
    text: &str,
    sent: Moment,
) -> Result<MatchedAnswer<'h>, Refusal> {
    if let Some(long) = too_long(text, MOVE_MAX_CHARS) {
        return Err(Refusal::Unreadable(long));
    }
    let questions = questions(history, seat);
    if questions.is_empty() {
        return Err(Refusal::NothingAsked);
    }
    let read = questions.into_iter().filter(|(_, open)| open.at <= sent).map(|(ask, open)| MatchedAnswer {
        line: LineReading::read(history, history.duel(), seat, &ask.what, text),
        prompt: name_seats(&ask.prompt, history.both_names()),
        open,
    });
    let mut read: Vec<MatchedAnswer<'_>> = read.collect();
    let at = read.iter().rposition(|matched| matched.line.state == LineState::Valid);
    let at = at.or(read.len().checked_sub(1)).ok_or(Refusal::SentBefore)?;
    let matched = read.swap_remove(at);
    match (&matched.line.error, matched.line.state) {
        (Some(fault), _) => {
            let place = match fault.found.as_str() {
                "" => String::new(),
                found => format!(" The words at fault: {}", plain(found)),
            };
            let rule = fault.rule.map(|rule| format!(" (rule {rule})")).unwrap_or_default();
            let why = plain(&fault.text);
            Err(Refusal::Unreadable(format!("Nothing was stored. {why}{rule}{place}")))
        }
        (None, LineState::Valid) => Ok(matched),
        (None, _) => Err(Refusal::Unreadable(
            "Nothing was stored: say what you play. If you send nothing, the default counts.".to_owned(),
        )),
    }
}

fn counts(history: &History, open: &OpenDecision) -> String {
    let deadline = history.clock(&open.asked.decision).and_then(record::Clock::deadline);
    match (open.asked.closes, deadline) {
        (Closing::FirstValid, _) => "It counts at once.".to_owned(),
        (_, Some(deadline)) => {
            format!("It counts. You can replace it{}.", due(deadline))
        }
        (_, None) => "It counts. You can replace it until the umpire closes.".to_owned(),
    }
}

pub(super) async fn submit(context: &CommandContext) -> Result<Message, Refusal> {
    let text = context.interaction.text("move").ok_or(Refusal::Empty)?;
    let access = context.access(context.user()?.id).await?;
    let chair = access.seat_ref;
    let history = context.app.matches.history(chair.match_id).await?;
    let named = |refused: Refusal| refused.named(&history);
    let matched = match_answer(&history, chair.seat, text, context.sent()).map_err(named)?;
    let sent = PlayerSubmission {
        access,
        decision: matched.open.asked.decision.clone(),
        submit: context.form(),
        came: context.sent(),
        answer: Answer::Text(text.to_owned()),
        signed: None,
        // A chat has no mark for it: whoever wants to close early sends from the seat's page.
        is_final: false,
    };
    let receipt = context.app.submissions.submit(&history, sent).await.map_err(|refusal| named(refusal.into()))?;
    let ask = history.asks().into_iter().find(|ask| matched.open.puts(ask));
    let received = ask.map_or_else(|| "Move received.".to_owned(), |ask| received_words(&history, &ask));
    let mut parts = vec![
        format!("**{}** For {}.", plain(&received), plain(history.name(chair.seat))),
        format!("> {}", plain(&matched.line.words)),
    ];
    parts.extend(matched.line.notes.iter().map(|note| plain(note)));
    parts.push(counts(&history, matched.open));
    let name = plain(&receipt_name(&history, &receipt.receipt, Some(&matched.line.words)));
    parts.push(format!("-# Receipt for {name}, `{}`. `/receipt` gives it as a file to keep.", receipt.hash()));
    Ok(Message::private(parts.join("\n")))
}

const fn fate(fate: ReceiptFate) -> &'static str {
    match fate {
        ReceiptFate::Counts => "It counts. Your opponent and the public see nothing of it before the round closes.",
        ReceiptFate::Replaced => "It was replaced.",
        ReceiptFate::Waits => "It waits for its place in the record.",
        ReceiptFate::Entered(_) => "It is in the record.",
        ReceiptFate::GivenUp => "It does not count: its question was taken back, or closed without it.",
        ReceiptFate::Missing => {
            "It should be in the record and is not: keep the file, it is evidence, and show it to the umpire."
        }
    }
}

pub(super) async fn receipt(context: &CommandContext) -> Result<Message, Refusal> {
    let access = context.access(context.user()?.id).await?;
    let chair = access.seat_ref;
    let receipts = access.shown(context.app.receipts.receipts(chair).await?);
    let Some(last) = receipts.last() else {
        return Ok(Message::private("There is no receipt of yours yet: each move has one."));
    };
    let history = context.app.matches.history(chair.match_id).await?;
    let file = context.app.receipts.receipt_file(&history, chair, &receipts).await?;
    let signed = &last.receipt;
    let secrets = context.app.receipts.own_secrets(chair.match_id, std::slice::from_ref(last)).await?;
    let values: Vec<&str> = secrets.iter().flatten().map(|(_, secret)| secret.value.as_str()).collect();
    let content = format!(
        "**Your last receipt: {}.** {}\nThe file has all {}, with the keys that open them: keep it to yourself until \
         the match is over. `matchbook receipt` checks it.\n-# `{}`",
        plain(&receipt_words(&history, &signed.receipt, &values)),
        fate(last.fate),
        receipts.len(),
        signed.hash()
    );
    let name = format!("matchbook-{}-{}.receipts.jsonl", slug(chair.match_id), chair.seat);
    let bytes = file.write().into();
    Ok(Message::private(content).with(File { name, kind: "application/x-ndjson", alt: None, bytes }))
}
