//! Declared games that nobody plays: texts, draws into hidden hands, and names that look like something else.

/// Each as an umpire types it.
pub(super) const ODD: [&str; 3] = [
    r#"title Plans; "and" more
source https://example.org/plans
counter points each 0 "Points"
ask step-by-step-plan both text 60; yes-no clock 30 default ("nothing: at all"; no) "Your plan"
ask why one text 60 clock 20 "Why"
ask secret both text 60; number 0..9 clock 30 opens umpire
label step-by-step-plan-1 "In words"
label secret-2 "In a number"
first step-by-step-plan both"#,
    r#"counter pot shared 3 to 40 "Pot"
deck pack (1..20)
dice d6 (1..6)
hand held each hidden "Hand"
hand shown each
hand pile shared hidden
ask play both cards 0..1 from held to shown clock 30
ask bid one number 0..pot clock 20 bank 40 default (5)
ask guess both pick 1 of (high low) clock 30 opens umpire then draw d6 1
first guess both"#,
    r#"counter card-0 each 0 from -9 "A card?"
deck card-1 (a b c d e f)
hand card-2 each hidden of (x y z)
hand card-3 each hidden
ask card-4 both cards 1 from card-2 to card-3 clock 30 opens umpire
ask draw-2 one text 60 then draw card-1 1"#,
];
