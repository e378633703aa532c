//! Golden values, and every part of a message that a signature covers.

use super::*;

fn secret(first: u8) -> SecretKey {
    SecretKey::from_seed(&std::array::from_fn(|at| at as u8 ^ first))
}

fn origin() -> Origin {
    "localhost/matchbook-0123abcd".parse().unwrap()
}

fn first() -> PlayerKey {
    PlayerKey::from(&secret(0))
}

fn next() -> NextKeyHash {
    NextKeyHash::of(&PlayerKey::from(&secret(0x40)))
}

fn player() -> PlayerId {
    PlayerId::of(&origin(), &first())
}

fn request() -> VouchRequest {
    VouchRequest {
        match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
        seat: Sealer::P1,
        opened: Hash::new([0x11; 32]),
        session: PlayerKey::from(&secret(0x80)),
    }
}

#[test]
fn an_id_follows_from_log_and_first_key() {
    // printf 'matchbook/player-id/1\nlocalhost/matchbook-0123abcd\nA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=' |
    // sha256sum, of which the 13th digit becomes 4, and the 17th one of 8 to b.
    assert_eq!(first().to_string(), "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=");
    assert_eq!(player().to_string(), "df7efe38-9b69-467b-88d4-581aee261177");
    assert_eq!(player().chain().0.get_version_num(), 4);
    assert_ne!(PlayerId::of(&"elsewhere.example/log".parse().unwrap(), &first()), player());
    assert_ne!(PlayerId::of(&origin(), &PlayerKey::from(&secret(1))), player());
    assert_eq!(PlayerId::of_chain(player().chain()), player());
    assert_eq!(player().to_string().parse(), Ok(player()));
    assert_eq!(next().to_string(), "afcc4ae52898fb280798f79471060acc062a48a2986d5cfc070c0679b6f1bb99");
    assert_eq!(next().to_string().parse(), Ok(next()));
}

#[test]
fn the_lines_that_are_signed() {
    let (origin, player) = (origin(), player());
    let text = |act| ChainMessage { origin: &origin, player, act }.text();
    let (key, next) = (first(), next());
    let start = format!("localhost/matchbook-0123abcd\n{player}\n{key}");
    assert_eq!(text(ChainAct::Register { key, next }), format!("matchbook/register/1\n{start}\n{next}"));
    assert_eq!(text(ChainAct::Rotate { key, next }), format!("matchbook/rotate/1\n{start}\n{next}"));
    assert_eq!(text(ChainAct::Revoke { key }), format!("matchbook/revoke/1\n{start}"));
    let vouching = VouchMessage { origin: &origin, request: request(), player }.text();
    let (match_id, session) = (request().match_id, request().session);
    let lines = ["matchbook/vouch/1", "localhost/matchbook-0123abcd", &match_id.to_string(), "p1", &"11".repeat(32)];
    assert_eq!(vouching, format!("{}\n{session}\n{player}", lines.join("\n")));
}

#[test]
fn a_signature_fits_its_message_and_no_other() {
    let (origin, other) = (origin(), "elsewhere.example/log".parse().unwrap());
    let stranger = PlayerId::of(&other, &first());
    let (key, next) = (first(), next());
    let register = ChainMessage { origin: &origin, player: player(), act: ChainAct::Register { key, next } };
    let signature = register.sign(&secret(0));
    assert_eq!(register.check(&key, &signature), Ok(()));
    assert_eq!(register.check(&PlayerKey::from(&secret(1)), &signature), Err(NotSigned));
    let changed = PlayerKey::from(&secret(2));
    for message in [
        ChainMessage { origin: &other, ..register },
        ChainMessage { player: stranger, ..register },
        ChainMessage { act: ChainAct::Rotate { key, next }, ..register },
        ChainMessage { act: ChainAct::Revoke { key }, ..register },
        ChainMessage { act: ChainAct::Register { key: changed, next }, ..register },
        ChainMessage { act: ChainAct::Register { key, next: NextKeyHash::of(&key) }, ..register },
    ] {
        assert_eq!(message.check(&key, &signature), Err(NotSigned), "{}", message.text());
    }
}

#[test]
fn a_vouching_fits_one_seat_of_one_match_and_one_key() {
    let (origin, other) = (origin(), "elsewhere.example/log".parse().unwrap());
    let stranger = PlayerId::of(&other, &first());
    let vouches = VouchMessage { origin: &origin, request: request(), player: player() };
    let signature = vouches.sign(&secret(0));
    assert_eq!(vouches.check(&first(), &signature), Ok(()));
    let to = |request| VouchMessage { request, ..vouches };
    for message in [
        VouchMessage { origin: &other, ..vouches },
        VouchMessage { player: stranger, ..vouches },
        to(VouchRequest { match_id: player().chain(), ..request() }),
        to(VouchRequest { seat: Sealer::P2, ..request() }),
        to(VouchRequest { opened: Hash::ZERO, ..request() }),
        to(VouchRequest { session: first(), ..request() }),
    ] {
        assert_eq!(message.check(&first(), &signature), Err(NotSigned), "{}", message.text());
    }
    assert_eq!(NotSigned.to_string(), "this signature was not made with the player's key for this");
}
