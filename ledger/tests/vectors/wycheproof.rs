//! Project Wycheproof on Ed25519. (HMAC-SHA-256 is tested in `seal.rs`.)

use std::fs;

use matchbook_ledger::ed25519::PublicKey;
use serde_json::Value;

use crate::folder;

#[test]
fn ed25519() {
    let vectors: Value = serde_json::from_slice(&fs::read(folder("wycheproof/ed25519_test.json")).unwrap()).unwrap();
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let mut tried = 0;
    for group in vectors["testGroups"].as_array().unwrap() {
        let key = PublicKey::read(&bytes(&group["publicKey"]["pk"]).try_into().unwrap());
        for vector in group["tests"].as_array().unwrap() {
            let (message, signature) = (bytes(&vector["msg"]), bytes(&vector["sig"]));
            let valid = key.is_ok_and(|key| key.verify(&message, &signature).is_ok());
            assert_eq!(valid, vector["result"] == "valid", "test {}", vector["tcId"]);
            tried += 1;
        }
    }
    assert_eq!((tried, vectors["numberOfTests"].as_u64()), (151, Some(151)));
}
