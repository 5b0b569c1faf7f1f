//! The range proofs of the crate monero-bulletproofs: Bulletproofs and Bulletproofs+
//! over the curve of Ed25519.

#[path = "../../harness.rs"]
mod harness;

use harness::{value, Case, STATEMENTS};
use monero_bulletproofs::{BatchVerifier, Bulletproof};
use monero_ed25519::{Commitment, CompressedPoint, Scalar};
use rand_core::OsRng;

struct Ranges {
    plus: bool,
    openings: Vec<Vec<Commitment>>,
    commitments: Vec<Vec<CompressedPoint>>,
}

impl Ranges {
    fn new(plus: bool, values: usize) -> Self {
        let openings: Vec<Vec<_>> = (0..STATEMENTS)
            .map(|n| (0..values).map(|i| Commitment::new(Scalar::random(&mut OsRng), value(n, i))).collect())
            .collect();
        let commitments = openings.iter().map(|o| o.iter().map(|c| c.commit().compress()).collect()).collect();
        Ranges { plus, openings, commitments }
    }

    fn read(&self, mut proof: &[u8]) -> Option<Bulletproof> {
        if self.plus { Bulletproof::read_plus(&mut proof).ok() } else { Bulletproof::read(&mut proof).ok() }
    }
}

impl Case for Ranges {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let outputs = self.openings[statement].clone();
        let made = if self.plus { Bulletproof::prove_plus(&mut OsRng, outputs) } else { Bulletproof::prove(&mut OsRng, outputs) };
        made.expect("an honest proof").serialize()
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        self.read(proof).is_some_and(|p| p.verify(&mut OsRng, &self.commitments[statement]))
    }

    fn batch(&self, proofs: &[Vec<u8>]) -> Option<bool> {
        let mut verifier = BatchVerifier::new();
        for (c, proof) in self.commitments.iter().zip(proofs) {
            match self.read(proof) {
                Some(p) if p.batch_verify(&mut OsRng, &mut verifier, c) => {}
                _ => return Some(false),
            }
        }
        Some(verifier.verify())
    }
}

fn main() {
    let mut cases = Vec::new();
    for (plus, system) in [(false, "BP"), (true, "BP+")] {
        for values in [1, 2] {
            let name = format!("statement=ranges/library=monero-bulletproofs/system={system}/values={values}");
            cases.push((name, Box::new(Ranges::new(plus, values)) as Box<dyn Case>));
        }
    }
    harness::serve(cases);
}
