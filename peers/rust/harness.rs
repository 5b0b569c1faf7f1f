//! What the Rust programs share: each is asked by `zkatbench peers`.
//!
//! A program prints `case NAME key=value …` for each case and `ready`. Each line of
//! its standard input is `OPERATION COUNT NAME`. The answer is the processor time of
//! the thread in nanoseconds for COUNT operations. `prove` includes encoding,
//! `verify` includes decoding, and `batch` verifies COUNT proofs together.
//! Generators, tables and statements are made before. Every proof is checked, and
//! each case refuses the proof of another statement before it is measured.

use cpu_time::ThreadTime;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The number of statements of a case, and the longest batch.
pub const STATEMENTS: usize = 64;

/// A case: a proof system and a statement, with STATEMENTS different witnesses.
pub trait Case {
    fn prove(&self, statement: usize) -> Vec<u8>;
    fn verify(&self, statement: usize, proof: &[u8]) -> bool;
    /// The bytes of a proof, without what the statement repeats.
    fn size(&self, proof: &[u8]) -> usize {
        proof.len()
    }
    /// Verifies the proofs of the first statements together, if the library can.
    fn batch(&self, _proofs: &[Vec<u8>]) -> Option<bool> {
        None
    }
}

/// A value of 64 bits that depends on the number of the statement.
#[allow(dead_code)]
pub fn value(statement: usize, index: usize) -> u64 {
    let n = statement as u64 + 1;
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(index as u32 * 7) ^ n
}

struct Prepared {
    case: Box<dyn Case>,
    proofs: Vec<Vec<u8>>,
}

fn time(c: &Prepared, operation: &str, count: usize) -> Duration {
    let start = ThreadTime::now();
    match operation {
        "prove" => {
            let mut last = Vec::new();
            for i in 0..count {
                last = c.case.prove(i % STATEMENTS);
            }
            let took = start.elapsed();
            assert!(c.case.verify((count - 1) % STATEMENTS, &last), "a proof is wrong");
            return took;
        }
        "verify" => {
            for i in 0..count {
                assert!(c.case.verify(i % STATEMENTS, &c.proofs[i % STATEMENTS]), "a proof is refused");
            }
        }
        "batch" => assert_eq!(c.case.batch(&c.proofs[..count]), Some(true), "a batch is refused"),
        _ => panic!("no operation {operation}"),
    }
    start.elapsed()
}

/// Prepares the cases whose names contain the text after `-only`, and answers until
/// the input ends.
pub fn serve(cases: Vec<(String, Box<dyn Case>)>) {
    let only = std::env::args().skip_while(|a| a != "-only").nth(1).unwrap_or_default();
    let mut prepared = HashMap::new();
    for (name, case) in cases {
        if !name.contains(&only) {
            continue;
        }
        let proofs: Vec<_> = (0..STATEMENTS).map(|i| case.prove(i)).collect();
        for i in 0..STATEMENTS {
            assert!(case.verify(i, &proofs[i]), "{name}: a proof is refused");
            assert!(!case.verify(i, &proofs[(i + 1) % STATEMENTS]), "{name}: the proof of another statement holds");
        }
        let mut together = case.batch(&proofs);
        if together.is_some() {
            assert_eq!(together, Some(true), "{name}: a batch is refused");
            let mut wrong = proofs.clone();
            wrong.swap(3, 4);
            together = case.batch(&wrong);
            assert_eq!(together, Some(false), "{name}: a wrong batch holds");
        }
        println!("case {name} proof-B={} batch={}", case.size(&proofs[0]), if together.is_some() { "yes" } else { "no" });
        prepared.insert(name, Prepared { case, proofs });
    }
    println!("ready");
    io::stdout().flush().unwrap();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let c = prepared.get(words[2]).unwrap_or_else(|| panic!("no case {}", words[2]));
        println!("{}", time(c, words[0], words[1].parse().unwrap()).as_nanos());
        io::stdout().flush().unwrap();
    }
}
