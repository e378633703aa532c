use serde_json::Value;

use super::*;

fn golden(part: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../../fixtures/vectors/draws.json")).unwrap();
    all[part].clone()
}

fn each(part: &str) -> Vec<Value> {
    golden(part).as_array().unwrap().clone()
}

fn text<'v>(golden: &'v Value, key: &str) -> &'v str {
    golden[key].as_str().unwrap()
}

fn number(golden: &Value, key: &str) -> u32 {
    golden[key].as_u64().unwrap().try_into().unwrap()
}

fn shares() -> (Hash, [Share; 3]) {
    let seed = golden("seed");
    let shares = ["host", "p1", "p2"].map(|party| Share::from_hex(text(&seed, party)).unwrap());
    (text(&seed, "salt").parse().unwrap(), shares)
}

fn seed() -> Seed {
    let (salt, [host, p1, p2]) = shares();
    Seed::new(&salt, &host, &p1, &p2)
}

fn hmac(key: &[u8; 32], input: &str) -> String {
    hmac_sha256(key, &hex::decode(input).unwrap()).to_string()
}

#[test]
fn golden_seed() {
    let (seed, line) = (golden("seed"), golden("line"));
    assert_eq!(text(&seed, "ikm"), ["host", "p1", "p2"].map(|party| text(&seed, party)).concat());
    assert_eq!(hmac(shares().0.bytes(), text(&seed, "ikm")), text(&seed, "prk"));
    assert_eq!(Share::of_line(text(&line, "text")).to_hex(), text(&seed, "p1"));
    assert_eq!(text(&line, "share"), text(&seed, "p1"));
}

#[test]
fn golden_keys() {
    let prk: Hash = text(&golden("seed"), "prk").parse().unwrap();
    for golden in each("keys") {
        let (index, written) = (DrawIndex(number(&golden, "index")), text(&golden, "key"));
        let (key, leaf): (_, Hash) = (seed().key(index), text(&golden, "leaf").parse().unwrap());
        assert_eq!(key.to_hex(), written, "{index}");
        assert_eq!(key.leaf(), leaf);
        assert_eq!(hmac(prk.bytes(), text(&golden, "input")), written);
        assert_eq!(leaf_hash(&hex::decode(written).unwrap()), leaf);
        let path: KeyPath = serde_json::from_value(golden["path"].clone()).unwrap();
        assert_eq!(seed().tree(index.batch()).prove(index), path);
    }
    for golden in each("roots") {
        assert_eq!(seed().tree(number(&golden, "batch")).root().to_string(), text(&golden, "root"));
    }
}

#[test]
fn golden_keys_with_a_round() {
    for golden in each("rounds") {
        let key = DrawKey::from_hex(text(&golden, "key")).unwrap();
        assert!(key.is(&seed().key(DrawIndex(number(&golden, "index")))));
        let network: NetworkHash = text(&golden, "network").parse().unwrap();
        let (round, signature) = (Round::new(number(&golden, "round").into()).unwrap(), text(&golden, "signature"));
        let mixed = key.with_round(&network, round, &signature.parse().unwrap());
        assert_eq!(mixed.to_hex(), text(&golden, "is"));
        assert_eq!(hmac(&key.0, text(&golden, "input")), text(&golden, "is"));
        let other = Round::new(round.number() + 1).unwrap();
        assert!(!mixed.is(&key.with_round(&network, other, &signature.parse().unwrap())));
    }
}

#[test]
fn golden_streams() {
    for golden in each("streams") {
        let key = seed().key(DrawIndex(number(&golden, "index")));
        let golden_words: Vec<&str> = golden["words"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        let words: Vec<String> = key.stream().take(golden_words.len()).map(|word| word.to_string()).collect();
        assert_eq!(words, golden_words);
        let mut bytes = String::new();
        for block in golden["blocks"].as_array().unwrap() {
            assert_eq!(hmac(&key.0, text(block, "input")), text(block, "block"));
            bytes += text(block, "block");
        }
        let streamed: Vec<u8> = key.stream().take(12).flat_map(u64::to_be_bytes).collect();
        assert_eq!(hex::encode(streamed), bytes);
    }
}

#[test]
fn the_root_is_that_of_any_rfc_6962_tree_over_the_keys() {
    for batch in [0, 1] {
        let mut frontier = Frontier::new();
        frontier.extend((0..BATCH_KEYS).map(|at| seed().key(DrawIndex(batch * BATCH_KEYS + at)).leaf()));
        assert_eq!(seed().tree(batch).root(), frontier.root());
    }
}

#[test]
fn every_key_is_under_its_root_at_its_own_place_and_nowhere_else() {
    let (seed, tree) = (seed(), seed().tree(0));
    let root = tree.root();
    for k in 0..BATCH_KEYS {
        let index = DrawIndex(k);
        let (key, path) = (seed.key(index), tree.prove(index));
        assert_eq!(key.check(index, &path, &root), Ok(()), "{k}");
        let refused = Err(DrawError::OtherKey);
        let other = DrawIndex((k + 1) % BATCH_KEYS);
        assert_eq!(key.check(other, &path, &root), refused, "another index");
        assert_eq!(key.check(other, &tree.prove(other), &root), refused, "another place");
        assert_eq!(seed.key(other).check(index, &path, &root), refused, "another key");
        assert_eq!(key.check(index, &path, &seed.tree(1).root()), refused, "another root");
        for (n, bit) in (0..8).zip(k..) {
            let mut altered = path.clone();
            let mut bytes = *altered.0[n].bytes();
            bytes[(bit / 8) as usize % 32] ^= 1 << (bit % 8);
            altered.0[n] = Hash::new(bytes);
            assert_eq!(key.check(index, &altered, &root), refused, "hash {n} of the path");
        }
        let (mut short, mut long) = (path.clone(), path);
        short.0.pop();
        long.0.push(root);
        assert_eq!(key.check(index, &short, &root), refused);
        assert_eq!(key.check(index, &long, &root), refused);
    }
    assert_eq!(seed.key(DrawIndex(0)).check(DrawIndex(0), &KeyPath::default(), &root), Err(DrawError::OtherKey));
}

#[test]
fn every_share_and_the_salt_change_every_key() {
    let (salt, [host, p1, p2]) = shares();
    let key = |salt: &Hash, host: &Share, p1: &Share, p2: &Share| Seed::new(salt, host, p1, p2).key(DrawIndex(7));
    let known = key(&salt, &host, &p1, &p2);
    let other = Share::new([9; 32]);
    assert!(known.is(&seed().key(DrawIndex(7))));
    for changed in [
        key(&Hash::ZERO, &host, &p1, &p2),
        key(&salt, &other, &p1, &p2),
        key(&salt, &host, &other, &p2),
        key(&salt, &host, &p1, &other),
        key(&salt, &host, &p2, &p1),
        key(&salt, &host, &Share::NONE, &p2),
        seed().key(DrawIndex(8)),
    ] {
        assert!(!known.is(&changed));
    }
}

#[test]
fn nothing_secret_is_shown_and_a_key_has_one_notation() {
    let key = seed().key(DrawIndex(0));
    assert_eq!(DrawKey::from_hex(&key.to_hex()), Ok(key.clone()));
    assert_eq!(DrawKey::from_hex(&key.to_hex().to_uppercase()), Err(DrawError::NotAKey));
    let shown = format!("{:?} {:?} {:?}", seed(), key, key.stream());
    assert_eq!(shown, "Seed(..) DrawKey(..) DrawStream(..)");
    assert_eq!(DrawError::NotAKey.to_string(), "the key of a draw is 64 lower-case hex digits");
    assert_eq!(DrawError::OtherKey.to_string(), "this key is not the one that the root stands for at this place");
    assert_eq!((DrawIndex(255).batch(), DrawIndex(256).batch()), (0, 1));
}

/// Every vector, of salts, inputs and sizes of any length, for the library behind the seed.
#[test]
fn wycheproof() {
    let file = include_str!("../../../fixtures/vectors/wycheproof/hkdf_sha256_test.json");
    let vectors: Value = serde_json::from_str(file).unwrap();
    let mut tried = 0;
    for vector in vectors["testGroups"].as_array().unwrap().iter().flat_map(|group| group["tests"].as_array().unwrap())
    {
        let [ikm, salt, info] = ["ikm", "salt", "info"].map(|key| hex::decode(text(vector, key)).unwrap());
        let mut okm = vec![0; number(vector, "size") as usize];
        let made = Hkdf::<Sha256>::new(Some(&salt), &ikm).expand(&info, &mut okm);
        assert_eq!(made.is_ok(), vector["result"] == "valid", "test {}", vector["tcId"]);
        if made.is_ok() {
            assert_eq!(hex::encode(okm), text(vector, "okm"), "test {}", vector["tcId"]);
        }
        tried += 1;
    }
    assert_eq!(tried, number(&vectors, "numberOfTests"));
}
