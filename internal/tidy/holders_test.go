package tidy_test

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/p256/ecdsa"
	"github.com/zkatbench/zkatbench/scheme/ps18"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
	"github.com/zkatbench/zkatbench/scheme/threshold/otecdsa"
	"github.com/zkatbench/zkatbench/scheme/threshold/robust"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// secretTypes are all exported types that hold secrets: types with a Format method.
var secretTypes = []reflect.Type{
	reflect.TypeFor[ecdsa.PrivateKey](), reflect.TypeFor[ps18.SecretKey](),
	reflect.TypeFor[frost.Key](), reflect.TypeFor[frost.Nonces](), reflect.TypeFor[frost.Presigned](),
	reflect.TypeFor[otecdsa.Triple](), reflect.TypeFor[otecdsa.Presignature](),
	reflect.TypeFor[robust.Presignature](),
	reflect.TypeFor[secp.Key](), reflect.TypeFor[secp.Polynomial](),
	reflect.TypeFor[hashed.Opening](), reflect.TypeFor[hashed.Info](), reflect.TypeFor[hashed.Signature](),
	reflect.TypeFor[htlc.Claim](), reflect.TypeFor[idemix.Info](), reflect.TypeFor[idemix.Opening](),
	reflect.TypeFor[idemix.NymInfo](),
	reflect.TypeFor[library.Wallet](), reflect.TypeFor[library.NymWallet](), reflect.TypeFor[x509.Wallet](),
	reflect.TypeFor[rangeproof.Witness](), reflect.TypeFor[rangeproof.Equation](),
	reflect.TypeFor[v1.Part](), reflect.TypeFor[v1.Assembly](), reflect.TypeFor[v1.Service](),
	reflect.TypeFor[audit.Request](),
	reflect.TypeFor[issue.Draft](), reflect.TypeFor[issue.Issuer](), reflect.TypeFor[transfer.Sender](),
	reflect.TypeFor[proof.Maker](),
	reflect.TypeFor[token.Receive](),
	reflect.TypeFor[proof.Outputs](), reflect.TypeFor[request.OutputMetadata](),
	reflect.TypeFor[request.Party](),
	reflect.TypeFor[token.Opening](), reflect.TypeFor[transfer.Draft](), reflect.TypeFor[proof.Draft](),
	reflect.TypeFor[v2.Witness](), reflect.TypeFor[v2.Opening](),
	reflect.TypeFor[group.Scalar](), reflect.TypeFor[nonce.Hedge](), reflect.TypeFor[nonce.Stream](),
	reflect.TypeFor[round.Memory](), reflect.TypeFor[round.Round](),
}

// fill sets every number, byte and text in v, also in unexported fields, to one that
// depends on seed.
func fill(v reflect.Value, seed, depth int) {
	if depth > 6 {
		return
	}
	if !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(seed % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(seed % 100))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(seed))
	case reflect.Bool:
		v.SetBool(seed%2 == 0)
	case reflect.String:
		v.SetString(fmt.Sprintf("secret %d", seed))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), seed, depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), seed, depth+1)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, seed, depth+1)
		fill(value, seed, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed, depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			of := seed
			if v.Type().Field(i).Name == "ID" { // of a party: it is public, and printed
				of = 7
			}
			fill(v.Field(i), of, depth+1)
		}
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

// TestEveryTypeWithSecretsPrintsAlike fills every field of each type that holds secrets
// with two values, and requires that all verbs print the same text. The list has all
// types with a Format method.
func TestEveryTypeWithSecretsPrintsAlike(t *testing.T) {
	listed := map[string]bool{}
	for _, of := range secretTypes {
		name := strings.TrimPrefix(of.PkgPath(), ourModule) + "." + of.Name()
		if name == scalar {
			name = "token/crypto/group.Scalar"
		}
		require.False(t, listed[name], "%s is listed twice", name)
		listed[name] = true
		require.True(t, of.Implements(reflect.TypeFor[fmt.Formatter]()),
			"%s hides its secrets behind a pointer only", name)
		a, b := reflect.New(of), reflect.New(of)
		fill(a.Elem(), 21, 0)
		fill(b.Elem(), 34, 0)
		for _, verb := range verbs() {
			printed := func(pointer reflect.Value) (texts []string) {
				v := pointer.Elem().Interface()
				for _, form := range []any{v, pointer.Interface(), []any{v}, struct{ V any }{v},
					map[int]any{1: v}} {
					texts = append(texts, fmt.Sprintf(verb, form))
				}
				return texts
			}
			require.Equal(t, printed(a), printed(b), "%s with %s, alone and inside other values", name, verb)
			require.NotContains(t, printed(a)[2], "secret 21")
		}
	}
	found := map[string]bool{}
	each(exportedPackages(t, trees...), func(name string, n types.Type) {
		if formats(n) || formats(types.NewPointer(n)) {
			found[name] = true
		}
	})
	require.Equal(t, found, listed)
}
