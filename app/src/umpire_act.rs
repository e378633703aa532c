//! An act of an umpire on a match: what a form, a program and a chat send is parsed into it, and nothing else is performed.

use engine::{BySeat, Ruleset, Seat, Verdict};
use ledger::{Author, DecisionId, Head, UmpireId};
use record::History;
use record::limits::{MOVE_MAX_CHARS, WORD_MAX_CHARS, too_long};
use record::write::{Amendment, Plan, WriteError, plan_correction, plan_strike};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::AppError;
use crate::text::{KnownClause, Purpose, RulingText, TextError};
use crate::views::integer::integer;
use crate::views::{HeadJson, Lines, SeatWord};

/// An act of an umpire on a match, on the head that the umpire saw.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UmpireAct {
    RunClocks(OnHead),
    PauseClocks(NewPause),
    ExtendClock(NewExtension),
    Announce(UmpireWord),
    Draw(DrawLine),
    DrawWithoutRound(Explanation),
    BeginShares(Explanation),
    Rule(NewRuling),
    Note(NewRemark),
    Warn(NewWarning),
    Admit(Admission),
    AnswerObjection(ObjectionAnswer),
    GoOnRecorded(Explanation),
    Hand(Succession),
    Strike(NewStrike),
    Correct(NewCorrection),
    End(OnHead),
}

/// An act that names nothing but the head.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OnHead {
    pub head: HeadJson,
}

/// A stop.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPause {
    pub head: HeadJson,
    /// Why: everybody reads it. It may be empty.
    #[serde(default)]
    #[schema(max_length = 1000, example = "The chat is down")]
    pub reason: String,
}

/// Time for a decision.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewExtension {
    pub head: HeadJson,
    /// The decision.
    #[schema(value_type = String, pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    pub decision: DecisionId,
    /// How many seconds more.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 30)]
    pub seconds: u32,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The card was read out late")]
    pub reason: String,
}

/// The umpire's word on what became of the answers, in a declared game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UmpireWord {
    pub head: HeadJson,
    /// The acts in Death Match Notation, and last what comes next.
    #[schema(
        min_length = 1,
        max_length = 4000,
        pattern = "\\S",
        example = "points p1 by 1; \"Ada was faster\"; again"
    )]
    pub text: String,
}

/// What the host drew.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawLine {
    pub head: HeadJson,
    /// What was drawn elsewhere; left out, Matchbook draws by its key.
    #[schema(nullable = false, min_length = 1, max_length = 600)]
    pub text: Option<String>,
    /// Whether it may end what the players can still answer beside it. What they answered so far counts either way.
    #[serde(default)]
    pub early: bool,
}

/// An act that is explained, and names nothing else: a draw without the round of the beacon, new shares of the draws, or
/// going on as a recorded match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    pub head: HeadJson,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Bo’s browser was lost.")]
    pub text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    pub clause: Option<String>,
}

/// A ruling.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRuling {
    pub head: HeadJson,
    /// What was decided, and why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The block counts: it was sent in time.")]
    pub text: String,
    /// The clause that applies, as the ruleset numbers them.
    #[schema(nullable = false, max_length = 40, example = "1.4")]
    pub clause: Option<String>,
    /// The result that it decides; left out, the match goes on.
    #[schema(nullable = false)]
    pub result: Option<VerdictWord>,
}

/// What an umpire can decide.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    P1,
    P2,
    Undecided,
    Void,
}

/// A public remark.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRemark {
    pub head: HeadJson,
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The players agreed to a break.")]
    pub text: String,
}

/// A warning.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWarning {
    pub head: HeadJson,
    pub seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "Talked to the audience about the hand.")]
    pub text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    pub clause: Option<String>,
}

/// Letting in what came late.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    pub head: HeadJson,
    #[schema(value_type = String, pattern = "^[a-z0-9-]{1,32}$", example = "d1")]
    pub decision: DecisionId,
    pub seat: SeatWord,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The chat delivered it a minute late.")]
    pub text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    pub clause: Option<String>,
}

/// An umpire's answer to an objection, where the step stays as it is. Correcting or striking the step answers it, too.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectionAnswer {
    pub head: HeadJson,
    /// The entry of the objection.
    #[serde(deserialize_with = "integer")]
    #[schema(example = 12)]
    pub objection: u32,
    /// What was decided, and why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "The message in the chat says Claim.")]
    pub text: String,
    /// The clause that applies.
    #[schema(nullable = false, max_length = 40)]
    pub clause: Option<String>,
}

/// Another umpire for a match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Succession {
    pub head: HeadJson,
    /// The pseudonym of the umpire who goes on; your own to take it.
    #[schema(value_type = String, pattern = "^[a-z0-9]{1,32}$", example = "3f9a1c0b7d2e")]
    pub to: UmpireId,
    /// Why: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "My evening ends here.")]
    pub text: String,
}

/// A strike.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStrike {
    pub head: HeadJson,
    /// The first step that no longer counts.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 3)]
    pub from: u32,
    /// Why: everybody reads it. Not needed for a dry run.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub reason: String,
    /// Only tell what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// A correction of one step. The later ones are repeated as they were sent.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCorrection {
    pub head: HeadJson,
    /// The step.
    #[serde(deserialize_with = "integer")]
    #[schema(minimum = 1, example = 3)]
    pub step: u32,
    /// The new line of each seat that is to be corrected.
    #[serde(default)]
    pub moves: Lines,
    /// What the host drew, where that is to be corrected.
    #[schema(nullable = false, max_length = 600)]
    pub draw: Option<String>,
    /// The umpire's word, where that is to be corrected.
    #[serde(default)]
    #[schema(nullable = false, max_length = 4000)]
    pub said: Option<String>,
    /// Why: everybody reads it. Not needed for a dry run.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub reason: String,
    /// Only tell what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// The words of an act: none where it has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    purpose: Option<Purpose>,
    text: Option<&'a str>,
    clause: Option<&'a str>,
}

impl From<VerdictWord> for Verdict {
    fn from(word: VerdictWord) -> Self {
        match word {
            VerdictWord::P1 => Self::Won(Seat::P1),
            VerdictWord::P2 => Self::Won(Seat::P2),
            VerdictWord::Undecided => Self::Undecided,
            VerdictWord::Void => Self::Void,
        }
    }
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Won(Seat::P1) => Self::P1,
            Verdict::Won(Seat::P2) => Self::P2,
            Verdict::Undecided => Self::Undecided,
            Verdict::Void => Self::Void,
        }
    }
}

impl UmpireWord {
    /// The line from `says` on, however it was begun.
    pub(crate) fn line(&self) -> String {
        let said = self.text.trim();
        let said = said.strip_prefix("umpire:").unwrap_or(said).trim_start();
        if said.split_whitespace().next() == Some("says") { said.to_owned() } else { format!("says {said}") }
    }
}

impl NewCorrection {
    pub(crate) fn amendment(&self) -> Amendment<'_> {
        let draw = self.draw.as_deref().map(str::trim).filter(|draw| !draw.is_empty());
        let said = self.said.as_deref().map(str::trim).filter(|said| !said.is_empty());
        Amendment { moves: self.moves.by_seat(), draw, said }
    }

    fn is_empty(&self) -> bool {
        let Amendment { moves, draw, said } = self.amendment();
        draw.is_none() && said.is_none() && moves == BySeat::default()
    }
}

impl<'a> Words<'a> {
    const NONE: Self = Self { purpose: None, text: None, clause: None };

    const fn of(purpose: Purpose, text: &'a str) -> Self {
        Self { purpose: Some(purpose), text: Some(text), clause: None }
    }

    fn with(purpose: Purpose, text: &'a str, clause: &'a Option<String>) -> Self {
        Self { clause: Some(clause.as_deref().unwrap_or_default()), ..Self::of(purpose, text) }
    }

    pub(crate) fn rule(self) -> Option<&'a str> {
        self.clause.filter(|clause| !clause.is_empty())
    }

    pub(crate) fn text(self) -> &'a str {
        self.text.unwrap_or_default()
    }
}

impl UmpireAct {
    #[must_use]
    pub fn head(&self) -> Head {
        let head = match self {
            Self::RunClocks(OnHead { head })
            | Self::PauseClocks(NewPause { head, .. })
            | Self::ExtendClock(NewExtension { head, .. })
            | Self::Announce(UmpireWord { head, .. })
            | Self::Draw(DrawLine { head, .. })
            | Self::DrawWithoutRound(Explanation { head, .. })
            | Self::BeginShares(Explanation { head, .. })
            | Self::Rule(NewRuling { head, .. })
            | Self::Note(NewRemark { head, .. })
            | Self::Warn(NewWarning { head, .. })
            | Self::Admit(Admission { head, .. })
            | Self::AnswerObjection(ObjectionAnswer { head, .. })
            | Self::GoOnRecorded(Explanation { head, .. })
            | Self::Hand(Succession { head, .. })
            | Self::Strike(NewStrike { head, .. })
            | Self::Correct(NewCorrection { head, .. })
            | Self::End(OnHead { head }) => head,
        };
        head.head()
    }

    /// What the umpire wrote; empty where an act has no words.
    #[must_use]
    pub fn text(&self) -> &str {
        self.words().text.unwrap_or_default()
    }

    fn words(&self) -> Words<'_> {
        match self {
            Self::RunClocks(_) | Self::Announce(_) | Self::Draw(_) | Self::End(_) => Words::NONE,
            Self::PauseClocks(NewPause { reason, .. }) | Self::ExtendClock(NewExtension { reason, .. }) => {
                Words { text: Some(reason), ..Words::NONE }
            }
            Self::Strike(NewStrike { reason, dry_run: true, .. })
            | Self::Correct(NewCorrection { reason, dry_run: true, .. }) => Words { text: Some(reason), ..Words::NONE },
            Self::Strike(NewStrike { reason, .. }) | Self::Correct(NewCorrection { reason, .. }) => {
                Words::of(Purpose::Reason, reason)
            }
            Self::Note(NewRemark { text, .. }) => Words::of(Purpose::Remark, text),
            Self::Hand(Succession { text, .. }) => Words::of(Purpose::Reason, text),
            Self::Rule(NewRuling { text, clause, .. })
            | Self::AnswerObjection(ObjectionAnswer { text, clause, .. }) => Words::with(Purpose::Ruling, text, clause),
            Self::DrawWithoutRound(Explanation { text, clause, .. })
            | Self::BeginShares(Explanation { text, clause, .. })
            | Self::GoOnRecorded(Explanation { text, clause, .. })
            | Self::Warn(NewWarning { text, clause, .. })
            | Self::Admit(Admission { text, clause, .. }) => Words::with(Purpose::Reason, text, clause),
        }
    }

    /// The words of the act, if the rules of the match have its clause and its texts are as long as they may be.
    pub(crate) fn check(&self, ruleset: &dyn Ruleset) -> Result<Words<'_>, AppError> {
        let words = self.words();
        let text = match (words.text, words.purpose) {
            (Some(text), Some(purpose)) => Some(RulingText::required(purpose, text)?.as_str()),
            (Some(text), None) => Some(RulingText::optional(text)?.as_str()),
            (None, _) => None,
        };
        let clause = words.clause.map(|clause| KnownClause::read(ruleset, clause)).transpose()?;
        match self {
            Self::Draw(DrawLine { text: Some(text), .. }) => {
                too_long(text, MOVE_MAX_CHARS).map_or(Ok(()), |long| Err(TextError::TooLong(long)))?;
            }
            Self::Announce(word) => {
                too_long(&word.text, WORD_MAX_CHARS).map_or(Ok(()), |long| Err(TextError::TooLong(long)))?;
            }
            Self::Correct(correction) if correction.is_empty() => {
                return Err(WriteError::Missing("say what is corrected: the line of a seat, or what was drawn").into());
            }
            _ => {}
        }
        Ok(Words { text, clause: clause.map(|clause| clause.map_or("", KnownClause::number)), ..words })
    }

    /// The contents of the act, for the digest of its form. They must be the same in every version of this program.
    pub(crate) fn contents(&self, words: Words<'_>) -> Vec<String> {
        let (name, details) = match self {
            Self::RunClocks(_) => ("run-clocks", vec![]),
            Self::PauseClocks(_) => ("pause-clocks", vec![]),
            Self::ExtendClock(more) => ("extend-clock", vec![more.decision.to_string(), more.seconds.to_string()]),
            Self::Announce(word) => ("announce", vec![word.line()]),
            Self::Draw(DrawLine { text: None, .. }) => ("draw-by-key", vec![]),
            Self::Draw(DrawLine { text: Some(text), .. }) => ("draw", vec![text.clone()]),
            Self::DrawWithoutRound(_) => ("without-round", vec![]),
            Self::BeginShares(_) => ("begin-shares", vec![]),
            Self::Rule(_) => ("rule", vec![]),
            Self::Note(_) => ("note", vec![]),
            Self::Warn(warning) => ("warn", vec![Seat::from(warning.seat).word().to_owned()]),
            Self::Admit(late) => ("admit", vec![late.decision.to_string(), Seat::from(late.seat).word().to_owned()]),
            Self::AnswerObjection(answer) => ("answer", vec![answer.objection.to_string()]),
            Self::GoOnRecorded(_) => ("go-on-recorded", vec![]),
            Self::Hand(succession) => ("hand", vec![succession.to.to_string()]),
            Self::Strike(strike) => ("strike", vec![strike.from.to_string()]),
            Self::Correct(correction) => {
                let Amendment { moves, draw, said } = correction.amendment();
                // An unchanged seat differs from one that is corrected to have sent nothing.
                let BySeat { p1, p2 } = moves.map(|sent| sent.map_or_else(String::new, |sent| format!("={sent}")));
                let mut contents = vec![correction.step.to_string(), p1, p2, draw.unwrap_or_default().to_owned()];
                contents.extend(said.map(str::to_owned));
                ("correct", contents)
            }
            Self::End(_) => ("end", vec![]),
        };
        let mut contents = vec![name.to_owned()];
        contents.extend(details);
        contents.extend(words.clause.into_iter().chain(words.text).map(str::to_owned));
        if let Self::Rule(ruling) = self {
            contents.push(ruling.result.map_or("", |result| Verdict::from(result).word()).to_owned());
        }
        contents
    }

    #[must_use]
    pub const fn is_dry_run(&self) -> bool {
        matches!(
            self,
            Self::Strike(NewStrike { dry_run: true, .. }) | Self::Correct(NewCorrection { dry_run: true, .. })
        )
    }

    #[must_use]
    pub fn plan(&self, history: &History) -> Option<Result<Plan, WriteError>> {
        match self {
            Self::Strike(strike) => Some(plan_strike(history, strike.from)),
            Self::Correct(correction) => Some(plan_correction(history, correction.step, correction.amendment())),
            _ => None,
        }
    }

    pub(crate) fn takes_over(&self, by: &Author) -> bool {
        matches!(self, Self::Hand(Succession { to, .. }) if *by == Author::Umpire(to.clone()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn sent(act: &str, mut fields: Value) -> UmpireAct {
        fields["head"] = json!(HeadJson::of(Head::GENESIS));
        serde_json::from_value(json!({ act: fields })).unwrap()
    }

    /// The digest of a form is of these parts. If they changed, a form that was sent before an update and is sent again
    /// after it would be refused as another one.
    #[test]
    fn the_contents_of_an_act_are_the_same_in_every_version() {
        let why = || json!({ "text": " Why ", "clause": "1.4" });
        let with = |mut fields: Value| {
            fields.as_object_mut().unwrap().extend(why().as_object().unwrap().clone());
            fields
        };
        let more = json!({ "decision": "d7", "seconds": 30, "reason": "Rain" });
        let (p2, amended) = (json!({ "p2": " - " }), json!({ "p1": "grow" }));
        for (act, contents) in [
            (sent("run-clocks", json!({})), vec!["run-clocks"]),
            (sent("pause-clocks", json!({})), vec!["pause-clocks", ""]),
            (sent("extend-clock", more), vec!["extend-clock", "d7", "30", "Rain"]),
            (sent("draw", json!({ "early": true })), vec!["draw-by-key"]),
            (sent("draw", json!({ "text": "5C 2H" })), vec!["draw", "5C 2H"]),
            (sent("draw-without-round", why()), vec!["without-round", "1.4", "Why"]),
            (sent("begin-shares", json!({ "text": "Why" })), vec!["begin-shares", "", "Why"]),
            (sent("rule", why()), vec!["rule", "1.4", "Why", ""]),
            (sent("rule", with(json!({ "result": "p2" }))), vec!["rule", "1.4", "Why", "p2"]),
            (sent("note", json!({ "text": "A break" })), vec!["note", "A break"]),
            (sent("warn", with(json!({ "seat": "p2" }))), vec!["warn", "p2", "1.4", "Why"]),
            (sent("admit", with(json!({ "decision": "d7", "seat": "p1" }))), vec!["admit", "d7", "p1", "1.4", "Why"]),
            (sent("answer-objection", with(json!({ "objection": 12 }))), vec!["answer", "12", "1.4", "Why"]),
            (sent("go-on-recorded", why()), vec!["go-on-recorded", "1.4", "Why"]),
            (sent("hand", json!({ "to": "3f9a", "text": "Why" })), vec!["hand", "3f9a", "Why"]),
            (sent("strike", json!({ "from": 3, "reason": "Why" })), vec!["strike", "3", "Why"]),
            (
                sent("correct", json!({ "step": 3, "moves": p2, "reason": "Why" })),
                vec!["correct", "3", "", "=-", "", "Why"],
            ),
            (
                sent("correct", json!({ "step": 3, "moves": amended, "draw": "5C", "reason": "Why" })),
                vec!["correct", "3", "=grow", "", "5C", "Why"],
            ),
            (sent("end", json!({})), vec!["end"]),
        ] {
            let words = act.check(engine::ruleset("five-card-trick/dm-colosseum-2").unwrap()).unwrap();
            assert_eq!(act.contents(words), contents);
        }
    }
}
