package tidy_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// holders returns values with secrets derived from seed, all by value.
func holders(t *testing.T, g group.Group, seed uint64) []any {
	t.Helper()
	s := g.Uint64(seed)
	hedge, err := nonce.NewHedge(g, fixture.Random(seed), nil, s)
	require.NoError(t, err)
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	ready, err := n.NewTransfer(seed, 1, 1)
	require.NoError(t, err)
	ready.Spends[0].ID, ready.Spends[0].Token = token.ID{}, token.Token{Data: ready.Spends[0].Token.Data}
	draft, err := transfer.Sender{Params: n.Params}.Draft(ready.Spends, ready.Receives)
	require.NoError(t, err)
	secret := []byte(fmt.Sprint(seed))
	opening := idemix.Opening{Rand: idemix.Element{Element: secret}, Attr: idemix.Element{Element: secret}}
	return []any{
		idemix.Info{Attributes: [][]byte{secret}, EidNymAuditData: opening}, opening,
		secp.Polynomial{secp.Int(uint32(seed))}, token.Opening{Type: string(secret), Issuer: secret},
		s, []group.Scalar{s}, *hedge, nonce.Fixed{s}, rangeproof.Witness{Value: seed, Blinding: s},
		sigma.SameTypeWitness{Type: s, Blinding: s}, token.Opening{Value: s, Blinding: s}, *draft,
		token.Receive{Value: seed}, proof.Outputs{Values: []uint64{seed}, Blindings: []group.Scalar{s}},
	}
}

// verbs returns all letters as verbs, alone and with flags, except letters that do
// not call Format: %T, %p, and %w, which is for errors.
func verbs() (all []string) {
	for _, letter := range "abcdefghijklmnoqrstuvxyzABCDEFGHIJKLMNOPQRSUVWXYZ" {
		for _, flag := range []string{"%", "%+", "%#", "% "} {
			all = append(all, flag+string(letter))
		}
	}
	return all
}

// TestValuesWithSecretsPrintAlike checks that each verb prints the same text
// for two values that differ in their secrets: by value, by pointer and inside
// others.
func TestValuesWithSecretsPrintAlike(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	a, b := holders(t, g, 1234567), holders(t, g, 7654321)
	for i := range a {
		for _, verb := range verbs() {
			for name, print := range map[string]func(v any) string{
				"by value":    func(v any) string { return fmt.Sprintf(verb, v) },
				"in a list":   func(v any) string { return fmt.Sprintf(verb, []any{v}) },
				"in a struct": func(v any) string { return fmt.Sprintf(verb, struct{ V any }{v}) },
				"by pointer": func(v any) string {
					p := reflect.New(reflect.TypeOf(v))
					p.Elem().Set(reflect.ValueOf(v))
					return fmt.Sprintf(verb, p.Interface())
				},
				"as map values": func(v any) string { return fmt.Sprintf(verb, map[int]any{1: v}) },
			} {
				require.Equal(t, print(a[i]), print(b[i]), "%T with %s %s", a[i], verb, name)
			}
		}
	}
}
