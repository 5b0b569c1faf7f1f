package v1_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// A maker draws secrets from a random source. It returns its result, which
// depends on the source and on the numbered secret.
type maker func(random io.Reader, secret uint64) (made []byte, err error)

// makers returns all functions that take a random source, for one curve.
func makers(t *testing.T, n *fixture.Network, inputs, outputs int) map[string]maker {
	t.Helper()
	g := n.Params.Group()
	return map[string]maker{
		"service transfer": func(random io.Reader, secret uint64) ([]byte, error) {
			s, order, err := n.TransferOrder(secret, inputs, outputs, false)
			require.NoError(t, err)
			s.Random = random
			return raw(s.Transfer(order))
		},
		"service issue": func(random io.Reader, secret uint64) ([]byte, error) {
			s, order, err := n.IssueOrder(secret, outputs)
			require.NoError(t, err)
			s.Random = random
			order.Receive[0].Value = secret
			return raw(s.Issue(order))
		},
		"sender": func(random io.Reader, secret uint64) ([]byte, error) {
			ready, err := n.NewTransfer(secret, inputs, outputs)
			require.NoError(t, err)
			a, _, err := transfer.Sender{Params: n.Params, Random: random}.Transfer(ready.Spends,
				ready.Receives)
			if err != nil {
				return nil, err
			}
			return a.Encode(g), nil
		},
		"issuer": func(random io.Reader, secret uint64) ([]byte, error) {
			ready, err := n.NewIssue(secret, outputs)
			require.NoError(t, err)
			ready.Receives[0].Value = secret
			a, _, err := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(),
				Random: random}.Issue(fixture.Type, ready.Receives)
			if err != nil {
				return nil, err
			}
			return a.Encode(g), nil
		},
		"hedge": func(random io.Reader, secret uint64) ([]byte, error) {
			h, err := nonce.NewHedge(g, random, nil, g.Uint64(secret))
			if err != nil {
				return nil, err
			}
			var s [1]group.Scalar
			require.NoError(t, h.Stream("", 0).Scalars(s[:]))
			return g.AppendScalar(nil, s[0]), nil
		},
	}
}

func raw(p *v1.Part, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	a, err := v1.Assemble("tx", p)
	if err != nil {
		return nil, err
	}
	return a.Request.Actions[0].Raw, nil
}

type constant struct{}

func (constant) Read(b []byte) (int, error) { clear(b); return len(b), nil }

var errEntropy = errors.New("no entropy")

// eachCurve calls f for every curve with a network, and a shape that can be
// proved in reasonable time.
func eachCurve(t *testing.T, f func(t *testing.T, n *fixture.Network, inputs, outputs int)) {
	for _, curve := range curves.Names {
		t.Run(curve, func(t *testing.T) {
			g := vectors.Curve(t, curve)
			plain, err := curves.Find(curve, "mathlib")
			require.NoError(t, err)
			native := g != plain
			if testing.Short() && !native {
				return // a hundred times slower
			}
			n := networktest.New(t, fixture.Config{Group: g})
			if native {
				f(t, n, 2, 2)
			} else {
				f(t, n, 1, 1)
			}
		})
	}
}

// TestTheDefaultSourceIsRandom: without a source, the same action made twice differs.
func TestTheDefaultSourceIsRandom(t *testing.T) {
	for _, protocols := range []params.Protocols{{V1: true}, onlyV2} {
		for name, m := range makers(t, network(t, "BN254", protocols), 2, 2) {
			if name == "hedge" {
				continue // which needs a source
			}
			once, err := m(nil, 1)
			require.NoError(t, err, name)
			again, err := m(nil, 1)
			require.NoError(t, err, name)
			require.NotEqual(t, once, again, name)
		}
	}
}

// TestRandomSources checks the use of random sources on every curve. A source
// that fails or ends early gives an error. The result depends on all bytes of
// the source and on no other randomness. With a constant source, different
// secrets give different results without common commitments or nonces.
func TestRandomSources(t *testing.T) {
	eachCurve(t, func(t *testing.T, n *fixture.Network, inputs, outputs int) {
		for name, m := range makers(t, n, inputs, outputs) {
			for _, broken := range []io.Reader{
				iotest.ErrReader(errEntropy),
				io.MultiReader(strings.NewReader("short"), iotest.ErrReader(errEntropy)),
			} {
				_, err := m(broken, 1)
				require.ErrorIs(t, err, group.ErrRandom, name)
				require.ErrorIs(t, err, errEntropy, name)
			}
			_, err := m(strings.NewReader("short"), 1)
			require.ErrorIs(t, err, group.ErrRandom, name)

			made := map[string]string{}
			for what, source := range map[string]io.Reader{
				"a source":               fixture.Random(9),
				"the same, byte by byte": iotest.OneByteReader(fixture.Random(9)),
				"another":                fixture.Random(10), "a constant": constant{},
			} {
				b, err := m(source, 1)
				require.NoError(t, err, name)
				made[what] = string(b)
			}
			require.Equal(t, made["a source"], made["the same, byte by byte"], name)
			require.NotEqual(t, made["a source"], made["another"], name)
			require.NotEqual(t, made["a source"], made["a constant"], name)
			other, err := m(constant{}, 2)
			require.NoError(t, err, name)
			require.NotEqual(t, made["a constant"], string(other), name)
		}
	})
}

// TestConstantSourceSharesNoBlinding checks that with a constant source,
// outputs of one action, and of two actions with different secrets, have
// different blinding factors.
func TestConstantSourceSharesNoBlinding(t *testing.T) {
	eachCurve(t, func(t *testing.T, n *fixture.Network, inputs, outputs int) {
		seen := map[string]bool{}
		see := func(openings []token.Opening) {
			for _, o := range openings {
				blinding := string(n.Params.Group().AppendScalar(nil, o.Blinding))
				require.False(t, seen[blinding])
				seen[blinding] = true
			}
		}
		for seed := range uint64(2) {
			s, order, err := n.TransferOrder(seed, inputs, outputs, false)
			require.NoError(t, err)
			s.Random = constant{}
			p, err := s.Transfer(order)
			require.NoError(t, err)
			see(p.Openings)
			s, issued, err := n.IssueOrder(seed, outputs)
			require.NoError(t, err)
			s.Random = constant{}
			issued.Receive[0].Value = seed + 1 // the secret
			p, err = s.Issue(issued)
			require.NoError(t, err)
			see(p.Openings)
		}
	})
}

// failing is a source of nonces that fails after a number of reads.
type failing struct{ left int }

func (f *failing) Scalars(dst []group.Scalar) error {
	if f.left -= len(dst); f.left < 0 {
		return errEntropy
	}
	return nil
}

// TestFailingNonces checks that a range proof fails if its nonces fail at any
// point.
func TestFailingNonces(t *testing.T) {
	eachCurve(t, func(t *testing.T, n *fixture.Network, _, _ int) {
		g := n.Params.Group()
		system, err := n.Params.RangeProof(rangeproof.CSP)
		require.NoError(t, err)
		w := rangeproof.Witness{Value: 5, Blinding: g.Uint64(7)}
		k := n.Params.Pedersen()
		V := k.Commit(group.Scalar{}, g.Uint64(w.Value), w.Blinding)
		for _, left := range []int{0, 1, 2} {
			_, err = rangeproof.Prove(g, system, V, w, &failing{left})
			require.ErrorIs(t, err, errEntropy)
		}
	})
}
