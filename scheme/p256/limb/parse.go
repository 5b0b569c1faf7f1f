package limb

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Size is a number of limbs and their bits. Without a number of limbs it is as many as the
// modulus needs.
type Size struct{ Limbs, Bits int }

// SizeAllowed describes the texts that ParseSize accepts.
const SizeAllowed = "a size such as 9x29, or bits from 2 to 32 such as 29"

// ErrSize reports a text that is not a size of limbs.
var ErrSize = errors.New("is not " + SizeAllowed)

// ParseSize reads a size: 9x29, or 29 for as many limbs as needed. Of several lines the last one
// counts. Beside a line with the bits alone, x29, a number is the number of limbs, as in
// -bits=29 -limbs=9 of the specification.
func ParseSize(text string) (s Size, err error) {
	read := func(to *int, number string, low, high int) {
		n, wrong := strconv.Atoi(number)
		if wrong != nil || n < low || n > high {
			err = fmt.Errorf("%q %w", text, ErrSize)
		}
		*to = n
	}
	lines := strings.Split(text, "\n")
	apart := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "x") })
	for _, line := range lines {
		limbs, bits, both := strings.Cut(line, "x")
		switch {
		case both && limbs == "":
			read(&s.Bits, bits, 2, 32)
		case both:
			read(&s.Limbs, limbs, 1, math.MaxInt)
			read(&s.Bits, bits, 2, 32)
		case apart:
			read(&s.Limbs, line, 1, math.MaxInt)
		default:
			s.Limbs = 0
			read(&s.Bits, line, 2, 32)
		}
	}
	return s, err
}

// Reduction is the end of a product: its passes, and whether each reduces the top limb twice.
type Reduction struct {
	Passes   int
	ExtraTop bool
}

// ReductionAllowed describes the texts that ParseReduction accepts.
const ReductionAllowed = "a number from 1 to 4, or one with +top"

// ErrReduction reports a text that is not a reduction.
var ErrReduction = errors.New("is not " + ReductionAllowed)

// ParseReduction reads the number of passes, with +top if each reduces the top limb twice.
func ParseReduction(text string) (r Reduction, err error) {
	number, top := strings.CutSuffix(text, "+top")
	r.Passes, err = strconv.Atoi(number)
	if err != nil || r.Passes < 1 || r.Passes > maxPasses {
		err = fmt.Errorf("%q %w", text, ErrReduction)
	}
	r.ExtraTop = top
	return r, err
}

// String is the text that ParseReduction reads.
func (r Reduction) String() string {
	if r.ExtraTop {
		return fmt.Sprint(r.Passes, "+top")
	}
	return strconv.Itoa(r.Passes)
}

// NewSetting returns the setting of 64-bit accumulators, or the error of Setting.Validate.
func NewSetting(m Modulus, size Size, maxAdds int, r Reduction) (Setting, error) {
	if size.Limbs == 0 && size.Bits > 0 {
		size.Limbs = LeastLimbs(m, size.Bits)
	}
	s := Setting{
		Geometry: Geometry{Modulus: m, Bits: size.Bits, Limbs: size.Limbs, Word: 64},
		MaxAdds:  maxAdds, Passes: r.Passes, ExtraTop: r.ExtraTop,
	}
	return s, s.Validate()
}
