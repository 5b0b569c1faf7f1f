// Package adapter lets a node of the reference ask our validator. The verdict is
// ours. The node's own driver decodes the actions for its ledger, without
// cryptography. See docs/node.md.
//
// With the build tag panurus_v014 validators have no resource limits, as before
// v0.15.
package adapter

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
)

// requestVersion is the version of requests that our validator reads.
const requestVersion = 1

// Driver is a validator driver for a node. Register it under the name
// zkatdlognogh.v1 in place of the node's own.
type Driver struct {
	// Own is the node's driver, which decodes parameters and actions.
	Own driver.ValidatorDriver
	// Options configure the validators. Identities are filled from the parameters,
	// and Resources from the node's limits. Follow must be the version that the
	// network runs.
	Options validator.Options
	// Load configures the decoding of parameters.
	Load params.Options
	// Attributes are the names under which the node records a request.
	Attributes Names
}

// Names are the names of validation attributes: of the signed message, and of the JSON list
// of all signatures, the auditors' first, each in base64. The reference calls the list
// "sigs".
type Names struct {
	Message, Signatures driver.ValidationAttributeID
}

// PublicParametersFromBytes implements driver.ValidatorDriver.
func (d Driver) PublicParametersFromBytes(raw []byte) (driver.PublicParameters, error) {
	return d.Own.PublicParametersFromBytes(raw)
}

// validator returns our validator with own, the node's, as the decoder of actions.
func (d Driver) validator(pp driver.PublicParameters, own driver.Validator,
	limits request.Resources) (driver.Validator, error) {
	raw, err := pp.Serialize()
	if err != nil {
		return nil, fmt.Errorf("adapter: public parameters: %w", err)
	}
	p, err := params.Decode(raw, d.Load)
	if err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	o := d.Options
	o.Resources = limits
	o.Identities, err = Identities(p)
	if err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	return &checker{own: own, ours: validator.New(p, o), attributes: d.Attributes}, nil
}

// knownKeys is the number of owners for which a table of multiples is kept. A table takes some
// 32 kB. Signatures of a block are verified together.
const knownKeys = 1024

// Identities returns the verifiers of all plain owners of a network.
func Identities(p *params.Params) (identity.Registry, error) {
	var keys []idemix.Key
	for _, k := range p.IdemixKeys() {
		keys = append(keys, idemix.Key(k))
	}
	ks, err := idemix.New(keys)
	if err != nil {
		return nil, err
	}
	r := identity.Registry{identity.X509: x509.NewKeys(ecdsap256.New(knownKeys)).Verifier}
	ks.Register(r)
	return r, nil
}

// checker implements driver.Validator.
type checker struct {
	own            driver.Validator
	ours           *validator.Validator
	attributes     Names
	minimumVersion uint32
}

// UnmarshalActions implements driver.Validator with the node's decoder.
func (c *checker) UnmarshalActions(raw []byte) ([]any, error) { return c.own.UnmarshalActions(raw) }

// SetMinProtocolVersion implements driver.Validator.
func (c *checker) SetMinProtocolVersion(version uint32) { c.minimumVersion = version }

// VerifyTokenRequestFromRaw implements driver.Validator. It does not use the state:
// the ledger step of the node checks inputs.
func (c *checker) VerifyTokenRequestFromRaw(_ context.Context, _ driver.GetStateFnc,
	anchor driver.TokenRequestAnchor, raw []byte) ([]any, driver.ValidationAttributes, error) {
	if c.minimumVersion > requestVersion {
		return nil, nil,
			fmt.Errorf("adapter: requests have version %d, the minimum is %d: %w", requestVersion,
				c.minimumVersion, driver.ErrVersionBelowMinimum)
	}
	accepted, err := c.ours.Validate(string(anchor), raw)
	if err != nil {
		return nil, nil, refusal(raw, err)
	}
	actions, err := c.own.UnmarshalActions(raw)
	if err != nil {
		return nil, nil, err
	}
	attributes, err := c.attributes.list(accepted.Message, raw)
	return actions, attributes, err
}

// list returns the message and the signatures of an accepted request: the signatures
// of auditors, then the others, each in the order of the request.
func (n Names) list(message, raw []byte) (driver.ValidationAttributes, error) {
	r, err := request.Decode(raw, request.Limits{Bytes: len(raw), Actions: len(raw), Signatures: len(raw)})
	if err != nil {
		return nil, err
	}
	var auditors, others [][]byte
	for _, s := range r.Signatures {
		if len(s.Auditor) > 0 {
			auditors = append(auditors, s.Raw)
		} else {
			others = append(others, s.Raw)
		}
	}
	signatures, err := json.Marshal(append(auditors, others...))
	return driver.ValidationAttributes{n.Message: message, n.Signatures: signatures}, err
}

// resources copies the limits of a node by their names. It fails on a limit that we do not know,
// and names it: endorsers could disagree if a limit were ignored.
func resources(limits any) (r request.Resources, err error) {
	from, to := reflect.ValueOf(limits), reflect.ValueOf(&r).Elem()
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		field := to.FieldByName(name)
		if !field.IsValid() {
			return r, fmt.Errorf("adapter: limit %s is not known", name)
		}
		field.SetInt(from.Field(i).Int())
	}
	return r, nil
}

var _ driver.ValidatorDriver = Driver{}
