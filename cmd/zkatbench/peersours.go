package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
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

// servePeers prints the cases whose names contain only, and answers the requests of
// in until it ends: the protocol of peers/main.go.
func servePeers(in io.Reader, out io.Writer, only string) error {
	peers, err := ourPeers(only)
	if err != nil {
		return err
	}
	byName := map[string]peer{}
	for _, p := range peers {
		byName[p.name] = p
		fmt.Fprintf(out, "case %s batch=yes", p.name)
		for _, fact := range p.facts {
			value, unit, _ := strings.Cut(fact, " ")
			fmt.Fprintf(out, " %s=%s", unit, value)
		}
		fmt.Fprintln(out)
	}
	debug.FreeOSMemory()
	fmt.Fprintln(out, "ready")
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var op, name string
		var count int
		if _, err := fmt.Sscan(lines.Text(), &op, &count, &name); err != nil || count < 1 {
			return fmt.Errorf("%q is not OPERATION COUNT NAME", lines.Text())
		}
		p, ok := byName[name]
		if !ok {
			return fmt.Errorf("no case %q", name)
		}
		took, err := p.time(op, count)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, took.Nanoseconds())
	}
	return lines.Err()
}

// ourPeers are the range proofs of v1, and transfers of both protocols with two
// inputs and outputs. A transfer is the whole action: to make one includes its
// commitments, to verify one includes decoding.
func ourPeers(only string) (ours []peer, err error) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		shown := strings.TrimSuffix(strings.Replace(curve, "_", "-", 1), "_BBS_GURVY")
		for _, system := range systems.Names() {
			for _, values := range []int{1, 2} {
				name := fmt.Sprintf("statement=ranges/library=zkatbench/system=v1-%s/values=%d/curve=%s", system, values, shown)
				if !strings.Contains(name, only) {
					continue
				}
				p, err := ourRanges(curve, system, values)
				if err != nil {
					return nil, err
				}
				p.name = name
				ours = append(ours, p)
			}
		}
		for _, t := range []struct{ name, protocol, system string }{
			{"v1-bulletproof", "v1", "bulletproof"}, {"v1-csp", "v1", "csp"}, {"v2", "v2", "bulletproof"},
		} {
			name := fmt.Sprintf("statement=transfer/library=zkatbench/system=%s/curve=%s", t.name, shown)
			if !strings.Contains(name, only) {
				continue
			}
			p, err := ourTransfers(curve, t.protocol, t.system)
			if err != nil {
				return nil, err
			}
			p.name = name
			ours = append(ours, p)
		}
	}
	return ours, nil
}

// ourRanges are range proofs of v1.
func ourRanges(curve, system string, values int) (peer, error) {
	g, err := curves.ByName(curve)
	if err != nil {
		return peer{}, err
	}
	p, err := params.Setup(params.Config{
		Group: g, Bits: peerBits, Protocols: params.Protocols{V1: true}, Systems: []rangeproof.Kind{rangeproof.Kind(system)},
	})
	if err != nil {
		return peer{}, err
	}
	tables := p.Precompute()
	ranges, err := p.RangeProof(rangeproof.Kind(system))
	if err != nil {
		return peer{}, err
	}
	made, err := newRangeProver(g, p.Pedersen(), ranges, values)
	if err != nil {
		return peer{}, err
	}
	ready, err := prepare(made)
	if err != nil {
		return peer{}, err
	}
	return peer{facts: []string{fmt.Sprintf("%d proof-B", len(ready.proofs[0])), fmt.Sprintf("%d key-B", tables)}, batch: true, time: ready.time}, nil
}

// ourTransfers are the operations of the token engine's benchmarks; batches include
// decoding.
func ourTransfers(curve, protocol, system string) (peer, error) {
	set := &flags.Set{}
	selection := bench.Register(set, suite.Subject.Axes...)
	args := []string{"-bits=" + strconv.Itoa(peerBits), "-curves=" + curve, "-num_inputs=2", "-num_outputs=2",
		"-protocol=" + protocol, "-proof_type=" + system, "-batch=" + strconv.Itoa(peerBatch)}
	if _, _, err := set.Parse(args); err != nil {
		return peer{}, err
	}
	if err := set.Resolve(func(string) string { return "" }); err != nil {
		return peer{}, err
	}
	p := peer{batch: true}
	work := map[string]func() ([]byte, error){}
	for name, op := range map[string]bench.Op{"prove": suite.Sender, "verify": suite.VerificationSenderProof, "batch": suite.DecodedBatch} {
		cases := selection.Cases(bench.Serial, op.Without...)
		if len(cases) != 1 {
			return peer{}, fmt.Errorf("%d cases of %s", len(cases), op.Name)
		}
		in, err := op.New(cases[0], 1)
		if err != nil {
			return peer{}, err
		}
		exact, err := in.Try()
		if err != nil {
			return peer{}, err
		}
		for _, e := range exact {
			if name == "prove" && e.Unit == "proof-B" {
				p.facts = append(p.facts, fmt.Sprintf("%.0f proof-B", e.Value))
			}
		}
		if name == "verify" {
			tables, err := suite.Capacity.Tables(cases[0])
			if err != nil {
				return peer{}, err
			}
			p.facts = append(p.facts, fmt.Sprintf("%d key-B", tables))
		}
		work[name] = in.Work
	}
	p.time = func(op string, count int) (time.Duration, error) {
		if op == "batch" {
			count = 1 // the operation is a batch
		}
		now, done := cputime.Thread()
		defer done()
		start := now()
		for range count {
			if _, err := work[op](); err != nil {
				return 0, err
			}
		}
		return now() - start, nil
	}
	return p, nil
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
