//! Random answers to the questions of a text, and draws of the host from a stream.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::data::Data;
use crate::fault::{Fault, Result};
use crate::rules::Rules;

/// Numbers for an answer that the text makes itself.
const LOTS: usize = 160;

/// The same numbers from the same seed everywhere. A host draws with the stream of its seed instead.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, each equally likely; 0 for 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let Some(rest) = u64::MAX.checked_rem(n) else { return 0 };
        let spare = (rest + 1) % n;
        loop {
            let word = self.word();
            if word <= u64::MAX - spare {
                return word % n;
            }
        }
    }

    fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or(0)
    }

    /// Some items of a list, in the list's order or in a random one.
    fn some(&mut self, list: &[Data], count: usize, ordered: bool) -> Data {
        let mut places: Vec<usize> = (0..list.len()).collect();
        let mut taken = Vec::new();
        while taken.len() < count && !places.is_empty() {
            taken.push(places.remove(self.place(places.len())));
        }
        if ordered {
            taken.sort_unstable();
        }
        Data::List(taken.into_iter().filter_map(|place| list.get(place).cloned()).collect())
    }
}

/// An answer to a question: what a seat might send, or what the host draws. It may be refused.
///
/// # Errors
/// A question without a form, or where the text stopped.
pub fn answer(rules: &Rules, state: &Data, ask: &Data, who: &str, stream: &mut SplitMix64) -> Result<Data> {
    let form = ["pick", "one", "number", "draw", "line"].into_iter().find_map(|form| Some((form, ask.get(form)?)));
    let Some((form, of)) = form else {
        let what = ask.word("what");
        let forms = "pick, one, number, draw or line";
        return Err(Fault::new(0, format!("the question \"{what}\" does not say what answers it: give it {forms}")));
    };
    if who != "host" && stream.below(16) == 0 {
        return Ok(Data::None);
    }
    let unread = || Fault::new(0, format!("the question \"{}\" has a {form} that does not read", ask.word("what")));
    Ok(match (form, of) {
        ("pick", Data::List(pick)) => {
            let [Data::Int(least), Data::Int(most), Data::List(words)] = pick.as_slice() else { return Err(unread()) };
            let more = u64::try_from(most.saturating_sub(*least)).map_err(|_| unread())?;
            let count = u64::try_from(*least).map_err(|_| unread())? + stream.below(more.min(200) + 1);
            stream.some(words, usize::try_from(count).unwrap_or(words.len()), true)
        }
        ("one", Data::List(words)) => match words.get(stream.place(words.len())) {
            Some(Data::Text(text)) => Data::words(text.split(' ')),
            _ => return Err(unread()),
        },
        ("number", Data::List(ends)) => {
            let [Data::Int(least), Data::Int(most)] = ends.as_slice() else { return Err(unread()) };
            let more = most.checked_sub(*least).and_then(|more| u64::try_from(more).ok()).ok_or_else(unread)?;
            let more = stream.below(more.saturating_add(1));
            Data::Int(least.checked_add(i64::try_from(more).unwrap_or(0)).unwrap_or(*least))
        }
        ("draw", Data::Dict(_)) => {
            let (Some(from), Some(take)) =
                (of.get("from").and_then(Data::as_list), of.get("take").and_then(Data::as_int))
            else {
                return Err(unread());
            };
            let take = usize::try_from(take).ok().filter(|take| *take <= from.len()).ok_or_else(unread)?;
            stream.some(from, take, false)
        }
        ("line", _) => {
            let lots = (0..LOTS).map(|_| Data::Int(i64::from((stream.word() >> 40) as u32))).collect();
            rules.suggest(state, who, ask.word("what"), &Data::List(lots))?
        }
        _ => return Err(unread()),
    })
}

/// An answer as the notation writes it.
#[must_use]
pub fn words_of(sent: &Data) -> String {
    match sent {
        Data::Text(text) => (&**text).into(),
        Data::Int(number) => number.to_string(),
        Data::List(list) if list.is_empty() => "nothing".into(),
        Data::List(list) => list.iter().map(words_of).collect::<Vec<_>>().join(" "),
        _ => "-".into(),
    }
}

/// A step of a random match.
#[derive(Debug)]
pub struct Step {
    pub ask: Data,
    pub sent: Data,
    /// Answers that were tried and refused, with the refusals.
    pub refused: Vec<(Data, Data)>,
    pub state: Data,
    pub effects: Vec<Data>,
}

/// How many answers are tried before a seat sends nothing.
const TRIES: usize = 64;

/// One random step from this state; none once nothing is asked.
///
/// # Errors
/// Where the text stopped, or a host's draw that it refuses.
pub fn step(rules: &Rules, state: &Data, stream: &mut SplitMix64) -> Result<Option<Step>> {
    let asks = rules.asks(state)?;
    let Some(ask) = asks.get(stream.place(asks.len())).cloned() else { return Ok(None) };
    let who = match ask.word("to") {
        "both" => ["p1", "p2"].as_slice(),
        "p1" => &["p1"],
        "p2" => &["p2"],
        "host" => &["host"],
        _ => return Err(Fault::new(0, "a question is \"to\" both, p1, p2 or host")),
    };
    let (mut sent, mut refused) = (Vec::new(), Vec::new());
    for who in who {
        let mut taken = Data::None;
        for _ in 0..TRIES {
            let answer = answer(rules, state, &ask, who, stream)?;
            match rules.refuse(state, who, ask.word("what"), &answer)? {
                None => {
                    taken = answer;
                    break;
                }
                Some(why) if *who == "host" => {
                    return Err(Fault::new(0, format!("the host's own draw is refused: {}", why.word("why"))));
                }
                Some(why) => refused.push((answer, why)),
            }
        }
        sent.push(((*who).into(), taken));
    }
    let sent = Data::Dict(sent);
    let (state, effects) = rules.play(state, ask.word("what"), &sent)?;
    Ok(Some(Step { ask, sent, refused, state, effects }))
}
