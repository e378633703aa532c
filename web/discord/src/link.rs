//! `/link`: a player takes a seat by a private link, or an umpire links an account by a code from the dashboard.

use app::account::player::access_of_link;
use app::account::{Token, chat};
use app::discord::{Message, plain};

use super::command_context::CommandContext;
use super::refusal::Refusal;

fn token(text: &str) -> Option<Token> {
    let link = text.trim_matches(['<', '>', '/', ' ']);
    link.rsplit('/').next()?.parse().ok()
}

pub(super) async fn link(context: &CommandContext) -> Result<Message, Refusal> {
    let text = context.interaction.text("code").ok_or(Refusal::Empty)?;
    let (user, pool, system) = (context.user()?.id, context.app.pool(), context.app.system());
    let Some(token) = token(text) else {
        let umpire = chat::use_code(pool, system, user, text).await?.ok_or(Refusal::Code)?;
        return Ok(Message::private(format!(
            "You are the umpire {} here. `/match open` opens a match in a channel, `/match here` has a channel follow one.",
            plain(&umpire.name)
        )));
    };
    let chair = access_of_link(pool, &token).await?.seat_ref;
    let history = context.app.matches.history(chair.match_id).await?;
    if chat::seat_in(pool, user, chair.match_id).await?.is_some_and(|seat| seat != chair.seat) {
        return Err(Refusal::BothSeats);
    }
    context.app.seats.follow_from_chat(user, &token).await?;
    Ok(Message::private(format!(
        "You play as {} against {}. Send your moves with `/submit`, here or in a message to this bot: nobody else sees \
         them, and Discord’s own clock counts. Discord itself can read what you type; who minds that uses the private link.",
        plain(history.name(chair.seat)),
        plain(history.name(chair.seat.other()))
    )))
}

#[cfg(test)]
mod tests {
    use super::token;

    #[test]
    fn a_link_is_read_whole_or_in_part() {
        let secret = "ab".repeat(32);
        for text in [secret.clone(), format!("https://x.example/play/{secret}"), format!("<https://x/play/{secret}/>")]
        {
            assert_eq!(token(&text).map(|token| token.reveal()), Some(secret.clone()), "{text}");
        }
        assert!(token("ABCD-EFGH-JKMN").is_none());
    }
}
