//! A question of a state as a form for every party that is asked, with the same controls and line as the players have.

use app::views::{LineError, LineReading, LineState, VisibleMatch};
use engine::{Ask, BySeat, Form, Party, Seat, To, name_seats};
use record::words::sentence;

use super::answer_fields::{Answer, line_of, prefix, typed};
use super::variation::Variation;
use page::PartyMark;
use page::controls::Controls;
use page::vocabulary::Vocabulary;

#[derive(Debug)]
pub(super) struct Question {
    pub(super) key: String,
    pub(super) prompt: String,
    pub(super) optional: bool,
    pub(super) default: String,
    pub(super) parties: Vec<PartyForm>,
    pub(super) hint: Option<(String, String)>,
    pub(super) vocabulary: Vocabulary,
    answered: bool,
}

#[derive(Debug)]
pub(super) struct PartyForm {
    pub(super) party: Party,
    pub(super) name: String,
    pub(super) controls: Option<Controls>,
    pub(super) line: LineReading,
    pub(super) as_played: Option<String>,
    text: String,
}

pub(super) fn key(ask: &Ask) -> String {
    let whom = match ask.to {
        To::Both => "both",
        To::One(seat) => seat.word(),
        To::Host => Party::Host.word(),
    };
    format!("{whom} {}", ask.what)
}

impl Question {
    /// The questions of the state after a variation, with the answer to one of them. The question that was really
    /// answered here comes first, then those that the match waits for.
    pub(super) fn all(variation: &Variation<'_, '_>, answer: Option<&Answer>) -> Vec<Self> {
        let mut asks = variation.duel().asks();
        asks.sort_by_key(|ask| (!variation.was_answered(ask), ask.optional));
        asks.iter().enumerate().map(|(at, ask)| Self::of(variation, at, ask, answer)).collect()
    }

    fn of(variation: &Variation<'_, '_>, at: usize, ask: &Ask, answer: Option<&Answer>) -> Self {
        let (visible, duel, key) = (variation.start.visible, variation.duel(), key(ask));
        let names = visible.names();
        let parties = match ask.to {
            To::Both => Seat::BOTH.map(Party::Seat).to_vec(),
            To::One(seat) => vec![Party::Seat(seat)],
            To::Host => vec![Party::Host],
        };
        let form = |party| Some((party, duel.form(party, &ask.what)?));
        let forms: Vec<(Party, Form)> = parties.into_iter().filter_map(form).collect();
        let answer = answer.filter(|answer| answer.question == key);
        let party_form = |(party, form): &(Party, Form)| PartyForm::of(variation, at, ask, *party, form, answer);
        let hint = forms.iter().find_map(|(_, form)| match form {
            Form::Line { hint, example, .. } => Some((sentence(&name_seats(hint, names)), example.clone())),
            Form::Words { .. } => None,
        });
        let silent = forms.iter().any(|(party, _)| duel.read(*party, &ask.what, "-").is_ok());
        Self {
            key,
            prompt: visible.name_in(&ask.prompt),
            optional: ask.optional,
            default: if silent { visible.name_in(&ask.default) } else { String::new() },
            parties: forms.iter().map(party_form).collect(),
            hint,
            vocabulary: Vocabulary::of(duel, ask, &forms),
            answered: answer.is_some(),
        }
    }

    pub(super) fn line(&self, variation: &Variation<'_, '_>) -> Option<String> {
        let whole = self.answered && !self.parties.is_empty() && self.parties.iter().all(|form| form.line.counts());
        if !whole {
            return None;
        }
        let of = |party: Party| self.parties.iter().find(|form| form.party == party).map(|form| form.text.clone());
        match of(Party::Host) {
            Some(draw) => Some(format!("host: {draw}")),
            None => Some(variation.duel().line(&BySeat::from_fn(|seat| of(Party::Seat(seat))))),
        }
    }

    pub(super) fn refuse(&mut self, error: LineError) {
        if let Some(form) = self.parties.first_mut() {
            form.line.state = LineState::Invalid;
            form.line.error = Some(error);
        }
    }

    pub(super) fn is_refused(&self) -> bool {
        self.parties.iter().any(|form| form.line.error.is_some())
    }
}

impl PartyForm {
    fn of(
        variation: &Variation<'_, '_>,
        at: usize,
        ask: &Ask,
        party: Party,
        form: &Form,
        answer: Option<&Answer>,
    ) -> Self {
        let (visible, duel): (VisibleMatch<'_>, _) = (variation.start.visible, variation.duel());
        let fields = answer.map(|answer| answer.own(party)).unwrap_or_default();
        let as_played = variation.as_played(ask, party).map(str::to_owned);
        let name = party.seat().map_or("The host", |seat| visible.names()[seat]).to_owned();
        let mut text = line_of(form, &fields);
        let silent = text.trim().is_empty();
        if let (true, Some(_), Some(played)) = (silent, answer, &as_played) {
            text.clone_from(played);
        }
        let mut line = LineReading::read(visible.history, duel, party, &ask.what, &text);
        if line.state == LineState::Nothing && answer.is_some() {
            line.state = LineState::Invalid;
            line.error = Some(LineError::whole(match party {
                Party::Seat(_) => format!("Nothing is chosen for {name} yet."),
                Party::Host => "No draw is typed yet.".to_owned(),
            }));
        }
        // Picked values appear in the controls; the line holds only typed text.
        typed(&fields).clone_into(&mut line.typed);
        let nothing = duel.read(party, &ask.what, "nothing").is_ok();
        let id = format!("q{at}-{party}");
        let controls = Controls::of(&id, form, &visible.view(duel), visible.names(), nothing, &fields);
        Self {
            controls: controls.map(|controls| controls.prefixed(&prefix(party))),
            party,
            name,
            line,
            as_played,
            text,
        }
    }

    pub(super) const fn mark(&self) -> PartyMark {
        PartyMark(self.party)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played::Book as Played;
    use crate::whatif::starting_point::Start;
    use app::views::Beat;

    fn answer(question: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = fields.iter().copied().chain([("ask", question)]);
        let fields: Vec<_> = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Answer::of(&fields).unwrap()
    }

    /// The line made from these fields before a round of a match in which Score met Claim, and the errors.
    fn line_of(fields: &[(&str, &str)]) -> (Option<String>, Vec<String>) {
        let mut played = Played::opened("five-card-trick/dm-colosseum-2", None, BySeat { p1: &[], p2: &[] });
        played.plays("1. score / claim");
        played.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
        played.ends();
        let history = played.history();
        let start = Start::of(&history, "1", Beat::Before).unwrap();
        let variation = Variation::of(&start, &[]);
        let questions = Question::all(&variation, Some(&answer("both round", fields)));
        let errors = questions.iter().flat_map(|question| &question.parties).filter_map(|form| form.line.error.clone());
        let errors = errors.map(|error| error.text).collect();
        (questions.iter().find_map(|question| question.line(&variation)), errors)
    }

    #[test]
    fn both_seats_answer_in_one_form() {
        let picked = [("p1-pick", "score"), ("p1-pick", "block:steal"), ("p2-pick", ""), ("p2-move", "gr")];
        assert_eq!(line_of(&picked), (Some("1. score block:steal / gr".to_owned()), Vec::new()));
        // An empty answer means the real move.
        assert_eq!(line_of(&[("p1-move", "steal"), ("p2-move", " ")]).0.as_deref(), Some("1. steal / claim"));
        assert_eq!(line_of(&[("p1-move", "steal"), ("p2-move", "-")]).0.as_deref(), Some("1. steal / -"));
        let (line, errors) = line_of(&[("p1-move", "jump"), ("p2-move", "claim")]);
        assert_eq!((line, errors.len()), (None, 1), "{errors:?}");
        let (line, errors) = line_of(&[("p1-move", &"s ".repeat(400)), ("p2-move", "claim")]);
        assert_eq!(line, None);
        assert!(errors[0].starts_with("This has "), "{errors:?}");
    }

    #[test]
    fn an_answer_to_another_question_counts_for_none() {
        assert!(Answer::of(&[("line".to_owned(), "x".to_owned())]).is_none());
        let mut played = Played::opened("five-card-trick/dm-colosseum-2", None, BySeat { p1: &[], p2: &[] });
        played.plays("1. score / claim");
        played.rules("conceded", None);
        played.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
        played.ends();
        let history = played.history();
        let start = Start::of(&history, "1", Beat::Before).unwrap();
        let variation = Variation::of(&start, &["steal / grow".to_owned()]);
        let questions = Question::all(&variation, Some(&answer("p1 start", &[("p1-move", "p1")])));
        assert!(!questions.is_empty());
        assert!(questions.iter().all(|question| question.line(&variation).is_none() && !question.is_refused()));
        // After leaving the match's own line, an empty answer is not an answer.
        let mut questions = Question::all(&variation, Some(&answer("both round", &[("p1-move", "grow")])));
        assert!(questions[0].line(&variation).is_none() && questions[0].is_refused());
        assert_eq!(questions[0].parties[1].line.error.as_ref().unwrap().text, "Nothing is chosen for Okapi yet.");
        questions[0].refuse(LineError::whole("No."));
        assert_eq!(questions[0].parties[0].line.state, LineState::Invalid);
    }
}
