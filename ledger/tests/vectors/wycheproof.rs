//! Project Wycheproof on Ed25519. (HMAC-SHA-256 is tested in `seal.rs`.)

use std::fs;

use matchbook_ledger::ed25519::PublicKey;

use crate::folder;

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    number_of_tests: u32,
    test_groups: Vec<Group>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    public_key: Public,
    tests: Vec<Vector>,
}

#[derive(serde::Deserialize)]
struct Public {
    pk: String,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    tc_id: u32,
    msg: String,
    sig: String,
    result: String,
}

#[test]
fn ed25519() {
    let vectors: Vectors = serde_json::from_slice(&fs::read(folder("wycheproof/ed25519_test.json")).unwrap()).unwrap();
    let mut tried = 0;
    for group in &vectors.test_groups {
        let key = PublicKey::read(&hex::decode(&group.public_key.pk).unwrap().try_into().unwrap());
        for vector in &group.tests {
            let (message, signature) = (hex::decode(&vector.msg).unwrap(), hex::decode(&vector.sig).unwrap());
            let valid = key.is_ok_and(|key| key.verify(&message, &signature).is_ok());
            assert_eq!(valid, vector.result == "valid", "test {}", vector.tc_id);
            tried += 1;
        }
    }
    assert_eq!((tried, vectors.number_of_tests), (151, 151));
}
