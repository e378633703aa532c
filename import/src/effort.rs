//! Counts the parts of a source that are looked at, in tests: reading has to stay in proportion to what is read, or a long chat
//! becomes an hour of work for whoever pastes it. Elsewhere it does nothing.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static SPENT: Cell<usize> = const { Cell::new(0) };
}

/// So many parts were looked at.
#[cfg(test)]
pub(super) fn spend(parts: usize) {
    SPENT.set(SPENT.get() + parts);
}

/// So many parts were looked at.
#[cfg(not(test))]
pub(super) const fn spend(_: usize) {}

#[cfg(test)]
mod tests {
    use engine::BySeat;

    use super::SPENT;
    use crate::{Facts, Form, Speakers, read};

    /// Lines of the shorter chat; the longer one has four times as many.
    const LINES: usize = 250;

    const BETTING: &str = "GM: Pools: Black B4 R1 R8 R9 G5, White B2 R6 B3 G2 G7. Black starts.\nGM: No refills.\n\
        GM: Community card G8\n";
    const CHALLENGED: &str = "Black: 4C\nWhite: 5S\nBlack: front\nWhite: front\nBlack: 9C\nWhite: JD\nBlack: middle\n\
        White: back\nWhite: I challenge!\n";

    /// The rules, what stands above, and a line by its number.
    type Kind = (&'static str, &'static str, fn(usize) -> String);

    /// Lines that could make a reading look at all the others again.
    const KINDS: [Kind; 8] = [
        ("thwart-13/legends-untold", CHALLENGED, |_| "Black: 2C 3D".into()),
        ("thwart-13/legends-untold", CHALLENGED, |_| "Black: sum 14".into()),
        ("thwart-13/legends-untold", "", |n| format!("R{n}: Black: score / White: -")),
        ("devils-deal/blooming-genius", BETTING, |_| "GM: what a match".into()),
        ("devils-deal/blooming-genius", "", |n| format!("GM: deal R{n} B2")),
        ("five-card-trick/dm-colosseum-2", "", |n| format!("Ada{n} vs Bo{n}")),
        ("five-card-trick/dm-colosseum-2", "", |n| if n % 2 == 0 { "Black: score" } else { "White: -" }.into()),
        ("five-card-trick/dm-colosseum-2", "Black \u{2014} Today at 8:41 PM\n", |_| "score steal".into()),
    ];

    /// What is looked at to read a chat of so many lines.
    fn effort((ruleset, head, line): Kind, lines: usize) -> usize {
        let names = BySeat { p1: "Black".into(), p2: "White".into() };
        let given = Facts { ruleset: ruleset.into(), dmo: "p1".into(), names, ..Facts::default() };
        let text: String = [head.to_owned()].into_iter().chain((0..lines).map(|n| line(n) + "\n")).collect();
        SPENT.set(0);
        let reading = read(&text, Form::Chat, &given, &Speakers::everywhere());
        assert!(reading.rows.len() >= lines, "a row for each line");
        SPENT.get()
    }

    #[test]
    fn a_chat_takes_effort_in_proportion_to_its_lines() {
        for kind in KINDS {
            let [short, long] = [LINES, 4 * LINES].map(|lines| effort(kind, lines));
            let line = kind.2(1);
            println!("{line}: {short}, {long}");
            assert!(short >= LINES / 4, "{line}: {short} is too little to count anything");
            assert!(long < 5 * short, "{line}: {short} for {LINES} lines, and {long} for four times as many");
        }
    }
}
