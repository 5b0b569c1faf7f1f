package limb

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"math/big"
	"strings"
	"text/template"
)

// A Source describes the package to generate.
type Source struct {
	// Package is the name of the Go package.
	Package string
	// Command is the command line that generates the file again.
	Command string
	// Proved is the answer of Headroom for the setting.
	Proved *Result
	// Unsafe allows settings that are not proved safe.
	Unsafe bool
}

// UnprovedError refuses a setting without a proof.
type UnprovedError struct{ Result *Result }

func (e *UnprovedError) Error() string {
	r := e.Result
	if r == nil || r.Peak.Size == nil {
		return "limb: no verdict"
	}
	text := fmt.Sprintf("%v, maxAdds %d: ", r.Geometry, r.MaxAdds)
	if w := r.Witness; w != nil {
		text += fmt.Sprintf("witness a = 0x%x b = 0x%x", r.Value(w.A), r.Value(w.B))
	} else {
		text += fmt.Sprintf("unknown: %s can reach %v", r.Peak.Where, r.Peak.Size)
	}
	return text + "; -unsafe generates it for timing only"
}

// Generate returns a Go file with the type Element: straight-line code from the
// same programs that the analyser proves and the interpreters execute. Settings
// that are not proved safe are refused with an *UnprovedError, unless s.Unsafe
// is set.
func Generate(s Source) ([]byte, error) {
	r := s.Proved
	if r == nil {
		return nil, &UnprovedError{}
	}
	if r.Verdict != ProvedSafe && !s.Unsafe {
		return nil, &UnprovedError{r}
	}
	e := elementFile{r.Setting}
	words := (e.Modulus.Bits + 63) / 64
	var wordAt []int
	for i := range words {
		wordAt = append(wordAt, 8*(words-1-i))
	}
	var text bytes.Buffer
	err := elementText.Execute(&text, map[string]any{
		"Source": s, "Setting": r.Setting, "Proved": r.Verdict == ProvedSafe, "Peak": r.Peak,
		"Margin":    r.Margin(r.Peak.Size),
		"Reduction": r.reduction(), "MaxSum": r.maxSum(), "Limbs": r.Limbs, "Top": r.Limbs - 1,
		"Shift": r.topShift(),
		"Size":  r.Modulus.Bytes(), "Words": words, "WordAt": wordAt, "WorkWords": words + 2,
		"PaddedSize": 8 * words, "Padding": 8*words - r.Modulus.Bytes(),
		"Prime": r.Modulus.P().FillBytes(make([]byte, r.Modulus.Bytes())), "PrimeLimbs": r.cut(r.Modulus.P()),
		"Mul": e.body(r.mult()), "Square": e.body(r.square()), "Reduce": e.body(r.small()),
		"Carries": e.carries(), "Decoded": e.decoded(words), "Folded": e.folded(),
	})
	if err != nil {
		return nil, fmt.Errorf("limb: %w", err)
	}
	return format.Source(text.Bytes())
}

//go:embed element.go.txt
var elementSource string

var elementText = template.Must(template.New("element").Funcs(template.FuncMap{"each": each}).
	Parse(elementSource))

// each returns f(0), f(1), … f(n−1), separated by commas.
func each(n int, f string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(f, i)
	}
	return strings.Join(items, ", ")
}

// elementFile writes the parts of element.go.txt that follow from a setting.
type elementFile struct{ Setting }

// folded are the lines that add x, the part above the modulus, to the limbs of c.
func (e elementFile) folded() (lines []string) {
	for _, t := range e.Modulus.Terms {
		factor := new(big.Int).Lsh(big.NewInt(t.Coef), uint(t.Exp%e.Bits))
		lines = append(lines, fmt.Sprintf("c[%d] += %v * x", t.Exp/e.Bits, factor))
	}
	return lines
}

// carries are the rounding carries of all limbs but the last.
func (e elementFile) carries() (texts []string) {
	for i := range e.Limbs - 1 {
		texts = append(texts, e.carry(i))
	}
	return texts
}

// carry writes the rounding carry of accumulator i.
func (e elementFile) carry(i int) string {
	return fmt.Sprintf("t = (c%[1]d + %[2]d) >> %[3]d\nc%[1]d -= t << %[3]d\nc%[4]d += t", i, 1<<(e.Bits-1),
		e.Bits, i+1)
}

// decoded are the limbs of the words of an encoding.
func (e elementFile) decoded(words int) (limbs []string) {
	for i := range e.Limbs {
		at, off := i*e.Bits/64, i*e.Bits%64
		text := "0" // the modulus ends where the limb begins
		switch {
		case off+e.Bits > 64 && at+1 < words:
			text = fmt.Sprintf("(w%d >> %d | w%d << %d) & mask", at, off, at+1, 64-off)
		case at < words:
			text = fmt.Sprintf("(w%d >> %d) & mask", at, off)
		}
		limbs = append(limbs, text)
	}
	return limbs
}

// body writes the instructions of p and sets z to the result.
func (e elementFile) body(p program) string {
	var b strings.Builder
	line := func(text string, args ...any) { fmt.Fprintf(&b, text+"\n", args...) }
	line("var t int64")
	for _, in := range p {
		i := in.I
		switch in.Op {
		case col:
			line("c%d := %s", i, e.column(i))
		case sqr:
			line("c%d := %s", i, e.squareColumn(i))
		case reduce:
			for _, f := range e.folds() {
				line("%s", e.fold(i, f))
			}
			line("c%d = 0", i)
		case carry:
			line("%s", e.carry(i))
		}
	}
	return b.String() + "*z = Element{" + each(e.Limbs, "c%d") + "}"
}

func (e elementFile) column(k int) string {
	var sum []string
	for i := max(0, k-e.Limbs+1); i <= min(k, e.Limbs-1); i++ {
		sum = append(sum, fmt.Sprintf("a%d*b%d", i, k-i))
	}
	return strings.Join(sum, " + ")
}

func (e elementFile) squareColumn(k int) string {
	var cross []string
	for i := max(0, k-e.Limbs+1); 2*i < k; i++ {
		cross = append(cross, fmt.Sprintf("a%d*a%d", i, k-i))
	}
	sum := ""
	if len(cross) > 0 {
		sum = fmt.Sprintf("2*(%s)", strings.Join(cross, " + "))
	}
	if k%2 == 0 {
		if sum != "" {
			sum += " + "
		}
		sum += fmt.Sprintf("a%d*a%d", k/2, k/2)
	}
	return sum
}

// fold writes one term of reduce i.
func (e elementFile) fold(i int, f fold) string {
	sign, factor := "+", ""
	coef := f.coef
	if coef < 0 {
		sign, coef = "-", -coef
	}
	if coef != 1 {
		factor = fmt.Sprintf("%d * ", coef)
	}
	if f.whole(e.Bits) {
		return fmt.Sprintf("c%d %s= %sc%d", i-f.low+1, sign, factor, i)
	}
	return fmt.Sprintf("c%d %s= %s(c%d << %d & mask)\n", i-f.low, sign, factor, i, f.off) +
		fmt.Sprintf("c%d %s= %s(c%d >> %d)", i-f.low+1, sign, factor, i, uint(e.Bits)-f.off)
}
