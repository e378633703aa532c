//! Players' objections as tasks of the umpire: each needs a ruling, and the match cannot end before.

use ledger::Seq;
use record::History;

use super::console::line_of;

#[derive(Debug)]
pub(super) struct OpenObjection {
    pub(super) entry: Seq,
    pub(super) name: String,
    pub(super) step: u32,
    pub(super) line: String,
    pub(super) text: String,
}

pub(super) fn open(history: &History) -> Vec<OpenObjection> {
    let line = |step: u32| history.steps.iter().find(|one| one.number == step).map(line_of);
    let open = history.open_objections().map(|one| OpenObjection {
        entry: one.entry,
        name: history.name(one.seat).to_owned(),
        step: one.step,
        line: line(one.step).unwrap_or_default().to_owned(),
        text: one.text.or("(withdrawn)").to_owned(),
    });
    open.collect()
}
