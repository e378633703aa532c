use super::*;
use crate::cosignature::CosignerKey;
use crate::hash::Hash;
use crate::id::TreeSize;
use crate::note::SignerKey;

fn log() -> SignerKey {
    SignerKey::from_seed("example.com/log".parse().unwrap(), &[1; 32])
}

fn witness(number: u8) -> CosignerKey {
    CosignerKey::from_seed(format!("witness.example/{number}").parse().unwrap(), &[100 + number; 32])
}

fn vkey(number: u8) -> String {
    witness(number).verifier().to_string()
}

fn at(seconds: u64) -> CosignedAt {
    CosignedAt::from_seconds(seconds).unwrap()
}

/// A checkpoint cosigned by these witnesses, by the n-th of them at second n.
fn note(cosigners: &[u8]) -> Note {
    let checkpoint = Checkpoint::new(log().verifier().name(), Tree::empty());
    let mut note = checkpoint.sign(&log());
    for number in cosigners {
        note.add(witness(*number).cosign(note.text(), at(u64::from(*number)))).unwrap();
    }
    note
}

/// The example of the specification: two of three, and one of three others.
fn two_levels() -> Policy {
    let file = format!(
        "log {log}\n\nwitness X1 {}\nwitness X2 {}\nwitness X3 {} https://x3.example/\n group\tX-witnesses 2 X1 X2 X3 \n\n\
         # The others.\nwitness Y1 {}\nwitness Y2 {}\nwitness Y3 {}\ngroup Y-witnesses any Y1 Y2 Y3\n\n\
         group X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n",
        vkey(1),
        vkey(2),
        vkey(3),
        vkey(4),
        vkey(5),
        vkey(6),
        log = log().verifier(),
    );
    Policy::read(file.as_bytes()).unwrap()
}

#[test]
fn who_cosigned_and_whether_that_is_enough() {
    let policy = two_levels();
    assert_eq!(policy.logs()[0].key, *log().verifier());
    assert_eq!(policy.witnesses()[2].url.as_ref().map(ToString::to_string).as_deref(), Some("https://x3.example/"));
    assert!(!policy.asks_for_nobody());
    for cosigners in 0..64_u8 {
        let cosigners: Vec<u8> = (1..=6).filter(|number| cosigners >> (number - 1) & 1 == 1).collect();
        let of_x = cosigners.iter().filter(|number| **number <= 3).count();
        let enough = of_x >= 2 && cosigners.len() > of_x;
        let note = note(&cosigners);
        let judgement = policy.judge(&note).unwrap();
        assert_eq!(judgement.quorum == QuorumStatus::Witnessed, enough, "{cosigners:?}");
        let reported: Vec<u64> = judgement.cosigned.iter().map(|cosigned| cosigned.at.seconds()).collect();
        assert_eq!(reported, cosigners.iter().map(|number| u64::from(*number)).collect::<Vec<_>>());
        let names = judgement.cosigned.iter().map(|cosigned| cosigned.witness.name.to_string());
        let expected =
            cosigners.iter().map(|number| if *number <= 3 { format!("X{number}") } else { format!("Y{}", number - 3) });
        assert!(names.eq(expected));
    }
}

#[test]
fn the_quorum_is_reached_with_the_last_cosignature_that_it_needs() {
    let policy = two_levels();
    let reached = |cosigners: &[u8]| policy.reached_at(&policy.judge(&note(cosigners)).unwrap().cosigned);
    assert_eq!(reached(&[1, 2, 4]), Some(at(4)));
    assert_eq!(reached(&[1, 2, 3, 4, 5, 6]), Some(at(4)), "what comes later adds nothing");
    assert_eq!(reached(&[2, 3, 6]), Some(at(6)));
    assert_eq!(reached(&[1, 2, 3]), None);
    let nobody = Policy::read(format!("log {}\nquorum none\n", log().verifier()).as_bytes()).unwrap();
    assert_eq!(nobody.reached_at(&nobody.judge(&note(&[])).unwrap().cosigned), None);
}

#[test]
fn the_fewest_that_can_satisfy_a_quorum() {
    assert_eq!(two_levels().fewest(), 3);
    let fewest = |lines: &str| {
        let file = format!("witness a {}\nwitness b {}\nwitness c {}\n{lines}", vkey(1), vkey(2), vkey(3));
        Policy::read(file.as_bytes()).unwrap().fewest()
    };
    assert_eq!(fewest("quorum none\n"), 0);
    assert_eq!(fewest("quorum c\n"), 1);
    assert_eq!(fewest("group some 2 a b c\nquorum some\n"), 2);
    assert_eq!(fewest("group both all a b\ngroup either any both c\nquorum either\n"), 1);
}

#[test]
fn nobody_or_one() {
    let policy = Policy::read(b"quorum none\n").unwrap();
    assert!(policy.asks_for_nobody());
    assert_eq!(policy.judge(&note(&[])).unwrap_err().to_string(), "the policy does not know the log example.com/log");
    let judgement =
        policy.judge_as_of(&note(&[1]), [log().verifier()]).map(|judged| (judged.quorum, judged.cosigned.len()));
    assert_eq!(judgement, Ok((QuorumStatus::Witnessed, 0)));
    let policy = Policy::read(format!("witness w {}\nquorum w\n", vkey(1)).as_bytes()).unwrap();
    let quorum = |note| policy.judge_as_of(&note, [log().verifier()]).map(|judged| judged.quorum);
    assert_eq!(quorum(note(&[])), Ok(QuorumStatus::NotWitnessed));
    assert_eq!(quorum(note(&[2])), Ok(QuorumStatus::NotWitnessed));
    assert_eq!(quorum(note(&[2, 1])), Ok(QuorumStatus::Witnessed));
}

#[test]
fn the_later_of_two_cosignatures_is_reported() {
    let policy = two_levels();
    let mut note = note(&[1]);
    note.add(witness(1).cosign(note.text(), at(50))).unwrap();
    note.add(witness(1).cosign(note.text(), at(40))).unwrap();
    let judgement = policy.judge(&note).unwrap();
    assert_eq!(judgement.cosigned.iter().map(|cosigned| cosigned.at).collect::<Vec<_>>(), [at(50)]);
}

/// A log that goes on under another name and key: each name is a log, and the first has ended.
#[test]
fn a_log_that_has_ended_signs_nothing_new() {
    let tree = |size, root| Tree { size: TreeSize(size), root: Hash::new([root; 32]) };
    let lines =
        format!("log {}\nended example.com/log 5 {}\nquorum none\n", log().verifier(), tree(5, 1).root.to_base64());
    let policy = Policy::read(lines.as_bytes()).unwrap();
    let judged = |tree| policy.judge(&Checkpoint::new(log().verifier().name(), tree).sign(&log())).map(drop);
    assert_eq!((judged(tree(4, 2)), judged(tree(5, 1))), (Ok(()), Ok(())));
    for later in [tree(5, 2), tree(6, 1)] {
        let refused = judged(later).unwrap_err().to_string();
        assert!(refused.starts_with("the log example.com/log ended with 5 entries, by the policy"), "{refused}");
    }
    let root = tree(5, 1).root.to_base64();
    for (line, fault) in [
        (format!("ended elsewhere 5 {root}"), "no earlier line defines elsewhere"),
        ("ended example.com/log 5".to_owned(), "it is written ended <name of a log> <entries> <root>"),
        (format!("ended example.com/log 05 {root}"), "a log ends once, with a number of entries and their root"),
        ("ended example.com/log 5 x".to_owned(), "a log ends once"),
        (format!("ended example.com/log 6 {root}"), "a log ends once"),
    ] {
        let refused = Policy::read(format!("{}{line}\n", lines.replace("quorum none\n", "")).as_bytes()).unwrap_err();
        assert!(refused.to_string().starts_with(&format!("line 3 of the policy: {fault}")), "{line}: {refused}");
    }
}

#[test]
fn what_is_not_to_be_judged() {
    let policy = two_levels();
    // Another log of the same name.
    let other = SignerKey::from_seed("example.com/log".parse().unwrap(), &[9; 32]);
    let checkpoint = Checkpoint::new(other.verifier().name(), Tree::empty());
    let refused = policy.judge(&checkpoint.sign(&other)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the checkpoint is not signed by its log: the note bears no signature of a known key"
    );
    // The log's key signs for another origin.
    let elsewhere = Checkpoint::new("elsewhere".parse::<OriginLine>().unwrap(), Tree::empty()).sign(&log());
    assert_eq!(policy.judge(&elsewhere).unwrap_err().to_string(), "the policy does not know the log elsewhere");
    // A cosignature of another text.
    let mut note = note(&[1, 2, 4]);
    note.add(witness(5).cosign(elsewhere.text(), at(1))).unwrap();
    assert_eq!(
        policy.judge(&note).unwrap_err().to_string(),
        "a cosignature on the checkpoint is false: the signature line of witness.example/5 is not its signature of this text"
    );
    let text = Note::sign("hello\n".parse().unwrap(), &log());
    assert_eq!(policy.judge(&text).unwrap_err().to_string(), "a checkpoint has three lines: origin, size, root");
}

#[test]
fn keys_that_cannot_be_verified_here_never_count() {
    let key = [&[6][..], &[7; 1312]].concat();
    let name = "witness.example/pq".parse().unwrap();
    let id = crate::note::KeyId::of(&name, 6, &key[1..]);
    let vkey = format!("{name}+{id}+{}", base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &key));
    let policy = Policy::read(format!("log {}\nwitness pq {vkey}\nquorum pq\n", log().verifier()).as_bytes()).unwrap();
    assert_eq!(policy.judge(&note(&[])).unwrap().quorum, QuorumStatus::NotWitnessed);
}

/// Names are bytes: a name that looks alike, or is not UTF-8, is another name.
#[test]
fn names_are_bytes() {
    let mut file = b"witness \xff ".to_vec();
    file.extend(vkey(1).bytes());
    file.extend("\nwitness \u{212a} ".bytes());
    file.extend(vkey(2).bytes());
    file.extend(b"\nwitness K ");
    file.extend(vkey(3).bytes());
    file.extend("\n # \u{e9}\ngroup g 2 \u{212a} K\ngroup h any \u{e9}".bytes());
    file.extend(b"\n");
    let refused = Policy::read(&file).unwrap_err();
    assert_eq!(refused.to_string(), "line 6 of the policy: no earlier line defines \u{e9}");
}

/// 32 of each: more than the specification recommends to support.
#[test]
fn many() {
    let mut file = String::new();
    for number in 0..100 {
        let log = SignerKey::from_seed(format!("log.example/{number}").parse().unwrap(), &[number; 32]);
        file += &format!("log {}\nwitness w{number} {}\n", log.verifier(), vkey(number));
        let within = if number == 0 { String::new() } else { format!(" g{}", number - 1) };
        file += &format!("group g{number} any w{number}{within}\n");
    }
    file += "quorum g99\n";
    let policy = Policy::read(file.as_bytes()).unwrap();
    assert_eq!((policy.logs().len(), policy.witnesses().len()), (100, 100));
    let judgement = policy.judge_as_of(&note(&[0]), [log().verifier()]).unwrap();
    assert_eq!(judgement.quorum, QuorumStatus::Witnessed);
}
