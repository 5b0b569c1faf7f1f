package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// anyone accepts the signature "yes".
type anyone struct{}

func (anyone) Begin(_ identity.Message, signature []byte) (identity.Task, error) {
	if string(signature) != "yes" {
		return nil, identity.ErrSignature
	}
	return nil, nil
}

func registry() identity.Registry {
	r := identity.Registry{99: func([]byte) (identity.Verifier, error) { return anyone{}, nil }}
	r[identity.Policy] = policy.New(r, nil)
	return r
}

func owner(t testing.TB, text string) []byte {
	t.Helper()
	member := identity.Typed{Type: 99, Raw: []byte{1}}.Encode()
	id, err := policy.Policy{Text: text, Members: [][]byte{member, member, member}}.Encode()
	require.NoError(t, err)
	return id
}

func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{ // the sets of signers that suffice, in binary
		"$0":                "001 011 101 111",
		"$0 AND $1":         "011 111",
		"$0 and $1 And $2":  "111",
		"$0 OR $2":          "001 011 100 101 110 111",
		"$0 OR ($1 AND $2)": "001 011 101 110 111",
		"($0 or $1)AND($2)": "101 110 111",
		"(($0) AND ($0))":   "001 011 101 111",
	} {
		t.Run(text, func(t *testing.T) {
			var got []string
			for set := range 8 {
				slots := make([][]byte, 3)
				for i := range slots {
					if set>>i&1 == 1 {
						slots[i] = []byte("yes")
					}
				}
				if registry().Verify(owner(t, text), nil, policy.Join(slots...)) == nil {
					got = append(got, fmt.Sprintf("%03b", set))
				}
			}
			require.Equal(t, want, strings.Join(got, " "))
		})
	}
}

func TestMalformedExpressions(t *testing.T) {
	for _, text := range []string{
		"", "$3", "$-1", "$", "$0 $1", "$0 AND", "AND $0", "($0", "$0)", "()", "$0 XOR $1",
		"$99999999999999999999",
		"$0 AND $1 OR $2", "$0 OR $1 AND $2", "$+1", "$01", "$0\u00a0AND\u00a0$1", "$0\u0085AND $1",
		strings.Repeat("(", 100) + "$0" + strings.Repeat(")", 100),
		strings.Repeat("$0 AND ", 1000) + "$0",
	} {
		_, err := registry().Verifier(owner(t, text))
		require.ErrorAs(t, err, new(*wire.DecodeError), text)
	}
	_, err := registry().Verifier(owner(t, "$0 AND $1 OR $2"))
	require.ErrorIs(t, err, policy.ErrAmbiguous)
}

// TestNothingFollowsTheMembers, not even a NULL inside the SEQUENCE.
func TestNothingFollowsTheMembers(t *testing.T) {
	typed := networktest.Typed(t, owner(t, "$0"))
	inside := append(typed.Raw, 5, 0)
	inside[1] += 2
	_, err := policy.Decode(inside)
	require.ErrorIs(t, err, wire.ErrTrailing)
}

func TestSlotsMustBeRight(t *testing.T) {
	id := owner(t, "$0")
	for _, slots := range [][][]byte{
		{[]byte("yes"), nil}, {[]byte("yes"), nil, nil, nil}, {[]byte("yes"), []byte("no"), nil},
		{nil, nil, nil},
	} {
		require.Error(t, registry().Verify(id, nil, policy.Join(slots...)))
	}
}

// TestMembersAreOpenedOneByOne: a member is opened when enough slots are filled and
// the signatures before it are verified; members without a signature are last.
func TestMembersAreOpenedOneByOne(t *testing.T) {
	opened := 0
	r := registry()
	r[99] = func([]byte) (identity.Verifier, error) { opened++; return anyone{}, nil }
	yes, no := []byte("yes"), []byte("no")
	for _, c := range []struct {
		slots [][]byte
		want  int
	}{
		{[][]byte{yes, nil, nil}, 0}, {[][]byte{nil, yes, yes}, 0}, {[][]byte{no, yes, yes}, 1},
		{[][]byte{yes, no, yes}, 2}, {[][]byte{yes, nil, no}, 2}, {[][]byte{yes, nil, yes}, 3},
		{[][]byte{yes, yes, yes}, 3},
	} {
		opened = 0
		_ = r.Verify(owner(t, "$0 AND ($1 OR $2)"), nil, policy.Join(c.slots...))
		require.Equal(t, c.want, opened, "%q", c.slots)
	}
	require.NoError(t, r.Open(owner(t, "$0")))
	r[98] = func([]byte) (identity.Verifier, error) { return nil, identity.ErrUnknownType }
	broken, err := policy.Policy{Text: "$0 OR $1",
		Members: [][]byte{identity.Typed{Type: 99}.Encode(), identity.Typed{Type: 98}.Encode()}}.Encode()
	require.NoError(t, err)
	require.ErrorIs(t, r.Verify(broken, nil, policy.Join(yes, nil)), identity.ErrUnknownType,
		"also a member that does not sign is opened")
	delete(r, 99)
	require.ErrorIs(t, r.Open(owner(t, "$0")), identity.ErrUnknownType)
}

func FuzzDecode(f *testing.F) {
	typed := networktest.Typed(f, owner(f, "$0 OR ($1 AND $2)"))
	vectors.FuzzDecoder(f, [][]byte{typed.Raw}, func(b []byte) ([]byte, error) {
		p, err := policy.Decode(b)
		if err != nil {
			return nil, err
		}
		id, err := p.Encode()
		if err != nil {
			return nil, err
		}
		again, err := identity.Decode(id)
		return again.Raw, err
	})
}

// TestBoundsOfExpressions: parentheses nest 64 deep, and members are named by $
// and their number.
func TestBoundsOfExpressions(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat("(", depth) + "$0" + strings.Repeat(")", depth)
	}
	for text, want := range map[string]error{
		nested(64): nil, nested(65): wire.ErrTooLarge, "0": wire.ErrMalformed, "$0 AND 1": wire.ErrMalformed,
		"$$0": wire.ErrMalformed,
	} {
		t.Run(text, func(t *testing.T) {
			typed := networktest.Typed(t, owner(t, text))
			_, err := policy.New(registry(), nil)(typed.Raw)
			require.ErrorIs(t, err, want)
		})
	}
}

// TestBoundsOfPolicies: 64 members and 4096 bytes are read, one more is not.
func TestBoundsOfPolicies(t *testing.T) {
	read := func(members, text int) error {
		id, err := policy.Policy{Text: strings.Repeat("$", text),
			Members: slices.Repeat([][]byte{{1}}, members)}.Encode()
		require.NoError(t, err)
		typed := networktest.Typed(t, id)
		p, err := policy.Decode(typed.Raw)
		if err == nil {
			require.Len(t, p.Members, members)
			require.Len(t, p.Text, text)
		}
		return err
	}
	require.NoError(t, read(policy.MaxMembers, policy.MaxText))
	require.ErrorIs(t, read(policy.MaxMembers+1, policy.MaxText), wire.ErrTooLarge)
	require.ErrorIs(t, read(policy.MaxMembers, policy.MaxText+1), wire.ErrTooLarge)
	require.NoError(t, read(0, 0))
}

// TestParenthesesSideBySide nest no deeper than one of them.
func TestParenthesesSideBySide(t *testing.T) {
	text := strings.Repeat("(($0)) AND ", 99) + "($1)"
	_, err := registry().Verifier(owner(t, text))
	require.NoError(t, err)
	_, err = registry().Verifier(owner(t, "($0 AND $1) OR ($1 AND $2) OR (($0) AND $2)"))
	require.NoError(t, err)
	for _, ambiguous := range []string{"($0 AND $1 OR $2)", "$0 OR $1 OR $2 AND $0",
		"$0 AND ($1 OR $2 AND $0)"} {
		_, err = registry().Verifier(owner(t, ambiguous))
		require.ErrorIs(t, err, policy.ErrAmbiguous, ambiguous)
	}
}

// TestRulesOfMembers hold before the expression is read.
func TestRulesOfMembers(t *testing.T) {
	r := registry()
	id := owner(t, "$0 OR $1")
	_, err := r.Verifier(id)
	require.NoError(t, err)
	r[identity.Policy] = policy.New(r, identity.Distinct)
	_, err = r.Verifier(id)
	require.ErrorIs(t, err, identity.ErrRepeated)
}

// someone accepts its name as a signature.
type someone string

func (s someone) Begin(_ identity.Message, signature []byte) (identity.Task, error) {
	if string(signature) != string(s) {
		return nil, identity.ErrSignature
	}
	return nil, nil
}

// TestEachOfManyMembers: of ten members who all sign, the signature of another one is found at
// every place.
func TestEachOfManyMembers(t *testing.T) {
	r := registry()
	r[99] = func(raw []byte) (identity.Verifier, error) { return someone(raw), nil }
	p := policy.Policy{Text: "$0"}
	var slots [][]byte
	for i := range 10 {
		name := fmt.Append(nil, "member ", i)
		p.Members = append(p.Members, identity.Typed{Type: 99, Raw: name}.Encode())
		slots = append(slots, name)
		if i > 0 {
			p.Text += fmt.Sprintf(" AND $%d", i)
		}
	}
	id, err := p.Encode()
	require.NoError(t, err)
	require.NoError(t, r.Verify(id, nil, policy.Join(slots...)))
	for i, right := range slots {
		slots[i] = slots[(i+1)%len(slots)]
		require.ErrorIs(t, r.Verify(id, nil, policy.Join(slots...)), identity.ErrSignature, "member %d", i)
		slots[i] = right
	}
}
