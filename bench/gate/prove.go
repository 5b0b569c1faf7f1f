package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Overlay writes planted copies of all files of the module with loops of benchmarks into
// dir, and returns the file for -overlay of go build; empty without a fault.
func (f Fault) Overlay(ctx context.Context, from result.Source, dir string) (name string, err error) {
	if f == (Fault{Name: f.Name}) {
		return "", nil
	}
	files, err := from.Files(ctx)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if !bytes.Contains(source, []byte(".Loop()")) && !bytes.Contains(source, []byte(".N")) {
			continue
		}
		planted, loops, err := f.plant(source, i)
		if err != nil || loops == 0 {
			continue // the compiler complains about it, or it is not a benchmark
		}
		replace[file] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[file], planted, 0o600); err != nil {
			return "", err
		}
	}
	if len(replace) == 0 {
		return "", errors.New("-prove: no loop over b.N or b.Loop is found in the packages")
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	name = filepath.Join(dir, "overlay.json")
	return name, errors.Join(err, os.WriteFile(name, content, 0o600))
}

// Proof is the outcome of all faults so far.
type Proof struct {
	keys           []result.Key
	found          map[result.Key]map[string]string // by the name of a fault: yes or no
	alarms, missed int
	busy           int     // faults of cases that the scatter of the results hides
	scatter        float64 // the largest regression that such a comparison does not exclude
	least          float64 // the smallest slow-down found in all cases; 0 if there is not one
	widest         float64 // the largest difference of a case from itself
}

// Add adds the comparison of a base with itself and a fault. The faults of slow-downs
// become smaller.
func (p *Proof) Add(f Fault, r Report) {
	none, all := f == Fault{Name: f.Name}, true
	for _, c := range r.Comparisons {
		if p.found == nil {
			p.found = map[result.Key]map[string]string{}
		}
		if p.found[c.Key] == nil {
			p.keys, p.found[c.Key] = append(p.keys, c.Key), map[string]string{}
		}
		if none && c.Rule.Kind == noisy && c.Verdict != Layout {
			p.widest = max(p.widest, math.Abs(c.Shift.Value))
		}
	}
	if len(p.keys) == 0 && f.must() { // not begun
		p.busy, p.scatter = p.busy+1, math.Inf(1)
	}
	for _, k := range p.keys {
		found := slices.ContainsFunc(r.Comparisons, func(c Comparison) bool {
			alarm := c.Verdict == Regression || none && c.Verdict == Improvement
			return c.Key == k && alarm && (!f.Alloc || c.Unit == "allocs/op")
		})
		found = found || slices.ContainsFunc(r.Missing, func(m Cell) bool { return m.Key == k })
		hidden, scatter := f.hidden(r, k)
		switch {
		case !found && hidden:
			p.busy, p.scatter = p.busy+1, max(p.scatter, scatter)
		case none && found:
			p.alarms++
		case f.must() && !found:
			p.missed++
		}
		all = all && found
		switch {
		case found:
			p.found[k][f.Name] = "yes"
		case hidden && !none:
			p.found[k][f.Name] = "too busy"
		default:
			p.found[k][f.Name] = "no"
		}
	}
	if all && f.Slower > 0 {
		p.least = f.Slower
	}
}

// hidden reports a fault that must be found, and that the results of a case neither show nor exclude,
// with the largest regression that they do not exclude: other programs were too busy to prove anything.
func (f Fault) hidden(r Report, k result.Key) (hidden bool, scatter float64) {
	if !f.must() {
		return false, 0
	}
	judged := 0
	for _, c := range r.Comparisons {
		if c.Key != k || f.Alloc != (c.Unit == "allocs/op") || !f.Alloc && !isTime(c.Unit) {
			continue
		}
		judged++
		if c.Verdict != Unknown || c.worst() < f.Slower {
			return false, 0
		}
		scatter = max(scatter, c.worst())
	}
	if judged == 0 {
		scatter = math.Inf(1)
	}
	return judged > 0 || slices.Contains(r.Unmeasured, k) || len(r.Comparisons) == 0, scatter
}

// must reports a fault that is missed if it is not found.
func (f Fault) must() bool { return f.Alloc || f.Nothing || f.Slower > 0.05 }

// Busy reports that the machine was too busy to prove or to miss a fault.
func (p *Proof) Busy() bool { return p.busy > 0 }

// Sound reports whether there was no false alarm, and all faults except small slow-downs
// were found.
func (p *Proof) Sound() bool { return p.alarms == 0 && p.missed == 0 }

// WriteText prints the table, the conclusion, and a file of rules.
func (p *Proof) WriteText(to io.Writer) error {
	t := text.Table{Align: "l", Head: []string{"case"}}
	for _, f := range Faults {
		t.Head = append(t.Head, f.Name)
	}
	for _, k := range p.keys {
		row := []string{k.Name}
		for _, f := range Faults {
			row = append(row, p.found[k][f.Name])
		}
		t.Rows = append(t.Rows, row)
	}
	if err := t.Write(to, text.Width(to)); err != nil {
		return err
	}
	fmt.Fprintf(to, "\nfalse alarms: %d of %s\n", p.alarms, text.Plural(len(p.keys), "case"))
	switch {
	case p.busy > 0 && math.IsInf(p.scatter, 1):
		fmt.Fprintf(to,
			"the machine was too busy to prove %s: too few results were measured in this budget\n",
			text.Plural(p.busy, "fault"))
	case p.busy > 0:
		fmt.Fprintf(to,
			"the machine was too busy to prove %s: the results leave changes up to %s possible\n",
			text.Plural(p.busy, "fault"), text.Change(p.scatter))
	}
	limit := p.least / 2
	if p.least > 0 {
		fmt.Fprintf(to, "smallest slow-down that is found in all cases in this budget: %s\n",
			text.Percent(p.least))
	} else {
		limit = 0.1
		fmt.Fprintln(to,
			"no slow-down up to 10 % is found in all cases: raise -budget, or ignore the cases with no below")
	}
	limit = max(limit, math.Ceil(200*p.widest)/200)
	fmt.Fprintf(to, "\n# rules to keep, for -rules\nunit sec/op %s\n",
		strings.ReplaceAll(text.Percent(limit), " ", ""))
	for _, k := range p.keys {
		if p.found[k]["+10 %"] == "no" {
			fmt.Fprintf(to, "# a slow-down of 10 %% is not found: ignore .name:%s\n", text.Visible(k.Name))
		}
	}
	return nil
}

// A Fault is planted into the loops of benchmarks to prove that a gate finds it.
type Fault struct {
	Name string
	// Slower is the share of additional time. Alloc is one more allocation, and
	// Nothing skips the work.
	Slower         float64
	Alloc, Nothing bool
}

// Faults has the faults of gate -prove, starting with the faults found at once. The last
// entry is a run without a fault.
var Faults = []Fault{
	{Name: "nothing", Nothing: true}, {Name: "alloc", Alloc: true},
	{Name: "+10 %", Slower: 0.1}, {Name: "+5 %", Slower: 0.05}, {Name: "+2 %", Slower: 0.02}, {Name: "none"},
}

// plant returns the source of a Go file with the fault at the beginning of each loop
// over b.N or b.Loop, and the number of these loops. number makes names unique in the
// package.
func (f Fault) plant(source []byte, number int) (planted []byte, loops int, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	var at []int // offsets behind the braces of the loops
	ast.Inspect(file, func(n ast.Node) bool {
		if body := timedLoop(n); body != nil {
			at = append(at, int(body.Lbrace))
		}
		return true
	})
	if len(at) == 0 {
		return source, 0, nil
	}
	call := fmt.Sprintf(" zkatbenchPlanted%d();", number)
	if f.Nothing {
		call += " continue;"
	}
	var b bytes.Buffer
	last := 0
	insert := func(offset int, text string) {
		b.Write(source[last:offset])
		b.WriteString(text)
		last = offset
	}
	insert(int(file.Name.End())-1, "; import zkatbenchtime \"time\"")
	slices.Sort(at)
	for _, offset := range at {
		insert(offset, call)
	}
	insert(len(source),
		strings.NewReplacer("NUMBER", fmt.Sprint(number), "SHARE", fmt.Sprint(f.Slower), "ALLOC",
			fmt.Sprint(f.Alloc)).Replace(helper))
	return b.Bytes(), len(at), nil
}

// timedLoop returns the body of a loop over b.N or b.Loop, of any name in place of b.
func timedLoop(n ast.Node) *ast.BlockStmt {
	selects := func(e ast.Expr, name string) bool {
		s, is := e.(*ast.SelectorExpr)
		return is && s.Sel.Name == name
	}
	switch loop := n.(type) {
	case *ast.RangeStmt:
		if selects(loop.X, "N") {
			return loop.Body
		}
	case *ast.ForStmt:
		switch c := loop.Cond.(type) {
		case *ast.CallExpr:
			if selects(c.Fun, "Loop") && len(c.Args) == 0 {
				return loop.Body
			}
		case *ast.BinaryExpr:
			if c.Op == token.LSS && selects(c.Y, "N") {
				return loop.Body
			}
		}
	}
	return nil
}

// helper spins for a share of the time since its last call. It looks at the clock every
// 20 µs, and leaves out the time between two loops, which is much longer.
const helper = `

var (
	zkatbenchLastNUMBER                   zkatbenchtime.Time
	zkatbenchTookNUMBER                   zkatbenchtime.Duration
	zkatbenchCallsNUMBER, zkatbenchEveryNUMBER int
	zkatbenchKeptNUMBER                   *[64]byte
)

func zkatbenchPlantedNUMBER() {
	if ALLOC {
		zkatbenchKeptNUMBER = new([64]byte)
	}
	if zkatbenchCallsNUMBER++; SHARE == 0 || zkatbenchCallsNUMBER < zkatbenchEveryNUMBER {
		return
	}
	now := zkatbenchtime.Now()
	took := now.Sub(zkatbenchLastNUMBER)
	switch {
	case took < 20*zkatbenchtime.Microsecond:
		zkatbenchEveryNUMBER = 2*zkatbenchEveryNUMBER + 1
	case zkatbenchTookNUMBER > 0 && took < 3*zkatbenchTookNUMBER:
		for zkatbenchtime.Since(now) < zkatbenchtime.Duration(float64(took)*SHARE) {
		}
	}
	zkatbenchCallsNUMBER, zkatbenchTookNUMBER = 0, took
	zkatbenchLastNUMBER = zkatbenchtime.Now()
}
`
