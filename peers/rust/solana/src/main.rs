//! The confidential transfer of the crate solana-zk-sdk, with balance: one account
//! pays another, an auditor can decrypt. Three proofs: the new balance of the payer
//! equals a commitment, the amount is encrypted to three keys (16 low and 32 high
//! bits), and the new balance (64 bits) and both halves of the amount are in range.
//! The ranges alone, of one and two values of 64 bits, are cases too.

#[path = "../../harness.rs"]
mod harness;

use bytemuck::{bytes_of, pod_read_unaligned};
use harness::{value, Case, STATEMENTS};
use solana_zk_elgamal_proof_interface::proof_data::{
    BatchedGroupedCiphertext3HandlesValidityProofData as Validity, BatchedRangeProofU128Data as Ranges128,
    BatchedRangeProofU64Data as Ranges64, CiphertextCommitmentEqualityProofData as Equality,
};
use solana_zk_sdk::encryption::elgamal::{ElGamalCiphertext, ElGamalKeypair};
use solana_zk_sdk::encryption::grouped_elgamal::{GroupedElGamal, GroupedElGamalCiphertext};
use solana_zk_sdk::encryption::pedersen::{Pedersen, PedersenCommitment, PedersenOpening};
use solana_zk_sdk::zk_elgamal_proof_program::{
    build_batched_grouped_ciphertext_3_handles_validity_proof_data, build_batched_range_proof_u128_data,
    build_batched_range_proof_u64_data, build_ciphertext_commitment_equality_proof_data, VerifyZkProof,
};

/// Keys of the payer, the receiver and the auditor.
struct Keys([ElGamalKeypair; 3]);

struct Statement {
    low: u64,
    high: u64,
    balance: u64, // after the transfer
    grouped: [GroupedElGamalCiphertext<3>; 2],
    openings: [PedersenOpening; 2],
    after: ElGamalCiphertext,
    commitment: (PedersenCommitment, PedersenOpening),
    padding: (PedersenCommitment, PedersenOpening),
    contexts: Vec<u8>, // what the verifier knows
}

struct Transfer {
    keys: Keys,
    statements: Vec<Statement>,
}

impl Transfer {
    fn new() -> Self {
        let keys = Keys([ElGamalKeypair::new_rand(), ElGamalKeypair::new_rand(), ElGamalKeypair::new_rand()]);
        let mut t = Transfer { keys, statements: Vec::new() };
        for n in 0..STATEMENTS {
            t.statements.push(t.statement(n));
            let contexts = t.contexts(&t.build(n));
            t.statements[n].contexts = contexts;
        }
        t
    }

    fn statement(&self, n: usize) -> Statement {
        let [payer, receiver, auditor] = &self.keys.0;
        let (low, high) = (value(n, 0) & 0xffff, value(n, 1) & 0xffff_ffff);
        let balance = value(n, 2) >> 16;
        let openings = [PedersenOpening::new_rand(), PedersenOpening::new_rand()];
        let pubkeys = [payer.pubkey(), receiver.pubkey(), auditor.pubkey()];
        let grouped = [
            GroupedElGamal::encrypt_with(pubkeys, low, &openings[0]),
            GroupedElGamal::encrypt_with(pubkeys, high, &openings[1]),
        ];
        let before = payer.pubkey().encrypt(balance + low + (high << 16));
        let shifted = &(1u64 << 16) * &grouped[1].to_elgamal_ciphertext(0).unwrap();
        let after = &(&before - &grouped[0].to_elgamal_ciphertext(0).unwrap()) - &shifted;
        Statement {
            low, high, balance, grouped, openings, after,
            commitment: Pedersen::new(balance), padding: Pedersen::new(0u64), contexts: Vec::new(),
        }
    }

    fn build(&self, n: usize) -> (Equality, Validity, Ranges128) {
        let (s, [payer, receiver, auditor]) = (&self.statements[n], &self.keys.0);
        let equality = build_ciphertext_commitment_equality_proof_data(payer, &s.after, &s.commitment.0, &s.commitment.1, s.balance);
        let validity = build_batched_grouped_ciphertext_3_handles_validity_proof_data(
            payer.pubkey(), receiver.pubkey(), auditor.pubkey(),
            &s.grouped[0], &s.grouped[1], s.low, s.high, &s.openings[0], &s.openings[1],
        );
        let ranges = build_batched_range_proof_u128_data(
            vec![&s.commitment.0, &s.grouped[0].commitment, &s.grouped[1].commitment, &s.padding.0],
            vec![s.balance, s.low, s.high, 0],
            vec![64, 16, 32, 16],
            vec![&s.commitment.1, &s.openings[0], &s.openings[1], &s.padding.1],
        );
        (equality.expect("equality"), validity.expect("validity"), ranges.expect("ranges"))
    }

    fn contexts(&self, (e, v, r): &(Equality, Validity, Ranges128)) -> Vec<u8> {
        [bytes_of(&e.context), bytes_of(&v.context), bytes_of(&r.context)].concat()
    }
}

/// Splits encoded proof data. It panics if the length is wrong: proofs are our own.
fn split(proof: &[u8]) -> (Equality, Validity, Ranges128) {
    let (e, rest) = proof.split_at(size_of::<Equality>());
    let (v, r) = rest.split_at(size_of::<Validity>());
    (pod_read_unaligned(e), pod_read_unaligned(v), pod_read_unaligned(r))
}

impl Case for Transfer {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let (e, v, r) = self.build(statement);
        [bytes_of(&e), bytes_of(&v), bytes_of(&r)].concat()
    }

    fn size(&self, proof: &[u8]) -> usize {
        let (e, v, r) = split(proof);
        size_of_val(&e.proof) + size_of_val(&v.proof) + size_of_val(&r.proof)
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        let all = split(proof);
        self.contexts(&all) == self.statements[statement].contexts
            && all.0.verify_proof().is_ok()
            && all.1.verify_proof().is_ok()
            && all.2.verify_proof().is_ok()
    }
}

struct Ranges {
    values: usize,
    commitments: Vec<Vec<(PedersenCommitment, PedersenOpening)>>,
}

impl Ranges {
    fn new(values: usize) -> Self {
        let commitments = (0..STATEMENTS).map(|n| (0..values).map(|i| Pedersen::new(value(n, i))).collect()).collect();
        Ranges { values, commitments }
    }
}

impl Case for Ranges {
    fn prove(&self, statement: usize) -> Vec<u8> {
        let all = &self.commitments[statement];
        let (commitments, openings) = (all.iter().map(|c| &c.0).collect(), all.iter().map(|c| &c.1).collect());
        let amounts = (0..self.values).map(|i| value(statement, i)).collect();
        match self.values {
            1 => bytes_of(&build_batched_range_proof_u64_data(commitments, amounts, vec![64], openings).expect("ranges")).to_vec(),
            _ => bytes_of(&build_batched_range_proof_u128_data(commitments, amounts, vec![64, 64], openings).expect("ranges")).to_vec(),
        }
    }

    fn size(&self, proof: &[u8]) -> usize {
        match self.values {
            1 => size_of_val(&pod_read_unaligned::<Ranges64>(proof).proof),
            _ => size_of_val(&pod_read_unaligned::<Ranges128>(proof).proof),
        }
    }

    fn verify(&self, statement: usize, proof: &[u8]) -> bool {
        let known: Vec<u8> = self.commitments[statement].iter().flat_map(|c| c.0.to_bytes()).collect();
        let same = proof.starts_with(&known); // the context begins with the commitments
        same && match self.values {
            1 => pod_read_unaligned::<Ranges64>(proof).verify_proof().is_ok(),
            _ => pod_read_unaligned::<Ranges128>(proof).verify_proof().is_ok(),
        }
    }
}

fn main() {
    harness::serve(vec![
        ("statement=ranges/library=solana-zk-sdk/system=BP/values=1".into(), Box::new(Ranges::new(1))),
        ("statement=ranges/library=solana-zk-sdk/system=BP/values=2".into(), Box::new(Ranges::new(2))),
        ("statement=transfer/library=solana-zk-sdk/system=BP".into(), Box::new(Transfer::new())),
    ]);
}
