//! A trace of the real program, held against the model: each step must be one that could happen next.

use std::collections::HashSet;

use stateright::{Expectation, Model};

use crate::site::{Line, Site};
use crate::step::{Limits, Protocol, Step};

/// How many steps a crash may have kept a node from saying: what it was doing at that moment, for each request in flight.
const UNSAID_MAX: usize = 3;
/// The faults of a trace. It says what a lost answer committed, as the program finds it.
const MOST: Limits = Limits { crashes: u8::MAX, losses: u8::MAX, refusals: u8::MAX, promotions: 0, unanswered: 0 };

/// A step that could not happen, or after which something holds no longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub at: usize,
    pub step: Step,
    pub why: String,
}

impl Protocol {
    /// Replays what a site says that it did. A node that was killed may have done more than it said. A node that compares the
    /// journals with the database had a reason to: its connections broke.
    ///
    /// # Errors
    /// [`Refused`], at the first step that cannot have happened.
    pub fn replay(&self, trace: &[Step]) -> Result<(), Refused> {
        let protocol = Self { limits: MOST, races: false, ..self.clone() };
        let mut sites: HashSet<Site> = protocol.init_states().into_iter().collect();
        for (at, step) in trace.iter().enumerate() {
            let refused = |why: &str| Refused { at, step: *step, why: why.to_owned() };
            if let Step::Crash(node) = step {
                protocol.add_unsaid(&mut sites, *node);
            }
            sites = sites.into_iter().filter_map(|site| protocol.follow(site, *step)).collect();
            if sites.is_empty() {
                return Err(refused("it cannot happen here"));
            }
            for property in protocol.properties() {
                if property.expectation == Expectation::Always {
                    sites.retain(|site| (property.condition)(&protocol, site));
                }
                if sites.is_empty() {
                    return Err(refused(property.name));
                }
            }
        }
        Ok(())
    }

    fn follow(&self, mut site: Site, step: Step) -> Option<Site> {
        // What happens again and again uses nothing up.
        site.left = MOST;
        if let Step::PutBack(node) = step {
            site.nodes[node].settled = false;
        }
        if came_back(&site, step) {
            return Some(site);
        }
        let mut steps = Vec::new();
        self.actions(&site, &mut steps);
        // A program says that it appended, and not that it read the end of the log before.
        let first = if let Step::Enter(node) = step { Step::Read(node) } else { step };
        steps.contains(&first).then(|| self.next_state(&site, first))?
    }

    /// Adds what a node may have done before it was killed, and not said.
    fn add_unsaid(&self, sites: &mut HashSet<Site>, node: usize) {
        for _ in 0..UNSAID_MAX {
            for site in sites.clone() {
                let mut steps = Vec::new();
                self.actions(&site, &mut steps);
                let own = steps.into_iter().filter(|step| step.of_node() == Some(node));
                sites.extend(own.filter_map(|step| self.next_state(&site, step)));
            }
        }
    }
}

/// True if a close came back from the journal behind a loss: it is said again as if it were made for the first time.
fn came_back(site: &Site, step: Step) -> bool {
    let (Step::Close(node) | Step::KeepClose(node)) = step else { return false };
    let (this, closed) = (&site.nodes[node], site.database.closed.as_ref());
    let kept = closed.filter(|counted| this.journal.contains(&Line::Closed((*counted).clone())));
    let is_there = if let Step::Close(_) = step { closed.is_some() } else { kept.is_some() };
    is_there && site.losses > 0 && this.runs && this.settled
}
