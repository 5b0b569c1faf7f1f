package v1_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// coin is a token in clear form.
type coin struct {
	typ   string
	value uint64
}

// model runs random requests against a ledger and, in clear form, against maps.
type model struct {
	*fixture.Network
	t         *testing.T
	random    *rand.Rand
	validator *validator.Validator
	ledger    *ledger.Memory
	book      *fixture.Book
	wallets   []*x509.Wallet
	coins     map[token.ID]coin
	order     []token.ID // order of coins, for choosing by a seed
	totals    map[string]uint64
	issued    map[string]uint64 // by the parts, by type
	burnt     map[string]uint64
	parts     []*v1.Part
	seed      uint64
	old       []applied
	byHash    int // tokens received with an owner by hash
}

// applied is a request that was applied, with its effects in clear form.
type applied struct {
	anchor         string
	raw            []byte
	accepted       *validator.Accepted
	issued, burned map[string]uint64 // by type
}

func newModel(t *testing.T, protocols params.Protocols) *model {
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: 16,
		Protocols: protocols})
	require.NoError(t, err)
	m := &model{
		Network: n, t: t, random: rand.New(rand.NewPCG(1, 2)), ledger: &ledger.Memory{},
		book:  fixture.NewBook(n.Issuer),
		coins: map[token.ID]coin{}, totals: map[string]uint64{}, issued: map[string]uint64{},
		burnt: map[string]uint64{},
	}
	m.validator = n.Validator(validator.Options{Ledger: m.ledger})
	for i := range 3 {
		w := networktest.Wallet(t, uint64(i)+100, fmt.Sprint("owner ", i))
		m.wallets = append(m.wallets, w)
		m.book.Know(w)
	}
	return m
}

func (m *model) owner() []byte { return m.wallets[m.random.IntN(len(m.wallets))].Identity() }

// hashed draws whether the owners of an action are by hash.
func (m *model) hashed() bool { return m.Params.Protocols().HashedOwners && m.random.IntN(2) == 0 }

func (m *model) service() v1.Service {
	m.seed++
	return m.Service(m.book, m.seed)
}

func (m *model) issue() {
	typ := []string{"EUR", "USD"}[m.random.IntN(2)]
	o := v1.IssueOrder{Issuer: m.Issuer.Identity(), Type: typ, Hashed: m.hashed()}
	for range 1 + m.random.IntN(2) {
		v := m.random.Uint64N(1000)
		o.Receive = append(o.Receive, token.Receive{Owner: m.owner(), Value: v})
		m.issued[typ] += v
	}
	m.add(m.service().Issue(o))
}

func (m *model) add(p *v1.Part, err error) {
	require.NoError(m.t, err)
	m.parts = append(m.parts, p)
}

// spend transfers one or two coins of a type; with redeem, one output is burned, in half of
// the cases all that the coins hold. It has no effect without coins.
func (m *model) spend(redeem bool) {
	var o v1.TransferOrder
	var typ string
	var sum uint64
	for _, i := range m.random.Perm(len(m.order)) {
		id := m.order[i]
		c, ok := m.coins[id]
		if !ok || len(o.Spend) > 0 && c.typ != typ || sum+c.value > m.Params.MaxValue() {
			continue
		}
		typ, sum, o.Spend = c.typ, sum+c.value, append(o.Spend, id)
		delete(m.coins, id)
		if len(o.Spend) == 2 || m.random.IntN(2) == 0 {
			break
		}
	}
	if len(o.Spend) == 0 {
		return
	}
	o.Hashed = m.hashed()
	first, all := m.random.Uint64N(sum+1), redeem && m.random.IntN(2) == 0
	if all {
		first = sum
	}
	redeem = redeem && (first > 0 || !m.Params.Protocols().V2) // v2 redeems values, not tokens
	o.Receive = []token.Receive{{Owner: m.owner(), Value: first}}
	if !all && (redeem || m.random.IntN(2) == 0) {
		o.Receive = append(o.Receive, token.Receive{Owner: m.owner(), Value: sum - first})
	} else {
		o.Receive[0].Value = sum
	}
	if redeem {
		o.Receive[0].Owner, o.Issuer = nil, m.Issuer.Identity()
		m.burnt[typ] += first
	}
	m.add(m.service().Transfer(o))
}

// commit signs the parts, applies the request, and records its effects in the
// model.
func (m *model) commit(anchor string) {
	if len(m.parts) == 0 {
		return
	}
	a, err := m.Signed(anchor, m.parts...)
	require.NoError(m.t, err)
	raw := a.Request.Encode()
	accepted, err := m.validator.Validate(anchor, raw)
	require.NoError(m.t, err)
	require.NoError(m.t, m.ledger.Apply(accepted))
	m.old = append(m.old,
		applied{anchor: anchor, raw: raw, accepted: accepted, issued: m.issued, burned: m.burnt})
	m.total(m.issued, m.burnt)
	var metadata []request.OutputMetadata
	for _, p := range m.parts { // all actions of a request are of one kind, so this is the order of outputs
		metadata = append(metadata, p.Metadata.Outputs...)
	}
	for i, out := range accepted.Created {
		if out.Token != nil {
			m.receive(out, metadata[i])
		}
	}
	m.parts, m.issued, m.burnt = nil, map[string]uint64{}, map[string]uint64{}
}

func (m *model) total(issued, burned map[string]uint64) {
	for typ, v := range issued {
		m.totals[typ] += v
	}
	for typ, v := range burned {
		m.totals[typ] -= v
	}
}

func (m *model) receive(out validator.Created, md request.OutputMetadata) {
	held, err := m.service().Receive(out.Token, md)
	require.NoError(m.t, err)
	v, err := held.Opening.Uint64(m.Params.Group())
	require.NoError(m.t, err)
	if held.Owner.Inner != nil {
		m.byHash++
	}
	m.book.Held[out.ID] = held
	m.coins[out.ID] = coin{held.Opening.Type, v}
	m.order = append(m.order, out.ID)
}

// check compares the totals of each type in the model and on the ledger.
func (m *model) check() {
	sums, kept := map[string]uint64{}, m.order[:0]
	for _, id := range m.order {
		c, ok := m.coins[id]
		if !ok {
			continue
		}
		kept = append(kept, id)
		sums[c.typ] += c.value
		has, err := m.ledger.Has(id, m.book.Held[id].Token.Encode(m.Params.Group()))
		require.NoError(m.t, err)
		require.True(m.t, has)
	}
	m.order = kept
	require.Equal(m.t, len(m.coins), m.ledger.Len())
	for typ, total := range m.totals {
		require.Equal(m.t, total, sums[typ], typ)
	}
}

// replay tries an old request again, under its anchor and under a new one.
func (m *model) replay() {
	old := m.old[m.random.IntN(len(m.old))]
	for _, anchor := range []string{old.anchor, "again " + old.anchor} {
		_, err := m.validator.Validate(anchor, old.raw)
		require.Error(m.t, err)
	}
}

// step makes one random request and applies it.
func (m *model) step(anchor string) {
	switch m.random.IntN(5) {
	case 0:
		m.issue()
	case 1, 2:
		m.spend(false)
	case 3:
		m.spend(false)
		m.spend(false)
	case 4:
		m.spend(true)
	}
	m.commit(anchor)
}

// TestModel checks that a long history of issues, transfers, swaps and redeems
// gives the totals of a ledger in clear form, without double spends.
func TestModel(t *testing.T) {
	m := newModel(t, params.Protocols{V1: true})
	m.run(nightly.Pick(50, 200, 400))
}

// run makes n random requests.
func (m *model) run(n int) {
	for i := range n {
		m.step(fmt.Sprint("tx ", i))
		if i%50 == 49 || i < 20 {
			m.check()
		}
		if len(m.old) > 0 {
			m.replay()
		}
	}
	m.check()
	require.NotEmpty(m.t, m.totals)
}
