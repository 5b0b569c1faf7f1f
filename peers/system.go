package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/frontend/cs/scs"
	"github.com/consensys/gnark/test/unsafekzg"
)

// tokens are a kind of token in a circuit. fill makes a transfer whose blindings are
// below bound.
type tokens struct {
	circuit frontend.Circuit
	bound   *big.Int
	fill    func(opening) frontend.Circuit
}

// system is a proof system of the library. setup makes the keys of a circuit, and
// returns the time for them without the time for a public string, if there is one.
type system struct {
	name    string
	curve   ecc.ID
	builder frontend.NewBuilder
	setup   func(constraint.ConstraintSystem) (keys, time.Duration, error)
}

// keys prove and verify. Verification decodes the proof.
type keys struct {
	provingKey io.WriterTo
	prove      func(constraint.ConstraintSystem, witness.Witness) (io.WriterTo, error)
	verify     func(proof []byte, public witness.Witness) error
}

func groth16System(curve ecc.ID) system {
	return system{name: "groth16", curve: curve, builder: r1cs.NewBuilder[constraint.U64],
		setup: func(cs constraint.ConstraintSystem) (keys, time.Duration, error) {
			start := processorTime()
			pk, vk, err := groth16.Setup(cs)
			took := processorTime() - start
			return keys{
				pk,
				func(cs constraint.ConstraintSystem, w witness.Witness) (io.WriterTo, error) {
					return groth16.Prove(cs, pk, w)
				},
				func(proof []byte, public witness.Witness) error {
					p := groth16.NewProof(curve)
					if _, err := p.ReadFrom(bytes.NewReader(proof)); err != nil {
						return err
					}
					return groth16.Verify(p, vk, public)
				},
			}, took, err
		}}
}

func plonkSystem(curve ecc.ID) system {
	return system{name: "plonk", curve: curve, builder: scs.NewBuilder[constraint.U64],
		setup: func(cs constraint.ConstraintSystem) (keys, time.Duration, error) {
			srs, lagrange, err := unsafekzg.NewSRS(cs)
			if err != nil {
				return keys{}, 0, err
			}
			start := processorTime()
			pk, vk, err := plonk.Setup(cs, srs, lagrange)
			took := processorTime() - start
			return keys{
				pk,
				func(cs constraint.ConstraintSystem, w witness.Witness) (io.WriterTo, error) {
					return plonk.Prove(cs, pk, w)
				},
				func(proof []byte, public witness.Witness) error {
					p := plonk.NewProof(curve)
					if _, err := p.ReadFrom(bytes.NewReader(proof)); err != nil {
						return err
					}
					return plonk.Verify(p, vk, public)
				},
			}, took, err
		}}
}

// encoded makes a proof and returns its bytes.
func (k keys) encoded(cs constraint.ConstraintSystem, w witness.Witness) ([]byte, error) {
	p, err := k.prove(cs, w)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = p.WriteTo(&b)
	return b.Bytes(), err
}

// fresh is the number of statements that are prepared for a case. Operations go
// through them in turns.
const fresh = 3

// prepared is a case with its keys and statements.
type prepared struct {
	keys
	cs       constraint.ConstraintSystem
	setup    time.Duration
	keyBytes int64
	full     []witness.Witness
	public   []witness.Witness
	proofs   [][]byte
}

// prepare compiles and sets up a circuit, and makes fresh proofs. For each, it also checks that
// a wrong witness has no proof and that the proof does not hold for another token.
func prepare(s system, t tokens) (*prepared, error) {
	cs, err := frontend.Compile(s.curve.ScalarField(), s.builder, t.circuit)
	if err != nil {
		return nil, err
	}
	k, took, err := s.setup(cs)
	if err != nil {
		return nil, err
	}
	c := &prepared{keys: k, cs: cs, setup: took}
	c.keyBytes, err = k.provingKey.WriteTo(io.Discard)
	if err != nil {
		return nil, err
	}
	for range fresh {
		o, err := newOpening(t.bound)
		if err != nil {
			return nil, err
		}
		full, err := frontend.NewWitness(t.fill(o), s.curve.ScalarField())
		if err != nil {
			return nil, err
		}
		public, err := full.Public()
		if err != nil {
			return nil, err
		}
		proof, err := k.encoded(cs, full)
		if err != nil {
			return nil, err
		}
		if err := k.verify(proof, public); err != nil {
			return nil, err
		}
		wrong, err := frontend.NewWitness(t.fill(o.spoiled()), s.curve.ScalarField())
		if err != nil {
			return nil, err
		}
		if _, err := k.prove(cs, wrong); err == nil {
			return nil, errors.New("a transfer that does not balance has a proof")
		}
		other, err := wrong.Public()
		if err != nil {
			return nil, err
		}
		if err := k.verify(proof, other); err == nil {
			return nil, errors.New("a proof holds for another token")
		}
		c.full, c.public, c.proofs = append(c.full, full), append(c.public, public), append(c.proofs, proof)
	}
	return c, nil
}

// Facts are exact, except for the time of the setup.
func (c *prepared) Facts() string {
	return fmt.Sprintf("proof-B=%d constraints=%d key-B=%d setup-ns=%d", len(c.proofs[0]),
		c.cs.GetNbConstraints(), c.keyBytes, c.setup.Nanoseconds())
}

// Time implements serve.Prepared.
func (c *prepared) Time(op string, count int) (time.Duration, error) {
	var proof []byte
	var err error
	start := processorTime()
	for i := 0; i < count && err == nil; i++ {
		switch at := i % fresh; op {
		case "prove":
			proof, err = c.encoded(c.cs, c.full[at])
		case "verify":
			err = c.verify(c.proofs[at], c.public[at])
		default:
			err = fmt.Errorf("no operation %q", op)
		}
	}
	took := processorTime() - start
	if op == "prove" && err == nil {
		err = c.verify(proof, c.public[(count-1)%fresh])
	}
	return took, err
}
