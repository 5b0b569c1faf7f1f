//! The range proofs of the crate bulletproofs: Bulletproofs over Ristretto.

#[path = "../../harness.rs"]
mod harness;

use bulletproofs::{BulletproofGens, PedersenGens, RangeProof};
use curve25519_dalek::ristretto::CompressedRistretto;
use curve25519_dalek::scalar::Scalar;
use harness::{value, Case, STATEMENTS};
use merlin::Transcript;

const BITS: usize = 64;
const LABEL: &[u8] = b"zkatbench peers";

struct Ranges {
    pedersen: PedersenGens,
    generators: BulletproofGens,
    openings: Vec<(Vec<u64>, Vec<Scalar>)>,
    commitments: Vec<Vec<CompressedRistretto>>,
}

impl Ranges {
    fn new(values: usize) -> Self {
        let pedersen = PedersenGens::default();
        let openings: Vec<(Vec<u64>, Vec<Scalar>)> = (0..STATEMENTS)
            .map(|n| (0..values).map(|i| (value(n, i), Scalar::from(value(n, i + 5) | 1))).unzip())
            .collect();
        let commitments = openings
            .iter()
            .map(|(v, b)| v.iter().zip(b).map(|(v, b)| pedersen.commit(Scalar::from(*v), *b).compress()).collect())
            .collect();
        Ranges { pedersen, generators: BulletproofGens::new(BITS, values), openings, commitments }
    }
}

impl Case for Ranges {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let (values, blindings) = &self.openings[statement];
        let mut transcript = Transcript::new(LABEL);
        RangeProof::prove_multiple(&self.generators, &self.pedersen, &mut transcript, values, blindings, BITS)
            .expect("an honest proof")
            .0
            .to_bytes()
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        let mut transcript = Transcript::new(LABEL);
        RangeProof::from_bytes(proof).is_ok_and(|p| {
            p.verify_multiple(&self.generators, &self.pedersen, &mut transcript, &self.commitments[statement], BITS).is_ok()
        })
    }
}

fn main() {
    harness::serve(
        [1, 2]
            .map(|values| (format!("statement=ranges/library=bulletproofs/system=BP/values={values}"), Box::new(Ranges::new(values)) as Box<dyn Case>))
            .into(),
    );
}
