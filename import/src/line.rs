//! One line of a chat taken apart: when, who, what. It knows the ways in which Discord and others copy their messages,
//! and nothing of any game.

use engine::Seat;

use super::clause::{clauses, players};
use super::clean::clean;
use super::fix::Who;
use super::naming::{How, Named};
use super::silence;
use super::speaker::{Speakers, is_name};
use super::times::{DASHES, HEADER_MAX_BYTES, is_dated, is_time, without_time};
use super::wording;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Whether a time stands before it: another message begins then.
    pub(super) timed: bool,
    pub(super) round: Option<Named>,
    /// Who says it; none where whoever spoke before goes on.
    pub(super) name: Option<String>,
    /// Whether it tells of players from its first word on, so that nobody needs to have said it.
    pub(super) tells: bool,
    pub(super) words: String,
}

/// Words between a name and its move.
pub(super) const VERBS: &str = "went with|goes with|goes for|went for|opts for|opted for|selects|selected|select|takes|took|throws|threw|\
    puts|put|places|placed|submit|went|goes|answers|decides to|uses|plays|played|play|chose|chosen|chooses|picks|\
    picked|submits|submitted|used|sent|attempts to play|says|has|holds|gets";
/// Words before a colon that are nobody's name.
const NO_NAMES: &str = "cancelled|canceled|blocked|lights|lamps|lit|posts|joined|location|quote|topic|channel|guild|cards|\
    selections|placements|reveals|note|ps|pot|chips|moves|actions|community|offer|pools|total|winner|the winner|\
    final score|score|result|results|reveal|final result|edit|pile|set aside|aside|unused|first cards|second cards|pool";
/// Signs before names in IRC.
const MODES: [char; 5] = ['@', '+', '%', '~', '&'];
/// Marks that Discord puts after the names of programs.
const BADGES: [&str; 3] = [" APP", " BOT", " ✓"];

/// Words between a name and the time of a forum's post.
const WROTE: [&str; 4] = [" wrote on ", " wrote ", " posted on ", " said on "];

impl Line {
    /// Takes a line apart. `is_word` tells words of the game from names; `short` tells whether `R2` may be a round.
    pub(super) fn read(line: &str, speakers: &Speakers, is_word: impl Fn(&str) -> bool, short: bool) -> Self {
        let cleaned = clean(line);
        // "Black (8:02pm): Score"
        let behind = timed_name(&cleaned);
        let (timed, rest) = match &behind {
            Some(behind) => (true, behind.as_str()),
            None => without_time(cleaned.trim()),
        };
        // The mark of a list: "- Black: Score".
        let listed = rest.strip_prefix("- ").filter(|rest| rest.contains(':'));
        let rest = listed.filter(|rest| spoken(rest, speakers, &is_word).0.is_some()).unwrap_or(rest);
        let mut read = Self { timed, ..Self::default() };
        let rest = match Named::read(rest, short) {
            Some((named, behind)) if named.how != How::Aside => {
                read.round = Some(named);
                behind
            }
            _ => rest,
        };
        if rest.is_empty() {
            return read;
        }
        if let Some(name) = header(rest, speakers) {
            (read.timed, read.name) = (true, Some(name));
            return read;
        }
        let is_move = |_: Seat, said: &str| wording::words(said).any(&is_word);
        if speakers.leading(rest).is_none() && players(rest, speakers, is_move).is_some() {
            (read.tells, read.words) = (true, rest.to_owned());
            return read;
        }
        (read.name, read.words) = spoken(rest, speakers, &is_word);
        let inner = |words: &str| Named::read(words, short).map(|(named, behind)| (named, behind.to_owned()));
        if let (Some((named, behind)), None) = (inner(&read.words), read.round) {
            read.round = Some(named);
            read.words = behind;
        }
        let leads = speakers.leading(&read.words).and_then(|(name, _)| speakers.who(name)).and_then(Who::seat);
        read.tells = read.name.is_none() && leads.is_some();
        read
    }
}

/// The name on a line that holds nothing else, as it stands above a message.
pub(super) fn lone_name(line: &str, is_word: impl Fn(&str) -> bool) -> Option<String> {
    let cleaned = clean(line);
    let name = without_badges(&cleaned);
    let free = is_name(name) && !name.contains(':') && !name.split_whitespace().any(is_word);
    free.then(|| name.to_owned())
}

/// Whether a line holds nothing but such a mark.
pub(super) fn is_badge(line: &str) -> bool {
    BADGES.iter().any(|badge| badge.trim() == line.trim())
}

fn without_badges(name: &str) -> &str {
    let mut name = name.trim().trim_end_matches(DASHES).trim();
    for badge in BADGES {
        name = name.strip_suffix(badge).unwrap_or(name).trim_end();
    }
    name
}

fn spoken(part: &str, speakers: &Speakers, is_word: impl Fn(&str) -> bool) -> (Option<String>, String) {
    let part = part.trim();
    let bracketed = part.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    // Before the name may stand a sign of what it may do there: "<@Black>".
    let bracketed = bracketed.map(|(name, said)| (name.trim().trim_start_matches(MODES), said));
    if let Some((name, said)) = bracketed.filter(|(name, _)| is_name(name)) {
        return (Some(name.to_owned()), said.trim().to_owned());
    }
    if let Some((name, rest)) = speakers.leading(part) {
        let rest = rest.trim_start();
        // "Black (p1): Score"
        let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, after)) if after.trim_start().starts_with(':') => after.trim_start(),
            _ => rest,
        };
        if rest.is_empty() {
            return (Some(name.to_owned()), String::new());
        }
        let after_mark = rest.strip_prefix(':').or_else(|| {
            let dash = rest.strip_prefix(DASHES)?;
            dash.starts_with(' ').then_some(dash)
        });
        if let Some(said) = after_mark {
            return (Some(name.to_owned()), said.trim().to_owned());
        }
        let lower = rest.to_lowercase();
        if lower.starts_with("sent ") && silence::of_one(rest).is_some_and(|behind| behind.is_empty()) {
            return (Some(name.to_owned()), "-".to_owned());
        }
        // A verb leads to a move of this player, where it is told of no other as well.
        let alone = clauses(part, speakers).is_none_or(|(_, told)| told.len() < 2);
        if let Some(said) = behind_verb(rest).filter(|_| alone) {
            return (Some(name.to_owned()), said.to_owned());
        }
    }
    match part.split_once(':') {
        Some((name, said))
            if may_speak(name)
                && !name.trim().starts_with(|first: char| first.is_ascii_digit())
                && !is_word(name)
                && !is_of_words(name, &is_word)
                && (said.is_empty() || said.starts_with(char::is_whitespace)) =>
        {
            (Some(name.trim().to_owned()), said.trim().to_owned())
        }
        _ => (None, part.to_owned()),
    }
}

/// What follows a verb that leads to a move.
pub(super) fn behind_verb(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let leads = |verb: &&str| lower.strip_prefix(*verb).is_some_and(|rest| rest.starts_with([' ', ':']));
    let verb = VERBS.split('|').find(leads)?;
    text.get(verb.len()..).map(|said| said.trim_start_matches([':', ' ']).trim_end())
}

/// Whether what stands before a colon can be a name.
pub(super) fn may_speak(name: &str) -> bool {
    // "Both are in. Pot: 3", "Pile 2 (aside): R7", "Black's pool: R7"
    let last = name.rsplit(". ").next().unwrap_or(name);
    let bare = last
        .split('(')
        .next()
        .unwrap_or(last)
        .trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
    let bare = bare.rsplit_once("'s ").or_else(|| bare.rsplit_once("’s ")).map_or(bare, |(_, owned)| owned);
    is_name(name) && !NO_NAMES.split('|').any(|word| bare.trim().eq_ignore_ascii_case(word))
}

/// Whether nothing stands here but words of the game: "Claim + Block" is nobody's name.
fn is_of_words(name: &str, is_word: impl Fn(&str) -> bool) -> bool {
    wording::words(name).all(|word| word.eq_ignore_ascii_case("and") || is_word(word))
}

/// A line whose time stands in brackets behind the name, without it.
fn timed_name(line: &str) -> Option<String> {
    let (before, rest) = line.split_once(" (")?;
    let (time, behind) = rest.split_once("):")?;
    (is_name(before) && is_time(time)).then(|| format!("{before}:{behind}"))
}

/// The name in the line above a copied message: `Black — Today at 20:41`, `Black, [20.11.2026 20:41]`.
fn header(text: &str, speakers: &Speakers) -> Option<String> {
    if text.len() > HEADER_MAX_BYTES {
        return None;
    }
    // As forums write it: "by Black » Thu Sep 26, 2019 6:40 pm".
    let text = text.strip_prefix("by ").filter(|text| text.contains('»')).unwrap_or(text);
    // "Black wrote on Tue Sep 09, 2025 6:00 pm:"
    let text = text.strip_suffix(':').filter(|text| WROTE.iter().any(|wrote| text.contains(wrote))).unwrap_or(text);
    let name = |name: &str| {
        let name = WROTE.iter().find_map(|wrote| name.trim_end().strip_suffix(wrote.trim_end())).unwrap_or(name);
        let name = without_badges(name.trim_end_matches([' ', ',', '(', '·', '»']));
        (is_name(name) && !name.ends_with(':') && !name.contains(": ")).then(|| name.to_owned())
    };
    for day in ["Today at ", "Yesterday at ", "today at ", "yesterday at "] {
        if let Some((before, after)) = text.split_once(day)
            && is_time(after)
        {
            return name(before);
        }
    }
    if let Some((before, inside)) = text.strip_suffix(']').and_then(|text| text.rsplit_once(", ["))
        && is_time(inside)
    {
        return name(before);
    }
    // Without a dash or a date it may as well be talk: "see you at 8:41 PM".
    let stands = |before: &str, after: &str| {
        before.ends_with(',')
            || after.starts_with(DASHES)
            || after.starts_with(['(', '·', '»'])
            || is_dated(after)
            || WROTE.iter().any(|wrote| before.trim_end().ends_with(wrote.trim_end()))
            || speakers.who(before).is_some()
    };
    let starts = text.char_indices().filter(|(_, letter)| letter.is_whitespace() || *letter == '—').map(|(at, _)| at);
    starts.filter_map(|at| text.split_at_checked(at)).find_map(|(before, after)| {
        let after = after.trim_start();
        let time = after.trim_start_matches(DASHES).trim_start_matches(['(', '·', '»', ' ']).trim_end_matches(')');
        let found = is_time(time) && stands(before, after);
        found.then(|| name(before)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Line {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("White", Who::P2);
        Line::read(line, &speakers, |word| word.eq_ignore_ascii_case("block"), false)
    }

    fn round(line: &str) -> Option<u32> {
        read(line).round.map(|named| named.round)
    }

    fn said(line: &str) -> Vec<(Option<String>, String)> {
        let read = read(line);
        vec![(read.name, read.words)]
    }

    fn by(name: &str, words: &str) -> Vec<(Option<String>, String)> {
        vec![(Some(name.to_owned()), words.to_owned())]
    }

    #[test]
    fn a_name_stands_before_its_words() {
        for line in [
            "Black: Score, Grow",
            "**Black**: *Score*, __Grow__",
            "[20:41] Black: Score, Grow",
            "[11/20/2026 8:41 PM] Black: Score, Grow",
            "2026-11-20 20:41:30 Black: Score, Grow",
            "8:41 PM - Black: Score, Grow",
            "> Black: Score, Grow",
            "<Black> Score, Grow",
            "<@Black> Score, Grow",
            "<+Black> Score, Grow",
            "@Black: Score, Grow",
            "- Black: Score, Grow",
            "* Black: Score, Grow",
            "Black (p1): Score, Grow",
            "Black - Score, Grow",
            "Black plays Score, Grow",
            "🔥 Black: Score, Grow :torch:",
            "Black: Score,<:torch:123456> Grow",
            "Black: ~~Steal~~ Score, Grow",
            "Black: ||Score, Grow||",
        ] {
            let line = said(line.trim_start());
            let name = line[0].0.clone().unwrap_or_default();
            assert_eq!(
                (line.len(), name.trim_start_matches('@'), line[0].1.as_str()),
                (1, "Black", "Score, Grow"),
                "{line:?}"
            );
        }
    }

    #[test]
    fn a_copied_message_has_its_name_above_it() {
        for line in [
            "Black — 11/20/2026 8:41 PM",
            "Black — Today at 8:41 PM",
            "Black — Yesterday at 20:41",
            "BlackToday at 8:41 PM",
            "Black APP — 20:41",
            "Black – 20.11.2026, 20:41",
            "Black, [20.11.2026 20:41]",
            "Black  8:41 PM",
            "Black, Thursday August the twenty-eighth 2025 at 9:05 pm",
            "by Black » Thu Sep 26, 2019 6:40 pm",
            "Black (14 Apr, 18:31)",
            "Black · 11 Feb 2026 20:28",
        ] {
            assert_eq!((said(line), read(line).timed), (by("Black", ""), true), "{line}");
        }
        assert_eq!(said("Black"), by("Black", ""));
        assert_eq!(read("— 20:41"), Line { timed: true, ..Line::default() });
        assert_eq!(said("[8:42 PM] Score"), [(None, "Score".to_owned())]);
    }

    #[test]
    fn a_line_may_name_its_round_and_tell_of_both() {
        assert_eq!((round("**Round 3**"), said("**Round 3**")), (Some(3), vec![(None, String::new())]));
        assert_eq!((round("=== Round 12 ==="), read("=== Round 12 ===").words), (Some(12), String::new()));
        assert_eq!((round("Round 3: Black: Score"), said("Round 3 - Black: Score")), (Some(3), by("Black", "Score")));
        assert_eq!((round("Host: Round 3 begins!"), said("Host: Round 3 begins!")), (Some(3), by("Host", "")));
        assert_eq!((round("Black: round 3: Score"), said("Black: round 3: Score")), (Some(3), by("Black", "Score")));
        for told in
            ["Ada: Block, Score / Bo: Block", "Ada - Block; Bo - Block", "Black played Score, White played Grow"]
        {
            let line = read(&format!("Round 1: {told}"));
            assert_eq!((line.name, line.tells, line.words.as_str()), (None, true, told));
        }
        assert_eq!(said("GM: Ada: Score / Bo: Steal"), by("GM", "Ada: Score / Bo: Steal"));
        assert_eq!(said("Score, Grow (edited)"), [(None, "Score, Grow".to_owned())]);
    }

    #[test]
    fn what_is_no_name_is_said_by_whoever_spoke_before() {
        for line in [
            "block: steal",
            "Block + block: steal",
            "- grow",
            "Score, Grow",
            "see https://example.org/x",
            "ten of hearts",
            "R7 B2",
            "10 of clubs",
        ] {
            assert_eq!(said(line), [(None, line.to_owned())], "{line}");
        }
        assert_eq!(said("Grue: Score"), by("Grue", "Score"));
        assert_eq!(said("7♠️"), [(None, "7S".to_owned())]);
        assert_eq!(said("🔴7 🔵2"), [(None, "R7 B2".to_owned())]);
    }
}
