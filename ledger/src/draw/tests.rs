use serde::de::DeserializeOwned;

use super::*;

fn golden<T: DeserializeOwned>(part: &str) -> T {
    let all: serde_json::Value = serde_json::from_str(include_str!("../../../fixtures/vectors/draws.json")).unwrap();
    serde_json::from_value(all[part].clone()).unwrap()
}

#[derive(Deserialize)]
struct GoldenSeed {
    salt: Hash,
    host: String,
    p1: String,
    p2: String,
    ikm: String,
    prk: Hash,
}

#[derive(Deserialize)]
struct GoldenKey {
    index: u32,
    input: String,
    key: String,
    leaf: Hash,
    path: KeyPath,
}

#[derive(Deserialize)]
struct Root {
    batch: u32,
    root: Hash,
}

#[derive(Deserialize)]
struct GoldenStream {
    index: u32,
    blocks: Vec<Block>,
    words: Vec<String>,
}

#[derive(Deserialize)]
struct Block {
    input: String,
    block: Hash,
}

fn shares() -> (Hash, [Share; 3]) {
    let seed: GoldenSeed = golden("seed");
    (seed.salt, [seed.host, seed.p1, seed.p2].map(|share| Share::from_hex(&share).unwrap()))
}

fn seed() -> Seed {
    let (salt, [host, p1, p2]) = shares();
    Seed::new(&salt, &host, &p1, &p2)
}

fn bytes32(text: &str) -> [u8; 32] {
    hex::decode(text).unwrap().try_into().unwrap()
}

#[test]
fn golden_seed() {
    let seed: GoldenSeed = golden("seed");
    assert_eq!(seed.ikm, [seed.host, seed.p1.clone(), seed.p2].concat());
    assert_eq!(hmac_sha256(seed.salt.bytes(), &hex::decode(&seed.ikm).unwrap()), seed.prk);
    let line: serde_json::Value = golden("line");
    assert_eq!(Share::of_line(line["text"].as_str().unwrap()).to_hex(), seed.p1);
    assert_eq!(line["share"], seed.p1);
}

#[test]
fn golden_keys() {
    let prk = *golden::<GoldenSeed>("seed").prk.bytes();
    for golden in golden::<Vec<GoldenKey>>("keys") {
        let index = DrawIndex(golden.index);
        let key = seed().key(index);
        assert_eq!(key.to_hex(), golden.key, "{index}");
        assert_eq!(key.leaf(), golden.leaf);
        assert_eq!(hmac_sha256(&prk, &hex::decode(&golden.input).unwrap()).to_string(), golden.key);
        assert_eq!(leaf_hash(&bytes32(&golden.key)), golden.leaf);
        assert_eq!(seed().tree(index.batch()).prove(index), golden.path);
    }
    for golden in golden::<Vec<Root>>("roots") {
        assert_eq!(seed().tree(golden.batch).root(), golden.root);
    }
}

#[test]
fn golden_streams() {
    for golden in golden::<Vec<GoldenStream>>("streams") {
        let key = seed().key(DrawIndex(golden.index));
        let words: Vec<String> = key.stream().take(golden.words.len()).map(|word| word.to_string()).collect();
        assert_eq!(words, golden.words);
        let blocks = golden.blocks.iter().map(|block| {
            assert_eq!(hmac_sha256(&key.0, &hex::decode(&block.input).unwrap()), block.block);
            block.block
        });
        let bytes: Vec<u8> = blocks.flat_map(|block| *block.bytes()).collect();
        let streamed: Vec<u8> = key.stream().take(12).flat_map(u64::to_be_bytes).collect();
        assert_eq!(streamed, bytes);
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    number_of_tests: usize,
    test_groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    tests: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    tc_id: u32,
    ikm: String,
    salt: String,
    info: String,
    size: usize,
    okm: String,
    result: String,
}

/// Every vector, of salts, inputs and sizes of any length, for the library behind the seed.
#[test]
fn wycheproof() {
    let text = include_str!("../../../fixtures/vectors/wycheproof/hkdf_sha256_test.json");
    let vectors: Vectors = serde_json::from_str(text).unwrap();
    let mut tried = 0;
    for vector in vectors.test_groups.iter().flat_map(|group| &group.tests) {
        let [ikm, salt, info] = [&vector.ikm, &vector.salt, &vector.info].map(|text| hex::decode(text).unwrap());
        let mut okm = vec![0; vector.size];
        let made = Hkdf::<Sha256>::new(Some(&salt), &ikm).expand(&info, &mut okm);
        assert_eq!(made.is_ok(), vector.result == "valid", "test {}", vector.tc_id);
        if made.is_ok() {
            assert_eq!(hex::encode(okm), vector.okm, "test {}", vector.tc_id);
        }
        tried += 1;
    }
    assert_eq!(tried, vectors.number_of_tests);
}
