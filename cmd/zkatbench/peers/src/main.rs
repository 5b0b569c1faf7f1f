//! Times the range proofs of two Rust libraries for `zkatbench peers`.
//!
//! Each line of the standard input is `LIBRARY OPERATION VALUES COUNT`: do the
//! operation COUNT times for statements of VALUES 64-bit values, and print the
//! processor time of the thread in nanoseconds. `prove` includes encoding, `verify` includes decoding,
//! and `batch` verifies COUNT proofs together. All proofs that `prove` makes are
//! verified, and every statement is checked to be refused once it is changed.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use cpu_time::ThreadTime;

use bulletproofs::{BulletproofGens, PedersenGens, RangeProof as Dalek};
use curve25519_dalek::ristretto::CompressedRistretto;
use curve25519_dalek::scalar::Scalar as DalekScalar;
use tari_bulletproofs_plus::commitment_opening::CommitmentOpening;
use tari_bulletproofs_plus::generators::pedersen_gens::ExtensionDegree;
use tari_bulletproofs_plus::range_parameters::RangeParameters;
use tari_bulletproofs_plus::range_proof::VerifyAction;
use tari_bulletproofs_plus::range_statement::RangeStatement;
use tari_bulletproofs_plus::range_witness::RangeWitness;
use tari_bulletproofs_plus::ristretto::{
    create_pedersen_gens_with_extension_degree, RistrettoRangeProof,
};
use tari_curve::ristretto::RistrettoPoint;
use tari_curve::scalar::Scalar as TariScalar;

const BITS: usize = 64;
const LABEL: &[u8] = b"zkatbench peers";

/// What both libraries are asked to do. Values and blindings depend on the
/// number of the statement.
trait Peer {
    fn make(&self, number: u64) -> Vec<u8>;
    fn check(&self, number: u64, proof: &[u8]) -> bool;
    fn check_batch(&self, numbers: &[u64], proofs: &[Vec<u8>]) -> bool;
}

fn value(number: u64, index: usize) -> u64 {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(index as u32) ^ number
}

struct DalekPeer {
    values: usize,
    pedersen: PedersenGens,
    generators: BulletproofGens,
}

impl DalekPeer {
    fn new(values: usize) -> Self {
        DalekPeer {
            values,
            pedersen: PedersenGens::default(),
            generators: BulletproofGens::new(BITS, values),
        }
    }

    fn opening(&self, number: u64) -> (Vec<u64>, Vec<DalekScalar>) {
        (0..self.values)
            .map(|i| (value(number, i), DalekScalar::from(value(number, i + 32) | 1)))
            .unzip()
    }

    fn commitments(&self, number: u64) -> Vec<CompressedRistretto> {
        let (values, blindings) = self.opening(number);
        values
            .iter()
            .zip(&blindings)
            .map(|(v, b)| self.pedersen.commit(DalekScalar::from(*v), *b).compress())
            .collect()
    }

    fn verify(&self, commitments: &[CompressedRistretto], proof: &[u8]) -> bool {
        let mut transcript = merlin::Transcript::new(LABEL);
        match Dalek::from_bytes(proof) {
            Ok(p) => p
                .verify_multiple(&self.generators, &self.pedersen, &mut transcript, commitments, BITS)
                .is_ok(),
            Err(_) => false,
        }
    }
}

/// A peer with the commitments of the statements that it verifies.
struct Prepared<P, C> {
    peer: P,
    statements: Vec<C>,
}

impl Peer for Prepared<DalekPeer, Vec<CompressedRistretto>> {
    fn make(&self, number: u64) -> Vec<u8> {
        let (values, blindings) = self.peer.opening(number);
        let mut transcript = merlin::Transcript::new(LABEL);
        let (proof, _) = Dalek::prove_multiple(
            &self.peer.generators,
            &self.peer.pedersen,
            &mut transcript,
            &values,
            &blindings,
            BITS,
        )
        .expect("an honest proof");
        proof.to_bytes()
    }

    fn check(&self, number: u64, proof: &[u8]) -> bool {
        self.peer.verify(&self.statements[number as usize], proof)
    }

    /// The library has no batches: one by one.
    fn check_batch(&self, numbers: &[u64], proofs: &[Vec<u8>]) -> bool {
        numbers.iter().zip(proofs).all(|(n, p)| self.check(*n, p))
    }
}

struct TariPeer {
    values: usize,
    parameters: RangeParameters<RistrettoPoint>,
}

impl TariPeer {
    fn new(values: usize) -> Self {
        let generators = create_pedersen_gens_with_extension_degree(ExtensionDegree::DefaultPedersen);
        TariPeer {
            values,
            parameters: RangeParameters::init(BITS, values, generators).expect("parameters"),
        }
    }

    fn openings(&self, number: u64) -> Vec<(u64, TariScalar)> {
        (0..self.values)
            .map(|i| (value(number, i), TariScalar::from(value(number, i + 32) | 1)))
            .collect()
    }

    fn statement(&self, number: u64) -> RangeStatement<RistrettoPoint> {
        let commitments = self
            .openings(number)
            .iter()
            .map(|(v, b)| {
                self.parameters
                    .pc_gens()
                    .commit(&TariScalar::from(*v), &[*b])
                    .expect("a commitment")
            })
            .collect();
        RangeStatement::init(self.parameters.clone(), commitments, vec![None; self.values], None)
            .expect("a statement")
    }
}

impl Prepared<TariPeer, RangeStatement<RistrettoPoint>> {
    fn verify(&self, statements: &[RangeStatement<RistrettoPoint>], proofs: &[Vec<u8>]) -> bool {
        let decoded: Result<Vec<_>, _> = proofs.iter().map(|p| RistrettoRangeProof::from_bytes(p)).collect();
        let Ok(decoded) = decoded else { return false };
        let mut transcripts: Vec<_> = decoded.iter().map(|_| tari_merlin::Transcript::new(LABEL)).collect();
        RistrettoRangeProof::verify_batch(&mut transcripts, statements, &decoded, VerifyAction::VerifyOnly).is_ok()
    }
}

impl Peer for Prepared<TariPeer, RangeStatement<RistrettoPoint>> {
    fn make(&self, number: u64) -> Vec<u8> {
        let openings = self
            .peer
            .openings(number)
            .into_iter()
            .map(|(v, b)| CommitmentOpening::new(v, vec![b]))
            .collect();
        let witness = RangeWitness::init(openings).expect("a witness");
        let mut transcript = tari_merlin::Transcript::new(LABEL);
        RistrettoRangeProof::prove(&mut transcript, &self.statements[number as usize], &witness)
            .expect("an honest proof")
            .to_bytes()
    }

    fn check(&self, number: u64, proof: &[u8]) -> bool {
        let at = number as usize;
        self.verify(&self.statements[at..at + 1], &[proof.to_vec()])
    }

    fn check_batch(&self, numbers: &[u64], proofs: &[Vec<u8>]) -> bool {
        let first = numbers[0] as usize;
        self.verify(&self.statements[first..first + numbers.len()], proofs)
    }
}

/// Statements that are prepared: a batch takes all of them.
const PREPARED: u64 = 64;

fn peer(library: &str, values: usize) -> Box<dyn Peer> {
    if library == "dalek" {
        let peer = DalekPeer::new(values);
        let statements = (0..PREPARED).map(|n| peer.commitments(n)).collect();
        return Box::new(Prepared { peer, statements });
    }
    let peer = TariPeer::new(values);
    let statements = (0..PREPARED).map(|n| peer.statement(n)).collect();
    Box::new(Prepared { peer, statements })
}

/// A peer with a proof of each statement, all of them checked.
struct Ready {
    peer: Box<dyn Peer>,
    proofs: Vec<Vec<u8>>,
}

impl Ready {
    fn new(library: &str, values: usize) -> Self {
        let peer = peer(library, values);
        let proofs: Vec<_> = (0..PREPARED).map(|n| peer.make(n)).collect();
        for (n, proof) in proofs.iter().enumerate() {
            let n = n as u64;
            assert!(peer.check(n, proof), "an honest proof is refused");
            assert!(!peer.check((n + 1) % PREPARED, proof), "a proof of another statement is accepted");
        }
        Ready { peer, proofs }
    }

    fn time(&self, operation: &str, count: u64) -> Duration {
        let number = |i: u64| i % PREPARED;
        match operation {
            "prove" => {
                let start = ThreadTime::now();
                let made: Vec<_> = (0..count).map(|i| self.peer.make(number(i))).collect();
                let elapsed = start.elapsed();
                for (i, proof) in made.iter().enumerate() {
                    assert!(self.peer.check(number(i as u64), proof), "an honest proof is refused");
                }
                elapsed
            }
            "verify" => {
                let start = ThreadTime::now();
                for i in 0..count {
                    let at = number(i);
                    assert!(self.peer.check(at, &self.proofs[at as usize]), "an honest proof is refused");
                }
                start.elapsed()
            }
            _ => {
                let numbers: Vec<u64> = (0..count.min(PREPARED)).collect();
                let start = ThreadTime::now();
                assert!(self.peer.check_batch(&numbers, &self.proofs[..numbers.len()]), "an honest batch is refused");
                start.elapsed()
            }
        }
    }
}

fn main() {
    let ready: Vec<(String, usize, Ready)> = ["dalek", "tari"]
        .iter()
        .flat_map(|library| [1, 2].map(|values| (library.to_string(), values, Ready::new(library, values))))
        .collect();
    println!("ready");
    let stdin = io::stdin();
    for line in stdin.lock().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [library, operation, values, count] = words[..] else {
            panic!("not LIBRARY OPERATION VALUES COUNT: {line}");
        };
        let values: usize = values.parse().expect("a number of values");
        let count: u64 = count.parse().expect("a count");
        let (_, _, r) = ready
            .iter()
            .find(|(l, v, _)| l == library && *v == values)
            .expect("a library and one or two values");
        println!("{}", r.time(operation, count).as_nanos());
        io::stdout().flush().expect("an open output");
    }
}
