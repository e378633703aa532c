//! The numbered rules that a match is checked by, as docs/record-format.md, "What to check", lists them.

use std::fmt;

/// What a verifier does where a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duty {
    /// The match fails.
    Fail,
    /// It is said, and the match does not fail.
    Say,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $finding:literal . $number:literal $duty:ident;)*) => {
        /// A numbered rule. Its number is that of its finding, a dot, and its own: `3.7`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $($(#[doc = $doc])* $name,)*
        }

        impl Rule {
            /// All rules, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            const fn row(self) -> (u8, u8, Duty, &'static str) {
                match self {
                    $(Self::$name => ($finding, $number, Duty::$duty, concat!($($doc),*)),)*
                }
            }
        }
    };
}

rules! {
    /// Each line is an entry of this match; entries are numbered without a gap, each `prev` is the leaf hash before it, and time never goes back.
    Chain = 1 . 1 Fail;
    /// Each body is one of its kind, with all of its keys and no other.
    Body = 1 . 2 Fail;
    /// A match opens once, with its first entry.
    OpensOnce = 1 . 3 Fail;
    /// A live match says in `looks` whether its umpire may look; no other match does.
    Looks = 1 . 4 Fail;
    /// Links to a seat are numbered from 0, and made before they are used. Imported matches have none.
    Links = 1 . 5 Fail;
    /// Each text that comes along opens a commitment.
    TextOpens = 1 . 6 Fail;
    /// No text comes along that nothing commits to.
    StrayText = 1 . 7 Fail;
    /// Decisions are numbered without a gap.
    Decisions = 1 . 8 Fail;
    /// A match is not checked further whose `rules` or whose ruleset the verifier does not know.
    Unread = 1 . 9 Say;

    /// The keys that come along are those of the log that `origin` names: one under each of its names in order, no two the same, and the later ones as the newest checkpoint has them.
    LogKeys = 2 . 1 Fail;
    /// The newest checkpoint is signed by the log, under its origin or a later name of it. One of a later name has exactly one `succeeds` line for each name before, in order; one of the first name has none. Its common tree is no larger than its last tree and that of the checkpoint, and has their root if the sizes are equal; its signature holds, unless it is `lost`. Earlier checkpoints have the same lines, up to their name.
    CheckpointSigned = 2 . 2 Fail;
    /// Under a policy, the newest checkpoint is of a log that the policy knows, and no checkpoint is of a name that had ended.
    KnownLog = 2 . 3 Fail;
    /// The last entry that the newest checkpoint covers is in its tree, and with it, by the chain, all before.
    InTree = 2 . 4 Fail;
    /// The newest checkpoint extends each tree that an entry names.
    Extends = 2 . 5 Fail;
    /// One size of the log has one root in everything that is named, `succeeds` lines and the empty tree included.
    OneRoot = 2 . 6 Fail;
    /// The trees that the server names never become smaller.
    NeverSmaller = 2 . 7 Fail;
    /// An entry that the newest checkpoint covers names no tree larger than that.
    NotLarger = 2 . 8 Fail;
    /// Where there is a checkpoint, the line of each smaller tree that an entry names comes along.
    TreeLine = 2 . 9 Fail;
    /// Without a checkpoint, nothing shows that the entries are in the public log.
    NoCheckpoint = 2 . 10 Say;
    /// Entries after the newest checkpoint are not in the log yet.
    AfterCheckpoint = 2 . 11 Say;
    /// A tree that a player signed over and that is not shown to have been signed by the log; under a policy, also one that was signed under a name that the policy does not know.
    TreeNotShown = 2 . 12 Say;
    /// Without a policy, no file shows by itself that the key is the log's own.
    ClaimedKey = 2 . 13 Say;
    /// Under a policy, which of its witnesses cosigned, and whether they are as many as it asks for. Ours does not check ML-DSA-44: a witness with such a key counts as absent, and is named.
    Witnesses = 2 . 14 Say;
    /// Signatures whose keys nobody knows here.
    Strangers = 2 . 15 Say;
    /// The newest checkpoint and the key that signed it, to compare with what others saw; each later name of the log, whether the key before named it, and how many entries were lost.
    Newest = 2 . 16 Say;
    /// A match that waits for witnesses says in `wait` how many seconds, 1 to 600, and is no imported one. In it each `resolved` that counts a seal says in `witnessed` whether its tree was, and no other does.
    WaitStated = 2 . 17 Fail;
    /// In a match that waits for witnesses, a decision that was resolved without them, because the limit had passed.
    LimitPassed = 2 . 18 Say;
    /// In a match that waits for witnesses, under a policy: a decision whose tree is not shown to have been cosigned, as the policy asks, by the time at which it was resolved.
    NotWitnessed = 2 . 19 Say;
    /// The line of each smaller tree that the server names has the checkpoint by which the log signed it: nothing is named before it is signed.
    NamedUnsigned = 2 . 20 Fail;
    /// Under a policy, a cosignature that does not count: its time is 0, or more than 10 seconds before an entry of the match that its tree holds.
    Untimely = 2 . 21 Say;

    /// `host_key` is an Ed25519 public key, and not one of small order; it is one of the log's, where the reader knows these.
    HostKey = 3 . 1 Fail;
    /// A seal is for a decision that is open, and of a seat that it asks.
    SealAsked = 3 . 2 Fail;
    /// A seat seals once for a decision.
    SealOnce = 3 . 3 Fail;
    /// There is a seal for each field that was asked.
    SealFields = 3 . 4 Fail;
    /// A seal is by its own seat or by an umpire; in a match that is not live, by an umpire.
    SealAuthor = 3 . 5 Fail;
    /// No seal stands twice in a match.
    SealTwice = 3 . 6 Fail;
    /// Each opening opens a seal that is there.
    Opening = 3 . 7 Fail;
    /// Nothing is opened twice.
    OpenedTwice = 3 . 8 Fail;
    /// What `counted` names is a seal of that decision and seat, earlier in the chain; nothing counts for a seat that was not asked.
    Counted = 3 . 9 Fail;
    /// A default counts for a seat only where that seat sent nothing.
    Defaulted = 3 . 10 Fail;
    /// The tree that a resolution names covers the seals that it counts.
    TreeCovers = 3 . 11 Fail;
    /// Each field that a step shows is opened, of that step and of earlier ones.
    StepOpens = 3 . 12 Fail;
    /// The seals of a draw and of a correction bear the names of the values that their line hides, in its order.
    Hides = 3 . 13 Fail;
    /// A seat's key is registered in a live match, by that seat, and once.
    KeyOnce = 3 . 14 Fail;
    /// No two seats have one key, and no seat has the host's or the log's.
    KeyShared = 3 . 15 Fail;
    /// A key is not registered amid an open question.
    KeyAmid = 3 . 16 Fail;
    /// Each signature holds under the key of its seat, also that of a submission that did not count.
    Signature = 3 . 17 Fail;
    /// What a seat with a key sends after it is signed, unless a second browser or program uses a link to it.
    SignedAfterKey = 3 . 18 Fail;
    /// What `replaced` shows is of a decision of the match, each number once, and below the number that counted.
    Replaced = 3 . 19 Fail;
    /// `unsealed` stands after `ended`.
    UnsealedAtEnd = 3 . 20 Fail;
    /// At the end, nothing that counts is closed.
    AllOpen = 3 . 21 Fail;
    /// Each seal that counted is in the tree named before it was opened, by its place in the log.
    SealInTree = 3 . 22 Fail;
    /// Where there is a checkpoint, the lines of all places that the bundle must give come along, and no other.
    SealLine = 3 . 23 Fail;
    /// How each seat's submissions are proved: signed, sealed by the server, or typed by the umpire.
    SeatGrade = 3 . 24 Say;
    /// A submission whose proof is weaker than the best of its seat.
    WeakerSeal = 3 . 25 Say;
    /// A seal that was never opened.
    NeverOpened = 3 . 26 Say;
    /// A seal that no signed checkpoint is shown to have covered before the opening.
    SealNotShown = 3 . 27 Say;
    /// Whoever vouches for a key is a registered player: the chain comes along, with its places in the log, and its last key from before the opening signed, which the checkpoint before the opening covers. No entry of it from before the opening is dated more than 10 seconds after that. A revoked key vouches for nothing, and no other chain comes along.
    Vouching = 3 . 28 Fail;
    /// No registered player, and no key of one, is in both seats, and no seat's key was one of a player who vouches, or the next one.
    PlayerTwice = 3 . 29 Fail;
    /// A player whom the reader knows is shown to be the one with the known key.
    KnownPlayer = 3 . 30 Fail;
    /// Which registered player vouched for a seat's key, or that this copy does not show it.
    Vouched = 3 . 31 Say;
    /// The tree that a seat signs holds the question that it answers. Practice is in no tree.
    SignedOverQuestion = 3 . 32 Fail;
    /// In a live match, that a seat sent nothing where its default counted is the server's word.
    SentNothing = 3 . 33 Say;
    /// Where a match waits for no witnesses, only the host says that a checkpoint was signed before anything was opened.
    OrderByHost = 3 . 34 Say;

    /// The opening of a live match says whether clocks run, and when they start; no other opening does.
    ClocksStated = 4 . 1 Fail;
    /// A question's clock is as long as the rules say.
    ClockLength = 4 . 2 Fail;
    /// What closes a question is what the match was opened with.
    Closing = 4 . 3 Fail;
    /// A clock starts as the match was opened, and its deadline is its start and its length.
    ClockStart = 4 . 4 Fail;
    /// A submission came before its entry.
    CameBeforeEntry = 4 . 5 Fail;
    /// A submission came after its question was asked.
    CameAfterQuestion = 4 . 6 Fail;
    /// No seal came after its deadline, unless the umpire typed it.
    CameInTime = 4 . 7 Fail;
    /// What was replaced came before what counted, where the seat sent that itself.
    ReplacedBefore = 4 . 8 Fail;
    /// A clock changes only where it can: it is that of an open question, it is paused and resumed in turn, and each is before its time is up.
    ClockChange = 4 . 9 Fail;
    /// Each new deadline is the sum that its clock comes to.
    Deadline = 4 . 10 Fail;
    /// A seat's extension is one that it has in store, as long as the rules say, and begins by itself when the time is up.
    Extension = 4 . 11 Fail;
    /// Umpires give at most as much time as was on the clock, while it runs.
    TimeGiven = 4 . 12 Fail;
    /// Umpires start, pause and extend clocks.
    ClockAuthor = 4 . 13 Fail;
    /// The sum of each clock that was paused or extended.
    ClockSum = 4 . 14 Say;
    /// An answer that the umpire typed after its deadline, and which ruling admits it, or that none does.
    TypedLate = 4 . 15 Say;
    /// An answer that came in time that an umpire gave, or while a clock was paused.
    GainedTime = 4 . 16 Say;
    /// An answer that entered more than a minute after its time.
    EnteredLate = 4 . 17 Say;
    /// A question that was closed early, before all of a seat's time was up, with that seat's default, and by whom.
    ClosedEarly = 4 . 18 Say;
    /// An opening of a share comes after the list and before its time is up; only then is a share left out.
    OpeningInTime = 4 . 19 Fail;
    /// In a match that waits for witnesses, nothing is opened without them before the limit has passed.
    LimitKept = 4 . 20 Fail;
    /// How long a match that waits for witnesses took from seals to openings.
    Waited = 4 . 21 Say;
    /// The server alone gives time back for an outage, once it is over: what of it fell into the running clock, in whole seconds, and each part of it once.
    OutageMadeUp = 4 . 22 Fail;
    /// Each outage of the server for which clocks were given time, and how much.
    Outages = 4 . 23 Say;

    /// A match says in `early` that its questions may close early only where it is live and has clocks.
    EarlyStated = 4 . 24 Fail;
    /// Only a seat calls its own answer final, and only where its question may close early.
    CalledFinal = 4 . 25 Fail;
    /// A question that may close early closes before its deadline only by an umpire, or where the answer of each asked seat that counts is final.
    AllFinal = 4 . 26 Fail;
    /// A question that closed early because each asked seat had called its answer final.
    ClosedByFinals = 4 . 27 Say;
    /// No tree that a seat signed holds an entry of the match that is more than 10 seconds later than the time at which what it signed came.
    SignedAfterSent = 4 . 28 Fail;

    /// The host enters its own draws, shares and roots.
    HostEnters = 5 . 1 Fail;
    /// The host seals shares only in a match in which it draws, and one at a time, after its last one is open.
    HostShare = 5 . 2 Fail;
    /// Shares, lists, seeds and roots are counted from 0 without gaps.
    SeedCounted = 5 . 3 Fail;
    /// A list of shares names the host's share, and each seat's seal of the decision asked last.
    ShareList = 5 . 4 Fail;
    /// One list of shares is made for each share of the host's.
    OneList = 5 . 5 Fail;
    /// A seed opens exactly what was listed last.
    SeedOpens = 5 . 6 Fail;
    /// The tree that a seed names covers the list.
    SeedTree = 5 . 7 Fail;
    /// What was sealed as a share is a share.
    IsShare = 5 . 8 Fail;
    /// Seats are asked for shares once the host's is sealed, and what they answer is listed, and no step.
    SharesAsked = 5 . 9 Fail;
    /// Each draw is one that the rules ask of the host, and draws for one purpose are counted from 0.
    DrawDue = 5 . 10 Fail;
    /// Where the host draws, nothing is typed in; elsewhere an umpire types what was drawn, without a key.
    TypedIn = 5 . 11 Fail;
    /// A draw of the host's comes after its seed, and names the number that is due: by its purpose and ordinal, in a declared
    /// game by what it is drawn from.
    DrawNumber = 5 . 12 Fail;
    /// An open draw gives its key and its path; a hidden one neither, until the end.
    DrawKey = 5 . 13 Fail;
    /// Each key stands under the root of its batch, published before the draw.
    UnderRoot = 5 . 14 Fail;
    /// The numbers of the key, drawn from the state before, give the line.
    DrawGives = 5 . 15 Fail;
    /// A correction leaves the line and the seals of a draw as they were, and what the host drew it from.
    DrawCorrected = 5 . 16 Fail;
    /// Each root and each key follows from the shares, once these are open.
    FromShares = 5 . 17 Fail;
    /// At the end, the host's shares and the keys of hidden draws are open.
    DrawsOpen = 5 . 18 Fail;
    /// Cards that were typed in: that they were drawn fairly is not checkable.
    NotCheckable = 5 . 19 Say;
    /// Who gave no share, whose share an umpire typed, and whose was sealed and not opened.
    ShareGiven = 5 . 20 Say;
    /// Who could have chosen what is drawn, by the weakest share, and how often shares were gathered.
    WhoChose = 5 . 21 Say;
    /// Each draw, and whether it was worked out again from its key.
    Drawn = 5 . 22 Say;
    /// New shares are gathered by a ruling, while nothing hidden was drawn from the host's last share.
    GatheredAnew = 5 . 23 Fail;
    /// A new share of the host's opens the one that it gives up, and nothing else.
    GivesUpOpen = 5 . 24 Fail;
    /// One list of openings is made for each list of shares.
    OneOpening = 5 . 25 Fail;
    /// A list of shares repeats the commitments that the seats sealed.
    ListCommits = 5 . 26 Fail;
    /// A list of openings opens listed shares and nothing else, in the order of the seats.
    OpensListed = 5 . 27 Fail;
    /// When an opening came, and its signature, are given for an opening that is there.
    OpeningWhole = 5 . 28 Fail;
    /// The signature of an opening is by the seat's key, over the list and the share.
    OpeningSigned = 5 . 29 Fail;
    /// Each start after the first, and the ruling that it follows.
    GatheredAgain = 5 . 30 Say;
    /// A share that was listed and not opened, or that the server knew before it was listed.
    WeakShare = 5 . 31 Say;
    /// A match names a beacon only where the host draws.
    BeaconStated = 5 . 32 Fail;
    /// In a match with a beacon, and in no other, the host names a round for draws: for each number once, in ascending order, after the root over its key is published. Rounds are counted from 0.
    RoundNamed = 5 . 33 Fail;
    /// A signature is entered once for a round that was named, under a tree that covers the naming. Signatures are counted from 0.
    RoundEntered = 5 . 34 Fail;
    /// In a match with a beacon, a draw of the host's comes after the signature of its round.
    DrawnByRound = 5 . 35 Fail;
    /// A ruling goes on without a round only where draws wait for one.
    RoundWaived = 5 . 36 Fail;
    /// The signature of a round is valid under the key that the reader knows of the network.
    RoundSigned = 5 . 37 Fail;
    /// A round is named before its time, and its signature entered at its time or later, where the reader knows the network.
    RoundTime = 5 . 38 Fail;
    /// Each round, and whether it is shown that it was named before anybody could know it.
    RoundShown = 5 . 39 Say;
    /// Draws that a ruling made without their round.
    WithoutRound = 5 . 40 Say;
    /// A beacon that the reader does not know, or whose signatures were not checked: it counts as none.
    UnknownBeacon = 5 . 41 Say;

    /// Each question is one that the state puts.
    AskedDue = 6 . 1 Fail;
    /// No question is asked that is open already.
    AskedOnce = 6 . 2 Fail;
    /// A step answers an open decision, and steps are numbered without gaps.
    StepNumber = 6 . 3 Fail;
    /// The line of a step is what its openings give.
    StepLine = 6 . 4 Fail;
    /// The line is written canonically, and each value is one of its own seal.
    Canonical = 6 . 5 Fail;
    /// The rules accept each step.
    Accepted = 6 . 6 Fail;
    /// The digest of the state after each step is that of the replay.
    Digest = 6 . 7 Fail;
    /// The result is that of the replay.
    Result = 6 . 8 Fail;
    /// A match ends once, unless a strike or a ruling on the result takes it up again.
    EndsOnce = 6 . 9 Fail;
    /// A match that is over and has no entry that ends it.
    NoEnd = 6 . 10 Say;
    /// A default that applied.
    DefaultApplied = 6 . 11 Say;
    /// In a match of a declared game, that what became of each answer is the umpire's word.
    Announced = 6 . 12 Say;

    /// Each kind of entry is by somebody who may make it: umpires open, rule, strike, hand over and end; players object, and do not ask or resolve.
    Author = 7 . 1 Fail;
    /// Umpires make links, and seats use them.
    LinkAuthor = 7 . 2 Fail;
    /// After the ruling by which an umpire takes over the typing, which a live match can have once while it runs, nobody else seals.
    TypingTaken = 7 . 3 Fail;
    /// A ruling admits an answer for a seat that an open decision asks, before anything is sealed for it.
    Admits = 7 . 4 Fail;
    /// A strike begins at a step that is there.
    StrikeThere = 7 . 5 Fail;
    /// A correction has a step for each that it strikes, and all but the first say what they said before, in a declared game
    /// to the same questions.
    Corrects = 7 . 6 Fail;
    /// Players object to their own steps that count.
    Objects = 7 . 7 Fail;
    /// A ruling answers an objection that is open.
    Answers = 7 . 8 Fail;
    /// Each ruling and warning, and what it does.
    Ruled = 7 . 9 Say;
    /// Each strike and correction, and that a corrected move rests on the umpire's word.
    Struck = 7 . 10 Say;
    /// Each objection, and its answer, or that it has none; also that a correction left the move as it was.
    Objected = 7 . 11 Say;
    /// Each change of the umpire.
    HandedOver = 7 . 12 Say;
    /// Each pause, all time that umpires gave, and clocks that another umpire let run.
    ClockChanged = 7 . 13 Say;
    /// A move that was typed for a seat that signs.
    TypedForKey = 7 . 14 Say;
    /// A move that was typed by an umpire whose match it was not.
    TypedByOther = 7 . 15 Say;
    /// Each link but the first of a seat and its first use, and each key that was refused.
    Linked = 7 . 16 Say;
    /// The umpire could look.
    Looked = 7 . 17 Say;

    /// An imported match rests on its source, and on the umpire who entered it.
    Imported = 8 . 1 Say;
    /// Who sat at a seat, and that its key is the player's.
    WhoPlayed = 8 . 2 Say;
    /// What the server did with what it held.
    ServerHeld = 8 . 3 Say;
    /// That the players sent what the umpire typed, in time, and knew nothing of each other's move.
    Typed = 8 . 4 Say;
    /// Only an audit shows that the log has no second match with this id.
    SecondChain = 8 . 5 Say;
    /// Whoever signs in the host's page, or vouches for a key that it shows, trusts that page. A key that the player's own program made and signs with does not depend on it.
    TrustedPage = 8 . 6 Say;
    /// The match still runs, or the copy stops before its end.
    Runs = 8 . 7 Say;
    /// Names were withdrawn.
    NoNames = 8 . 8 Say;
    /// The host, which knew every coming and hidden draw, told nobody, and gave up no match for them.
    KnewDraws = 8 . 9 Say;
    /// The names of both seats are the same, or look alike.
    NamesAlike = 8 . 10 Say;
}

impl Rule {
    /// The number of its finding, from 1 to 8.
    #[must_use]
    pub const fn finding(self) -> u8 {
        self.row().0
    }

    /// What a verifier does.
    #[must_use]
    pub const fn duty(self) -> Duty {
        self.row().2
    }

    /// The rule in a sentence, as it stands in the docs.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        self.row().3.trim()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (finding, number, ..) = self.row();
        write!(f, "{finding}.{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_each_finding_are_numbered_from_1_without_gaps() {
        let numbers: Vec<(u8, u8)> = Rule::ALL.iter().map(|rule| (rule.row().0, rule.row().1)).collect();
        let mut due = Vec::new();
        for (finding, _) in &numbers {
            let before = due.iter().filter(|(of, _)| of == finding).count();
            due.push((*finding, u8::try_from(before).unwrap() + 1));
        }
        assert_eq!(numbers, due);
        assert!(numbers.is_sorted(), "{numbers:?}");
    }
}
