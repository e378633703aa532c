//! The golden vectors of `fixtures/vectors/hashes.json`, which another program computed from `docs/record-format.md`:
//! every hash, MAC and signature of the format, computed here again. Those of draws are in `draws.json`.

use std::collections::BTreeSet;

use ledger::ed25519::SecretKey;
use ledger::{
    Checkpoint, Commitment, ConsistencyProof, CosignedAt, CosignerKey, Entry, Frontier, Hash, InclusionProof, KeyName,
    LeafIndex, Note, OpenMessage, OriginLine, PlayerKey, Policy, Receipt, SealKey, SealMessage, SignedReceipt,
    SignerKey, SubmitMessage, TlogProof, Tree, TreeSize, VerifierKey, leaf_hash, node_hash,
};
use serde::Deserialize;
use serde_json::Value;

use crate::vector::{bytes, file, of_kind, part, text};

const HASHES: &str = include_str!("../../../fixtures/vectors/hashes.json");

/// Every kind of hash, MAC and signature in the page, and the sums of clocks, except for draws.
const KINDS: [&str; 15] = [
    "checkpoint",
    "clock",
    "consistency",
    "cosignature",
    "digest",
    "inclusion",
    "key-id",
    "leaf",
    "node",
    "open",
    "receipt",
    "root",
    "seal",
    "submit",
    "tlog-proof",
];

/// The same for draws.
const DRAWS: [&str; 9] = ["about", "boards", "draws", "keys", "line", "roots", "rounds", "seed", "streams"];

fn vectors() -> Vec<Value> {
    file(HASHES)["vectors"].as_array().unwrap().clone()
}

/// The vectors of a kind.
fn of(kind: &str) -> Vec<(String, Value)> {
    of_kind(&file(HASHES), kind)
}

fn tree(vector: &Value) -> Tree {
    Tree { size: TreeSize(part(vector, "size")), root: part(vector, "root") }
}

fn signer(vector: &Value, name: &str) -> SignerKey {
    SignerKey::from_seed(name.parse().unwrap(), &bytes(vector, "secret"))
}

#[test]
fn every_kind_has_vectors() {
    let kinds: BTreeSet<String> = vectors().iter().map(|vector| part(vector, "kind")).collect();
    assert!(kinds.iter().eq(KINDS.iter()), "{kinds:?}");
    let draws = file(include_str!("../../../fixtures/vectors/draws.json"));
    let draws: BTreeSet<&String> = draws.as_object().unwrap().keys().collect();
    assert!(draws.iter().eq(DRAWS.iter()), "{draws:?}");
    let seals: BTreeSet<String> = of("seal").iter().map(|(_, seal)| part(seal, "decision")).collect();
    for kind in ["d", "drawn-", "struck-", "word-"] {
        let numbered = |decision: &String| decision.strip_prefix(kind).is_some_and(|n| n.parse::<u32>().is_ok());
        assert!(seals.iter().any(numbered), "no seal of a decision {kind}");
    }
}

#[test]
fn leaves() {
    let mut previous = Hash::ZERO;
    for (name, vector) in of("leaf") {
        let line = text(&vector, "entry").as_bytes();
        assert_eq!(hex::encode([&[0], line].concat()), text(&vector, "input"), "{name}");
        assert_eq!(leaf_hash(line), part(&vector, "output"), "{name}");
        let entry = Entry::read(line).unwrap();
        // A second match begins with its own first entry.
        let before = if entry.seq == ledger::Seq(0) { Hash::ZERO } else { previous };
        assert_eq!(entry.prev, before, "{name}");
        record::body::Body::read(&entry).unwrap();
        previous = leaf_hash(line);
    }
}

/// The sums of a clock, entry by entry: the history folded from the lines has the deadlines of the vector.
#[test]
fn clocks() {
    for (name, vector) in of("clock") {
        let of_match = |(_, leaf): (String, Value)| {
            let line = text(&leaf, "entry").to_owned();
            line.contains(text(&vector, "match")).then_some(line)
        };
        let lines: Vec<String> = of("leaf").into_iter().filter_map(of_match).collect();
        let entries: Vec<Entry> = lines.iter().map(|line| Entry::read(line.as_bytes()).unwrap()).collect();
        let leaves: Vec<Hash> = lines.iter().map(|line| leaf_hash(line.as_bytes())).collect();
        let origin = "example.org/record".parse().unwrap();
        for expected in vector["output"].as_array().unwrap() {
            let upto = part::<usize>(expected, "entry") + 1;
            let (texts, secrets) = (record::Texts::new(), record::Secrets::new());
            let history = record::fold(&origin, &entries[..upto], &leaves[..upto], &texts, &secrets).unwrap();
            let clock = history.clock(&part(&vector, "decision")).unwrap();
            assert_eq!(clock.deadline(), part(expected, "deadline"), "{name}, entry {}", upto - 1);
            assert!(history.faults.is_empty(), "{name}: {:?}", history.faults);
        }
    }
}

/// Every kind of entry about clocks and umpires, and every effect of a ruling, has a leaf.
#[test]
fn leaves_of_what_umpires_do() {
    use ledger::Kind;
    use record::body::{Body, RulingEffect};
    let mut kinds = BTreeSet::new();
    let mut does = BTreeSet::new();
    for (_, vector) in of("leaf") {
        let entry = Entry::read(text(&vector, "entry").as_bytes()).unwrap();
        kinds.insert(entry.kind.as_str());
        if let Body::Ruled(record::body::Ruled { does: Some(done), .. }) = Body::read(&entry).unwrap() {
            does.insert(match done {
                RulingEffect::Warns(_) => "warns",
                RulingEffect::Admits(_) => "admits",
                RulingEffect::Answers(_) => "answers",
                RulingEffect::Records => "records",
                RulingEffect::Shares => "shares",
                RulingEffect::WithoutRound => "without-round",
            });
        }
    }
    for kind in [Kind::Opened, Kind::Asked, Kind::Paused, Kind::Resumed, Kind::Extended, Kind::Handed, Kind::Objected] {
        assert!(kinds.contains(kind.as_str()), "{kind}");
    }
    assert_eq!(does.len(), 5, "{does:?}");
}

#[test]
fn nodes_and_roots() {
    for (name, vector) in of("node") {
        let [left, right]: [Hash; 2] = [part(&vector, "left"), part(&vector, "right")];
        let input = [&[1][..], left.bytes(), right.bytes()].concat();
        assert_eq!(hex::encode(input), text(&vector, "input"), "{name}");
        assert_eq!(node_hash(&left, &right), part(&vector, "output"), "{name}");
    }
    for (name, vector) in of("root") {
        let mut frontier = Frontier::new();
        part::<Vec<Hash>>(&vector, "leaves").into_iter().for_each(|leaf| frontier.push(leaf));
        assert_eq!(frontier.root(), part(&vector, "output"), "{name}");
    }
}

#[test]
fn proofs() {
    for (name, vector) in of("inclusion") {
        let proof = InclusionProof { path: part(&vector, "output") };
        let (leaf, index) = (part(&vector, "leaf"), LeafIndex(part(&vector, "index")));
        assert_eq!(proof.check(index, leaf, &tree(&vector)), Ok(()), "{name}");
    }
    for (name, vector) in of("consistency") {
        let proof = ConsistencyProof { path: part(&vector, "output") };
        assert_eq!(proof.check(&tree(&vector["from"]), &tree(&vector["to"])), Ok(()), "{name}");
    }
}

#[test]
fn seals() {
    for (name, vector) in of("seal") {
        let (origin, decision, field) =
            (part(&vector, "origin"), part(&vector, "decision"), part::<ledger::Field>(&vector, "field"));
        let message = SealMessage {
            origin: &origin,
            match_id: part(&vector, "match"),
            decision: &decision,
            seat: text(&vector, "seat").parse().unwrap(),
            field: &field,
            asked: part(&vector, "asked"),
            value: text(&vector, "value"),
        };
        let key = SealKey::from_hex(text(&vector, "key")).unwrap();
        assert_eq!(message.seal(&key).unwrap(), part::<Commitment>(&vector, "output"), "{name}");
        let lines = [
            "matchbook/seal/1",
            text(&vector, "origin"),
            text(&vector, "match"),
            text(&vector, "decision"),
            text(&vector, "seat"),
            text(&vector, "field"),
            text(&vector, "asked"),
            text(&vector, "value"),
        ];
        assert_eq!(lines.join("\n"), text(&vector, "input"), "{name}");
    }
}

#[test]
fn digests() {
    for (name, vector) in of("digest") {
        let dmo = vector["dmo"].as_str().map(|seat| seat.parse().unwrap());
        let setup = engine::Setup { ruleset: part(&vector, "ruleset"), dmo, ..engine::Setup::default() };
        let mut duel = engine::Duel::open(&setup).unwrap();
        for step in part::<Vec<String>>(&vector, "steps") {
            duel.play(&step, None).unwrap();
        }
        assert_eq!(duel.state(engine::Sight::Public), text(&vector, "input"), "{name}");
        assert_eq!(record::state_digest(&duel), part(&vector, "output"), "{name}");
    }
}

#[test]
fn submissions() {
    for (name, vector) in of("submit") {
        let (origin, decision) = (part(&vector, "origin"), part(&vector, "decision"));
        let commitments: Vec<Commitment> = part(&vector, "commitments");
        let message = SubmitMessage {
            origin: &origin,
            match_id: part(&vector, "match"),
            decision: &decision,
            seat: text(&vector, "seat").parse().unwrap(),
            commitments: &commitments,
            submit: part(&vector, "submit"),
            asked: part(&vector, "asked"),
            seen: (tree(&vector).size, tree(&vector).root),
            is_final: vector["final"] == true,
        };
        assert_eq!(message.text(), text(&vector, "input"), "{name}");
        let secret = SecretKey::from_seed(&bytes(&vector, "secret"));
        assert_eq!(message.sign(&secret), part(&vector, "output"), "{name}");
        let key: PlayerKey = part(&vector, "public");
        assert_eq!(message.check(&key, &part(&vector, "output")), Ok(()), "{name}");
    }
}

#[test]
fn openings() {
    for (name, vector) in of("open") {
        let (origin, decision) = (part(&vector, "origin"), part(&vector, "decision"));
        let message = OpenMessage {
            origin: &origin,
            match_id: part(&vector, "match"),
            decision: &decision,
            seat: text(&vector, "seat").parse().unwrap(),
            listed: part(&vector, "listed"),
            value: text(&vector, "value"),
            seen: (tree(&vector).size, tree(&vector).root),
        };
        assert_eq!(message.text(), text(&vector, "input"), "{name}");
        let secret = SecretKey::from_seed(&bytes(&vector, "secret"));
        assert_eq!(message.sign(&secret), part(&vector, "output"), "{name}");
        let key: PlayerKey = part(&vector, "public");
        assert_eq!(message.check(&key, &part(&vector, "output")), Ok(()), "{name}");
        // The list that it names is a leaf, and a leaf has the signature.
        let leaves = of("leaf");
        assert!(leaves.iter().any(|(_, leaf)| leaf["output"] == vector["listed"]), "{name}");
        assert!(leaves.iter().any(|(_, leaf)| text(leaf, "entry").contains(text(&vector, "output"))), "{name}");
    }
}

#[test]
fn receipts() {
    for (name, vector) in of("receipt") {
        let receipt = Receipt {
            origin: part(&vector, "origin"),
            match_id: part(&vector, "match"),
            decision: part(&vector, "decision"),
            asked: part(&vector, "asked"),
            seat: text(&vector, "seat").parse().unwrap(),
            ordinal: part(&vector, "ordinal"),
            at: part(&vector, "time"),
            previous: part(&vector, "previous"),
            commitments: part(&vector, "commitments"),
            is_final: vector["final"] == true,
        };
        let signed = receipt.clone().sign(&signer(&vector, text(&vector, "origin"))).unwrap();
        assert_eq!(signed.text(), text(&vector, "output"), "{name}");
        assert!(signed.text().starts_with(&format!("{}\n— ", text(&vector, "input"))), "{name}");
        assert_eq!(signed.hash(), part(&vector, "hash"), "{name}");
        let read = SignedReceipt::read(text(&vector, "output").as_bytes()).unwrap();
        assert_eq!(read.receipt, receipt, "{name}");
    }
}

#[test]
fn key_ids() {
    for (name, vector) in of("key-id") {
        let key: VerifierKey = text(&vector, "verifier_key").parse().unwrap();
        assert_eq!(hex::encode(key.id().bytes()), text(&vector, "output"), "{name}");
        assert_eq!(hex::encode(key.public()), text(&vector, "public"), "{name}");
        assert_eq!(u64::from(key.signature_type().byte()), part::<u64>(&vector, "type"), "{name}");
        let signature_type = [key.signature_type().byte()];
        let input = [text(&vector, "name").as_bytes(), b"\n", &signature_type, key.public()].concat();
        assert_eq!(hex::encode(input), text(&vector, "input"), "{name}");
        // A verifier key with another name, id or key does not read.
        let other = text(&vector, "verifier_key").replacen("ex", "ey", 1);
        assert!(other.parse::<VerifierKey>().is_err(), "{name}");
    }
}

#[test]
fn checkpoints() {
    for (name, vector) in of("checkpoint") {
        let origin: OriginLine = text(&vector, "origin").parse().unwrap();
        let mut checkpoint = Checkpoint::new(origin.clone(), tree(&vector));
        if let Some(line) = vector["extension"].as_str() {
            checkpoint = checkpoint.with_extension(line.parse().unwrap());
        }
        assert_eq!(checkpoint.to_text().as_str(), text(&vector, "input"), "{name}");
        let key = signer(&vector, text(&vector, "origin"));
        assert_eq!(checkpoint.sign(&key).to_string(), text(&vector, "output"), "{name}");
        let note: Note = text(&vector, "output").parse().unwrap();
        let opened = Checkpoint::open(&note, &origin, [key.verifier()]).unwrap();
        assert_eq!(opened.tree(), tree(&vector), "{name}");
    }
}

#[test]
fn cosignatures() {
    for (name, vector) in of("cosignature") {
        let witness: KeyName = text(&vector, "name").parse().unwrap();
        let key = CosignerKey::from_seed(witness, &bytes(&vector, "secret"));
        let time = CosignedAt::from_seconds(part(&vector, "time")).unwrap();
        let checkpoint = text(&vector, "checkpoint").parse().unwrap();
        let line = key.cosign(&checkpoint, time);
        assert_eq!(format!("{line}\n"), text(&vector, "output"), "{name}");
        let input = format!("cosignature/v1\ntime {}\n{checkpoint}", time.seconds());
        assert_eq!(input, text(&vector, "input"), "{name}");
        assert!(key.verifier().verify(&checkpoint, &line).is_ok(), "{name}");
    }
}

#[test]
fn tlog_proofs() {
    for (name, vector) in of("tlog-proof") {
        let proof = TlogProof::read(text(&vector, "output").as_bytes()).unwrap();
        assert_eq!(proof.to_string(), text(&vector, "output"), "{name}");
        assert_eq!(proof.leaf, LeafIndex(part(&vector, "index")), "{name}");
        let policy = format!("log {}\nwitness w {}\nquorum w\n", text(&vector, "log"), text(&vector, "witness"));
        let policy = Policy::read(policy.as_bytes()).unwrap();
        let judged = proof.check(part(&vector, "leaf"), &policy).unwrap();
        assert_eq!(judged.cosigned.len(), 1, "{name}");
    }
}

/// The boards of Higher or Lower, which need a search to fill: no card is assigned, and the layouts are the default
/// ones.
#[test]
fn boards() {
    let golden = file(include_str!("../../../fixtures/vectors/draws.json"));
    let share = |name: &str| ledger::Share::from_hex(text(&golden["seed"], name)).unwrap();
    let seed = ledger::Seed::new(&part(&golden["seed"], "salt"), &share("host"), &share("p1"), &share("p2"));
    let setup = engine::Setup {
        ruleset: "higher-lower/tempo-up".to_owned(),
        dmo: Some(engine::Seat::P2),
        ..engine::Setup::default()
    };
    let mut duel = engine::Duel::open(&setup).unwrap();
    duel.play("p2: colour cyan", None).unwrap();
    for vector in golden["boards"].as_array().unwrap() {
        let key = seed.key(ledger::DrawIndex(part(vector, "index")));
        assert_eq!(key.to_hex(), text(vector, "key"));
        let mut stream = key.stream();
        let mut next = || stream.next().unwrap();
        let drawn = duel.draw(&mut (&mut next as &mut dyn FnMut() -> u64)).unwrap();
        assert_eq!(drawn, text(vector, "line"));
        duel.play(&format!("host: {drawn}"), None).unwrap();
    }
}

/// Readers of the vectors need every part of them described.
#[test]
fn every_vector_says_what_it_is() {
    #[derive(Deserialize)]
    struct VectorText {
        is: String,
        output: Value,
    }
    for vector in vectors() {
        let vector: VectorText = serde_json::from_value(vector).unwrap();
        assert!(!vector.is.is_empty() && !vector.output.is_null());
    }
}
