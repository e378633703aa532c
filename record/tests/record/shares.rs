//! Shares that their players keep until all of them are listed under a checkpoint: the order, the grades, the ways to
//! cheat, and the starts.

use engine::{BySeat, Seat, SplitMix64};
use ledger::{Entry, Hash, Kind, Share};
use record::body::{Body, RulingEffect, SeatPair, Tree};
use record::verify::{Finding, Status};
use record::write;
use record::{Answered, Bundle, HostAct, TreeMentions};

use crate::book::Book;
use crate::evil_host::{EvilHost, pieces};
use crate::forger::{Entries, Seals, among_others, bodies, caught, forged};
use crate::log::logged;
use crate::seeds::{ended, plays};

const DEAL: &str = "devils-deal/blooming-genius";
const BOARDS: &str = "higher-lower/tempo-up";
pub(crate) const LINES: BySeat<&str> = BySeat { p1: "the owl is late", p2: "fourteen green bottles" };

/// A live match with both shares listed, and none opened.
pub(crate) fn listed() -> Book {
    let mut book = Book::live_draws(DEAL);
    book.lists(LINES);
    book
}

/// A live match in which these seats opened their shares in time, played a little.
pub(crate) fn opened_by(seats: &[Seat]) -> Book {
    let mut book = listed();
    if seats.len() < 2 {
        book.passes(61);
        let opened: Vec<_> = seats.iter().map(|seat| book.opening(*seat)).collect();
        // They came before the time was up.
        let early = |mut opening: write::ShareOpening| {
            opening.came = ledger::Moment::from_micros(opening.came.micros() - 30_000_000).unwrap();
            opening
        };
        book.lists_openings(&opened.into_iter().map(early).collect::<Vec<_>>()).unwrap();
    } else {
        book.opens(seats).unwrap();
    }
    book.seeds();
    plays(&mut book, &mut SplitMix64(5), 6);
    book
}

fn begins(book: &mut Book) -> Result<(), write::WriteError> {
    book.writes(|context, history, _| write::begin_shares(context, history, Some("1.8"), "a browser was lost"))
}

/// A live match whose shares were gathered twice: one was not opened, and the umpire ruled a new start.
pub(crate) fn begun_anew() -> Book {
    let mut book = listed();
    book.passes(61);
    book.lists_openings(&[]).unwrap();
    begins(&mut book).unwrap();
    book.writes(write::host_share).unwrap();
    book.lists(BySeat { p1: "again", p2: "and again" });
    book.seeds();
    plays(&mut book, &mut SplitMix64(5), 6);
    book
}

fn fifth(book: &Book) -> Finding {
    let report = book.verified();
    assert!(report.is_good(), "{report:#?}");
    report.findings[4].clone()
}

fn details(finding: &Finding) -> Vec<&str> {
    finding.details.iter().map(|detail| detail.text.as_str()).collect()
}

#[test]
fn where_both_players_open_with_signatures_nobody_could_choose() {
    for ruleset in [DEAL, BOARDS] {
        let mut book = Book::live_draws(ruleset);
        book.lists(LINES);
        let history = book.history();
        assert_eq!(history.host_act(), Some(HostAct::ListOpenings));
        let list = history.awaited_openings().unwrap();
        assert!(list.sealed.each().iter().all(|(_, sealed)| sealed.is_some()));
        assert_eq!(list.deadline().micros() - list.at.micros(), 60_000_000);
        assert!(!book.secrets.keys().any(|(entry, _)| Some(*entry) == list.sealed.p1), "the server has no share");
        let tree = Tree { size: 9, root: Hash::ZERO };
        let early = book.writes(|context, history, secrets| write::seed(context, history, secrets, tree));
        assert_eq!(early.unwrap_err().to_string(), "the openings of the shares are listed first");
        book.seeds();
        // Each seat moves.
        plays(&mut book, &mut SplitMix64(5), 8);
        let running = fifth(&book);
        assert_eq!(running.status, Status::NotYet);
        let book = ended(book);
        let finding = fifth(&book);
        assert_eq!(finding.status, Status::Holds, "{finding:#?}");
        assert!(finding.summary.contains("So nobody who held only one of the keys could choose, the host included"));
        let verdict = book.verdict();
        assert_eq!(verdict, "verified with 1 ruling (signed with the seats' keys)");
        let last = &book.verified().findings[7];
        let told = "that the host told nobody its draws, and gave up no match because of them: it knew every coming";
        assert!(details(last).iter().any(|text| text.starts_with(told)), "{last:#?}");
    }
}

#[test]
fn a_share_that_is_not_opened_counts_as_zeros_and_is_named() {
    let mut book = listed();
    let one = book.opening(Seat::P1);
    let early = book.lists_openings(std::slice::from_ref(&one));
    assert_eq!(early.unwrap_err().to_string(), "a player has time to open its share");
    let book = opened_by(&[Seat::P1]);
    let given = book.public().seeds[0].fixed.clone().unwrap().given;
    assert_eq!((given.p1, given.p2), (Some(Share::of_line(LINES.p1)), None));
    let finding = fifth(&ended(book));
    assert_eq!(finding.status, Status::Reported, "{finding:#?}");
    let summary = "The share of Okapi was not opened: the host could have chosen together with Juniper, and not alone. 1 share was listed and not opened: that left a choice between two outcomes to whoever had seen the others.";
    assert!(finding.summary.ends_with(summary), "{}", finding.summary);
    let text = "the share of Okapi was listed and not opened, so it counts as zeros: that left a choice between two outcomes to whoever had seen the others";
    assert!(details(&finding).contains(&text), "{finding:#?}");
    let nobody = fifth(&ended(opened_by(&[])));
    assert!(nobody.summary.contains("Only its word says that it did not."), "{nobody:#?}");
    assert!(details(&nobody)[0].starts_with("no share of a player counts: both count as zeros"), "{nobody:#?}");
}

#[test]
fn an_opening_without_a_signature_is_known_to_the_server() {
    let mut book = listed();
    let mut opened = Seat::BOTH.map(|seat| book.opening(seat));
    opened[1].signature = None;
    book.lists_openings(&opened).unwrap();
    book.seeds();
    plays(&mut book, &mut SplitMix64(5), 4);
    let finding = fifth(&ended(book));
    assert_eq!(finding.status, Status::Reported);
    let why = "The share of Okapi was known to the server before it was listed: the host could have chosen together with Juniper, and not alone.";
    assert!(finding.summary.ends_with(why), "{}", finding.summary);
    let text =
        "the share of Okapi was known to the server before it was listed: its opening is not signed by the player";
    assert!(details(&finding).contains(&text), "{finding:#?}");
}

#[test]
fn an_opening_is_checked_when_it_comes() {
    let mut book = listed();
    let good = book.opening(Seat::P1);
    let history = book.history();
    let told = |change: &dyn Fn(&mut write::ShareOpening)| {
        let mut opening = good.clone();
        change(&mut opening);
        write::receive_opening(&history, &opening).map_err(|error| error.to_string())
    };
    assert_eq!(told(&|_| ()), Ok(()));
    assert_eq!(told(&|opening| opening.signature = None), Ok(()), "it is graded so");
    let unsigned = Err("the signature does not fit this opening of the listed share".to_owned());
    assert_eq!(told(&|opening| opening.signature.as_mut().unwrap().tree.root = Hash::ZERO), unsigned);
    let small = "an opening is signed together with a tree that covers the list of shares";
    assert_eq!(told(&|opening| opening.signature.as_mut().unwrap().tree.size = 3), Err(small.to_owned()));
    assert!(told(&|opening| opening.secret.value = Share::of_line("another").to_hex()).is_err());
    assert!(told(&|opening| opening.seat = Seat::P2).is_err(), "it is the other seat's");
    book.seeds();
    let late = write::receive_opening(&book.history(), &good).unwrap_err();
    assert_eq!(late.to_string(), "no opening of this seat's share is awaited now");
    let moves = write::receive_kept(&book.history(), &"d1".parse().unwrap(), Seat::P1, &[]);
    assert_eq!(moves.unwrap_err().to_string(), "this decision is not open any more");
}

#[test]
fn only_a_share_is_sealed_without_its_opening() {
    let book = Book::live("five-card-trick/dm-colosseum-2");
    let seal = [ledger::Commitment::new([9; 32])];
    let error = write::receive_kept(&book.history(), &"d1".parse().unwrap(), Seat::P1, &seal).unwrap_err();
    assert_eq!(error.to_string(), "only a share of coming draws is sealed without its opening");
}

#[test]
fn a_new_start_is_a_ruling_and_is_counted() {
    let mut book = listed();
    assert_eq!(book.history().host_act(), Some(HostAct::ListOpenings));
    begins(&mut book).unwrap();
    assert!(
        begins(&mut book).unwrap_err().to_string().starts_with("new shares are gathered while the match runs, once")
    );
    assert_eq!(book.history().host_act(), Some(HostAct::Seal));
    assert_eq!(book.history().awaited_openings().map(|list| list.entry), None);
    let mut lost = book.clone();
    lost.secrets.clear();
    assert!(lost.writes(write::host_share).is_err(), "the host opens the share that it gives up");
    book.writes(write::host_share).unwrap();
    let last = book.entries().pop().unwrap();
    assert!(last.body.contains(r#""ordinal":1,"#) && last.body.contains(r#""openings":[{"entry":1,"field":"share""#));
    book.lists(LINES);
    book.seeds();
    let book = ended(begun_anew());
    let finding = fifth(&book);
    assert_eq!(finding.status, Status::Reported);
    assert!(finding.summary.ends_with("Shares were gathered 2 times."), "{}", finding.summary);
    assert!(!finding.summary.contains("So nobody who held only one of the keys could choose"), "{}", finding.summary);
    let chose = "no share was known before all were fixed. Shares were given up and gathered again: whoever had seen those that were given up could choose between the starts, and the host sees opened shares first.";
    assert!(finding.summary.contains(chose), "{}", finding.summary);
    let ruling = book.of_kind(Kind::Ruled)[0];
    let text = format!(
        "start 2, by the ruling in entry {ruling}: the shares before it were given up, and whoever had seen them could choose between the two"
    );
    assert!(details(&finding).contains(&text.as_str()), "{finding:#?}");
    let seventh = &book.verified().findings[6];
    let ruled = "ruling (rule 1.8), from here on new shares of the draws are gathered: A browser was lost";
    assert!(details(seventh).iter().any(|text| text.starts_with(ruled)), "{seventh:#?}");
}

#[test]
fn where_shares_were_given_up_and_one_share_is_weak_the_host_needs_nobody() {
    let mut book = listed();
    book.passes(61);
    book.lists_openings(&[]).unwrap();
    begins(&mut book).unwrap();
    book.writes(write::host_share).unwrap();
    book.lists(LINES);
    let opened = book.opening(Seat::P1);
    book.passes(61);
    book.lists_openings(&[opened]).unwrap();
    book.seeds();
    let summary = fifth(&book).summary;
    assert!(summary.contains("The share of Okapi was not opened: the host could have chosen together with Juniper."));
    assert!(summary.contains(" Shares were given up and gathered again: ") && !summary.contains("alone"), "{summary}");
}

#[test]
fn what_was_drawn_before_a_new_start_keeps_its_key() {
    let mut book = opened_by(&[Seat::P1]);
    while book.history().draws.len() < 2 {
        let numbers = u64::from(book.history().next_step());
        plays(&mut book, &mut SplitMix64(numbers), 1);
    }
    let before = book.history();
    begins(&mut book).unwrap();
    assert_eq!(book.history().host_act(), Some(HostAct::Seal), "it is gathered at once");
    assert!(book.writes(write::draw_by_key).is_err(), "nothing new from what is given up");
    book.writes(write::host_share).unwrap();
    assert!(book.history().is_share_open(&book.history().seeds[0]));
    book.lists(BySeat { p1: "again", p2: "and again" });
    book.seeds();
    // Everything is struck and drawn again.
    book.strikes(1, "from the start");
    for _ in 0..40 {
        match book.history().host_act() {
            Some(HostAct::DrawAgain) => book.draws_by_key(),
            act => {
                assert_eq!(act, None);
                let numbers = u64::from(book.history().next_step());
                plays(&mut book, &mut SplitMix64(numbers), 1);
            }
        }
    }
    let after = book.public();
    assert!(after.faults.is_empty(), "{:?}", after.faults);
    for draw in &after.draws {
        let drawn_before = before.draws.iter().any(|other| other.index == draw.index);
        assert_eq!(draw.seed, usize::from(!drawn_before), "draw {}", draw.index);
    }
    assert!(after.draws.iter().any(|draw| draw.seed == 1), "{:?}", after.draws);
    let line = |book: &record::History| book.steps.iter().find(|step| book.is_host_drawn(step)).unwrap().text.clone();
    assert_eq!(line(&after), line(&before), "the first draw is the same");
}

#[test]
fn a_question_for_shares_that_are_given_up_is_closed() {
    let mut book = Book::live_draws(DEAL);
    book.writes(|context, history, _| write::ask_shares(context, history)).unwrap();
    begins(&mut book).unwrap();
    assert!(book.history().open.is_empty());
    book.writes(write::host_share).unwrap();
    book.lists(LINES);
    book.seeds();
    assert!(book.public().faults.is_empty(), "{:?}", book.public().faults);
    assert_eq!(book.public().seeds[1].asked, "d2".parse().ok());
}

#[test]
fn a_signature_over_another_list_fails() {
    let mut book = listed();
    book.opens(&Seat::BOTH).unwrap();
    assert_eq!(forged(&book, Seals::Kept, |_| ()), book.bundle(), "nothing is changed");
    // The list is told a moment later, so it is another one; the players signed the first.
    let retold = |entries: &mut Entries| {
        let list = entries.iter().position(|(_, body)| matches!(body, Body::ShareList(_))).unwrap();
        entries[list].0.at = ledger::Moment::from_micros(entries[list].0.at.micros() + 1).unwrap();
    };
    let why = "this signature was not made with the seat's key for this opening of a listed share";
    caught(&forged(&book, Seals::Kept, retold), 5, why);
    let value = |entries: &mut Entries| {
        let opened = bodies!(entries, ShareOpenings).next().unwrap();
        opened.openings[0].value = Share::of_line("another").to_hex();
    };
    among_others(&forged(&book, Seals::Remade, value), 5, why);
    let swapped = |entries: &mut Entries| {
        let opened = bodies!(entries, ShareOpenings).next().unwrap();
        (opened.signatures.p1, opened.signatures.p2) = (opened.signatures.p2, opened.signatures.p1);
    };
    caught(&forged(&book, Seals::Kept, swapped), 5, why);
}

#[test]
fn a_list_of_other_commitments_fails() {
    let book = ended(opened_by(&Seat::BOTH));
    let other = |entries: &mut Entries| {
        let list = bodies!(entries, ShareList).next().unwrap();
        list.commitments.p2 = Some(ledger::Commitment::new([9; 32]));
    };
    among_others(&forged(&book, Seals::Kept, other), 5, "it lists the commitment that p2 sealed");
    let none = |entries: &mut Entries| bodies!(entries, ShareList).next().unwrap().commitments = SeatPair::default();
    among_others(&forged(&book, Seals::Kept, none), 5, "it lists the commitment that p1 sealed");
}

#[test]
fn what_is_said_of_an_opening_fits_it() {
    let book = ended(opened_by(&Seat::BOTH));
    let told = |finding, why: &str, change: &dyn Fn(&mut record::body::ShareOpenings)| {
        let change = |entries: &mut Entries| change(bodies!(entries, ShareOpenings).next().unwrap());
        among_others(&forged(&book, Seals::Kept, change), finding, why);
    };
    let came = |by: i64| {
        move |opened: &mut record::body::ShareOpenings| {
            let at = opened.came.p1.unwrap();
            opened.came.p1 = ledger::Moment::from_micros(at.micros() + by * 1_000_000).ok();
        }
    };
    told(4, "an opening comes after the list of the shares", &came(-30));
    told(4, "an opening comes before its time is up", &came(90));
    told(4, "it came before it entered the record", &came(90));
    let whose = "what is said of an opening of p1 belongs to one that came";
    told(5, whose, &|opened| opened.came.p1 = None);
    told(5, whose, &|opened| drop(opened.openings.remove(0)));
    told(4, "the share of p1 is waited for until its time is up", &|opened| drop(opened.openings.remove(0)));
    let order = "it opens listed shares and nothing else, in the order of the seats";
    told(5, order, &|opened| opened.openings.swap(0, 1));
    told(5, "lists of openings are counted without gaps", &|opened| opened.ordinal = 1);
    told(5, "it opens what was listed last", &|opened| opened.listed = 2);
    let again = |entries: &mut Entries| {
        let at = entries.iter().position(|(_, body)| matches!(body, Body::ShareOpenings(_))).unwrap();
        let mut again = entries[at].clone();
        let Body::ShareOpenings(body) = &mut again.1 else { unreachable!() };
        (body.openings, body.ordinal) = (Vec::new(), 1);
        (body.came, body.signatures) = Default::default();
        entries.insert(at + 1, again);
    };
    among_others(&forged(&book, Seals::Kept, again), 5, "one list of openings is made for each list of shares");
    let gone = |entries: &mut Entries| entries.retain(|(_, body)| !matches!(body, Body::ShareOpenings(_)));
    among_others(&forged(&book, Seals::Kept, gone), 5, "shares are open before keys follow from them");
}

#[test]
fn a_second_list_or_start_without_a_ruling_fails() {
    let book = listed();
    let again = |entries: &mut Entries| {
        let (entry, mut body) = entries.last().unwrap().clone();
        let Body::ShareList(list) = &mut body else { unreachable!() };
        (list.ordinal, list.sealed.p2) = (1, None);
        let by = "umpire:k3x9".parse().unwrap();
        entries.push((Entry { by, ..entry }, body));
    };
    among_others(&forged(&book, Seals::Kept, again), 5, "one list of shares is made for each share of the host's");
    let book = begun_anew();
    let unruled = |entries: &mut Entries| bodies!(entries, Ruled).next().unwrap().does = None;
    among_others(&forged(&book, Seals::Kept, unruled), 5, "new shares are gathered by a ruling");
    let unopened = |entries: &mut Entries| bodies!(entries, HostShare).nth(1).unwrap().openings.clear();
    let why = "the host seals another share once the one before is open";
    among_others(&forged(&book, Seals::Kept, unopened), 5, why);
    // A ruling in the middle of a match in which something drawn is hidden.
    let mut book = Book::live_draws(BOARDS);
    book.lists(LINES);
    book.seeds();
    plays(&mut book, &mut SplitMix64(5), 6);
    assert!(book.history().draws.iter().any(|draw| draw.hidden) && begins(&mut book).is_err());
    let ruled = |entries: &mut Entries| {
        let last = entries.last().unwrap().0.clone();
        let does = Some(RulingEffect::Shares);
        let body = record::body::Ruled { rule: None, text: ledger::Commitment::new([9; 32]), result: None, does };
        let by = "umpire:k3x9".parse().unwrap();
        entries.push((Entry { kind: Kind::Ruled, by, ..last }, Body::Ruled(body)));
    };
    let why = "new shares are gathered once, and where the host's last one can be opened";
    caught(&forged(&book, Seals::Kept, ruled), 5, why);
}

#[test]
fn the_tree_that_a_player_signs_holds_the_list() {
    let book = ended(opened_by(&Seat::BOTH));
    let whole = logged(&book);
    let signed = TreeMentions::of(&book.entries()).signed;
    let list = signed.iter().find_map(|signed| match signed.answers {
        Answered::Shares(list) => Some(list),
        Answered::Question(_) => None,
    });
    let list = list.unwrap();
    // The host plays both seats, and signs over a tree that is large enough for the match and too small for the list:
    // others' entries stand before it in the log.
    let place = book.places[list.0 as usize].0;
    assert!(place > u64::from(list.0) + 1, "{place}");
    let mut told = pieces(&book);
    let openings = told.iter_mut().find(|piece| piece.body["purpose"] == "openings").unwrap();
    openings.body["signatures"]["p1"]["tree"]["size"] = (u64::from(list.0) + 1).into();
    let bundle: Bundle = EvilHost::of(&book, true).tells(told).unwrap();
    assert_ne!(bundle, whole);
    among_others(&bundle, 5, "the tree that a player signed with its opening does not hold the list of shares");
}

#[test]
fn a_decision_that_is_struck_before_the_first_shares_leaves_them_to_be_asked_for() {
    let mut book = Book::live_draws(BOARDS);
    book.rules("one player never came", Some(engine::Verdict::Won(Seat::P1)));
    book.strikes(1, "the player is here");
    assert_eq!(book.history().host_act(), Some(HostAct::Ask));
    assert!(book.history().open.is_empty(), "nothing of the game is asked before the first shares");
    assert!(book.verified().is_good(), "{:#?}", book.verified());
}
