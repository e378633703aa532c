//! Every state of small sites.

use matchbook_model::{Flaw, Limits, Protocol, Step};
use stateright::{Checker, Model};

fn explored(protocol: Protocol) -> Vec<&'static str> {
    let shown = format!("{protocol:?}");
    let checker = protocol.checker().threads(2).spawn_bfs().join();
    let found: Vec<&'static str> = checker.discoveries().into_keys().collect();
    println!("{} states of {shown}: {found:?}", checker.unique_state_count());
    for (name, path) in checker.discoveries() {
        if name != "a round is published with both moves" {
            println!("{name}: {:?}", path.into_actions());
        }
    }
    found.into_iter().filter(|name| *name != "a round is published with both moves").collect()
}

fn site(nodes: usize, limits: Limits) -> Protocol {
    Protocol { nodes, moves: 2, one_disk: true, limits, early: false, opens: false, races: nodes == 1, flaw: None }
}

const ALL: Limits = Limits { crashes: 2, losses: 1, refusals: 1, promotions: 0, unanswered: 0 };

#[test]
fn one_node_keeps_every_receipt_and_one_history() {
    assert_eq!(explored(site(1, ALL)), Vec::<&str>::new());
}

#[test]
fn two_nodes_of_one_machine_keep_every_receipt_and_one_history() {
    assert_eq!(explored(site(2, Limits { crashes: 1, losses: 1, ..Limits::default() })), Vec::<&str>::new());
}

#[test]
fn two_machines_keep_both_as_long_as_the_database_forgets_nothing() {
    let limits = Limits { crashes: 2, refusals: 1, ..Limits::default() };
    assert_eq!(explored(Protocol { one_disk: false, ..site(2, limits) }), Vec::<&str>::new());
}

/// Known, and the reason why docs/operating.md asks for the other machine's journals and for witnesses: a node that has neither
/// the journal nor the checkpoint file of another cannot see that the database lost what that one acknowledged and signed.
#[test]
fn two_machines_need_each_others_journals_or_a_database_that_forgets_nothing() {
    let limits = Limits { losses: 1, ..Limits::default() };
    let mut found = explored(Protocol { one_disk: false, ..site(2, limits) });
    found.sort_unstable();
    assert_eq!(found, ["every receipt counts, or it is said", "there is one history"]);
}

/// Found by this model: a row is stored, the database goes back behind it and is compared with the journal, and only then the
/// line is written and the receipt sent.
#[test]
fn a_receipt_that_outlives_a_comparison_is_lost() {
    let flawed = Protocol { flaw: Some(Flaw::ForgottenComparison), ..site(1, ALL) };
    assert_eq!(explored(flawed), ["every receipt counts, or it is said"]);
}

/// A server dies between storing and keeping. What the seat's page then shows is a receipt, too.
#[test]
fn a_receipt_that_is_shown_of_the_database_alone_is_lost() {
    let flawed = Protocol { flaw: Some(Flaw::SeenUnkept), ..site(1, ALL) };
    assert_eq!(explored(flawed), ["every receipt counts, or it is said"]);
}

/// F1 of the fault campaign.
#[test]
fn keys_that_stay_locked_lock_players_out() {
    let flawed = Protocol { flaw: Some(Flaw::LockedKeys), ..site(1, ALL) };
    assert_eq!(explored(flawed), ["whoever was not answered can send again"]);
}

/// F2 of the fault campaign.
#[test]
fn without_a_journal_a_receipt_is_lost_and_nobody_says_so() {
    let flawed = Protocol { flaw: Some(Flaw::NoJournal), ..site(1, ALL) };
    assert!(explored(flawed).contains(&"every receipt counts, or it is said"));
}

#[test]
fn what_opens_before_it_is_signed_is_found() {
    let flawed = Protocol { opens: true, flaw: Some(Flaw::OpenedUnsigned), ..site(1, ALL) };
    // What is opened counts as signed: a receipt for it needs no line in the journal.
    let mut found = explored(flawed);
    found.sort_unstable();
    assert_eq!(found, ["every receipt counts, or it is said", "nothing opens unsigned"]);
}

/// Two nodes read the same end of the log, and both append.
#[test]
fn two_nodes_that_append_at_once_enter_a_round_once_by_its_unique_position() {
    for limits in [Limits { crashes: 1, ..Limits::default() }, Limits { losses: 1, ..Limits::default() }] {
        assert_eq!(explored(Protocol { races: true, ..site(2, limits) }), Vec::<&str>::new());
    }
    let flawed = Protocol { races: true, flaw: Some(Flaw::AnyPosition), ..site(2, Limits::default()) };
    assert_eq!(explored(flawed), ["nothing enters twice"]);
}

/// The sites of two nodes, on one machine and on two.
const ONE_DISK: [bool; 2] = [true, false];

/// A primary that shows what no standby has, and a standby that takes over without it.
#[test]
fn a_standby_that_takes_over_lacks_nothing_that_was_acknowledged_or_signed() {
    let limits = Limits { promotions: 1, ..Limits::default() };
    assert_eq!(explored(site(1, Limits { crashes: 1, refusals: 1, unanswered: 1, ..limits })), Vec::<&str>::new());
    for one_disk in ONE_DISK {
        assert_eq!(explored(Protocol { one_disk, races: true, ..site(2, limits) }), Vec::<&str>::new());
    }
}

/// A primary that was cut off showed it: the tree over it is in the checkpoint file, and the log is never signed again.
#[test]
fn what_is_signed_of_the_primary_alone_stops_the_log_or_forks_it() {
    let limits = Limits { promotions: 1, ..Limits::default() };
    let flawed = Protocol { flaw: Some(Flaw::SignsUnkept), ..site(1, limits) };
    assert_eq!(explored(flawed.clone()), ["without a loss everything goes on"]);
    // The other machine's file does not have it.
    let mut found = explored(Protocol { nodes: 2, one_disk: false, races: false, ..flawed });
    found.sort_unstable();
    assert_eq!(found, ["there is one history", "without a loss everything goes on"]);
}

/// F8 of the fault campaign, for receipts and for closes: the wait for the standby was cancelled, and nobody waits again.
#[test]
fn what_the_primary_alone_has_is_no_receipt_and_no_close() {
    let limits = Limits { promotions: 1, ..Limits::default() };
    let (receipts, closes) = (Flaw::AcknowledgesUnkept, Flaw::ClosesUnkept);
    for (flaw, one_disk) in [(receipts, true), (receipts, false), (closes, false)] {
        let flawed = Protocol { one_disk, flaw: Some(flaw), ..site(2, limits) };
        assert!(explored(flawed).contains(&"without a loss everything goes on"), "{flaw:?}");
    }
}

/// The answer to a commit is lost, and the node that waits for it lives on.
#[test]
fn a_commit_without_an_answer_is_tried_again_and_happens_once() {
    let limits = Limits { crashes: 1, losses: 1, unanswered: 2, ..Limits::default() };
    assert_eq!(explored(site(1, limits)), Vec::<&str>::new());
    let limits = Limits { unanswered: 1, ..Limits::default() };
    for one_disk in ONE_DISK {
        assert_eq!(explored(Protocol { one_disk, races: true, ..site(2, limits) }), Vec::<&str>::new());
    }
    for (flaw, what) in
        [(Flaw::ReadsAnew, "nothing enters twice"), (Flaw::LateByClose, "nothing counts that is said to be late")]
    {
        assert_eq!(explored(Protocol { flaw: Some(flaw), ..site(1, limits) }), [what]);
    }
}

#[test]
fn a_round_closes_early_only_while_both_moves_are_final() {
    let limits = Limits { crashes: 1, losses: 1, ..Limits::default() };
    let early = Protocol { early: true, moves: 3, ..site(1, limits) };
    assert_eq!(explored(early.clone()), Vec::<&str>::new());
    let limits = Limits { crashes: 1, ..Limits::default() };
    assert_eq!(explored(Protocol { early: true, moves: 3, ..site(2, limits) }), Vec::<&str>::new());
    let flawed = Protocol { flaw: Some(Flaw::ClosedBySight), ..early };
    assert_eq!(explored(flawed), ["nothing closes early but by both"]);
}

/// One player's move, as the program does it, and with a crash in between.
const PLAYED: [Step; 14] = [
    Step::Store(0, 0),
    Step::Keep(0, 0),
    Step::Acknowledge(0, 0),
    Step::Store(0, 1),
    Step::Crash(0),
    Step::Start(0),
    Step::PutBack(0),
    Step::Close(0),
    Step::KeepClose(0),
    Step::Enter(0),
    Step::Compare(0),
    Step::File(0),
    Step::Head(0),
    Step::Publish(0),
];

#[test]
fn a_trace_of_what_may_happen_is_accepted_and_of_what_may_not_is_refused() {
    let protocol = Protocol { opens: true, ..site(1, ALL) };
    let played = [&PLAYED[..], &[Step::Open(0)]].concat();
    assert_eq!(protocol.replay(&played), Ok(()));
    let planted = |step: Step, at: usize| {
        let mut trace = played.clone();
        trace.retain(|other| *other != step);
        trace.insert(at, step);
        protocol.replay(&trace).map_err(|refused| (refused.at, refused.step))
    };
    for (step, at) in [
        // A receipt before its row is stored, or before its line is kept.
        (Step::Acknowledge(0, 0), 0),
        (Step::Acknowledge(0, 0), 1),
        // Seals that enter before the close is kept.
        (Step::Enter(0), 8),
        // A file, a head or a checkpoint before what comes first.
        (Step::File(0), 10),
        (Step::Head(0), 11),
        (Step::Publish(0), 12),
        // An opening before the checkpoint over it, or before the seals.
        (Step::Open(0), 13),
        (Step::Open(0), 9),
        // Work before the database was compared.
        (Step::Close(0), 6),
    ] {
        assert_eq!(planted(step, at), Err((at, step)), "{step:?} at {at}");
    }
}

/// The database forgets a decision behind a kill, and the program says again what came back from its journal.
#[test]
fn a_trace_with_a_loss_is_held_against_what_the_journal_has() {
    let protocol = site(1, ALL);
    let lost = [Step::Crash(0), Step::Lose, Step::Backup, Step::Start(0), Step::PutBack(0)];
    let closed = [Step::Close(0), Step::KeepClose(0)];
    let forgotten = [&[Step::Backup], &PLAYED[..4], &closed, &lost].concat();
    let again = [&forgotten[..], &closed, &PLAYED[9..]].concat();
    assert_eq!(protocol.replay(&again), Ok(()));
    // The second player's move may be lost: there is no receipt before it is found, or stored again.
    let at = forgotten.len();
    let lost = [&forgotten[..], &closed, &[Step::Acknowledge(0, 1)]].concat();
    let refused = protocol.replay(&lost).map_err(|refused| (refused.at, refused.step));
    assert_eq!(refused, Err((at + 2, Step::Acknowledge(0, 1))));
    // What a node says again it says once it has compared.
    let early = [&forgotten[..at - 1], &closed[..1]].concat();
    let refused = protocol.replay(&early).map_err(|refused| (refused.at, refused.step));
    assert_eq!(refused, Err((at - 1, Step::Close(0))));
}
