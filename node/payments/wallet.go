package payments

import (
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// A Wallet issues tokens to its owner and spends them, on a ledger that begins without
// tokens.
type Wallet struct {
	pool    *Pool
	book    *fixture.Book
	service v1.Service
	owner   []byte
}

// A Made request has its tokens, in the order of their indices.
type Made struct {
	validator.Submission
	Tokens []token.ID
}

// NewWallet makes a wallet. The seed gives its keys and its randomness.
func (p *Pool) NewWallet(seed uint64) (*Wallet, error) {
	made, err := p.Network.NewIssue(seed, 1)
	if err != nil {
		return nil, err
	}
	w := &Wallet{pool: p, book: fixture.NewBook(p.Network.Issuer, made.Receiver),
		owner: made.Receiver.Identity()}
	w.service = p.Network.Service(w.book, seed)
	return w, nil
}

func (w *Wallet) receive(values []uint64) (list []token.Receive) {
	for _, v := range values {
		list = append(list, token.Receive{Owner: w.owner, Value: v})
	}
	return list
}

// Issue makes a request that issues tokens of the values.
func (w *Wallet) Issue(anchor string, values ...uint64) (Made, error) {
	part, err := w.service.Issue(v1.IssueOrder{
		Issuer: w.pool.Network.Issuer.Identity(), Type: fixture.Type, Receive: w.receive(values),
	})
	if err != nil {
		return Made{}, err
	}
	return w.sign(anchor, part)
}

// Transfer makes a request that spends tokens of this wallet, for tokens of the values.
func (w *Wallet) Transfer(anchor string, spend []token.ID, values ...uint64) (Made, error) {
	part, err := w.service.Transfer(v1.TransferOrder{Spend: spend, Receive: w.receive(values)})
	if err != nil {
		return Made{}, err
	}
	return w.sign(anchor, part)
}

// Pay makes a request that issues two tokens, and a request under the anchor that spends them for two
// others.
func (w *Wallet) Pay(anchor string) (issue, transfer validator.Submission, err error) {
	issued, err := w.Issue("issue-"+anchor, 60, 40)
	if err != nil {
		return issue, transfer, err
	}
	paid, err := w.Transfer(anchor, issued.Tokens, 75, 25)
	return issued.Submission, paid.Submission, err
}

// sign completes a request, and puts its tokens into the wallet.
func (w *Wallet) sign(anchor string, part *v1.Part) (Made, error) {
	a, err := w.pool.Network.Signed(anchor, part)
	if err != nil {
		return Made{}, err
	}
	m := Made{Submission: validator.Submission{Anchor: anchor, Raw: a.Request.Encode()}}
	accepted, err := w.pool.open.Validate(anchor, m.Raw)
	if err != nil {
		return Made{}, err
	}
	for i, out := range accepted.Created {
		w.book.Held[out.ID], err = w.service.Receive(out.Token, part.Metadata.Outputs[i])
		if err != nil {
			return Made{}, err
		}
		m.Tokens = append(m.Tokens, out.ID)
	}
	return m, nil
}
