package main

import (
	"crypto/rand"
	"errors"
	"time"

	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// peerBits is the length of the values of peers.
const peerBits = 64

// errPeerProof reports a verifier that does not do its work.
var errPeerProof = errors.New("a proof of another statement is accepted")

// prover makes and verifies encoded proofs of numbered statements.
type prover interface {
	prove(statement int) ([]byte, error)
	verify(statements []int, proofs [][]byte) error
}

// ourContenders are the range-proof systems of v1 and the proof of v2 on a
// curve. v2 proves a whole transfer: also type and balance of as many inputs as
// outputs.
func ourContenders(curve string) (ours []contender, err error) {
	g, err := curves.ByName(curve)
	if err != nil {
		return nil, err
	}
	p, err := params.Setup(params.Config{
		Group: g, Bits: peerBits, Protocols: params.Protocols{V1: true, V2: true},
		Systems: []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP},
	})
	if err != nil {
		return nil, err
	}
	p.Precompute()
	for _, name := range systems.Names() {
		system, err := p.RangeProof(rangeproof.Kind(name))
		if err != nil {
			return nil, err
		}
		ours = append(ours, contend("zkatbench-v1-"+name, func(values int) (prover, error) {
			return newRangeProver(g, p.Pedersen(), system, values)
		}))
	}
	engine, err := p.V2()
	if err != nil {
		return nil, err
	}
	return append(ours, contend("zkatbench-v2", func(values int) (prover, error) {
		return newTransferProver(engine, p.Pedersen(), values)
	})), nil
}

// contend returns a contender whose provers are made on first use, with a proof
// of each of peerBatch statements.
func contend(name string, maker func(values int) (prover, error)) contender {
	ready := map[int]*readyProver{}
	return contender{name, func(op string, values, count int) (time.Duration, error) {
		if ready[values] == nil {
			p, err := maker(values)
			if err != nil {
				return 0, err
			}
			if ready[values], err = prepare(p); err != nil {
				return 0, err
			}
		}
		return ready[values].time(op, count)
	}}
}

type readyProver struct {
	prover
	proofs [][]byte
}

// prepare makes a proof of each statement and checks that it proves no other.
func prepare(p prover) (*readyProver, error) {
	r := &readyProver{prover: p}
	for n := range peerBatch {
		proof, err := p.prove(n)
		if err != nil {
			return nil, err
		}
		if err := p.verify([]int{n}, [][]byte{proof}); err != nil {
			return nil, err
		}
		if p.verify([]int{(n + 1) % peerBatch}, [][]byte{proof}) == nil {
			return nil, errPeerProof
		}
		r.proofs = append(r.proofs, proof)
	}
	return r, nil
}

func (r *readyProver) time(op string, count int) (time.Duration, error) {
	now, done := cputime.Thread()
	defer done()
	start := now()
	switch op {
	case "prove":
		made := make([][]byte, count)
		for i := range made {
			var err error
			if made[i], err = r.prove(i % peerBatch); err != nil {
				return 0, err
			}
		}
		elapsed := now() - start
		for i, proof := range made {
			if err := r.verify([]int{i % peerBatch}, [][]byte{proof}); err != nil {
				return 0, err
			}
		}
		return elapsed, nil
	case "verify":
		for i := range count {
			n := i % peerBatch
			if err := r.verify([]int{n}, r.proofs[n:n+1]); err != nil {
				return 0, err
			}
		}
		return now() - start, nil
	}
	all := make([]int, peerBatch)
	for n := range all {
		all[n] = n
	}
	err := r.verify(all, r.proofs)
	return now() - start, err
}

// peerValue is a value of a statement.
func peerValue(statement, index int) uint64 {
	return uint64(statement+1)*0x9e3779b97f4a7c15 + uint64(index)
}

// rangeProver proves the values of a statement with range proofs of v1.
type rangeProver struct {
	g         group.Group
	system    rangeproof.System
	values    int
	points    [][]group.Point
	blindings [][]group.Scalar
}

func newRangeProver(g group.Group, k *pedersen.Key, system rangeproof.System, values int) (*rangeProver, error) {
	p := &rangeProver{g: g, system: system, values: values}
	for n := range peerBatch {
		blindings := make([]group.Scalar, values)
		if err := group.Sample(g, rand.Reader, blindings); err != nil {
			return nil, err
		}
		points := make([]group.Point, values)
		for i := range points {
			points[i] = k.Commit(group.Scalar{}, g.Uint64(peerValue(n, i)), blindings[i])
		}
		p.points, p.blindings = append(p.points, points), append(p.blindings, blindings)
	}
	return p, nil
}

func (p *rangeProver) prove(n int) ([]byte, error) {
	hedge, err := nonce.NewHedge(p.g, rand.Reader, []byte("peers"), p.blindings[n]...)
	if err != nil {
		return nil, err
	}
	proofs := make([]rangeproof.Proof, p.values)
	err = round.Run(p.g, func(r round.Round) error {
		return r.Each(p.values, func(r round.Round, i int) (err error) {
			w := rangeproof.Witness{Value: peerValue(n, i), Blinding: p.blindings[n][i]}
			proofs[i], err = p.system.Prove(r, p.points[n][i], w, hedge.Stream("range", i))
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	var b []byte
	for _, proof := range proofs {
		b = proof.Append(b)
	}
	return b, nil
}

func (p *rangeProver) verify(statements []int, proofs [][]byte) error {
	var items []rangeproof.Item
	size := p.system.ProofLen()
	for k, n := range statements {
		for i := range p.values {
			proof, err := rangeproof.Decode(p.g, p.system, proofs[k][i*size:(i+1)*size])
			if err != nil {
				return err
			}
			items = append(items, rangeproof.Item{V: p.points[n][i], Proof: proof})
		}
	}
	return rangeproof.Verify(p.g, p.system, items)
}

// transferProver proves transfers of as many inputs as outputs with v2.
type transferProver struct {
	params     *v2.Params
	statements []*v2.Statement
	witnesses  []*v2.Witness
}

func newTransferProver(params *v2.Params, k *pedersen.Key, values int) (*transferProver, error) {
	p := &transferProver{params: params}
	g := params.Group()
	for n := range peerBatch {
		secrets := make([]group.Scalar, 1+2*values)
		if err := group.Sample(g, rand.Reader, secrets); err != nil {
			return nil, err
		}
		st, w := &v2.Statement{Kind: v2.Transfer, Context: []byte("peers")}, &v2.Witness{Type: secrets[0]}
		for i := range values {
			in := v2.Opening{Value: peerValue(n, i), Blinding: secrets[1+i]}
			out := v2.Opening{Value: in.Value, Blinding: secrets[1+values+i]}
			w.Inputs, w.Outputs = append(w.Inputs, in), append(w.Outputs, out)
			st.Inputs = append(st.Inputs, g.OnCurve(k.Commit(w.Type, g.Uint64(in.Value), in.Blinding)))
			st.Outputs = append(st.Outputs, k.Commit(w.Type, g.Uint64(out.Value), out.Blinding))
		}
		p.statements, p.witnesses = append(p.statements, st), append(p.witnesses, w)
	}
	return p, nil
}

func (p *transferProver) prove(n int) ([]byte, error) {
	return p.params.Prove(p.statements[n], p.witnesses[n], nil)
}

func (p *transferProver) verify(statements []int, proofs [][]byte) error {
	if len(statements) == 1 {
		return p.params.Verify(p.statements[statements[0]], proofs[0])
	}
	claims := make([]v2.Claim, len(statements))
	for k, n := range statements {
		claims[k] = v2.Claim{Statement: p.statements[n], Proof: proofs[k]}
	}
	return p.params.VerifyBatch(claims)
}
