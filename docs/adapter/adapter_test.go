package adapter_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/docs/adapter"
	"github.com/zkatbench/zkatbench/docs/adapter/driver"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// own is the node's driver, which decodes actions.
type own struct{ driver.Validator }

func (own) PublicParametersFromBytes(raw []byte) (driver.PublicParameters, error) { return raw, nil }
func (o own) NewValidator(driver.PublicParameters, driver.ResourceLimits) (driver.Validator, error) {
	return o, nil
}
func (own) UnmarshalActions([]byte) ([]any, error) { return []any{"action"}, nil }

// TestAdapter validates a request and a changed one through the node's interfaces.
func TestAdapter(t *testing.T) {
	g, err := curves.ByName("BN254")
	if err != nil {
		t.Fatal(err)
	}
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, TableBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := adapter.Driver{Own: own{}, Attributes: func(message []byte, signatures [][]byte) driver.ValidationAttributes {
		return driver.ValidationAttributes{"message": message, "first": signatures[0]}
	}}
	pp, err := d.PublicParametersFromBytes(n.Params.Encode())
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.NewValidator(pp, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := n.Request("tx", fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	raw := a.Request.Encode()
	actions, attributes, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	if err != nil || len(actions) != 1 || len(attributes["message"]) == 0 || len(attributes["first"]) == 0 {
		t.Fatal(actions, attributes, err)
	}
	if _, _, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "other", raw); err == nil {
		t.Fatal("accepted under another anchor")
	}
	v.SetMinProtocolVersion(2)
	if _, _, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw); err == nil {
		t.Fatal("accepted below the least version")
	}
}
