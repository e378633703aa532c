//! Shares that their players keep until all of them are listed under a checkpoint: the order, the ways to cheat, and the
//! starts. What a verifier says of them is in `fixtures/verdicts/host-draws.txt`.

use engine::{BySeat, Seat, SplitMix64};
use ledger::{Hash, Share};
use record::HostAct;
use record::body::Tree;
use record::write::{self, WriteError};

use crate::book::Book;
use crate::seeds::plays;

const LINES: BySeat<&str> = BySeat { p1: "the owl is late", p2: "fourteen green bottles" };

fn begins(book: &mut Book) -> Result<(), WriteError> {
    book.writes(|context, history, _| write::begin_shares(context, history, Some("1.8"), "a browser was lost"))
}

#[test]
fn shares_are_listed_and_opened_before_there_is_a_seed() {
    for name in ["kept shares", "kept shares of boards"] {
        let mut book = Book::of(name);
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
    }
}

#[test]
fn a_share_that_is_not_opened_counts_as_zeros() {
    let mut book = Book::of("listed");
    let one = book.opening(Seat::P1);
    let early = book.lists_openings(std::slice::from_ref(&one));
    assert_eq!(early.unwrap_err().to_string(), "a player has time to open its share");
    let given = Book::of("opened by one").public().seeds[0].fixed.clone().unwrap().given;
    assert_eq!((given.p1, given.p2), (Some(Share::of_line(LINES.p1)), None));
}

#[test]
fn an_opening_is_checked_when_it_comes() {
    let mut book = Book::of("listed");
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
    let book = Book::of("live");
    let seal = [ledger::Commitment::new([9; 32])];
    let error = write::receive_kept(&book.history(), &"d1".parse().unwrap(), Seat::P1, &seal).unwrap_err();
    assert_eq!(error.to_string(), "only a share of coming draws is sealed without its opening");
}

#[test]
fn a_new_start_is_a_ruling_and_is_counted() {
    let mut book = Book::of("listed");
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
}

#[test]
fn what_was_drawn_before_a_new_start_keeps_its_key() {
    let mut book = Book::of("opened by one");
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
    let mut book = Book::of("kept shares");
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
fn a_decision_that_is_struck_before_the_first_shares_leaves_them_to_be_asked_for() {
    let book = Book::of("struck before the first shares");
    assert_eq!(book.history().host_act(), Some(HostAct::Ask));
    assert!(book.history().open.is_empty(), "nothing of the game is asked before the first shares");
}
