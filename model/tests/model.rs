//! Every state of small sites.

use matchbook_model::{Flaw, Limits, Protocol};
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
    Protocol { nodes, moves: 2, one_disk: true, limits, flaw: None }
}

const ALL: Limits = Limits { crashes: 2, losses: 1, refusals: 1 };

#[test]
fn one_node_keeps_every_receipt_and_one_history() {
    assert_eq!(explored(site(1, ALL)), Vec::<&str>::new());
}

#[test]
fn two_nodes_of_one_machine_keep_every_receipt_and_one_history() {
    assert_eq!(explored(site(2, Limits { crashes: 1, losses: 1, refusals: 0 })), Vec::<&str>::new());
}

#[test]
fn two_machines_keep_both_as_long_as_the_database_forgets_nothing() {
    let limits = Limits { crashes: 2, losses: 0, refusals: 1 };
    assert_eq!(explored(Protocol { one_disk: false, ..site(2, limits) }), Vec::<&str>::new());
}

/// Known, and the reason why docs/operating.md asks for the other machine's journals and for witnesses: a node that has neither
/// the journal nor the checkpoint file of another cannot see that the database lost what that one acknowledged and signed.
#[test]
fn two_machines_need_each_others_journals_or_a_database_that_forgets_nothing() {
    let limits = Limits { crashes: 1, losses: 1, refusals: 0 };
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
