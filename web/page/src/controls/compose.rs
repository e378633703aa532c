//! The line that the fields of a form make, and the fields that make a line.

use engine::{Choice, Form, Places};

use super::{Fields, all, first, parts};

pub(super) fn placed_words<'s>(places: &'s Places, sent: &'s Fields) -> Vec<Vec<&'s str>> {
    let written = |at: usize| {
        let words = sent.iter().filter(move |(name, _)| name.strip_prefix("at-") == Some(at.to_string().as_str()));
        words.flat_map(|(_, value)| value.split([' ', ',', ';', '\t'])).filter(|word| !word.is_empty()).collect()
    };
    let mut laid: Vec<Vec<&str>> = (0..places.places.len()).map(written).collect();
    if let [only] = laid.as_mut_slice() {
        let spread = (1..places.things.len()).flat_map(|n| all(sent, &format!("at-{n}")).collect::<Vec<_>>());
        only.extend(spread);
    }
    for thing in &places.things {
        let at = first(sent, &format!("in-{}", thing.word)).parse::<usize>();
        if let Some(slot) = at.ok().and_then(|at| laid.get_mut(at)) {
            slot.push(&thing.word);
        }
    }
    laid
}

pub fn compose(form: &Form, sent: &Fields) -> Option<String> {
    match form {
        Form::Line { places: Some(places), .. } => {
            let laid = placed_words(places, sent);
            let empty = laid.iter().all(Vec::is_empty) && all(sent, "pick").next().is_none();
            if empty { None } else { Some(places.line(&laid)) }
        }
        Form::Words { choices, .. } => {
            let alone = alone(sent);
            let picked = picked_words(choices, alone.as_deref().unwrap_or(sent));
            if picked.is_empty() { all(sent, "none").next().map(str::to_owned) } else { Some(picked.join(" ")) }
        }
        Form::Line { fields, .. } => parts::compose(fields, sent),
    }
}

/// The fields without other picks, where a button was pressed that means its word alone.
fn alone(sent: &Fields) -> Option<Vec<(String, String)>> {
    let only = all(sent, "only").next()?;
    let kept = sent.iter().filter(|(name, _)| name.starts_with("amount-")).cloned();
    Some([("pick".to_owned(), only.to_owned())].into_iter().chain(kept).collect())
}

/// The picked words with their targets and numbers. What a word needs and has not is left out: then the rules report
/// its absence.
fn picked_words(choices: &[Choice], sent: &Fields) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in all(sent, "pick") {
        let choice = choices.iter().find(|choice| choice.word == word);
        let named = choice.map(|choice| targets(choice, sent)).unwrap_or_default();
        match (named.as_slice(), first(sent, &format!("amount-{word}"))) {
            ([], "") => words.push(word.to_owned()),
            ([], amount) => words.push(format!("{word} {amount}")),
            (named, _) => words.extend(named.iter().map(|target| format!("{word}:{target}"))),
        }
    }
    // Whoever presses a target means the word that it belongs to.
    for choice in choices.iter().filter(|choice| !all(sent, "pick").any(|word| choice.word == word)) {
        let field = format!("target-{}", choice.word);
        let own = all(sent, &field).filter(|target| is_of(choice, target));
        words.extend(own.map(|target| format!("{}:{target}", choice.word)));
    }
    words
}

fn targets<'s>(choice: &Choice, sent: &'s Fields) -> Vec<&'s str> {
    let own = format!("target-{}", choice.word);
    all(sent, &own).chain(all(sent, "target")).filter(|target| is_of(choice, target)).collect()
}

fn is_of(choice: &Choice, target: &str) -> bool {
    choice.targets.iter().any(|(word, _)| *word == target)
}

pub fn fields_of(form: &Form, line: &str) -> Vec<(String, String)> {
    let fields = match form {
        Form::Words { choices, .. } => fields_of_words(choices, line),
        Form::Line { places: Some(places), .. } => fields_of_places(places, line),
        Form::Line { fields, .. } => parts::fields_of(fields, line),
    };
    // Only if they say the same.
    let same = |fields: &Vec<(String, String)>| compose(form, fields).is_some_and(|made| is_same(form, &made, line));
    fields.filter(same).unwrap_or_default()
}

/// True if two lines say the same. In a pile, a hand or a group the order of the cards means nothing.
fn is_same(form: &Form, made: &str, line: &str) -> bool {
    match form {
        Form::Line { places: Some(places), .. } if places.parted || places.places.len() == 1 => {
            sorted(places, made) == sorted(places, line)
        }
        _ => made.eq_ignore_ascii_case(line),
    }
}

/// The words of a line, sorted in each place. Places that all have their names in it are sorted, too.
fn sorted(places: &Places, line: &str) -> Vec<Vec<String>> {
    let words = |part: &str| {
        let mut words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
        words.sort_unstable();
        words
    };
    let mut parts: Vec<_> = line.strip_prefix(places.verb).unwrap_or(line).split('|').map(words).collect();
    if places.places.iter().all(|slot| !slot.lead.is_empty()) {
        parts.sort_unstable();
    }
    parts
}

fn fields_of_words(choices: &[Choice], line: &str) -> Option<Vec<(String, String)>> {
    let (mut fields, mut rest) = (Vec::new(), line.trim());
    while !rest.is_empty() {
        let ends =
            |word: &str| rest.get(word.len()..).is_some_and(|tail| tail.is_empty() || tail.starts_with([' ', ':']));
        let begins = |word: &&str| rest.starts_with(*word) && ends(word);
        let known = choices.iter().map(|choice| &*choice.word).chain(["nothing"]);
        let word = known.filter(begins).max_by_key(|word| word.len())?;
        fields.push(("pick".to_owned(), word.to_owned()));
        rest = rest.get(word.len()..)?;
        if let Some(tail) = rest.strip_prefix(':') {
            let target = tail.split(' ').next()?;
            let own = if choices.iter().filter(|choice| !choice.targets.is_empty()).count() > 1 {
                "target".to_owned()
            } else {
                format!("target-{word}")
            };
            let named = (own, target.to_owned());
            if !fields.contains(&named) {
                fields.push(named);
            }
            rest = tail.get(target.len()..)?;
        } else if choices.iter().any(|choice| choice.word == word && choice.amounts.is_some()) {
            let amount = rest.trim_start().split(' ').next()?;
            fields.push((format!("amount-{word}"), amount.to_owned()));
            rest = rest.trim_start().get(amount.len()..)?;
        }
        rest = rest.trim_start();
    }
    Some(fields)
}

fn fields_of_places(places: &Places, line: &str) -> Option<Vec<(String, String)>> {
    if !places.nothing.is_empty() && line == places.nothing {
        return Some(vec![("pick".to_owned(), places.nothing.to_owned())]);
    }
    let body = line.strip_prefix(places.verb)?.trim();
    let parts: Vec<&str> = if places.parted { body.split('|').collect() } else { vec![body] };
    let mut laid: Vec<Vec<&str>> = vec![Vec::new(); places.places.len()];
    let mut next = 0;
    for part in parts.iter().map(|part| part.trim()) {
        let led = |slot: &engine::Slot| !slot.lead.is_empty() && part.starts_with(slot.lead.as_str());
        let at = places.places.iter().position(led).unwrap_or(next);
        let lead = places.places.get(at).map_or("", |slot| slot.lead.as_str());
        let words = part.strip_prefix(lead)?.split_whitespace();
        if places.parted {
            laid.get_mut(at)?.extend(words);
        } else {
            // Without separators the places are filled one after the other.
            let room = places.places.iter().enumerate().flat_map(|(at, slot)| (0..slot.most).map(move |_| at));
            for (word, at) in words.zip(room) {
                laid.get_mut(at)?.push(word);
            }
        }
        next = at + 1;
    }
    let known = |word: &str| places.things.iter().find(|thing| thing.word.eq_ignore_ascii_case(word));
    let mut fields = Vec::new();
    for (at, words) in laid.into_iter().enumerate() {
        for word in words {
            let thing = known(word)?;
            if thing.lies.is_none() {
                fields.push((format!("in-{}", thing.word), at.to_string()));
            }
        }
    }
    Some(fields)
}
