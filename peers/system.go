package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// tokens are a kind of token in a circuit.
type tokens struct {
	circuit frontend.Circuit
	assign  func() (frontend.Circuit, error)        // a fresh transfer
	spoil   func(frontend.Circuit) frontend.Circuit // the same with an output that is larger by one
}

// system is a proof system of the library for one circuit.
type system interface {
	fmt.Stringer
	field() ecc.ID
	compile(frontend.Circuit) (constraint.ConstraintSystem, error)
	// setup makes the keys of a circuit. A public string of the system, if it has
	// one, is made before and not timed.
	setup(constraint.ConstraintSystem) (keys, time.Duration, error)
}

// keys prove and verify, with proofs as bytes.
type keys interface {
	prove(constraint.ConstraintSystem, witness.Witness) ([]byte, error)
	verify(proof []byte, public witness.Witness) error
	provingKey() io.WriterTo
}

type groth16System struct{ curve ecc.ID }

func (groth16System) String() string  { return "groth16" }
func (s groth16System) field() ecc.ID { return s.curve }

func (s groth16System) compile(c frontend.Circuit) (constraint.ConstraintSystem, error) {
	return frontend.Compile(s.curve.ScalarField(), r1cs.NewBuilder, c)
}

func (s groth16System) setup(cs constraint.ConstraintSystem) (keys, time.Duration, error) {
	start := processorTime()
	pk, vk, err := groth16.Setup(cs)
	return groth16Keys{s.curve, pk, vk}, processorTime() - start, err
}

type groth16Keys struct {
	curve ecc.ID
	pk    groth16.ProvingKey
	vk    groth16.VerifyingKey
}

func (k groth16Keys) provingKey() io.WriterTo { return k.pk }

func (k groth16Keys) prove(cs constraint.ConstraintSystem, w witness.Witness) ([]byte, error) {
	p, err := groth16.Prove(cs, k.pk, w)
	if err != nil {
		return nil, err
	}
	return encoded(p)
}

func (k groth16Keys) verify(proof []byte, public witness.Witness) error {
	p := groth16.NewProof(k.curve)
	if _, err := p.ReadFrom(bytes.NewReader(proof)); err != nil {
		return err
	}
	return groth16.Verify(p, k.vk, public)
}

type plonkSystem struct{ curve ecc.ID }

func (plonkSystem) String() string  { return "plonk" }
func (s plonkSystem) field() ecc.ID { return s.curve }

func (s plonkSystem) compile(c frontend.Circuit) (constraint.ConstraintSystem, error) {
	return frontend.Compile(s.curve.ScalarField(), scs.NewBuilder, c)
}

func (s plonkSystem) setup(cs constraint.ConstraintSystem) (keys, time.Duration, error) {
	srs, lagrange, err := unsafekzg.NewSRS(cs)
	if err != nil {
		return nil, 0, err
	}
	start := processorTime()
	pk, vk, err := plonk.Setup(cs, srs, lagrange)
	return plonkKeys{s.curve, pk, vk}, processorTime() - start, err
}

type plonkKeys struct {
	curve ecc.ID
	pk    plonk.ProvingKey
	vk    plonk.VerifyingKey
}

func (k plonkKeys) provingKey() io.WriterTo { return k.pk }

func (k plonkKeys) prove(cs constraint.ConstraintSystem, w witness.Witness) ([]byte, error) {
	p, err := plonk.Prove(cs, k.pk, w)
	if err != nil {
		return nil, err
	}
	return encoded(p)
}

func (k plonkKeys) verify(proof []byte, public witness.Witness) error {
	p := plonk.NewProof(k.curve)
	if _, err := p.ReadFrom(bytes.NewReader(proof)); err != nil {
		return err
	}
	return plonk.Verify(p, k.vk, public)
}

func encoded(w io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := w.WriteTo(&b)
	return b.Bytes(), err
}

// fresh is the number of statements that are prepared for a case. Operations go
// through them in turns.
const fresh = 3

// prepared is a case with its keys and statements.
type prepared struct {
	keys
	cs        constraint.ConstraintSystem
	setup     time.Duration
	keyBytes  int64
	full      []witness.Witness
	public    []witness.Witness
	proofs    [][]byte
	sinkProof []byte
}

func prepare(s system, t tokens) (*prepared, error) {
	cs, err := s.compile(t.circuit)
	if err != nil {
		return nil, err
	}
	k, took, err := s.setup(cs)
	if err != nil {
		return nil, err
	}
	c := &prepared{keys: k, cs: cs, setup: took}
	if c.keyBytes, err = k.provingKey().WriteTo(io.Discard); err != nil {
		return nil, err
	}
	for range fresh {
		a, err := t.assign()
		if err != nil {
			return nil, err
		}
		full, err := frontend.NewWitness(a, s.field().ScalarField())
		if err != nil {
			return nil, err
		}
		public, err := full.Public()
		if err != nil {
			return nil, err
		}
		proof, err := k.prove(cs, full)
		if err != nil {
			return nil, err
		}
		if err := k.verify(proof, public); err != nil {
			return nil, err
		}
		wrong, err := frontend.NewWitness(t.spoil(a), s.field().ScalarField())
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

// facts are exact, except for the time of the setup.
func (c *prepared) facts() string {
	return fmt.Sprintf("proof-B=%d constraints=%d key-B=%d setup-ns=%d", len(c.proofs[0]), c.cs.GetNbConstraints(), c.keyBytes, c.setup.Nanoseconds())
}

// time does an operation count times and returns the processor time.
func (c *prepared) time(op string, count int) (time.Duration, error) {
	start := processorTime()
	for i := range count {
		at := i % fresh
		switch op {
		case "prove":
			proof, err := c.prove(c.cs, c.full[at])
			if err != nil {
				return 0, err
			}
			c.sinkProof = proof
		case "verify":
			if err := c.verify(c.proofs[at], c.public[at]); err != nil {
				return 0, err
			}
		default:
			return 0, fmt.Errorf("no operation %q", op)
		}
	}
	took := processorTime() - start
	if op == "prove" {
		return took, c.verify(c.sinkProof, c.public[(count-1)%fresh])
	}
	return took, nil
}
