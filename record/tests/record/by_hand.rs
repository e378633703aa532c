//! `fixtures/vectors/by-hand.md`, run as printed: the commands with bash, in the project's folder, and each answer
//! compared with the page.

use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../fixtures/vectors/by-hand.md");

/// The separator of the answers. No command of the page prints it.
const BETWEEN: char = '\u{1e}';

/// A command as printed, and its answer on the page.
#[derive(Debug, Default, PartialEq)]
struct Step {
    command: String,
    answer: String,
}

/// The commands of the page, in order: `$ ` begins one, `> ` continues it, anything else is its answer.
fn steps() -> Vec<Step> {
    let blocks = PAGE.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let mut steps: Vec<Step> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), ..Step::default() });
            continue;
        }
        let step = steps.last_mut().expect("a block begins with a command");
        match line.strip_prefix("> ") {
            Some(more) => step.command.push_str(&format!("\n{more}")),
            None => step.answer.push_str(&format!("{line}\n")),
        }
    }
    steps
}

#[test]
fn the_page_says_what_its_commands_answer() {
    let steps = steps();
    let used = |program: &str| steps.iter().any(|step| step.command.contains(program));
    assert!(used("openssl dgst") && used("openssl pkeyutl -verify") && used("sha256sum"), "{steps:#?}");
    let mut script = "set -eo pipefail\n".to_owned();
    for step in &steps {
        script.push_str(&format!("{}\nprintf '\\x1e'\n", step.command));
    }
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let run = Command::new("bash").arg("-c").arg(script).current_dir(project).output().expect("bash is here");
    let answers = String::from_utf8(run.stdout).expect("text");
    let mut answers = answers.split(BETWEEN);
    for step in &steps {
        let answer = answers.next().unwrap_or_default();
        assert_eq!(answer, step.answer, "{}\n{}", step.command, String::from_utf8_lossy(&run.stderr));
    }
    assert!(run.status.success(), "scripts/install.sh openssl installs what may be missing");
    assert_eq!(answers.next(), Some(""));
}

/// The verification accepts the bundle of the page.
#[test]
fn its_bundle_is_good() {
    let bundle = include_bytes!("../../../fixtures/vectors/by-hand.bundle");
    let report = record::verify::verify(&record::Bundle::read(bundle).expect("a bundle"));
    assert!(report.is_good(), "{report:#?}");
}
