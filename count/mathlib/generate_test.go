package mathlib_test

import (
	"fmt"
	"go/format"
	"os"
	"reflect"
	"strings"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
)

//go:generate go test -run TestForwardingMethods -update .

// counted has the events of methods that are one operation: group, operation, terms.
// Methods that are neither here nor in byHand are free.
var counted = map[string]string{
	"Curve.Pairing":            `nameGt, count.Pairing, 1`,
	"Curve.FExp":               `nameGt, count.FinalExp, 1`,
	"Curve.MultiScalarMul":     `"", count.MSM, len(a)`,
	"Curve.HashToG1":           `"", count.HashToCurve, 1`,
	"Curve.HashToG1WithDomain": `"", count.HashToCurve, 1`,
	"Curve.HashToG2":           `nameG2, count.HashToCurve, 1`,
	"Curve.HashToG2WithDomain": `nameG2, count.HashToCurve, 1`,
	"Curve.NewG1FromBytes":     `"", count.Decode, 1`, "Curve.NewG1FromCompressed": `"", count.Decode, 1`,
	"Curve.NewG2FromBytes": `nameG2, count.Decode, 1`, "Curve.NewG2FromCompressed": `nameG2, count.Decode, 1`,
	"Curve.NewGtFromBytes": `nameGt, count.Decode, 1`,
	"Curve.ModMul":         `"", count.FieldMul, 1`, "Curve.ModMulInPlace": `"", count.FieldMul, 1`,
	"Curve.ModAddMul":  `"", count.FieldMul, len(a)`,
	"Curve.ModAddMul2": `"", count.FieldMul, 2`, "Curve.ModAddMul2InPlace": `"", count.FieldMul, 2`,
	"Curve.ModAddMul3": `"", count.FieldMul, 3`, "Curve.ModAddMul3InPlace": `"", count.FieldMul, 3`,
	"Zr.Mul": `"", count.FieldMul, 1`, "Zr.PowMod": `"", count.FieldExp, 1`,
	"Zr.InvModP": `"", count.FieldInv, 1`, "Zr.InvModOrder": `"", count.FieldInv, 1`,
	"G1.Neg": `"", count.Neg, 1`, "G1.Mul": `"", count.ScalarMul, 1`,
	"G1.Mul2": `"", count.MSM, 2`, "G1.Mul2InPlace": `"", count.MSM, 2`,
	"G1.Bytes": `"", count.Encode, 1`, "G1.Compressed": `"", count.Encode, 1`,
	"G2.Mul": `nameG2, count.ScalarMul, 1`, "G2.Bytes": `nameG2, count.Encode, 1`,
	"G2.Compressed": `nameG2, count.Encode, 1`,
	"Gt.Inverse":    `nameGt, count.Neg, 1`, "Gt.Exp": `nameGt, count.ScalarMul, 1`,
	"Gt.Bytes": `nameGt, count.Encode, 1`,
}

// byHand has the methods written by hand in curve.go, since they are several operations,
// or count by their operands.
var byHand = map[string]bool{
	"Curve.GenGt": true, "Curve.Pairing2": true,
	"G1.Add": true, "G1.Sub": true, "G2.Add": true, "G2.Sub": true, "Gt.Mul": true,
}

// inMathlib has the names in mathlib's public layer of methods that differ there.
var inMathlib = map[string]string{
	"Curve.CoordinateByteSize": "CoordByteSize", "Curve.NewZrFromInt64": "NewZrFromInt",
	"Gt.ToString": "String",
}

// value is a kind of value of the driver layer, and its type in the public layer.
type value struct{ driver, public reflect.Type }

var (
	ofCurve = value{reflect.TypeFor[driver.Curve](), reflect.TypeFor[*math.Curve]()}
	values  = []value{
		{reflect.TypeFor[driver.Zr](), reflect.TypeFor[*math.Zr]()},
		{reflect.TypeFor[driver.G1](), reflect.TypeFor[*math.G1]()},
		{reflect.TypeFor[driver.G2](), reflect.TypeFor[*math.G2]()},
		{reflect.TypeFor[driver.Gt](), reflect.TypeFor[*math.Gt]()},
	}
)

// isValue says whether t is a value of the driver layer.
func isValue(t reflect.Type) bool {
	return t.PkgPath() == ofCurve.driver.PkgPath()
}

func lower(t reflect.Type) string { return strings.ToLower(t.Name()) }

// name returns a type as source.
func name(t reflect.Type) string { return strings.ReplaceAll(t.String(), "uint8", "byte") }

// method writes a method of v that counts, and calls the method of the public layer.
func (v value) method(m reflect.Method) string {
	key := v.driver.Name() + "." + m.Name
	curve := "x.c."
	if v == ofCurve {
		curve = "x."
	}
	var parameters, arguments, results []string
	for i := range m.Type.NumIn() {
		in, a := m.Type.In(i), string(rune('a'+i))
		parameter := a
		if i+1 == m.Type.NumIn() || in != m.Type.In(i+1) { // the last of its type
			parameter += " " + name(in)
		}
		parameters = append(parameters, parameter)
		switch {
		case isValue(in):
			a = fmt.Sprintf("%s%s(%s)", curve, lower(in), a)
		case in.Kind() == reflect.Slice && isValue(in.Elem()):
			a = fmt.Sprintf("all(%s, %s%s)", a, curve, lower(in.Elem()))
		}
		arguments = append(arguments, a)
	}
	for i := range m.Type.NumOut() {
		results = append(results, name(m.Type.Out(i)))
	}
	public := m.Name
	if inMathlib[key] != "" {
		public = inMathlib[key]
	}
	call := "x.v." + public
	if method, ok := v.public.MethodByName(public); ok {
		call += "(" + strings.Join(arguments, ", ") + ")"
		if method.Type.NumOut() > m.Type.NumOut() { // with an error
			call = "decoded(" + call + ")"
		}
	} else if isValue(m.Type.Out(0)) { // a field
		call += ".Copy()"
	}
	if len(results) > 0 && isValue(m.Type.Out(0)) {
		call = fmt.Sprintf("%snew%s(%s)", curve, m.Type.Out(0).Name(), call)
	}
	if len(results) > 0 {
		call = "return " + call
	}
	if counted[key] != "" {
		call = fmt.Sprintf("%scount(%s)\n%s", curve, counted[key], call)
	}
	return fmt.Sprintf("func (x *%s) %s(%s) (%s) {\n%s\n}\n\n",
		lower(v.driver), m.Name, strings.Join(parameters, ", "), strings.Join(results, ", "), call)
}

func forwarding() string {
	var b strings.Builder
	b.WriteString(`// Code generated by TestForwardingMethods from mathlib's interfaces; DO NOT EDIT.

package mathlib

import (
	"io"
	"math/big"

	math "github.com/IBM/mathlib"
	"github.com/IBM/mathlib/driver"

	"github.com/zkatbench/zkatbench/count"
)

`)
	for _, v := range append([]value{ofCurve}, values...) {
		if v != ofCurve {
			names := strings.NewReplacer("zr", lower(v.driver), "Zr", v.driver.Name())
			b.WriteString(names.Replace(`// zr is a driver.Zr that counts.
type zr struct {
	c *curve
	v *math.Zr
}

func (c *curve) newZr(v *math.Zr) driver.Zr { return &zr{c, v} }

// zr returns the value of mathlib. A value of another driver was made before the curve
// was wrapped.
func (c *curve) zr(v driver.Zr) *math.Zr {
	if w, ok := v.(*zr); ok {
		return w.v
	}
	return math.NewZr(v, c.id)
}

`))
		}
		for i := range v.driver.NumMethod() {
			if m := v.driver.Method(i); !byHand[v.driver.Name()+"."+m.Name] {
				b.WriteString(v.method(m))
			}
		}
	}
	return b.String()
}

// TestForwardingMethods: forward.go follows from mathlib's interfaces and the operations
// above, which are all methods of an interface.
func TestForwardingMethods(t *testing.T) {
	want, err := format.Source([]byte(forwarding()))
	require.NoError(t, err)
	if golden.Updating() {
		require.NoError(t, os.WriteFile("forward.go", want, 0o644))
	}
	got, err := os.ReadFile("forward.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate ./count/mathlib")

	methods := map[string]bool{}
	for _, v := range append([]value{ofCurve}, values...) {
		for i := range v.driver.NumMethod() {
			methods[v.driver.Name()+"."+v.driver.Method(i).Name] = true
		}
	}
	for method := range counted {
		t.Run(method, func(t *testing.T) {
			require.True(t, methods[method] && !byHand[method], method)
		})
	}
	for method := range byHand {
		t.Run(method, func(t *testing.T) {
			require.True(t, methods[method], method)
		})
	}
}
