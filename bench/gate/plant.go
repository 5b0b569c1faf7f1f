package gate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A Fault is planted into the loops of benchmarks to prove that a gate finds it.
type Fault struct {
	Name string
	// Slower is the share of additional time. Alloc is one more allocation, and
	// Nothing skips the work.
	Slower         float64
	Alloc, Nothing bool
}

// Faults has the faults of gate -prove, those that are found at once first; the last
// one is none.
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
	insert(len(source), strings.NewReplacer("NUMBER", fmt.Sprint(number), "SHARE", fmt.Sprint(f.Slower), "ALLOC", fmt.Sprint(f.Alloc)).Replace(helper))
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
