package service_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// forger makes valid requests under any anchor. Its network has protocol v1, in which proofs
// do not name the anchor.
type forger struct {
	*testing.T
	network *fixture.Network
	party   v1.Service
	book    *fixture.Book
	owner   []byte
	running *service.Service
}

func newForger(t *testing.T, follow request.Version) *forger {
	pool, err := payments.New(payments.Config{Bits: 16, Protocol: "v1"})
	require.NoError(t, err)
	n := pool.Network
	made, err := n.NewIssue(7, 1)
	require.NoError(t, err)
	f := &forger{T: t, network: n, book: fixture.NewBook(n.Issuer, made.Receiver),
		owner: made.Receiver.Identity()}
	f.party = n.Service(f.book, 7)
	s, err := store.Open(t.TempDir(), store.Options{Digest: n.Params.Digest(), Reserve: 1})
	require.NoError(t, err)
	f.running = service.New(service.Config{
		Store: s, Validator: n.Validator(validator.Options{Ledger: s, Follow: follow}), Batch: 1,
	})
	t.Cleanup(func() {
		f.running.Stop()
		require.NoError(t, s.Close())
	})
	return f
}

// submit signs a request with one action under an anchor, keeps its first token, and
// returns the id of the token and whether the service accepted the request.
func (f *forger) submit(anchor string, part *v1.Part) (id token.ID, accepted bool) {
	f.Helper()
	r := &request.Request{Actions: []request.Action{part.Action}}
	message, err := r.Message(anchor)
	require.NoError(f, err)
	raw, err := f.network.Auditor.Sign(message)
	require.NoError(f, err)
	r.Signatures = []request.Signature{{Auditor: f.network.Auditor.Identity(), Raw: raw}}
	for _, signer := range part.Signers {
		raw, err := signer.Sign(message)
		require.NoError(f, err)
		r.Signatures = append(r.Signatures, request.Signature{Raw: raw})
	}
	open := f.network.Validator(validator.Options{Follow: request.V0_15})
	effects, err := open.Validate(anchor, r.Encode())
	require.NoError(f, err, "all but the anchor is valid")
	out := effects.Created[0]
	f.book.Held[out.ID], err = f.party.Receive(out.Token, part.Metadata.Outputs[0])
	require.NoError(f, err)
	v, err := f.running.Submit(f.Context(), anchor, r.Encode())
	require.NoError(f, err)
	f.Logf("%q: %v", anchor, v.Err)
	return out.ID, v.Err == nil
}

func (f *forger) issue(value uint64) *v1.Part {
	part, err := f.party.Issue(v1.IssueOrder{
		Issuer: f.network.Issuer.Identity(), Type: fixture.Type,
		Receive: []token.Receive{{Owner: f.owner, Value: value}},
	})
	require.NoError(f, err)
	return part
}

func (f *forger) transfer(id token.ID, value uint64) *v1.Part {
	part, err := f.party.Transfer(v1.TransferOrder{
		Spend: []token.ID{id}, Receive: []token.Receive{{Owner: f.owner, Value: value}},
	})
	require.NoError(f, err)
	return part
}

// TestNamesMakeNoMoney: the anchor of a transfer is chosen so that its token has the key of
// the record of an issue. Spending that token would remove the record, and the same issue
// would be applied again. In every mode the service refuses the transfer, and the issued
// token is spent once.
func TestNamesMakeNoMoney(t *testing.T) {
	for _, follow := range append([]request.Version{request.Strict}, request.Versions...) {
		for form, anchors := range map[string]struct{ issue, transfer string }{
			"word": {issue: "0", transfer: "tr"},
			"NUL":  {issue: "pay-7f3a\x000", transfer: "tr\x00pay-7f3a"},
		} {
			t.Run(fmt.Sprint(follow, "/", form), func(t *testing.T) {
				f := newForger(t, follow)
				own, accepted := f.submit("own", f.issue(1))
				require.True(t, accepted)
				issue := f.issue(1000)
				issued, _ := f.submit(anchors.issue, issue)
				_, spent := f.submit("spend", f.transfer(issued, 1000))
				hidden, accepted := f.submit(anchors.transfer, f.transfer(own, 1))
				require.False(t, accepted, "the anchor of the transfer")
				f.submit("burn", f.transfer(hidden, 1))
				f.submit(anchors.issue, issue)
				_, again := f.submit("spend again", f.transfer(issued, 1000))
				require.False(t, spent && again, "1000 issued once, spent twice")
			})
		}
	}
}
