//! What an operator wants to be woken for, and whether it is wrong now.

use std::time::Duration;

use super::{Monitor, NodeState};
use crate::heartbeat::Unfit;

/// The age from which a checkpoint is old while entries wait for the next: many times what signing takes.
const CHECKPOINT_OLD: Duration = Duration::from_secs(5);
/// The time after a submission was put back for which that counts as wrong.
const PUT_BACK: Duration = Duration::from_secs(3_600);

/// Something that must not stay wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alert {
    /// The log is not signed, or falls behind.
    NotSigned,
    /// Nothing new is accepted, for another reason.
    NotAccepting,
    /// The clock of this node is off.
    ClockOff,
    /// A disk is nearly full.
    DiskNearlyFull,
    /// Too few witnesses answer for the policy.
    WitnessQuorumLost,
    /// The database had lost acknowledged submissions.
    PutBack,
}

impl Alert {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NotSigned,
        Self::NotAccepting,
        Self::ClockOff,
        Self::DiskNearlyFull,
        Self::WitnessQuorumLost,
        Self::PutBack,
    ];

    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotSigned => "not_signed",
            Self::NotAccepting => "not_accepting",
            Self::ClockOff => "clock_off",
            Self::DiskNearlyFull => "disk_nearly_full",
            Self::WitnessQuorumLost => "witness_quorum_lost",
            Self::PutBack => "put_back",
        }
    }

    /// What is wrong, for a person.
    #[must_use]
    pub const fn raised(self) -> &'static str {
        match self {
            Self::NotSigned => "The log is not signed. /log says why.",
            Self::NotAccepting => {
                "Nothing new is accepted: the database does not answer, or lost something. /healthz says more."
            }
            Self::ClockOff => "The clock of a server is off, so it takes and closes nothing. Set it by NTP.",
            Self::DiskNearlyFull => "A disk is nearly full. When it is full, nothing new is accepted.",
            Self::WitnessQuorumLost => "Too few witnesses answer for the policy. /log shows which.",
            Self::PutBack => {
                "The database had lost acknowledged submissions, which were put back. Find out why: it must not lose commits."
            }
        }
    }

    /// That it is well again, for a person.
    #[must_use]
    pub const fn cleared(self) -> &'static str {
        match self {
            Self::NotSigned => "The log is signed again.",
            Self::NotAccepting => "New acts are accepted again.",
            Self::ClockOff => "The clock of the server is right again.",
            Self::DiskNearlyFull => "The disks have room again.",
            Self::WitnessQuorumLost => "Enough witnesses answer again.",
            Self::PutBack => "For an hour no submission had to be put back.",
        }
    }

    /// Whether it is wrong on a node in this state; none if that is not known. `put_back` is the time since the last
    /// submission was put back.
    fn is_wrong(self, state: &NodeState, put_back: Option<Option<Duration>>) -> Option<bool> {
        Some(match self {
            Self::NotSigned => state.signing_stopped || falls_behind(state),
            Self::NotAccepting => !state.signing_stopped && (!state.accepts || state.unfit == Some(Unfit::Away)),
            Self::ClockOff => matches!(state.unfit, Some(Unfit::ClockOff { .. })),
            Self::DiskNearlyFull => state.disks.iter().any(|(_, disk)| disk.is_nearly_full()),
            Self::WitnessQuorumLost => state.quorum == Some(false),
            Self::PutBack => put_back?.is_some_and(|since| since < PUT_BACK),
        })
    }
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
        let restored = self.app.logs.record().restored_count().await.ok();
        let put_back = restored.map(|restored| {
            restored
                .last_at
                .map(|at| Duration::from_micros(now.micros().saturating_sub(at.micros()).max(0).unsigned_abs()))
        });
        Alert::ALL.into_iter().map(|alert| (alert, alert.is_wrong(&state, put_back))).collect()
    }
}
