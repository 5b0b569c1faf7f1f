// Package adapter lets a node of the reference ask our validator. The verdict is
// ours. The node's own driver decodes the actions for its ledger, without
// cryptography. See docs/node.md.
package adapter

import (
	"context"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/docs/adapter/driver"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Driver is registered under the name zkatdlognogh.v1 in place of the node's own.
type Driver struct {
	Own driver.ValidatorDriver // of the node
	// Options of the validators; Identities are filled from the parameters. Follow
	// must be the version that the network runs.
	Options validator.Options
	// Load configures the loading of parameters.
	Load params.Options
	// Resources translates the limits of the node; nil means the defaults.
	Resources func(limits driver.ResourceLimits) request.Resources
	// Attributes names the signed message and the signatures, the ones of auditors
	// first, as the node expects them.
	Attributes func(message []byte, signatures [][]byte) driver.ValidationAttributes
}

// parameters are the node's parameters with their bytes.
type parameters struct {
	own driver.PublicParameters
	raw []byte
}

// PublicParametersFromBytes implements driver.ValidatorDriver.
func (d Driver) PublicParametersFromBytes(raw []byte) (driver.PublicParameters, error) {
	own, err := d.Own.PublicParametersFromBytes(raw)
	return parameters{own, raw}, err
}

// NewValidator implements driver.ValidatorDriver.
func (d Driver) NewValidator(pp driver.PublicParameters, limits driver.ResourceLimits) (driver.Validator, error) {
	given, ok := pp.(parameters)
	if !ok {
		return nil, errors.New("adapter: parameters of another driver")
	}
	own, err := d.Own.NewValidator(given.own, limits)
	if err != nil {
		return nil, err
	}
	p, err := params.Decode(given.raw, d.Load)
	if err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	o := d.Options
	if d.Resources != nil {
		o.Resources = d.Resources(limits)
	}
	if o.Identities, err = identities(p); err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	return &checker{own: own, ours: validator.New(p, o), attributes: d.Attributes}, nil
}

// identities returns the verifiers of all plain owners of a network.
func identities(p *params.Params) (identity.Registry, error) {
	var keys []idemix.Key
	for _, k := range p.IdemixKeys() {
		keys = append(keys, idemix.Key(k))
	}
	ks, err := idemix.New(keys)
	if err != nil {
		return nil, err
	}
	r := identity.Registry{identity.X509: x509.NewVerifier}
	ks.Register(r)
	return r, nil
}

// checker implements driver.Validator.
type checker struct {
	own        driver.Validator
	ours       *validator.Validator
	attributes func(message []byte, signatures [][]byte) driver.ValidationAttributes
	least      uint32 // version of requests
}

func (c *checker) UnmarshalActions(raw []byte) ([]any, error) { return c.own.UnmarshalActions(raw) }

func (c *checker) SetMinProtocolVersion(version uint32) { c.least = version }

// VerifyTokenRequestFromRaw does not use the state: the ledger step of the node
// checks inputs.
func (c *checker) VerifyTokenRequestFromRaw(_ context.Context, _ driver.GetStateFnc, anchor driver.TokenRequestAnchor, raw []byte) ([]any, driver.ValidationAttributes, error) {
	const version = 1
	if c.least > version {
		return nil, nil, fmt.Errorf("adapter: requests have version %d, below %d", version, c.least)
	}
	accepted, err := c.ours.Validate(string(anchor), raw)
	if err != nil {
		return nil, nil, err
	}
	actions, err := c.own.UnmarshalActions(raw)
	if err != nil {
		return nil, nil, err
	}
	r, err := request.Decode(raw, request.Limits{Bytes: len(raw), Actions: len(raw), Signatures: len(raw)})
	if err != nil {
		return nil, nil, err
	}
	var auditors, others [][]byte
	for _, s := range r.Signatures {
		if s.Auditor != nil {
			auditors = append(auditors, s.Raw)
		} else {
			others = append(others, s.Raw)
		}
	}
	return actions, c.attributes(accepted.Message, append(auditors, others...)), nil
}

var _ driver.ValidatorDriver = Driver{}
