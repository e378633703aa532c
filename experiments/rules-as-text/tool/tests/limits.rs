//! Texts that would take all time or memory, and texts outside the language: each stops with a sentence.

use std::time::{Duration, Instant};

use rules_as_text::{Data, Fault, Rules, Sight, SplitMix64, step};
use rules_module::{TEXTS, setup};

/// A game whose `play` has this body.
fn game(above: &str, body: &str) -> String {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "TITLE = \"Bomb\"\nHIDDEN = {{}}\nLIST = [1, 2]\n{above}def start(setup):\n    return {{\"l\": [], \"n\": 0}}\n\
         def asks(s):\n    return []\ndef refuse(s, who, what, sent):\n    return None\n\
         def play(s, what, sent):\n{body}    return []\ndef over(s):\n    return None\n\
         def figures(s):\n    return []\ndef panels(s, who):\n    return []\n"
    )
}

/// Reads and plays one step.
fn run(text: &str) -> Result<(), Fault> {
    let rules = Rules::read(text)?;
    let state = rules.start(&setup(true))?;
    rules.play(&state, "x", &Data::None).map(drop)
}

const BOMBS: [(&str, &str, &str); 27] = [
    (
        "shared lists, compared",
        "x = [1]\ny = [1]\nfor i in range(20):\n    x = [x, x]\n    y = [y, y]\ns[\"l\"] = [x == y, x == y, x == y, x == y]",
        "steps",
    ),
    ("shared lists forty times", "x = []\nfor i in range(40):\n    x = [x, x]\nreturn [x == x]", "deep"),
    ("shared lists, wide", "x = [1]\nfor i in range(20):\n    x = [x, x, x, x]\nreturn [x == x]", "steps"),
    ("shared lists, handed out", "x = [1]\nfor i in range(20):\n    x = [x, x]\nreturn x", "values"),
    ("a text that doubles", "t = \"a\"\nfor i in range(99):\n    t = t + t", "values"),
    (
        "a text in many places",
        "t = \"0123456789abcdef\"\nfor i in range(14):\n    t = t + t\nreturn [t for i in range(1000)]",
        "values",
    ),
    ("a list that doubles", "x = [1]\nfor i in range(99):\n    x = x + x", "values"),
    ("a list, many times", "x = [0] * 4000000000", "steps"),
    ("a list of 2 to the 32 and 1", "x = [0] * 4294967297\ns[\"n\"] = x[0]", "steps"),
    ("nothing, many times", "x = [] * 9223372036854775807\nx = LIST[2]", "no place"),
    ("a long range", "for i in range(9223372036854775807):\n    pass", "values"),
    (
        "loops within loops",
        "for a in range(1000):\n    for b in range(1000):\n        for c in range(1000):\n            pass",
        "values",
    ),
    ("a list within itself", "x = [0]\nx[0] = x\nreturn [x == x]", "deep"),
    ("a list within itself, handed out", "x = [0]\nx[0] = x\nreturn x", "deep"),
    ("lists within lists", "x = []\nfor i in range(10000):\n    x = [x]\nreturn x", "deep"),
    ("too large a number", "x = 9223372036854775807 + 1", "count less"),
    ("too small a number", "x = (0 - 9223372036854775807 - 1) // (0 - 1)", "count less"),
    ("division by nothing", "x = 1 % s[\"n\"]", "divided by 0"),
    ("a place that 32 bits would cut", "x = LIST[4294967296]", "no place"),
    ("a place before the first", "x = LIST[0 - 1]", "no place"),
    (
        "many long texts, sorted",
        "t = \"0123456789abcdef\"\nfor i in range(12):\n    t = t + t\nx = sorted([t for i in range(9000)])",
        "steps",
    ),
    (
        "many long texts, joined",
        "t = \"0123456789abcdef\"\nfor i in range(10):\n    t = t + t\nx = \"\".join([t for i in range(9000)])",
        "values",
    ),
    ("many keys", "for i in range(10000):\n    s[\"k\" + str(i)] = i", "steps"),
    ("a long key", "t = \"0123456789abcdef\"\nfor i in range(9):\n    t = t + t\ns[t] = 1", "key"),
    ("a list that grows under its loop", "x = [1]\nfor i in x:\n    x.append(i)", "a loop goes through"),
    ("a constant that changes", "LIST.append(3)", "constant"),
    (
        "looking into a long list",
        "x = [i for i in range(10000)]\nfor i in x:\n    if (0 - i - 1) in x:\n        pass",
        "steps",
    ),
];

#[test]
fn every_bomb_stops_with_a_sentence() {
    for (name, body, why) in BOMBS {
        let begun = Instant::now();
        let mut fault = None;
        let memory = allocation_counter::measure(|| fault = run(&game("", body)).err());
        let fault = fault.unwrap_or_else(|| panic!("{name} does not stop"));
        println!("{name}: {fault} ({:?}, {} kB)", begun.elapsed(), memory.bytes_max / 1_000);
        assert!(fault.text.contains(why), "{name}: {fault}");
        assert!(fault.line > 0 && memory.bytes_max < 16_000_000, "{name}: {memory:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
    }
}

#[test]
fn a_state_that_grows_with_every_step_stops() {
    let rules = Rules::read(&game("", "s[\"l\"] = s[\"l\"] + [s[\"n\"]] * 1000\ns[\"n\"] += 1")).unwrap();
    let mut state = rules.start(&setup(true)).unwrap();
    let fault = (0..1000).find_map(|_| match rules.play(&state, "x", &Data::None) {
        Ok((next, _)) => {
            state = next;
            None
        }
        Err(fault) => Some(fault),
    });
    assert!(fault.unwrap().text.contains("more values"));
}

#[test]
fn a_reader_never_goes_deep() {
    let closed = |part: &str, end: &str, times| game("", &format!("x = {}1{}", part.repeat(times), end.repeat(times)));
    let chain = |part: &str, times| closed(part, "", times);
    for text in [
        closed("(", ")", 10_000),
        chain("1 + ", 10_000),
        chain("not ", 10_000),
        chain("-", 10_000),
        closed("[", "]", 10_000),
        closed("len([", "])", 5_000),
        closed("[1 for i in ", "]", 4_000),
        chain("1 if True else ", 4_000),
        game("", &(0..40).map(|n| format!("{}if True:\n", "    ".repeat(n))).collect::<String>()),
        game(
            &(0..40)
                .map(|n| {
                    if n == 0 {
                        "def f0():\n    return 1\n".into()
                    } else {
                        format!("def f{n}():\n    return f{}()\n", n - 1)
                    }
                })
                .collect::<String>(),
            "x = f39()",
        ),
        game("def f(x):\n    return f(x)\n", "x = f(1)"),
        format!("X = 1\n{}", "# \n".repeat(40_000)),
    ] {
        let fault = run(&text).unwrap_err();
        println!("{fault}");
    }
}

const FOREIGN: [(&str, &str); 24] = [
    ("while True:\n    pass", "no while"),
    ("x = 1.5", "no whole number"),
    ("x = 7 / 2", "divide with //"),
    ("x = 2 ** 3", "multiply with *"),
    ("x = 'a'", "double quotes"),
    ("x = (1, 2)", "write a list"),
    ("a, b = [1, 2]", "one name at a time"),
    ("x = s.n", "is written d[\"n\"]"),
    ("x = lambda y: y", "with def"),
    ("import os", "from elsewhere"),
    ("x = f\"{1}\"", "join texts with +"),
    ("if s[\"n\"]:\n    pass", "True or False is due"),
    ("x = 1 == \"1\"", "like with like"),
    ("x = True == 1", "like with like"),
    ("x = 1 < 2 < 3", "join two with and"),
    ("x = s is None", "write =="),
    ("x = LIST[0:1]", "no slices"),
    ("x = {k: 1 for k in LIST}", "no for within"),
    ("x = y + 1", "y has no value here"),
    ("LIST = [3]", "constant"),
    ("len = 3", "word of the language"),
    ("x = \"a\" + 1", "str(...)"),
    ("if s[\"n\"] == 1:\n    x = 1\ny = x", "no value yet"),
    ("x = range(2, 1, 0)", "range goes by 0"),
];

#[test]
fn what_lies_outside_the_language_is_refused_with_what_would_be_right() {
    for (body, why) in FOREIGN {
        let fault = run(&game("", body)).expect_err(body);
        println!("{body:?}: {fault}");
        assert!(fault.line > 0 && fault.text.contains(why), "{body}: {fault}");
    }
}

/// Whatever the other seat hides, a seat and the public are shown the same. The example of the page is played, too.
#[test]
fn no_view_depends_on_what_is_hidden_from_it() {
    let page = include_str!("../../../../docs/rules-as-text.md");
    let example = page.split("```").nth(1).and_then(|code| code.strip_prefix("python\n")).unwrap();
    for (name, text) in TEXTS.into_iter().chain([("the example", example)]) {
        let rules = Rules::read(text).unwrap();
        for seed in 0..5 {
            let mut stream = SplitMix64(seed);
            let mut state = rules.start(&setup(true)).unwrap();
            while let Some(next) = step(&rules, &state, &mut stream).unwrap() {
                state = next.state;
                for sight in [Sight::Public, Sight::P1, Sight::P2] {
                    let seen = rules.redact(&state, sight, &Data::None);
                    assert_eq!(rules.panels(&seen, sight).unwrap(), rules.panels(&state, sight).unwrap(), "{name}");
                    assert_eq!(rules.state(&seen, sight), rules.state(&state, sight), "{name}");
                    assert_eq!(rules.asks(&seen).unwrap(), rules.asks(&state).unwrap(), "{name}");
                }
            }
        }
    }
}
