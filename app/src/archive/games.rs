//! The games that umpires declared.

use store::archive::games;

pub use store::archive::games::DeclaredGame;

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

const GAMES: i64 = 200;

impl Archive {
    pub async fn declared_games(&self) -> Result<Vec<DeclaredGame>, AppError> {
        Ok(games::list(&self.reading, LOG, GAMES).await?)
    }
}
