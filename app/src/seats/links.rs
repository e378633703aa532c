//! Private links to seats: made by the match's own umpires, followed by browsers, used by programs. The record and the
//! seat itself are told of each of these, so that nobody acts for a seat unseen.

use engine::Seat;
use ledger::{Author, MatchId, SubmitId};
use record::body::LinkAct;
use record::write::{self, WriteError};
use store::accounts::player_links;

use super::Seats;
use crate::account::player::{self, SeatAccess, SeatRef};
use crate::account::{AccountError, Snowflake, Token, chat};
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::by;

/// The most browsers that follow one link, so that whoever has it cannot fill the record.
const BROWSERS_MAX: i64 = 20;

impl Seats {
    /// Makes a link to a seat. It is derived from the umpire's form and a key of this installation, so that the same
    /// form sent again shows the same link.
    pub async fn invite(&self, act: &Act, match_id: MatchId, seat: Seat) -> Result<Token, AppError> {
        let seat_ref = SeatRef { match_id, seat };
        self.make(&act.by, seat_ref, self.token(act.form, seat_ref)).await
    }

    pub async fn invited(&self, form: SubmitId, seat_ref: SeatRef) -> Result<Option<Token>, AppError> {
        let token = self.token(form, seat_ref);
        match player::access_of_link(self.logs.pool(), &token).await {
            Ok(_) => Ok(Some(token)),
            Err(AccountError::Link) => Ok(None),
            Err(error) => Err(AppError::from_account(error)),
        }
    }

    fn token(&self, form: SubmitId, seat_ref: SeatRef) -> Token {
        let parts = ["player-link", &seat_ref.match_id.to_string(), &form.to_string(), seat_ref.seat.word()];
        Token::of(*self.vault.digest(&parts.map(str::as_bytes)).bytes())
    }

    pub async fn make_link(&self, by: &Author, seat_ref: SeatRef) -> Result<Token, AppError> {
        self.make(by, seat_ref, Token::fresh(&self.system)).await
    }

    async fn make(&self, by: &Author, seat_ref: SeatRef, token: Token) -> Result<Token, AppError> {
        let SeatRef { match_id, seat } = seat_ref;
        if player_links::exists(self.logs.pool(), &token.hash()).await? {
            return Ok(token);
        }
        let history = self.recorder.settle(match_id).await?;
        self.permissions.check(&history, by).await?;
        let mut number = 0;
        self.recorder
            .append_quietly(match_id, by, |context, history| {
                number = history.links_made(seat);
                write::link(context, history, seat, number, LinkAct::Made)
            })
            .await?;
        // A crash before this leaves a link in the record that leads nowhere. The umpire makes another one.
        player::store_link(self.logs.pool(), &self.system, seat_ref, Some(number), &token)
            .await
            .map_err(AppError::from_account)?;
        Ok(token)
    }

    /// Revokes a link by its name, with the access of the browsers that followed it. Revoking it again changes nothing.
    pub async fn revoke(&self, by: &Author, match_id: MatchId, name: &str) -> Result<(), AppError> {
        self.permissions.check(&*self.recorder.settle(match_id).await?, by).await?;
        player::revoke(self.logs.pool(), &self.system, match_id, name).await.map_err(AppError::from_account)
    }

    pub async fn follow(&self, token: &Token) -> Result<(SeatRef, Token), AppError> {
        let access = player::access_of_link(self.logs.pool(), token).await.map_err(AppError::from_account)?;
        let full = WriteError::NotNow("20 browsers follow this link already. Ask the umpire for a new one");
        let followed = player::follow_among(self.logs.pool(), &self.system, token, BROWSERS_MAX).await;
        let followed = followed.map_err(AppError::from_account)?.ok_or(full)?;
        // The browser has its cookie only after this: a crash before it leaves a session that nobody can use.
        self.note(access, LinkAct::Followed).await?;
        Ok(followed)
    }

    pub async fn follow_from_chat(&self, user: Snowflake, token: &Token) -> Result<SeatRef, AppError> {
        let access = player::access_of_link(self.logs.pool(), token).await.map_err(AppError::from_account)?;
        self.note(access, LinkAct::Followed).await?;
        chat::take_seat(self.logs.pool(), &self.system, user, token).await.map_err(AppError::from_account)
    }

    /// Notes that a program uses a link, to the minute. Its first use is entered.
    pub async fn note_program(&self, token: &Token, access: SeatAccess) -> Result<(), AppError> {
        if !access.used {
            self.note(access, LinkAct::Followed).await?;
        }
        player::note_program(self.logs.pool(), &self.system, token).await.map_err(AppError::from_account)
    }

    pub(super) async fn note(&self, access: SeatAccess, act: LinkAct) -> Result<(), AppError> {
        let (SeatRef { match_id, seat }, Some(number)) = (access.seat_ref, access.link) else { return Ok(()) };
        let author = if act == LinkAct::Refused { Author::Server } else { by(access.seat_ref) };
        self.recorder
            .append_quietly(match_id, &author, |context, history| write::link(context, history, seat, number, act))
            .await?;
        Ok(())
    }
}
