//! How people write a move, turned into ways in which the notation could say it. The engine decides which of them reads.

use engine::{BySeat, Seat};

use super::short_answer::{CHOOSING, amount, negated, ordered};
use super::vocabulary::Vocabulary;

/// The longest text that may be a move, in bytes.
pub(super) const LONGEST: usize = 4 * record::limits::MOVE_MAX_CHARS;

/// What people write where nothing came.
const NOTHING_CAME: &str = "late|too late|nothing in time|nothing came|–|—|no submission|nothing submitted|did not submit|didn't submit|\
    didn’t submit|no move|timed out|no response|no answer|no reply|did not respond|didn't respond|\
    didn’t respond|did not answer|no submission received|nothing received|afk|timeout|missed|default|no show|no-show|absent|asleep";
const BETWEEN: &str = "on naming targeting against vs at to their the";
/// Words with which a move is said in a sentence. None of them turns its meaning.
pub(super) const AROUND: &str = "a turn turns turned turning flip flips flipped flipping over action actions actually am choose chose choosing change correction do \
    doing for go going gonna i i'd i'll i'm id ill im instead is just let let's lets like lock locking me mean \
    meant move moves my ok okay oops pick picked picking play playing plays played please sent so sorry \
    submission submit submitted submitting use used using will with it the to his her their in into onto hand \
    pile row then now more me time card cards this that here pls plz yeah nah thx thanks thank you well final answer took put puts place";
const LETTERS_MOST: usize = 4;
/// How many of those are read away; more is talk.
const AROUND_MOST: usize = 8;

/// The words of a text: letters and figures, without what stands between them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word stands in a list of words.
pub(super) fn is_in(words: &str, word: &str) -> bool {
    // Bytes are enough: a space is none of a longer letter's.
    words.as_bytes().split(|byte| *byte == b' ').any(|known| known == word.as_bytes())
}

/// Whether a text says that nothing came.
pub(super) fn is_nothing(text: &str) -> bool {
    let bare = text.trim_matches(['(', ')', '[', ']', '.', '!', ' ']);
    bare == "-" || NOTHING_CAME.split('|').any(|said| bare.eq_ignore_ascii_case(said))
}

/// Whether a word only leads to a move.
pub(super) fn is_filler(word: &str) -> bool {
    is_in(AROUND, word) || is_in(BETWEEN, word) || is_in("and then of or here this that it's it", word)
}

/// A text without the marks that people put between words.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ',' | ';' | '&' | '·' | '(' | ')' | '[' | ']' | '"' | '“' | '”' | '/' => out.push(' '),
            // An item of the final begins with one; between words it means "and".
            '+' if letters.peek().is_none_or(|next| !next.is_alphabetic()) => out.push(' '),
            letter => out.push(letter),
        }
    }
    let out = out.trim().trim_end_matches(['.', '!']).to_owned();
    let words = out.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("and") && *word != "then");
    words.collect::<Vec<_>>().join(" ")
}

/// Who says something: the seat, where it is one, and what the players are called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sayer<'n> {
    pub(super) seat: Option<Seat>,
    pub(super) names: BySeat<&'n str>,
    /// Whether the source writes moves in the letters of the site's lamps.
    pub(super) in_letters: bool,
}

/// Ways in which the notation could say this, the likeliest first, each once.
pub(super) fn candidates(vocabulary: &Vocabulary, text: &str, sayer: Sayer<'_>) -> Vec<String> {
    let (text, mut out) = (text.trim(), Vec::new());
    if text.len() > LONGEST {
        return out;
    }
    let (bare, items) = without_items(vocabulary, text);
    if !items.is_empty() {
        let played = candidates(vocabulary, &bare, sayer);
        return played.into_iter().map(|played| format!("{played} {items}")).collect();
    }
    if is_nothing(text) {
        out.push("-".to_owned());
    }
    if let Some(joined) = hyphened(vocabulary, text) {
        return candidates(vocabulary, &joined, sayer);
    }
    let letters = Letters::read(vocabulary, text);
    if let Some(letters) = letters.filter(|letters| sayer.in_letters || letters.sure || letters.single) {
        ways(vocabulary, &letters.words, &mut out);
    }
    ways(vocabulary, text, &mut out);
    let owned = without_owners(text, sayer.names);
    if owned != text {
        ways(vocabulary, &owned, &mut out);
    }
    out.extend(amount(vocabulary, text));
    if let Some(spelled) = in_a_sentence(vocabulary, &owned, sayer) {
        // "me", where it is asked who.
        let whole = vocabulary.choices.iter().find(|choice| choice.word.split(' ').nth(1) == Some(spelled.as_str()));
        out.extend(whole.map(|choice| choice.word.to_owned()));
        ways(vocabulary, &spelled, &mut out);
        if let [one, other] = spelled.split(' ').collect::<Vec<_>>().as_slice() {
            out.push(format!("{other} {one}"));
        }
    }
    out
}

/// A text with the hyphens that the game writes: "used Claim Priority" for `claim-priority`.
fn hyphened(vocabulary: &Vocabulary, text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words = vocabulary
        .choices
        .iter()
        .filter(|choice| !choice.word.starts_with('+'))
        .flat_map(|choice| choice.word.split(' '));
    words.filter(|word| word.contains('-') && word.len() > 1).find_map(|word| {
        let apart = word.replace('-', " ");
        lower.contains(&apart).then(|| lower.replace(&apart, word))
    })
}

/// A text without the items that it says are used with a move, and those as the notation writes them: "score, grow, claim with
/// Overload".
fn without_items(vocabulary: &Vocabulary, text: &str) -> (String, String) {
    let (mut bare, mut items) = (text.to_owned(), Vec::new());
    for item in vocabulary.choices.iter().filter(|choice| choice.word.starts_with('+')) {
        let written = item.word.trim_start_matches('+');
        let names = [item.label.to_lowercase(), written.to_owned(), written.replace('-', "")];
        let lower = bare.to_lowercase();
        let found = names.iter().find_map(|name| Some((lower.find(name.as_str())?, name.len())));
        let Some((at, length)) = found.filter(|_| lower.len() == bare.len()) else { continue };
        let (before, behind) = (bare.get(..at).unwrap_or_default(), bare.get(at + length..).unwrap_or_default());
        let before = before.trim_end_matches(['+', '(', ' ']).trim_end_matches(" with").trim_end_matches(" and");
        let behind = behind.trim_start_matches([')', '!', ':', ',', '.', ' ']);
        bare = format!("{before} {behind}").trim().trim_end_matches([',', ';']).to_owned();
        items.push(item.word);
    }
    (bare, items.join(" "))
}

/// A text that is nothing but letters of the site's lamps: "C, G", "cg", "S.C."
pub(super) struct Letters {
    pub(super) words: String,
    /// The words, where a letter that begins words of the game stays as it is.
    pub(super) apart: String,
    /// Whether one begins no word, and can mean nothing else: such a source is written in the letters of the lamps.
    pub(super) sure: bool,
    /// Whether each means one word, also as its beginning.
    single: bool,
}

impl Letters {
    pub(super) fn read(vocabulary: &Vocabulary, text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let letters: Vec<char> =
            lower.chars().filter(|letter| letter.is_alphanumeric()).take(LETTERS_MOST + 1).collect();
        let word = |letter: &char| vocabulary.letters.iter().find(|(known, _)| known == letter).map(|(_, word)| *word);
        let begun = |letter: &char| vocabulary.words.iter().filter(|word| word.starts_with(*letter)).count();
        let words: Vec<&str> = letters.iter().map_while(word).collect();
        if !(1..=LETTERS_MOST).contains(&letters.len()) || words.len() < letters.len() {
            return None;
        }
        // "ST" may be a word that is cut.
        let is_cut = |run: &str| run.len() > 1 && vocabulary.words.iter().any(|word| word.starts_with(run));
        let free = !self::words(&lower).any(is_cut);
        let apart = letters.iter().zip(&words);
        let apart = apart.map(|(letter, word)| if begun(letter) > 0 { letter.to_string() } else { (*word).to_owned() });
        Some(Self {
            words: words.join(" "),
            apart: apart.collect::<Vec<_>>().join(" "),
            sure: free && letters.iter().any(|letter| begun(letter) == 0),
            single: free && letters.iter().all(|letter| begun(letter) == 1),
        })
    }
}

fn ways(vocabulary: &Vocabulary, text: &str, out: &mut Vec<String>) {
    let mut add = |candidate: String| {
        if !candidate.is_empty() && !out.contains(&candidate) {
            out.push(candidate);
        }
    };
    let marked = named(text);
    if marked != text {
        add(with_targets(vocabulary, &plain(&marked)));
        add(with_targets(vocabulary, &plain(&marked).replace('+', " ")));
    }
    add(text.to_owned());
    let plain = plain(text);
    add(plain.clone());
    add(with_targets(vocabulary, &plain));
    let apart = plain.replace('+', " ").replace("->", " ").replace('→', " ");
    add(apart.split_whitespace().collect::<Vec<_>>().join(" "));
    add(with_targets(vocabulary, &apart));
}

/// A text without whose action it is that somebody names: "Block White's Claim".
fn without_owners(text: &str, names: BySeat<&str>) -> String {
    let mut out = text.to_owned();
    for (_, name) in names.each() {
        for owner in [format!("{name}'s "), format!("{name}’s ")] {
            let lower = out.to_ascii_lowercase();
            if let Some(at) = lower.find(&owner.to_ascii_lowercase()).filter(|_| !name.is_empty()) {
                out.replace_range(at..at + owner.len(), "");
            }
        }
    }
    out
}

/// What remains of a sentence without the words around a move, its words as the game has them, and names as seats where the
/// game asks for one. None where something else is said, and where nothing changes.
fn in_a_sentence(vocabulary: &Vocabulary, text: &str, sayer: Sayer<'_>) -> Option<String> {
    let asks_for_seats = vocabulary.words.iter().any(|word| word == "p1");
    let mut text = text.to_owned();
    if asks_for_seats {
        for (seat, name) in sayer.names.each().iter().filter(|(_, name)| !name.is_empty()) {
            let begins = text.get(..name.len()).filter(|begin| begin.eq_ignore_ascii_case(name));
            let at = begins.map(|_| 0).or_else(|| text.find(*name));
            if let Some(at) = at {
                text.replace_range(at..at + name.len(), seat.word());
            }
        }
    }
    for begun in ["i'll have ", "i’ll have ", "i will have "] {
        if text.get(..begun.len()).is_some_and(|head| head.eq_ignore_ascii_case(begun)) {
            text.replace_range(..begun.len(), "I take ");
        }
    }
    if let Some(ordered) = ordered(vocabulary, &text, sayer) {
        return Some(ordered);
    }
    let said = plain(&text).replace('+', " ").to_lowercase().replace('’', "'");
    if let Some(no) = negated(vocabulary, &said) {
        return Some(no.to_owned());
    }
    let (mut kept, mut around, mut bent) = (Vec::new(), 0, false);
    for word in said.split_whitespace() {
        let bare = word.trim_matches(['.', '!', '?', ':', '*']).replace('’', "'");
        let own = asks_for_seats && ["i", "i'll", "me", "myself"].contains(&bare.as_str());
        if let Some(known) = vocabulary.bent(&bare) {
            bent |= known != word;
            kept.push(known.to_owned());
        } else if asks_for_seats && is_in(CHOOSING, &bare) {
            around += 1;
        } else if let Some(seat) = sayer.seat.filter(|_| own) {
            kept.push(seat.word().to_owned());
        } else if is_in(AROUND, &bare) {
            around += 1;
        } else {
            kept.push(word.to_owned());
        }
    }
    if vocabulary.most == 1 {
        kept.dedup();
    }
    let changed = around > 0 || bent || asks_for_seats;
    (changed && around <= AROUND_MOST && !kept.is_empty()).then(|| kept.join(" "))
}

/// What stands in brackets, or after an arrow or a word such as "on", is what the word before it names: it gets a colon.
fn named(text: &str) -> String {
    let mut out = text.replace("->", ":").replace("=>", ":").replace(['→', '➡', '>'], ":").replace(['(', '['], " : ");
    out = out.replace([')', ']'], " ").replace('=', ":");
    let words: Vec<&str> = out.split_whitespace().collect();
    let mut joined = String::new();
    for (n, word) in words.iter().enumerate() {
        // "Block (blocking Claim)" says it twice.
        let again = joined.ends_with(':') && word.eq_ignore_ascii_case("blocking");
        let between = again || is_in(BETWEEN, &word.to_lowercase());
        match between {
            true if n > 0 && !joined.ends_with(':') => joined.push(':'),
            true => {}
            false => {
                if !joined.is_empty() && !joined.ends_with(':') && !word.starts_with(':') {
                    joined.push(' ');
                }
                joined.push_str(word);
            }
        }
    }
    joined
}

/// Joins each word that must name another with the one after it.
fn with_targets(vocabulary: &Vocabulary, text: &str) -> String {
    let mut out = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word.trim_end_matches(':'));
        let bare = word.trim_end_matches(':').to_lowercase();
        let choice = vocabulary.choices.iter().find(|choice| {
            let long = bare.len() > 1 || word.ends_with(':') || vocabulary.most == 1;
            !choice.targets.is_empty() && choice.word.starts_with(&bare) && long
        });
        let target = words.peek().map(|next| next.to_lowercase()).filter(|next| {
            choice.is_some_and(|choice| choice.targets.iter().any(|(target, _)| target.starts_with(next.as_str())))
        });
        if target.is_some()
            && let Some(next) = words.next()
        {
            // "S higher": only one of the words that begin so is followed by another.
            if let Some(choice) = choice.filter(|_| vocabulary.most == 1) {
                out.truncate(out.len() - word.trim_end_matches(':').len());
                out.push_str(choice.word);
            }
            out.push(':');
            out.push_str(next);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use engine::{Duel, Seat, Setup};

    use super::*;

    fn duel(ruleset: &str) -> Duel {
        Duel::open(&Setup { ruleset: ruleset.into(), dmo: Some(Seat::P1), ..Setup::default() }).unwrap()
    }

    fn read(text: &str) -> Option<String> {
        let duel = duel("five-card-trick/dm-colosseum-2");
        let vocabulary = Vocabulary::of(&duel, Seat::P1.into());
        let sayer = Sayer { seat: Some(Seat::P1), names: BySeat { p1: "Black", p2: "White" }, in_letters: false };
        let all = candidates(&vocabulary, text, sayer);
        all.iter().find_map(|text| Some(duel.read(Seat::P1, "round", text).ok()?.text))
    }

    #[test]
    fn what_people_write_is_read() {
        for (written, meant) in [
            ("Score, Grow", "score grow"),
            ("Grow + Score!", "score grow"),
            ("score & steal.", "score steal"),
            ("score+steal", "score steal"),
            ("Claim + Block: Steal", "claim block:steal"),
            ("Claim and Block (Steal)", "claim block:steal"),
            ("claim, block -> steal", "claim block:steal"),
            ("Block on Claim, Score", "score block:claim"),
            ("Claim and Block (blocking Claim)", "claim block:claim"),
            ("block: steal, claim", "claim block:steal"),
            ("claim block steal", "claim block:steal"),
            ("sc gr", "score grow"),
            ("did not submit", "-"),
            ("—", "-"),
            ("(no response)", "-"),
            ("I play score and grow", "score grow"),
            ("sorry, I meant claim", "claim"),
            ("blocking grow and scoring", "score block:grow"),
            ("Steal/Claim", "claim steal"),
            ("Block White's claim + Score", "score block:claim"),
            ("my move is: grow, steal please", "grow steal"),
            ("T", "steal"),
            ("S/T", "score steal"),
            ("BC, T", "steal block:claim"),
            ("cg", "grow claim"),
            ("C.G.", "grow claim"),
        ] {
            assert_eq!(read(written).as_deref(), Some(meant), "{written}");
        }
        for talk in [
            "good luck",
            "",
            "S, G",
            "S.C.",
            "sg",
            "no score",
            "did he claim",
            "I think you will score",
            "I will never steal",
        ] {
            assert_eq!(read(talk), None, "{talk}");
        }
    }
}
