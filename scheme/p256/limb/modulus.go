package limb

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A Term is the integer Coef·2^Exp.
type Term struct {
	Coef int64
	Exp  int
}

// A Modulus is p = 2^Bits − ΣTerms, a pseudo-Mersenne or Solinas number.
type Modulus struct {
	Name string
	Bits int
	// Terms is a sum that 2^Bits is congruent to modulo p, by falling exponent.
	Terms []Term
}

// p256 is the field of the curve P-256 (FIPS 186-5, SP 800-186 §3.2.1.3).
var p256 = Modulus{"P-256", 256, []Term{{1, 224}, {-1, 192}, {-1, 96}, {1, 0}}}

// moduli are the moduli that have a name on the command line.
var moduli = map[string]Modulus{
	"p256":  p256,
	"p384":  {"P-384", 384, []Term{{1, 128}, {1, 96}, {-1, 32}, {1, 0}}},
	"p521":  {"P-521", 521, []Term{{1, 0}}},
	"25519": {"25519", 255, []Term{{19, 0}}},
}

// ModulusNames lists the names that NamedModulus accepts.
func ModulusNames() []string { return []string{"p256", "p384", "p521", "25519"} }

// NamedModulus returns the modulus of a name in ModulusNames.
func NamedModulus(name string) (Modulus, bool) {
	m, ok := moduli[name]
	return m, ok
}

// P returns the modulus as an integer.
func (m Modulus) P() *big.Int {
	p := new(big.Int).Lsh(big.NewInt(1), uint(m.Bits))
	for _, t := range m.Terms {
		p.Sub(p, new(big.Int).Lsh(big.NewInt(t.Coef), uint(t.Exp)))
	}
	return p
}

// Bytes is the size of the encoding of a field element.
func (m Modulus) Bytes() int { return (m.Bits + 7) / 8 }

const (
	maxBits = 1024    // of a modulus
	maxCoef = 1 << 16 // of a term: larger ones leave no room in 64 bits
)

// ParseModulus reads a modulus in the notation of this package's errors and
// of the standards, for example 2^256-2^224+2^192+2^96-1 or 2^255-19. Terms
// may have coefficients, 3*2^32.
func ParseModulus(text string) (Modulus, error) {
	m := Modulus{Name: text}
	signed := strings.NewReplacer(" ", "", "-", " -", "+", " +").Replace(text)
	for i, item := range strings.Fields(signed) {
		t, err := parseTerm(item)
		if err != nil {
			return Modulus{}, err
		}
		switch {
		case i > 0:
			m.Terms = append(m.Terms, Term{-t.Coef, t.Exp})
		case t.Coef != 1:
			return Modulus{}, fmt.Errorf("%q does not begin with a power of two", text)
		default:
			m.Bits = t.Exp
		}
	}
	slices.SortFunc(m.Terms, func(a, b Term) int { return b.Exp - a.Exp })
	return m, m.validate()
}

// parseTerm reads c*2^w, 2^w or c with a sign or without.
func parseTerm(item string) (Term, error) {
	bad := fmt.Errorf("%q is not a term such as 2^96, -1 or 3*2^32", item)
	sign, rest := int64(1), strings.TrimPrefix(item, "+")
	if r, minus := strings.CutPrefix(item, "-"); minus {
		sign, rest = -1, r
	}
	t := Term{}
	factor, power, isPower := strings.Cut(rest, "2^")
	if isPower {
		w, err := strconv.ParseUint(power, 10, 16)
		if err != nil || w > maxBits {
			return t, bad
		}
		t.Exp = int(w)
		factor, isPower = strings.CutSuffix(factor, "*")
		if factor == "" && !isPower {
			factor = "1"
		}
	}
	c, err := strconv.ParseUint(factor, 10, 63)
	if err != nil || c == 0 || c > maxCoef {
		return t, bad
	}
	t.Coef = sign * int64(c)
	return t, nil
}

// validate returns an error unless 2^(Bits−1) < p < 2^Bits.
func (m Modulus) validate() error {
	if m.Bits < 2 || m.Bits > maxBits || len(m.Terms) == 0 {
		return fmt.Errorf("modulus %s does not have the form 2^k plus or minus smaller terms, k up to %d",
			m.Name, maxBits)
	}
	if p := m.P(); p.Sign() <= 0 || p.BitLen() != m.Bits {
		return fmt.Errorf("modulus %s is not between 2^%d and 2^%d", m.Name, m.Bits-1, m.Bits)
	}
	return nil
}
