use super::*;

fn quicknet() -> Network {
    Network::quicknet()
}

#[test]
fn quicknet_is_written_and_read() {
    let line = "quicknet 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971 \
                83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec75\
                8c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a 1692803367 3";
    assert_eq!(quicknet().to_string(), line);
    assert_eq!(line.parse(), Ok(quicknet()));
    for wrong in [
        line.replace("quicknet", ""),
        line.replace("quicknet", &"q".repeat(65)),
        line.replace("83cf", "83CF"),
        line.replace("52db", "52d"),
        line.replace(" 3", " 0"),
        line.replace(" 3", " 03"),
        format!("{line} 1"),
    ] {
        assert!(wrong.parse::<Network>().is_err(), "{wrong}");
    }
}

/// drand's chain hash: period, genesis, key, group hash and name (`Info.Hash` in drand's `common/chain/info.go`).
#[test]
fn the_hash_of_quicknet_covers_its_key_and_its_times() {
    use sha2::{Digest, Sha256};
    let group = hex::decode("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e").unwrap();
    let Network { key, genesis, period, .. } = quicknet();
    let hash = Sha256::new()
        .chain_update(period.to_be_bytes())
        .chain_update(u64::from(genesis).to_be_bytes())
        .chain_update(key.bytes())
        .chain_update(group)
        .chain_update("quicknet");
    assert_eq!(Hash::new(hash.finalize().into()), quicknet().hash.0);
}

#[test]
fn each_round_has_its_second() {
    let at = |micros: i64| Moment::from_micros(micros).unwrap();
    let genesis = 1_692_803_367_000_000;
    let [first, second, third] = [1, 2, 3].map(|number| Round::new(number).unwrap());
    assert_eq!([first, second].map(|round| quicknet().second_of(round)), [1_692_803_367, 1_692_803_370]);
    assert_eq!(quicknet().time_of(second), at(genesis + 3_000_000));
    assert_eq!(quicknet().round_from(at(0)), first);
    assert_eq!(quicknet().round_from(at(genesis)), first);
    assert_eq!(quicknet().round_from(at(genesis + 1)), second);
    assert_eq!(quicknet().round_from(at(genesis + 3_000_000)), second);
    assert_eq!(quicknet().round_from(at(genesis + 3_000_001)), third);
    assert_eq!(quicknet().time_of(Round::new(Round::MAX).unwrap()), Moment::MAX);
    for (number, is) in [(0, false), (1, true), (Round::MAX, true), (Round::MAX + 1, false)] {
        assert_eq!(Round::new(number).is_ok(), is, "{number}");
        assert_eq!(serde_json::from_str::<Round>(&number.to_string()).is_ok(), is, "{number}");
    }
}

#[test]
fn a_signature_has_one_notation() {
    let text = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
    let signature: RoundSignature = text.parse().unwrap();
    assert_eq!(signature.to_string(), text);
    assert_eq!(serde_json::to_string(&signature).unwrap(), format!("\"{text}\""));
    for wrong in [text.to_uppercase(), text[2..].to_owned(), format!("{text}00"), text.replace('b', "g")] {
        assert_eq!(wrong.parse::<RoundSignature>(), Err(BeaconError::Signature));
    }
}
