//! A ruleset's text: numbered clauses, and the rulings with the readings that were possible.
//!
//! Each game has its text in `clauses.txt`. A paragraph is one clause:
//!
//! ```text
//! § 1.1.2 Target
//! Block is written with the action that it bars, as in block:claim.
//! [faults=refused] Without one, the submission is illegal and may be sent again.
//! [faults=left-out] A Block without one is left out of play; it turns on no {light}.
//! [faults=left-out] ? FCT-2 What of a Block that names nothing?
//! - It is left out, as in the hostings it descends from.
//! - The submission is illegal.
//! = It is left out everywhere that submissions hold up to two actions.
//! @ faults=left-out
//! ```
//!
//! `§` begins it with its number and title, `?` a ruling with its issue and question, `-` is a possible reading, `=` the
//! chosen one, `@` the option that selects it, `!` what
//! stands on a card that this clause stops, and every other line is text. A line after `[option=value]` holds for
//! rulesets with that option alone, and what belongs to a `§` or `?` goes with it. `{light}` is a word of the ruleset.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One numbered clause of a ruleset, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The number that effects, refusals and rulings cite, such as `1.5`.
    pub number: &'static str,
    /// A heading of a word or two.
    pub title: &'static str,
    /// What stands on a card that it stops, such as "no Claim"; empty if its title says it.
    pub word: &'static str,
    /// Its text, in plain sentences.
    pub text: String,
    /// The ruling, if the rule post leaves something open.
    pub ruling: Option<RulingNote>,
}

/// A place where a rule post is silent or contradicts itself, with the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingNote {
    /// The issue's number, such as `T13-4`: the game's letters, and a count that is never used again.
    pub issue: &'static str,
    /// The question that the post leaves open.
    pub question: &'static str,
    /// The possible readings.
    pub readings: Vec<&'static str>,
    /// The reading that is used here, and why.
    pub chosen: &'static str,
    /// The option that selects this reading, as `name=value`; none if the rulesets have no other reading.
    pub option: Option<&'static str>,
}

pub(crate) fn read(text: &'static str, options: &[(&str, &str)], words: &[(&str, &str)]) -> Vec<Clause> {
    text.split("\n\n").filter_map(|paragraph| clause(paragraph, options, words)).collect()
}

fn clause(paragraph: &'static str, options: &[(&str, &str)], words: &[(&str, &str)]) -> Option<Clause> {
    let mut lines = paragraph.lines().map(|line| conditional(line, options)).peekable();
    let mut heading = None;
    while let Some((holds, line)) = lines.next_if(|(_, line)| line.starts_with("§ ")) {
        heading = heading.or(line.get("§ ".len()..).filter(|_| holds));
    }
    let (number, title) = heading?.split_once(' ')?;
    let (mut text, mut ruling, mut asked, mut word) = (String::new(), None::<RulingNote>, false, "");
    for (holds, line) in lines {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let open = ruling.as_mut().filter(|_| asked && holds);
        match (mark, open) {
            ("!", _) => word = rest,
            ("?", _) => {
                asked = holds;
                ruling = if holds { rest.split_once(' ').map(RulingNote::new) } else { ruling };
            }
            ("-", Some(ruling)) => ruling.readings.push(rest),
            ("=", Some(ruling)) => ruling.chosen = rest,
            ("@", Some(ruling)) => ruling.option = Some(rest),
            ("-" | "=" | "@", None) => {}
            _ if holds => {
                text.extend((!text.is_empty()).then_some(' '));
                text.push_str(line);
            }
            _ => {}
        }
    }
    for (name, word) in words {
        text = text.replace(&format!("{{{name}}}"), word);
    }
    Some(Clause { number, title, word, text, ruling })
}

fn conditional(line: &'static str, options: &[(&str, &str)]) -> (bool, &'static str) {
    let Some((option, line)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) else {
        return (true, line);
    };
    (option.split_once('=').is_some_and(|option| options.contains(&option)), line)
}

impl RulingNote {
    const fn new((issue, question): (&'static str, &'static str)) -> Self {
        Self { issue, question, readings: Vec::new(), chosen: "", option: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "A note.\n\n\
        [words=gems] § 1.1 Torches\n[words=chips] § 1.1 Lights\n! off\nOne {light}.\n[tie=dmo] Or two.\n[tie=none] Or three.\n\
        [tie=none] ? A-1 Why?\n- It never shows.\n= Nor does this.\n\
        [tie=dmo] ? A-2 How?\n- So.\n- Or so.\n[tie=dmo] = So.\n[tie=none] = Or so.\n@ tie=dmo\n\n\
        [tie=none] § 1.2 Never\nNot here.\n";

    #[test]
    fn a_text_is_read_under_its_options() {
        let ruling = RulingNote {
            readings: alloc::vec!["So.", "Or so."],
            chosen: "So.",
            option: Some("tie=dmo"),
            ..RulingNote::new(("A-2", "How?"))
        };
        let clause = Clause {
            number: "1.1",
            title: "Lights",
            word: "off",
            text: "One light. Or two.".into(),
            ruling: Some(ruling),
        };
        assert_eq!(read(TEXT, &[("words", "chips"), ("tie", "dmo")], &[("light", "light")]), [clause]);
    }
}
