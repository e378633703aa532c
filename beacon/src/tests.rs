use super::*;

fn rounds() -> Vec<(Round, RoundSignature)> {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../fixtures/vectors/beacon.json")).unwrap();
    let of = |row: &serde_json::Value| {
        let signature = row["signature"].as_str().unwrap().parse().unwrap();
        (Round::new(row["round"].as_u64().unwrap()).unwrap(), signature)
    };
    let rounds: Vec<_> = file["rounds"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(file["network"].as_str().unwrap(), Network::quicknet().to_string());
    assert!(rounds.len() >= 3);
    rounds
}

#[test]
fn published_rounds_of_quicknet_are_signed_and_nothing_else_is() {
    let quicknet = Network::quicknet();
    let rounds = rounds();
    for (n, (round, signature)) in rounds.iter().enumerate() {
        assert!(is_signed(&quicknet, *round, signature), "{round}");
        assert!(!is_signed(&quicknet, Round::new(round.number() + 1).unwrap(), signature), "another round");
        let (_, other) = rounds[(n + 1) % rounds.len()];
        assert!(!is_signed(&quicknet, *round, &other), "another signature");
        for bit in (0..48 * 8).step_by(17) {
            let mut bytes = *signature.bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_signed(&quicknet, *round, &RoundSignature::new(bytes)), "bit {bit}");
        }
        let mut key = *quicknet.key.bytes();
        key[95] ^= 1;
        assert!(!is_signed(&Network { key: NetworkKey::new(key), ..quicknet.clone() }, *round, signature));
    }
    // The point at infinity, and no point at all.
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    for bytes in [infinity, [0; 48], [0xff; 48]] {
        assert!(!is_signed(&quicknet, Round::FIRST, &RoundSignature::new(bytes)));
    }
}

#[cfg(feature = "signing")]
#[test]
fn a_network_of_a_tests_own_signs_what_is_checked() {
    let secret = NetworkSecret::of(7);
    let network = secret.network(1_795_000_000, 3);
    for number in [1, 2, 77] {
        let round = Round::new(number).unwrap();
        assert!(is_signed(&network, round, &secret.sign(round)));
        for lie in [RoundLie::OtherNetwork, RoundLie::OtherRound] {
            // There is none before the first.
            let is_same = lie == RoundLie::OtherRound && number == 1;
            assert_eq!(is_signed(&network, round, &secret.lie(round, lie)), is_same, "{number}");
        }
    }
}
