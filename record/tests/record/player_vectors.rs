//! The golden vectors of `fixtures/vectors/players.json`, which another program computed from `docs/record-format.md`:
//! ids, commitments, signatures and entries of registered players, and the code of a key.

use std::collections::BTreeSet;

use ledger::ed25519::SecretKey;
use ledger::{
    ChainAct, ChainMessage, Hash, KeyCode, NextKeyHash, Origin, PlayerId, PlayerKey, PlayerSignature, SealKey,
    SealMessage, VouchMessage, VouchRequest, leaf_hash,
};
use record::{PlayerChain, Vouching};
use serde_json::Value;

use crate::vector::{bytes, file, of_kind, part, text};

const PLAYERS: &str = include_str!("../../../fixtures/vectors/players.json");

fn of(kind: &str) -> Vec<Value> {
    of_kind(&file(PLAYERS), kind).into_iter().map(|(_, vector)| vector).collect()
}

fn secret(vector: &Value) -> SecretKey {
    let secret = SecretKey::from_seed(&bytes(vector, "secret"));
    if let Some(public) = vector["public"].as_str() {
        assert_eq!(PlayerKey::from(&secret).to_string(), public);
    }
    secret
}

#[test]
fn every_kind_is_there() {
    let file = file(PLAYERS);
    let kinds: BTreeSet<&str> = file["vectors"].as_array().unwrap().iter().map(|vector| text(vector, "kind")).collect();
    let due = ["code", "leaf", "next-key", "player-id", "register", "revoke", "rotate", "seal", "vouch"];
    assert!(kinds.iter().eq(due.iter()), "{kinds:?}");
}

#[test]
fn ids_commitments_and_codes() {
    for vector in of("player-id") {
        let (origin, key): (Origin, PlayerKey) = (part(&vector, "origin"), part(&vector, "public"));
        assert_eq!(PlayerId::of(&origin, &key), part(&vector, "output"));
        assert_eq!(format!("matchbook/player-id/1\n{origin}\n{key}"), text(&vector, "input"));
    }
    for vector in of("next-key") {
        assert_eq!(NextKeyHash::of(&part(&vector, "public")), part(&vector, "output"));
    }
    for vector in of("code") {
        let code = KeyCode::new(*secret(&vector).seed());
        assert_eq!(code.letters(), text(&vector, "output"));
        let read = KeyCode::read(text(&vector, "output")).unwrap();
        assert_eq!(hex::encode(read.key().seed()), text(&vector, "secret"));
    }
}

#[test]
fn signatures_of_chains() {
    for kind in ["register", "rotate", "revoke"] {
        for vector in of(kind) {
            let (origin, secret): (Origin, _) = (part(&vector, "origin"), secret(&vector));
            let key = PlayerKey::from(&secret);
            let act = match kind {
                "register" => ChainAct::Register { key, next: part(&vector, "next") },
                "rotate" => ChainAct::Rotate { key, next: part(&vector, "next") },
                _ => ChainAct::Revoke { key: part(&vector, "ends") },
            };
            let message = ChainMessage { origin: &origin, player: part(&vector, "player"), act };
            assert_eq!(message.text(), text(&vector, "input"));
            let signature: PlayerSignature = part(&vector, "output");
            assert_eq!(message.sign(&secret), signature);
            assert_eq!(message.check(&key, &signature), Ok(()));
        }
    }
}

#[test]
fn vouchings_and_their_commitment() {
    let mut written = Vec::new();
    for vector in of("vouch") {
        let (origin, secret): (Origin, _) = (part(&vector, "origin"), secret(&vector));
        let request = VouchRequest {
            match_id: part(&vector, "match"),
            seat: text(&vector, "seat").parse().unwrap(),
            opened: part(&vector, "opened"),
            session: part(&vector, "key"),
        };
        let message = VouchMessage { origin: &origin, request, player: part(&vector, "player") };
        assert_eq!(message.text(), text(&vector, "input"));
        let signature = message.sign(&secret);
        assert_eq!(signature, part(&vector, "output"));
        written.push(Vouching { player: message.player, signature }.to_string());
    }
    for vector in of("seal") {
        assert!(written.contains(&text(&vector, "value").to_owned()));
        let (origin, decision, field) = (part(&vector, "origin"), part(&vector, "decision"), part(&vector, "field"));
        let message = SealMessage {
            origin: &origin,
            match_id: part(&vector, "match"),
            decision: &decision,
            seat: text(&vector, "seat").parse().unwrap(),
            field: &field,
            asked: part(&vector, "asked"),
            value: text(&vector, "value"),
        };
        let commitment = message.seal(&SealKey::from_hex(text(&vector, "key")).unwrap()).unwrap();
        assert_eq!(commitment, part(&vector, "output"));
    }
}

#[test]
fn the_entries_are_a_chain() {
    let leaves = of("leaf");
    let lines: Vec<&[u8]> = leaves.iter().map(|leaf| text(leaf, "entry").as_bytes()).collect();
    for leaf in &leaves {
        assert_eq!(leaf_hash(text(leaf, "entry").as_bytes()), part::<Hash>(leaf, "output"));
    }
    let player = part(&of("player-id")[0], "output");
    let chain = PlayerChain::read(&"example.org/record".parse().unwrap(), player, &lines).unwrap();
    assert_eq!((chain.keys.len(), chain.revoked.map(|(entry, _)| entry.0)), (2, Some(2)));
}
