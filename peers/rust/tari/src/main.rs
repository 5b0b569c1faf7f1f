//! The range proofs of the crate tari_bulletproofs_plus: Bulletproofs+ over Ristretto.

#[path = "../../harness.rs"]
mod harness;

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use harness::{value, Case, STATEMENTS};
use tari_bulletproofs_plus::commitment_opening::CommitmentOpening;
use tari_bulletproofs_plus::generators::pedersen_gens::ExtensionDegree;
use tari_bulletproofs_plus::range_parameters::RangeParameters;
use tari_bulletproofs_plus::range_proof::VerifyAction;
use tari_bulletproofs_plus::range_statement::RangeStatement;
use tari_bulletproofs_plus::range_witness::RangeWitness;
use tari_bulletproofs_plus::ristretto::{create_pedersen_gens_with_extension_degree, RistrettoRangeProof};
use tari_merlin::Transcript;

const BITS: usize = 64;
const LABEL: &[u8] = b"zkatbench peers";

struct Ranges {
    statements: Vec<RangeStatement<RistrettoPoint>>,
    witnesses: Vec<RangeWitness>,
}

impl Ranges {
    fn new(values: usize) -> Self {
        let pedersen = create_pedersen_gens_with_extension_degree(ExtensionDegree::DefaultPedersen);
        let parameters = RangeParameters::init(BITS, values, pedersen).expect("parameters");
        let (mut statements, mut witnesses) = (Vec::new(), Vec::new());
        for n in 0..STATEMENTS {
            let openings: Vec<_> = (0..values).map(|i| (value(n, i), Scalar::from(value(n, i + 5) | 1))).collect();
            let commitments = openings
                .iter()
                .map(|(v, b)| parameters.pc_gens().commit(&Scalar::from(*v), &[*b]).expect("a commitment"))
                .collect();
            statements.push(RangeStatement::init(parameters.clone(), commitments, vec![None; values], None).expect("a statement"));
            let openings = openings.iter().map(|(v, b)| CommitmentOpening::new(*v, vec![*b])).collect();
            witnesses.push(RangeWitness::init(openings).expect("a witness"));
        }
        Ranges { statements, witnesses }
    }

    fn holds(&self, statements: &[RangeStatement<RistrettoPoint>], proofs: &[RistrettoRangeProof]) -> bool {
        let mut transcripts = vec![Transcript::new(LABEL); proofs.len()];
        RistrettoRangeProof::verify_batch(&mut transcripts, statements, proofs, VerifyAction::VerifyOnly).is_ok()
    }
}

impl Case for Ranges {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let mut transcript = Transcript::new(LABEL);
        RistrettoRangeProof::prove(&mut transcript, &self.statements[statement], &self.witnesses[statement])
            .expect("an honest proof")
            .to_bytes()
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        RistrettoRangeProof::from_bytes(proof).is_ok_and(|p| self.holds(&self.statements[statement..=statement], &[p]))
    }

    fn batch(&self, proofs: &[Vec<u8>]) -> Option<bool> {
        let decoded: Result<Vec<_>, _> = proofs.iter().map(|p| RistrettoRangeProof::from_bytes(p)).collect();
        Some(decoded.is_ok_and(|d| self.holds(&self.statements[..proofs.len()], &d)))
    }
}

fn main() {
    harness::serve(
        [1, 2]
            .map(|values| (format!("statement=ranges/library=tari_bulletproofs_plus/system=BP+/values={values}"), Box::new(Ranges::new(values)) as Box<dyn Case>))
            .into(),
    );
}
