//! Opens the book for a command.

use std::sync::Arc;

use anyhow::Context;
use app::book::Book;
use app::keys::Keys;
use app::mint::Mint;
use ledger::Origin;
use store::database::Database;

use super::DatabasePlace;

/// The book, and its database.
pub(super) struct Opened {
    pub(super) book: Arc<Book>,
    database: Database,
}

impl Opened {
    /// Opens the database, brings it to this version's schema, and opens the book.
    pub(super) async fn open(place: &DatabasePlace, origin: Option<Origin>) -> anyhow::Result<Self> {
        let data = place.data()?;
        let database = Database::open(&place.choice()?).await?;
        database.migrate().await?;
        let mint = Mint::system();
        let keys = Keys::open(&data, &mint)?;
        let (pool, file) = (database.serving().clone(), place.checkpoint_file()?);
        let book = Book::open(pool, Arc::new(mint), keys, origin, file).await.context("cannot open the record")?;
        Ok(Self { book: Arc::new(book), database })
    }

    /// Closes the database.
    pub(super) async fn close(self) -> anyhow::Result<()> {
        drop(self.book);
        self.database.close().await?;
        Ok(())
    }
}
