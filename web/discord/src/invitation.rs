//! `/match invite` and `/match ready`: posts whose buttons answer only the players of the match, each in private.
//!
//! An invitation is stored nowhere. The links to its seats are derived from its command and from the accounts that it
//! names, under a key of this installation. So a button that names other accounts, or another command, leads to no link.

use app::account::player::SeatRef;
use app::account::{Snowflake, Token, chat};
use app::discord::{Button, Message, bout, plain};
use app::{Act, form_of, slug};
use engine::{BySeat, Seat};
use ledger::MatchId;
use record::History;
use store::SubmitId;

use super::command_context::CommandContext;
use super::match_commands::player;
use super::refusal::Refusal;

const LINK: &str = "link";
const READY: &str = "ready";

struct Invitation<'b> {
    slug: &'b str,
    command: Snowflake,
    accounts: BySeat<Snowflake>,
}

impl<'b> Invitation<'b> {
    fn read(name: &'b str) -> Option<Self> {
        let mut parts = name.split('/');
        let slug = parts.next()?;
        let mut id = || parts.next()?.parse::<Snowflake>().ok();
        let invitation = Self { slug, command: id()?, accounts: BySeat { p1: id()?, p2: id()? } };
        parts.next().is_none().then_some(invitation)
    }

    fn button(&self, label: &'static str, kind: &str) -> Button {
        let Self { slug, command, accounts } = self;
        Button { label, id: format!("{kind}/{slug}/{command}/{}/{}", accounts.p1, accounts.p2) }
    }

    /// The form that makes its links: other accounts make another form.
    fn form(&self) -> SubmitId {
        let Self { command, accounts, .. } = self;
        let parts = [command, &accounts.p1, &accounts.p2].map(ToString::to_string);
        form_of(&["discord invitation", &parts[0], &parts[1], &parts[2]])
    }

    fn seat(&self, user: Snowflake) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.accounts[*seat] == user)
    }
}

pub(super) async fn invite(context: &CommandContext) -> Result<Message, Refusal> {
    let history = context.own_live(context.named_or_here().await?).await?;
    let ((one, _), (two, _)) = (player(context, "first")?, player(context, "second")?);
    if one.id == two.id {
        return Err(Refusal::BothSeats);
    }
    let accounts = BySeat { p1: one.id, p2: two.id };
    for (seat, user) in accounts.each() {
        let sits = chat::seat_in(context.app.pool(), *user, history.match_id).await?;
        if sits.is_some_and(|other| other != seat) {
            return Err(Refusal::BothSeats);
        }
    }
    let slug = slug(history.match_id);
    let invitation = Invitation { slug: &slug, command: context.interaction.id, accounts };
    let act = Act { form: invitation.form(), ..context.act().await? };
    for seat in Seat::BOTH {
        context.app.seats.invite(&act, history.match_id, seat).await?;
    }
    let invited = Seat::BOTH.map(|seat| format!("<@{}> plays as {}.", accounts[seat], plain(history.name(seat))));
    let content = format!(
        "**Invitation: {}**\n{}\nPress **My link**: only you see it. It opens your seat in your browser.\n{}",
        bout(&history),
        invited.join(" "),
        context.match_link(history.match_id)
    );
    let buttons = [invitation.button("My link", LINK), invitation.button("I am ready", READY)];
    Ok(Message::open(content).mentioning(vec![accounts.p1, accounts.p2]).with_buttons(buttons.to_vec()))
}

pub(super) async fn ask_ready(context: &CommandContext) -> Result<Message, Refusal> {
    let history = context.own_live(context.named_or_here().await?).await?;
    check_not_begun(&history)?;
    let content = format!(
        "**Both ready?** {} and {}: press the button once you are. Only the umpire sees who has.",
        plain(history.name(Seat::P1)),
        plain(history.name(Seat::P2))
    );
    let button = Button { label: "I am ready", id: format!("{READY}/{}", slug(history.match_id)) };
    Ok(Message::open(content).with_buttons(vec![button]))
}

pub(super) async fn press(context: &CommandContext, id: &str) -> Result<Message, Refusal> {
    match id.split_once('/') {
        Some((LINK, name)) => give_link(context, &Invitation::read(name).ok_or(Refusal::Unknown)?).await,
        Some((READY, name)) => note_ready(context, name).await,
        _ => Err(Refusal::Unknown),
    }
}

async fn invited(context: &CommandContext, invitation: &Invitation<'_>) -> Result<(SeatRef, Token), Refusal> {
    let seat = invitation.seat(context.user()?.id).ok_or(Refusal::NotInvited)?;
    let match_id = context.app.matches.recorded_match_of(invitation.slug).await?;
    let chair = SeatRef { match_id, seat };
    let token = context.app.seats.invited(invitation.form(), chair).await?;
    Ok((chair, token.ok_or(Refusal::Revoked)?))
}

/// Gives an invited account its link. The account has the seat at Discord from then on, which the record tells.
async fn give_link(context: &CommandContext, invitation: &Invitation<'_>) -> Result<Message, Refusal> {
    let user = context.user()?.id;
    let (chair, token) = invited(context, invitation).await?;
    let history = context.live(chair.match_id).await?;
    match chat::seat_in(context.app.pool(), user, chair.match_id).await? {
        Some(seat) if seat != chair.seat => return Err(Refusal::BothSeats),
        Some(_) => {}
        None => {
            context.app.seats.follow_from_chat(user, &token).await?;
        }
    }
    Ok(Message::private(format!(
        "You play as {} against {}. Your private link, for you alone:\n<{}/play/{}>\nOpen it in the browser that you \
         play with. Whoever has it can play for you, so give it to nobody.",
        plain(history.name(chair.seat)),
        plain(history.name(chair.seat.other())),
        context.site,
        token.reveal()
    )))
}

async fn note_ready(context: &CommandContext, name: &str) -> Result<Message, Refusal> {
    let chair = match Invitation::read(name) {
        Some(invitation) => invited(context, &invitation).await?.0,
        None => seated(context, context.app.matches.recorded_match_of(name).await?).await?,
    };
    check_not_begun(&*context.live(chair.match_id).await?)?;
    context.app.seats.ready(chair).await?;
    Ok(Message::private("You are ready, and the umpire sees it."))
}

async fn seated(context: &CommandContext, match_id: MatchId) -> Result<SeatRef, Refusal> {
    let seat = chat::seat_in(context.app.pool(), context.user()?.id, match_id).await?;
    Ok(SeatRef { match_id, seat: seat.ok_or(Refusal::NotInvited)? })
}

fn check_not_begun(history: &History) -> Result<(), Refusal> {
    let begun = !history.steps.is_empty() || history.is_ended();
    if begun { Err(Refusal::Sentence("The match has begun, so nobody has to be ready.".to_owned())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_names_its_command_and_both_accounts() {
        let id = |number: i64| Snowflake::try_from(number).unwrap();
        let accounts = BySeat { p1: id(i64::MAX), p2: id(2) };
        let invitation = Invitation { slug: "abcdefghij", command: id(i64::MAX), accounts };
        let button = invitation.button("My link", LINK);
        assert!(button.id.len() <= 100, "{}", button.id);
        let name = button.id.split_once('/').unwrap().1;
        let read = Invitation::read(name).unwrap();
        assert_eq!((read.slug, read.form(), read.seat(id(2))), ("abcdefghij", invitation.form(), Some(Seat::P2)));
        assert_eq!(read.seat(id(3)), None);
        let swapped = BySeat { p1: id(2), p2: id(i64::MAX) };
        assert_ne!(Invitation { accounts: swapped, ..read }.form(), invitation.form());
        for wrong in ["", "abcdefghij", "abcdefghij/1/2", "abcdefghij/1/2/0", "abcdefghij/1/2/3/4"] {
            assert!(Invitation::read(wrong).is_none(), "{wrong}");
        }
    }
}
