//! Laws of every reading, whatever is pasted.

use crate::{Facts, Form, Speakers, read};

#[test]
fn a_text_tells_how_it_is_written() {
    for (text, form) in [
        ("[DMN \"1\"]\n1. a / b", Form::Notation),
        ("[P1 \"Ada\"]\n[P2 \"Bo\"]\n1. a / b\np1: c", Form::Notation),
        ("ruleset,x\n\nround,p1,p2,draws,ruling\n1,a,b", Form::Table),
        ("Round;P1;P2\n1;a;b", Form::Table),
        ("[Ruleset \"x\"]\nAda: score", Form::Chat),
        ("Ada: score\nBo: grow", Form::Chat),
        ("", Form::Chat),
    ] {
        assert_eq!(Form::of(text), form, "{text}");
    }
}

#[test]
fn whatever_is_pasted_is_told_line_by_line() {
    let given = Facts {
        ruleset: "five-card-trick/dm-colosseum-2".into(),
        names: engine::BySeat { p1: "Black".into(), p2: "White".into() },
        ..Facts::default()
    };
    let many = |line: &dyn Fn(usize) -> String| (0..500).map(|n| line(n) + "\n").collect::<String>();
    let head = "[DMN \"1\"]\n[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[P1 \"a\"]\n[P2 \"b\"]\n";
    for text in [
        many(&|n| format!("Somebody {n}: score, grow")),
        many(&|n| format!("GM: Round {n}: Black: x. White: y. Black: z. White: a. Black: score. White: ste")),
        many(&|_| "GM: Round 1: Black: score / White: steal".into()),
        many(&|n| format!("[DMN \"{n}\"]")),
        many(&|n| format!("[P1 \"{n}\"]")),
        format!("{head}{}", many(&|n| format!("{n}. c / s"))),
        format!("{head}{}", many(&|_| "score | score | score".into())),
        format!("round,p1,p2\n{}", many(&|n| format!("{n},\"score,-"))),
        "\0\0\u{1}\u{7f}\n\u{202e}Black\u{202c}: \u{200f}score\u{2066}\n".repeat(500),
        "/".repeat(100_000),
        "Black: ".repeat(20_000),
        format!("Black{}: score", " ".repeat(100_000)),
        "Black played ".repeat(100) + "?",
        many(&|n| format!("GM: pot is {n}. Black has {n} chips. Black wins board A {n}-0, White wins board A 0-{n}")),
        "GM: Black wins the pot of 4\nGM: pot is ５. Black has ٣ chips, pot is 99999999999999999999\nBlack: score"
            .into(),
        format!("GM: {}", "Black's White's pot = pot = 5 = White wins the pot, ".repeat(2_000)),
        format!("GM: {}", "pot is 5. ".repeat(10_000)),
        "’s Black’s White’s: é / ü".repeat(50),
        "\u{feff}\u{feff}[DMN \"1\"]\n\u{feff}".into(),
        "[Options \"= == a=b=c\"]\n[DMN \"1\"]\n[DMO \"\"]\n[P1Items \"é\"]\n[Result \"\"]\n[".into(),
    ] {
        for form in Form::ALL {
            let reading = read(&text, form, &given, &Speakers::everywhere());
            let lines: Vec<&str> = text.lines().collect();
            assert!(reading.import.is_none(), "{form:?}");
            for row in &reading.rows {
                let line = lines.get(row.line - 1).copied().unwrap_or_default().trim_start_matches('\u{feff}');
                assert_eq!(row.source.trim_start_matches('\u{feff}'), line, "{form:?}");
                for fix in &row.fixes {
                    let applied = fix.does.apply(&text);
                    assert!(applied.is_some(), "{form:?}: {fix:?}");
                }
            }
        }
    }
}
