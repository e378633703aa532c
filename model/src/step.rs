//! What can happen next in a site, and what comes of it.

use std::collections::BTreeSet;

use stateright::{Model, Property};

use crate::site::{BOTH_FINAL, Database, Entry, Line, Move, Node, Site, Stage, TAKEN_BACK};

/// How much of each fault may happen in one history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Crashes of a node, at any step.
    pub crashes: u8,
    /// Losses of the newest commits.
    pub losses: u8,
    /// Refusals of a disk.
    pub refusals: u8,
    /// Promotions of a standby, which may lack what the primary showed. With none there is no standby.
    pub promotions: u8,
    /// Commits whose answer is lost while the node lives on.
    pub unanswered: u8,
}

/// A fault that is put in: most were in an earlier program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The key of a request stays locked when its node dies.
    LockedKeys,
    /// A receipt is sent with the row in the database alone.
    NoJournal,
    /// A receipt is shown of whatever is in the database, whoever stored it. The fault campaign found it.
    SeenUnkept,
    /// A receipt is sent although the database was compared with the journals since its row was stored. This model found it.
    ForgottenComparison,
    /// What entered is opened before a tree over it is signed.
    OpenedUnsigned,
    /// A round closes early by what a node saw, whatever the database has by then.
    ClosedBySight,
    /// The database takes an entry whatever its position.
    AnyPosition,
    /// What the primary shows is signed, whether its standby has it or not. A primary that was cut off showed it.
    SignsUnkept,
    /// A receipt is sent for a row that the primary alone has.
    AcknowledgesUnkept,
    /// What is closed enters while the primary alone has the close. This model found it.
    ClosesUnkept,
    /// Seals whose commit was not answered are appended where the log ends by now.
    ReadsAnew,
    /// A submission that was not answered and finds the close is late, whether it counts or not.
    LateByClose,
}

/// The protocols of a site.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of moves that players send.
    pub moves: Move,
    /// True if every node reads the journals and writes the checkpoint file of all, as on one machine.
    pub one_disk: bool,
    /// The faults.
    pub limits: Limits,
    /// True if the round closes early by two final moves, which a third one prevents.
    pub early: bool,
    /// True if the seals are opened in the end. It doubles the states, and changes none of the rest.
    pub opens: bool,
    /// True if another step may come between reading the end of the log and appending there. It multiplies the states.
    pub races: bool,
    /// What is wrong with it.
    pub flaw: Option<Flaw>,
}

/// A commit that a node must know of. A close is none: whoever finds it goes on from there, whoever made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// A player's submission.
    Store(Move),
    /// The seals.
    Enter,
    /// The signed head.
    Head,
}

/// A step of a node, or a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node commits a player's submission. If it did so without an answer, it finds it.
    Store(usize, Move),
    /// It writes the line into its journal.
    Keep(usize, Move),
    /// It answers with a receipt.
    Acknowledge(usize, Move),
    /// A node closes the decision.
    Close(usize),
    /// A node sees that both players' last moves are final.
    SeeFinal(usize),
    /// It closes the decision, if that is still so.
    CloseEarly(usize),
    /// It writes the close into its journal.
    KeepClose(usize),
    /// It reads the end of the log, to append the seals there. Without races it appends them, too.
    Read(usize),
    /// It appends the seals, unless another node was first.
    Enter(usize),
    /// A node compares the journals with the database, and puts back what is missing.
    PutBack(usize),
    /// A node compares the log with everything that was signed.
    Compare(usize),
    /// It writes the checkpoint file.
    File(usize),
    /// It moves the signed head.
    Head(usize),
    /// It publishes the checkpoint.
    Publish(usize),
    /// It opens the seals.
    Open(usize),
    /// A node dies.
    Crash(usize),
    /// It starts.
    Start(usize),
    /// The state of now is what the database may fall back to.
    Backup,
    /// It falls back.
    Lose,
    /// A node's disk refuses the journal's line, and the player gets an error.
    RefuseLine(usize, Move),
    /// A node's disk refuses the checkpoint file.
    RefuseFile(usize),
    /// A node commits something, and the answer is lost. It does not know that, and tries again.
    Unanswered(usize, Commit),
    /// The waits for the standby are cancelled: from here on the primary shows what the standby does not have.
    Cancel,
    /// The standby gets everything.
    Replicate,
    /// The standby takes over, with what it has.
    Promote,
}

impl Step {
    /// The node that does it; none for what is done to a node.
    #[must_use]
    pub const fn of_node(self) -> Option<usize> {
        match self {
            Self::Store(node, _) | Self::Keep(node, _) | Self::Acknowledge(node, _) => Some(node),
            Self::SeeFinal(node) | Self::CloseEarly(node) => Some(node),
            Self::Close(node) | Self::KeepClose(node) | Self::PutBack(node) => Some(node),
            Self::Read(node) | Self::Enter(node) => Some(node),
            Self::Compare(node) | Self::File(node) | Self::Head(node) | Self::Publish(node) => Some(node),
            Self::Open(node) => Some(node),
            Self::Crash(_) | Self::Start(_) | Self::Backup | Self::Lose => None,
            Self::RefuseLine(..) | Self::RefuseFile(_) | Self::Unanswered(..) => None,
            Self::Cancel | Self::Replicate | Self::Promote => None,
        }
    }
}

impl Protocol {
    /// The lines that a node reads.
    fn lines(&self, site: &Site, node: usize) -> BTreeSet<Line> {
        let read = |other: &usize| self.one_disk || *other == node;
        (0..self.nodes).filter(read).flat_map(|other| site.nodes[other].journal.iter().cloned()).collect()
    }

    fn write_file(&self, site: &mut Site, node: usize, tree: &[Entry]) {
        let written = |other: &usize| self.one_disk || *other == node;
        for other in (0..self.nodes).filter(written) {
            site.nodes[other].file = tree.to_vec();
        }
    }

    fn put_back(&self, site: &mut Site, node: usize) {
        let lines = self.lines(site, node);
        let closed = lines.iter().find_map(|line| match line {
            Line::Closed(counted) => Some(counted.clone()),
            Line::Submission(_) => None,
        });
        let sent: BTreeSet<Move> = lines
            .iter()
            .filter_map(|line| match line {
                Line::Submission(sent) => Some(*sent),
                Line::Closed(_) => None,
            })
            .collect();
        let database = &mut site.database;
        match &database.closed {
            // What an entry lacks cannot come back, and it is noted.
            _ if !database.entries.is_empty() => {
                database.missing |= database.entries.first().is_some_and(|entry| !sent.is_subset(&entry.seals));
            }
            None => {
                database.rows.extend(&sent);
                // The line of a close has its number, and not the rows before it: those come back from lines of their own. A
                // row that came since has that number.
                if closed.as_ref().is_some_and(|counted| !database.rows.is_subset(counted)) {
                    site.nodes[node].stopped = true;
                } else {
                    database.closed = closed.map(|_| database.rows.clone());
                }
            }
            Some(there) => site.nodes[node].stopped |= !sent.is_subset(there),
        }
        let this = &mut site.nodes[node];
        this.settled = true;
        if self.flaw != Some(Flaw::ForgottenComparison) {
            // Whatever was in flight is sent again. A line that was there was compared, too.
            let forgotten = this.work.extract_if(.., |_, stage| *stage != Stage::Kept);
            for (sent, _) in forgotten {
                database.busy.remove(&sent);
            }
        }
    }

    fn store(&self, site: &mut Site, node: usize, sent: Move) {
        let tries_again = site.nodes[node].work.remove(&sent).is_some();
        if let Some(counted) = site.database.closed.as_ref().filter(|_| tries_again)
            // Its own row is looked for before it is late.
            && (self.flaw == Some(Flaw::LateByClose) || !counted.contains(&sent))
        {
            site.database.busy.remove(&sent);
            site.late.insert(sent);
            return;
        }
        site.late.remove(&sent);
        site.database.rows.insert(sent);
        if self.flaw == Some(Flaw::LockedKeys) {
            site.database.busy.insert(sent);
        }
        site.nodes[node].work.insert(sent, Stage::Stored);
    }

    /// The commit takes effect, and the node is as far as it was before.
    fn commits_unanswered(&self, site: &mut Site, node: usize, commit: Commit) -> Option<()> {
        site.left.unanswered -= 1;
        let Site { database, nodes, .. } = site;
        match commit {
            Commit::Store(sent) => {
                self.store(site, node, sent);
                site.nodes[node].work.insert(sent, Stage::Unanswered);
            }
            Commit::Enter => {
                let (position, entry) = nodes[node].entering.as_mut()?;
                database.entries.push(entry.clone());
                if self.flaw == Some(Flaw::ReadsAnew) {
                    *position = database.entries.len();
                }
            }
            Commit::Head => database.head.clone_from(&nodes[node].signing.as_ref()?.1),
        }
        Some(())
    }

    fn compare(&self, site: &mut Site, node: usize) {
        let Database { entries, head, .. } = &site.database;
        let (entries, head) = (entries.clone(), head.clone());
        let file = &site.nodes[node].file;
        if !entries.starts_with(file) || !entries.starts_with(&head) {
            site.nodes[node].stopped = true;
        } else {
            site.nodes[node].signing = Some((1, entries));
        }
    }

    /// Waits until the standby has all that was read: what the primary alone shows may be gone in a moment.
    fn is_kept(&self, site: &Site, unless: Flaw) -> bool {
        site.standby.is_none() || self.flaw == Some(unless)
    }

    /// What is in flight goes on, whatever the node thinks of the database.
    fn going_on(&self, site: &Site, node: usize, steps: &mut Vec<Step>) {
        let this = &site.nodes[node];
        for (sent, stage) in &this.work {
            match stage {
                Stage::Unanswered => steps.push(Step::Store(node, *sent)),
                Stage::Stored if self.flaw == Some(Flaw::NoJournal) => steps.push(Step::Acknowledge(node, *sent)),
                Stage::Stored if self.is_kept(site, Flaw::AcknowledgesUnkept) => steps.push(Step::Keep(node, *sent)),
                Stage::Stored => {}
                Stage::Kept => steps.push(Step::Acknowledge(node, *sent)),
            }
            if *stage == Stage::Stored && site.left.refusals > 0 {
                steps.push(Step::RefuseLine(node, *sent));
            }
        }
        if self.flaw == Some(Flaw::SeenUnkept) {
            let seen = site.database.rows.iter().filter(|sent| !site.acknowledged.contains(sent));
            steps.extend(seen.map(|sent| Step::Acknowledge(node, *sent)));
        }
        if let Some((position, _)) = &this.entering {
            steps.push(Step::Enter(node));
            if site.left.unanswered > 0 && *position == site.database.entries.len() {
                steps.push(Step::Unanswered(node, Commit::Enter));
            }
        }
        if !this.settled {
            steps.push(Step::PutBack(node));
        }
        if !this.stopped {
            self.signing(site, node, steps);
        }
    }

    /// What is new waits until the node knows that the database has everything.
    fn begins(&self, site: &Site, node: usize, steps: &mut Vec<Step>) {
        let Site { database, nodes, .. } = site;
        let this = &nodes[node];
        let free = |sent: &Move| {
            let known = site.acknowledged.contains(sent) || nodes.iter().any(|other| other.work.contains_key(sent));
            !known && !database.busy.contains(sent)
        };
        // An entry closes its question, too, if the database has forgotten the close: the history is read first.
        if let Some(counted) = database.closed.as_ref().or(database.entries.first().map(|entry| &entry.seals)) {
            // Sent or looked at again, it is found as it is. What is opened is in a signed tree.
            if site.opened {
                let told = counted.iter().filter(|sent| !site.acknowledged.contains(sent));
                steps.extend(told.map(|sent| Step::Acknowledge(node, *sent)));
            } else {
                steps.extend(counted.iter().filter(|sent| free(sent)).map(|sent| Step::Store(node, *sent)));
            }
        } else {
            let may = |sent: &Move| !self.early || *sent != TAKEN_BACK || database.rows.contains(&BOTH_FINAL[0]);
            for sent in (0..self.moves).filter(|sent| free(sent) && may(sent)) {
                steps.push(Step::Store(node, sent));
                if site.left.unanswered > 0 {
                    steps.push(Step::Unanswered(node, Commit::Store(sent)));
                }
            }
            steps.push(Step::Close(node));
            if self.early && this.sees_final {
                steps.push(Step::CloseEarly(node));
            } else if self.early && database.rows == BTreeSet::from(BOTH_FINAL) {
                steps.push(Step::SeeFinal(node));
            }
        }
        self.entering(site, node, steps);
        let may_open = self.flaw == Some(Flaw::OpenedUnsigned) || site.published.iter().any(|tree| !tree.is_empty());
        if self.opens && !site.opened && !database.entries.is_empty() && may_open {
            steps.push(Step::Open(node));
        }
    }

    /// What is closed enters once the close is kept.
    fn entering(&self, site: &Site, node: usize, steps: &mut Vec<Step>) {
        let (database, this) = (&site.database, &site.nodes[node]);
        if let Some(counted) = &database.closed {
            let kept = self.flaw == Some(Flaw::NoJournal) || this.journal.contains(&Line::Closed(counted.clone()));
            if !kept {
                if self.is_kept(site, Flaw::ClosesUnkept) {
                    steps.push(Step::KeepClose(node));
                }
            } else if database.entries.is_empty() && this.entering.is_none() {
                steps.push(Step::Read(node));
            }
        }
    }

    /// Signing does not wait for the journals: what has entered stays.
    fn signing(&self, site: &Site, node: usize, steps: &mut Vec<Step>) {
        let Site { database, nodes, .. } = site;
        match &nodes[node].signing {
            // A crash behind the file leaves one that is ahead of the head.
            None if database.entries.len() > database.head.len() => {
                steps.extend(self.is_kept(site, Flaw::SignsUnkept).then_some(Step::Compare(node)));
            }
            // Another node signed it, or a crash came behind the head.
            None if is_publishable(site, node) => steps.push(Step::Publish(node)),
            None => {}
            Some((1, _)) => {
                steps.push(Step::File(node));
                if site.left.refusals > 0 {
                    steps.push(Step::RefuseFile(node));
                }
            }
            Some((2, tree)) => {
                steps.push(Step::Head(node));
                if site.left.unanswered > 0 && moves_head(site, tree) {
                    steps.push(Step::Unanswered(node, Commit::Head));
                }
            }
            Some(_) => steps.push(Step::Publish(node)),
        }
    }

    fn signs(&self, site: &mut Site, step: Step) {
        match step {
            Step::File(node) => {
                let Some((_, tree)) = site.nodes[node].signing.take() else { return };
                // By compare-and-swap: another process may have written it on another log, and the step begins again.
                if tree.starts_with(&site.nodes[node].file) {
                    self.write_file(site, node, &tree);
                    site.nodes[node].signing = Some((2, tree));
                }
            }
            Step::Head(node) => {
                let Some((_, tree)) = site.nodes[node].signing.take() else { return };
                // By compare-and-swap: another head, or another log, and the step begins again.
                if moves_head(site, &tree) {
                    site.database.head.clone_from(&tree);
                    site.nodes[node].signing = Some((3, tree));
                }
            }
            Step::RefuseFile(node) => {
                site.left.refusals -= 1;
                site.nodes[node].signing = None;
            }
            Step::Publish(node) => {
                let signed = site.nodes[node].signing.take().map(|(_, tree)| tree);
                site.published.insert(signed.unwrap_or_else(|| site.database.head.clone()));
            }
            _ => {}
        }
    }

    fn fails(&self, site: &mut Site, step: Step) {
        match step {
            Step::Crash(node) => {
                site.left.crashes -= 1;
                let Node { journal, file, .. } = std::mem::take(&mut site.nodes[node]);
                site.nodes[node] = Node { journal, file, ..Node::default() };
                if self.flaw != Some(Flaw::LockedKeys) {
                    site.database.busy.clear();
                }
            }
            Step::Backup => site.backup = Some(site.database.clone()),
            Step::Lose => {
                site.left.losses -= 1;
                site.losses = site.losses.saturating_add(1);
                site.standby = None;
                let backup = site.backup.take();
                fall_back(site, backup);
            }
            Step::Cancel => site.standby = Some(site.database.clone()),
            Step::Replicate => site.standby = None,
            Step::Promote => {
                site.left.promotions -= 1;
                site.promotions += 1;
                let standby = site.standby.take();
                fall_back(site, standby);
                if self.flaw != Some(Flaw::AcknowledgesUnkept) {
                    try_again(site);
                }
            }
            Step::RefuseLine(node, sent) => {
                site.left.refusals -= 1;
                site.nodes[node].work.remove(&sent);
                site.database.busy.remove(&sent);
            }
            _ => {}
        }
    }
}

/// The database is now as it was. Connections break, so every node looks.
fn fall_back(site: &mut Site, to: Option<Database>) {
    if let Some(database) = to {
        site.database = database;
    }
    for node in &mut site.nodes {
        node.settled = false;
    }
}

/// Whoever waited for the standby has no answer.
fn try_again(site: &mut Site) {
    let rows = &site.database.rows;
    for (sent, stage) in site.nodes.iter_mut().flat_map(|node| &mut node.work) {
        if *stage == Stage::Stored && !rows.contains(sent) {
            *stage = Stage::Unanswered;
        }
    }
}

/// True if the head may become this tree: it is on another one, or on another log, if somebody else signed.
fn moves_head(site: &Site, tree: &[Entry]) -> bool {
    tree.starts_with(&site.database.head) && site.database.entries.starts_with(tree)
}

/// True if the signed head is not published yet, and the log extends it and the node's file.
fn is_publishable(site: &Site, node: usize) -> bool {
    let Database { entries, head, .. } = &site.database;
    let extends = entries.starts_with(head) && entries.starts_with(&site.nodes[node].file);
    !head.is_empty() && extends && !site.published.contains(head)
}

impl Model for Protocol {
    type State = Site;
    type Action = Step;

    fn init_states(&self) -> Vec<Site> {
        vec![Site {
            database: Database::default(),
            backup: None,
            standby: None,
            nodes: vec![Node { runs: true, settled: true, ..Node::default() }; self.nodes],
            acknowledged: BTreeSet::new(),
            late: BTreeSet::new(),
            published: BTreeSet::new(),
            opened: false,
            losses: 0,
            promotions: 0,
            left: self.limits,
        }]
    }

    fn actions(&self, site: &Site, steps: &mut Vec<Step>) {
        for node in 0..self.nodes {
            if site.nodes[node].runs {
                self.going_on(site, node, steps);
                if site.nodes[node].settled && !site.nodes[node].stopped {
                    self.begins(site, node, steps);
                }
                if site.left.crashes > 0 {
                    steps.push(Step::Crash(node));
                }
            } else {
                steps.push(Step::Start(node));
            }
        }
        if site.left.losses > 0 {
            steps.push(if site.backup.is_some() { Step::Lose } else { Step::Backup });
        }
        match &site.standby {
            None if site.left.promotions > 0 => steps.push(Step::Cancel),
            None => {}
            Some(_) => steps.extend([Step::Replicate, Step::Promote]),
        }
    }

    fn next_state(&self, before: &Site, step: Step) -> Option<Site> {
        let mut site = before.clone();
        match step {
            Step::Store(node, sent) => self.store(&mut site, node, sent),
            Step::Unanswered(node, commit) => self.commits_unanswered(&mut site, node, commit)?,
            Step::Keep(node, sent) => {
                site.nodes[node].journal.insert(Line::Submission(sent));
                site.nodes[node].work.insert(sent, Stage::Kept);
            }
            Step::Acknowledge(node, sent) => {
                site.nodes[node].work.remove(&sent);
                site.database.busy.remove(&sent);
                site.acknowledged.insert(sent);
            }
            Step::Close(_) => site.database.closed = Some(site.database.rows.clone()),
            Step::SeeFinal(node) => site.nodes[node].sees_final = true,
            Step::CloseEarly(node) => {
                site.nodes[node].sees_final = false;
                let rows = &site.database.rows;
                if self.flaw == Some(Flaw::ClosedBySight) || *rows == BTreeSet::from(BOTH_FINAL) {
                    site.database.closed = Some(rows.clone());
                    site.database.closed_early = true;
                }
            }
            Step::KeepClose(node) => {
                let counted = site.database.closed.clone()?;
                site.nodes[node].journal.insert(Line::Closed(counted));
            }
            Step::Read(node) => {
                let position = site.database.entries.len();
                let (seals, fallbacks) = (site.database.closed.clone()?, site.losses.saturating_add(site.promotions));
                site.nodes[node].entering = Some((position, Entry { seals, fallbacks }));
                if !self.races {
                    return self.next_state(&site, Step::Enter(node));
                }
            }
            Step::Enter(node) => {
                let (position, entry) = site.nodes[node].entering.take()?;
                if self.flaw == Some(Flaw::AnyPosition) || site.database.entries.len() == position {
                    site.database.entries.push(entry);
                }
            }
            Step::PutBack(node) => self.put_back(&mut site, node),
            Step::Compare(node) => self.compare(&mut site, node),
            Step::Start(node) => site.nodes[node].runs = true,
            Step::Open(_) => site.opened = true,
            Step::File(_) | Step::Head(_) | Step::Publish(_) | Step::RefuseFile(_) => self.signs(&mut site, step),
            Step::Crash(_) | Step::Backup | Step::Lose | Step::RefuseLine(..) => self.fails(&mut site, step),
            Step::Cancel | Step::Replicate | Step::Promote => self.fails(&mut site, step),
        }
        Some(site)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("every receipt counts, or it is said", |_, site: &Site| site.keeps_receipts()),
            Property::always("there is one history", |_, site: &Site| site.has_one_history()),
            Property::always("nothing opens unsigned", |_, site: &Site| site.opens_what_is_published()),
            Property::always("nothing closes early but by both", |_, site: &Site| site.closes_early_by_both()),
            Property::always("nothing enters twice", |_, site: &Site| site.database.entries.len() <= 1),
            Property::always("whoever was not answered can send again", |_, site: &Site| site.locks_nobody_out()),
            Property::always("nothing counts that is said to be late", |_, site: &Site| site.counts_nothing_late()),
            Property::always("without a loss everything goes on", |_, site: &Site| site.goes_on()),
            Property::sometimes("a round is published with both moves", |_, site: &Site| {
                site.published.iter().any(|tree| tree.first().is_some_and(|entry| entry.seals.len() == 2))
            }),
        ]
    }
}
