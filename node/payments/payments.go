// Package payments prepares signed payments for the demonstration, the benchmarks and
// the tests of the service.
package payments

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// Config selects a network. Zero fields have defaults: v2, BN254, 64 bits, X.509.
type Config struct {
	Protocol, Curve, Owners string
	Bits                    int
}

// A Payment is a signed request that spends two tokens and makes two, with the tokens
// that it spends.
type Payment struct {
	validator.Submission
	Inputs []validator.Created
}

// Pool makes payments of one network and keeps them.
type Pool struct {
	Network  *fixture.Network
	open     *validator.Validator // without ledger
	mu       sync.Mutex
	payments []Payment
}

// New makes a network. The error names an unknown value.
func New(c Config) (*Pool, error) {
	f := fixture.Config{Bits: cmp.Or(c.Bits, 64)}
	var err error
	f.Group, err = curves.ByName(cmp.Or(c.Curve, "BN254"))
	if err != nil {
		return nil, err
	}
	switch cmp.Or(c.Protocol, "v2") {
	case "v1":
		f.Protocols = params.Protocols{V1: true}
	case "v2":
		f.Protocols = params.Protocols{V2: true}
	default:
		return nil, fmt.Errorf("protocol %q is not v1 or v2", c.Protocol)
	}
	switch cmp.Or(c.Owners, "x509") {
	case "x509":
	case "idemix":
		f.Owners = identity.Idemix
	case "idemixnym":
		f.Owners = identity.IdemixNym
	default:
		return nil, fmt.Errorf("owners %q are not x509, idemix or idemixnym", c.Owners)
	}
	p := new(Pool)
	p.Network, err = fixture.NewNetwork(f)
	if err != nil {
		return nil, err
	}
	p.open = p.Network.Validator(validator.Options{})
	return p, nil
}

// Make makes a payment. Payments with equal seeds spend the same tokens.
func (p *Pool) Make(anchor string, seed uint64) (Payment, error) {
	a, err := p.Network.Request(anchor, fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 2}, seed)
	if err != nil {
		return Payment{}, err
	}
	payment := Payment{Submission: validator.Submission{Anchor: anchor, Raw: a.Request.Encode()}}
	accepted, err := p.open.Validate(anchor, payment.Raw)
	if err != nil {
		return Payment{}, err
	}
	for _, in := range accepted.Spent {
		payment.Inputs = append(payment.Inputs, validator.Created(in))
	}
	return payment, nil
}

// Take returns n payments that spend different tokens. It makes payments that the pool
// does not have yet, on all processors.
func (p *Pool) Take(n int) ([]Payment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := len(p.payments); have < n {
		p.payments = append(p.payments, make([]Payment, n-have)...)
		err := executor.Pool{Workers: runtime.GOMAXPROCS(0)}.Run(n-have, func(i int) (err error) {
			p.payments[have+i], err = p.Make(fmt.Sprintf("payment-%d", have+i), uint64(have+i))
			return err
		})
		if err != nil {
			p.payments = p.payments[:have]
			return nil, err
		}
	}
	return p.payments[:n], nil
}
