//! What the machine does, as one number: the same natively and in a browser. `boundary.rs` exports it to WebAssembly.

mod boundary;
mod damage;

use rules_as_text::{Data, Fault, Rules, Sight, SplitMix64, step};

/// Every text, with its file's name.
pub const TEXTS: [(&str, &str); 6] = [
    ("three-card-trick", include_str!("../../texts/three-card-trick.star")),
    ("five-card-trick", include_str!("../../texts/five-card-trick.star")),
    ("higher-or-lower", include_str!("../../texts/higher-or-lower.star")),
    ("black-and-white", include_str!("../../texts/black-and-white.star")),
    ("seven-tricks", include_str!("../../texts/seven-tricks.star")),
    ("twelve-janggi", include_str!("../../texts/twelve-janggi.star")),
];

/// A setup, with the first seat as the DMO or the second.
#[must_use]
pub fn setup(first: bool) -> Data {
    Data::dict([("dmo", Data::text(if first { "p1" } else { "p2" }))])
}

/// FNV-1a over everything that is said.
struct Digest(u64);

impl Digest {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn play(rules: &Rules, seed: u64, most_steps: usize, digest: &mut Digest) -> Result<(), Fault> {
    let mut stream = SplitMix64(seed);
    let mut state = rules.start(&setup(seed.is_multiple_of(2)))?;
    for n in 0..most_steps {
        digest.add(&state.json());
        if n.is_multiple_of(8) {
            digest.add(&rules.figures(&state)?.json());
            for sight in Sight::ALL {
                digest.add(&rules.state(&state, sight));
                digest.add(&rules.panels(&state, sight)?.json());
            }
        }
        let Some(next) = step(rules, &state, &mut stream)? else { break };
        digest.add(&next.ask.json());
        next.refused.iter().for_each(|(_, why)| digest.add(&why.json()));
        next.effects.iter().for_each(|effect| digest.add(&effect.json()));
        state = next.state;
    }
    digest.add(&rules.over(&state)?.map_or_else(String::new, |over| over.json()));
    let most = rules.most();
    digest.add(&format!("{} {}", most.steps, most.room));
    Ok(())
}

/// Reads a text, plays random matches by it, and says everything as a number.
#[must_use]
pub fn digest_of_matches(text: &str, first: u64, matches: u64) -> u64 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    let played = Rules::read(text)
        .and_then(|rules| (first..first + matches).try_for_each(|seed| play(&rules, seed, 2_000, &mut digest)));
    played.unwrap_or_else(|fault| digest.add(&fault.to_string()));
    digest.0
}

/// Damaged texts, one for each number: what reading and a few steps of each come to.
#[must_use]
pub fn digest_of_damage(first: u64, cases: u64) -> u64 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for case in first..first + cases {
        let text = damage::text(&mut SplitMix64(case));
        try_text(&text, case, &mut digest);
    }
    digest.0
}

/// The target of the fuzzer: any text, read and played for a few steps. True if it reads.
pub fn fuzz(text: &str, seed: u64) -> bool {
    try_text(text, seed, &mut Digest(0))
}

/// The text of one case.
#[must_use]
pub fn damaged(case: u64) -> String {
    damage::text(&mut SplitMix64(case))
}

fn try_text(text: &str, seed: u64, digest: &mut Digest) -> bool {
    let rules = match Rules::read_within(text, 2_000) {
        Ok(rules) => rules,
        Err(fault) => {
            digest.add(&fault.to_string());
            return false;
        }
    };
    if let Err(fault) = play(&rules, seed, 3, digest) {
        digest.add(&fault.to_string());
    }
    true
}
