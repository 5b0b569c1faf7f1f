// Command zkatbench is our side of `zkatbench peers`: transfers of both protocols, and
// the range proofs of v1. `zkatbench peers` asks it as package serve says. Its cases are
// operations of the benchmarks where there is one: `verify` and `batch` include decoding, each
// case has 64 statements, and each proof is checked after the time was taken.
package main

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/peers/serve"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

const (
	bits       = 64 // of values
	statements = 64 // of a case, and of a batch
)

func main() {
	var cases []serve.Case
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		shown := strings.TrimSuffix(strings.Replace(curve, "_", "-", 1), "_BBS_GURVY")
		for _, system := range systems.Names() {
			for _, values := range []int{1, 2} {
				name := fmt.Sprintf("statement=ranges/library=zkatbench/system=v1-%s/values=%d/curve=%s",
					system, values, shown)
				cases = append(cases, serve.Case{Name: name, Prepare: func() (serve.Prepared, error) {
					return ranges(curve, rangeproof.Kind(system), values)
				}})
			}
		}
		for _, protocol := range []string{"v1-bulletproof", "v1-csp", "v2"} {
			name := fmt.Sprintf("statement=transfer/library=zkatbench/system=%s/curve=%s", protocol, shown)
			cases = append(cases,
				serve.Case{Name: name, Prepare: func() (serve.Prepared, error) {
					return transfers(curve, protocol)
				}})
		}
	}
	serve.Main(cases)
}

// peer is a case: an instance for each operation. A batch is one operation.
type peer struct {
	proofBytes, tableBytes int
	operations             map[string]bench.Instance
}

// Facts implements serve.Prepared.
func (p *peer) Facts() string {
	return fmt.Sprintf("batch=yes proof-B=%d key-B=%d", p.proofBytes, p.tableBytes)
}

// Time implements serve.Prepared.
func (p *peer) Time(op string, count int) (time.Duration, error) {
	in := p.operations[op]
	if in.Work == nil {
		return 0, fmt.Errorf("no operation %q", op)
	}
	if op == "batch" {
		count = 1
	}
	now, done := cputime.Thread()
	defer done()
	made := make([][]byte, count)
	start := now()
	for i := range made {
		var err error
		made[i], err = in.Work()
		if err != nil {
			return 0, err
		}
	}
	took := now() - start
	for _, out := range made {
		if err := in.Check(out); err != nil {
			return 0, err
		}
	}
	return took, nil
}

// transfers are whole actions of two inputs and two outputs with their commitments, by
// the operations of the token engine's benchmarks. protocol is v2, or v1 and a system.
func transfers(curve, protocol string) (*peer, error) {
	version, system, v1 := strings.Cut(protocol, "-")
	if !v1 {
		system = "bulletproof"
	}
	set := &flags.Set{}
	selection := bench.Register(set, suite.Subject.Axes...)
	if _, _, err := set.Parse([]string{"-num_inputs=2", "-num_outputs=2", fmt.Sprint("-bits=", bits),
		fmt.Sprint("-batch=", statements),
		"-curves=" + curve, "-protocol=" + version, "-proof_type=" + system}); err != nil {
		return nil, err
	}
	if err := set.Resolve(func(string) string { return "" }); err != nil {
		return nil, err
	}
	p := &peer{operations: map[string]bench.Instance{}}
	for name, op := range map[string]bench.Op{"prove": suite.Sender, "verify": suite.VerificationSenderProof,
		"batch": suite.DecodedBatch} {
		c := selection.Cases(bench.Serial, op.Without...)[0]
		in, err := op.New(c, 1)
		if err != nil {
			return nil, err
		}
		exact, err := in.Try()
		if err != nil {
			return nil, err
		}
		for _, e := range exact {
			if name == "prove" && e.Unit == "proof-B" {
				p.proofBytes = int(e.Value)
			}
		}
		if name == "verify" {
			p.tableBytes, err = suite.Tables(c)
			if err != nil {
				return nil, err
			}
		}
		p.operations[name] = in
	}
	return p, nil
}

// rangeCase is a number of values for each statement, with their commitments.
type rangeCase struct {
	g         group.Group
	system    rangeproof.System
	points    [][]group.Point
	witnesses [][]rangeproof.Witness
}

// ranges are range proofs of v1.
func ranges(curve string, kind rangeproof.Kind, values int) (*peer, error) {
	g, err := curves.ByName(curve)
	if err != nil {
		return nil, err
	}
	setup, err := params.Setup(params.Config{Group: g, Bits: bits, Protocols: params.Protocols{V1: true},
		Systems: []rangeproof.Kind{kind}})
	if err != nil {
		return nil, err
	}
	p := &peer{tableBytes: setup.Precompute()}
	c := &rangeCase{g: g, points: make([][]group.Point, statements),
		witnesses: make([][]rangeproof.Witness, statements)}
	c.system, err = setup.RangeProof(kind)
	if err != nil {
		return nil, err
	}
	proofs := make([][]byte, statements)
	for n := range statements {
		blindings := make([]group.Scalar, values)
		if err := group.Sample(g, rand.Reader, blindings); err != nil {
			return nil, err
		}
		for i, blinding := range blindings {
			w := rangeproof.Witness{Value: uint64(n+1)*0x9e3779b97f4a7c15 + uint64(i), Blinding: blinding}
			c.witnesses[n] = append(c.witnesses[n], w)
			c.points[n] = append(c.points[n],
				setup.Pedersen().Commit(group.Scalar{}, g.Uint64(w.Value), blinding))
		}
		proofs[n], err = c.prove(n)
		if err != nil {
			return nil, err
		}
	}
	for n := range statements {
		if c.verify((n+1)%statements, proofs[n]) == nil {
			return nil, fmt.Errorf("a proof of another statement is accepted")
		}
	}
	p.proofBytes = len(proofs[0])
	var made, checked, verified int // operations take the statements in turn
	next := func(n *int) int { *n++; return (*n - 1) % statements }
	verifies := func([]byte) error { return nil }
	p.operations = map[string]bench.Instance{
		"prove": {
			Work:  func() ([]byte, error) { return c.prove(next(&made)) },
			Check: func(proof []byte) error { return c.verify(next(&checked), proof) },
		},
		"verify": {Work: func() ([]byte, error) {
			n := next(&verified)
			return nil, c.verify(n, proofs[n])
		}, Check: verifies},
		"batch": {Work: func() ([]byte, error) { return nil, c.verify(0, proofs...) }, Check: verifies},
	}
	_, err = p.operations["batch"].Work()
	return p, err
}

func (c *rangeCase) prove(n int) ([]byte, error) {
	var blindings []group.Scalar
	for _, w := range c.witnesses[n] {
		blindings = append(blindings, w.Blinding)
	}
	hedge, err := nonce.NewHedge(c.g, rand.Reader, []byte("peers"), blindings...)
	if err != nil {
		return nil, err
	}
	proofs := make([]rangeproof.Proof, len(blindings))
	err = round.Run(c.g, func(r round.Round) error {
		return r.Each(len(proofs), func(r round.Round, i int) (err error) {
			proofs[i], err = c.system.Prove(r, c.points[n][i], c.witnesses[n][i], hedge.Stream("range", i))
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

// verify decodes and verifies proofs of the statements from first on together.
func (c *rangeCase) verify(first int, proofs ...[]byte) error {
	var items []rangeproof.Item
	for k, b := range proofs {
		for i, point := range c.points[first+k] {
			size := c.system.ProofLen()
			proof, err := rangeproof.Decode(c.g, c.system, b[i*size:(i+1)*size])
			if err != nil {
				return err
			}
			items = append(items, rangeproof.Item{V: point, Proof: proof})
		}
	}
	return rangeproof.Verify(c.g, c.system, items)
}
