//! Whether whoever shares requests out among nodes should send some to this one. The answer is public, so it says nothing
//! of any match.

use std::sync::atomic::Ordering;

use store::DenialCause;
use thiserror::Error;

use crate::app::App;
use crate::heartbeat::Unfit;
use crate::obstacle::Obstacle;
use crate::signing::{NOT_SIGNED, StopReason};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotReady {
    #[error("this node is about to stop")]
    Draining,
    #[error("the {0} of this node ended")]
    Ended(&'static str),
    #[error("{}", NOT_SIGNED)]
    NotSigned,
    #[error("the database and the journal contradict each other, so nothing new is accepted")]
    Contradicted,
    #[error("the journal of submissions cannot be written, so nothing new is accepted: make room on its disk")]
    NoJournal,
    #[error("the database has not answered for more than a second")]
    Away,
    #[error("{}: {}", NOT_SIGNED, .0)]
    Denied(DenialCause),
    #[error("the clock of this node is off")]
    ClockOff,
}

impl App {
    /// From now on this node is not ready. What is asked all the same is answered.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Whether requests should be sent to this node. It asks nobody: the heartbeat asks the database four times a second.
    pub fn ready(&self) -> Result<(), NotReady> {
        if self.is_draining() {
            return Err(NotReady::Draining);
        }
        if let Some(end) = self.workers().first_end() {
            return Err(NotReady::Ended(end.worker));
        }
        match self.obstacle() {
            None => Ok(()),
            Some(Obstacle::NotSigned(why)) => Err(match &*why {
                StopReason::Denied(denial) => NotReady::Denied(denial.cause),
                _ => NotReady::NotSigned,
            }),
            Some(Obstacle::Unfit(Unfit::NotSigned)) => Err(NotReady::NotSigned),
            Some(Obstacle::Contradicted(_)) => Err(NotReady::Contradicted),
            Some(Obstacle::NoJournal(_) | Obstacle::Unfit(Unfit::NoJournal)) => Err(NotReady::NoJournal),
            Some(Obstacle::Unfit(Unfit::Away)) => Err(NotReady::Away),
            Some(Obstacle::Unfit(Unfit::Denied(cause))) => Err(NotReady::Denied(cause)),
            Some(Obstacle::Unfit(Unfit::ClockOff { .. })) => Err(NotReady::ClockOff),
        }
    }
}
