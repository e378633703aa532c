//! `rules check FILE`: reads the rules of a game, and says what a host should know before a match begins.
//! `rules trace FILE MATCHES`: every call of some random matches as JSON, for a second opinion.

mod report;
mod trace;

use std::process::ExitCode;

use rules_as_text::Rules;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (what, file) = match words.as_slice() {
        [what, file, ..] if what == "check" || what == "trace" => (what, file),
        _ => {
            eprintln!("rules check FILE [MATCHES]\nrules trace FILE [MATCHES]");
            return ExitCode::FAILURE;
        }
    };
    let matches = words.get(2).map(|number| number.parse());
    let read = match (std::fs::read_to_string(file), matches) {
        (_, Some(Err(_))) => Err("the number of matches is a whole number".into()),
        (Err(why), _) => Err(why.to_string()),
        (Ok(text), matches) => Rules::read(&text).map_err(|fault| fault.to_string()).and_then(|rules| {
            if what == "check" {
                report::check(&rules, matches.and_then(Result::ok).unwrap_or(10_000))
            } else {
                trace::print(&rules, matches.and_then(Result::ok).unwrap_or(20))
            }
        }),
    };
    match read {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{file}: {why}");
            ExitCode::FAILURE
        }
    }
}
