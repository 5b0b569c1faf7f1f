// Package bindtest tests which values the challenges and the weights of a verifier bind.
//
// A verifier of many claims multiplies each of their equations by a weight, and checks one
// sum. That is sound if a prover fixes every value of every claim before it learns a
// weight, and if each equation has its own weight. A test that only sees verdicts misses a
// wrong weight, for which random errors do not cancel either. The tests here compare the
// weights, and make errors that cancel for the weights that were drawn.
package bindtest

import (
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// Draw is a number that a verifier takes from a hash or from a random source: a weight,
// or a challenge.
type Draw struct {
	Weight bool
	Number *big.Int
}

// Verifier is a verifier of many claims of type C.
type Verifier[C any] struct {
	Order *big.Int // of the group
	// Claims returns n honest claims: each time copies of the same ones.
	Claims func(n int) []*C
	// Verify returns the indices of the refused claims in their order, and all numbers in
	// the order of drawing. The first ones are held, if any are: the verifier gets
	// these numbers instead of random ones.
	Verify func(claims []*C, held []Draw) (refused []int, draws []Draw)
	// Equations is how many weights are drawn for each claim, claim by claim.
	Equations int
	// Ones is how many of the first weights are 1 and not drawn.
	Ones   int
	Values []Value[C]
	Terms  []Term[C]
}

// Value is a value that a verifier reads.
type Value[C any] struct {
	Name   string
	Change func(c *C)
	// Hashed is why a change is not noticed while all numbers are held, if it is not.
	Hashed string
}

// Term is a part of a claim that one equation contains as a multiple of one base point.
type Term[C any] struct {
	Name, Base string
	Equation   int
	// Factor is the multiple, of the numbers that were drawn for the honest claim.
	Factor func(c *C) *big.Int
	// Add adds a multiple of the base, or a scalar where the base stays outside.
	Add func(c *C, by *big.Int)
}

// weights returns the weights of n claims.
func (v Verifier[C]) weights(t testing.TB, n int, draws []Draw) (weights []*big.Int) {
	t.Helper()
	for range v.Ones {
		weights = append(weights, big.NewInt(1))
	}
	for _, d := range draws {
		if d.Weight {
			weights = append(weights, d.Number)
		}
	}
	require.GreaterOrEqual(t, len(weights), n*v.Equations, "a weight for each equation")
	return weights[:n*v.Equations]
}

// honest returns claims that are accepted, with the numbers drawn for them.
func (v Verifier[C]) honest(t testing.TB, n int) (claims []*C, draws []Draw) {
	t.Helper()
	claims = v.Claims(n)
	refused, draws := v.Verify(claims, nil)
	require.Empty(t, refused)
	return claims, draws
}

// Test runs all tests of the package. Long batches have 300 claims; in short mode those of
// claims far apart have 66.
func (v Verifier[C]) Test(t *testing.T) {
	const long = 300
	t.Run("values", func(t *testing.T) { v.TestValues(t, 3) })
	t.Run("weights", func(t *testing.T) { v.testWeights(t, long) })
	t.Run("terms", func(t *testing.T) { v.testTerms(t, 3) })
	t.Run("ends", func(t *testing.T) { v.testEnds(t, nightly.Pick(66, long, long)) })
}

// TestValues changes each value of each of n claims. The claim is refused, and no other
// one, also while all numbers are held as they were for the honest claims: each value is
// in an equation. All weights of all claims change. A verifier without weights has no
// Equations.
func (v Verifier[C]) TestValues(t *testing.T, n int) {
	_, draws := v.honest(t, n)
	old := map[string]bool{}
	for _, w := range v.weights(t, n, draws)[v.Ones:] {
		old[w.String()] = true
	}
	require.NotEmpty(t, v.Values)
	for _, value := range v.Values {
		for place := range n {
			claims := v.Claims(n)
			value.Change(claims[place])
			refused, held := v.Verify(claims, draws)
			require.Equal(t, value.Hashed == "", slices.Contains(refused, place),
				"%s of claim %d, with held challenges", value.Name, place)
			require.GreaterOrEqual(t, len(held), len(draws))
			refused, now := v.Verify(claims, nil)
			require.Equal(t, []int{place}, refused, value.Name)
			for i, w := range v.weights(t, n, now)[v.Ones:] {
				require.False(t, old[w.String()], "weight %d with another %s of claim %d", i, value.Name,
					place)
			}
		}
	}
}

// testWeights compares the weights of n claims: all differ, and all change with the first value
// of the last claim.
func (v Verifier[C]) testWeights(t *testing.T, n int) {
	_, draws := v.honest(t, n)
	first := map[string]int{}
	for i, w := range v.weights(t, n, draws)[v.Ones:] {
		other, twice := first[w.String()]
		require.False(t, twice, "weights %d and %d", other, i)
		first[w.String()] = i
	}
	claims := v.Claims(n)
	v.Values[0].Change(claims[n-1])
	_, draws = v.Verify(claims, nil)
	for i, w := range v.weights(t, n, draws)[v.Ones:] {
		other, kept := first[w.String()]
		require.False(t, kept, "weight %d is weight %d before the last claim changed", i, other)
	}
}

// placed is a term of one claim.
type placed[C any] struct {
	Term[C]
	claim int
}

// testTerms makes errors in two terms of n claims that cancel for the weights that were
// drawn for the honest claims: in each pair of terms with one base. Held weights accept
// them, so each equation has the weight that was drawn for it. The verifier itself
// refuses both claims.
func (v Verifier[C]) testTerms(t *testing.T, n int) {
	honest, draws := v.honest(t, n)
	for base, terms := range v.bases() {
		all := placedAt(terms, 0, 1, n-1)
		require.Greater(t, len(all), 1, base)
		for i, x := range all {
			for _, y := range all[:i] {
				if x.claim == y.claim && x.Equation == y.Equation {
					continue // another proof
				}
				claims := v.cancelling(t, honest, draws, x, y)
				refused, _ := v.Verify(claims, nil)
				both := slices.Compact([]int{min(x.claim, y.claim), max(x.claim, y.claim)})
				require.Equal(t, both, refused, "%s against %s", x.Name, y.Name)
			}
		}
	}
}

// testEnds is testTerms for claims far apart in a long batch, for one term of each
// equation, on the base of the first term.
func (v Verifier[C]) testEnds(t *testing.T, n int) {
	honest, draws := v.honest(t, n)
	terms := make([]Term[C], v.Equations)
	for _, term := range v.bases()[v.Terms[0].Base] {
		terms[term.Equation] = term
	}
	all := placedAt(terms, 0, 63, 64, n-1)
	for i := range all[1:] {
		v.cancelling(t, honest, draws, all[i], all[i+1])
	}
}

// bases returns the terms on each base.
func (v Verifier[C]) bases() map[string][]Term[C] {
	terms := map[string][]Term[C]{}
	for _, term := range v.Terms {
		terms[term.Base] = append(terms[term.Base], term)
	}
	return terms
}

// placedAt returns each term at each place.
func placedAt[C any](terms []Term[C], places ...int) (all []placed[C]) {
	for _, place := range places {
		for _, term := range terms {
			all = append(all, placed[C]{term, place})
		}
	}
	return all
}

// cancelling returns honest claims with errors in two terms, which cancel for the weights
// in draws.
func (v Verifier[C]) cancelling(t *testing.T, honest []*C, draws []Draw, x, y placed[C]) []*C {
	t.Helper()
	weights, claims := v.weights(t, len(honest), draws), v.Claims(len(honest))
	add := func(to, other placed[C], sign int64) {
		by := new(big.Int).Mul(weights[other.claim*v.Equations+other.Equation],
			other.Factor(honest[other.claim]))
		to.Add(claims[to.claim], by.Mod(by.Mul(by, big.NewInt(sign)), v.Order))
	}
	add(x, y, 1)
	add(y, x, -1)
	refused, _ := v.Verify(claims, draws)
	require.Empty(t, refused, "%s of claim %d against %s of claim %d, with held weights", x.Name, x.claim,
		y.Name, y.claim)
	return claims
}

// Field is an exported field of a proof, or an element of one.
type Field[T any] struct {
	Name string
	At   *T
}

// Fields returns the fields of type T of a struct, also in its slices and arrays.
func Fields[T any](pointer any) (fields []Field[T]) {
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		if field, ok := v.Addr().Interface().(*T); ok {
			fields = append(fields, Field[T]{name, field})
		} else if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
			for i := range v.Len() {
				walk(name+" "+strconv.Itoa(i), v.Index(i))
			}
		}
	}
	whole := reflect.ValueOf(pointer).Elem()
	for i := range whole.NumField() {
		if field := whole.Type().Field(i); field.IsExported() {
			walk(field.Name, whole.Field(i))
		}
	}
	return fields
}
