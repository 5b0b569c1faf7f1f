package badinput_test

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/badinput"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var kinds = []rangeproof.Kind{rangeproof.CSP, rangeproof.Bulletproof}

// typed lists the allowed errors for a malformed request.
var typed = []error{
	identity.ErrSignature, identity.ErrUnknownType, sigma.ErrRejected, rangeproof.ErrRejected,
	params.ErrNoSystem,
	validator.ErrNotIssuer, validator.ErrNotAuditor, validator.ErrNoAuditor, validator.ErrNoIssuer,
	validator.ErrIdleIssuer,
	validator.ErrUpgrade, validator.ErrMetadata, validator.ErrMissing, validator.ErrExtra,
	validator.ErrActionID,
	validator.ErrRepeatedInput, validator.ErrUnsound, validator.ErrNoActions, validator.ErrBurn,
	request.ErrResources, v2.ErrRejected, v2.ErrStatement, params.ErrProtocol, validator.ErrOrigin,
}

// requireTyped fails if a case was accepted, panicked or gave an untyped error.
func requireTyped(t *testing.T, err error, what string) {
	t.Helper()
	refused := new(validator.RefusedError)
	require.ErrorAs(t, err, &refused, "%s is accepted", what)
	require.NotEqual(t, "internal", refused.Rule, what)
	vectors.Formatted(t, err)
	if errors.As(err, new(*wire.DecodeError)) {
		return
	}
	for _, known := range typed {
		if errors.Is(err, known) {
			return
		}
	}
	t.Fatalf("%s: untyped error %v", what, err)
}

// auditorMoved reports whether raw differs from an honest request only in the place of
// its auditor's signature, which may stand anywhere.
func auditorMoved(honest, raw []byte) bool {
	r, err := request.Decode(raw, request.DefaultLimits)
	if err != nil {
		return false
	}
	slices.SortStableFunc(r.Signatures, func(a, b request.Signature) int {
		return cmp.Compare(len(b.Auditor), len(a.Auditor))
	})
	return !bytes.Equal(raw, honest) && bytes.Equal(r.Encode(), honest)
}

// decoding reports categories that every decoder must refuse.
func decoding(category string) bool {
	for _, part := range []string{"wire type", "not minimal", "length", "field number", "group",
		"number without", "overflows"} {
		if strings.Contains(category, part) && !strings.HasPrefix(category, "DER: ") &&
			!strings.HasPrefix(category, "integer") {
			return true
		}
	}
	return false
}

// curves have points of different lengths.
var curves = []string{"BN254", "BLS12_381_BBS_GURVY"}

// cases returns a subset of all cases that covers every category; all of them in
// the nightly size, or if ZKAT_BADINPUT=all.
func cases(g group.Group, root *badinput.Node) iter.Seq[badinput.Case] {
	every := nightly.Pick(256, 64, 1)
	if os.Getenv("ZKAT_BADINPUT") == "all" {
		every = 1
	}
	return badinput.Cases(g, root, every)
}

// TestMatrix runs all categories on both curves. A category that never applies is
// an error: it would be useless.
func TestMatrix(t *testing.T) {
	for _, curve := range curves {
		t.Run(curve, func(t *testing.T) {
			t.Parallel()
			names, count := map[string]bool{}, 0
			for _, f := range []*full{newFull(t, curve, rangeproof.CSP),
				newFull(t, curve, rangeproof.Bulletproof), newFullV2(t, curve)} {
				for c := range cases(f.network.Params.Group(), f.tree) {
					what, raw := f.name+": "+c.Category+" "+c.Node.Path, f.tree.Encode(c.Edit)
					names[c.Category] = true
					_, err := f.validator.Validate(anchor, raw)
					if err == nil && auditorMoved(f.honest.Encode(), raw) {
						continue
					}
					requireTyped(t, err, what)
					count++
				}
			}
			categories := badinput.Categories(vectors.Curve(t, curve))
			require.GreaterOrEqual(t, len(categories), 80)
			for _, c := range categories {
				assert.True(t, names[c.Name], "no case of %q", c.Name)
			}
			t.Logf("%d categories, %d cases", len(names), count)
		})
	}
}

// TestSigned runs the cases that the proof and the decoders must refuse
// although all parties signed them.
func TestSigned(t *testing.T) {
	count := 0
	for _, f := range []*full{newFull(t, curves[0], rangeproof.CSP),
		newFull(t, curves[1], rangeproof.Bulletproof), newFullV2(t, curves[0]), newFullV2(t, curves[1])} {
		for i, action := range f.parts {
			root, err := badinput.ParseAction(action.Action.Kind, action.Action.Raw)
			require.NoError(t, err)
			for c := range cases(f.network.Params.Group(), root) {
				framing := decoding(c.Category) && c.Node.Field != ""
				if !framing && !badinput.Bound(c.Node) && f.name != "v2" { // v2 binds the whole action
					continue
				}
				actions := append([]request.Action(nil), f.honest.Actions...)
				actions[i].Raw = root.Content(c.Edit)
				if len(actions[i].Raw) == 0 || len(actions[i].Raw) > 1<<20 {
					continue // TestMatrix covers them; signing is slow, and Assemble would prove again
				}
				_, err := f.validator.Validate(anchor, f.sign(t, actions).Encode())
				what := f.name + ": signed: " + c.Category + " " + c.Node.Path
				requireTyped(t, err, what)
				if framing {
					require.ErrorAs(t, err, new(*wire.DecodeError), what)
				}
				count++
			}
		}
	}
	require.GreaterOrEqual(t, count, 50, "cases")
	t.Logf("%d cases", count)
}

// unsupported lists the fields without a use in version 1.
var unsupported = []string{"hashed_action", "hashed_metadata", "extra_signers"}

// TestEveryFieldHasCases checks that the request behind the cases sets
// every field of the wire format, including new ones.
func TestEveryFieldHasCases(t *testing.T) {
	var trees []*badinput.Node
	for _, kind := range kinds {
		trees = append(trees, newFull(t, "BN254", kind).tree)
	}
	trees = append(trees, newFullV2(t, "BN254").tree)
	allFieldsIn(t, trees, "TokenRequest", "IssueAction", "TransferAction")
}

// allFieldsIn checks that trees contain all fields of messages.
func allFieldsIn(t *testing.T, trees []*badinput.Node, messages ...string) {
	t.Helper()
	seen := map[string]bool{}
	for _, tree := range trees {
		tree.Walk(func(n, _ *badinput.Node) { seen[n.Field] = true })
	}
	var check func(d protoreflect.MessageDescriptor)
	check = func(d protoreflect.MessageDescriptor) {
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			if slices.Contains(unsupported, string(f.Name())) {
				continue
			}
			assert.True(t, seen[string(f.FullName())], "no cases for %s", f.FullName())
			if f.Message() != nil {
				check(f.Message())
			}
		}
	}
	for _, m := range messages {
		check(pb.Message(m))
	}
}

func TestTruncatedAtEveryLength(t *testing.T) {
	f := newFull(t, "BN254", rangeproof.CSP)
	raw := f.honest.Encode()
	for n := range raw {
		_, err := f.validator.Validate(anchor, raw[:n])
		requireTyped(t, err, "truncated")
	}
}
