package curve

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// refusing is a field whose FromBytes fails at one call.
type refusing struct{}

var (
	errRefused       = errors.New("refused")
	calls, refusedAt int
)

func (*refusing) FromBytes([]byte) error {
	if calls++; calls == refusedAt {
		return errRefused
	}
	return nil
}

func (*refusing) Mul(_, _ *refusing)           {}
func (*refusing) Square(*refusing)             {}
func (*refusing) Add(_, _ *refusing)           {}
func (*refusing) Sub(_, _ *refusing)           {}
func (*refusing) Reduce()                      {}
func (*refusing) Select(_, _ *refusing, _ int) {}
func (*refusing) Bytes() (b [32]byte)          { return b }

// TestOperandsAreReduced: each operation reduces each operand above its limit, once.
func TestOperandsAreReduced(t *testing.T) {
	type calc = arith[refusing, *refusing]
	for name, c := range map[string]struct {
		limit int
		of    func(a *calc, z, x, y *value[refusing])
	}{
		"mul":    {2, func(a *calc, z, x, y *value[refusing]) { a.mul(z, x, y); a.mul(z, y, x) }},
		"square": {2, func(a *calc, z, x, _ *value[refusing]) { a.square(z, x) }},
		"add":    {3, func(a *calc, z, x, y *value[refusing]) { a.add(z, x, y) }},
		"add to": {3, func(a *calc, z, x, y *value[refusing]) { a.add(z, y, x) }},
		"sub":    {3, func(a *calc, z, x, y *value[refusing]) { a.sub(z, x, y) }},
		"from":   {3, func(a *calc, z, x, y *value[refusing]) { a.sub(z, y, x) }},
	} {
		for above := range 2 {
			a, x := calc{Limits: Limits{MaxAdds: 2, MaxSum: 3}}, value[refusing]{adds: c.limit + above}
			c.of(&a, new(value[refusing]), &x, new(value[refusing]))
			require.EqualValues(t, above, a.ops.Reduce, name)
			require.Equal(t, c.limit*(1-above), x.adds, name)
		}
	}
}

// TestConstantsAreElements: a curve over a field that refuses b, a coordinate of the
// generator or 1 panics, and so does a text that is no number.
func TestConstantsAreElements(t *testing.T) {
	defer func() { refusedAt = 0 }()
	for refusedAt = range 6 {
		calls = 0
		if refusedAt == 0 || refusedAt > 4 {
			New[refusing](Limits{})
			require.Equal(t, 4, calls)
			continue
		}
		require.PanicsWithError(t, errRefused.Error(), func() { New[refusing](Limits{}) }, refusedAt)
	}
	require.PanicsWithValue(t, "curve: constant xyz", func() { fromHex("xyz") })
}
