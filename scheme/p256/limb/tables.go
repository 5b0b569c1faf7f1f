package limb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
)

// WriteSettings writes a table of the answers for the three geometries of the review thread,
// 10x26, 10x28 and 9x29, with one and two passes and 0 to 5 additions. Each search for a witness
// ends after budget. It returns the error of Setting.Validate, or ctx's error if ctx ends.
func WriteSettings(ctx context.Context, w io.Writer, m Modulus, budget time.Duration, search Search) error {
	t := text.Table{Align: "lrrlrl", Head: []string{"geometry", "passes", "max-adds", "verdict", "margin",
		"largest or first crossed bound"}}
	for _, size := range [][2]int{{10, 26}, {10, 28}, {9, 29}} {
		for passes := 1; passes <= 2; passes++ {
			for adds := range 6 {
				s := Setting{Geometry: Geometry{Modulus: m, Limbs: size[0], Bits: size[1], Word: 64},
					MaxAdds: adds, Passes: passes}
				r, err := HeadroomWithin(ctx, budget, s, search)
				if err != nil {
					return err
				}
				margin := ""
				if r.Verdict == ProvedSafe {
					margin = fmt.Sprintf("%.3g", r.Margin(r.Peak.Size))
				}
				t.Rows = append(t.Rows, []string{s.Name(), strconv.Itoa(passes), strconv.Itoa(adds),
					r.Verdict.String(), margin, fmt.Sprintf("%s: %v", r.Peak.Where, r.Peak.Size)})
			}
		}
	}
	return t.Write(w, text.Width(w))
}

// WriteSizes writes a table of limbs of 20 to 31 bits: the products of a multiplication and of a
// square, and the most additions that are proved safe, by passes of reduction. It returns
// ctx's error if ctx ends.
func WriteSizes(ctx context.Context, w io.Writer, m Modulus) error {
	t := text.Table{Align: "lrrlrr",
		Head: []string{"geometry", "products", "square", "passes", "max-adds", "margin"}}
	for bits := 20; bits <= 31; bits++ {
		n := LeastLimbs(m, bits)
		for _, s := range []Setting{{Passes: 1}, {Passes: 1, ExtraTop: true}, {Passes: 2}} {
			passes := strconv.Itoa(s.Passes)
			if s.ExtraTop {
				passes += "+top"
			}
			var err error
			s.Geometry, err = NewGeometry(m, bits, n)
			row := []string{s.Name(), "", "", passes, "none", ""}
			if err == nil { // else the size does not fit the modulus
				row[1], row[2] = strconv.Itoa(n*n), strconv.Itoa(n*(n+1)/2)
				best, err := MostAdds(ctx, s)
				if err == nil {
					row[4] = strconv.Itoa(best.MaxAdds)
					row[5] = fmt.Sprintf("%.3g", best.Margin(best.Peak.Size))
				} else if !errors.Is(err, ErrNotProved) {
					return err
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t.Write(w, text.Width(w))
}
