package audit_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// redeemed is a redeem with the given amounts.
type redeemed struct {
	*fixture.Network
	*v1.Assembly
	action   *transfer.Action
	openings []token.Opening
}

// newRedeemed makes a v2 redeem of 64-bit values with three inputs and two outputs.
func newRedeemed(t *testing.T) *redeemed {
	t.Helper()
	n := networktest.New(t, fixture.Config{Bits: 64, Protocols: params.Protocols{V2: true}})
	parts := networktest.Parts(t, n, "redeems", 3, 3, 1)
	a := networktest.Assemble(t, parts...)
	action := networktest.Transfer(t, n.Params.Group(), a.Request.Actions[0].Raw)
	require.Len(t, action.Outputs, 2)
	return &redeemed{n, a, action, parts[0].Openings}
}

// check audits the redeem with these amounts. The proof is not looked at.
func (r *redeemed) check(in [3]uint64, out [2]uint64, redeem uint64) (*audit.Audited, error) {
	g := r.Params.Group()
	for i := range in {
		known := r.Inputs[r.action.Inputs[i].ID]
		known.Quantity = token.FormatQuantity(in[i])
		r.Inputs[r.action.Inputs[i].ID] = known
	}
	for j := range out {
		o := r.openings[j]
		o.Value = g.Uint64(out[j])
		r.action.Outputs[j].Data = token.Commit(r.Params.Pedersen(), o.Type, out[j], o.Blinding)
		r.Metadata.Actions[0].Outputs[j].Opening = o.Encode(g)
	}
	r.action.Redeem = redeem
	r.Assembly.Request.Actions[0].Raw = r.action.Encode(g)
	return r.Audit().Check(r.AuditRequest())
}

// TestAmountsAddUp: the known inputs are the outputs and the redeemed value. No sum is
// taken modulo 2⁶⁴. The redeemed value has their type.
func TestAmountsAddUp(t *testing.T) {
	const most = ^uint64(0)
	r := newRedeemed(t)
	for _, c := range []struct {
		name   string
		in     [3]uint64
		out    [2]uint64
		redeem uint64
		want   error
	}{
		{"equal", [3]uint64{1, 2, 4}, [2]uint64{1, 5}, 1, nil},
		{"the largest sum", [3]uint64{most - 2, 1, 1}, [2]uint64{most - 9, 1}, 8, nil},
		{"one less redeemed", [3]uint64{1, 2, 5}, [2]uint64{1, 5}, 1, audit.ErrSum},
		{"one more redeemed", [3]uint64{1, 2, 4}, [2]uint64{1, 5}, 2, audit.ErrSum},
		{"carry of the redeemed value", [3]uint64{1, 2, 4}, [2]uint64{most, 0}, 8, audit.ErrSum},
		{"the largest redeemed value", [3]uint64{1, 2, 4}, [2]uint64{8, 0}, most, audit.ErrSum},
		{"carry of the outputs", [3]uint64{1, 2, 4}, [2]uint64{most, 7}, 1, audit.ErrSum},
		{"carry of the inputs", [3]uint64{most, 1, 7}, [2]uint64{1, 5}, 1, audit.ErrRange},
		{"carry of the middle input", [3]uint64{4, most, 1}, [2]uint64{1, 2}, 1, audit.ErrRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			audited, err := r.check(c.in, c.out, c.redeem)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, c.redeem, audited.Actions[0].Redeem)
				require.Equal(t, token.FormatQuantity(c.out[1]), audited.Actions[0].Outputs[1].Quantity)
				require.Equal(t, token.FormatQuantity(c.in[2]), audited.Actions[0].Inputs[2].Quantity)
			}
		})
	}
	r.action.RedeemType = "another"
	_, err := r.check([3]uint64{1, 2, 4}, [2]uint64{1, 5}, 1)
	require.ErrorIs(t, err, audit.ErrTypes)
}

// failing is a signer without a key.
type failing struct{ identity.Signer }

var errNoKey = errors.New("no key")

func (failing) Sign([]byte) ([]byte, error) { return []byte("partial"), errNoKey }

// TestKnownInputs: their owners need not be known, and their type is that of the outputs.
// TestEveryPlaceOfMetadata in package v1 has one wrong input in each place.
func TestKnownInputs(t *testing.T) {
	r := newRedeemed(t)
	for _, change := range []struct {
		to   token.Clear
		want error
	}{{token.Clear{Type: r.openings[0].Type}, nil}, {token.Clear{Type: "USD"}, audit.ErrTypes}} {
		for id, known := range r.Inputs {
			change.to.Quantity = known.Quantity
			r.Inputs[id] = change.to
		}
		_, err := r.Audit().Check(r.AuditRequest())
		require.ErrorIs(t, err, change.want)
	}
}

// TestErrorsOfSigners: the error of a signer is returned, and an assembly is not
// changed. Otherwise the auditor signs.
func TestErrorsOfSigners(t *testing.T) {
	r := newRedeemed(t)
	_, err := r.Audit().Endorse(r.AuditRequest(), failing{r.Auditor})
	require.ErrorIs(t, err, errNoKey)
	before := r.Assembly.Request.Encode()
	require.ErrorIs(t, r.Endorse(r.Audit(), failing{r.Auditor}), errNoKey)
	require.Equal(t, before, r.Assembly.Request.Encode())
	s, err := r.Audit().Endorse(r.AuditRequest(), r.Auditor)
	require.NoError(t, err)
	require.Equal(t, r.Auditor.Identity(), s.Auditor)
	want, err := r.Auditor.Sign(r.Message())
	require.NoError(t, err)
	require.Equal(t, want, s.Raw)
}
