use super::*;
use crate::hash::Hash;
use crate::leaf::leaf_hash;
use crate::note::SignerKey;
use crate::proof::Subtree;
use crate::tree::Frontier;

fn log() -> SignerKey {
    SignerKey::from_seed("example.com/log".parse().unwrap(), &[1; 32])
}

fn leaves() -> Vec<Hash> {
    (0..8_u8).map(|number| leaf_hash(&[number])).collect()
}

fn tree(size: usize) -> Tree {
    leaves().into_iter().take(size).collect::<Frontier>().tree()
}

fn signed(tree: Tree) -> Note {
    Checkpoint::new(log().verifier().name(), tree).sign(&log())
}

fn proof(old: u64, new: u64) -> ConsistencyProof {
    let source = |at: Subtree| {
        let first = usize::try_from(at.first_leaf().0).ok()?;
        let leaves = leaves();
        let covered = leaves.get(first..usize::try_from(at.covered_by().0).ok()?)?;
        Some(covered.iter().copied().collect::<Frontier>().root())
    };
    ConsistencyProof::prove(TreeSize(old), TreeSize(new), &source).unwrap()
}

fn request(old: u64, new: u64) -> AddCheckpoint {
    let proof = if old == 0 { ConsistencyProof::default() } else { proof(old, new) };
    AddCheckpoint::new(TreeSize(old), proof, signed(tree(new as usize))).unwrap()
}

fn decided(request: &AddCheckpoint, last: Option<Tree>) -> Decision {
    request.decide([log().verifier()], last)
}

#[test]
fn grows_from_what_was_cosigned() {
    assert_eq!(decided(&request(0, 0), None), Decision::Cosign(Tree::empty()));
    assert_eq!(decided(&request(0, 5), None), Decision::Cosign(tree(5)));
    assert_eq!(decided(&request(0, 5), Some(Tree::empty())), Decision::Cosign(tree(5)));
    for old in 1..=8 {
        for new in old..=8 {
            let decision = decided(&request(old, new), Some(tree(old as usize)));
            assert_eq!(decision, Decision::Cosign(tree(new as usize)), "{old} to {new}");
        }
    }
}

#[test]
fn in_the_order_of_the_specification() {
    let other = SignerKey::from_seed("example.com/log".parse().unwrap(), &[2; 32]);
    // Everything in it is wrong; the answer is for the first check.
    let wrong = AddCheckpoint::new(TreeSize(7), proof(3, 4), signed(Tree { root: Hash::ZERO, ..tree(5) })).unwrap();
    assert_eq!(wrong.decide([], Some(tree(3))), Decision::UnknownOrigin);
    assert_eq!(wrong.decide([other.verifier()], Some(tree(3))), Decision::NotSigned);
    assert_eq!(decided(&wrong, Some(tree(3))), Decision::OldAboveNew);
    let wrong = AddCheckpoint::new(TreeSize(4), proof(3, 4), signed(Tree { root: Hash::ZERO, ..tree(5) })).unwrap();
    assert_eq!(decided(&wrong, Some(tree(3))), Decision::Conflict { last: TreeSize(3) });
    assert_eq!(decided(&wrong, None), Decision::Conflict { last: TreeSize(0) });
    assert!(matches!(decided(&wrong, Some(tree(4))), Decision::Inconsistent(_)));
    let statuses = [
        (Decision::UnknownOrigin, 404),
        (Decision::NotSigned, 403),
        (Decision::OldAboveNew, 400),
        (Decision::Conflict { last: TreeSize(3) }, 409),
        (Decision::Inconsistent(ConsistencyError::TooLong), 422),
        (Decision::Cosign(tree(1)), 200),
    ];
    for (decision, status) in statuses {
        assert_eq!(decision.status(), status);
    }
}

#[test]
fn a_false_line_of_a_known_key_is_not_signed() {
    let mut note = signed(tree(2));
    note.add(log().sign(signed(tree(3)).text())).unwrap();
    let request = AddCheckpoint::new(TreeSize(0), ConsistencyProof::default(), note).unwrap();
    assert_eq!(decided(&request, None), Decision::NotSigned);
}

#[test]
fn what_does_not_fit_is_inconsistent() {
    let refused = |old: u64, proof, new, last| {
        let request = AddCheckpoint::new(TreeSize(old), proof, signed(new)).unwrap();
        match decided(&request, last) {
            Decision::Inconsistent(error) => error,
            other => panic!("{other:?}"),
        }
    };
    let nothing = ConsistencyProof::default;
    let other = |size| Tree { root: Hash::ZERO, ..tree(size) };
    assert_eq!(refused(0, proof(3, 5), tree(5), None), ConsistencyError::TooLong);
    assert_eq!(refused(0, nothing(), other(0), None), ConsistencyError::EmptyRoot);
    assert_eq!(refused(5, nothing(), other(5), Some(tree(5))), ConsistencyError::TwoRoots);
    assert_eq!(refused(5, proof(3, 5), tree(5), Some(tree(5))), ConsistencyError::TooLong);
    assert_eq!(refused(3, nothing(), tree(5), Some(tree(3))), ConsistencyError::TooShort);
    assert_eq!(refused(3, proof(3, 5), other(5), Some(tree(3))), ConsistencyError::OtherNewRoot);
    assert_eq!(refused(3, proof(3, 5), tree(5), Some(other(3))), ConsistencyError::OtherOldRoot);
}

#[test]
fn one_notation() {
    for (old, new) in [(0, 0), (0, 5), (3, 5), (5, 5)] {
        let request = request(old, new);
        let body = request.to_string();
        assert_eq!(AddCheckpoint::read(body.as_bytes()), Ok(request));
    }
    // The example of the specification. It does not publish the keys of its signatures.
    let example = "old 20852014\n\
        PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n\
        jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n\
        5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n\
        /6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\
        \n\
        example.com/behind-the-sofa\n\
        20852163\n\
        CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\
        \n\
        \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
        \u{2014} example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n";
    let read = AddCheckpoint::read(example.as_bytes()).unwrap();
    assert_eq!(read.to_string(), example);
    assert_eq!((read.old(), read.checkpoint().tree().size), (TreeSize(20_852_014), TreeSize(20_852_163)));
    assert_eq!((read.origin().as_str(), read.note().signatures().len()), ("example.com/behind-the-sofa", 2));
}

#[test]
fn a_request_has_limits_and_is_utf_8() {
    let good = request(3, 5).to_string();
    let hash = proof(3, 5).path[0].to_base64();
    let many = good.replacen(&hash, &format!("{hash}\n").repeat(64), 1);
    let refused = AddCheckpoint::read(many.as_bytes()).unwrap_err();
    assert_eq!(refused.to_string(), "a consistency proof has at most 63 hashes");
    assert_eq!(AddCheckpoint::read(b"\xff").unwrap_err().to_string(), "the request is UTF-8");
    let long = vec![b'a'; ADD_CHECKPOINT_MAX_BYTES + 1];
    assert_eq!(AddCheckpoint::read(&long).unwrap_err().to_string(), "the request has at most 1004096 bytes");
}
