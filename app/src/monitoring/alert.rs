//! What an operator wants to be woken for, and whether it is wrong now.

use std::time::Duration;

use ledger::Moment;
use store::database::archiving_fails;

use super::{Monitor, NodeState};
use crate::heartbeat::Unfit;

/// The age from which a checkpoint is old while entries wait for the next: many times what signing takes.
const CHECKPOINT_OLD: Duration = Duration::from_secs(5);
const FOUND: Duration = Duration::from_secs(3_600);

/// Something that must not stay wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alert {
    NotSigned,
    NotAccepting,
    ClockOff,
    DiskNearlyFull,
    LogUnreadable,
    WitnessQuorumLost,
    WitnessLeftOut,
    PutBack,
    Missing,
    JournalDamaged,
    ArchivingFails,
    BackupOld,
}

impl Alert {
    pub const ALL: [Self; 12] = [
        Self::NotSigned,
        Self::NotAccepting,
        Self::ClockOff,
        Self::DiskNearlyFull,
        Self::LogUnreadable,
        Self::WitnessQuorumLost,
        Self::WitnessLeftOut,
        Self::PutBack,
        Self::Missing,
        Self::JournalDamaged,
        Self::ArchivingFails,
        Self::BackupOld,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotSigned => "not_signed",
            Self::NotAccepting => "not_accepting",
            Self::ClockOff => "clock_off",
            Self::DiskNearlyFull => "disk_nearly_full",
            Self::LogUnreadable => "log_unreadable",
            Self::WitnessQuorumLost => "witness_quorum_lost",
            Self::WitnessLeftOut => "witness_left_out",
            Self::PutBack => "put_back",
            Self::Missing => "missing",
            Self::JournalDamaged => "journal_damaged",
            Self::ArchivingFails => "archiving_fails",
            Self::BackupOld => "backup_old",
        }
    }

    #[must_use]
    pub const fn raised(self) -> &'static str {
        match self {
            Self::NotSigned => {
                "Nothing new is accepted at the moment, because the log cannot be written or signed. /healthz says why."
            }
            Self::NotAccepting => {
                "Nothing new is accepted: the database does not answer or lost something, or a disk is full. /healthz says more."
            }
            Self::ClockOff => "The clock of a server is off, so it takes and closes nothing. Set it by NTP.",
            Self::DiskNearlyFull => "A disk is nearly full. When it is full, nothing new is accepted.",
            Self::LogUnreadable => {
                "A part of the log cannot be read: a page of the database may be damaged. /healthz says more."
            }
            Self::WitnessQuorumLost => "Too few witnesses answer for the policy. /log shows which.",
            Self::WitnessLeftOut => {
                "A witness contradicts the log without proof, or its clock is off, so it counts as away. /log shows which."
            }
            Self::PutBack => {
                "The database had lost acknowledged submissions, which were put back. Find out why: it must not lose commits."
            }
            Self::Missing => {
                "A journal has acknowledged moves that the record does not have. /healthz counts them, and the pages of their \
                 matches say which."
            }
            Self::JournalDamaged => {
                "The journal of submissions has lines that cannot be read, or was deleted or replaced. The program's log names \
                 the file."
            }
            Self::ArchivingFails => {
                "PostgreSQL cannot archive its write-ahead log, and keeps it until the disk is full. Its log says why."
            }
            Self::BackupOld => "For two days no backup was made. Find out what fails.",
        }
    }

    #[must_use]
    pub const fn cleared(self) -> &'static str {
        match self {
            Self::NotSigned => "The log is written and signed again.",
            Self::NotAccepting => "New acts are accepted again.",
            Self::ClockOff => "The clock of the server is right again.",
            Self::DiskNearlyFull => "The disks have room again.",
            Self::LogUnreadable => "The whole log was read again.",
            Self::WitnessQuorumLost => "Enough witnesses answer again.",
            Self::WitnessLeftOut => "All witnesses that answer count again.",
            Self::PutBack => "For an hour no submission had to be put back.",
            Self::Missing => "For an hour no submission was found missing.",
            Self::JournalDamaged => "The journal of submissions can be read.",
            Self::ArchivingFails => "PostgreSQL archives its write-ahead log again.",
            Self::BackupOld => "A backup was made.",
        }
    }

    /// The time for which it must be wrong before anybody is told. Most things mend themselves within a minute; a damaged page
    /// does not.
    pub(super) const fn patience(self) -> Duration {
        if matches!(self, Self::LogUnreadable) { Duration::ZERO } else { Duration::from_secs(60) }
    }

    fn is_wrong(self, state: &NodeState, stored: Stored) -> Option<bool> {
        let lately = |since: Option<Duration>| since.is_some_and(|since| since < FOUND);
        Some(match self {
            Self::NotSigned => state.signing_stopped || falls_behind(state),
            Self::NotAccepting => {
                let is_off = matches!(state.unfit, Some(Unfit::ClockOff { .. }));
                !state.signing_stopped && (!state.accepts || (state.unfit.is_some() && !is_off))
            }
            Self::ClockOff => matches!(state.unfit, Some(Unfit::ClockOff { .. })),
            Self::DiskNearlyFull => state.disks.iter().any(|(_, disk)| disk.is_nearly_full()),
            Self::LogUnreadable => state.scrubbing.failure.is_some(),
            Self::WitnessQuorumLost => state.quorum == Some(false),
            Self::WitnessLeftOut => state.witnesses.iter().any(|witness| witness.left_out),
            Self::PutBack => lately(stored.put_back?),
            Self::Missing => lately(stored.missing?),
            Self::JournalDamaged => state.journal.unreadable > 0 || lately(state.journal_replaced),
            Self::ArchivingFails => stored.archiving_fails?,
            Self::BackupOld => state.is_backup_old(),
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Stored {
    put_back: Option<Option<Duration>>,
    missing: Option<Option<Duration>>,
    archiving_fails: Option<bool>,
}

/// True if entries wait for a checkpoint. A busy log always has some, but its last checkpoint is young.
fn falls_behind(state: &NodeState) -> bool {
    state.is_behind && state.signed.is_none_or(|(_, age)| age > CHECKPOINT_OLD)
}

impl Monitor {
    /// Whether each is wrong now, as far as that is known.
    pub(super) async fn alerts(&self) -> Vec<(Alert, Option<bool>)> {
        let state = self.node_state().await;
        let now = self.app.system().now();
        let since = |at: Moment| Duration::from_micros(now.micros().saturating_sub(at.micros()).max(0).unsigned_abs());
        let record = self.app.logs.record();
        let stored = Stored {
            put_back: record.restored_count().await.ok().map(|restored| restored.last_at.map(since)),
            missing: record.missing_count().await.ok().map(|missing| missing.last_at.map(since)),
            archiving_fails: archiving_fails(self.app.pool()).await.ok(),
        };
        Alert::ALL.into_iter().map(|alert| (alert, alert.is_wrong(&state, stored))).collect()
    }
}

#[cfg(test)]
mod tests {
    use ledger::TreeSize;
    use store::{Denial, DenialCause};

    use super::super::DiskSpace;
    use super::super::node_state::PoolState;
    use super::*;
    use crate::cosigning::WitnessState;
    use crate::readiness::NotReady;
    use crate::signing::ScrubbingState;
    use crate::submission_journal::JournalDamage;

    /// A node with which all is well.
    fn well() -> NodeState {
        let pool = PoolState { name: "serving", used: 0, idle: 0, max: 8 };
        NodeState {
            ready: Ok(()),
            accepts: true,
            unfit: None,
            signing_stopped: false,
            is_behind: false,
            signed: Some((TreeSize(7), Duration::from_secs(60))),
            scrubbing: ScrubbingState::default(),
            last_pass_age: None,
            heartbeat_age: Some(Duration::from_millis(300)),
            skew: None,
            pools: [pool, pool],
            disks: vec![("data", DiskSpace { free: 1 << 40, size: 1 << 41 })],
            witnesses: Vec::new(),
            quorum: Some(true),
            journal: JournalDamage::default(),
            journal_replaced: None,
            backup_age: Some(Duration::from_secs(90_000)),
        }
    }

    /// A database that has these times since something was found.
    fn stored(found: Option<Duration>) -> Stored {
        Stored { put_back: Some(found), missing: Some(found), archiving_fails: Some(false) }
    }

    fn wrong(state: &NodeState, found: Option<Duration>) -> Vec<Alert> {
        Alert::ALL.into_iter().filter(|alert| alert.is_wrong(state, stored(found)) == Some(true)).collect()
    }

    #[test]
    fn each_is_raised_by_what_it_names_and_by_nothing_else() {
        assert_eq!(wrong(&well(), None), []);
        assert_eq!(wrong(&well(), Some(Duration::from_secs(60))), [Alert::PutBack, Alert::Missing]);
        assert_eq!(wrong(&well(), Some(FOUND)), [], "an hour ago");
        for alert in [Alert::PutBack, Alert::ArchivingFails] {
            assert_eq!(alert.is_wrong(&well(), Stored::default()), None, "the database does not answer");
        }
        let fails = Stored { archiving_fails: Some(true), ..stored(None) };
        assert_eq!(Alert::ArchivingFails.is_wrong(&well(), fails), Some(true));
        let unreadable = JournalDamage { unreadable: 1, ..JournalDamage::default() };
        let seconds = Duration::from_secs;
        let off = Unfit::ClockOff { ahead_seconds: 0.9 };
        let full = vec![("data", DiskSpace { free: 1 << 20, size: 1 << 40 })];
        let failure = Some(Denial { cause: DenialCause::Damaged, said: "invalid page in block 5".to_owned() });
        let [name, key, prefix] = ["north", "a key", "an address"].map(str::to_owned);
        let left_out = WitnessState { name, key, prefix, cosigned: None, failure: None, left_out: true };
        for (alert, state) in [
            (Alert::NotSigned, NodeState { signing_stopped: true, accepts: false, ..well() }),
            (Alert::NotSigned, NodeState { is_behind: true, ..well() }),
            (Alert::NotAccepting, NodeState { accepts: false, ready: Err(NotReady::Contradicted), ..well() }),
            (Alert::NotAccepting, NodeState { unfit: Some(Unfit::Away), ..well() }),
            (Alert::ClockOff, NodeState { unfit: Some(off), ..well() }),
            (Alert::DiskNearlyFull, NodeState { disks: full, ..well() }),
            (Alert::LogUnreadable, NodeState { scrubbing: ScrubbingState { failure, ..Default::default() }, ..well() }),
            (Alert::WitnessQuorumLost, NodeState { quorum: Some(false), ..well() }),
            (Alert::WitnessLeftOut, NodeState { witnesses: vec![left_out], ..well() }),
            (Alert::JournalDamaged, NodeState { journal: unreadable, ..well() }),
            (Alert::JournalDamaged, NodeState { journal_replaced: Some(seconds(60)), ..well() }),
            (Alert::BackupOld, NodeState { backup_age: Some(seconds(2 * 86_400 + 1)), ..well() }),
        ] {
            assert_eq!(wrong(&state, None), [alert], "{state:?}");
        }
        let young = Some((TreeSize(7), Duration::from_secs(1)));
        assert_eq!(wrong(&NodeState { is_behind: true, signed: young, ..well() }, None), [], "a busy log");
        assert_eq!(wrong(&NodeState { quorum: None, backup_age: None, ..well() }, None), [], "there is no policy");
    }
}
