//! Everything that can be sent, legal or not.

use super::resolver::{ACTIONS, Hosting, Submission};

/// Every submission, legal or not, with each target of a Block and with none.
pub(crate) fn all_submissions(hosting: Hosting) -> Vec<Submission> {
    let mut lists: Vec<Vec<char>> = ACTIONS.iter().map(|action| vec![*action]).collect();
    if hosting == Hosting::Free {
        lists.push(Vec::new());
    }
    for (n, first) in ACTIONS.iter().enumerate() {
        lists.extend(ACTIONS[n..].iter().map(|second| vec![*first, *second]));
    }
    let mut all = vec![Submission { missing: true, ..Submission::default() }];
    for actions in lists {
        let targets = if actions.contains(&'b') { 5 } else { 0 };
        let targets = ACTIONS[..targets].iter().copied().map(Some).chain([None]);
        all.extend(targets.map(|target| Submission { actions: actions.clone(), target, ..Submission::default() }));
    }
    all
}

/// Submissions that only the first seat of the final sends here: three actions, or two without limits.
pub(crate) fn with_items() -> Vec<Submission> {
    let mut all = Vec::new();
    for (n, first) in ACTIONS.iter().enumerate() {
        for (m, second) in ACTIONS.iter().enumerate().skip(n) {
            let two =
                Submission { actions: vec![*first, *second], target: Some('c'), reset: true, ..Submission::default() };
            all.push(two);
            for third in &ACTIONS[m..] {
                let actions = vec![*first, *second, *third];
                let three = Submission { actions, target: Some('s'), overload: true, ..Submission::default() };
                all.extend([Submission { reset: true, ..three.clone() }, three]);
            }
        }
    }
    // Only a Block has a target.
    all.iter_mut().filter(|sent| !sent.actions.contains(&'b')).for_each(|sent| sent.target = None);
    all
}
