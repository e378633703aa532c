//! The list of matches: pages in both directions, and the number of matches.

use chrono::{DateTime, Utc};
use record::name_key;
use store::archive::{kinds, matches};
use uuid::Uuid;

pub use store::archive::count::Count;
pub use store::archive::matches::{ListedName, MatchSummary};
pub use store::archive::place::{At, Place, PlaceError};

use super::search_words::question;
use super::{Archive, Filter, Sort, VerdictFilter};
use crate::account;
use crate::error::AppError;
use crate::scope::{LOG, Scope};

const PAGE_MATCHES: usize = 50;
const STREAMED: usize = 500;
const DRAMATIC_OF_WEEK: i32 = 1_000;
const DRAMATIC_OF_NEWEST: i32 = 50;

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub matches: Vec<MatchSummary>,
    pub newer: Option<Place>,
    pub older: Option<Place>,
}

/// The filter with its texts in the form in which they are compared.
#[must_use]
pub fn folded(filter: &Filter) -> Filter {
    let folded = |text: &Option<String>| text.as_deref().map(name_key);
    Filter {
        event: folded(&filter.event),
        player: folded(&filter.player),
        against: folded(&filter.against),
        tag: folded(&filter.tag),
        words: folded(&filter.words),
        ..filter.clone()
    }
}

impl Page {
    fn of(mut matches: Vec<MatchSummary>, sort: Sort, at: Option<&At>, more: bool) -> Self {
        matches.truncate(PAGE_MATCHES);
        if matches!(at, Some(At::Before(_) | At::Last)) {
            matches.reverse();
        }
        let (first, last) = (matches.first(), matches.last());
        let [first, last] = [first, last].map(|listed| listed.map(|listed| Place::of(listed, sort)));
        let (newer, older) = match at {
            None => (None, last.filter(|_| more)),
            Some(At::After(_)) => (first, last.filter(|_| more)),
            Some(At::Before(_)) => (first.filter(|_| more), last),
            Some(At::Last) => (first.filter(|_| more), None),
        };
        Self { matches, newer, older }
    }
}

impl Archive {
    pub async fn list(&self, filter: &Filter, at: Option<&At>) -> Result<Page, AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok(Page::default());
        }
        self.page(Scope::Record, &selection, Sort::Newest, at).await
    }

    pub async fn counted_list(&self, filter: &Filter, sort: Sort, at: Option<&At>) -> Result<(Page, Count), AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok((Page::default(), Count::from(0)));
        }
        let (pool, limit) = (&self.reading, limit(PAGE_MATCHES + 1));
        let (found, ids) = matches::count_and_page(pool, LOG, &selection, sort, at, limit).await?;
        let count = Count::from(found);
        let Some(ids) = ids else { return Ok((self.page(Scope::Record, &selection, sort, at).await?, count)) };
        let shown = ids.get(..PAGE_MATCHES).unwrap_or(&ids);
        let mut matches = self.listed(shown).await?;
        matches.sort_by_cached_key(|listed| shown.iter().position(|id| *id == listed.match_id));
        Ok((Page::of(matches, sort, at, ids.len() > PAGE_MATCHES), count))
    }

    pub async fn practice(&self, umpire: &str) -> Result<Vec<MatchSummary>, AppError> {
        let selection = Filter { umpire: Some(umpire.to_owned()), ..Filter::default() };
        Ok(self.page(Scope::Practice, &selection, Sort::Newest, None).await?.matches)
    }

    /// The filter for a query: with the players to whom names are joined, the umpire's pseudonym and the words of a search.
    async fn selection(&self, filter: &Filter) -> Result<Filter, AppError> {
        let mut selection = folded(filter);
        selection.words = filter.words.as_deref().and_then(question);
        for key in [&mut selection.player, &mut selection.against].into_iter().flatten() {
            *key = self.player_key(key).await?;
        }
        if let Some(name) = &filter.umpire {
            let id = account::publicly_named(&self.serving, name).await.map_err(AppError::from_account)?;
            selection.umpire = Some(id.unwrap_or_else(|| name.clone()));
        }
        Ok(selection)
    }

    async fn may_exist(&self, selection: &Filter) -> Result<bool, AppError> {
        Ok(kinds::may_exist(&self.reading, LOG, selection).await?)
    }

    /// Matches as a list may show them: none counts as checked while the entries are not what was signed.
    fn told(&self, mut matches: Vec<MatchSummary>) -> Vec<MatchSummary> {
        if self.signer.has_other_entries() {
            let checked = matches.iter_mut().filter(|listed| listed.mode != "result");
            checked.for_each(|listed| VerdictFilter::Unchecked.word().clone_into(&mut listed.verdict));
        }
        matches
    }

    async fn page(&self, scope: Scope, selection: &Filter, sort: Sort, at: Option<&At>) -> Result<Page, AppError> {
        // One more than is shown tells whether there is another page.
        let (pool, limit) = (&self.reading, limit(PAGE_MATCHES + 1));
        let matches = self.told(matches::page(pool, scope.log_id(), selection, sort, at, limit).await?);
        let more = matches.len() > PAGE_MATCHES;
        Ok(Page::of(matches, sort, at, more))
    }

    pub async fn listed(&self, matches: &[Uuid]) -> Result<Vec<MatchSummary>, AppError> {
        Ok(self.told(matches::with_ids(&self.reading, LOG, matches).await?))
    }

    pub async fn newest(&self, filter: &Filter, most: u8) -> Result<Vec<MatchSummary>, AppError> {
        let selection = self.selection(filter).await?;
        Ok(self.told(matches::newest(&self.reading, LOG, &selection, most).await?))
    }

    pub async fn walk(
        &self,
        filter: &Filter,
        after: Option<&Place>,
    ) -> Result<(Vec<MatchSummary>, Option<Place>), AppError> {
        let selection = self.selection(filter).await?;
        let (sort, at) = (Sort::Newest, after.copied().map(At::After));
        let matches = matches::page(&self.reading, LOG, &selection, sort, at.as_ref(), limit(STREAMED)).await?;
        let matches = self.told(matches);
        let next = matches.last().map(|listed| Place::of(listed, Sort::Newest)).filter(|_| matches.len() == STREAMED);
        Ok((matches, next))
    }

    /// The match of the week: the most dramatic one that was played since a time and has ended. If there is none, the
    /// most dramatic of the newest that have ended.
    pub async fn most_dramatic(&self, since: DateTime<Utc>) -> Result<Option<MatchSummary>, AppError> {
        let pool = &self.reading;
        let found = match matches::most_dramatic(pool, LOG, Some(since), DRAMATIC_OF_WEEK).await? {
            None => matches::most_dramatic(pool, LOG, None, DRAMATIC_OF_NEWEST).await?,
            found => found,
        };
        Ok(self.told(found.into_iter().collect()).pop())
    }

    pub async fn results(&self, filter: &Filter, most: u32) -> Result<Vec<MatchSummary>, AppError> {
        let selection = self.selection(filter).await?;
        Ok(self.told(matches::latest_results(&self.reading, LOG, &selection, most).await?))
    }

    pub async fn count(&self, filter: &Filter) -> Result<Count, AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok(Count::from(0));
        }
        Ok(Count::from(matches::count(&self.reading, LOG, &selection).await?))
    }
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_back_from_an_address() {
        let match_id = Uuid::from_u128(0xab);
        let place = Place::at(DateTime::from_timestamp_micros(-5).unwrap(), match_id);
        assert_eq!(place.to_string(), "-5-000000000000000000000000000000ab");
        assert_eq!(place.to_string().parse(), Ok(place));
        assert!(place.fits(Sort::Newest) && !place.fits(Sort::Closest));
        let written = "-1.-5-000000000000000000000000000000ab";
        let ranked: Place = written.parse().unwrap();
        assert_eq!((ranked.to_string(), ranked.key()), (written.to_owned(), place.key()));
        assert!(!ranked.fits(Sort::Newest) && ranked.fits(Sort::Closest));
        for broken in
            ["", "-", "12", "x-ab", "x.12-000000000000000000000000000000ab", "12-ab", "99999999999999999999-ab"]
        {
            assert_eq!(broken.parse::<Place>(), Err(PlaceError), "{broken}");
        }
    }

    #[test]
    fn counts_end_at_a_thousand() {
        let said = |found: i64| Count::from(found).to_string();
        assert_eq!([said(1), said(0), said(1_001)], ["1 match", "0 matches", "more than 1,000 matches"]);
        assert_eq!([312, 1_001].map(|found| Count::from(found).figure()), ["312", "more than 1,000"]);
    }
}
