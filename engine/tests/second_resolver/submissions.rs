//! Everything that can be sent, legal or not.

use crate::resolver::{ACTIONS, Hosting, Sent};

/// Every submission, legal or not, with each target of a Block and with none.
pub(crate) fn all_sent(hosting: Hosting) -> Vec<Sent> {
    let mut lists: Vec<Vec<char>> = ACTIONS.iter().map(|action| vec![*action]).collect();
    if hosting == Hosting::Free {
        lists.push(Vec::new());
    }
    for (n, first) in ACTIONS.iter().enumerate() {
        lists.extend(ACTIONS[n..].iter().map(|second| vec![*first, *second]));
    }
    let mut all = vec![Sent { missing: true, ..Sent::default() }];
    for actions in lists {
        let targets = if actions.contains(&'b') { 5 } else { 0 };
        let targets = ACTIONS[..targets].iter().copied().map(Some).chain([None]);
        all.extend(targets.map(|target| Sent { actions: actions.clone(), target, ..Sent::default() }));
    }
    all
}

/// Submissions that only the first seat of the final sends here: three actions, or two without limits.
pub(crate) fn with_items() -> Vec<Sent> {
    let mut all = Vec::new();
    for (n, first) in ACTIONS.iter().enumerate() {
        for (m, second) in ACTIONS.iter().enumerate().skip(n) {
            let two = Sent { actions: vec![*first, *second], target: Some('c'), reset: true, ..Sent::default() };
            all.push(two);
            for third in &ACTIONS[m..] {
                let actions = vec![*first, *second, *third];
                let three = Sent { actions, target: Some('s'), overload: true, ..Sent::default() };
                all.extend([Sent { reset: true, ..three.clone() }, three]);
            }
        }
    }
    // Only a Block has a target.
    all.iter_mut().filter(|sent| !sent.actions.contains(&'b')).for_each(|sent| sent.target = None);
    all
}
