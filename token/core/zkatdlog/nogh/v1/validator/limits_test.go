package validator_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

func network(t testing.TB, bits int) *fixture.Network {
	t.Helper()
	return networktest.New(t, fixture.Config{Bits: bits, TableBytes: 1 << 18})
}

// large takes requests up to the limits on cost alone.
var large = validator.Options{Resources: request.Resources{
	MaxRequestBytes: 4 << 20, MaxActionBytes: 4 << 20, MaxProofBytes: 4 << 20, MaxSignatureBytes: 4 << 20,
	MaxMetadataValueBytes: 4 << 20,
	MaxIdentityComponents: membersOfMany,
}}

// million is a request with one action of a million empty outputs, signed by an
// auditor.
func million(t testing.TB, n *fixture.Network) []byte {
	t.Helper()
	action := wire.AppendUint(nil, 1, 1)
	action = wire.AppendWrapped(action, 2, []byte("issuer"))
	for range 1_000_000 {
		action = wire.AppendPresent(action, 4, "")
	}
	r := request.Request{Actions: []request.Action{{Kind: request.Issue, Raw: action}}}
	message, err := r.Message("tx")
	require.NoError(t, err)
	signature, err := n.Auditor.Sign(message)
	require.NoError(t, err)
	r.Signatures = []request.Signature{{Auditor: n.Auditor.Identity(), Raw: signature}}
	return r.Encode()
}

// TestMillionOutputs checks that too many outputs are refused before memory is
// allocated for them. BenchmarkMillionOutputs measures the time.
func TestMillionOutputs(t *testing.T) {
	n := network(t, 16)
	v, raw := n.Validator(large), million(t, n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := v.Validate("tx", raw)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, wire.ErrTooLarge)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "bytes")
}

func BenchmarkMillionOutputs(b *testing.B) {
	n := network(b, 16)
	v, raw := n.Validator(large), million(b, n)
	for b.Loop() {
		if _, err := v.Validate("tx", raw); err == nil {
			b.Fatal("accepted")
		}
	}
}

// megabytes returns requests of one megabyte that try to cause much work.
func megabytes() map[string][]byte {
	random := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	fields := wire.AppendUint(nil, 1, 1)
	for len(fields) < 1<<20 {
		fields = wire.AppendPresent(fields, 2, "")
	}
	nested := []byte{}
	for len(nested) < 1<<20 {
		nested = wire.AppendPresent(nil, 2, append(nested, make([]byte, len(nested)+1)...))
	}
	action := request.Request{Actions: []request.Action{{Kind: request.Transfer, Raw: random}}}
	return map[string][]byte{
		"random": random, "zeros": make([]byte, 1<<20), "fields": fields, "nested": nested,
		"action": action.Encode(),
	}
}

func BenchmarkMegabyte(b *testing.B) {
	v := network(b, 16).Validator(large)
	for name, raw := range megabytes() {
		b.Run("input="+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := v.Validate("tx", raw); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

func TestMegabytesAreRefused(t *testing.T) {
	v := network(t, 16).Validator(large)
	for name, raw := range megabytes() {
		t.Run(name, func(t *testing.T) {
			_, err := v.Validate("tx", raw)
			require.ErrorAs(t, err, new(*validator.RefusedError), name)
		})
	}
}

// TestSharedParameters lets sixteen goroutines prove and validate under one set
// of parameters, while one of them builds the tables.
func TestSharedParameters(t *testing.T) {
	for _, kind := range []rangeproof.Kind{rangeproof.CSP, rangeproof.Bulletproof} {
		n := networktest.New(t, fixture.Config{Systems: []rangeproof.Kind{kind}, TableBytes: 1 << 18})
		v := n.Validator(validator.Options{Executor: executor.Pool{Workers: 2}})
		digest := n.Params.Digest()
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				a, err := n.Request("tx", fixture.Shape{Kind: fixture.Kinds[i%4], Inputs: 2, Outputs: 2},
					uint64(i))
				if err == nil {
					_, err = v.Validate("tx", a.Request.Encode())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, digest, n.Params.Digest())
	}
}

// tabling is a group that counts its tables.
type tabling struct {
	group.Group
	tables *int
}

func (g tabling) NewTable(points []group.Point, size int) group.Table {
	*g.tables++
	return g.Group.NewTable(points, size)
}

// TestTablesAreBuiltBeforeTheFirstRequest: a request does not build tables.
func TestTablesAreBuiltBeforeTheFirstRequest(t *testing.T) {
	n := network(t, 16)
	a := networktest.Request(t, n, "issues", 0, 1, 1)
	g := tabling{n.Params.Group(), new(int)}
	p, err := params.Decode(n.Params.Encode(), params.Options{
		TableBytes: 1 << 18, Group: func(int) (group.Group, error) { return g, nil },
	})
	require.NoError(t, err)
	v := validator.New(p, validator.Options{})
	before := *g.tables
	require.Positive(t, before)
	_, err = v.Validate("tx", a.Request.Encode())
	require.NoError(t, err)
	require.Equal(t, before, *g.tables)
}

// slow is a key with signatures that take sixteen times as long.
type slow struct{ identity.Verifier }

func (slow) Cost() int { return 16 }

// TestCostlyKeysCountForMore checks that a signature on P-521 counts like many
// on P-256.
func TestCostlyKeysCountForMore(t *testing.T) {
	n := network(t, 16)
	a := networktest.Request(t, n, "transfers", 2, 1, 1)
	for most, want := range map[int]error{3 * 16: nil, 3*16 - 1: validator.ErrManySigners} {
		limits := request.DefaultLimits
		limits.Verifications = most
		keys := identity.Registry{identity.X509: func(raw []byte) (identity.Verifier, error) {
			v, err := x509.NewVerifier(raw)
			return slow{v}, err
		}}
		_, err := validator.New(n.Params, validator.Options{Limits: limits, Identities: keys}).Validate("tx",
			a.Request.Encode())
		require.ErrorIs(t, err, want)
	}
}

// brokenLedger panics in the validator's goroutine.
type brokenLedger struct{}

func (brokenLedger) Has(token.ID, []byte) (bool, error) { panic("broken") }
func (brokenLedger) Knows(string) (bool, error)         { return false, nil }

// brokenExecutor runs everything in other goroutines after a panic there.
type brokenExecutor struct{ executor.Executor }

func (e brokenExecutor) Run(n int, f func(i int) error) error {
	return e.Executor.Run(n, func(i int) error { _ = f(i); panic("broken") })
}

// TestPanicsBecomeErrors checks panics in a ledger and in goroutines of an
// executor.
func TestPanicsBecomeErrors(t *testing.T) {
	n := network(t, 16)
	a := networktest.Request(t, n, "transfers", 2, 2, 1)
	for _, o := range []validator.Options{{Ledger: brokenLedger{}},
		{Executor: brokenExecutor{executor.Unbounded{}}}} {
		_, err := n.Validator(o).Validate("tx", a.Request.Encode())
		networktest.Refused(t, err, "internal", nil)
		require.ErrorAs(t, err, new(*executor.PanicError))
	}
}

// TestZeroParametersAreRefused: by their own rule, alone and in a batch.
func TestZeroParametersAreRefused(t *testing.T) {
	a := networktest.Request(t, network(t, 16), "transfers", 1, 1, 1)
	for _, p := range []*params.Params{nil, {}} {
		v := validator.New(p, validator.Options{})
		for _, err := range networktest.Verdicts(v, "tx", a.Request.Encode()) {
			networktest.Refused(t, err, "public parameters", params.ErrInvalid)
		}
	}
}

// failingLedger cannot answer one of the two questions.
type failingLedger struct{ has, knows error }

func (l failingLedger) Has(token.ID, []byte) (bool, error) { return true, l.has }
func (l failingLedger) Knows(string) (bool, error)         { return false, l.knows }

// TestLedgersThatFail: an error of the ledger refuses the request.
func TestLedgersThatFail(t *testing.T) {
	n := network(t, 16)
	a := networktest.Request(t, n, "transfers", 2, 2, 1)
	down := errors.New("ledger is down")
	for name, c := range map[string]struct {
		ledger failingLedger
		rule   string
	}{
		"tokens": {failingLedger{has: down}, "inputs"}, "anchors": {failingLedger{knows: down}, "anchor"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := n.Validator(validator.Options{Ledger: c.ledger}).Validate("tx", a.Request.Encode())
			networktest.Refused(t, err, c.rule, down)
		})
	}
	_, err := n.Validator(validator.Options{Ledger: failingLedger{}}).Validate("tx", a.Request.Encode())
	require.NoError(t, err)
}
