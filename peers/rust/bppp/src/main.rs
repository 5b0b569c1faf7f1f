//! The range proof of the crate bp-pp: reciprocal range proofs of Bulletproofs++ over
//! secp256k1, one value a proof. Proofs are encoded by postcard, since the crate
//! offers serde alone.

#[path = "../../harness.rs"]
mod harness;

use bp_pp::range_proof::reciprocal::{Proof, SerializableProof};
use bp_pp::range_proof::u64_proof::{U64RangeProofProtocol, G_VEC_FULL_SZ, H_VEC_FULL_SZ};
use harness::{value, Case, STATEMENTS};
use k256::elliptic_curve::Group;
use k256::{ProjectivePoint, Scalar};
use merlin::Transcript;
use rand_core::OsRng;

const LABEL: &[u8] = b"zkatbench peers";

struct Range {
    public: U64RangeProofProtocol,
    values: usize,
    commitments: Vec<Vec<ProjectivePoint>>,
}

fn blinding(statement: usize, index: usize) -> Scalar {
    Scalar::from(value(statement, index + 5) | 1)
}

impl Range {
    fn new(values: usize) -> Self {
        let mut points = |n: usize| (0..n).map(|_| ProjectivePoint::random(&mut OsRng)).collect::<Vec<_>>();
        let public = U64RangeProofProtocol { g: points(1)[0], g_vec: points(G_VEC_FULL_SZ), h_vec: points(H_VEC_FULL_SZ) };
        let commitments = (0..STATEMENTS)
            .map(|n| (0..values).map(|i| public.commit_value(value(n, i), &blinding(n, i))).collect())
            .collect();
        Range { public, values, commitments }
    }
}

impl Case for Range {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let proofs: Vec<SerializableProof> = (0..self.values)
            .map(|i| {
                let mut transcript = Transcript::new(LABEL);
                let (v, s) = (value(statement, i), blinding(statement, i));
                SerializableProof::from(&self.public.prove(v, &s, &mut transcript, &mut OsRng))
            })
            .collect();
        postcard::to_stdvec(&proofs).expect("an encoding")
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        let Ok(proofs) = postcard::from_bytes::<Vec<SerializableProof>>(proof) else { return false };
        proofs.len() == self.values
            && self.commitments[statement].iter().zip(&proofs).all(|(c, p)| {
                self.public.verify(c, Proof::from(p), &mut Transcript::new(LABEL))
            })
    }
}

fn main() {
    harness::serve(
        [1, 2]
            .map(|values| (format!("statement=ranges/library=bp-pp/system=BP++/values={values}"), Box::new(Range::new(values)) as Box<dyn Case>))
            .into(),
    );
}
