//! What a text says of one seat: a move, perhaps with more of the game behind it; a remark about moves; or nothing of the game.
//! The engine decides what reads as a move. What is left over beside it decides whether somebody has to be asked.

use engine::{Ask, Duel, Seat, To};

use super::clause::Clause;
use super::hearing::Hearing;
use super::hidden::is_hidden;
use super::line::VERBS;
use super::wording::{LONGEST, is_filler, is_in, is_nothing};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Move {
        text: String,
        /// More of the game behind it, such as where a card goes; mostly empty.
        rest: String,
        /// Whether something else is said beside it.
        beside: bool,
    },
    /// Words of the game that read as no move: somebody has to look.
    Doubt,
    /// Words of the game among others: what somebody thinks of it.
    Remark,
    /// Nothing of the game.
    Talk,
}

/// Words that make a remark of what would be a move.
const DOUBT: &str = "not no never almost nearly would could should might may maybe perhaps if unless hope hopes hoping think \
    thinks thought want wanted wants why what who when whether how expect expected expecting expects guess guessed don't \
    didn't doesn't won't can't cannot wouldn't shouldn't than was were been because since next last previous earlier can \
    nice good great bad lucky risky always again ever wow lol did does do is are has have had by blocked resolve resolves";
/// Words with which somebody takes a move back.
const CORRECTION: &str = "oops meant mean wait actually sorry correction instead edit scratch change changed changing typo \
    misclick mistake misread whoops";
/// Short words that begin a word of some game, and are none.
const COMMON: &str = "no not go so do be he me we us to on of in is it at as an a i or by my ok gg gl hf up the and for but his her she has had was are you out too";
/// Words that may stand before what a clause with a verb says, of those that the game does not know.
const LEAD_MOST: usize = 4;
/// Words that a player may say behind a move.
const BEHIND_MOST: usize = 2;

/// Marks behind what a program cut.
const MORE: [&str; 4] = ["see more", "read more", "show more", "view more"];

struct Token<'t> {
    text: &'t str,
    at: usize,
    lower: String,
    game: bool,
    /// Nearly a word of the game: perhaps it is one, mistyped.
    slip: bool,
}

impl Token<'_> {
    const fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// Whether a player says that a move was meant otherwise.
pub(super) fn is_correction(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.starts_with('*') || words(&lower).any(|(_, word)| is_in(CORRECTION, word))
}

/// What is left of a text that a program cut: "Score, gr… See more". Three points alone end a word of the game that is cut, or
/// they end what somebody says.
pub(super) fn cut<'t>(game: &Hearing, text: &'t str) -> Option<&'t str> {
    let text = text.trim_end();
    let points = |text: &'t str| text.strip_suffix('…').or_else(|| text.strip_suffix("..."));
    let marked = MORE.iter().find_map(|mark| {
        let (begun, end) = text.split_at_checked(text.len().checked_sub(mark.len())?)?;
        end.eq_ignore_ascii_case(mark).then(|| begun.trim_end())
    });
    if let Some(begun) = marked {
        return points(begun);
    }
    let begun = points(text)?;
    let word = begun.rsplit(|letter: char| !letter.is_alphanumeric()).next()?.to_lowercase();
    (!word.is_empty() && !game.is_game_word(&word) && game.begins_word(&word)).then_some(begun)
}

/// Whether a text holds a word of the game, also one that is cut to its beginning.
pub(super) fn is_of_the_game(game: &Hearing, text: &str) -> bool {
    tokens(game, text, true).iter().any(|token| token.game || token.slip)
}

pub(super) fn of_player(game: &Hearing, duel: &Duel, seat: Seat, text: &str) -> Sense {
    sense(game, duel, seat, text, false)
}

/// What somebody else tells of a player.
pub(super) fn of_clause(game: &Hearing, duel: &Duel, clause: &Clause) -> Sense {
    if clause.is_silence() {
        let beside = clause.words.len() > 1;
        return Sense::Move { text: "-".to_owned(), rest: String::new(), beside };
    }
    if clause.cut && is_of_the_game(game, &clause.words) {
        return Sense::Doubt;
    }
    sense(game, duel, clause.seat, &clause.words, clause.marked)
}

fn sense(game: &Hearing, duel: &Duel, seat: Seat, text: &str, told: bool) -> Sense {
    if text.len() > LONGEST {
        return Sense::Talk;
    }
    let tokens = tokens(game, text, told);
    let asks = text.contains('?');
    let strict = tokens.iter().any(|token| token.game) || is_short(&tokens) || is_nothing(text);
    if !asks
        && strict
        && !is_passive(&tokens)
        && let Some(text) = game.answer(duel, seat, text)
    {
        return Sense::Move { text, rest: String::new(), beside: false };
    }
    if let Some(bare) = without_remark(game, text) {
        return sense(game, duel, seat, &bare, told);
    }
    let games = tokens.iter().filter(|token| token.game).count();
    let sounds = game.sounds(seat, text);
    if games == 0 && !sounds {
        return Sense::Talk;
    }
    // "Block (?)": its target is nobody's to guess.
    if is_hidden(text) {
        return Sense::Doubt;
    }
    if asks || is_passive(&tokens) {
        return Sense::Remark;
    }
    // An item that is left out would allow it.
    let with_item = |item: &str| game.answer(duel, seat, &format!("{text} {item}")).is_some();
    if game.items(seat).iter().any(|item| with_item(item)) {
        return Sense::Doubt;
    }
    match window(game, duel, seat, text, &tokens) {
        Some((from, to, found)) => {
            let alone = matches!(duel.asks().last(), Some(Ask { to: To::One(_), .. }));
            let room = found.split(' ').count() < usize::from(game.vocabulary(seat.into()).most);
            match beside(text, &tokens, (from, to), found, (told, room)) {
                // "R1 I guess": it begins as a move, and may be one.
                Sense::Remark if from == 0 && !told && alone && tokens.len() < to + 5 => Sense::Doubt,
                said => said,
            }
        }
        None if sounds || games * 2 >= tokens.len() || (told && !doubts(&tokens)) => Sense::Doubt,
        None => Sense::Remark,
    }
}

/// A text without what stands in brackets, where that has no word of the game.
pub(super) fn without_remark(game: &Hearing, text: &str) -> Option<String> {
    let (before, rest) = text.split_once('(')?;
    let (inside, behind) = rest.split_once(')').unwrap_or((rest, ""));
    if is_hidden(text) {
        return None;
    }
    let free = tokens(game, inside, true).iter().all(|token| !token.game && !token.slip);
    (free && !before.trim().is_empty()).then(|| format!("{} {}", before.trim(), behind.trim()).trim().to_owned())
}

/// Judges what stands before and behind a move. `room` says that one more word of the game could stand in it.
fn beside(
    text: &str,
    tokens: &[Token<'_>],
    (from, to): (usize, usize),
    found: String,
    (told, room): (bool, bool),
) -> Sense {
    let (head, tail) = (tokens.get(..from).unwrap_or_default(), tokens.get(to + 1..).unwrap_or_default());
    let end = tokens.get(to).map_or(text.len(), Token::end);
    let behind = text.get(end..).unwrap_or_default();
    // Another sentence speaks of something else.
    let until = behind.find(['.', '!', ';']).map_or(text.len(), |at| end + at);
    let near: Vec<&Token<'_>> = tail.iter().take_while(|token| token.at < until).collect();
    let foreign = |token: &&Token<'_>| !token.game && !is_filler(&token.lower) && !is_verb(&token.lower);
    if doubts(head) || near.iter().any(|token| is_in(DOUBT, &token.lower)) {
        return Sense::Remark;
    }
    let more = near.iter().any(|token| token.game);
    let rest = text.get(end..until).unwrap_or_default().trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let leads = |head: &[Token<'_>]| {
        let unknown = head.iter().filter(foreign).count();
        if told { unknown <= LEAD_MOST } else { unknown == 0 }
    };
    let unknown = near.iter().filter(|token| foreign(token)).count();
    let slips = head.iter().chain(near.iter().copied()).any(|token| token.slip);
    if slips || !leads(head) || (more && unknown > 0) || (!told && unknown > BEHIND_MOST) {
        return Sense::Doubt;
    }
    let beside = !tail.is_empty() || head.iter().any(|token| foreign(&token));
    // "Score, xyzzy": one unknown word in the place of another.
    let listed = || behind.trim_start().starts_with([',', '+', '&', '/']) || rest.starts_with("and ");
    let unread = room && unknown == 1 && near.iter().all(|token| foreign(token) || token.lower == "and") && listed();
    Sense::Move { text: found, rest: if more || unread { rest.to_owned() } else { String::new() }, beside }
}

/// The longest part of a text that reads as a move, from the first word of the game on.
fn window(game: &Hearing, duel: &Duel, seat: Seat, text: &str, tokens: &[Token<'_>]) -> Option<(usize, usize, String)> {
    let is_number = |token: &Token<'_>| token.lower.bytes().all(|byte| byte.is_ascii_digit());
    let starts = tokens.iter().enumerate().filter(|(_, token)| token.game || is_number(token));
    starts.take(6).find_map(|(from, start)| {
        let ends = tokens.iter().enumerate().skip(from).take(12).filter(|(_, token)| token.game || is_number(token));
        ends.collect::<Vec<_>>().into_iter().rev().find_map(|(to, end)| {
            let said = text.get(start.at..end.end())?;
            if said.contains(". ") || said.contains("! ") || (from == to && is_number(start)) {
                return None;
            }
            Some((from, to, game.answer(duel, seat, said)?))
        })
    })
}

/// Whether a short word is none of any game's.
pub(super) fn is_common(word: &str) -> bool {
    is_in(COMMON, word)
}

/// Whether a text is too short to tell a word of the game cut to its beginning from another: then all of it has to be such.
fn is_short(tokens: &[Token<'_>]) -> bool {
    !tokens.iter().any(|token| is_common(&token.lower))
}

/// Whether a word of the game is said of what was done to it, at the end: "Claim is blocked".
fn is_passive(tokens: &[Token<'_>]) -> bool {
    tokens.len() > 1 && tokens.last().is_some_and(|last| last.game && last.lower == "blocked")
}

/// Whether nothing but moves is said.
pub(super) fn is_clean(game: &Hearing, text: &str) -> bool {
    tokens(game, text, true).iter().all(|token| token.game || is_filler(&token.lower) || is_verb(&token.lower))
}

/// Whether a word makes a remark of what is said.
pub(super) fn is_doubted(game: &Hearing, text: &str) -> bool {
    doubts(&tokens(game, text, true))
}

fn doubts(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| is_in(DOUBT, &token.lower))
}

fn is_verb(word: &str) -> bool {
    VERBS.as_bytes().split(|byte| b"| ".contains(byte)).any(|known| known == word.as_bytes())
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && !"'’+-:_".contains(letter));
    let bare = parts.map(|word| word.trim_matches(['-', ':', '\'', '’'])).filter(|word| !word.is_empty());
    bare.map(move |word| (word.as_ptr() as usize - start, word))
}

/// The words of a text. Where `cut`, a word that only begins one of the game's is one as well: "sc, gr".
fn tokens<'t>(game: &Hearing, text: &'t str, cut: bool) -> Vec<Token<'t>> {
    let token = |(at, word): (usize, &'t str)| {
        let lower = word.to_lowercase().replace('’', "'");
        let of_game =
            lower.trim_start_matches('+').split([':', '-']).any(|part| game.is_game_word(part) || game.is_code(part));
        let begins = || cut && !is_filler(&lower) && !is_common(&lower) && game.begins_word(&lower);
        let of_game = of_game || begins();
        let slip = !of_game && !is_filler(&lower) && !is_verb(&lower) && game.is_slip(&lower);
        Token { text: word, at, lower, game: of_game, slip }
    };
    words(text).map(token).collect()
}
