package v1_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// A maker draws secrets from a random source. It returns its result, which
// depends on the source and on the numbered secret.
type maker func(random io.Reader, secret uint64) (made []byte, err error)

// makers returns the functions of services that take a random source.
func makers(t *testing.T, n *fixture.Network) map[string]maker {
	t.Helper()
	return map[string]maker{
		"transfer": func(random io.Reader, secret uint64) ([]byte, error) {
			s, order, err := n.TransferOrder(secret, 2, 2, false)
			require.NoError(t, err)
			s.Random = random
			return raw(s.Transfer(order))
		},
		"issue": func(random io.Reader, secret uint64) ([]byte, error) {
			s, order, err := n.IssueOrder(secret, 2)
			require.NoError(t, err)
			s.Random = random
			order.Receive[0].Value = secret
			return raw(s.Issue(order))
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

// TestTheDefaultSourceIsRandom: without a source, the same action made twice differs.
func TestTheDefaultSourceIsRandom(t *testing.T) {
	for _, protocols := range []params.Protocols{{V1: true}, onlyV2} {
		for name, m := range makers(t, network(t, protocols)) {
			t.Run(name, func(t *testing.T) {
				once, err := m(nil, 1)
				require.NoError(t, err, name)
				again, err := m(nil, 1)
				require.NoError(t, err, name)
				require.NotEqual(t, once, again, name)
			})
		}
	}
}

// TestRandomSources checks the use of random sources on every curve. A source
// that fails or ends early gives an error. The result depends on all bytes of
// the source and on no other randomness. With a constant source, different
// secrets give different results without common commitments or nonces.
func TestRandomSources(t *testing.T) {
	for _, curve := range nightly.Pick(curves.Names[:2], curves.Names[:4], curves.Names) {
		n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve)})
		for name, m := range makers(t, n) {
			t.Run(name, func(t *testing.T) {
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
			})
		}
	}
}
