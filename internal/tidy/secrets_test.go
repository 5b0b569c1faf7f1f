package tidy_test

import (
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// scalar is the type of all secret numbers, and of some public ones.
const scalar = "token/crypto/group/internal/rep.Scalar"

// secretName matches names of fields of bytes and numbers with secrets.
var secretName = regexp.MustCompile(`(?i)^(key|sk|seed|secrets?|private|nonces?|values?|witness|` +
	`pre-?image|blindings?|openings?|auditinfo|salts?|metadata|random)$`)

// public lists public fields that the walk takes for secrets, with the reason.
var public = map[string]string{
	"scheme/p256/limb.Search.Seed":                          "seed of a search for a witness",
	"scheme/ps18.Vector.key":                                "name of a key in a file of known answers",
	"scheme/threshold/engine.Snapshot.Seed":                 "seed of a recorded benchmark",
	"scheme/threshold/study.Jitter.Seed":                    "seed of a simulation",
	"scheme/threshold/suite.Scenario.Seed":                  "seed of a benchmark",
	"token/core/zkatdlog/nogh/rangeproof.Weights.seed":      "a hash of proofs",
	"token/core/zkatdlog/nogh/rangeproof/csp.Proof.scalars": "responses of a proof",
	"token/core/zkatdlog/nogh/v2.Proof.responses":           "responses of a proof",
	"token/core/zkatdlog/nogh/v1/token.Limits.Metadata":     "a limit on a number of entries",
}

// walker finds the parts of a value that package fmt would print.
type walker struct {
	found []string
	seen  map[types.Type]bool
}

// walk follows the rules of fmt: a callable Formatter replaces the value, and methods of
// values in unexported fields are not called. It follows all pointers, since fmt does too
// for verbs that a pointer does not have, such as %s.
func (w *walker) walk(path string, t types.Type, callable bool) {
	t = types.Unalias(t)
	if callable && formats(t) || w.seen[t] {
		return
	}
	if public[path] != "" {
		w.found = append(w.found, path)
		return
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		name := strings.TrimPrefix(n.Obj().Pkg().Path(), ourModule) + "." + n.Obj().Name()
		if name == scalar {
			w.found = append(w.found, path)
			return
		}
		if _, ok := t.Underlying().(*types.Struct); ok {
			path = name
		}
		w.seen[t] = true
		defer delete(w.seen, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		w.walk(path, u.Elem(), callable)
	case *types.Slice:
		w.walk(path, u.Elem(), callable)
	case *types.Array:
		w.walk(path, u.Elem(), callable)
	case *types.Map:
		w.walk(path, u.Key(), callable)
		w.walk(path, u.Elem(), callable)
	case *types.Struct:
		for f := range u.Fields() {
			if (plain(f.Type()) || f.Type().String() == "io.Reader") && secretName.MatchString(f.Name()) {
				w.found = append(w.found, path+"."+f.Name())
				continue
			}
			w.walk(path+"."+f.Name(), f.Type(), callable && f.Exported())
		}
	}
}

// formats reports whether t is a fmt.Formatter.
func formats(t types.Type) bool {
	format := types.NewMethodSet(t).Lookup(nil, "Format")
	return format != nil && format.Obj().Type().(*types.Signature).Params().Len() == 2
}

// plain reports whether t consists of numbers, bytes or text.
func plain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return plain(u.Elem())
	case *types.Array:
		return plain(u.Elem())
	}
	return false
}

// TestNoSecretIsPrinted checks that no verb of package fmt prints a secret of
// an exported type, by value or by pointer.
func TestNoSecretIsPrinted(t *testing.T) {
	used := map[string]bool{}
	each(exportedPackages(t, trees...), func(name string, n types.Type) {
		for _, t2 := range []types.Type{n, types.NewPointer(n)} {
			w := walker{seen: map[types.Type]bool{}}
			w.walk(name, t2, true)
			for _, path := range w.found {
				used[path] = true
				assert.NotEmpty(t, public[path], "%s prints its secret %s: give it a Format method", t2, path)
			}
		}
	})
	for path := range public {
		t.Run(path, func(t *testing.T) {
			assert.True(t, used[path], "%s is not printed: remove it from the table", path)
		})
	}
}
